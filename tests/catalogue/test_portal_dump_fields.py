"""Dates, places and texts of the dump: what can be read is read exactly, everything else is told and kept."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from catalogue.portal.dump.dates_and_places import PlaceProblem, Point, dated, points_and_names, portal_day
from catalogue.portal.dump.values import plain_text
from catalogue.texts import dates


@pytest.mark.parametrize(
    ("start", "bc", "end", "end_bc", "words", "edtf"),
    [
        ("1909-01-01", 0, "1909-12-31", 0, "1909-01-01 - 1909-12-31", "1909"),
        ("1923-06-01", 0, "1923-12-31", 0, "1923-06-01 - 1923-12-31", "1923-06/1923-12"),
        ("0500-01-01", 1, "0400-12-31", 1, "0500-01-01 BC - 0400-12-31 BC", "-0499/-0399"),
        ("0001-01-01", 1, "0001-12-31", 0, "0001-01-01 BC - 0001-12-31", "0000/0001"),
        ("12000-01-01", 1, "9000-12-31", 1, "12000-01-01 BC - 9000-12-31 BC", "Y-11999/-8999"),
        ("1500", 0, "1500", 0, "1500 - 1500", "1500"),
        ("1500-00-00", 0, "1600-00-00", 0, "1500-00-00 - 1600-00-00", "1500/1600"),
        ("1500-01-01 00:00:00", 0, "1500-12-31 00:00:00", 0, "1500-01-01 00:00:00 - 1500-12-31 00:00:00", "1500"),
        ("0500-01-01", 1, "0400-01-01", 1, "0500-01-01 BC - 0400-01-01 BC", "-0499/-0399"),
        ("3000-01-01", 1, "3000-01-01", 1, "3000-01-01 BC - 3000-01-01 BC", "-2999"),
        ("0100-01-01", 1, "0100-01-01", 0, "0100-01-01 BC - 0100-01-01", "-0099/0100"),
        ("1850-01-01", 0, "1850-01-01", 0, "1850-01-01 - 1850-01-01", "1850-01-01"),
        ("0000-00-00", 0, "", 0, "", ""),
    ],
)
def test_days_and_eras(start: str, bc: bool, end: str, end_bc: bool, words: str, edtf: str) -> None:
    found = dated(portal_day(start, str(bc)), portal_day(end, str(end_bc)))
    assert (found.words, found.edtf, found.oddity) == (words, edtf, "")


@pytest.mark.parametrize(
    ("start", "bc", "end", "end_bc", "edtf", "oddity"),
    [
        ("1909-12-31", 0, "1909-01-01", 0, "", "1909-12-31 is after 1909-01-01; they may be swapped"),
        ("0400-01-01", 1, "0500-12-31", 1, "", "0400-01-01 BC is after 0500-12-31 BC; they may be swapped"),
        ("1909-02-30", 0, "1909-12-31", 0, "", "has no day 30; that month has 28 days"),
        ("1909-13-01", 0, "1909-13-31", 0, "", "has no month 13"),
        ("about 1900", 0, "1909-12-31", 0, "", "'about 1900' is no date"),
        ("0000-05-01", 0, "1909-12-31", 0, "", "there is no year 0"),
        ("1909-01-01", 0, "", 0, "1909-01-01/..", "has only a start"),
        ("1909-01-01", 127, "1909-12-31", 0, "", "'1909-01-01' is before the common era (1) or not (0), but the dump"),
        (
            "1500-00-01",
            0,
            "1600-00-31",
            0,
            "1500/1600",
            "1500-00-01 and 1600-00-31: a day of no month; the year is kept",
        ),
        ("0500-00-12", 1, "0400-12-31", 1, "-0499/-0399", "0500-00-12: a day of no month; the year is kept"),
        ("", 0, "0300-12-31", 1, "../-0299-12-31", "has only an end"),
    ],
)
def test_odd_dates_keep_their_words(start: str, bc: bool, end: str, end_bc: bool, edtf: str, oddity: str) -> None:
    found = dated(portal_day(start, str(bc)), portal_day(end, str(end_bc)))
    assert found.edtf == edtf
    assert oddity in found.oddity
    assert start.split(" ")[0] in found.words


@given(*(st.tuples(st.integers(1, 30_000), st.integers(0, 14), st.integers(0, 33), st.booleans()) for _ in "ab"))
def test_no_date_is_written_that_the_catalogue_cannot_read(start: tuple, end: tuple) -> None:
    first_day, last_day = (portal_day("{:04}-{:02}-{:02}".format(*day), str(int(day[3]))) for day in (start, end))
    found = dated(first_day, last_day)
    first, last = dates.years(found.edtf)
    assert found.edtf or found.oddity
    if found.edtf:
        assert first == (1 - start[0] if start[3] else start[0])
        assert last == (1 - end[0] if end[3] else end[0])


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("30°1'55.75\"N, 31°4'31.13\"E", "30.0322° N, 31.0753° E"),
        ("30°1′55.75″ N 31°4′31.13″ E", "30.0322° N, 31.0753° E"),
        ("31°4'31.13''E; 30°1'55.75''S", "30.0322° S, 31.0753° E"),
        ("N 30° 1' 55.75\", W 31° 4' 31.13\"", "30.0322° N, 31.0753° W"),
        ("30.03215, 31.07531", "30.0322° N, 31.0753° E"),
        ("-7, 81.5", "7.0000° S, 81.5000° E"),
        ("(12.5 -13.25)", "12.5000° N, 13.2500° W"),
        ("90, 180", "90.0000° N, 180.0000° E"),
    ],
)
def test_points(location: str, name: str) -> None:
    (found,) = points_and_names(location)
    assert isinstance(found, Point)
    assert found.name == name


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("30.0, 31.0; 29.5, 31.25", ["30.0000° N, 31.0000° E", "29.5000° N, 31.2500° E"]),
        ("30°1'55\"N, 31°4'31\"E;30°2'N, 31°5'E;", ["30.0319° N, 31.0753° E", "30.0333° N, 31.0833° E"]),
        ("30.0, 31.0; 30.0, 31.0", ["30.0000° N, 31.0000° E"]),
        ("30.0, 31.0; Saqqara", ["30.0000° N, 31.0000° E", "Saqqara"]),
        ("Sri Lanka; South India, Maldives", ["Sri Lanka", "South India", "Maldives"]),
        ("31°4'31.13''E; 30°1'55.75''S", ["30.0322° S, 31.0753° E"]),
        (" ; ", []),
    ],
)
def test_several_points_and_names_in_one_field(location: str, expected: list[str]) -> None:
    assert [name.name if isinstance(name, Point) else name for name in points_and_names(location)] == expected


@pytest.mark.parametrize(
    ("location", "why"),
    [
        ("91, 0", "latitudes go from -90 to 90"),
        ("0, -180.5", "longitudes go from -180 to 180"),
        ("30°61'N, 3°E", "minutes and seconds go up to 59"),
        ("30°N, 31°N", "one latitude .N or S. and one longitude"),
        ("Tomb 12", "it is no point: write for example 30°1'55.75\"N"),
        ("12.5", "it is no point"),
        ("30.0, 31.0; 91, 0", "latitudes go from -90 to 90"),
        ("???", "neither a point nor the name of a place"),
        ("a" * 101, "a name of 101 characters"),
    ],
)
def test_unreadable_places(location: str, why: str) -> None:
    with pytest.raises(PlaceProblem, match=why):
        points_and_names(location)


@given(st.floats(-90, 90), st.floats(-180, 180))
def test_every_point_is_read_to_ten_metres(latitude: float, longitude: float) -> None:
    (found,) = points_and_names(f"{latitude:.9f}, {longitude:.9f}")
    assert isinstance(found, Point)
    assert abs(float(found.latitude) - latitude) < 0.0001
    assert abs(float(found.longitude) - longitude) < 0.0001


@pytest.mark.parametrize(
    ("text", "expected", "oddity"),
    [
        ("two lines\r\n  of text ", "two lines\n  of text", ""),
        ("&quot;Tom &amp; Jerry&quot; &#8212; 3 &lt; 4", '"Tom & Jerry" — 3 < 4', ""),
        ("<p>One.</p><p>Two <i>three</i>.</p>", "One.\nTwo three.", "taken away: <p> × 2, </p> × 2, <i>, </i>"),
        ("One <i>native</i> word.\nAnother line.", "One native word.\nAnother line.", "taken away: <i>, </i>"),
        ("<3 counters> & <unclear>", "<3 counters> & <unclear>", ""),
        ("ac <a> sinistris", "ac <a> sinistris", ""),
        ("ac <a> sin<i>istris, <b>", "ac <a> sin<i>istris, <b>", ""),
        (
            '<a> <a href="https://example.org/x">here</a>',
            "<a> here",
            'taken away: <a href="https://example.org/x">, </a>',
        ),
        ("One.\n\nTwo <b>three</b>.\n\n\nFour", "One.\n\nTwo three.\n\n\nFour", "taken away: <b>, </b>"),
        ("<p>One.</p>\n\n<p>Two.<br />\nThree.</p>", "One.\n\nTwo.\nThree.", "</p> × 2, <br />"),
        ("One<br><br>&lt;i&gt; two", "One\n\n<i> two", "taken away: <br> × 2"),
        ("<ul><li>One</li><li>Two</li></ul>", "One\nTwo", "<li> × 2"),
        ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2", "<td> × 2"),
        ("safe<script>alert(1)</script> text<br>", "safe text", "taken away: <script>alert(1)</script>, <br>"),
        ("baendÃ¼m", "baendüm", "was misread as Windows-1252 and set right"),
        ("â€œquotedâ€\x9d", "“quoted”", "set right"),
        ("ā Ã¼", "ā Ã¼", "looks misread in part"),
        ("naïve café “so” £5 Â", "naïve café “so” £5 Â", ""),
        ("lost \ufffd", "lost \ufffd", "characters that were lost"),
        ("a\0b\x07c", "abc", "control characters"),
        ("<div>" * 50_000 + "x", "x", "taken away: <div> × 50,000"),
    ],
)
def test_texts(text: str, expected: str, oddity: str) -> None:
    remarks: list[str] = []
    assert plain_text(text, remarks.append) == expected
    assert oddity in " ".join(remarks)
    assert bool(oddity) == bool(remarks)


@example("Â\x08\x80")
@example("A\u0302\x80")
@given(st.text(max_size=200))
@pytest.mark.thorough
def test_what_was_misread_is_set_right_and_nothing_else_is_touched(text: str) -> None:
    plain = plain_text(text)
    assert plain_text(plain) == plain or "&" in text or "<" in text or "Ã" in text
    misread = "“é" + text.replace("&", "").replace("<", "")
    wrong = "".join(
        bytes([byte]).decode("cp1252") if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else chr(byte)
        for byte in misread.encode("utf-8", "ignore")
    )
    assert plain_text(wrong) == plain_text(misread.encode("utf-8", "ignore").decode())
