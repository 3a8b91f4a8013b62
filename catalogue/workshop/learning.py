"""How much each number counts by which offered rules are ranked, and how often a right rule is among the first.

Both leave one game out. The weights by which a game's words are ranked are learnt from the words of the other games
alone, and each of these is ranked, for learning, by what the others know, the game that is measured left out of all of
it. So no figure comes from words that anything was learnt of. Learnt is by multinomial logistic regression: weights by
which the rules that words carry are as likely as can be, and none is larger than it has to be.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.evidence.clauses import newest_rulesets
from catalogue.models import Reading
from catalogue.workshop.ranking import OFFERED, WEIGHTS, Example, Ranking, changes_of
from simulator.engine.family import family

ALL, NO_KIN, NONE = "others", "others of another kind", "none"  # whose words the ranking may know
OWN = "others and its own so far"
HELD_DOWN = 0.3  # how much large weights cost
Array = NDArray[np.float64]
Case = tuple[Array, Array]  # the numbers of every rule for each selection; which rules are right


class Folds:
    """Examples, game by game; what the others know of each."""

    def __init__(self, found: Sequence[Example]) -> None:
        self.found = found
        self.asked = [one for one in found if not one.said and not one.answered]
        self.games = sorted({(one.game, one.family) for one in self.asked})
        self.of_family = {kind: {one.game for one in found if one.family == kind} for _, kind in self.games}
        self.kinds = _kinds()
        self._cases: dict[Any, Case] = {}

    def kin(self, game: str) -> set[str]:
        """The games of which a reading is of the same kind, as evaluations know kinds; the game among them."""
        return {other for other in self.kinds if self.kinds[other] & self.kinds.get(game, frozenset())} | {game}

    def selections(self, game: str, kind: str) -> list[Example]:
        return [one for one in self.asked if (one.game, one.family) == (game, kind)]

    def case(self, game: str, kind: str, unknown: set[str]) -> Case:
        """The words of a game, with the numbers that rules have for them where some games are unknown."""
        name = game, kind, frozenset(unknown & self.of_family[kind])
        if name not in self._cases:
            ranked = Ranking(kind, [one for one in self.found if one.game not in unknown])
            words = self.selections(game, kind)
            right = np.array([[key in one.keys for key in ranked.keys] for one in words], dtype=float)
            self._cases[name] = np.stack([ranked.features(one.text) for one in words]), right
        return self._cases[name]

    def weights(self, without: str = "") -> tuple[float, ...]:
        """Learnt of all games but one, each ranked once by all the others and once by those of another kind."""
        games = [(game, kind) for game, kind in self.games if game != without]
        cases = [
            self.case(game, kind, unknown | {without})
            for game, kind in games
            for unknown in ({game}, self.kin(game))
        ]  # fmt: skip
        return learnt(cases) if cases else WEIGHTS


def learnt(cases: Sequence[Case]) -> tuple[float, ...]:
    """The weights by which the right rules are likeliest, in the mean of both ways in which each is ranked."""
    from scipy.optimize import minimize  # here: only who learns waits for it

    def loss(weights: Array) -> tuple[float, Array]:
        total, slope = HELD_DOWN * float(weights @ weights), 2 * HELD_DOWN * weights
        for numbers, right in cases:
            score = numbers @ weights
            likely = np.exp(score - score.max(axis=1, keepdims=True))
            likely /= likely.sum(axis=1, keepdims=True)
            of_right = likely * right
            sums = of_right.sum(axis=1, keepdims=True) + 1e-12
            total -= 0.5 * float(np.log(sums).sum())
            slope = slope - 0.5 * np.einsum("sk,skn->n", of_right / sums - likely, numbers)
        return total, slope

    found = minimize(loss, np.array(WEIGHTS), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return tuple(float(weight) for weight in found.x)


@dataclass(frozen=True, slots=True)
class Measured:
    """How often a right rule is among the first n. candidates: the mean number of rules that could have been right

    values: of rules with choices that are among five, how often the right value is among the first three
    """

    known: str
    selections: int
    among: Mapping[int, float]
    candidates: float
    by_family: Mapping[str, tuple[int, float]]
    values: float


def measured(folds: Folds, known: str = ALL, places: Sequence[int] = (1, 3, 5, 10)) -> Measured:
    """Leave one game out: its words are ranked by what was anchored elsewhere. Raises ValueError without words.

    known: ALL, in the other games; OWN, in these, and of its own words those that come before, in an order drawn by
    lot, with the rules that these set, as in a draft; NO_KIN, in those that are of another kind; NONE, nowhere: only
    the schema's sentences are left
    """
    if not folds.asked:
        raise ValueError("no words are anchored to rules: load the fixtures first")
    hits: Counter[int] = Counter()
    of_family: dict[str, Counter[str]] = defaultdict(Counter)
    values = Counter[bool]()
    candidates = 0
    for game, kind in folds.games:
        unknown = {ALL: {game}, OWN: {game}, NO_KIN: folds.kin(game)}.get(known)
        others = [one for one in folds.found if unknown is not None and one.game not in unknown]
        ranked = Ranking(kind, others, folds.weights(game))
        for one, own in _asked(folds.selections(game, kind), known == OWN):
            so_far = {key: value for before in own for key, value in before.values.items() if value is not None}
            order = [
                offer.key
                for offer in ranked.offers(one.text, own, {"family": kind, **so_far} if known == OWN else None)
            ]
            first = min(order.index(key) for key in one.keys)
            candidates += len(order)
            of_family[kind]["all"] += 1
            of_family[kind]["hit"] += first < OFFERED
            for place in places:
                hits[place] += first < place
            key = order[first]
            if first < OFFERED and changes_of(kind, key):
                values[one.values[key] in ranked.values(key, one.text)[:3]] += 1
    number = len(folds.asked)
    return Measured(
        known,
        number,
        {place: hits[place] / number for place in places},
        candidates / number,
        {kind: (count["all"], count["hit"] / count["all"]) for kind, count in sorted(of_family.items())},
        values[True] / max(1, values.total()),
    )


def _asked(words: list[Example], with_own: bool) -> Iterator[tuple[Example, Sequence[Example]]]:
    if with_own:
        words = random.Random(1).sample(words, len(words))
    for place, one in enumerate(words):
        yield one, words[:place] if with_own else ()


def _kinds() -> dict[str, frozenset[str]]:
    """Game -> the kinds of game that its readings are of."""
    rows = Reading.objects.values_list("game__slug", "slug")
    rulesets = newest_rulesets(slug for _, slug in rows)
    found: dict[str, set[str]] = defaultdict(set)
    for game, slug in rows:
        if ruleset := rulesets.get(slug):
            found[game].add(f"{ruleset.family}: {family(ruleset.family).kind_of_game(ruleset.parameters)}")
    return {game: frozenset(kinds) for game, kinds in found.items()}
