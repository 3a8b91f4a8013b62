"""The games that the answers to a game's questions give, combined in every way. Pure Python over rulesets.

A question decides the parameters in which its answers differ. A parameter that all its answers set alike is only the
condition under which it was asked, and is left to the question that decides it, if there is one.

Answers are set on top of a base ruleset, and what then cannot fire is dropped. If nothing that a question decides can
fire, the question does not arise. Combinations that come to the same document are one cell. A combination that is
impossible for another reason is left out and counted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from math import prod
from typing import Any

import numpy as np
from jsonschema import Draft202012Validator

from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem

MOST_CELLS = 128  # combinations that are all played; of more, a sample of so many
MOST_LISTED = 1_024  # combinations that are all tried for whether they are possible

Values = Mapping[str, Any]
LevelNumbers = tuple[int, ...]
ATTEMPTS = 200  # for each combination, if some are not allowed
STRICT = 40  # of these attempts, the first ones, which keep the levels in strict balance
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class FactorLevel:
    """An answer that a ruleset can give, and its weight among the answers to its question."""

    slug: str
    values: Values
    weight: float


@dataclass(frozen=True, slots=True)
class Factor:
    """A question with at least two answers that rulesets can give. `decides`: parameters in which they differ."""

    slug: str
    levels: tuple[FactorLevel, ...]
    decides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Combination:
    """One answer to each question: their numbers, whether the question arises, the number of the cell, the weight."""

    levels: LevelNumbers
    arises: tuple[bool, ...]
    cell: int
    weight: float


@dataclass(frozen=True, slots=True)
class Space:
    """The combinations that are played, and their rulesets.

    combinations: all possible ones, or the sample
    cells:        the rulesets they come to
    size:         how many combinations there are, possible or not
    tried:        how many of them were looked at
    left_out:     reason -> how many of these are impossible
    is_complete:  whether every possible combination is there
    """

    combinations: tuple[Combination, ...]
    cells: tuple[Ruleset, ...]
    size: int
    tried: int
    left_out: Mapping[str, int]
    is_complete: bool


def factor_of(slug: str, answers: Iterable[FactorLevel]) -> Factor | None:
    """Make a factor of a question; None if fewer than two of its answers can be played."""
    levels = tuple(answer for answer in answers if answer.weight > 0)
    keys = dict.fromkeys(key for level in levels for key in level.values)
    values = {key: [level.values.get(key) for level in levels] for key in keys}
    decides = tuple(key for key, given in values.items() if any(value != given[0] for value in given))
    return Factor(slug, levels, decides) if decides else None


def problems(questions: Sequence[Factor], base: Ruleset) -> list[Problem]:
    """Why these questions cannot be varied together, or in this game."""
    found, deciders = [], dict[str, str]()
    properties = family(base.family).schema["properties"]
    for question in questions:
        for key in question.decides:
            if key in deciders:
                message = f"{deciders[key]} and {question.slug} both decide {key}: only one of them can be varied"
                found.append(Problem("questions", message, deciders[key]))
            deciders.setdefault(key, question.slug)
        for level in question.levels:
            for key, value in level.values.items():
                if key not in properties or not Draft202012Validator(properties[key]).is_valid(value):
                    found.append(Problem(f"{question.slug}:{level.slug}", f"{key} cannot be {value!r} in this game"))
    return found


def space(base: Ruleset, questions: Sequence[Factor], seed: int) -> Space:
    """The cells to be played; `seed` is that of the sample, if one is taken."""
    answers = _Answers(base, questions)
    weights = [[level.weight for level in question.levels] for question in questions]
    size = prod(map(len, weights))
    if size <= MOST_LISTED:
        every = product(*(range(len(own)) for own in weights))
        possible = [levels for levels in every if answers.allow(levels)]
        if len({answers.given(levels).hash for levels in possible}) <= MOST_CELLS:
            products = [prod(own[level] for own, level in zip(weights, levels, strict=True)) for levels in possible]
            return answers.space(possible, products, size, True)
    sample = balanced_sample(weights, MOST_CELLS, seed, answers.allow)
    return answers.space(sample, [1.0] * len(sample), size, False)


OF_PLAYERS = "it changes how many players or sides there are, and of four each wins less often, whatever the rules"
OF_NAMES = "its answers change only which side is called the first player"
BEGINS = "begins"  # the parameter that says so


def why_no_doubt(base: Ruleset, question: Factor) -> str:
    """Why a question is not varied with the doubts, on top of a base; empty where it is one of them.

    Of four one wins less often than of two, whatever the rules, and their games have more turns.
    """
    kind = family(base.family)
    answers = [active_parameters(base, level.values) for level in question.levels]
    if question.decides == (BEGINS,) and all(map(kind.sides_are_alike, answers)):
        return OF_NAMES
    numbers = []
    for parameters in answers:
        seats = kind.seats(parameters)
        numbers.append((seats, len({kind.side(parameters, seat) for seat in range(seats)})))
    if len(set(numbers)) < 2:
        return ""
    # Answers that are possible only under another answer to another question do not count; to find them takes longer.
    games = {number for number, level in zip(numbers, question.levels, strict=True) if _is_a_game(base, level.values)}
    return OF_PLAYERS if len(games) > 1 else ""


def _is_a_game(base: Ruleset, values: Values) -> bool:
    try:
        without_inactive(base, values)
    except RulesetProblem:
        return False
    return True


def values_of(questions: Sequence[Factor], levels: Sequence[int]) -> dict[str, Any]:
    """What one answer to each question sets: what it decides, and what is its condition where nothing decides that."""
    every = {key for question in questions for key in question.decides}
    conditions, decided = dict[str, Any](), dict[str, Any]()
    for one, level in zip(questions, levels, strict=True):
        for key, value in one.levels[level].values.items():
            if key in one.decides:
                decided[key] = value
            elif key not in every:
                conditions[key] = value
    return {**conditions, **decided}


class _Answers:
    """The rulesets that combinations of answers give, each made once; of an impossible one the reason."""

    def __init__(self, base: Ruleset, questions: Sequence[Factor]) -> None:
        self.base, self.questions = base, questions
        self.found: dict[LevelNumbers, Ruleset | str] = {}

    def allow(self, levels: LevelNumbers) -> bool:
        """Return whether the combination is possible."""
        if levels not in self.found:
            try:
                self.found[levels] = without_inactive(self.base, values_of(self.questions, levels))
            except RulesetProblem as error:
                self.found[levels] = "; ".join(f"{problem.key}: {problem.message}" for problem in error.problems)
        return isinstance(self.found[levels], Ruleset)

    def given(self, levels: LevelNumbers) -> Ruleset:
        found = self.found[levels]
        assert isinstance(found, Ruleset)
        return found

    def space(self, chosen: Sequence[LevelNumbers], weights: Sequence[float], size: int, is_complete: bool) -> Space:
        cells: dict[str, Ruleset] = {self.given(levels).hash: self.given(levels) for levels in chosen}
        numbers = {name: number for number, name in enumerate(cells)}
        whole = sum(weights)
        combinations = tuple(
            Combination(levels, self._arising(levels), numbers[self.given(levels).hash], weight / whole)
            for levels, weight in zip(chosen, weights, strict=True)
        )
        left_out = Counter(found for found in self.found.values() if isinstance(found, str))
        return Space(combinations, tuple(cells.values()), size, len(self.found), dict(left_out), is_complete)

    def _arising(self, levels: LevelNumbers) -> tuple[bool, ...]:
        inactive = family(self.base.family).inactive(self.given(levels).parameters)
        return tuple(any(key not in inactive for key in question.decides) for question in self.questions)


def without_inactive(base: Ruleset, values: Values) -> Ruleset:
    """The ruleset with these values set, and without the rules that then cannot fire; raises RulesetProblem."""
    return parse(active_parameters(base, values))


def active_parameters(base: Ruleset, values: Values) -> dict[str, Any]:
    """The parameters of such a ruleset, which need not be a game."""
    found = family(base.family)
    specs = found.schema["properties"]
    parameters = {**base.parameters, **values}
    while inactive := [key for key in found.inactive(parameters) if parameters[key] != specs[key]["default"]]:
        parameters.update((key, specs[key]["default"]) for key in inactive)
    return parameters


def balanced_sample(
    weights: Sequence[Sequence[float]], size: int, seed: int, allowed: Callable[[LevelNumbers], bool]
) -> list[LevelNumbers]:
    """Draw that many combinations, or fewer if none that is allowed can be found.

    weights: one for each level of each factor; levels of weight 0 do not come
    """
    return _Sample(weights, seed).drawn(size, allowed)


class _Sample:
    """The combinations drawn so far. The levels of all factors stand in one row, factor after factor.

    Lists of numbers, not arrays: a factor has two or three levels, and an array costs more than it holds.

    share:  the part of the combinations that each level is to be in
    counts: how many it is in
    pairs:  how often two levels came together, over how often by chance they would
    """

    def __init__(self, weights: Sequence[Sequence[float]], seed: int) -> None:
        ends = accumulate(map(len, weights))
        self.spans = [range(end - len(own), end) for end, own in zip(ends, weights, strict=True)]
        self.share = [weight / sum(own) for own in weights for weight in own]
        self.counts = [0.0] * len(self.share)
        self.pairs = [[0.0] * len(self.share) for _ in self.share]
        self.draw = np.random.default_rng(seed)
        self.size = 0

    def drawn(self, size: int, allowed: Callable[[LevelNumbers], bool]) -> list[LevelNumbers]:
        found: list[LevelNumbers] = []
        while len(found) < size:
            for attempt in range(ATTEMPTS):
                candidate = self._candidate(strict=attempt < STRICT)
                if (attempt >= STRICT or candidate not in found) and allowed(candidate):
                    break
            else:
                return found
            self._count(candidate)
            found.append(candidate)
        return found

    def _candidate(self, strict: bool) -> LevelNumbers:
        places = [0] * len(self.spans)
        chosen: list[int] = []
        for factor in self.draw.permutation(len(self.spans)).tolist():
            span = self.spans[factor]
            places[factor] = self._most_behind(span, chosen) if strict else self._any(span)
            chosen.append(places[factor])
        return tuple(place - span.start for place, span in zip(places, self.spans, strict=True))

    def _any(self, span: range) -> int:
        return int(span.start + self.draw.choice(len(span), p=[self.share[place] for place in span]))

    def _most_behind(self, span: range, chosen: list[int]) -> int:
        """The level that is most behind; among equals, the one that came least often with those chosen already."""
        behind = {
            place: (self.size + 1) * self.share[place] - self.counts[place] for place in span if self.share[place] > 0
        }
        least = max(behind.values()) - ROUNDING
        beside = {place: sum(self.pairs[other][place] for other in chosen) for place in behind if behind[place] > least}
        most = min(beside.values()) + ROUNDING
        equals = [place for place, crowd in beside.items() if crowd <= most]
        return equals[self.draw.integers(len(equals))]

    def _count(self, combination: LevelNumbers) -> None:
        self.size += 1
        places = [span.start + level for span, level in zip(self.spans, combination, strict=True)]
        for one, other in product(places, places):
            self.pairs[one][other] += 1 / (self.share[one] * self.share[other])
        for place in places:
            self.counts[place] += 1
