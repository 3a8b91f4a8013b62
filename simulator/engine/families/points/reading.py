"""How the text of a points game is to be read: the signs and moves that its ruleset can bring, and no others."""

from collections.abc import Iterator, Mapping
from typing import Any

from simulator.engine.boards.points import BOARDS, NOWHERE, Board
from simulator.engine.families.points.roles import pieces

NAMES = {
    "triangle_10": "A point is called by its line from the apex, a letter (a is the left, b the middle, c the right "
    "line), and its rank, a number; the apex is b4."
}
BRACKETS = "In brackets behind a sentence: the parameters of the ruleset that made it happen."


def how_to_read(rules: Mapping[str, Any]) -> str:
    """A paragraph that explains the board in text, the names of its points, and how moves are written."""
    board = BOARDS[rules["board"]]
    place = "square" if board.is_chequered else "point"
    names = f"A {place} is called by its file, a letter, and its rank, a number."
    moves = ", ".join(_moves(rules, board)).replace(" ", " is ", 1)
    blank = ["The squares that are not played on are left blank."] if board.is_chequered else []
    signs = ", ".join(_signs(rules, place))
    return " ".join(["How to read it.", f"{signs}.", *blank, NAMES.get(board.name, names), f"{moves}.", BRACKETS])


def _signs(rules: Mapping[str, Any], place: str) -> Iterator[str]:
    crowns = rules["kings"] != "off"
    if names := pieces(rules):
        yield f"o marks the {names[0]}"
        yield f"x the {names[1]}"
    else:
        yield f"o is a {'man' if crowns else 'piece'} of the first player"
        yield "x of the second player"
    if crowns:
        yield "O and X are their kings"
    if rules["lifted"] == "after_turn":
        yield "* is a piece that is taken and still stands"
    yield f". is a vacant {place}"


def _moves(rules: Mapping[str, Any], board: Board) -> Iterator[str]:
    here, there, beyond = _example(board)
    if any(len(rules[f"{side}_array"]) < rules[f"{side}_pieces"] for side in ("first", "second")):
        yield f"+{here} a piece laid on {here}"
    yield f"{here}-{there} a step from {here} to {there}"
    if rules["captures_by"] != "off":
        yield f"{here}x{beyond} a jump from {here} to {beyond}"
    if any(rules[key].startswith("remove") for key in ("line_laying", "line_moving")):
        yield f"x{here} a piece removed from {here}"
    if "may_go_on" in (rules["chain"], rules["king_chain"]):
        yield "stop the choice not to jump on"
    if rules["huff"]:
        yield f"x{here} a piece huffed on {here}"


def _example(board: Board) -> tuple[str, str, str]:
    """The names of three points of the board in a line."""
    names, towards = board.names, board.towards
    return next(
        (names[here], names[there], names[towards[there][way]])
        for here, neighbours in enumerate(towards)
        for way, there in enumerate(neighbours)
        if there != NOWHERE and towards[there][way] != NOWHERE
    )
