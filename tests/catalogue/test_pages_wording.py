"""How the pages write years, figures and commands."""

from types import SimpleNamespace

import pytest

from catalogue.models import Evidence, Place
from catalogue.templatetags import wording


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (1909, 1909, "1909"),
        (1870, 1910, "1870–1910"),
        (None, 1500, "before 1500"),
        (1500, None, "after 1500"),
        (None, None, "undated"),
        (0, 0, "1 BCE"),  # the year before 1 CE is 1 BCE
        (-2599, -2399, "2600 BCE–2400 BCE"),
        (-49, 50, "50 BCE–50 CE"),
    ],
)
def test_years_of_a_record_in_words(first: int | None, last: int | None, words: str) -> None:
    assert wording.dated(Evidence(year_earliest=first, year_latest=last)) == words


def test_a_command_in_lines_is_the_same_to_a_shell() -> None:
    shown = wording.continued("manage.py simulate kalah-reference --games 5 --seed 1")
    assert shown.splitlines() == ["manage.py simulate kalah-reference \\", "  --games 5 \\", "  --seed 1"]


def test_canonical_form_sorts_keys_and_writes_no_space() -> None:
    assert wording.canonical({"b": 1, "a": ["ö", True]}) == '{"a":["ö",true],"b":1}'


def test_outer_quantiles_are_told_from_the_median_and_the_mean() -> None:
    keys = ["turns_mean", "turns_q10", "turns_q25", "turns_q50", "turns_q75", "turns_q90", "won_0"]
    rows = [{"key": key} for key in keys]
    assert [row["key"] for row in wording.in_short(rows)] == ["turns_mean", "turns_q50", "won_0"]
    assert [row["key"] for row in wording.outer_quantiles(rows)] == ["turns_q10", "turns_q25", "turns_q75", "turns_q90"]


def test_a_note_is_given_once_with_the_first_figure() -> None:
    rows = [
        {"key": "laps_mean", "note": "at the cap"},
        {"key": "laps_q50", "note": ""},
        {"key": "x", "note": "at the cap"},
    ]
    assert [row["note"] for row in wording.in_short(rows)] == ["at the cap", "", ""]
    assert rows[2]["note"] == "at the cap"  # the stored summary is left as it was


@pytest.mark.parametrize(("number", "words"), [(0, "0 records"), (1, "1 record"), (1234, "1,234 records")])
def test_a_counted_noun_agrees_with_its_number(number: int, words: str) -> None:
    assert wording.counted(number, "record") == words


def test_links_are_separated_by_commas_without_markup() -> None:
    places = [Place(name="Kandy & Galle", slug="kandy"), Place(name="Khasi", slug="khasi")]
    assert (
        wording.links(places, "name")
        == '<a href="/places/kandy/">Kandy &amp; Galle</a>, <a href="/places/khasi/">Khasi</a>'
    )
    assert wording.links([], "name") == ""


def test_only_the_words_searched_for_are_marked() -> None:
    pieces = [SimpleNamespace(text="<dam>", is_found=True), SimpleNamespace(text=" & so on", is_found=False)]
    assert wording.highlighted(pieces) == "<mark>&lt;dam&gt;</mark> &amp; so on"
