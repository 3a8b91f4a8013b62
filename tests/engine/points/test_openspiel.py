"""Nine men's morris and English draughts against OpenSpiel, which plays them in C++ written by others: every ply.

OpenSpiel numbers the points of the morris board from the upper left, row by row: p deploys on a point or removes from
it, 24 + 24 * from + to moves. Its checkers writes an action as the squares it leaves and reaches. In checkers a
fortieth turn without a capture is a draw even if the next player cannot move, which we judge first; no game below comes
to that. It crowns a man that takes the last opposing piece, we end the game first: boards are compared while it runs.
"""

from collections.abc import Callable
from functools import cache

import pyspiel
import pytest

from simulator.engine import referee_playout
from simulator.engine.boards.points import BOARDS
from simulator.engine.ends import DRAW, WIN
from simulator.engine.families.points.position import FROM, REMOVE_MOVE, STEP, W_END, W_HAND, W_MOVER, W_SETS
from tests.engine.agreement import Words, results_met
from tests.engine.points.positions import written
from tests.engine.rulesets import RULESETS

REFEREE_GAMES, SEED = 20, 43
GAMES = {"nine-mens-morris-reference": 300, "english-draughts-reference": 200}  # the proof plays thousands
WINNERS = W_SETS - 1
MORRIS, DRAUGHTS = "nine-mens-morris-reference", "english-draughts-reference"
NO_LINES = str.maketrans("", "", "-| \n")


def read_downwards(board: str) -> list[int]:
    """The points of a board as they are read on a page: from the upper left."""
    points = BOARDS[board].points
    return sorted(range(len(points)), key=lambda number: (-points[number].y, points[number].x))


MORRIS_POINTS = read_downwards("squares_3")
MORRIS_PLACES = {point: place for place, point in enumerate(MORRIS_POINTS)}
DARK_SQUARES = read_downwards("chequered_8")


@cache
def morris_action(move: int) -> int:
    if move >= STEP:
        origin, to = divmod(move - STEP, FROM)
        return 24 + 24 * MORRIS_PLACES[origin] + MORRIS_PLACES[to]
    return MORRIS_PLACES[move - REMOVE_MOVE if move >= REMOVE_MOVE else move]


@cache
def draughts_action(move: int) -> str:
    return written(RULESETS[DRAUGHTS].parameters, move).replace("-", "").replace("x", "")


def morris_actions(state) -> dict[int, int]:
    return {action: action for action in state.legal_actions()}


def draughts_actions(state) -> dict[str, int]:
    return {state.action_to_string(action): action for action in state.legal_actions()}


def morris_board(words: Words) -> tuple[str, str]:
    """The page of a position, as OpenSpiel writes it without its lines, and the men still to deploy."""
    return page(words, MORRIS_POINTS, "WB"), f"{words[W_HAND]} {words[W_HAND + 1]}"


def morris_board_of(state) -> tuple[str, str]:
    drawn, _, rest = str(state).partition("Current")
    return drawn.translate(NO_LINES), rest.partition("deploy: ")[2].partition("\n")[0].strip()


def draughts_board(words: Words) -> str:
    return page(words, DARK_SQUARES, "o+8*")


def draughts_board_of(state) -> str:
    rows = [line[1:] for line in str(state).splitlines() if line[0] in "12345678"]
    return "".join(row[file] for place, row in enumerate(rows) for file in range(8) if (place + file) % 2)


def page(words: Words, points: list[int], signs: str) -> str:
    """What stands on these points; signs of the first and the second player's men, then of their kings."""
    standing = ["."] * len(points)
    for which, sign in enumerate(signs):
        pieces = words[W_SETS + which]
        for point in range(pieces.bit_length()):
            if pieces >> point & 1:
                assert standing[point] == "."
                standing[point] = sign
    return "".join([standing[point] for point in points])


class Oracle:
    """OpenSpiel's side of one game."""

    def __init__(self, game: str, action: Callable, actions: Callable, board: Callable, board_of: Callable) -> None:
        self.game = pyspiel.load_game(game)
        self.action, self.actions, self.board, self.board_of = action, actions, board, board_of

    def check(self, state, words: Words) -> None:
        """The same pieces on the same points, the same end and result, the same player to move."""
        assert state.is_terminal() == (words[W_END] >= 0)
        if state.is_terminal():
            expected = {(1.0, -1.0): (WIN, 1), (-1.0, 1.0): (WIN, 2), (0.0, 0.0): (DRAW, 0)}[tuple(state.returns())]
            assert (words[W_END], words[WINNERS]) == expected
        else:
            assert words[W_MOVER] == state.current_player()
            assert self.board_of(state) == self.board(words)

    def play(self, state, words: Words, moves: list[int], move: int) -> None:
        legal = self.actions(state)
        assert {self.action(option) for option in moves} == legal.keys()
        state.apply_action(legal[self.action(move)])


ORACLES = {
    MORRIS: Oracle("nine_mens_morris", morris_action, morris_actions, morris_board, morris_board_of),
    DRAUGHTS: Oracle("checkers", draughts_action, draughts_actions, draughts_board, draughts_board_of),
}


def every_ply_agrees(name: str, games: int) -> set[float]:
    """The results of the first player that were met in random games on both sides."""
    return results_met(ORACLES[name], RULESETS[name], games, SEED, W_MOVER, W_END)


@pytest.mark.by_turns
@pytest.mark.parametrize("name", ORACLES)
def test_the_kernel_plays_as_openspiel_does(name):
    assert every_ply_agrees(name, GAMES[name]) == {-1.0, 0.0, 1.0}  # all three results have been met


@pytest.mark.by_turns
@pytest.mark.parametrize("name", ORACLES)
def test_the_referee_plays_as_openspiel_does(name):
    oracle, ruleset = ORACLES[name], RULESETS[name]
    for game in range(REFEREE_GAMES):
        state = oracle.game.new_initial_state()
        for ply in referee_playout.plies(ruleset, SEED, game):
            oracle.check(state, ply.before.words())
            legal = oracle.actions(state)
            assert ply.options == len(legal)
            state.apply_action(legal[oracle.action(ply.move)])
            oracle.check(state, ply.played.position.words())
