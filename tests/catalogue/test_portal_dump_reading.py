"""Dumps as data: rows, strings, dates, places and texts, and what is refused. Nothing here needs a database."""

import gzip
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from catalogue.portal.dump import statements
from catalogue.portal.dump.dates_and_places import PlaceProblem, Point, dated, points_and_names, portal_day
from catalogue.portal.dump.fields import numbered_rows
from catalogue.portal.dump.reading import read_dump
from catalogue.portal.dump.statements import NoDump, PartKind, Unreadable, columns_of, statement_parts, values_of
from catalogue.portal.dump.values import plain_text
from catalogue.portal.reports import RowRemarks
from catalogue.texts import dates
from tests.catalogue.portal_dumps import COLUMNS, dump, literal, name, record, small

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


def rows_of(sql: str) -> list[list]:
    return [values_of(piece) for piece in statement_parts([sql]) if piece.kind is PartKind.ROW]


def written(folder: Path, content: str | bytes, file: str = "portal.sql") -> Path:
    path = folder / file
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(path: Path) -> tuple[dict[str, list[dict]], list[str]]:
    remarks = RowRemarks()
    found = read_dump(path, remarks)
    return {table: list(rows) for table, rows in found.tables.items()}, [str(one) for one in remarks.kept]


@given(st.lists(st.lists(st.none() | TEXTS | st.integers(-(10**17), 10**17), min_size=1, max_size=5), min_size=1))
def test_what_is_written_is_read(rows: list[list]) -> None:
    assert rows_of("INSERT INTO t VALUES " + ",\n".join(f"({', '.join(map(literal, row))})" for row in rows)) == rows


@given(st.text("'\"`\\;()-/*# \nabINSERTVALUES,0x", max_size=60), st.integers(1, 9))
def test_any_text_is_cut_the_same_way_however_it_comes(text: str, size: int) -> None:
    def cut(parts: list[str]) -> list | str:
        try:
            return list(statement_parts(parts))
        except NoDump as problem:
            return str(problem)

    assert cut([text[k : k + size] for k in range(0, len(text), size)]) == cut([text])


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("'it''s'", "it's"),
        (r"'it\'s'", "it's"),
        ("'semi;colon -- # /* no comment */'", "semi;colon -- # /* no comment */"),
        (r"'a\nb\t\\c\%'", "a\nb\t\\c\\%"),
        ('"double ""quotes"""', 'double "quotes"'),
        ("'two' 'parts'", "twoparts"),
        ("N'national'", "national"),
        ("_binary 'abc'", "abc"),
        ("_utf8mb4'\N{DROMEDARY CAMEL}'", "\N{DROMEDARY CAMEL}"),
        ("0x4142", b"AB"),
        ("x'4142'", b"AB"),
        ("b'101'", 5),
        ("-7", -7),
        ("+7", 7),
        ("- 7", -7),
        ("1.50", "1.50"),
        ("-.5e3", "-.5e3"),
        ("1 2", Unreadable("1 2")),
        ("0b101", 5),
        ("x'123'", b"\x01\x23"),
        ("NULL", None),
        ("null /* a comment; with 'a quote */", None),
        ("TRUE", 1),
        ("DEFAULT", None),
        ("NOW()", Unreadable("NOW ( )")),
        ("(SELECT 1, 2)", Unreadable("( SELECT 1 , 2 )")),
    ],
)
def test_each_kind_of_value(sql: str, value: object) -> None:
    assert rows_of(f"INSERT INTO t VALUES (1, {sql}, 2)") == [[1, value, 2]]


def test_what_is_behind_the_rows_is_no_row() -> None:
    sql = "REPLACE INTO t (a) VALUES (1),(2) ON DUPLICATE KEY UPDATE a=VALUES(a), b=(3); INSERT INTO t VALUES (4);"
    assert rows_of(sql) == [[1], [2], [4]]


@pytest.mark.parametrize(
    ("sql", "table", "columns", "defines"),
    [
        ("CREATE TABLE IF NOT EXISTS `G``` (`I` int(11), `b` enum('x,y'), PRIMARY KEY (`I`))", "G`", ("I", "b"), True),
        ("CREATE TABLE ludii.Games (Id int, key_ int, KEY k (Id))", "Games", ("Id", "key_"), True),
        ("INSERT INTO `Games` (`Id`, `Key`) VALUES (1, 2)", "Games", ("Id", "Key"), False),
        ("INSERT IGNORE INTO `ludii`.`Games` VALUES (1, 2)", "Games", None, False),
        ("REPLACE `a.b` (`c``d`) VALUE (1)", "a.b", ("c`d",), False),
    ],
)  # fmt: skip
def test_tables_and_columns_are_named(sql: str, table: str, columns: tuple[str, ...] | None, defines: bool) -> None:
    found = columns_of(next(statement_parts([sql])))
    assert found
    assert (found.table, found.columns, found.defines) == (table, columns, defines)


