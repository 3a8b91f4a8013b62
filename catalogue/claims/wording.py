"""A test of a claim as a sentence, written from its data and from what the measures are called. Pure Python."""

from collections.abc import Mapping, Sequence

from catalogue.claims.definitions import SOLUTION, WITNESS, ClaimTest, Condition, Demand, Rulesets, Side
from catalogue.texts.formatting import lowered
from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED, WIN
from simulator.engine.family import NOT_ARISING, Measure, family
from simulator.engine.naming import Naming
from simulator.engine.ruleset import Ruleset
from simulator.engine.tally import ended_label, winner_label

Measures = Mapping[str, Measure]

ENDS = {
    WIN: ("somebody won", "nobody won"),
    DRAW: ("the game was drawn", "the game was not drawn"),
    ENDLESS: ("a turn never ended", "no turn was endless"),
    UNFINISHED: ("our cap stopped the game", "the game came to an end"),
}
AMOUNTS = {
    "=": "exactly", "!=": "any number but", "<": "fewer than", "<=": "at most", ">": "more than", ">=": "at least",
}  # fmt: skip
THAN = {
    "=": ("as many", "as"), "!=": ("not as many", "as"), "<": ("fewer", "than"), "<=": ("at most as many", "as"),
    ">": ("more", "than"), ">=": ("at least as many", "as"),
}  # fmt: skip


def sentence(test: ClaimTest, rulesets: Rulesets) -> str:
    """What the test asks of the games, without saying under which ruleset."""
    words = _Words(test.sides[0].ruleset(rulesets))
    if test.kind == SOLUTION:
        return _of_solution(test)
    if test.kind == WITNESS:
        whose = "whose first round" if test.until == "round" else "which"
        return f"There is a game in {whose} {words.of(test.of)}."
    if test.kind == "share":
        among = f"Among games in which {words.of(test.among)}" if test.among else "Of all games"
        return f"{among}, the share in which {words.of(test.of)} is {_percent(test.demand)}."
    measure = words.measures[test.measure]
    if test.kind == "mean":
        bound = "at least" if test.demand.word == "at_least" else "at most"
        return f"The mean of “{lowered(measure.title)}” is {bound} {_number(test.demand.value)} {measure.unit}."
    more = test.demand.word == "more"
    if _is_count(measure):
        greater = f"there are on average {'more' if more else 'fewer'} {lowered(measure.title)}"
    else:
        greater = f"the {lowered(measure.title)} is on average {'greater' if more else 'smaller'}"
    return f"Game by game, {greater} under the first ruleset than under the second."


def _of_solution(test: ClaimTest) -> str:
    if not test.first_move:
        return f"If both sides play without fault, the game lasts at least {_number(test.demand.value)} plies."
    if test.by == "chance":
        return f"Against an opponent who moves at random, {test.first_move} gives the best chance of all first moves."
    return f"If both sides play without fault, {test.first_move} is better than every other first move."


def under(side: Side, rulesets: Rulesets) -> str:
    """The ruleset of a side and what is changed in it: "puhulmutu-parker, changed: No loan is made."."""
    if not side.changes:
        return side.name
    ruleset = side.ruleset(rulesets)
    sentences = family(ruleset.family).sentences(ruleset)
    said = [words for key in side.changes if (words := sentences[key]) != NOT_ARISING]
    return f"{side.name}, changed: {' '.join(said)}"


class _Words:
    """What measures and seats are called under a ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        kind = family(ruleset.family)
        self.measures: Measures = {one.name: one for one in kind.named_measures(ruleset.parameters)}
        self.naming: Naming = kind.naming(ruleset.parameters)
        self.seats = kind.seats(ruleset.parameters)

    def of(self, conditions: Sequence[Condition]) -> str:
        # Who won says that somebody did.
        named = any(one.measure == "winners" and one.comparison == "=" and one.value for one in conditions)
        needed = [one for one in conditions if not (named and one == Condition("end", "=", WIN))]
        return " and ".join(self.condition(one) for one in needed) or "anything happens"

    def condition(self, one: Condition) -> str:
        measure = self.measures[one.measure]
        if isinstance(one.value, str):
            as_many, as_ = THAN[one.comparison]
            return f"there are {as_many} {lowered(measure.title)} {as_} {lowered(self.measures[one.value].title)}"
        if measure.unit == "code":
            return self._code(one, int(one.value))
        number = f"{AMOUNTS[one.comparison]} {_number(one.value)}"
        if _is_count(measure):
            return f"there are {number} {lowered(measure.title)}"
        return f"the {lowered(measure.title)} is {number}"

    def _code(self, one: Condition, value: int) -> str:
        if one.comparison not in ("=", "!="):
            return f"“{lowered(self.measures[one.measure].title)}” is {AMOUNTS[one.comparison]} {value}"
        holds = one.comparison == "="
        if one.measure == "end":
            return ENDS[value][0 if holds else 1]
        if one.measure == "winners":
            return self._winners(value, holds)
        return self._part(one.measure, value, holds)

    def _winners(self, mask: int, holds: bool) -> str:
        who = [self.naming.seat(seat) for seat in range(self.seats) if mask >> seat & 1]
        if not who:
            return "nobody won" if holds else "somebody won"
        names = f"the {' and the '.join(who)}"
        return f"{names} won" if holds else f"it was not {names} who won"

    def _part(self, name: str, value: int, holds: bool) -> str:
        scope = name.removesuffix("_ended").removesuffix("_winner")
        part = self.naming.part(scope)
        if name == ended_label(scope):
            return lowered(part.ended) if (value == 1) == holds else f"it did not happen that {lowered(part.ended)}"
        assert name == winner_label(scope)
        won = lowered(part.winner)  # "ahead after the first round", "first to take"
        if value < 0 and holds:
            return f"the players were {lowered(part.equal)}" if part.equal else f"nobody was {won}"
        if value < 0:
            return f"somebody was {won}"
        return f"the {self.naming.seat(value)} was {'' if holds else 'not '}{won}"


def _is_count(measure: Measure) -> bool:
    """Whether the title names what is counted: "Laps" are so many laps, "Turn of the first capture" is a number."""
    return lowered(measure.title).startswith(measure.unit)


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,g}"


def _percent(demand: Demand) -> str:
    return f"{'at least' if demand.word == 'at_least' else 'at most'} {_number(round(100 * demand.value, 6))} %"
