"""Changing a ruleset: what is typed is understood, one change is written in one way, and all that is wrong is told."""

import pytest
from bs4 import BeautifulSoup

from catalogue.pages.what_if import WhatIfForm
from catalogue.what_if.changes import changes, choices, explained, nearest_playable, parameters_of, query, what_if
from catalogue.what_if.rows import folded
from simulator import rulesets
from simulator.engine.documents import parse, read_value, with_changes, write_value
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.ruleset import Ruleset, RulesetProblem
from simulator.engine.schemas import words_of
from tests.builders import RULESET_FILES
from tests.choice import rulesets_of_the_day

FILES = {file.stem: file for file in RULESET_FILES}
RELAY = parameters_of(family("sowing"))["relay"]


def shipped(slug: str) -> Ruleset:
    return rulesets.read_file(FILES[slug]).ruleset


def sent(html: str) -> dict[str, str]:
    """What a browser sends of a form's fields: what is typed, and the choice that is marked."""
    found = {}
    for field in BeautifulSoup(html, "lxml").find_all(["input", "select", "textarea"]):
        if field.name == "textarea":
            found[field["name"].removeprefix("set.")] = field.text.strip()
        elif field.name == "select":
            chosen = field.find("option", selected=True) or field.find("option")
            found[field["name"].removeprefix("set.")] = chosen["value"]
        elif field["type"] != "radio" or field.has_attr("checked"):
            assert field["name"] not in found
            found[field["name"].removeprefix("set.")] = field["value"] if field.has_attr("value") else ""
    return found


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", rulesets_of_the_day(FILES))
def test_a_form_sent_back_as_it_came_changes_nothing(slug):
    parent = shipped(slug)
    form = WhatIfForm(parent, {})
    assert set(form.fields) == set(family(parent.family).schema["properties"]) - {"family"}
    typed = sent("".join(str(form[key]) for key in form.fields))
    typed = folded(typed, parent.parameters, family(parent.family).schema["properties"])
    assert set(typed) == set(form.fields)
    wish = what_if(parent, typed)
    assert wish.values == {}
    assert wish.ruleset.hash == parent.hash


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_every_choice_has_words_of_its_own(name):
    for key, spec in parameters_of(family(name)).items():
        offered = choices(spec)
        assert [value for value, _ in offered] == ["false", "true"] * (spec["type"] == "boolean") + words_of(spec)
        assert all(words.endswith(".") for _, words in offered), key
        assert len({words for _, words in offered}) == len(offered), key


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", ["puhulmutu-parker", "kotu-ellima-dlp", "sokkattan-parker"])
def test_any_one_choice_is_either_played_or_explained(slug):
    parent = shipped(slug)
    specs = parameters_of(family(parent.family))
    for key, spec in specs.items():
        for words in [value for value, _ in choices(spec)] or ["0", "2", "a1", "99999"]:
            wish = what_if(parent, {key: words})
            assert (wish.ruleset is None) == bool(wish.problems), (key, words)
            if wish.ruleset:
                assert (wish.ruleset.hash == parent.hash) == (not wish.values)
            near = nearest_playable(wish)
            if near:
                assert near.ruleset.hash != parent.hash
                assert what_if(parent, near.typed).ruleset == near.ruleset


def test_a_change_has_one_address_however_it_is_typed():
    parent = shipped("puhulmutu-parker")
    first = what_if(parent, {"relay": "next", "capture_making": "4, 6", "holes_per_row": "7"})
    second = what_if(parent, {"capture_making": "[6,4]", "relay": " next".strip()})
    assert query(first.typed) == query(second.typed) == "set.capture_making=4,6&set.relay=next"
    assert first.values == {"capture_making": [4, 6], "relay": "next"}


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ({"type": "integer"}, 12),
        ({"type": "boolean"}, True),
        ({"type": "string"}, "own_hand"),
        ({"type": "array", "items": {"type": "integer"}}, [1, 2]),
        ({"type": "array", "items": {"type": "integer"}}, [2, 1]),
        ({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, ["a1", "b2"]),
        ({"type": "array", "items": {"type": "string"}}, []),
    ],
)
def test_what_is_written_is_read_back(spec, value):
    assert read_value(write_value(value), spec) == value


@pytest.mark.parametrize(
    ("slug", "key", "words", "value"),
    [
        ("pancha-keliya-dlp", "cancel_scores", "", []),
        ("pancha-keliya-dlp", "enter_scores", "5, 1", [1, 5]),
        ("pancha-keliya-dlp", "enter_scores", "[5,1]", [1, 5]),
        ("pancha-keliya-dlp", "pieces", " 2.0 ", 2),
        ("pancha-keliya-dlp", "pieces", "+2", 2),
        ("puhulmutu-parker", "remainder_barred", " ", []),
    ],
)
def test_a_command_and_a_form_take_the_same(slug, key, words, value):
    change = what_if(shipped(slug), {key: words})
    assert change.parameters[key] == value
    assert with_changes(shipped(slug), {key: words}) == change.ruleset


