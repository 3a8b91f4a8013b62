"""Races of two solved by value iteration: the chance of winning from every position, between two bounds.

A position is looked at before the throw: where the mover's pieces stand, and the other's. Bounds that begin at 0 and 1
and are only ever narrowed enclose the true chance at all times, so that the error is known, and not guessed by how
little the last round changed (interval iteration: Haddad and Monmege, Theoretical Computer Science 735 (2018)).
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simulator.engine import kernels
from simulator.engine.bits import binomials
from simulator.engine.documents import parse
from simulator.engine.families.race.chances import home_of, throws
from simulator.engine.families.race.position import W_PIECES
from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.document import common, cost, line_document
from simulator.engine.solving.graph import bound_loop
from simulator.engine.solving.kernel import throwing
from simulator.engine.solving.kernel.throwing import BEST_AND_BEST, NO_MOVE, POLICIES, narrow

ERROR = 1e-5  # the widest that bounds may be in the end
MOST_ROUNDS = 1_000
AT_ONCE = 50_000  # positions listed between two reports
FILE = "chances.npy"


class NotSettled(Exception):
    """The bounds did not come together."""


def sides(ruleset: Ruleset) -> int:
    """Return the number of ways in which the pieces of one player can stand."""
    pieces = ruleset.parameters["pieces"]
    return math.comb(home_of(ruleset.parameters) + pieces, pieces)


def bytes_needed(ruleset: Ruleset, pieces: int = 0) -> int:
    """Return the bytes of the bounds and moves of all positions, with `pieces` each or, if 0, the ruleset's number."""
    pieces = pieces or ruleset.parameters["pieces"]
    positions = math.comb(home_of(ruleset.parameters) + pieces, pieces) ** 2
    return positions * (16 * POLICIES + 4 * len(throws(ruleset.parameters)) * (pieces + 1))


def what_fits(ruleset: Ruleset, most_bytes: int) -> str:
    """Say in words how many pieces each side may have for the solution to take at most so many bytes."""
    numbers = [
        pieces for pieces in range(1, ruleset.parameters["pieces"]) if bytes_needed(ruleset, pieces) <= most_bytes
    ]
    return f"at most {max(numbers, default=0)} pieces each on this board"


@dataclass(slots=True)
class Expected:
    """The chances of winning a race, by the numbers of its positions.

    chances: float64[positions, policies, 2], see `throwing`; rounds: of narrowing; widest: what the bounds still leave
    """

    ruleset: Ruleset
    chances: np.ndarray
    rounds: int = 0
    widest: float = 1.0

    def number(self, mine: list[int], others: list[int]) -> int:
        """Return the number of the position before a throw, from the steps of the mover's pieces and of the other's."""
        choose = _choose(self.ruleset)
        own, other = (
            # Steps may be equal; with their rank added they are a set, as `throwing` has it.
            sum(int(choose[step + place, place + 1]) for place, step in enumerate(sorted(steps)))
            for steps in (mine, others)
        )
        return own * sides(self.ruleset) + other

    @property
    def start(self) -> int:
        """The number of the position with which the game begins."""
        steps = self.ruleset.parameters["start_steps"]
        pieces = [0] * (self.ruleset.parameters["pieces"] - len(steps)) + list(steps)
        return self.number(pieces, pieces)

    def bounds(self, policy: int) -> tuple[float, float]:
        """Return (lower, upper) bound of the first player's chance at the start."""
        lower, upper = self.chances[self.start, policy]
        return float(lower), float(upper)


@dataclass(slots=True)
class Race:
    """A race ready to list the moves of its positions: compiled rules, and the arrays that the kernel writes into."""

    ruleset: Ruleset
    contract: Any
    rules: Any
    workspace: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def race_of(ruleset: Ruleset) -> Race:
    contract = kernels.kernel(ruleset.family).contract
    rules = contract.compile_rules(ruleset.parameters)
    return Race(ruleset, contract, rules, kernels.workspace(contract, rules))


def solve_expected(ruleset: Ruleset, progress: Callable[[str, int], None] = lambda words, percent: None) -> Expected:
    """Solve a race whose throws can be listed; raises NotListed and NotSettled.

    progress: called now and then with a sentence and a percentage
    """
    chances = throws(ruleset.parameters)
    children = _children(race_of(ruleset), np.array(list(chances), dtype=np.int64), progress)
    weights = np.array([float(chance) for chance in chances.values()])
    solved = Expected(ruleset, _unknown(sides(ruleset)))
    while solved.widest > ERROR:
        if solved.rounds == MOST_ROUNDS:
            raise NotSettled(f"after {MOST_ROUNDS} rounds a chance is still known to within {solved.widest:.1e} only")
        solved.widest = narrow(children, weights, solved.chances, sides(ruleset))
        solved.rounds += 1
        # Bounds close in by a factor a round, so progress is measured on the logarithm of what is left.
        settled = min(99, round(100 * math.log(max(solved.widest, ERROR)) / math.log(ERROR)))
        progress(f"round {solved.rounds}: every chance known to within {solved.widest:.1e}", settled)
    return solved


