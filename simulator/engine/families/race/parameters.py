"""The parameters of the race family, and what a document may not combine: inactive rules, games that cannot be played.

Every problem names the key, the reason and the nearest valid value.
"""

from collections.abc import Iterator
from math import gcd
from typing import Any

from simulator.engine.boards.tracks import MOST_STEPS, board_of, canonical_board, written
from simulator.engine.families.race.marks import AGAIN as THROWS_AGAIN
from simulator.engine.families.race.marks import RETURNS, SAFE, ends_in_place, in_place, is_wide
from simulator.engine.families.race.position import HAND, asleep
from simulator.engine.families.race.referee.throws import every_throw, kinds, named_score, plain_scores, throws_again
from simulator.engine.family import Impossible, Inactive, Need, Rules, ineffective_settings, unmet_needs
from simulator.engine.ruleset import nearest
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
    "enter_all_scores": ("entry", ("by_score",)),
    "entry_spends": ("entry", ("by_score",)),
    "enter_double": ("entry", ("by_double",)),
    "pairs_apart": ("pairs_reenter", None),
    "taking": ("sends_back", ("landing", "landing_or_passing")),
    "round_to": ("taking", None),
    "wake_scores": ("taking", None),
    "wakes_first": ("wake_scores", None),
    "safe_squares": ("sends_back", ("landing", "landing_or_passing")),
    "leaving_shared": ("safe_meeting", ("shared",)),
    "block_stops": ("block_of", None),
    "overshoot_by": ("overshoot", None),
    "exit_doubles": ("dice", (2,)),
    "exit_alone": ("division", ("free",)),
    "bar_squares": ("partner_bar", None),
}
AGAIN = ("again_scores", "again_doubles", "named_again")
NAMED = ("named_score", "named_ones", "named_again", "named_enters")
# What is about going home.
HOMEWARD = ("goal", "overshoot", "home_row_ones", "exit_doubles", "home_field", "again_home", "exit_scores")
# What the rows of a table of lots say themselves.
IN_ROWS = ("division", "again_scores", "extra_scores")
# Rules that are not played where moves are looked for square by square, and their values that can be there.
NOT_WIDE = {
    "partner_bar": (0,),
    "pairs_reenter": (False,),
    "extra_scores": ([],),
    "division": ("whole", "each_die"),
    "series_played": ("each_throw",),
    "leaving_shared": ("any_throw",),
    "safe_meeting": ("shared", "passed_over"),
}
TOO_SHORT = "the way that goes round has more than"
MOST_TIMES, MOST_MOVES = 65_536, 4
OF_SERIES = ("series_limit", "series_played", "cancel_scores")


def canonical(parameters: dict[str, Any]) -> dict[str, Any]:
    """Bring a drawn board and lots in a table into their one form; raises RulesetProblem."""
    lots = _canonical_lots(parameters["lots"])
    return {**parameters, "board": canonical_board(parameters["board"]), "lots": lots}


