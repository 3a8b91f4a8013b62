"""What is counted of a race game: the columns of its row, and what a player who does not see the end looks at.

The columns follow the common ones. A feature is counted for a side and weighs something of its own
(`simulator.engine.weights`).
"""

from collections.abc import Mapping
from typing import Any

from simulator.engine.boards.tracks import LONG_WAY, board_of
from simulator.engine.family import COMMON_MEASURES, Measure, by_seat, place_of_count
from simulator.engine.weights import EACH

MEASURES = (
    *COMMON_MEASURES,
    Measure("passes", "Throws nothing of which could be played", "throws", "game"),
    Measure("entries", "Pieces that entered the board", "pieces", "game"),
    *by_seat("sent_back_{}", "Pieces the {} sent back", "pieces", seats=4),
    *by_seat("wait_{}", "Turns of the {} until his first piece stood on the board", "turns", seats=4),
    *by_seat("home_{}", "Pieces the {} brought home", "pieces", seats=4),
)

# Places of a game's counts while it is played. A count that is a column has its name in capitals (`WAIT_0`); those that
# only play needs stand behind the row.
LEAD, ARRIVED, COUNTS = range(len(MEASURES) - 2, len(MEASURES) + 1)


def __getattr__(name: str) -> int:
    return place_of_count(MEASURES, name)


# steps: of all pieces; waiting: pieces not entered; home: pieces that are; rear: the steps of each player's hindmost
# piece; risk: the steps that would be lost on average to one throw of each opposing piece behind; tempo: to throw next;
# spread: the steps from a player's hindmost piece to his foremost, which is the others told once more.
FEATURES = ("steps", "waiting", "home", "rear", "risk", "tempo", "spread")
NOT_FITTED = frozenset({"spread"})
STEPS_OF_PIECE = 5  # as many does a piece count where pieces are taken for good, and nothing else is looked at
# Among weights, beside those of features: whether the features of the others count; and what each step between a
# player's own hindmost and foremost piece weighs, whatever the others', once the foremost is within so many squares of
# home. An advice that speaks of the approach to the goal is told by these.
OTHERS, APART, WITHIN = "others", "apart", "within"


def kind_of_game(parameters: Mapping[str, Any]) -> str:
    """Return the board: tracks differ in length and squares, so that every board has weights of its own.

    Of a board that is drawn nobody has fitted any: steps alone are counted, which every race is about.
    """
    board = parameters["board"]
    return board if isinstance(board, str) else "steps"


def role(parameters: Mapping[str, Any], seat: int) -> str:
    """Return the one role that there is: all players are alike."""
    return EACH


def in_force(parameters: Mapping[str, Any], seat: int) -> frozenset[str]:
    """Return the features that mean something under these rules."""
    if parameters["taking"]:
        return frozenset({"steps"})
    alone, safe = parameters["pieces"] == 1, parameters["sends_back"] == "off"
    # Of a long way nothing is looked up as a set of steps, as risks are.
    safe |= board_of(parameters).steps >= LONG_WAY
    return frozenset(FEATURES) - ({"rear", "spread"} if alone else set()) - ({"risk"} if safe else set())
