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


def ahead(ruleset, module, position, seat, name) -> int:
    """How far a side is ahead in one feature, as the words of `worth` have it."""
    rules, own, others = ruleset.parameters, 0, 0
    seats = family(ruleset.family).seats(rules)
    teams = ruleset.family == "race" and rules["teams"] == "opposite"
    for other in range(seats):
        counted = plain_features.features(ruleset, position, other)[name]
        counted *= name in module.in_force(rules, other)
        if other == seat or (teams and other == seat ^ 2):
            own += counted
        else:
            others += counted
    return own * (1 if teams else seats - 1) - others


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
        for feature, rules in units.items():
            for seat in range(family(ruleset.family).seats(ruleset.parameters)):
                expected = ahead(ruleset, module, position, seat, feature)
                assert contract.evaluate(rules, words, seat) == expected, (feature, seat, position)
