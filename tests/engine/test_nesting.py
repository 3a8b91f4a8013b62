"""What lies too deep in itself is refused by name before anything compares it, however deep it lies."""

import pytest

from catalogue.claims.checking import problems
from simulator.engine.documents import parse, with_changes
from simulator.engine.ruleset import RulesetProblem
from simulator.engine.schema_errors import MOST_NESTED, is_too_deep, schema_errors
from tests.engine.rulesets import RULESETS

DAM = RULESETS["dam-parker"]


def lists(depth: int) -> list:
    found: list = [1]
    for _ in range(depth - 1):
        found = [found]
    return found


def test_lists_and_objects_are_counted_alike():
    assert not is_too_deep(1, 0)
    assert not is_too_deep([1, {"a": 2}], 2)
    assert is_too_deep([1, {"a": 2}], 1)
    assert is_too_deep({"a": ({"b": []},)}, 3)
    assert (is_too_deep(lists(MOST_NESTED)), is_too_deep(lists(MOST_NESTED + 1))) == (False, True)


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 500, 100_000])
def test_a_ruleset_that_lies_too_deep_is_refused(depth):
    for key in ("first_array", "family", "no_such_key"):
        with pytest.raises(RulesetProblem, match=f"{key}: is nested too deeply: at most {MOST_NESTED}"):
            parse({**DAM.document, key: [lists(depth), lists(depth)]})


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 500, 100_000])
def test_brackets_within_brackets_are_no_list(depth):
    words = "[" * depth + "]" * depth
    with pytest.raises(RulesetProblem, match="first_array: "):
        with_changes(DAM, {"first_array": words})


def test_neither_a_claim_nor_a_file_lies_too_deep():
    deep = lists(500)
    assert problems({"kind": "share", "figures": [deep, deep]}, {}) == [
        f"a test is nested too deeply: at most {MOST_NESTED} lists and objects in each other"
    ]
    assert schema_errors({"a": deep}, {"properties": {"a": {"uniqueItems": True}}}) == [
        f"the document is nested too deeply: at most {MOST_NESTED} lists and objects in each other"
    ]