def test_lines_are_counted_over_everything_that_is_left() -> None:
    left = "-- one\n/* two\nthree */\nDELIMITER $$\nCREATE PROCEDURE p() BEGIN; END$$\nDELIMITER ;\nUSE `x`;\n\n"
    sql = left + "  INSERT INTO t VALUES\n(1),\n('\n\n'),\n(2);"
    found = [(piece.kind, piece.line) for piece in statement_parts([sql])]
    rows = [(PartKind.ROW, line) for line in (10, 11, 14)]
    assert found == [(PartKind.OTHER, 7), (PartKind.INSERT, 9), *rows]


def test_columns_are_taken_by_name_in_any_order_and_spelling(tmp_path: Path) -> None:
    columns = {**COLUMNS, "Evidence": ("misc", "GAME_ID", "id", "SomethingNew")}
    found, remarks = read(written(tmp_path, dump({"Evidence": [{"misc": "x", "GAME_ID": 7, "id": 3}]}, columns)))
    assert found["Evidence"] == [{"Id": 3, "GameId": 7, "Misc": "x"}]
    assert remarks == ["Evidence: the column SomethingNew is not known and was left alone"]


LUDUS = "Ludus “ō”, 'x'."
ACCENTED = dump(small(record(1, Misc=LUDUS)))


@pytest.mark.parametrize(
    "written_as",
    [
        lambda text: "/*!999999\\- enable the sandbox mode */\n" + text,  # MariaDB, in both spellings
        lambda text: "/*M!999999\\- enable the sandbox mode */\n" + text,
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("INSERT INTO", "INSERT IGNORE INTO"),
        lambda text: re.sub(r"(INSERT INTO `\w+`) \([^)]*\)", r"\1", text),  # no lists of columns
        lambda text: text.replace("'Ludus", "_utf8mb4'Ludus"),
        lambda text: re.sub(r"'(Ludus.*?x\\?'\.)'", lambda m: f"0x{LUDUS.encode().hex()}", text),
    ],
)
def test_one_dump_written_in_several_ways_reads_the_same(tmp_path: Path, written_as: Callable[[str], str]) -> None:
    assert written_as(ACCENTED) != ACCENTED
    found, remarks = read(written(tmp_path, written_as(ACCENTED)))
    assert remarks == []
    assert [text_of(row["Misc"]) for row in found["Evidence"]] == [LUDUS]
    assert {name: len(rows) for name, rows in found.items()} == {
        name: len(rows) for name, rows in read(written(tmp_path, ACCENTED))[0].items()
    }


@pytest.mark.parametrize(
    ("sql", "flag"), [("b'1'", "1"), ("0x01", "1"), ("'\x01'", "1"), (r"'\0'", "0"), ("b'0'", "0"), ("'1'", "1")]
)
def test_flags_are_read_however_they_are_written(tmp_path: Path, sql: str, flag: str) -> None:
    text = dump(small(record(1, DateStartBC="a flag"))).replace("'a flag'", sql)
    remarks = RowRemarks()
    (row,) = numbered_rows(read_dump(written(tmp_path, text), remarks), "Evidence")
    assert row.flag("DateStartBC") == flag


