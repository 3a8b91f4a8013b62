"""The way over a board: where a piece of a seat stands at each step, and where the steps with a rule of their own lie.

Tracks of different seats cross, so that whether two pieces meet is a question about squares, not about steps.
"""

from dataclasses import dataclass
from functools import cache

from simulator.engine.boards.race import BOARDS
from simulator.engine.families.race.position import Rules

WAITING_SQUARES = 3  # at the bar


@dataclass(frozen=True, slots=True)
class Course:
    """The tracks of one ruleset.

    tracks:   tracks[seat][step] -> square; step 0 (off the board) and home are no square (-1)
    marked:   for each square whether the board marks it
    home:     the step of a piece that is home
    home_row: the first step of the home row; `home` if the board has none
    barred:   the first step behind the bar before the home row, if there is one
    corner:   the partner's step on the left inner corner of one's own arm (crosses only, else 0)
    past_bar: the partner's first step beyond the squares on which one's own pieces wait (crosses only, else 0)
    """

    tracks: tuple[tuple[int, ...], ...]
    marked: tuple[bool, ...]
    home: int
    home_row: int
    barred: int
    corner: int
    past_bar: int

    @property
    def waits_at(self) -> range:
        """Steps on which a piece waits before the bar."""
        return range(self.barred - WAITING_SQUARES, self.barred)

    def treads_again(self, seat: int, step: int) -> bool:
        """Whether a seat's step is a square that it has trodden before."""
        return self.tracks[seat][step] in self.tracks[seat][1:step]

    def as_partner(self, step: int) -> int:
        """The partner's step on the square that is one's own step `step` of the outer way."""
        return step - self.barred + self.past_bar


@cache
def _course(board_name: str, seats: int, goal: str, bar_squares: str) -> Course:
    board = BOARDS[board_name]
    home = board.steps + (goal == "beyond_last")
    home_row = board.steps - board.home_row + 1 if board.home_row else home
    tracks = tuple((-1, *track[: home - 1], -1) for track in board.tracks[seats])
    marked = tuple(square.is_marked for square in board.squares)
    barred = home_row + (bar_squares == "with_row_end")
    past_bar = barred - board.opposite_lag if board.opposite_lag else 0
    corner = home_row - board.opposite_lag - board.home_row if board.opposite_lag else 0
    return Course(tracks, marked, home, home_row, barred, corner, past_bar)


def course(rules: Rules) -> Course:
    """The course of a ruleset's parameters."""
    return _course(rules["board"], rules["seats"], rules["goal"], rules["bar_squares"])