@pytest.mark.parametrize(("key", "words"), [("enter_scores", "[[1]]"), ("pieces", "2.5"), ("pieces", "2e0")])
def test_a_command_and_a_form_refuse_the_same(key, words):
    change = what_if(shipped("pancha-keliya-dlp"), {key: words})
    assert [problem.key for problem in change.problems] == [key]
    with pytest.raises(RulesetProblem) as refused:
        with_changes(shipped("pancha-keliya-dlp"), {key: words})
    assert [problem.key for problem in refused.value.problems] == [key]


def test_a_chance_keeps_its_order_and_a_set_has_none():
    assert what_if(shipped("sokkattan-parker"), {"mouth_chance": "2,3"}).values == {"mouth_chance": [2, 3]}
    assert what_if(shipped("puhulmutu-parker"), {"remainder_barred": "2 1"}).values == {}


def test_unknown_parameters_and_choices_name_the_nearest():
    parent = shipped("puhulmutu-parker")
    with pytest.raises(RulesetProblem) as refused:
        what_if(parent, {"relay": "nexd"})
    assert [(problem.key, problem.nearest) for problem in refused.value.problems] == [("relay", "next")]
    for key in ("rely", "family"):
        with pytest.raises(RulesetProblem):
            what_if(parent, {key: "last"})


def test_mistyped_numbers_and_misfits_are_named_together():
    wish = what_if(shipped("puhulmutu-parker"), {"holes_per_row": "99", "next_round": "off"})
    by_key = {problem.key: problem.nearest for problem in wish.problems}
    assert wish.ruleset is None
    assert by_key["holes_per_row"] == 32
    assert by_key["remainder"] == "kept"
    assert by_key["unfilled_closed"] is False


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [("4,x,6", [4, 6]), ("4,99", [4, 12]), ("4,4", [4]), ("1e3", [12]), ("many", []), ("-1", [2])],
)
def test_a_list_is_mended_as_a_whole(typed, nearest):
    (problem,) = what_if(shipped("puhulmutu-parker"), {"capture_making": typed}).problems
    assert (problem.key, problem.nearest) == ("capture_making", nearest)


def test_a_chance_of_one_number_has_a_nearest_that_can_be_played():
    (problem,) = what_if(shipped("sokkattan-parker"), {"mouth_chance": "3"}).problems
    assert problem.nearest == [1, 2]
    assert "2 parts or more" in problem.message


def test_the_nearest_playable_keeps_the_change():
    parent = shipped("puhulmutu-parker")
    near = nearest_playable(what_if(parent, {"next_round": "off"}))
    assert near.ruleset.parameters["next_round"] == "off"
    without = {key: value for key, value in parent.document.items() if key in near.ruleset.document}
    assert near.ruleset == parse(without)
    assert set(parent.document) - set(without) >= {"next_round", "remainder", "matching", "unfilled_closed"}


def test_no_nearest_is_offered_that_is_the_parent_itself():
    assert nearest_playable(what_if(shipped("kalah-reference"), {"singles_exempt": "first_lap_of_game"})) is None


def test_differences_are_in_words_in_the_order_of_the_schema():
    parent = shipped("puhulmutu-parker")
    wish = what_if(parent, {"relay": "next", "counters_per_hole": "3"})
    by_key = changes(family("sowing"), parent.parameters, wish.parameters)
    assert [(one.key, one.before) for one in by_key] == [
        ("counters_per_hole", "Every hole begins with 4 counters."),
        ("relay", RELAY["x-words"]["last"]),
    ]
    assert [one.after for one in by_key] == ["Every hole begins with 3 counters.", RELAY["x-words"]["next"]]


def test_a_rule_that_can_no_longer_fire_is_said_to_be_none():
    parent = shipped("dam-parker")
    near = nearest_playable(what_if(parent, {"kings": "off"}))
    by_key = {
        change.key: change.after for change in changes(family("points"), parent.parameters, near.ruleset.parameters)
    }
    assert by_key["king_lands"] == by_key["crowning"] == "This does not arise here."


def test_off_values_say_what_is_so_instead():
    specs = parameters_of(family("sowing"))
    offered = {key: dict(choices(specs[key])) for key in ("relay", "must_feed")}
    assert offered["relay"]["off"] == "A sowing ends where its last counter falls; it does not go on from there."
    assert offered["must_feed"]["false"] == "A player need not give counters to an opponent who has none."


def test_messages_use_titles_of_rules_and_words_of_values():
    specs = parameters_of(family("sowing"))
    assert explained('never fires unless relay is "next"', specs) == (
        f"never fires unless “Relay” is “{RELAY['x-words']['next']}”"
    )
    two = explained('never fires unless capture_next is "beyond_empty" or "after_empty"', specs)
    assert all(specs["capture_next"]["x-words"][value] in two for value in ("beyond_empty", "after_empty"))
    assert explained('never fires unless matching is "same" or "deficit"', specs) == (
        "never fires unless “Matching removal” is set"
    )
    assert explained("never fires while capture_making is empty", specs) == (
        "never fires while “Capture by making a number” is empty"
    )
    assert explained("nothing is named", specs) == "nothing is named"
