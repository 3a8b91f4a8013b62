"""The published schema: every key is described, has an off value and its words; the kernel's names point at it."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from simulator.engine import kernels, schemas
from simulator.engine.documents import parse
from simulator.engine.families.sowing import parameters
from simulator.engine.families.sowing.kernel import compiling, rules
from simulator.engine.family import FAMILY_NAMES, family
from tests.engine.rulesets import RULESETS, SOWING

PROPERTIES = parameters.PROPERTIES


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_schema_is_valid_and_closed(name):
    schema = family(name).schema
    Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    assert schema["required"][0] == "family"


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_every_key_is_described_and_has_its_off_value(name):
    """A description is a sentence or more; a key has an off value unless it is required; that of words is the first."""
    schema = family(name).schema
    for key, spec in schema["properties"].items():
        assert re.fullmatch(r"[A-Z][^.]*[^.\s]", spec["title"]), key
        assert re.fullmatch(r"[A-Z].*\.", spec["description"]), key
        assert ("default" in spec) == (key not in schema["required"]), key
        if "default" in spec:
            Draft202012Validator(spec).validate(spec["default"])
            assert spec["default"] == spec.get("enum", [spec["default"]])[0], key  # the kernel's 0


def test_the_rules_of_oware_in_words():
    lines = {key: sentence for key, _, sentence in family("sowing").words(SOWING["oware-reference"])}
    assert lines["capture_making"] == "A last counter that makes 2 or 3 captures them."
    assert lines["holes_per_row"] == "Each row has 6 holes."
    assert lines["grand_slam"] == "A move that would capture every counter of the opponent's row captures nothing."


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_kernels_find_each_parameter_at_its_place(name):
    """An array of rules begins with the parameters: a word as its place among the words, a flag as 0 or 1."""
    constants = schemas.constants(name)
    ruleset = next(ruleset for ruleset in RULESETS.values() if ruleset.family == name)
    compiled = kernels.kernel(name).contract.compile_rules(ruleset.parameters)
    array = compiled[0] if isinstance(compiled, tuple) else compiled
    parameters = {key: value for key, value in ruleset.parameters.items() if key != "family"}
    for key, value in parameters.items():
        if isinstance(value, str):
            assert array[constants[f"R_{key.upper()}"]] == constants[f"{key}_{value}".upper()], key
        elif not isinstance(value, list | dict):
            assert array[constants[f"R_{key.upper()}"]] == value, key
    assert {name for name in constants if name.startswith("R_")} == {f"R_{key.upper()}" for key in parameters}


def test_kernels_have_the_numbers_of_the_schema():
    assert (rules.R_ROWS, rules.R_HOLES_PER_ROW, rules.RELAY_OPPOSITE) == (0, 1, 3)
    with pytest.raises(AttributeError, match="the schema of the sowing family has nothing that is called R_NOTHING"):
        _ = rules.R_NOTHING


def test_the_words_of_a_key_are_compiled_to_their_places():
    kalah = parse(SOWING["kalah-reference"].document).parameters
    for key in (key for key, spec in PROPERTIES.items() if "enum" in spec):
        for place, value in enumerate(PROPERTIES[key]["enum"]):
            assert compiling.compile_rules({**kalah, key: value})[rules.KEYS.index(key)] == place, (key, value)


def test_a_list_is_compiled_to_a_set_of_bits():
    compiled = compiling.compile_rules(SOWING["oware-reference"].parameters)
    assert compiled[rules.R_CAPTURE_MAKING] == 1 << 2 | 1 << 3


def test_schema_is_a_file_of_its_own():
    path = Path(parameters.__file__).parents[2] / "schemas" / "sowing.json"
    assert json.loads(path.read_text(encoding="utf-8")) == family("sowing").schema
