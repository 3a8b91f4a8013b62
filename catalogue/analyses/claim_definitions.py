"""Tests of claims: which games are looked at, what is counted in them, what the claim demands of it; and the test as a
sentence, made from its data and the names of the measures. Pure Python.

A test is a document of one of these kinds, as it stands in `fixtures/apparatus/<game>.json`. Games are played for:

    share       ruleset, of, among, at_least or at_most; the share of games fulfilling all of `of` among those
                fulfilling all of `among`; a condition is [measure, comparison, number or another measure]. With
                `both_seats` the two players are exchanged in a second batch, and the conditions with them
    mean        ruleset, measure, at_least or at_most
    difference  ruleset, against, measure, direction (more or less); the same games of one seed under both
    alike       ruleset, against, of, among, at_least or at_most; the share of either game is on the same side of the
                threshold

Without any game, exactly:

    solution    ruleset, and first_move, chooses or at_least: where both sides play without fault, that first move is
                better than every other, or the game lasts at least so many plies. With `by` "chance" the first move is
                the best against an opponent who moves at random. With `chooses` a faultless player wins against one
                who moves at random, in either seat, with at least the chance `at_least`
    witness     ruleset, of, seed, game; there is a game that fulfils all of `of`: this one, of random players, which
                the referee plays anew
    first_moves ruleset, of; after every legal first turn some reply fulfils all of `of`: the referee plays all of them
    throws      ruleset, up_to; at each distance up to this many squares from the end of the way at least as many
                throws take both pieces of a player home at once as take a single one: the referee plays every throw
    rule        ruleset, parameter, value, holds, because; the rule is so, and decides the sentence by itself

`set` (and `against_set`) changes parameters of the ruleset, `until` and `cap` say how far each game is played.
`players` names who plays, "strong,random" or one for all seats; random players do unless it is said. Where players
think, `games` is the most games that are played, whatever number is asked for. `needs` says in words who would have to
play where none of the players there are is one: the test is written down and waits, and no other player decides it.
`beside` says in words why a test stands beside the others and has no voice in the verdict on the claim.
`claim_checks` says what is wrong with a test.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from catalogue.texts.formatting import lowered
from simulator.engine.documents import parse_kept
from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED, WIN
from simulator.engine.family import NOT_ARISING, Measure, family
from simulator.engine.naming import Naming
from simulator.engine.ruleset import Ruleset
from simulator.engine.tally import ended_label, winner_label

COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip
DEFAULT_CAP = 5_000
DEFAULT_PLAYERS = "random"
QUICK, POLICIES = (DEFAULT_PLAYERS, "greedy"), "policy:"
SHARE, MEAN, DIFFERENCE, ALIKE = PLAYED = ("share", "mean", "difference", "alike")
SOLUTION, WITNESS, FIRST_MOVES, THROWS, RULE = EXACT = ("solution", "witness", "first_moves", "throws", "rule")
KINDS = (*PLAYED, *EXACT)
THRESHOLDS = ("at_least", "at_most")
AS_GIVEN = (
    "until", "cap", "players", "measure", "first_move", "by", "seed", "game", "both_seats", "chooses", "up_to",
    "parameter", "value", "because",
)  # fmt: skip # what a test says in one key

Rulesets = Mapping[str, Ruleset]
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


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the row of a game; `value` is a number or the name of another measure."""

    measure: str
    comparison: str
    value: int | float | str


@dataclass(frozen=True, slots=True)
class Side:
    """A ruleset by its name, with parameters changed."""

    name: str
    changes: Mapping[str, Any] = field(default_factory=dict)

    def ruleset(self, rulesets: Rulesets) -> Ruleset:
        """Raises KeyError if there is no such ruleset, RulesetProblem if the changes make none."""
        found = rulesets[self.name]
        return parse_kept({**found.document, **self.changes}) if self.changes else found


