"""Kalah and Oware against OpenSpiel, which plays them in C++ written by others: every ply of thousands of games.

OpenSpiel's Kalah numbers pits 1–6 and store 7 for the first player, pits 8–13 and store 0 for the second; its Oware
numbers houses 0–5 for both, the first player's row first, and gives a board as shares of all 48 seeds.
"""

from collections.abc import Callable

import pyspiel
import pytest

from simulator.engine.ends import DRAW, WIN
from tests.engine.agreement import Words, results_met
from tests.engine.rulesets import RULESETS

GAMES, SEED = 500, 41  # the proof plays thousands
HOLES, STORES, MOVER, END, WINNERS = slice(16, 28), slice(3, 5), 1, 14, 15  # words of a position


def kalah_board(state) -> tuple[list[int], list[int]]:
    """(twelve pits anticlockwise from the first player's leftmost, two stores)."""
    board = [int(number) for number in state.observation_tensor(0)[:14]]
    return board[1:7] + board[8:14], [board[7], board[0]]


def oware_board(state) -> tuple[list[int], list[int]]:
    board = [round(share * 48) for share in state.observation_tensor(0)]
    return board[:12], board[12:]


def kalah_action(seat: int, hole: int) -> int:
    return hole + (8 if seat else 1)


def oware_action(seat: int, hole: int) -> int:
    return hole


class Oracle:
    """OpenSpiel's side of one game."""

    def __init__(self, game: str, board: Callable, action: Callable[[int, int], int]) -> None:
        self.game = pyspiel.load_game(game)
        self.board, self.action = board, action

    def check(self, state, words: Words) -> None:
        """The same counters in the same holes and stores, the same end and result, the same player to move."""
        holes, stores = self.board(state)
        assert state.is_terminal() == (words[END] >= 0)
        if state.is_terminal():
            # Neither says where the last counters lie: what counts is who owns how many.
            owned = [stores[seat] + sum(holes[6 * seat : 6 * seat + 6]) for seat in (0, 1)]
            assert list(words[STORES]) == owned
            self.check_result(state, words)
        else:
            assert (list(words[HOLES]), list(words[STORES])) == (holes, stores)
            assert words[MOVER] == state.current_player()

    def check_result(self, state, words: Words) -> None:
        expected = {(1.0, -1.0): (WIN, 1), (-1.0, 1.0): (WIN, 2), (0.0, 0.0): (DRAW, 0)}[tuple(state.returns())]
        assert (words[END], words[WINNERS]) == expected

    def play(self, state, words: Words, moves: list[int], move: int) -> None:
        seat = words[MOVER]
        assert sorted(self.action(seat, option // 2) for option in moves) == state.legal_actions()
        state.apply_action(self.action(seat, move // 2))


ORACLES = {
    "kalah-reference": Oracle("mancala", kalah_board, kalah_action),
    "oware-reference": Oracle("oware", oware_board, oware_action),
}


def every_ply_agrees(name: str, games: int) -> set[float]:
    """The results of the first player that were met in random games on both sides."""
    return results_met(ORACLES[name], RULESETS[name], games, SEED, MOVER, END)


@pytest.mark.by_turns
@pytest.mark.parametrize("name", ORACLES)
def test_the_kernel_plays_as_openspiel_does(name):
    assert every_ply_agrees(name, GAMES) == {-1.0, 0.0, 1.0}  # all three results have been met
