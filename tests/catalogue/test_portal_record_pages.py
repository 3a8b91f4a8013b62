"""From page to records: the five pages at hand, every layout with records made up, and what must be refused."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue.portal.record_pages import NoPortalPage, Record, page_text
from tests import choice
from tests.builders import PARKER
from tests.catalogue.portal_layouts import (
    LAYOUTS,
    PAGES,
    as_html_lines,
    as_html_on_one_line,
    heading,
    on_lines,
    on_one_line,
    read,
    read_file,
)

IN_SRI_LANKA = (690, 691, 692, 780, 784, 823, 828, 837, 1194, 1316, 1386, 1399)
IN_SRI_LANKA += (1478, 1479, 1480, 1485, 1486, 1487, 1684, 1760)
DARAMUTI = Record(
    identifier="DLP.Evidence.692",
    type="Ethnography",
    game="Daramuti",
    places=("Sri Lanka",),
    ruleset_name="",
    date_words="1909-01-01 - 1909-12-31",
    rules="2x7 board with two stores.",
    reference="",
    content="'In other respects the game resembles Puhulmutu.' Parker 1909: 599.",
    confidence="100",
    ages="",
    spaces="",
    other_fields=(),
    sources=(PARKER,),
)
Layout = Callable[[Sequence[Record], str], str]


def without_lines(records: Sequence[Record]) -> list[Record]:
    return [replace(record, line=0) for record in records]


def folded(records: Sequence[Record]) -> list[Record]:
    """Layouts do not keep white space inside a text; everything else is kept."""
    return [
        replace(record, line=0, **{name: " ".join(getattr(record, name).split()) for name in ("rules", "content")})
        for record in records
    ]


def test_the_page_of_sri_lanka_has_its_twenty_records() -> None:
    page = read_file("sri-lanka.txt")
    assert [record.identifier for record in page.records] == [f"DLP.Evidence.{number}" for number in IN_SRI_LANKA]
    assert page.problems == page.doubts == ()
    assert {record.places for record in page.records} == {("Sri Lanka",)}
    assert [record.identifier for record in page.records if not record.rules] == ["DLP.Evidence.691"]
    assert [record.game for record in page.records if record.ages == "All"] == ["Niranchy"]
    inside = [record.identifier.rsplit(".", 1)[1] for record in page.records if record.spaces == "Inside"]
    assert inside == ["1316", "1386", "1399", "1486", "1487"]
    assert {record.confidence for record in page.records} == {"100"}
    assert [len(record.sources) for record in page.records if len(record.sources) != 1] == [3, 3]
    sokkattan = next(record for record in page.records if record.game == "Sokkattan")
    assert (sokkattan.ruleset_name, sokkattan.reference) == ("Sokkattan (Sri Lanka)", "")
    assert sokkattan.rules.endswith("three times in a row, it does not count.")


@pytest.mark.parametrize(
    ("file", "game", "place", "line"),
    [
        ("daramuti.txt", "Daramuti", "Sri Lanka", 14),
        ("walak-pussa.txt", "Walak-Pussa", "Sri Lanka", 14),
        ("puhulmutu.txt", "Puhulmutu", "Sri Lanka", 14),
        ("khasi.txt", "Mawkar Katiya", "Khasi", 14),
    ],
)
def test_a_page_of_one_record(file: str, game: str, place: str, line: int) -> None:
    (record,) = read_file(file).records
    assert (record.game, record.places, record.line) == (game, (place,), line)
    assert "Contact" not in record.sources[0]


def test_texts_are_verbatim() -> None:
    """Every text field stands in its page to the letter, with its line breaks and its odd quotation marks."""
    for path in PAGES.glob("*.txt"):
        page = path.read_text(encoding="utf-8")
        for record in read_file(path.name).records:
            assert record.rules in page
            assert record.content in page


@pytest.mark.by_turns
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_of_the_pages_gives_the_same_records(layout: Layout) -> None:
    records = read_file("sri-lanka.txt").records
    page = read(layout(records, "in Sri Lanka"))
    assert page.problems == ()
    assert folded(page.records) == folded(records)


LABELS = st.sampled_from(
    ["Rules", "Type", "Content", "Source", "Confidence", "Game", "Date", "Id", "Spaces", "Reference"]
)
WORDS = LABELS | st.sampled_from(
    ["seeds", "‘puta’", "(naga)", "wala;", "1", "4", "Máwkár", "a&b", "<hole>", "|", "“eaten”", "100", "—", "kanawa,"]
)
SENTENCE = st.lists(WORDS, min_size=1, max_size=8).map(lambda words: " ".join(["the", *words, "of", "it."]))
TEXT = st.lists(SENTENCE, min_size=1, max_size=4).map(" ".join)
QUOTATION = TEXT.map(lambda text: f'"{text}" Parker 1909: 594.')
NAMES = st.sampled_from(["Daramuti", "Pancha Keliya (Complex)", "Walak-Pussa", "Game of the Rules", "Máwkár kátiyá"])
SOURCES = st.sampled_from([PARKER, "Culin, S. 1898. Chess and Playing-Cards. Washington: Government Printing Office."])
DATES = st.sampled_from(["1909-01-01 - 1909-12-31", "-0500-01-01 - 0200-12-31", "1923-06-01 - 1923-12-31", ""])


def _clear(record: Record) -> bool:
    """Without a date nobody can tell on one line where a game's name ends and a text begins if both have its label."""
    return bool(record.date_words) or "Rules" not in record.game