@dataclass(frozen=True, slots=True)
class Demand:
    """The demand of a claim on a figure: `at_least` or `at_most` a number, or `more` or `less` than nothing.

    A solution has to show that a move is `best`, a witness that it `is_one`, a rule that it `holds` (1) or does not
    (0): these have no figure.
    """

    word: str
    value: float = 0

    def met(self, low: float | None, high: float | None) -> bool | None:
        """True if the whole interval is on the claimed side, False if it is wholly on the other, else None.

        A limit of None is no limit. No difference at all is neither more nor less.
        """
        claimed, other = {
            "at_least": (low is not None and low >= self.value, high is not None and high < self.value),
            "at_most": (high is not None and high <= self.value, low is not None and low > self.value),
            "more": (low is not None and low > 0, high is not None and high <= 0),
            "less": (high is not None and high < 0, low is not None and low >= 0),
        }[self.word]
        return True if claimed else False if other else None


@dataclass(frozen=True, slots=True)
class ClaimTest:
    """A test as it is run. What compares two rulesets has two sides, every other kind one; only means and differences
    have a measure.

    most_games: that are played, whatever number is wanted; seed, game: those of a witness
    """

    kind: str
    sides: tuple[Side, ...]
    demand: Demand
    until: str = "game"
    cap: int = DEFAULT_CAP
    players: str = DEFAULT_PLAYERS
    most_games: int | None = None
    measure: str = ""
    of: tuple[Condition, ...] = ()
    among: tuple[Condition, ...] = ()
    first_move: str = ""
    by: str = "value"
    seed: int = 0
    game: int = 0
    both_seats: bool = False
    chooses: bool = False
    up_to: int = 0
    parameter: str = ""
    value: Any = None
    because: str = ""

    @property
    def rulesets(self) -> tuple[str, ...]:
        return tuple(side.name for side in self.sides)

    @property
    def lines(self) -> tuple[str, ...]:
        """Who plays in each of its batches: of a test in both seats first so, then exchanged."""
        exchanged = ",".join(reversed(self.players.split(",")))
        return (self.players, exchanged) if self.both_seats else (self.players,) * len(self.sides)

    def games(self, wanted: int) -> int:
        """Return how many games are played if so many are wanted."""
        return wanted if self.most_games is None else min(wanted, self.most_games)


def read(test: Mapping[str, Any]) -> ClaimTest:
    """The test of a document in which `problems` finds nothing wrong."""
    sides = [Side(test["ruleset"], test.get("set", {}))]
    if "against" in test:
        sides.append(Side(test["against"], test.get("against_set", {})))
    if test["kind"] == DIFFERENCE:
        demand = Demand(test["direction"])
    elif "first_move" in test:
        demand = Demand("best")
    elif test["kind"] == RULE:
        demand = Demand("holds", test["holds"])
    elif test["kind"] in EXACT and test["kind"] != SOLUTION:
        demand = Demand("is_one")
    else:
        demand = next(Demand(word, test[word]) for word in THRESHOLDS if word in test)
    given: dict[str, Any] = {key: test[key] for key in AS_GIVEN if key in test}
    given |= {key: tuple(Condition(*one) for one in test.get(key, ())) for key in ("of", "among")}
    return ClaimTest(test["kind"], tuple(sides), demand, most_games=test.get("games"), **given)


def needs(test: Mapping[str, Any]) -> str:
    """The player that would be needed, in words; empty where one of the players there are will do."""
    return str(test.get("needs", ""))


def beside(test: Mapping[str, Any]) -> str:
    """Return why the test has no voice in the verdict, in words; empty where it has one."""
    return str(test.get("beside", ""))


def is_exact(test: Mapping[str, Any]) -> bool:
    """Return whether it is decided without games that might have gone otherwise."""
    return test.get("kind") in EXACT


def is_played_by_thinkers(test: Mapping[str, Any]) -> bool:
    """Return whether some player of its games thinks, or no player can change it, so that it can speak of good
    play."""
    return is_exact(test) or any(name != DEFAULT_PLAYERS for name in _players(test))


def is_of_quick_players(test: Mapping[str, Any]) -> bool:
    """Return whether no player of its games looks further than one turn ahead; players who follow an advice do not."""
    return all(name in QUICK or name.startswith(POLICIES) for name in _players(test))


def knows_its_kinds(test: Mapping[str, Any]) -> bool:
    """Return whether its games can be of few kinds: players who draw lots play as many kinds as there are games."""
    return test.get("kind") in PLAYED and DEFAULT_PLAYERS not in _players(test)