def seconds_expected(ruleset: Ruleset) -> float:
    """Estimate the seconds of a race from the same race with a single piece each, which is solved twice: once to
    compile.

    The time grows with the number of positions, of moves in each, and of rounds.
    """
    document = {key: value for key, value in ruleset.document.items() if key != "start_steps"}
    single, pieces = parse({**document, "pieces": 1}), int(ruleset.parameters["pieces"])
    solve_expected(single)
    begun = time.perf_counter()
    solve_expected(single)
    # Each position lists about as many moves as there are pieces, and rounds grow with them as well.
    positions: float = (sides(ruleset) / sides(single)) ** 2
    return (time.perf_counter() - begun) * positions * pieces * pieces


def _unknown(sides: int) -> np.ndarray:
    """Return the bounds before anything is known but the ends: a side with all pieces home has won."""
    chances = np.zeros((sides, sides, POLICIES, 2))
    # Sides are numbered with all pieces home last: a mover whose opponent is home has lost, one who is home has won.
    chances[..., 1] = 1.0
    chances[:, -1] = 0.0
    chances[-1, :] = 1.0
    return chances.reshape(sides * sides, POLICIES, 2)


def _choose(ruleset: Ruleset) -> np.ndarray:
    pieces = ruleset.parameters["pieces"]
    choose: np.ndarray = binomials(home_of(ruleset.parameters) + pieces, pieces)
    return choose


def _children(race: Race, kinds: np.ndarray, progress: Callable[[str, int], None]) -> np.ndarray:
    """List what every throw and move of every position leads to; int32[positions, throws, moves]."""
    pieces, positions = race.ruleset.parameters["pieces"], sides(race.ruleset) ** 2
    children = np.full((positions, len(kinds), pieces + 1), NO_MOVE, dtype=np.int32)
    position, counts, out, streams = race.workspace
    places = (children, np.zeros(pieces, dtype=np.int64), position, np.zeros_like(position), streams, counts, out)
    list_children = bound_loop(race.ruleset.family, throwing.list_children)
    for first in range(0, positions, AT_ONCE):
        list_children(race.rules, _choose(race.ruleset), kinds, *places, first, min(positions, first + AT_ONCE))
        progress(f"{first:,} of {positions:,} positions listed", 0)
    return children


def best_moves(race: Race, expected: Expected, identity: tuple[int, ...]) -> list[int]:
    """Return the moves of a running position, its throw being known, after which the mover's chance is greatest."""
    chances = move_chances(race, expected, identity)
    return [move for move, chance in chances.items() if chance >= max(chances.values()) - ERROR]


def move_chances(race: Race, expected: Expected, identity: tuple[int, ...]) -> dict[int, float]:
    """Map each move of a running position to the mover's chance after it, if both sides play their best."""
    position, counts, out, streams = race.workspace
    position[:] = 0
    position[: len(identity)] = identity
    seat, pieces = race.contract.mover(race.rules, position), race.ruleset.parameters["pieces"]
    chances: dict[int, float] = {}
    for move in out[: race.contract.moves(race.rules, position, out)].tolist():
        child = position.copy()
        race.contract.play(race.rules, child, move, streams, counts)
        steps = [child[W_PIECES + side * pieces :][:pieces].tolist() for side in (seat, 1 - seat)]
        # Chances are the mover's: with the other to move they are read from his side and taken from 1.
        own = expected.chances[expected.number(*steps), BEST_AND_BEST].mean()
        after = 1 - expected.chances[expected.number(*steps[::-1]), BEST_AND_BEST].mean()
        chances[move] = float(own if race.contract.mover(race.rules, child) == seat else after)
    return chances


def keep(expected: Expected, folder: Path) -> None:
    """Write the chances to a folder."""
    np.save(folder / FILE, expected.chances)


def opened(ruleset: Ruleset, folder: Path) -> Expected:
    """Open chances that were written; little of them is ever in memory. Raises FileNotFoundError."""
    return Expected(ruleset, np.load(folder / FILE, mmap_mode="r"))


VALUE_ITERATION = "value_iteration"
BEST, RANDOM = "best", "random"
# How the first and the second player play, in the order of the columns of chances.
POLICY_NAMES = ((BEST, BEST), (RANDOM, RANDOM), (BEST, RANDOM), (RANDOM, BEST))


def expected(
    ruleset: Ruleset, progress: Callable[[str, int], None] = lambda words, percent: None
) -> tuple[dict[str, Any], Expected]:
    """Solve a race; returns (the document with time and memory, the chances), see `solve_expected`."""
    begun = time.perf_counter()
    solved = solve_expected(ruleset, progress)
    return {**expected_document(solved), **cost(time.perf_counter() - begun)}, solved


def expected_document(solved: Expected) -> dict[str, Any]:
    """Return the document of a race: the first player's chances between bounds, no forced win, and no first moves,
    which depend on the throw."""
    bounds = [solved.bounds(policy) for policy in range(len(POLICY_NAMES))]
    return {
        "method": VALUE_ITERATION,
        **common(solved.ruleset),
        "start": {"mover": 0, "value": None, "plies": None},
        "first_moves": [],
        "line": line_document(solved.ruleset, [], []),
        "chances": [
            {"first": first, "second": second, "lower": lower, "upper": upper}
            for (first, second), (lower, upper) in zip(POLICY_NAMES, bounds, strict=True)
        ],
        "widest": solved.widest,
        "rounds": solved.rounds,
        "positions": {"numbered": sides(solved.ruleset) ** 2},
        "table_bytes": bytes_needed(solved.ruleset),
    }
