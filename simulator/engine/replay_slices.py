"""A replayed game in slices of turns, as pages show it: what each turn was, its text, what it changed on the board.

A long game is shown a slice at a time. Of the board a slice has one drawing, as it stood before its first turn; a turn
has only the places that look otherwise after it than before (`board_sheet` says what a place is).
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from simulator.engine.board_sheet import insides, redrawn, words
from simulator.engine.family import family
from simulator.engine.replay import Replay, Turn, turn_document, turn_text

SLICE = 50  # turns
BEFORE = "The board before the first move"


def slices(game: Replay) -> list[dict[str, Any]]:
    """The whole game; a game without turns has one slice without any."""
    return [slice_of(game, number) for number in range(max(1, -(-len(game.turns) // SLICE)))]


def slice_number(turn: int) -> int:
    """The slice that holds a turn; that of the first turn also shows the start, turn 0."""
    return max(0, turn - 1) // SLICE


def turn_summary(game: Replay, turn: Turn) -> dict[str, Any]:
    """A turn without its board."""
    return {**turn_document(game, turn), "text": list(turn_text(game, turn))}


def slice_of(game: Replay, number: int) -> dict[str, Any]:
    """`{"first", "board", "turns": […]}` of slice `number`, from 0. A turn is its document (see `replay`) and

    text:  its lines for readers
    board: title and description of the drawing after it, and the insides of the places that have changed
    """
    first = number * SLICE
    shown = game.turns[first : first + SLICE]
    board = _drawing(game, game.turns[first - 1]) if first else _first_drawing(game)
    return {"first": first + 1, "board": board, "turns": list(_turns(game, shown, board))}


def _turns(game: Replay, turns: tuple[Turn, ...], board: str) -> Iterator[dict[str, Any]]:
    before = insides(board)
    for turn in turns:
        svg = _drawing(game, turn)
        after = insides(svg)
        title, description = words(svg)
        places = {name: inside for name, inside in after.items() if inside != before[name]}
        yield {
            **turn_summary(game, turn),
            "board": {"title": title, "description": description, "places": places},
        }
        before = after


def _first_drawing(game: Replay) -> str:
    if not game.turns:
        return family(game.ruleset.family).draw_start(game.ruleset)
    return family(game.ruleset.family).draw(game.ruleset, game.turns[0].plies[0].before, BEFORE, ())


def _drawing(game: Replay, turn: Turn) -> str:
    """The board after a turn, with brackets round what the turn touched."""
    places = game.ruleset.module("places")
    touched = chain.from_iterable(places.touched(game.ruleset.parameters, ply) for ply in turn.plies)
    title = f"The board after turn {turn.number}"
    return family(game.ruleset.family).draw(game.ruleset, turn.plies[-1].played.position, title, set(touched))


def board_after(part: dict[str, Any], turn: int) -> str:
    """The drawing after a turn of a slice; `turn` may be the one before its first."""
    board = str(part["board"])
    for one in part["turns"][: turn - part["first"] + 1]:
        change = one["board"]
        board = redrawn(board, change["title"], change["description"], change["places"])
    return board