def names_a_level(test: Mapping[str, Any], levels: Iterable[str]) -> bool:
    """Return whether some player of its games is called by one of these levels, for which another may stand one day."""
    return not set(_players(test)).isdisjoint(levels)


def _players(test: Mapping[str, Any]) -> list[str]:
    return [name.strip() for name in str(test.get("players", DEFAULT_PLAYERS)).split(",")]


def names_in(tests: Iterable[Mapping[str, Any]]) -> set[str]:
    """The rulesets that tests name."""
    return {str(test[key]) for test in tests for key in ("ruleset", "against") if key in test}


def sentence(test: ClaimTest, rulesets: Rulesets) -> str:
    """The demand of the test in words, without its ruleset."""
    ruleset = test.sides[0].ruleset(rulesets)
    if test.kind == SOLUTION:
        return _sentence_of_solution(test)
    if test.kind == THROWS:
        return (
            f"At each distance up to {_number(test.up_to)} squares from the end of the way at least as many throws "
            "take both pieces home at once as take a single one."
        )
    if test.kind == RULE:
        said = family(ruleset.family).sentences(parse_kept({**ruleset.document, test.parameter: test.value}))
        return f"The rule is: {said[test.parameter]} {test.because}"
    words = _words_of(ruleset, test.both_seats)
    if test.kind == WITNESS:
        whose = "whose first round" if test.until == "round" else "which"
        return f"There is a game in {whose} {words.of(test.of)}."
    if test.kind == FIRST_MOVES:
        return f"After every first move there is a reply with which {words.of(test.of)}."
    if test.kind in (SHARE, ALIKE):
        among = f"Among games in which {words.of(test.among)}" if test.among else "Of all games"
        if test.kind == ALIKE:
            return (
                f"{among}, the share in which {words.of(test.of)} is {_percent(test.demand)} under both rulesets or "
                "under neither."
            )
        seats = ", half of them with the players exchanged" if test.both_seats else ""
        return f"{among}{seats}, the share in which {words.of(test.of)} is {_percent(test.demand)}."
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


def _sentence_of_solution(test: ClaimTest) -> str:
    if test.chooses:
        return (
            f"A player without fault beats one who moves at random in {_percent(test.demand)} of games, in either seat."
        )
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


@lru_cache(maxsize=256)  # tests of a game name the same few rulesets
def _words_of(ruleset: Ruleset, by_line: bool) -> "_Words":
    return _Words(ruleset, by_line=by_line)


class _Words:
    """The names of measures and seats under a ruleset. by_line: players are named by their place in the line"""

    def __init__(self, ruleset: Ruleset, *, by_line: bool = False) -> None:
        self.by_line = by_line
        kind = family(ruleset.family)
        self.measures: Measures = {
            named_measure.name: named_measure for named_measure in kind.named_measures(ruleset.parameters)
        }
        self.naming: Naming = kind.naming(ruleset.parameters)
        self.seats = kind.seats(ruleset.parameters)

    def of(self, conditions: Sequence[Condition]) -> str:
        # That a side won implies that somebody did.
        named = any(
            condition.measure == "winners" and condition.comparison == "=" and condition.value
            for condition in conditions
        )
        needed = [condition for condition in conditions if not (named and condition == Condition("end", "=", WIN))]
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
        who = [self._seat(seat) for seat in range(self.seats) if mask >> seat & 1]
        if not who:
            return "nobody won" if holds else "somebody won"
        return f"the {' and the '.join(who)} won" if holds else f"it was not the {' and the '.join(who)} who won"

    def _seat(self, seat: int) -> str:
        return f"player named {('first', 'second')[seat]}" if self.by_line else self.naming.seat(seat)

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
    """Return whether the title names what is counted: "Laps" are so many laps, "Turn of the first capture" is a
    number."""
    return lowered(measure.title).startswith(measure.unit)


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,g}"


def _percent(demand: Demand) -> str:
    return f"{'at least' if demand.word == 'at_least' else 'at most'} {_number(round(100 * demand.value, 6))} %"
