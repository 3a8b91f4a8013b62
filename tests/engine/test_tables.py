"""Tables of rules: their one form, their mistakes with place and nearest value, their sentences, places and writing."""

from dataclasses import replace

import pytest

from simulator.engine import documents, schemas
from simulator.engine.documents import parse, read_value, table_problems, with_changes, write_value
from simulator.engine.family import family, ineffective_settings, row_sentences, sentence
from simulator.engine.ruleset import RulesetProblem
from simulator.engine.tables import (
    called,
    canonical,
    filled,
    ordinal,
    places,
    read_place,
    row_as_numbers,
    value_at,
    write_place,
)

from .rulesets import POINTS

CAPTURES = {
    "title": "Captures",
    "type": "array",
    "maxItems": 4,
    "default": [],
    "x-words": {"[]": "There is no table of captures."},
    "x-row": "{by} may {manner} pieces{numbers}{chained}.",
    "items": {
        "type": "object",
        "required": ["manner"],
        "additionalProperties": False,
        "properties": {
            "manner": {
                "title": "Manner",
                "type": "string",
                "enum": ["leap", "enclose"],
                "x-words": {"leap": "leap over", "enclose": "enclose"},
            },
            "by": {
                "title": "By whom",
                "type": "string",
                "enum": ["both", "first"],
                "default": "both",
                "x-words": {"both": "both players", "first": "the first player"},
            },
            "numbers": {
                "title": "Numbers",
                "type": "array",
                "items": {"type": "integer", "minimum": 1, "maximum": 9},
                "uniqueItems": True,
                "default": [],
                "x-words": {"[]": "", "*": ", {} of them"},
            },
            "chained": {
                "type": "boolean",
                "default": False,
                "x-words": {"false": "", "true": ", and goes on"},
            },
        },
    },
}
AREAS = {
    "title": "Regions",
    "type": "object",
    "maxProperties": 3,
    "propertyNames": {"pattern": "^[a-z_]+$"},
    "additionalProperties": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 1},
    "default": {},
    "x-words": {"{}": "No region is named."},
    "x-row": "The {name} is {value}.",
}
BOARD = {
    "title": "Figure",
    "anyOf": [
        {"type": "string", "enum": ["square", "circle"]},
        {
            "type": "object",
            "required": ["points"],
            "additionalProperties": False,
            "properties": {"points": {"type": "array", "items": {"type": "string"}}},
            "x-row": "The board is drawn: {points}.",
        },
    ],
    "default": "square",
    "x-words": {"square": "The board is a square.", "circle": "The board is a circle."},
}
PROPERTIES = {"takes": CAPTURES, "areas": AREAS, "figure": BOARD}
ROWS = [{"manner": "enclose", "by": "first"}, {"manner": "leap", "numbers": [2, 4], "chained": True}]


@pytest.fixture
def tables(monkeypatch):
    """The points games, with three tables more."""
    points = family("points")
    schema = {**points.schema, "properties": {**points.schema["properties"], **PROPERTIES}}
    monkeypatch.setattr(documents, "family", lambda name: replace(points, schema=schema))
    documents._validators.cache_clear()
    validators = documents._validators.__wrapped__("points")
    monkeypatch.setattr(documents, "_validators", lambda name: validators)
    return POINTS["nerenchi-keliya-ludii"].document


def test_off_tables_and_columns_leave_the_hash_as_it_was(tables):
    plain = parse(tables)
    assert parse({**tables, "takes": [], "areas": {}, "figure": "square"}).hash == plain.hash
    long = parse({**tables, "takes": [{"by": "both", "manner": "leap", "numbers": [4.0, 2], "chained": False}]})
    assert long.document["takes"] == [{"manner": "leap", "numbers": [2, 4]}]
    assert long.hash == parse(long.document).hash != plain.hash


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("takes", [ROWS[1], {"manner": "enclosing"}], ("takes/1/manner", "enclose")),
        ("takes", [{"by": "first"}], ("takes/0/manner", "leap")),
        ("takes", [{"manner": "leap", "numers": [2]}], ("takes/0/numers", "numbers")),
        ("takes", [{"manner": "leap", "numbers": [12]}], ("takes/0/numbers/0", 9)),
        ("takes", [{"manner": "leap"}] * 5, ("takes", None)),
        ("takes", ["leap"], ("takes/0", None)),
        ("takes", "leap", ("takes", [])),
        ("areas", {"castle": [7]}, ("areas/castle/0", None)),
        ("areas", {"castle": []}, ("areas/castle", None)),
        ("areas", {"My castle": ["e5"]}, ("areas", None)),
        ("figure", "sqare", ("figure", "square")),
        ("figure", 4, ("figure", "square")),
        ("figure", {"point": ["a1"]}, ("figure/points", None)),
    ],
)
def test_mistakes_name_row_column_and_nearest(tables, key, value, told):
    with pytest.raises(RulesetProblem) as refused:
        parse({**tables, key: value})
    problem = refused.value.problems[0]
    near = problem.nearest
    assert (problem.key, near) == (told[0], told[1] if told[1] is not None else near)
    assert len(str(problem)) < 300


