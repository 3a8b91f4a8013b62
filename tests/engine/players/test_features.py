"""The compiled evaluations count what is said of them: one feature at a time, against plain Python."""

from importlib import import_module
from itertools import islice

import numpy as np
import pytest

from simulator.engine import kernels, referee_playout
from simulator.engine.family import family
from tests import choice
from tests.engine.cases import CASES
from tests.engine.players import plain_features

POSITIONS, APART = 4, 23  # of a game, and so many plies from one to the next


def ahead(ruleset, counted, seat, name) -> int:
    """How far a side is ahead in one feature, as the words of `worth` have it. counted: what each seat has of it"""
    teams = ruleset.family == "race" and ruleset.parameters["teams"] == "opposite"
    own = sum(has[name] for other, has in enumerate(counted) if other == seat or (teams and other == seat ^ 2))
    others = sum(has[name] for has in counted) - own
    return own * (1 if teams else len(counted) - 1) - others


def counted_of(ruleset, module, position) -> list[dict[str, int]]:
    """What each seat has of every feature; nothing of those that are not in force for it."""
    found = []
    for seat in range(family(ruleset.family).seats(ruleset.parameters)):
        in_force = module.in_force(ruleset.parameters, seat)
        has = plain_features.features(ruleset, position, seat)
        found.append({name: has[name] * (name in in_force) for name in module.FEATURES})
    return found


@pytest.mark.by_turns
@pytest.mark.parametrize("name", choice.rulesets_of_the_day(CASES, 3))
def test_each_feature_is_counted_as_in_plain_python(name):
    ruleset = CASES[name]
    contract = kernels.kernel(ruleset.family).contract
    module = import_module(f"simulator.engine.families.{ruleset.family}.measures")
    units = {
        feature: contract.compile_rules(ruleset.parameters, lambda kind, role, feature=feature: {feature: 1})
        for feature in module.FEATURES
    }
    words = np.zeros(contract.position_size(units["tempo"]), dtype=np.int64)
    for ply in islice(referee_playout.plies(ruleset, 3, 1), 0, POSITIONS * APART, APART):
        position = ply.played.position
        identity = position.words()
        words[:] = 0
        words[: len(identity)] = identity
        counted = counted_of(ruleset, module, position)
        for feature, rules in units.items():
            for seat in range(len(counted)):
                expected = ahead(ruleset, counted, seat, feature)
                assert contract.evaluate(rules, words, seat) == expected, (feature, seat, position)
