"""The board of a points game's parameters."""

from collections.abc import Mapping
from typing import Any

from simulator.engine.boards.points import BOARDS, Board


def board_of(parameters: Mapping[str, Any]) -> Board:
    """Return the board on which a points game with these parameters is played."""
    return BOARDS[parameters["board"]]
