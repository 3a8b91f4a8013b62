"""What the marks of a board do to a piece that lands on them, by the rows of `marked`, and where one is safe."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.boards.tracks import LONG_WAY, board_of

AGAIN, SAFE, RETURNS, CLOSED = "again", "safe", "returns", "closed"


@dataclass(frozen=True, slots=True)
class Effects:
    """The squares of a board by what they do.

    safe: nobody is sent back there; again: who lands there throws again; closed: no piece may land there
    leads: square -> the square on which a piece that lands goes on, -1 where it must go back and wait
    """

    safe: frozenset[int]
    again: frozenset[int]
    closed: frozenset[int]
    leads: Mapping[int, int]


def effects(rules: Mapping[str, Any]) -> Effects:
    """Return what the squares do by the rules of a document, which fits its board."""
    board = board_of(rules)
    by_word: dict[str, set[int]] = {word: set() for word in (AGAIN, SAFE, RETURNS, CLOSED)}
    leads = {}
    for row in rules["marked"]:
        for word in row.get("does", ()):
            by_word[word].update(board.marks[row["mark"]])
        if to := row.get("to"):
            leads.update(dict.fromkeys(board.marks[row["mark"]], board.number(to)))
    if rules["safe_squares"]:
        by_word[SAFE].update(number for number, square in enumerate(board.squares) if square.is_marked)
    leads.update(dict.fromkeys(by_word[RETURNS], -1))
    return Effects(frozenset(by_word[SAFE]), frozenset(by_word[AGAIN]), frozenset(by_word[CLOSED]), leads)


def in_place(rules: Mapping[str, Any], seat: int) -> list[int]:
    """Return the steps of a seat on which its pieces stand, in ascending order, when it has won by that; none where
    pieces go home."""
    if not rules["final_marks"]:
        return list(rules["final_steps"])
    board = board_of(rules)
    way = board.tracks[rules["seats"]][seat]
    squares = {square for mark in rules["final_marks"] for square in board.marks.get(mark, ())}
    steps = [step for step, square in enumerate(way, start=1) if square in squares]
    return sorted(steps * (rules["pieces"] // len(steps) if steps else 0))


def ends_in_place(rules: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the parameter by which pieces stand in place in the end, if there is one."""
    return tuple(key for key in ("final_steps", "final_marks") if rules[key])


def is_wide(rules: Mapping[str, Any]) -> bool:
    """Return whether a document has more pieces or squares, or other rules of where they may go, than can be looked up
    for all pieces at once."""
    return (
        rules["pieces"] > FEW_PIECES
        or board_of(rules).steps >= LONG_WAY
        or any(rules[key] for key in WIDE)
        or rules["overshoot_by"] == "hindmost"
        or any(CLOSED in row.get("does", ()) for row in rules["marked"])
    )


FEW_PIECES = 6
# Rules that look at single squares, or at other pieces of the player's own.
WIDE = (
    *("own_on_square", "block_of", "enter_first", "home_field", "plays_most", "taking", "no_passing_own"),
    *("exit_scores", "final_steps", "final_marks"),
)
