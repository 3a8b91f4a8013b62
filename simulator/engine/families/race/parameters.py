"""The parameters of the race family, and what a document may not combine: inactive rules, games that cannot be played.

Every problem names the key, the reason and the nearest valid value.
"""

from collections.abc import Iterator
from math import gcd

from simulator.engine.boards.race import BOARDS
from simulator.engine.families.race.position import HAND
from simulator.engine.families.race.referee.throws import every_throw, kinds, named_score, plain_scores, throws_again
from simulator.engine.family import Impossible, Inactive, Need, Rules, ineffective_settings, unmet_needs
from simulator.engine.schemas import schema

SCHEMA = schema("race")
PROPERTIES = SCHEMA["properties"]


# key -> (the key it needs, the values of it that let it fire); None: any value but the off value.
NEEDS: dict[str, Need] = {
    "mouth_chance": ("cowries", None),
    "scores": ("cowries", None),
    "finished_player": ("teams", ("opposite",)),
    "die_faces": ("dice", None),
    "face_weights": ("dice", None),
    "named_mouths": ("cowries", None),
    "named_faces": ("dice", None),
    "again_doubles": ("dice", (2,)),
    "cancel_after": ("cancel_scores", None),
    "cancel_same": ("cancel_scores", None),
    "cancelled": ("cancel_scores", None),
    "extra_spent": ("extra_scores", None),
    "enter_scores": ("entry", ("by_score",)),
    "named_enters": ("entry", ("by_score",)),
    "first_enter_scores": ("entry", ("by_score",)),
    "entry_spends": ("entry", ("by_score",)),
    "enter_double": ("entry", ("by_double",)),
    "pairs_apart": ("pairs_reenter", None),
    "safe_squares": ("sends_back", ("landing", "landing_or_passing")),
    "safe_meeting": ("safe_squares", None),
    "leaving_shared": ("safe_meeting", ("shared",)),
    "exit_doubles": ("dice", (2,)),
    "exit_alone": ("division", ("free",)),
    "bar_squares": ("partner_bar", None),
}
AGAIN = ("again_scores", "again_doubles", "named_again")
NAMED = ("named_score", "named_ones", "named_again", "named_enters")
OF_SERIES = ("series_limit", "series_played", "cancel_scores")


def problems(rules: Rules) -> Iterator[Impossible]:
    """Yield everything that does not fit together."""
    yield from ineffective_settings(_without_needed(rules), rules, PROPERTIES)
    yield from _seats(rules)
    yield from _pieces(rules)
    yield from _safe_squares(rules)
    lots = list(_lots(rules))
    yield from lots
    if not lots:
        yield from ineffective_settings(_without_throws(rules), rules, PROPERTIES)
        yield from _scores(rules)
        yield from _series(rules)
        yield from _division(rules)
        yield from _entry(rules)


def inactive_rules(rules: Rules) -> Iterator[Inactive]:
    """Yield every key that never fires while the others are as they are, whatever its own value, and why."""
    yield from _without_needed(rules)
    yield from _without_throws(rules)


def _without_needed(rules: Rules) -> Iterator[Inactive]:
    yield from unmet_needs(NEEDS.items(), rules, PROPERTIES, written=str)
    if not (rules["safe_squares"] and rules["no_passing"] and rules["named_ones"]):
        yield "leaving_shared", "needs safe squares, no passing, and a named throw that is played in ones"
    if rules["seats"] != 4:
        yield "teams", "partners sit opposite each other: seats must be 4"
    board = BOARDS[rules["board"]]
    if not board.home_row:
        yield "home_row_ones", "the tracks of this board have no home row"
    if not any(square.is_marked for square in board.squares):
        yield "safe_squares", "this board has no marked squares"
    if not (board.opposite_lag and rules["teams"] == "opposite"):
        yield "partner_bar", "needs a cross and partners (teams must be opposite)"
    if rules["seats"] == 2:
        yield "turn_order", "two players take turns either way"


def _without_throws(rules: Rules) -> Iterator[Inactive]:
    """Yield rules about named throws where none has a name, and rules about series where no throw gives another."""
    if not (rules["named_mouths"] or rules["named_faces"]):
        yield from ((key, "never fires while no throw has a name") for key in NAMED)
    if not any(rules[key] for key in AGAIN):
        yield from ((key, "never fires while no throw gives another") for key in ("series", *OF_SERIES))
    elif rules["series"] == "one_at_a_time":
        yield from ((key, "never fires while throws are played one at a time") for key in OF_SERIES)