def _canonical_lots(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows in the order of what they bring, those that bring the same as one, in the smallest numbers."""
    times: dict[tuple[Any, ...], int] = {}
    for row in rows:
        moves, choose = row.get("moves", ()), row.get("choose", False)
        known = tuple(sorted({*moves} if choose else moves)), row.get("again", False), row.get("name", ""), choose
        times[known] = times.get(known, 0) + row["times"]
    shared = gcd(*times.values())
    return [
        {
            "times": times[moves, again, name, choose] // shared,
            **({"moves": list(moves)} if moves else {}),
            **({"choose": True} if choose else {}),
            **({"again": True} if again else {}),
            **({"name": name} if name else {}),
        }
        for moves, again, name, choose in sorted(times)
    ]


def board_in_words(board: Any, rules: Rules) -> str:
    """Say what a drawn board looks like and how the players go."""
    drawn = board_of(rules)
    size = f"It is drawn: {len(drawn.squares)} squares{_in_rows(board)}."
    ways = [
        f"The ways of {seats} players lead over {' and over '.join(text)}." for seats, text in board["tracks"].items()
    ]
    marks = [f"Marked “{mark}”: {written(names)}." for mark, names in board.get("marks", {}).items()]
    row = f"The last {drawn.home_row} squares of a way are its owner’s home row." if drawn.home_row else ""
    return " ".join([size, *ways, *marks, *([row] if row else [])])


def _in_rows(board: dict[str, Any]) -> str:
    return f" in {len(board['rows'])} rows, from above {'; '.join(board['rows'])}" if "rows" in board else ""


def leads_back(rules: Rules) -> bool:
    """Return whether a marked square takes a piece elsewhere: if its owner throws again there, a turn may never end."""
    return any("returns" in row.get("does", ()) or row.get("to") for row in rules["marked"])


def problems(rules: Rules) -> Iterator[Impossible]:
    """Yield everything that does not fit together."""
    if marks := list(_marks(rules)):
        yield from marks
        return
    yield from ineffective_settings(_without_needed(rules), rules, PROPERTIES)
    yield from _seats(rules)
    yield from _pieces(rules)
    yield from _squares(rules)
    yield from _safe_squares(rules)
    lots = list(_lots(rules))
    yield from lots
    if not lots:
        yield from ineffective_settings(_without_throws(rules), rules, PROPERTIES)
        yield from _scores(rules)
        yield from _series(rules)
        yield from _division(rules)
        yield from _entry(rules)
        yield from _fights(rules)
        yield from _last_steps(rules)


def inactive_rules(rules: Rules) -> Iterator[Inactive]:
    """Yield every key that never fires while the others are as they are, whatever its own value, and why."""
    yield from _without_needed(rules)
    yield from _without_throws(rules)


def _without_needed(rules: Rules) -> Iterator[Inactive]:
    yield from unmet_needs(NEEDS.items(), rules, PROPERTIES, written=str)
    if not (rules["safe_squares"] and rules["no_passing"] and rules["named_ones"]):
        yield "leaving_shared", "needs safe squares, no passing, and a named throw that is played in ones"
    if not (rules["safe_squares"] or _does(rules, SAFE)):
        yield "safe_meeting", "never fires unless squares are safe (safe_squares, or marked)"
    if rules["lots"]:
        yield from ((key, "the rows of the table of lots say it") for key in IN_ROWS)
    if rules["pieces"] == 1:
        yield from (
            (key, "a player has only one piece")
            for key in ("enter_all_scores", "enter_first", "own_on_square", "no_passing_own")
        )
    if rules["taking"]:
        keys = (*HOMEWARD, "pairs_reenter", "final_steps", "final_marks")
        yield from ((key, "nobody goes home where pieces are taken for good (taking)") for key in keys)
    for place in ends_in_place(rules)[:1]:
        yield from ((key, f"nobody goes home where pieces stand in place ({place})") for key in HOMEWARD)
    if rules["sends_back"] == "off":
        yield "again_sending_back", "no piece is sent back (sends_back)"
    if rules["seats"] != 4:
        yield "teams", "partners sit opposite each other: seats must be 4"
    board = board_of(rules)
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
    if not (any(rules[key] for key in AGAIN) or any(row.get("again") for row in rules["lots"])):
        yield from ((key, "never fires while no throw gives another") for key in ("series", *OF_SERIES))
    elif rules["series"] == "one_at_a_time":
        yield from ((key, "never fires while throws are played one at a time") for key in OF_SERIES)


def _safe_squares(rules: Rules) -> Iterator[Impossible]:
    if rules["safe_meeting"] == "passed_by_ones" and not rules["named_ones"]:
        yield "safe_meeting", "no throw is played in ones that could pass (named_ones)", "passed_over"


def _seats(rules: Rules) -> Iterator[Impossible]:
    board = board_of(rules)
    if rules["seats"] not in board.seats:
        near = min(board.seats, key=lambda seats: abs(seats - rules["seats"]))
        yield "seats", f"this board seats {' or '.join(map(str, board.seats))} players", near
    if rules["partner_bar"] > rules["pieces"]:
        yield "partner_bar", f"the partner has only {rules['pieces']} pieces", rules["pieces"]


def _pieces(rules: Rules) -> Iterator[Impossible]:
    steps, start = board_of(rules).steps, rules["start_steps"]
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
    is_for_good = rules["sends_back"] == "off" or (rules["taking"] and not _does(rules, RETURNS))
    if len(start) == rules["pieces"] and is_for_good and rules["entry"] != "walks_on":
        yield "entry", "no piece ever waits: all begin on the board and none is sent back", "walks_on"
    if _meet(rules, [step for step in start if step <= last]):
        yield "start_steps", "opposing pieces would begin on one square", []


def _last_steps(rules: Rules) -> Iterator[Impossible]:
    """Find pieces that could never go home or come into place; numbers to choose from beside other throws."""
    steps, final, pieces = board_of(rules).steps, rules["final_steps"], rules["pieces"]
    yield from _final_mark(rules)
    yield from _never_thrown(rules, "exit_scores", plain_scores(rules))
    if rules["exit_scores"] and not rules["overshoot"] and 1 not in rules["exit_scores"]:
        yield "overshoot", "a piece that is nearer to home than these scores could never go there (exit_scores)", True
    if final and (len(final) != pieces or final != sorted(final) or final[-1] > steps):
        fitting = [*final, *[steps] * pieces][:pieces]
        near = sorted(min(step, steps) for step in fitting)
        yield "final_steps", f"are {pieces} squares of {steps}, in ascending order", near
    elif final and final == rules["start_steps"]:
        yield "final_steps", "are where pieces stand at the start", []
    elif final and 0 < rules["own_on_square"] < max(map(final.count, final)):
        yield "own_on_square", "fewer than are to stand on one square (final_steps)", max(map(final.count, final))
    if any(row.get("choose") for row in rules["lots"]):
        if rules["plays_most"]:
            yield "plays_most", "only one number of a throw is played (lots)", False
        if rules["series"] != "one_at_a_time" and any(row.get("again") for row in rules["lots"]):
            yield "series", "throws of which one number is chosen are played one at a time", "one_at_a_time"


def _fights(rules: Rules) -> Iterator[Impossible]:
    """Find ways that do not go round though pieces are taken for good, and sleep that never ends."""
    if not rules["taking"]:
        return
    steps, most = board_of(rules).steps, max(plain_scores(rules))
    if not rules["round_to"]:
        yield "round_to", "where pieces are taken for good, their way goes round", 1
    elif rules["round_to"] > max(1, steps - most):
        yield "round_to", f"{TOO_SHORT} {most} squares, the highest throw", max(1, steps - most)
    elif steps <= most:
        yield "taking", f"{TOO_SHORT} {most} squares, the highest throw", False
    if rules["wake_scores"] and not rules["start_steps"]:
        yield "wake_scores", "no piece stands on the board at the start (start_steps)", []
    elif asleep(rules) + steps > MOST_STEPS:
        yield "start_steps", f"a way and the squares on which pieces sleep are {MOST_STEPS} at most", []
    yield from _never_thrown(rules, "wake_scores", plain_scores(rules))


def _meet(rules: Rules, start: list[int]) -> bool:
    """Return whether pieces of two seats would begin on one square."""
    tracks = board_of(rules).tracks.get(rules["seats"], ())
    squares = [{track[step - 1] for step in start} for track in tracks]
    return sum(map(len, squares)) > len(set().union(*squares))


def _does(rules: Rules, word: str) -> bool:
    return any(word in row.get("does", ()) for row in rules["marked"])


def _final_mark(rules: Rules) -> Iterator[Impossible]:
    """Find a mark on whose squares no player's pieces could stand in the end, as many on each."""
    named, marks, each = rules["final_marks"], board_of(rules).marks, rules["own_on_square"]
    if not named or rules["seats"] not in board_of(rules).seats:
        return
    if rules["final_steps"]:
        yield "final_marks", "say it in final_steps or in final_marks, not in both", []
    elif strange := [mark for mark in named if mark not in marks]:
        known = [mark for mark in named if mark in marks]
        near = [nearest(strange[0], marks)] if marks else []
        yield "final_marks", f"the board has no mark {', '.join(strange)}", sorted({*known, *near})
    else:
        found = [in_place(rules, seat) for seat in range(rules["seats"])]
        if any(len(steps) != rules["pieces"] for steps in found):
            yield "final_marks", f"{rules['pieces']} pieces do not stand as many on each of these squares", []
        elif 0 < each < max(found[0].count(step) for step in found[0]):
            yield "own_on_square", "fewer than are to stand on one square (final_marks)", 0
        elif rules["start_steps"] in found:
            yield "final_marks", "are where pieces stand at the start", []


def _marks(rules: Rules) -> Iterator[Impossible]:
    """Find rows about marks that the board does not have, or that do nothing."""
    board = board_of(rules)
    if rules["seats"] not in board.seats:
        return  # which is told first
    for number, row in enumerate(rules["marked"]):
        place, does, to = f"marked/{number}", row.get("does", ()), row.get("to", "")
        if row["mark"] not in board.marks:
            near = nearest(row["mark"], board.marks) if board.marks else None
            yield f"{place}/mark", f"this board has no mark {row['mark']!r}", near
        elif not does and not to:
            yield place, "says of a mark that it does nothing; leave this row out", None
        if to and RETURNS in does:
            yield f"{place}/to", "a piece goes back and waits there, so that it goes on to no other square", ""
        if to and any(to not in [board.squares[square].name for square in way] for way in board.tracks[rules["seats"]]):
            yield f"{place}/to", f"{to} is not on the way of every player", ""
        elif to and rules["goal"] == "last_square" and to in _last_squares(rules):
            yield f"{place}/to", f"a piece on {to} is home, and no mark leads there", ""
        if SAFE in does and rules["safe_squares"]:
            yield "safe_squares", "say it in marked or in safe_squares, not in both", False
        if SAFE in does and rules["sends_back"] == "off":
            yield f"{place}/does", "no piece is sent back (sends_back)", [word for word in does if word != SAFE]
        if rules["division"] == "free" and (to or {THROWS_AGAIN, RETURNS} & {*does}):
            yield "division", "a throw that is divided freely leads over no marks", "whole"


def _last_squares(rules: Rules) -> set[str]:
    board = board_of(rules)
    return {board.squares[way[-1]].name for way in board.tracks[rules["seats"]]}


def _squares(rules: Rules) -> Iterator[Impossible]:
    """Find rules about single squares that never fire, or that are not played beside others."""
    pieces, home = rules["pieces"], board_of(rules).steps + (rules["goal"] == "beyond_last")
    if rules["own_on_square"] >= pieces > 1:
        yield "own_on_square", f"a player has only {pieces} pieces", 0
    if rules["block_of"] > pieces:
        yield "block_of", f"a player has only {pieces} pieces", pieces
    elif 0 < rules["own_on_square"] < rules["block_of"]:
        yield "block_of", f"only {rules['own_on_square']} of a player’s pieces stand on one square", 0
    elif rules["block_of"] == 1 and rules["sends_back"] != "off":
        yield "block_of", "no piece could be sent back: one alone would hold its square", 2 if pieces > 1 else 0
    if rules["home_field"] >= home:
        yield "home_field", f"a way has only {home - 1} squares before its end", home - 1
    crowd = max((rules["start_steps"].count(step) for step in rules["start_steps"]), default=0)
    if 0 < rules["own_on_square"] < crowd:
        yield "start_steps", f"only {rules['own_on_square']} of a player’s pieces stand on one square", []
    if rules["enter_all_scores"]:
        for other in ("own_on_square", "pairs_reenter"):
            if rules[other]:
                yield other, "all waiting pieces enter together (enter_all_scores)", PROPERTIES[other]["default"]
        if strange := sorted(set(rules["enter_all_scores"]) - set(rules["enter_scores"])):
            near = [score for score in rules["enter_all_scores"] if score not in strange]
            yield "enter_all_scores", f"no piece enters by {strange[0]} (enter_scores)", near
    if rules["plays_most"]:
        fits = not list(_lots(rules))  # no throw can be made of lots that do not fit together
        if fits and not any(
            len(throw.moves) > 1 or len(throw.lots) > 1 < len(rules["die_faces"]) for throw in every_throw(rules)
        ):
            yield "plays_most", "no throw has several numbers", False
        for other in ("no_passing", "enter_all_scores", "first_enter_scores", "may_decline"):
            if rules[other] != PROPERTIES[other]["default"]:
                yield other, "is not played beside plays_most", PROPERTIES[other]["default"]
        for number, row in enumerate(rules["marked"]):
            if row.get("to") or RETURNS in row.get("does", ()):
                yield f"marked/{number}", "no mark leads a piece away beside plays_most; leave this row out", None
    if is_wide(rules):
        for key, fitting in NOT_WIDE.items():
            if rules[key] not in fitting:
                why = "is not played beside more than six pieces, a way of 126 squares or rules about single squares"
                yield key, why, fitting[0]


def _lots(rules: Rules) -> Iterator[Impossible]:
    if rules["lots"]:
        yield from _rows_of_lots(rules)
        return
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


def _rows_of_lots(rules: Rules) -> Iterator[Impossible]:
    rows = rules["lots"]
    for lots in ("cowries", "dice"):
        if rules[lots]:
            yield lots, f"say it in lots or in {lots}, not in both", 0
    if sum(row["times"] for row in rows) > MOST_TIMES:
        yield "lots", f"the numbers of times are at most {MOST_TIMES:,} together", []
    if len(rows) < 2 or not any("moves" in row for row in rows):
        yield "lots", "the lots fall in two ways at least, and one of them moves a piece", []
    for number, row in enumerate(rows):
        if row.get("choose") and len(row.get("moves", ())) < 2:
            yield f"lots/{number}/choose", "there are not two numbers to choose from", False
        if len(set(row.get("moves", ()))) > MOST_MOVES:
            near = sorted(set(row["moves"]))[:MOST_MOVES]
            yield f"lots/{number}/moves", f"a throw has at most {MOST_MOVES} different numbers", near


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
    if rules["lots"]:
        return {throw.score for throw in every_throw(rules)}
    return plain_scores({**rules, "division": "whole"})


def _never_thrown(rules: Rules, key: str, thrown: set[int]) -> Iterator[Impossible]:
    missing = [score for score in rules[key] if score not in thrown]
    if missing:
        yield key, f"{missing[0]} is never thrown", [score for score in rules[key] if score in thrown]


def _series(rules: Rules) -> Iterator[Impossible]:
    if all(throws_again(rules, throw) for throw in every_throw(rules)):
        key = "lots" if rules["lots"] else "again_scores"
        yield key, "a series of throws would never end", rules[key][1:]
    if rules["series"] != "one_at_a_time" and rules["division"] != "whole" and any(rules[key] for key in AGAIN):
        yield "series", "throws that are divided are played one at a time", "one_at_a_time"
    again = {throw.score for throw in every_throw(rules) if throw.again} | {*rules["again_scores"]}
    if rules["cancel_scores"] and not again & {*rules["cancel_scores"]}:
        yield "cancel_scores", "none of these scores gives another throw", sorted(again)


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
