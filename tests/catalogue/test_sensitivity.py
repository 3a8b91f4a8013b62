"""Combining answers: what cannot fire is dropped, equal documents are one cell, the impossible is counted."""

import json
from pathlib import Path

import pytest

from catalogue.analyses.factorial import MOST_CELLS, FactorLevel, factor_of, problems, space, without_inactive
from simulator.engine.documents import parse
from simulator.engine.family import family
from tests.choice import of_the_day, rulesets_of_the_day
from tests.engine.rulesets import FOLDER, RULESETS

APPARATUS = Path(FOLDER).parent / "apparatus"
DARAMUTI = RULESETS["daramuti-parker"]


def questions_of(game, *slugs):
    """The questions of a shipped game that can be varied, in its order; all of them, or those named."""
    questions = json.loads((APPARATUS / f"{game}.json").read_text(encoding="utf-8"))["questions"]
    found = [
        factor_of(
            question["slug"],
            [FactorLevel(a["slug"], a["values"], 1.0) for a in question["answers"] if a["values"] is not None],
        )
        for question in questions
        if not slugs or question["slug"] in slugs
    ]
    return [one for one in found if one]


def answered(found, questions, combination):
    """question -> its answer, or None where it does not arise"""
    return {
        one.slug: one.levels[level].slug if arises else None
        for one, level, arises in zip(questions, combination.levels, combination.arises, strict=True)
    }


OPPOSITE = questions_of("daramuti", "last-counter-in-an-empty-hole", "opposite-puta", "capturing-counter")


def test_questions_of_a_rule_that_is_off_do_not_arise():
    """3 × 2 × 2 combinations: 4 with each of the two ways of capturing, and one cell for the 4 with none."""
    found = space(DARAMUTI, OPPOSITE, seed=1)
    assert (found.size, len(found.combinations), len(found.cells), found.is_complete) == (12, 12, 9, True)
    for one in found.combinations:
        given = answered(found, OPPOSITE, one)
        captures = given["last-counter-in-an-empty-hole"] != "nothing"
        assert (given["opposite-puta"] is not None) == captures
        assert (given["capturing-counter"] is not None) == captures
        parameters = found.cells[one.cell].parameters
        assert (parameters["capture_opposite"] != "off") == captures
        if not captures:
            assert not parameters["capture_opposite_barred"]
            assert not parameters["capture_opposite_own_counter"]
    assert [round(combination.weight * 12, 9) for combination in found.combinations] == [1.0] * 12
    assert len({combination.cell for combination in found.combinations if not combination.arises[1]}) == 1


def test_a_value_that_all_answers_share_is_a_condition():
    """The questions of the opposite hole all say that it is captured from either side; only the first decides that."""
    assert [one.decides for one in OPPOSITE] == [
        ("capture_opposite",),
        ("capture_opposite_barred",),
        ("capture_opposite_own_counter",),
    ]
    own = [one for one in space(DARAMUTI, OPPOSITE, 1).cells if one.parameters["capture_opposite"] == "own"]
    assert len(own) == 4
    base = without_inactive(DARAMUTI, {"capture_opposite": "off"})
    alone = space(base, OPPOSITE[1:2], seed=1)
    assert {cell.parameters["capture_opposite"] for cell in alone.cells} == {"either"}
    assert all(combination.arises == (True,) for combination in alone.combinations)


def test_what_cannot_fire_is_dropped_down_to_the_last():
    """Without further rounds nothing of their layout, their part holes or the holes they bar can fire."""
    plain = without_inactive(DARAMUTI, {"next_round": "off"})
    assert not {key for key in plain.document if key.startswith(("remainder", "matching", "layout", "short", "barred"))}
    assert plain.document["capture_making"] == [4]


def test_impossible_combinations_are_left_out_and_counted():
    """Where every hole begins with one counter, nobody could ever move if only larger holes might be played."""
    singles = factor_of(
        "singles",
        [FactorLevel("off", {"singles": "off"}, 1), FactorLevel("larger", {"singles": "larger_throughout"}, 1)],
    )
    counters = factor_of("counters", [FactorLevel(f"{n}", {"counters_per_hole": n}, 1) for n in (1, 4)])
    base = parse({"family": "sowing", "holes_per_row": 6, "counters_per_hole": 4})
    found = space(base, [singles, counters], seed=1)
    assert (found.size, len(found.cells)) == (4, 3)
    assert sum(found.left_out.values()) == 1
    assert next(iter(found.left_out)).startswith("singles: no player could ever move")
    assert sum(combination.weight for combination in found.combinations) == pytest.approx(1)