RECORD = st.builds(
    Record,
    identifier=st.integers(1, 99999).map("DLP.Evidence.{}".format),
    type=st.sampled_from(["Ethnography", "Artifact", "Contemporary rule description"]),
    game=NAMES,
    places=st.sampled_from([("Sri Lanka",), ("Khasi",), ("Southern Asia", "Western Asia")]),
    ruleset_name=st.sampled_from(["", "Sokkattan (Sri Lanka)"]),
    date_words=DATES,
    rules=TEXT | st.just(""),
    reference=st.just(""),
    content=QUOTATION,
    confidence=st.sampled_from(["100", "50", "0"]),
    ages=st.sampled_from(["", "All", "Adult"]),
    spaces=st.sampled_from(["", "Inside", "Outside"]),
    other_fields=st.sampled_from([(), (("Genders", "Male"),)]),
    sources=st.lists(SOURCES, min_size=1, max_size=2, unique=True).map(tuple),
).filter(_clear)


@pytest.mark.by_turns
@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=40 if choice.ALL else 12)
@given(records=st.lists(RECORD, min_size=1, max_size=4, unique_by=lambda record: record.identifier))
def test_records_written_out_in_any_layout_are_read_back(layout: Layout, records: list[Record]) -> None:
    page = read(layout(records, "in Somewhere"))
    assert page.problems == ()
    assert without_lines(page.records) == without_lines(records)


def test_labels_that_are_words_of_a_text_do_not_split_it() -> None:
    rules = "The Type of board: Content of holes counts. Source of confusion. Confidence 5 is low. Rules vary."
    content = '"He said. Content is king. Date and Confidence 90 matter." Parker 1909: 5.'
    record = replace(DARAMUTI, game="The Game of Rules", rules=rules, content=content)
    page = read(on_one_line([record], "in Sri Lanka"))
    assert without_lines(page.records) == [record]
    assert "Content could begin the quotation at" in page.doubts[0].message


def test_a_quoted_word_before_a_label_ends_no_sentence() -> None:
    record = replace(DARAMUTI, rules="It is the ‘puta’ Reference Content ‘puta’ of it.")
    assert without_lines(read(as_html_on_one_line([record], "in Sri Lanka")).records) == [record]


def test_headings_supply_place_and_game() -> None:
    page = (
        heading("in Sri Lanka", 1)
        + f'Id DLP.Evidence.5 Type Ethnography Game Dam Content "a" Confidence 100 Source {PARKER}'
    )
    assert (read(page).records[0].places, read(page).records[0].game) == (("Sri Lanka",), "Dam")
    page = heading("for Dam", 1) + f'Id DLP.Evidence.5 Type Ethnography Content "a" Confidence 100 Source {PARKER}'
    assert (read(page).records[0].places, read(page).records[0].game) == ((), "Dam")


def test_a_record_without_a_date_and_one_with_words_for_it() -> None:
    undated, worded = replace(DARAMUTI, date_words=""), replace(DARAMUTI, date_words="about 1900")
    assert read(on_lines([undated], "in Sri Lanka")).doubts == ()
    page = read(on_one_line([worded], "in Sri Lanka"))
    assert page.records[0].date_words == "about 1900"
    assert "counts as undated" in page.doubts[0].message


GOOD = on_one_line([DARAMUTI], "in Sri Lanka")


