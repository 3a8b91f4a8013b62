"""Two engines, one truth: the referee and the kernel play the same games ply by ply, by every ruleset and case.

`make test` plays the rulesets of the day, `make test-all` all of them.
"""

from collections.abc import Callable, Iterator
from copy import copy
from itertools import islice, tee
from typing import Any

import numpy as np
import pytest

from simulator.engine import kernels, playout, referee_playout
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.ruleset import Ruleset
from tests import choice
from tests.engine.cases import CASES
from tests.engine.rulesets import RULESETS

SEED = 20091
FIRST = 5  # the number of the first game: no block begins where the generator does

# Games and their cap, per family: points games are long, and their referee looks at every point of the board.
WHOLE_GAMES = {"sowing": (8, 300), "points": (4, 200), "race": (6, 200)}
PLIES = {"sowing": (4, 300), "points": (3, 200), "race": (4, 200)}


class Games:
    """The referee's games of one ruleset, each played once and only as far as a test reads it."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.number, _ = WHOLE_GAMES[ruleset.family]
        self.played = [tee(referee_playout.plies(ruleset, SEED, FIRST + game), 1)[0] for game in range(self.number)]

    def plies(self, game: int) -> Iterator[referee_playout.Ply]:
        return copy(self.played[game])  # a copy begins where the stored iterator stands: at the beginning

    def row(self, game: int, cap: int, until: str) -> list[int]:
        row: Callable[..., list[int]] = self.ruleset.module("referee.contract").row
        return row(self.plies(game), cap, until)


LARGE = () if choice.ALL else ("go-moku-reference",)  # the referee looks at 225 points


@pytest.fixture(scope="module", params=choice.rulesets_of_the_day([name for name in CASES if name not in LARGE], 5))
def games(request: pytest.FixtureRequest) -> Games:
    return Games(CASES[request.param])


def test_rows_agree(games):
    """The row of every game is the same, to the last integer, for whole games, first rounds and games cut short."""
    ruleset = games.ruleset
    _, most = WHOLE_GAMES[ruleset.family]
    players = ("random",) * family(ruleset.family).seats(ruleset.parameters)
    rounds = [("round", most)] if ruleset.family == "sowing" else []
    for until, cap in (("game", most), *rounds, ("game", 17)):
        compiled = playout.play_block(ruleset, players, SEED, FIRST, games.number, cap, until)
        assert compiled.tolist() == [games.row(game, cap, until) for game in range(games.number)]


def counters(position: Any, taken: list[int]) -> int:
    return sum(position.holes) + sum(position.stores)


def pieces(position: Any, taken: list[int]) -> int:
    """Count the pieces on the board, in hand and taken; those put aside when laying ends leave the hands."""
    return position.count(0) + position.count(1) + sum(taken)


CONSERVED: dict[str, Callable[[Any, list[int]], int]] = {"sowing": counters, "points": pieces}


def test_plies_agree(games):
    """Moves in the same order and the same positions, ply by ply; nothing is lost or gained on the way."""
    ruleset = games.ruleset
    contract, referee = kernels.kernel(ruleset.family).contract, ruleset.module("referee.contract")
    rules = contract.compile_rules(ruleset.parameters)
    position, counts, out, streams = kernels.workspace(contract, rules)
    identity = contract.identity_size(rules)
    conserved = CONSERVED.get(ruleset.family)
    number, most = PLIES[ruleset.family]
    for game in range(number):
        open_streams(streams, SEED, FIRST + game, contract.FIRST_STREAM, contract.LAST_STREAM)
        contract.start(rules, position, streams, counts)
        taken = [0, 0]
        for ply in islice(games.plies(game), most):
            assert tuple(position[:identity]) == ply.before.words()
            assert out[: contract.moves(rules, position, out)].tolist() == referee.moves(ruleset.parameters, ply.before)
            move, options = contract.random_move(rules, position, streams, CHOICE + ply.seat, out)
            assert (move, options) == (ply.move, ply.options)
            held = conserved(ply.before, taken) if conserved else 0
            contract.play(rules, position, move, streams, counts)
            after = ply.played.position
            assert tuple(position[:identity]) == after.words()
            if conserved and not ends_a_laying(ply):
                taken = [sum(pair) for pair in zip(taken, ply.played.taken, strict=True)]
                assert conserved(after, taken) == held


def ends_a_laying(ply: Any) -> bool:
    """Say whether pieces in hand were put aside in this ply."""
    before, after = getattr(ply.before, "hands", []), getattr(ply.played.position, "hands", [])
    return sum(before) - sum(after) > 1


@pytest.mark.parametrize("name", ["puhulmutu-parker", "nerenchi-keliya-parker"])
def test_a_game_is_the_same_in_any_block(name):
    players = ("random", "random")
    whole = playout.play_block(RULESETS[name], players, 7, 0, 60, 500, "game")
    parts = [playout.play_block(RULESETS[name], players, 7, first, 20, 500, "game") for first in (0, 20, 40)]
    assert np.array_equal(whole, np.concatenate(parts))


# Parameters at their only value, or that only bound what no shipped game reaches.
NEVER_SET = {"rows", "lap_limit", "short_handed_below", "short_handed_surplus", "remainder_alone_barred"}


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_some_case_sets_every_parameter(name):
    """The suite reaches every rule of the family: a parameter that no case sets would be tested by nothing."""
    used = {key for ruleset in CASES.values() if ruleset.family == name for key in ruleset.document}
    assert set(family(name).schema["properties"]) - used <= NEVER_SET