def test_weights_multiply_and_weight_0_leaves_an_answer_out():
    pair = [
        factor_of(
            "a",
            [FactorLevel("x", {"round_end": "mover_stuck"}, 3), FactorLevel("y", {"round_end": "either_row_empty"}, 1)],
        ),
        factor_of("b", [FactorLevel("x", {"stuck": "round_ends"}, 1), FactorLevel("y", {"stuck": "passes"}, 1)]),
    ]
    found = space(DARAMUTI, pair, seed=1)
    assert [round(combination.weight, 9) for combination in found.combinations] == [0.375, 0.375, 0.125, 0.125]
    left = [FactorLevel("x", {"stuck": "round_ends"}, 1), FactorLevel("y", {"stuck": "passes"}, 0)]
    assert factor_of("b", left) is None


def test_two_questions_that_decide_one_parameter_are_refused():
    one = factor_of("one", [FactorLevel("x", {"stuck": "round_ends"}, 1), FactorLevel("y", {"stuck": "passes"}, 1)])
    other = factor_of("other", [FactorLevel("x", {"stuck": "round_ends"}, 1), FactorLevel("y", {"stuck": "passes"}, 1)])
    assert [problem.message for problem in problems([one, other], DARAMUTI)] == [
        "one and other both decide stuck: only one of them can be varied"
    ]
    strange = factor_of("one", [FactorLevel("x", {"stuck": "maybe"}, 1), FactorLevel("y", {"stuk": "passes"}, 1)])
    assert len(problems([strange], DARAMUTI)) == 2


PATHS = {path.stem: path for path in sorted(APPARATUS.glob("*.json"))}


@pytest.mark.parametrize("game", of_the_day(PATHS, 2))
def test_every_shipped_game_can_be_studied(game):
    """Its questions fit together, every level of every question comes, and no document comes twice."""
    base = RULESETS[next(iter(json.loads(PATHS[game].read_text(encoding="utf-8"))["readings"]))]
    questions = questions_of(game)
    assert not problems(questions, base)
    found = space(base, questions, seed=1)
    assert len(found.combinations) == MOST_CELLS or found.is_complete
    assert len({cell.hash for cell in found.cells}) == len(found.cells) <= MOST_CELLS
    for place, one in enumerate(questions):
        assert {row.levels[place] for row in found.combinations} == set(range(len(one.levels)))


@pytest.mark.parametrize("slug", rulesets_of_the_day(RULESETS, of_each=4))
def test_what_never_fires_is_refused_whatever_its_value(slug):
    """`inactive` and `problems` speak of the same keys, and a key's own value does not decide whether it can fire."""
    ruleset = RULESETS[slug]
    found = family(ruleset.family)
    specs = found.schema["properties"]
    idle = found.inactive(ruleset.parameters)
    assert not [key for key in idle if ruleset.parameters[key] != specs[key]["default"]]
    for key in idle:
        other = another_value(specs[key])
        changed = {**ruleset.parameters, key: other}
        assert key in found.inactive(changed), key
        assert key in [problem[0] for problem in found.problems(changed)], key


@pytest.mark.parametrize("slug", [slug for slug, ruleset in RULESETS.items() if ruleset.family == "sowing"])
def test_ones_and_twos_are_mixed_only_where_both_may_be_laid(slug):
    parameters = RULESETS[slug].parameters
    fires = "short_handed_mixed" in family("sowing").active(parameters)
    assert fires == (parameters["short_handed"] == [1, 2])


def another_value(spec):
    """A valid value that is not the off value."""
    if "anyOf" in spec:  # a word or a table
        spec = next({**spec, **one} for one in spec["anyOf"] if "enum" in one)
    if "enum" in spec:
        return spec["enum"][-1]
    if spec["type"] == "boolean":
        return not spec["default"]
    if spec["type"] == "integer":
        return spec["maximum"] if spec["default"] != spec["maximum"] else spec["minimum"]
    if spec["type"] == "object":
        return {"named": another_value({"default": None, **spec["additionalProperties"]})}
    if spec["items"].get("type") == "object":  # a table: a row that says one thing
        name, column = next(iter(spec["items"]["properties"].items()))
        return [{name: column["enum"][-1] if "enum" in column else another_value({"default": None, **column})}]
    item = spec["items"].get("maximum", "a1")
    other = [item] * max(spec.get("minItems", 1), 1)
    return other if other != spec["default"] else [spec["items"]["minimum"]]