def _safe_squares(rules: Rules) -> Iterator[Impossible]:
    if rules["safe_meeting"] == "passed_by_ones" and not rules["named_ones"]:
        yield "safe_meeting", "no throw is played in ones that could pass (named_ones)", "passed_over"


def _seats(rules: Rules) -> Iterator[Impossible]:
    board = BOARDS[rules["board"]]
    if rules["seats"] not in board.seats:
        near = min(board.seats, key=lambda seats: abs(seats - rules["seats"]))
        yield "seats", f"this board seats {' or '.join(map(str, board.seats))} players", near
    if rules["partner_bar"] > rules["pieces"]:
        yield "partner_bar", f"the partner has only {rules['pieces']} pieces", rules["pieces"]


def _pieces(rules: Rules) -> Iterator[Impossible]:
    steps, start = BOARDS[rules["board"]].steps, rules["start_steps"]
    last = steps - (rules["goal"] == "last_square")
    if len(start) > rules["pieces"]:
        yield "start_steps", f"a player has only {rules['pieces']} pieces", start[: rules["pieces"]]
    if start != sorted(start):
        yield "start_steps", "the squares must be named in ascending order", sorted(start)
    if any(step > last for step in start):
        yield (
            "start_steps",
            f"a piece that is not home stands on one of {last} squares",
            [min(step, last) for step in start],
        )
    if len(start) == rules["pieces"] and rules["sends_back"] == "off" and rules["entry"] != "walks_on":
        yield "entry", "no piece ever waits: all begin on the board and none is sent back", "walks_on"
    if _meet(rules, [step for step in start if step <= last]):
        yield "start_steps", "opposing pieces would begin on one square", []


def _meet(rules: Rules, start: list[int]) -> bool:
    """Return whether pieces of two seats would begin on one square."""
    tracks = BOARDS[rules["board"]].tracks.get(rules["seats"], ())
    squares = [{track[step - 1] for step in start} for track in tracks]
    return sum(map(len, squares)) > len(set().union(*squares))


def _lots(rules: Rules) -> Iterator[Impossible]:
    if rules["cowries"] and rules["dice"]:
        yield "dice", "the lots are cowries or dice, not both", 0
    elif not rules["cowries"] and not rules["dice"]:
        yield "cowries", "something must be thrown: cowries or dice", 6
    up, of = rules["mouth_chance"]
    if not 0 < up < of:
        yield "mouth_chance", "the first number must be at least 1 and less than the second", [1, max(2, of)]
    if rules["cowries"] and len(rules["scores"]) != rules["cowries"] + 1:
        fitting = [*rules["scores"], *range(len(rules["scores"]), rules["cowries"] + 1)][: rules["cowries"] + 1]
        yield (
            "scores",
            f"{rules['cowries']} shells need {rules['cowries'] + 1} scores, from no mouth up to all",
            fitting,
        )
    if rules["dice"] and len(rules["die_faces"]) < 2:
        yield "die_faces", "a die has at least two different faces", [1, 3, 4, 6]
    yield from _weights(rules)
    if rules["named_mouths"] and rules["named_mouths"] >= rules["cowries"] > 0:
        yield "named_mouths", "with the marked shell's mouth down not all mouths are up", rules["cowries"] - 1
    if rules["named_faces"] and (rules["dice"] != 2 or len(rules["named_faces"]) != 2):
        yield "named_faces", "the named throw is two faces of two dice", []
    strange = sorted(set(rules["named_faces"]) - set(rules["die_faces"]))
    if strange and rules["dice"]:
        yield "named_faces", f"no die has the face {strange[0]}", []


