"""What the proof of the house takes for the text of an answer, and what it takes for a difference."""

import json

import pytest

from tests.proofs.house_openapi import differences, without_descriptions
from tests.proofs.house_text import Answer, Words, difference, html_text, lines_of, without_clock

DAYS = ["2026-11-22"]


def answer(text: str, kind: str = "text/html", status: int = 200) -> Answer:
    return Answer(status, kind, text, "/", DAYS)


def test_blocks_stand_on_lines_of_their_own_and_inline_tags_do_not_part_words():
    page = "<title>T</title><style>p</style><ul><li>a <b>b</b>, c<li>d</ul><p>e<br>f\n  g<script>x</script></p>"
    assert html_text(page) == "T\na b, c\nd\ne\nf g"


def test_how_the_markup_is_laid_out_means_nothing():
    assert html_text("<div><p>a\n b</p>\n\n<p>c</p></div>") == html_text("<section>\n<p>a b</p><p >c </p></section>")


def test_words_in_attributes_are_words_for_a_reader():
    page = '<img alt="a board"><a title="more  of it" href="/x/">x</a><input placeholder="Search" value="y">'
    assert html_text(page) == "[alt: a board]\n[title: more of it]\nx\n[placeholder: Search]"


def test_json_is_compared_by_fields_and_its_order_counts():
    kind = "application/json"
    assert lines_of(answer('{"a":1}', kind)) == lines_of(answer('{ "a": 1 }', kind))
    assert lines_of(answer('{"a":1,"b":2}', kind)) != lines_of(answer('{"b":2,"a":1}', kind))


def test_status_and_kind_belong_to_the_answer():
    assert lines_of(answer("<p>a")) == ["status 200, text/html", "a"]
    assert difference(lines_of(answer("a")), lines_of(answer("a", status=404)))
    assert difference(lines_of(answer("a")), lines_of(answer("a", kind="text/plain")))


@pytest.mark.parametrize(
    ("text", "timeless"),
    [
        ("22 November 2026, 10:19 UTC", "‹d Month yyyy›, ‹time› UTC"),
        ("22 Nov 2026, 10:25", "‹d Mon yyyy›, ‹time›"),
        ("Accessed November 22, 2026.", "Accessed ‹Month d, yyyy›."),
        ("Y2  - 2026/11/22", "Y2  - ‹yyyy/mm/dd›"),
        ('"2026-11-22T10:19:37.289657Z"', '"‹yyyy-mm-dd›T‹time›Z"'),
        ("2026-11-22T10:19:37.289657+00:00", "‹yyyy-mm-dd›T‹time›+00:00"),
        ("0.032 s and at most 1,369.0 MB on", "‹seconds› s and at most ‹megabytes› MB on"),
        ("21 November 2026, 10:19", "21 November 2026, 10:19"),
        ("122 November 2026", "122 November 2026"),
        ("10:19, 0.032 s, 369 MB", "10:19, 0.032 s, 369 MB"),
    ],
)
def test_only_what_the_clock_wrote_is_left_out(text, timeless):
    assert without_clock(text, DAYS) == timeless


@pytest.mark.parametrize(
    ("before", "now", "shown"),
    [
        (["a", "b", "c"], ["a", "b", "c"], []),
        (["a", "b", "c"], ["a", "x", "c"], [" a", "-b", "+x", " c"]),
        (["a", "b"], ["x", "b"], ["-a", "+x", " b"]),
        (["a"], ["a", "b"], [" a", "+b"]),
        (["a", "b"], ["a"], [" a", "-b"]),
    ],
)
def test_the_first_difference_is_shown_with_its_neighbours(before, now, shown):
    assert difference(before, now) == shown


@pytest.mark.parametrize(
    ("words", "now", "is_equal"),
    [
        (Words("doubts weighed", "sensitivity", "the field's term"), ["Its sensitivity", "2 games"], True),
        (Words("/[Dd]oubts weighed/", "sensitivity", "the field's term"), ["Its sensitivity", "2 games"], True),
        (Words("doubts weighed", "sensitivity", "the field's term"), ["Its sensitivity", "3 games"], False),
        (Words("doubts weigh", "sensitivity", "not a whole word"), ["Its sensitivityed", "2 games"], False),
    ],
)
def test_listed_words_may_differ_and_nothing_else(words, now, is_equal):
    assert (difference(["Its doubts weighed", "2 games"], now, [words]) == []) is is_equal


def test_new_words_may_hold_the_old_ones_or_be_none():
    assert difference(["The word"], ["The new word"], [Words("word", "new word", "")]) == []
    assert difference(["a", "gone"], ["a"], [Words("gone", "", "")]) == []


def test_a_listed_word_is_met_where_it_stands_and_its_blanks_may_be_a_new_line():
    words = Words("two words", "one", "")
    assert difference(["two", "words"], ["one"], [words]) == []
    assert words.met == 1


OPENAPI = {
    "paths": {"/a/": {"get": {"summary": "old", "parameters": [{"name": "x", "description": "old"}]}}},
    "components": {"schemas": {"A": {"properties": {"description": {"type": "string", "description": "old"}}}}},
}


def test_descriptions_of_the_api_may_change_and_a_field_of_that_name_may_not():
    changed = json.loads(json.dumps(OPENAPI).replace('"old"', '"new"'))
    assert list(differences(without_descriptions(OPENAPI), without_descriptions(changed))) == []
    changed["components"]["schemas"]["A"]["properties"]["description"]["type"] = "integer"
    assert list(differences(without_descriptions(OPENAPI), without_descriptions(changed))) == [
        '/components/schemas/A/properties/description/type: "string" → "integer"'
    ]


def test_differences_of_documents_are_named_by_where_they_are():
    before = {"a/b": [1, {"x": 1}], "gone": 1, "long": [1, 2], "one": 1}
    now = {"a/b": [1, {"x": True}], "long": [1], "one": 1, "more": 1}
    assert list(differences(before, now)) == [
        "/a~1b/1/x: 1 → true",
        "/gone: no longer there",
        "/long: [1, 2] → [1]",
        "/more: new",
    ]
