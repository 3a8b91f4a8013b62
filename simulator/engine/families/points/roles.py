"""Who is who in a points game, and what its sources call its pieces."""

from collections.abc import Mapping
from typing import Any

HUNT, ALIGNMENT = ("hunter", "herd"), ("aligner", "blocker")
# What makes a board, and what the pieces of a hunt on it are called in the sources.
BOARD = ("board", "first_pieces", "second_pieces")
PIECES = {
    ("alquerque_triangles", 2, 24): ("leopards", "cattle"),
    ("triangle_10", 1, 7): ("tiger", "leopards"),
    ("chequered_12", 1, 6): ("leopard", "cattle"),
}


def roles(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """What the seats are: hunter and herd where one side only captures or is to be passed, aligner and blocker where
    one side's rows win and the other's do not; empty where both are after the same."""
    if parameters["captures_by"] == "first" or parameters["line_passed"] != "off":
        return HUNT
    if parameters["captures_by"] == "second":
        return HUNT[::-1]
    if "win" in (parameters["line_laying"], parameters["line_moving"]) and parameters["line_by"] != "both":
        return ALIGNMENT if parameters["line_by"] == "first" else ALIGNMENT[::-1]
    return ()


def pieces(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """What the pieces of a recorded hunt are called, by seat; empty in every other game."""
    return PIECES.get(tuple(parameters[key] for key in BOARD), ()) if roles(parameters) == HUNT else ()


def owners(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """What the players of a recorded hunt are called in a replay: "owner of the leopards", as Parker has it."""
    return tuple(f"owner of the {name}" for name in pieces(parameters))