def _weights(rules: Rules) -> Iterator[Impossible]:
    weights, faces = rules["face_weights"], len(rules["die_faces"])
    if not weights or not rules["dice"]:
        return
    if len(weights) != faces:
        fitting = [*weights, *[1] * faces][:faces]
        yield "face_weights", f"{faces} faces need {faces} numbers", fitting
    elif len(set(weights)) == 1:
        yield "face_weights", "faces that fall equally often need no numbers", []
    elif (shared := gcd(*weights)) > 1:
        yield "face_weights", f"all are multiples of {shared}", [weight // shared for weight in weights]


def _scores(rules: Rules) -> Iterator[Impossible]:
    """Find rules about scores that are never thrown; named throws that no throw is."""
    thrown = throw_scores(rules)
    for key in ("again_scores", "cancel_scores", "extra_scores"):
        yield from _never_thrown(rules, key, thrown)
    for key in ("enter_scores", "first_enter_scores"):
        yield from _never_thrown(rules, key, plain_scores(rules))
    has_name = bool(rules["named_mouths"] or rules["named_faces"])
    if has_name and rules["named_score"] and rules["named_score"] == named_score({**rules, "named_score": 0}):
        yield "named_score", "is what the throw scores without its name", 0
    if rules["enter_double"] and rules["enter_double"] not in rules["die_faces"]:
        yield "enter_double", f"no die has the face {rules['enter_double']}", max(rules["die_faces"], default=0)
    yield from _never_thrown(rules, "exit_doubles", set(rules["die_faces"]))

    if len(kinds(rules)) > HAND:
        yield "extra_scores", f"with these dice there are more than {HAND} kinds of part", []


def throw_scores(rules: Rules) -> set[int]:
    """Return what one throw that is not the named one can score as a whole."""
    return plain_scores({**rules, "division": "whole"})


def _never_thrown(rules: Rules, key: str, thrown: set[int]) -> Iterator[Impossible]:
    missing = [score for score in rules[key] if score not in thrown]
    if missing:
        yield key, f"{missing[0]} is never thrown", [score for score in rules[key] if score in thrown]


def _series(rules: Rules) -> Iterator[Impossible]:
    if all(throws_again(rules, throw) for throw in every_throw(rules)):
        yield "again_scores", "a series of throws would never end", rules["again_scores"][1:]
    if rules["series"] != "one_at_a_time" and rules["division"] != "whole" and any(rules[key] for key in AGAIN):
        yield "series", "throws that are divided are played one at a time", "one_at_a_time"
    if rules["cancel_scores"] and not set(rules["cancel_scores"]) & set(rules["again_scores"]):
        yield "cancel_scores", "none of these scores gives another throw", rules["again_scores"]


def _division(rules: Rules) -> Iterator[Impossible]:
    if rules["division"] != "whole" and rules["dice"] != 2:
        yield "division", "only a throw of two dice can be divided", "whole"
    if rules["division"] != "whole":
        for key in ("named_faces", "extra_scores"):
            if rules[key]:
                yield key, "needs throws that are played whole", PROPERTIES[key]["default"]
    elif rules["exit_doubles"] or rules["partner_bar"]:
        key = "exit_doubles" if rules["exit_doubles"] else "partner_bar"
        yield key, "a double is two parts: division must be each_die or free", PROPERTIES[key]["default"]
    if rules["partner_bar"] and rules["division"] == "free":
        yield "partner_bar", "two pieces leave together by one die each: division must be each_die", 0


def _entry(rules: Rules) -> Iterator[Impossible]:
    if rules["entry"] == "by_score" and not (rules["enter_scores"] or rules["named_enters"]):
        yield "enter_scores", "no piece could ever enter", [max(plain_scores(rules))]
    if rules["entry"] == "by_extra" and not rules["extra_scores"]:
        yield "extra_scores", "no piece could ever enter", [max(throw_scores(rules))]
    if rules["entry"] == "by_double" and not rules["enter_double"] and rules["die_faces"]:
        yield "enter_double", "no piece could ever enter", rules["die_faces"][-1]
    if rules["entry"] == "by_double" and rules["division"] != "free":
        yield "entry", "waiting pieces enter by a double where throws are divided freely", "walks_on"
    if rules["entry"] == "by_score" and rules["division"] == "free":
        yield "entry", "a freely divided throw has no score of its own", "by_double"
    if rules["first_enter_scores"] and set(rules["first_enter_scores"]) == set(rules["enter_scores"]):
        yield "first_enter_scores", "are the scores by which later pieces enter", []
    if rules["pairs_reenter"] and (rules["entry"] != "by_score" or rules["sends_back"] == "off"):
        yield "pairs_reenter", "needs pieces that are sent back and enter by a score", False
    if rules["pairs_apart"] and rules["extra_scores"]:
        yield "pairs_apart", "needs throws without an extra point", False
