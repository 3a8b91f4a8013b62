"""Traffic counted by the compiled loops, recomputed from the referee's games in plain Python, by every case."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from simulator.engine import playout, referee_playout
from simulator.engine.channels import Layout
from simulator.engine.documents import parse
from simulator.engine.ends import UNFINISHED
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.engine.traffic import BLOCKS, SCALE, Sums, TrafficProblem, merged
from tests import choice
from tests.engine.cases import CASES
from tests.engine.test_candidates import candidate

COUNTED = [name for name, ruleset in CASES.items() if family(ruleset.family).traffic(ruleset.parameters).cells]
LARGE = () if choice.ALL else ("go-moku-reference",)
GAMES, CAP, SEED = 3, 120, 7


def layout_of(ruleset: Ruleset) -> Layout:
    return family(ruleset.family).traffic(ruleset.parameters)


def recomputed(ruleset: Ruleset, rows: np.ndarray, moves: list[Any] | None = None) -> Sums:
    """The same from the referee: moves, if any, are those of each game."""
    layout, plain = layout_of(ruleset), import_module(f"simulator.engine.families.{ruleset.family}.traffic")
    sums = Sums.none(layout.cells)
    for game, row in enumerate(rows):
        plies = referee_playout.plies(ruleset, SEED, game, moves=None if moves is None else moves[game])
        counted = plain.of_game(ruleset.parameters, plies, CAP)
        sums.add(game, counted, layout.kinds, stopped=row[0] == UNFINISHED)
    return sums


def assert_equal(one: Sums, other: Sums) -> None:
    for name in ("games", "counts", "shares"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def play(ruleset: Ruleset, players: tuple[str, ...], first: int = 0, games: int = GAMES) -> tuple[Sums, np.ndarray]:
    sums = Sums.none(layout_of(ruleset).cells)
    return sums, playout.play_block(ruleset, players, SEED, first, games, CAP, "game", traffic=sums)


def random_players(ruleset: Ruleset) -> tuple[str, ...]:
    return ("random",) * family(ruleset.family).seats(ruleset.parameters)


@pytest.mark.parametrize("name", choice.rulesets_of_the_day([name for name in COUNTED if name not in LARGE], 3))
def test_traffic_is_that_of_the_referees_games(name: str) -> None:
    ruleset = CASES[name]
    sums, rows = play(ruleset, random_players(ruleset))
    plain = playout.play_block(ruleset, random_players(ruleset), SEED, 0, GAMES, CAP, "game")
    assert np.array_equal(rows, plain)
    assert_equal(sums, recomputed(ruleset, rows))


@pytest.mark.parametrize("name", ["nerenchi-keliya-parker", "asi-keliya-dlp", "kalah-reference"])
def test_games_of_players_who_search_leave_theirs(name: str) -> None:
    from simulator.engine.players import search

    ruleset = CASES[name]
    players = ("greedy",) * family(ruleset.family).seats(ruleset.parameters)
    sums, rows = play(ruleset, players, games=2)
    assert np.array_equal(rows, playout.play_block(ruleset, players, SEED, 0, 2, CAP, "game"))
    moves = [search.list_moves(ruleset, players, SEED, game, CAP, "game")[0] for game in range(2)]
    assert_equal(sums, recomputed(ruleset, rows, moves))


@pytest.mark.parametrize("name", ["nerenchi-keliya-parker", "asi-keliya-dlp"])
def test_parts_of_a_batch_make_the_whole(name: str) -> None:
    ruleset = CASES[name]
    whole, _ = play(ruleset, random_players(ruleset), games=300)
    parts = [play(ruleset, random_players(ruleset), *part)[0] for part in ((200, 100), (0, 7), (7, 193))]
    together = merged(parts)
    assert_equal(whole, together)
    assert (whole.packed(), whole.hexdigest()) == (together.packed(), together.hexdigest())
    assert_equal(Sums.unpacked(whole.packed(), layout_of(ruleset).cells), whole)
    with pytest.raises(TrafficProblem, match="traffic of 3 cells was expected"):
        Sums.unpacked(whole.packed(), 3)
    assert whole.games.sum() == 300
    assert (whole.games.sum(axis=0) > 0).sum() == BLOCKS


def test_a_game_weighs_one() -> None:
    """Of each kind of use that a game has at all the shares add up to one, but for what rounding leaves."""
    ruleset = candidate("haretavl-no-extension-joined-diagonal")
    layout = layout_of(ruleset)
    sums, rows = play(ruleset, ("random", "random"), games=50)
    for key in ("occupied", "last"):
        shares = sum(sums.shares[..., cells].sum() for cells in layout.cells_of(key))
        assert shares == pytest.approx(50 * SCALE, abs=50 * layout.cells)
    assert sums.counts[:, layout.cells_of("last")[0]].sum() + sums.counts[:, layout.cells_of("last")[1]].sum() == 50
    none_moved = 50 * SCALE - sum(sums.shares[..., cells].sum() for cells in layout.cells_of("lines"))
    assert round(none_moved / SCALE, 2) == round(none_moved / SCALE) == 4  # over before anybody had moved
    assert sums.games[1].sum() == np.sum(rows[:, 0] == UNFINISHED)


# Two pieces on a square of four points, drawn as one closed line: a1 b1 b2 a2.
ROUND: dict[str, Any] = {
    "family": "points",
    "board": {"points": {"p": [0, 0], "q": [1, 0], "r": [1, 1], "s": [0, 1]}, "lines": ["p q r s p"]},
    "first_pieces": 1, "second_pieces": 1, "first_array": ["p"], "second_array": ["r"],
}  # fmt: skip


def test_a_game_by_hand() -> None:
    """a1-b1, then the second player's piece goes b2-a2, and the first's b1-a1: three turns."""
    from simulator.engine.families.points import position as code
    from simulator.engine.families.points.traffic import of_game

    ruleset = parse(ROUND)
    layout = layout_of(ruleset)
    assert layout.lines == (("a1", "b1"), ("a1", "a2"), ("b1", "b2"), ("a2", "b2"))
    moves = [code.step(4, 0, 1), code.step(4, 3, 2), code.step(4, 1, 0)]
    cells = np.array(of_game(ruleset.parameters, referee_playout.plies(ruleset, 1, 0, moves=moves), 9))
    found = {(one.key, one.seat): cells[layout.cells_of(one.key, one.seat)[0]].tolist() for one in layout.channels}
    assert (found["lines", 0], found["lines", 1]) == ([2, 0, 0, 0], [0, 0, 0, 1])
    assert (found["entered", 0], found["left", 0]) == ([1, 1, 0, 0], [1, 1, 0, 0])
    assert (found["occupied", 0], found["occupied", 1]) == ([1, 2, 0, 0], [0, 0, 2, 1])
    assert (found["last", 0], found["last", 1]) == ([1, 0, 0, 0], [0, 0, 0, 0])
    assert found["laid", 0] == found["taken", 1] == [0, 0, 0, 0]


def test_a_sowing_turn_by_hand() -> None:
    """Kalah, c> of the start: four counters into d, e, f and the store; then a> sows four into b, c, d and e."""
    from simulator.engine.families.sowing.traffic import of_game

    ruleset = CASES["kalah-reference"]
    layout = layout_of(ruleset)
    cells = np.array(of_game(ruleset.parameters, referee_playout.plies(ruleset, 1, 0, moves=[4, 0]), 9))
    found = {(one.key, one.seat): cells[layout.cells_of(one.key, one.seat)[0]].tolist() for one in layout.channels}
    assert found["dropped", 0] == [0, 1, 1, 2, 2, 1] + [0] * 6
    assert (found["last", 0], found["taken", 0]) == ([0, 0, 0, 0, 1] + [0] * 7, [0] * 12)
    assert found["begun", 0] == [1, 0, 1] + [0] * 9
    assert sum(found["dropped", 1]) == sum(found["begun", 1]) == 0
