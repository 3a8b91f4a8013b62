"""A ruleset's parameters and its board as one array of integers, for the kernel.

What a throw can bring is worked out here once, so that no game has to: every way the lots can lie becomes a row of a
table, with the parts it lays into the hand; and the chance that one throw brings a piece so far, for evaluations.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from simulator.engine.boards import bitboard
from simulator.engine.boards.tracks import board_of
from simulator.engine.families.race import measures
from simulator.engine.families.race import position as code
from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.marks import Effects, effects, ends_in_place, in_place, is_wide
from simulator.engine.families.race.parameters import PROPERTIES
from simulator.engine.families.race.referee.throws import EXTRA, JOINED, NAMED, ONE, THROW
from simulator.engine.schemas import as_number
from simulator.engine.weights import Weigh, weigh

Parameters = Mapping[str, Any]
Part = tuple[int, int]  # value, label
Row = tuple[int, list[int]]  # where it begins in the array, its words


FITTED = weigh("race")


def compile_rules(parameters: Mapping[str, Any], weights: Weigh = FITTED) -> np.ndarray:
    """Return the rules as int64[SIZE]: parameters, numbers that follow from them, then tables."""
    rules = np.zeros(rule.SIZE, dtype=np.int64)
    for place, key in enumerate(rule.KEYS):
        value = parameters[key]
        rules[place] = 0 if isinstance(value, list | dict) else as_number(value, PROPERTIES[key])
    hand = kinds(parameters)
    for place, number in {**_numbers(parameters), **_numbers_of_parts(parameters, hand)}.items():
        rules[place] = number
    start = parameters["start_steps"]
    rules[rule.R_START + parameters["pieces"] - len(start) : rule.R_START + parameters["pieces"]] = start
    for seat in range(parameters["seats"]):
        final, place = in_place(parameters, seat), rule.FINAL + rule.MOST_PIECES * seat
        rules[place : place + len(final)] = final
    for place, row in _rows(parameters, hand):
        rules[place : place + len(row)] = row
    weighs = weights(measures.kind_of_game(parameters), measures.EACH)
    for place, name in enumerate(rule.FEATURES):
        rules[rule.WEIGHTS + place] = weighs.get(name, 0) if name in measures.in_force(parameters, 0) else 0
    rules[rule.OTHERS] = weighs.get(measures.OTHERS, 1)
    rules[rule.APART] = weighs.get(measures.APART, 0)
    rules[rule.WITHIN] = weighs.get(measures.WITHIN, rules[rule.R_HOME])
    rules[rule.REACHES : rule.SIZE] = reaches(parameters)
    return rules


def _numbers(parameters: Mapping[str, Any]) -> dict[int, int]:
    """Return what follows from single parameters."""
    board, entry, does = board_of(parameters), parameters["entry"], effects(parameters)
    (home, home_row), asleep = ends(parameters), code.asleep(parameters)
    follows = bool(does.again or does.leads or parameters["again_home"])
    chosen = any(row.get("choose") for row in parameters["lots"])
    barred = home_row + (parameters["bar_squares"] == "with_row_end")
    return {
        rule.R_HOME: home,
        rule.R_BARRED: barred,
        rule.R_CORNER: home_row - board.home_row - board.opposite_lag,
        rule.R_PAST: barred - board.opposite_lag,
        rule.R_NEXT_SEAT: 1 if parameters["turn_order"] == "with_the_pieces" else parameters["seats"] - 1,
        rule.R_UP: parameters["mouth_chance"][0],
        rule.R_OF: parameters["mouth_chance"][1],
        rule.R_OUTCOMES: len(outcomes(parameters)),
        rule.R_LIMIT: 1 if parameters["series"] == "one_at_a_time" else parameters["series_limit"],
        rule.R_GOES_ON: entry == "walks_on" or (entry == "by_score" and parameters["entry_spends"] == "its_score"),
        rule.R_WAKE_SCORES: asleep,
        rule.R_EXIT_SCORES: sum(1 << score for score in parameters["exit_scores"]),
        rule.R_FINAL_STEPS: bool(ends_in_place(parameters)),
        rule.R_ROUND_TO: parameters["round_to"] and asleep + parameters["round_to"],
        rule.R_ENTER_ALL_SCORES: sum(1 << score for score in parameters["enter_all_scores"]),
        rule.R_FIRST: bool(parameters["first_enter_scores"]),
        rule.R_HOW: rule.WIDE if is_wide(parameters) else rule.FREELY if parameters["division"] == "free" else 0,
        rule.R_LANDS: bool(follows or parameters["sends_back"] != "off"),
        rule.R_NO_DICE: 0 if parameters["dice"] else rule.ROWS if parameters["lots"] else rule.SHELLS,
        rule.R_OTHERWISE: bool(parameters["taking"] or parameters["final_steps"] or chosen),
        rule.R_SHARED: parameters["safe_meeting"] != "shared" or parameters["leaving_shared"] == "ones_only",
        rule.R_TIMES: sum(row["times"] for row in parameters["lots"]),
        rule.R_FOLLOWS: follows,
    }


@dataclass(frozen=True, slots=True)
class Cast:
    """One way the lots can lie. place: among the casts; faces: of dice; moves, again, choose: of lots in a table."""

    place: int
    score: int
    named: bool
    faces: tuple[int, ...] = ()
    moves: tuple[int, ...] = ()
    again: bool = False
    choose: bool = False

    @property
    def double(self) -> int:
        return self.faces[0] if len(self.faces) == 2 and self.faces[0] == self.faces[1] else 0


def casts(parameters: Parameters) -> Iterator[Cast]:
    """Yield every way the lots can lie that makes a difference."""
    shells, name, own_score = parameters["cowries"], parameters["named_mouths"], parameters["named_score"]
    if shells:
        for mouths in range(shells + 1):
            for marked in range(mouths == shells, 1 + (mouths > 0)):
                named, score = 0 < name == mouths and not marked, parameters["scores"][mouths]
                yield Cast(2 * mouths + marked, own_score or score if named else score, named)
        return
    if parameters["lots"]:
        for place, row in enumerate(parameters["lots"]):
            moves, choose = tuple(row.get("moves", ())), row.get("choose", False)
            score = max(moves) if choose else sum(moves)
            yield Cast(place, score, False, (), moves, row.get("again", False), choose)
        return
    faces = list(enumerate(parameters["die_faces"]))
    if parameters["dice"] == 1:
        yield from (Cast(place, face, False, (face,)) for place, face in faces)
        return
    for first, face in faces:
        for second, other in faces:
            named = sorted((face, other)) == parameters["named_faces"]
            score = own_score or face + other if named else face + other
            yield Cast(rule.DIE * first + second, score, named, (face, other))


def outcomes(parameters: Parameters) -> list[int]:
    """Return for each draw of a die, all equally likely, the place of the face it shows among the faces."""
    weights = parameters["face_weights"] or [1] * len(parameters["die_faces"])
    return [place for place, weight in enumerate(weights) for _ in range(weight)]


def parts(parameters: Parameters, cast: Cast) -> list[tuple[Part, int]]:
    """Return (part, how many) of what a cast lays into the hand; with an extra point, that comes second."""
    if parameters["division"] == "free":
        return []
    if parameters["lots"]:
        laid = [((move, THROW), cast.moves.count(move)) for move in sorted(set(cast.moves))]
    elif cast.named:
        laid = [((1, ONE), cast.score)] if parameters["named_ones"] else [((cast.score, NAMED), 1)]
    elif parameters["division"] == "each_die":
        laid = [((face, THROW), 1) for face in cast.faces]
    else:
        laid = [((cast.score, THROW), 1)]
        if cast.score in parameters["extra_scores"]:
            laid.append(((1, EXTRA), 1))
    return [(part, number) for part, number in laid if part[0] and number]


def joined(parameters: Parameters, cast: Cast) -> Part | None:
    """Return what is laid instead when no piece waits that the extra point could pay for."""
    added = parameters["extra_spent"] == "added" and cast.score in parameters["extra_scores"]
    return (cast.score + 1, JOINED) if added and not cast.named else None


def kinds(parameters: Parameters) -> list[Part]:
    """Return every kind of part, in the order of the hand."""
    found: set[Part | None] = {(1, ONE)} if parameters["named_ones"] else set()
    for cast in casts(parameters):
        found |= {part for part, _ in parts(parameters, cast)} | {joined(parameters, cast)}
    return sorted(part for part in found if part)


def _numbers_of_parts(parameters: Parameters, kinds: list[Part]) -> dict[int, int]:
    """Return single numbers that follow from the kinds of part and from who plays with whom."""
    whole = parameters["entry"] == "by_score" and parameters["entry_spends"] == "whole_throw"
    summed = [] if whole else [(place, kind) for place, kind in enumerate(kinds) if _adds(kind)]
    return {
        rule.R_OPPOSING: len(_opposing(parameters, 0)),
        rule.R_EXTRA: kinds.index((1, EXTRA)) if (1, EXTRA) in kinds else 0,
        rule.R_ONE: kinds.index((1, ONE)) if (1, ONE) in kinds else 0,
        rule.R_SUM_ENTERS: sum(1 << place for place, kind in summed if _admits(parameters, kind, False)),
        rule.R_SUM_ENTERS + 1: sum(1 << place for place, kind in summed if _admits(parameters, kind, True)),
    }


def _rows(parameters: Parameters, kinds: list[Part]) -> Iterator[Row]:
    """Yield every row of every table."""
    yield from _tracks(parameters)
    for unlocked in range(2):
        yield rule.ROOMS + rule.ROW * unlocked, _rooms(parameters, bool(unlocked))
    for place, kind in enumerate(kinds):
        yield rule.KINDS + rule.KIND_WORDS * place, _kind(parameters, kinds, kind)
    for cast in casts(parameters):
        yield rule.CASTS + rule.CAST_WORDS * cast.place, _cast(parameters, kinds, cast)
        # Only lots in a table bring parts of more than two kinds.
        yield rule.MORE + 4 * cast.place, _places(parameters, kinds, cast)[4:]
    for face in range(1, rule.MOST_FACE + 1):
        if (face, THROW) in kinds:
            yield rule.FACE_KINDS + face, [kinds.index((face, THROW))]
    yield rule.OUTCOMES, outcomes(parameters)
    yield rule.TIMES, [row["times"] for row in parameters["lots"]]


def ends(parameters: Parameters) -> tuple[int, int]:
    """Return (the step of a piece that is home, the first step of the home row; twice the same on a board that has
    none)."""
    board = board_of(parameters)
    home = code.asleep(parameters) + board.steps + (parameters["goal"] == "beyond_last" or parameters["taking"])
    return home, board.steps - board.home_row + 1 if board.home_row else home


def _opposing(parameters: Parameters, seat: int) -> list[int]:
    sides = 2 if parameters["teams"] == "opposite" else code.SEATS
    return [other for other in range(parameters["seats"]) if other % sides != seat % sides]


def _tracks(parameters: Parameters) -> Iterator[Row]:
    board, (home, _), does = board_of(parameters), ends(parameters), effects(parameters)
    asleep = code.asleep(parameters)
    for seat, track in enumerate(board.tracks[parameters["seats"]]):
        yield rule.OPPOSING + code.SEATS * seat, _opposing(parameters, seat)
        squares = [rule.NOWHERE, *track[:asleep], *track[: home - 1 - asleep], rule.NOWHERE]
        yield rule.TRACKS + rule.ROW * seat, squares
        yield rule.DOES + rule.ROW * seat, [_does(does, square) for square in squares[:home]]
        yield rule.LEADS + rule.ROW * seat, [_leads(does, squares, step, 1 + asleep) for step in range(home)]
        if home > rule.SET_STEPS:
            continue  # of long ways nothing is looked up as a set
        for square in set(track):
            steps = _set(step for step in range(1, home) if squares[step] == square)
            yield rule.STEPS_ON + 2 * (rule.ROW * seat + square), steps
        open_steps = (step for step in range(1, home) if squares[step] not in does.safe)
        yield rule.STRIKES_ON + 2 * seat, _set(open_steps)
    for step in range(rule.SET_STEPS):
        yield rule.UP_TO + 2 * step, _set(range(1, step + 1))


def _set(steps: Iterable[int]) -> list[int]:
    """Return a set of steps as two signed words."""
    return list(bitboard(steps, rule.SET_STEPS))


def _does(does: Effects, square: int) -> int:
    """Return what a square does, as bits."""
    if square == rule.NOWHERE:
        return 0
    bits = ((rule.SAFE, does.safe), (rule.AGAIN, does.again), (rule.CLOSED, does.closed))
    return sum(bit for bit, squares in bits if square in squares)


def _leads(does: Effects, squares: list[int], step: int, first: int) -> int:
    """Return on which step a piece goes on that lands on a step: on that itself where no mark leads on.

    first: the first step on which pieces are awake
    """
    to = does.leads.get(squares[step]) if step else None
    return step if to is None else 0 if to < 0 else squares.index(to, first)


def _rooms(parameters: Parameters, unlocked: bool) -> list[int]:
    """Return how far a piece may go from each step for all that the other pieces do: any distance up to that."""
    home, home_row = ends(parameters)
    if parameters["taking"]:
        return [*[rule.MOST_ROOM] * home, 0]
    found = []
    for step in range(home):
        missing = home - step
        room = rule.MOST_ROOM if parameters["overshoot"] else missing
        if parameters["home_row_ones"]:
            # Before the home row a piece may go as far as its first step, and within it one step at a time.
            room = min(room, max(1, home_row - step))
        if missing in parameters["exit_doubles"] and not unlocked:
            room = min(room, missing - 1)
        found.append(room)
    return [*found, 0]


def _adds(kind: Part) -> bool:
    """Return whether such parts can be added up: no ones of a named throw, no extra points."""
    return kind[1] in (THROW, NAMED, JOINED)


def _admits(parameters: Parameters, kind: Part, first: bool) -> bool:
    """Return whether a waiting piece enters by such a part. first: it is the player's first piece, and there is a
    rule."""
    value, label = kind
    if parameters["entry"] == "by_score":
        if first:
            return label == THROW and value in parameters["first_enter_scores"]
        by_name = label in (NAMED, ONE) and parameters["named_enters"]
        return bool(by_name or (label == THROW and value in parameters["enter_scores"]))
    return parameters["entry"] == "walks_on" or (parameters["entry"] == "by_extra" and label == EXTRA)


def _kind(parameters: Parameters, kinds: list[Part], kind: Part) -> list[int]:
    value, label = kind
    by_score, spends = parameters["entry"] == "by_score", parameters["entry_spends"]
    goes_on = parameters["entry"] == "walks_on" or (by_score and spends == "its_score")
    alone = parameters["series_played"] != "total" or not _adds(kind)
    ones = parameters["leaving_shared"] == "ones_only" or parameters["safe_meeting"] == "passed_by_ones"
    enters_alone = alone or (by_score and spends == "whole_throw")
    enters = [
        (value if goes_on else 1) if enters_alone and _admits(parameters, kind, first) else rule.NEVER
        for first in (False, True)
    ]
    return [
        value,
        value if alone else rule.NEVER,
        *enters,
        rule.ONLY_ENTERS * (label == EXTRA and _admits(parameters, kind, False)) + rule.ONES_PASS * ones,
        value if _adds(kind) else 0,
        kinds.index((value - 1, THROW)) if label == JOINED else -1,
        int(value in parameters["wake_scores"]),
    ]


def _places(parameters: Parameters, kinds: list[Part], cast: Cast) -> list[int]:
    """Return the places of the kinds of part that a cast lays, each with how many."""
    return [word for part, number in parts(parameters, cast) for word in (kinds.index(part), number)]


def _cast(parameters: Parameters, kinds: list[Part], cast: Cast) -> list[int]:
    plain_again = cast.score in parameters["again_scores"]
    equal = parameters["again_doubles"] and len(set(cast.faces)) == 1
    again = parameters["named_again"] if cast.named else plain_again or equal or cast.again
    whole = joined(parameters, cast)
    places = _places(parameters, kinds, cast)
    return [
        cast.score,
        int(again),
        int(not cast.named and cast.score in parameters["cancel_scores"]),
        cast.double if parameters["division"] != "whole" else 0,
        *places[:4],
        *[0] * (4 - len(places[:4])),
        kinds.index(whole) if whole else rule.MORE_KINDS if len(places) > 4 or cast.choose else rule.NOTHING,
        sum(1 << face for face in set(cast.faces)) if parameters["exit_alone"] == "any_die" else int(cast.choose),
    ]


def reaches(parameters: Mapping[str, Any]) -> list[int]:
    """Return for each distance up to FARTHEST the chance of it, in parts of 1 << CHANCE_BITS; none of those beyond."""
    found = [Fraction(0)] * (rule.FARTHEST + 1)
    for cast in casts(parameters):
        for distance in _distances(parameters, cast):
            if distance < rule.FARTHEST:
                found[distance] += chance(parameters, cast)
    # Fixed point: kernels add chances as integers, and are the same on every machine.
    return [round(likely * (1 << rule.CHANCE_BITS)) for likely in found]


def _distances(parameters: Mapping[str, Any], cast: Cast) -> Set[int]:
    """Return how far one piece can go by a throw, and where passing sends back too, all that it goes by."""
    if parameters["division"] == "free":
        return set(range(1, cast.score + 1))
    found = {0}
    for (value, _), number in parts(parameters, cast):
        before = {0} if cast.choose else found
        found |= {so_far + value * times for so_far in before for times in range(1, number + 1)}
    if parameters["sends_back"] == "landing_or_passing":
        found = set(range(max(found) + 1))
    return found - {0}


def chance(parameters: Mapping[str, Any], cast: Cast) -> Fraction:
    """Return the chance of one way the lots can lie (see `Cast.place`)."""
    shells = parameters["cowries"]
    if shells:
        up, of = parameters["mouth_chance"]
        mouths, marked = divmod(cast.place, 2)
        # The marked shell is one of its own; the other mouths are any of the rest.
        ways = comb(shells - 1, mouths - marked)
        return Fraction(ways * up**mouths * (of - up) ** (shells - mouths), of**shells)
    if parameters["lots"]:
        times = [row["times"] for row in parameters["lots"]]
        return Fraction(times[cast.place], sum(times))
    drawn = outcomes(parameters)
    places = [cast.place] if parameters["dice"] == 1 else divmod(cast.place, rule.DIE)
    chance = Fraction(1)
    for place in places:
        chance *= Fraction(drawn.count(place), len(drawn))
    return chance