def text_of(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode()


def test_unknown_tables_and_rows_that_do_not_fit_are_reported(tmp_path: Path) -> None:
    users = "\nCREATE TABLE Users (Id int); INSERT INTO Users VALUES (1);"
    extra = users + "INSERT INTO Games (Id, Name) VALUES (5), (6, NOW());"
    found, remarks = read(written(tmp_path, dump(small(record(1))) + extra))
    assert remarks == [
        "Users: the table is not known and was left alone",
        f"Games line {dump(small(record(1))).count(chr(10)) + 2}: a row of 1 values for 2 columns was left out",
        "Games 6: Name is no value but an expression: 'NOW ( )'",
    ]
    assert found["Games"][-1] == {"Id": 6, "Name": None}


WHOLE = dump(small(record(1)))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "neither CREATE TABLE nor INSERT"),
        (b"A letter to a friend.\nIt isn't SQL.", "line 2: a string that begins here does not end"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "byte 0x89 in line 1 is not UTF-8"),
        (b"plain text\n\x00\n", "a zero byte"),
        ("CREATE TABLE x (a int);".encode("utf-16"), "encoded as UTF-16; export it as UTF-8"),
        (WHOLE.replace("night", "n\xefght").encode("latin-1"), "is not UTF-8; export the dump as UTF-8"),
        ("CREATE TABLE Users (Id int);", "no dump of the portal: there is no table Games; its tables are Users"),
        (WHOLE[: WHOLE.index("They play")], "a string that begins here does not end"),
        (WHOLE[: WHOLE.index(", 100, NULL")], "it breaks off within brackets"),
        (WHOLE.replace("`GameId`", "`Gamme`"), "the table Evidence has no column GameId; the nearest is Gamme"),
        ("INSERT INTO Games VALUES (1, 'x');", "names no columns, and no CREATE TABLE before it does"),
        ("INSERT INTO Games (Id, Name) VALUES " + "(" * 60 + ")" * 60, "nested more than 50 deep"),
        (f"CREATE TABLE Games ({', '.join(f'c{k} int' for k in range(501))})", "has 501 columns; the most are 500"),
        (f"INSERT INTO Games (Id, Name) VALUES ({', '.join('1' * 501)})", "a row has 501 values; the most are 500"),
        (b"\x1f\x8b\x08 no gzip", "it cannot be decompressed"),
        (b"PK\x03\x04 no zip", "the archive cannot be unpacked"),
        ("INSERT INTO Games (Id) VALUES (1);)", "it is no SQL|a bracket is closed|no column Name"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_dump_is_refused_in_words(tmp_path: Path, content: str | bytes, words: str) -> None:
    with pytest.raises(NoDump, match=words):
        read(written(tmp_path, content))


def test_limits_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "LONGEST_PART", 1000)
    with pytest.raises(NoDump, match="a row is longer than 1,000 characters"):
        read(written(tmp_path, dump(small(record(1, Rules="word " * 300)))))
    monkeypatch.setattr(statements, "MOST_BYTES", 5000)
    with pytest.raises(NoDump, match="more than 0 MB of text"):
        read(written(tmp_path, WHOLE))


def test_compressed_dumps_are_read_and_bombs_are_not(tmp_path: Path) -> None:
    plain = read(written(tmp_path, WHOLE))
    assert read(written(tmp_path, b"\xef\xbb\xbf" + WHOLE.encode())) == plain
    assert read(written(tmp_path, gzip.compress(WHOLE.encode()), "portal.sql.gz")) == plain
    with zipfile.ZipFile(tmp_path / "portal.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../etc/portal.sql", WHOLE)  # nothing is unpacked to the disk
    assert read(tmp_path / "portal.zip") == plain
    with zipfile.ZipFile(tmp_path / "portal.zip", "a") as archive:
        archive.writestr("second", "")
    with pytest.raises(NoDump, match="the archive holds 2 files"):
        read(tmp_path / "portal.zip")
    bomb = gzip.compress((WHOLE + "\n" * 8_000_000).encode())
    with pytest.raises(NoDump, match=f"more than {statements.MOST_EXPANSION} times as large"):
        read(written(tmp_path, bomb, "bomb.gz"))


@pytest.mark.thorough
@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace")))
def test_no_file_crashes_the_reader(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = written(tmp_path_factory.getbasetemp(), content)
    with pytest.raises(NoDump):
        read(path)


@given(TEXTS)
def test_a_name_may_hold_anything_but_its_end(words: str) -> None:
    found = columns_of(next(statement_parts([f"INSERT INTO {name('x' + words)} VALUES (1)"])))
    assert found
    assert found.table == "x" + words


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
def test_misreadings_are_mended_and_nothing_else_touched(text: str) -> None:
    plain = plain_text(text)
    assert plain_text(plain) == plain or "&" in text or "<" in text or "Ã" in text
    misread = "“é" + text.replace("&", "").replace("<", "")
    wrong = "".join(
        bytes([byte]).decode("cp1252") if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else chr(byte)
        for byte in misread.encode("utf-8", "ignore")
    )
    assert plain_text(wrong) == plain_text(misread.encode("utf-8", "ignore").decode())
