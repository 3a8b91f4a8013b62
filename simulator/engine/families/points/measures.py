"""What is counted of a points game: the columns of its row, and what a player who does not see the end looks at.

The columns follow the common ones. A feature is counted for a player and weighs something of its own
(`simulator.engine.weights`), in a hunt for the few and for the many. A feature that depends on a rule is left out where
there is no such rule.
"""

from collections.abc import Mapping
from typing import Any

from simulator.engine.family import COMMON_MEASURES, Measure, by_seat, place_of_count
from simulator.engine.weights import EACH

COURSE = (10, 20, 50, 100, 200, 500, 1000)  # after so many turns the pieces taken so far are written down

MEASURES = (
    *COMMON_MEASURES,
    *by_seat("taken_{}", "Pieces taken by the {}", "pieces"),
    *by_seat("options_{}", "Options of the {}", "options", "mobility"),
    *by_seat("decisions_{}", "Decisions of the {}", "decisions", "mobility"),
    Measure("first_capture_ended", "A piece was taken", "code", "code"),
    Measure("first_capture_winner", "Taker of the first piece", "code", "code"),
    Measure("first_capture_turns", "Turn of the first capture", "turns", "first_capture"),
    Measure("first_row_ended", "A row of three was formed", "code", "code", since=2),
    Measure("first_row_winner", "Owner of the first row of three", "code", "code", since=2),
    Measure("first_row_turns", "Turn of the first row of three", "turns", "first_row", since=2),
    Measure("first_moved_ended", "The piece that moved first was taken", "code", "code", since=2),
    Measure("first_moved_winner", "Taker of the piece that moved first", "code", "code", since=2),
    Measure("first_moved_turns", "Turn in which the piece that moved first was taken", "turns", "first_moved", since=2),
    *(
        measure
        for turns in COURSE
        for measure in by_seat(
            f"taken_{{}}_at_{turns}", f"Pieces taken by the {{}} after {turns} turns", "pieces", "course"
        )
    ),
)

# Places of a game's counts while it is played. A count that is a column has its name in capitals (`TAKEN_0`);
# those that only play needs stand behind the row.
LEAD, MOVED_TO, COUNTS = range(len(MEASURES) - 2, len(MEASURES) + 1)
# MOVED_TO: 1 + the point of the piece that moved first; 0 before the first move, -1 once it is taken


def __getattr__(name: str) -> int:
    return place_of_count(MEASURES, name)


# men: on the board and in hand, beyond those at the start; kings; room: vacant points a step away from a piece, each as
# often as there are pieces it lies beside; shut_in: pieces without one; reach: vacant points that men can come to by
# any number of steps; jumps: captures of what stands beside, to the player to move and to the other; rows: of three;
# open_twos: rows of which two points are held and the third is vacant; advance: ranks that men stand from the player's
# side; back_rank: men on the points where the opponent's are crowned; tempo: to be the player to move; places: pieces
# on points that a policy names.
FEATURES = (
    *("men", "kings", "room", "shut_in", "reach", "jumps_to_move", "jumps_to_wait", "rows", "open_twos"),
    *("advance", "back_rank", "tempo", "places"),
)
NOT_FITTED = frozenset({"places"})
ON = "on "  # and a point: a weight of this name says that it is one of the places, and what they weigh
FEWER, MORE = "fewer", "more"


def kind_of_game(parameters: Mapping[str, Any]) -> str:
    """Name the kind of game, which has weights of its own: who wins by a row, by what else, and whether kings fly."""
    if "win" in (parameters["line_laying"], parameters["line_moving"]):
        return "first row"
    if parameters["line_laying"] != "off" or parameters["line_moving"] != "off":
        return "rows"
    if parameters["first_pieces"] != parameters["second_pieces"]:
        takes = parameters["captures_by"] != "off" or isinstance(parameters["captures"], list)
        return "hunt" if takes else "crossing"
    return {"off": "war", "short": "draughts", "flying": "draughts with flying kings"}[parameters["kings"]]


def role(parameters: Mapping[str, Any], seat: int) -> str:
    """Return whether a player has fewer pieces than the other, or more, or as many."""
    numbers = [parameters["first_pieces"], parameters["second_pieces"]]
    own, other = numbers[seat], numbers[1 - seat]
    return EACH if own == other else FEWER if own < other else MORE


def in_force(parameters: Mapping[str, Any], seat: int) -> frozenset[str]:
    """Return the features that mean something for a player under these rules."""
    has_kings, is_hunter = parameters["kings"] != "off", role(parameters, seat) == FEWER
    side = ("first", "second")[seat]
    takes = parameters["captures_by"] in ("both", side)
    has_rows = kind_of_game(parameters) in ("rows", "first row") and parameters["line_by"] in ("both", side)
    goes_forward = parameters[f"{side}_steps"].startswith("forward")
    present = {
        "kings": has_kings,
        "reach": is_hunter,
        "jumps_to_move": takes,
        "jumps_to_wait": takes,
        "rows": has_rows,
        "open_twos": has_rows,
        "advance": has_kings or goes_forward or kind_of_game(parameters) == "crossing",
        "back_rank": has_kings,
    }
    return frozenset(name for name in FEATURES if present.get(name, True))