def test_mistakes_of_a_table_are_bounded():
    assert len(table_problems("takes", [{str(n): 1 for n in range(900)}] * 4, CAPTURES)) <= documents.MOST_TOLD
    assert len(table_problems("takes", [{}] * 100_000, CAPTURES)) == 1


def test_a_row_reads_as_a_sentence():
    assert sentence([], CAPTURES) == "There is no table of captures."
    assert row_sentences("takes", ROWS, CAPTURES) == [
        (("takes", 0), "The first player may enclose pieces."),
        (("takes", 1), "Both players may leap over pieces, 2 or 4 of them, and goes on."),
    ]
    assert sentence(ROWS, CAPTURES).startswith("The first player may enclose pieces. Both")
    assert sentence({"home_row": ["a1", "b1"]}, AREAS) == "The home row is a1, b1."
    assert sentence("circle", BOARD) == "The board is a circle."
    assert sentence({"points": ["a1"]}, BOARD) == "The board is drawn: a1."


@pytest.mark.parametrize("words", ["takes[1].manner", "takes.1.manner", "takes/1/manner"])
def test_a_place_is_typed_in_three_ways(words):
    assert read_place(words) == ("takes", 1, "manner")
    assert write_place(read_place(words)) == "takes[1].manner"


def test_rows_are_counted_as_one_says_it():
    """A table of lots had a 21th row."""
    named = {0: "first", 15: "sixteenth", 16: "17th", 20: "21st", 21: "22nd", 22: "23rd", 110: "111th", 111: "112th"}
    assert {step: ordinal(step) for step in named} == named


def test_places_have_values_and_names():
    assert value_at({"takes": ROWS}, ("takes", 1, "by"), PROPERTIES) == "both"
    with pytest.raises(KeyError):
        value_at({"takes": ROWS}, ("takes", 2, "by"), PROPERTIES)
    assert called(("takes", 1, "by"), PROPERTIES) == "Captures, second row, by whom"
    assert places("takes", ROWS) == [
        ("takes", 0),
        ("takes", 1),
    ]


@pytest.mark.parametrize(
    ("value", "spec", "written"),
    [
        (ROWS, CAPTURES, "manner:enclose,by:first;manner:leap,numbers:2/4,chained:true"),
        ([], CAPTURES, ""),
        ({"castle": ["e5", "d4"]}, AREAS, "castle:e5/d4"),
        ({"points": ["a1-a4 . a6"]}, BOARD, '{"points":["a1-a4 . a6"]}'),
        ("circle", BOARD, "circle"),
        (["a1-a8 b8-b1"], {"type": "array", "items": {"type": "string"}}, '["a1-a8 b8-b1"]'),
    ],
)
def test_a_table_is_written_short_and_read_back(value, spec, written):
    assert write_value(value) == written
    assert read_value(written, spec) == value


def test_a_command_sets_a_column_adds_and_drops_rows(tables):
    base = parse({**tables, "takes": ROWS})

    def after(**changes):
        return with_changes(base, {key.replace("__", "."): words for key, words in changes.items()}).document

    assert after(takes__0__manner="leap")["takes"][0] == {"manner": "leap", "by": "first"}
    assert after(takes__2__manner="leap")["takes"] == [*ROWS, {"manner": "leap"}]
    assert after(takes__0="")["takes"] == ROWS[1:]
    assert after(takes__0__by="")["takes"][0] == {"manner": "enclose"}
    assert after(areas__castle='["e5"]')["areas"] == {"castle": ["e5"]}
    for key, near in (("takes__5__manner", "takes.2"), ("takes__0__maner", "takes/0/manner")):
        with pytest.raises(RulesetProblem) as refused:
            after(**{key: "leap"})
        assert refused.value.problems[0].nearest == near


def test_a_kernel_reads_a_row_as_numbers():
    assert row_as_numbers(ROWS[1], CAPTURES) == [0, 0, 0b10100, 1]
    assert row_as_numbers(ROWS[0], CAPTURES) == [1, 1, 0, 0]
    assert filled(ROWS, CAPTURES)[0] == {"manner": "enclose", "by": "first", "numbers": [], "chained": False}
    assert schemas.as_number({"points": []}, BOARD) == schemas.as_number(ROWS, CAPTURES) == 0
    assert schemas.as_number("circle", BOARD) == 1


def test_a_row_that_never_fires_is_refused():
    why = "never fires unless relay is set"
    found = ineffective_settings(
        [("takes/1", why), ("takes/0/by", why), ("takes/1/by", why)], {"takes": ROWS}, PROPERTIES
    )
    assert list(found) == [("takes/1", f"{why}; leave this row out", None), ("takes/0/by", why, "both")]


def test_a_set_of_rows_has_one_order():
    spec = {**CAPTURES, "uniqueItems": True}
    assert canonical(ROWS, spec) == canonical(ROWS[::-1], spec)


def test_a_family_speaks_of_a_row(tables):
    kind, parameters = documents.family("points"), {"takes": ROWS, "board": "squares_3"}
    assert kind.sentence("takes[0]", parameters) == kind.sentence("takes[0].by", parameters)
    assert kind.sentence("takes[0]", parameters) == "The first player may enclose pieces."
    assert kind.title_of("takes[0].by") == "Captures, first row, by whom"
