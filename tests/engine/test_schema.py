"""The published schema: every key is described, has an off value and its words; the kernel's names point at it."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from simulator.engine.documents import parse
from simulator.engine.families.sowing import parameters
from simulator.engine.families.sowing.kernel import compiling, rules
from simulator.engine.family import FAMILY_NAMES, family
from tests.engine.rulesets import SOWING

PROPERTIES = parameters.PROPERTIES
REQUIRED = {"family", "holes_per_row", "counters_per_hole"}
OPTIONAL = [key for key in PROPERTIES if key not in REQUIRED]


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_schema_is_valid_and_closed(name):
    schema = family(name).schema
    Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    assert schema["required"][0] == "family"
    assert not [key for key in schema["required"] if "default" in schema["properties"][key]]


@pytest.mark.parametrize("key", PROPERTIES)
def test_every_key_is_titled_and_described(key):
    """A description is a sentence or more: it begins with a capital letter and ends with a full stop."""
    spec = PROPERTIES[key]
    assert re.fullmatch(r"[A-Z][^.]*[^.\s]", spec["title"])
    assert re.fullmatch(r"[A-Z].*\.", spec["description"])


@pytest.mark.parametrize("key", OPTIONAL)
def test_every_optional_key_has_a_valid_off_value(key):
    spec = PROPERTIES[key]
    Draft202012Validator(spec).validate(spec["default"])
    if "enum" in spec:
        assert spec["default"] == spec["enum"][0]  # the kernel's 0


def test_required_keys_have_no_off_value():
    assert not [key for key in REQUIRED if "default" in PROPERTIES[key]]


def test_the_rules_of_oware_in_words():
    lines = {key: sentence for key, _, sentence in family("sowing").words(SOWING["oware-reference"])}
    assert lines["capture_making"] == "A last counter that makes 2 or 3 captures them."
    assert lines["holes_per_row"] == "Each row has 6 holes."
    assert lines["grand_slam"] == "A move that would capture every counter of the opponent's row captures nothing."


def names(prefix):
    return [name for name in vars(rules) if name.startswith(prefix) and isinstance(getattr(rules, name), int)]


def test_kernel_names_stand_in_the_order_of_the_schema():
    """R_ names are places in the array of parameters: all of them, once, and each beside a key it resembles."""
    found = names("R_")
    assert [getattr(rules, name) for name in found] == list(range(len(PROPERTIES) - 1))
    assert list(compiling.KEYS) == [key for key in PROPERTIES if key != "family"]


# R_ name -> the key it stands for. Written here a second time, so that a key moved in the schema is noticed.
MEANT = """
ROWS rows · ROW holes_per_row · FULL counters_per_hole · DIRECTION direction · STORE_SOWN store_sown
STORE_AGAIN store_again · FIRST_END first_move_from_end · ENDS_EMPTY ends_empty · SINGLES singles
SINGLES_EXEMPT singles_exempt · SINGLES_BELOW singles_below · MUST_FEED must_feed · RELAY relay
LAST_EMPTY_ENDS last_empty_ends · LAP_LIMIT lap_limit · ORIGIN_PASSED origin_passed · PASS_OVER pass_over
PASS_JUDGED pass_over_judged · PASS_NEVER_MARKED pass_over_never_marked · PASS_FULL pass_over_full
MAKING capture_making · MAKING_SIDE capture_making_side · MAKING_RUN capture_making_run
GRAND_SLAM grand_slam · MAKING_THEN capture_making_then · TIED_ENDS tied_ends · TIES_KEPT ties_kept
OPPOSITE capture_opposite · OPPOSITE_OWN capture_opposite_own_counter
OPPOSITE_BARRED capture_opposite_barred · NEXT capture_next · NEXT_HOLES capture_next_holes
BARRED_LAST barred_last · BARRED_NEXT barred_next · BARRED_IN_CHAIN barred_in_chain · BLIND_NEXT blind_next
ROUND_END round_end · STUCK stuck · IDLE idle_turns · MEMORY repetition_memory · MAJORITY majority_ends
NEXT_ROUND next_round · RUINED ruined_below · EQUAL equal_round · STARTER round_starter
EQUAL_STARTER equal_starter · LAYOUT_FROM layout_from · LAYOUT_TURN layout_turn · REST remainder
REST_ROUND remainder_from_round · REST_BARRED remainder_barred · REST_ALONE remainder_alone_barred
MATCHING matching · MATCHING_HOLE matching_hole · MATCHING_ALONE matching_alone
MATCHING_BARRED matching_barred · CLOSED unfilled_closed · SHORT short_handed · SHORT_BELOW short_handed_below
SHORT_SURPLUS short_handed_surplus · SHORT_MIXED short_handed_mixed · SHORT_HOLES short_handed_holes
SHORT_BOTH short_handed_passes_both · SHORT_USUAL short_handed_passes_usual · SHORT_THEN short_handed_then
LOAN loan · LOAN_WHEN loan_when · EN_PASSANT en_passant · EN_PASSANT_WHEN en_passant_when · PALM palm
PART_HOLE part_hole_to_richer · BEGINS_WITH begins_with
"""


def test_every_kernel_name_stands_for_its_key():
    meant = dict(pair.split() for line in MEANT.strip().splitlines() for pair in line.split(" · "))
    assert {name[2:]: compiling.KEYS[getattr(rules, name)] for name in names("R_")} == meant


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("CHOSEN_ONCE", "direction", "chosen_once"),
        ("EACH_TURN", "direction", "each_turn"),
        ("EACH_PLAYER", "first_move_from_end", "each_player"),
        ("EACH_ROUND", "first_move_from_end", "each_player_each_round"),
        ("OPENER", "first_move_from_end", "opener"),
        ("LAST_ALONE", "singles", "last_hole_alone"),
        ("WITHOUT_LARGER", "singles", "only_without_larger"),
        ("THROUGHOUT", "singles", "larger_throughout"),
        ("EXEMPT_GAME", "singles_exempt", "first_lap_of_game"),
        ("RELAY_LAST", "relay", "last"),
        ("RELAY_NEXT", "relay", "next"),
        ("RELAY_OPPOSITE", "relay", "opposite"),
        ("THEN_END", "capture_making_then", "end"),
        ("THEN_NEXT", "capture_making_then", "next"),
        ("THEN_NEXT_UNLESS_END", "capture_making_then", "next_unless_end_hole"),
        ("SHORT_THEN_END", "short_handed_then", "end"),
        ("EITHER", "capture_opposite", "either"),
        ("OWN", "capture_opposite", "own"),
        ("BEYOND_EMPTY", "capture_next", "beyond_empty"),
        ("OPPOSITE_EMPTY", "capture_next", "opposite_empty"),
        ("AFTER_EMPTY", "capture_next", "after_empty"),
        ("LAST_ENDS", "barred_last", "ends"),
        ("LAST_AS_EMPTY", "barred_last", "as_empty"),
        ("NEXT_ENDS", "barred_next", "ends"),
        ("NEXT_AFTER_EMPTY", "barred_next", "empty_after_empty"),
        ("NEXT_EMPTY", "barred_next", "empty"),
        ("CHAIN_ABSENT", "barred_in_chain", "absent"),
        ("CHAIN_ENDS", "barred_in_chain", "ends"),
        ("BLIND_EMPTY", "blind_next", "empty"),
        ("ROW_EMPTY", "round_end", "either_row_empty"),
        ("BOARD_EMPTY", "round_end", "board_empty"),
        ("EQUAL_DRAW", "equal_round", "draw"),
        ("EQUAL_OPTIONAL", "equal_round", "optional"),
        ("ALTERNATE", "round_starter", "alternate"),
        ("SECOND_SEAT", "equal_starter", "second_seat"),
        ("FROM_LEFT", "layout_from", "left"),
        ("CHOSEN", "layout_from", "chosen"),
        ("SOME_EMPTY", "short_handed_holes", "some_empty"),
        ("REST_NEXT", "remainder", "next"),
        ("REST_FIRST", "remainder", "first"),
        ("SAME", "matching", "same"),
        ("DEFICIT", "matching", "deficit"),
        ("BY_BORROWING", "loan", "borrow"),
        ("BY_SHIFTING", "loan", "shift"),
        ("OWN_NUMBER", "en_passant", "own_number"),
        ("OTHER_NUMBER", "en_passant", "other_number"),
        ("AFTER_SOWING", "en_passant_when", "after_sowing"),
        ("FROM_HAND", "palm", "from_hand"),
        ("FROM_PILE", "palm", "from_pile"),
    ],
)
def test_kernel_values_are_the_places_of_the_schemas_words(name, key, value):
    assert getattr(rules, name) == PROPERTIES[key]["enum"].index(value)


@pytest.mark.parametrize("key", [key for key in OPTIONAL if "enum" in PROPERTIES[key]])
def test_the_words_of_a_key_are_compiled_to_their_places(key):
    for place, value in enumerate(PROPERTIES[key]["enum"]):
        compiled = compiling.compile_rules({**parse(SOWING["kalah-reference"].document).parameters, key: value})
        assert compiled[compiling.KEYS.index(key)] == place


def test_a_list_is_compiled_to_a_set_of_bits():
    compiled = compiling.compile_rules(SOWING["oware-reference"].parameters)
    assert compiled[rules.R_MAKING] == 1 << 2 | 1 << 3


def test_schema_is_a_file_of_its_own():
    path = Path(parameters.__file__).parents[2] / "schemas" / "sowing.json"
    assert json.loads(path.read_text(encoding="utf-8")) == family("sowing").schema
