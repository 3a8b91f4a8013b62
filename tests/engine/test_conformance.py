"""Two engines, one truth: the referee and the kernel play the same games ply by ply, on every shipped ruleset."""

from collections.abc import Callable, Iterator
from copy import copy
from importlib import import_module
from itertools import tee
from typing import Any

import numpy as np
import pytest

from simulator.engine import kernels, playout, referee_playout
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.ruleset import Ruleset
from tests.engine.cases import CASES
from tests.engine.rulesets import RULESETS

SEED = 20091


def random_players(ruleset: Ruleset) -> tuple[str, ...]:
    return ("random",) * family(ruleset.family).seats(ruleset.parameters)


# Games and their cap, per family: points games are long, and their referee looks at every point of the board.
# `make test-all` plays MORE times as many.
WHOLE_GAMES = {"sowing": (8, 300), "points": (4, 200), "race": (6, 200)}
PLIES = {"sowing": (4, 300), "points": (3, 200), "race": (4, 200)}
MORE = 10
FIRST = 5  # the number of the first game: no block begins where the generator does


class Games:
    """The referee's games of one ruleset, each played once and as far as somebody looks, however often it is read."""

    def __init__(self, ruleset: Ruleset, more: int = 1) -> None:
        self.ruleset = ruleset
        self.number = more * WHOLE_GAMES[ruleset.family][0]
        self.played = [tee(referee_playout.plies(ruleset, SEED, FIRST + game), 1)[0] for game in range(self.number)]

    def plies(self, game: int) -> Iterator[referee_playout.Ply]:
        return copy(self.played[game])  # a copy begins where the one that is kept stands: at the beginning

    def row(self, game: int, cap: int, until: str) -> list[int]:
        row: Callable[..., list[int]] = import_module(
            f"simulator.engine.families.{self.ruleset.family}.referee.row"
        ).row
        return row(self.plies(game), cap, until)


@pytest.fixture(scope="module", params=CASES)
def games(request: pytest.FixtureRequest) -> Games:
    """Every case in turn: what is asked of one is asked while its games are at hand."""
    return Games(CASES[request.param])


def test_rows_agree(games):
    """The row of every game is the same, to the last integer, for whole games, first rounds and games cut short."""
    ruleset = games.ruleset
    _, most = WHOLE_GAMES[ruleset.family]
    rounds = [("round", most)] if ruleset.family == "sowing" else []
    for until, cap in (("game", most), *rounds, ("game", 17)):
        compiled = playout.play_block(ruleset, random_players(ruleset), SEED, FIRST, games.number, cap, until)
        assert compiled.tolist() == [games.row(game, cap, until) for game in range(games.number)]


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
def test_rows_agree_in_many_games(name):
    test_rows_agree(Games(CASES[name], MORE))


def counters(position: Any, taken: list[int]) -> int:
    return sum(position.holes) + sum(position.stores)


def pieces(position: Any, taken: list[int]) -> int:
    """Pieces on the board, in hand and taken; those put aside when laying ends are gone with their hands."""
    return position.count(0) + position.count(1) + sum(taken)


CONSERVED: dict[str, Callable[[Any, list[int]], int]] = {"sowing": counters, "points": pieces}


def test_plies_agree(games):
    """Moves in the same order and the same positions, ply by ply; nothing is lost or found on the way."""
    ruleset = games.ruleset
    contract = kernels.kernel(ruleset.family).contract
    referee = import_module(f"simulator.engine.families.{ruleset.family}.referee.contract")
    rules = contract.compile_rules(ruleset.parameters)
    position, counts, out, streams = kernels.workspace(contract, rules)
    identity = contract.identity_size(rules)
    conserved = CONSERVED.get(ruleset.family)
    several, most = PLIES[ruleset.family]
    for game in range(several):
        open_streams(streams, SEED, FIRST + game, contract.FIRST_STREAM, contract.LAST_STREAM)
        contract.start(rules, position, streams, counts)
        taken = [0, 0]
        for number, ply in enumerate(games.plies(game)):
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
            if number > most:
                break


def ends_a_laying(ply: Any) -> bool:
    """Whether pieces in hand were put aside in this ply."""
    before, after = getattr(ply.before, "hands", []), getattr(ply.played.position, "hands", [])
    return sum(before) - sum(after) > 1


def test_a_block_is_part_of_a_larger_one():
    """Game g is the same whichever block it is in."""
    for name in ("puhulmutu-parker", "nerenchi-keliya-parker"):
        whole = playout.play_block(RULESETS[name], ("random",) * 2, 7, 0, 60, 500, "game")
        parts = [
            playout.play_block(RULESETS[name], ("random",) * 2, 7, first, 20, 500, "game") for first in (0, 20, 40)
        ]
        assert np.array_equal(whole, np.concatenate(parts))


# Parameters at their only value, or that only bound what no shipped game reaches.
NEVER_SET = {"rows", "lap_limit", "short_handed_below", "short_handed_surplus", "remainder_alone_barred"}


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_every_parameter_is_off_its_off_value_somewhere(name):
    """The suite reaches every rule of the family: a parameter nobody sets would be tested by nothing."""
    used = {key for ruleset in CASES.values() if ruleset.family == name for key in ruleset.document}
    assert set(family(name).schema["properties"]) - used <= NEVER_SET