@pytest.mark.parametrize(
    ("wrong", "right", "what_is_said"),
    [
        ("Type Ethnography ", "", "no field Type"),
        ("Game Daramuti ", "", "no field Game"),
        ("Source Parker", "Parker", "no field Source"),
        ("Confidence 100", "Confidence", "no field Confidence with a number"),
        (
            "Confidence 100",
            "Confidence 100 Wheather Fine",
            "unknown field between Confidence and Source: 'Wheather Fine'",
        ),
        ("DLP.Evidence.692", "DLP.Evidence.69x", "'DLP.Evidence.69x' is not of the form DLP.Evidence.692"),
        ("1909-12-31", "1909-14-31", "no month 14"),
        ("1909-12-31", "1908-12-31", "ends before it begins"),
    ],
)
def test_a_malformed_record_is_named_and_the_others_are_read(wrong: str, right: str, what_is_said: str) -> None:
    broken = next(line for line in GOOD.splitlines() if line.startswith("Id")).replace(wrong, right)
    other = "\n".join(on_one_line([replace(DARAMUTI, identifier="DLP.Evidence.1")], "").splitlines()[3:4])
    page = read(heading("in Sri Lanka", 2) + broken + "\n" + other)
    assert [record.identifier for record in page.records] == ["DLP.Evidence.1"]
    (problem,) = page.problems
    assert problem.line == 3
    assert problem.identifier.startswith("DLP.Evidence.69")
    assert what_is_said in problem.message


def test_records_that_run_into_each_other_are_not_guessed_at() -> None:
    two = on_one_line([DARAMUTI, replace(DARAMUTI, identifier="DLP.Evidence.693")], "in Sri Lanka")
    page = read(two.replace("Id DLP.Evidence.693", "ld DLP.Evidence.693"))
    assert page.records == ()
    assert [problem.message for problem in page.problems] == [
        "DLP.Evidence.693 runs into it: its label Id was not found",
        "the heading announces 2 records, the page has 1",
    ]


def test_a_count_that_does_not_fit_is_a_problem_of_the_page() -> None:
    page = read(GOOD.replace("1 pieces", "2 pieces"))
    assert [record.identifier for record in page.records] == ["DLP.Evidence.692"]
    assert page.problems[0].message == "the heading announces 2 records, the page has 1"


def test_html_lines_are_lines_of_the_file() -> None:
    page = as_html_lines([DARAMUTI, replace(DARAMUTI, identifier="DLP.Evidence.69x")], "in Sri Lanka")
    (problem,) = read(page).problems
    assert "DLP.Evidence.69x" in page.splitlines()[problem.line - 1]


def test_html_is_read_by_the_encoding_it_declares() -> None:
    record = replace(DARAMUTI, content="‘Máwkár kátiyá’ Parker 1909: 5.")
    page = as_html_lines([record], "in Sri Lanka").replace("<head>", '<head><meta charset="windows-1252">')
    assert without_lines(read(page.encode("windows-1252")).records) == [record]


def test_controls_are_no_part_of_a_text() -> None:
    for content in (b"Six\0 \x1b[2Jmen\xc2\x9b", b'<!doctype html><meta charset="utf-8"><p>Six&#7; \x1b[2Jmen</p>'):
        assert page_text(content).text.strip() == "Six [2Jmen"


def test_letters_and_line_ends_become_one_form() -> None:
    record = replace(DARAMUTI, content="'Ma\u0301wka\u0301r' Parker 1909: 5.", rules="One.\nTwo.")
    page = on_lines([record], "in Sri Lanka").replace("\n", "\r\n")
    (found,) = read(b"\xef\xbb\xbf" + page.encode()).records
    assert (found.content, found.rules) == ("'Máwkár' Parker 1909: 5.", "One.\nTwo.")


@pytest.mark.parametrize(
    ("content", "what_is_said"),
    [
        (b"", "no heading"),
        (b"Ludii Portal\nHome Games Forum", "no heading"),
        (b"<html><body><h1>Concept Search</h1></body></html>", "no heading"),
        ("Evidence in Côte d'Ivoire".encode("latin-1"), "neither HTML nor UTF-8 text (byte 14)"),
    ],
)
def test_what_is_no_page_of_the_portal_is_refused(content: bytes, what_is_said: str) -> None:
    with pytest.raises(NoPortalPage) as refusal:
        read(content)
    assert what_is_said in str(refusal.value)
