"""A balanced sample of combinations, where there are too many to play them all.

Each level of each factor comes as equally often as can be (or as its weight says), and so does each pair of levels of
two factors, as far as a greedy choice finds it. No combination comes twice if that can be helped. The sample is a
function of its seed.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate, product

import numpy as np

ATTEMPTS = 200  # for each combination, if some are not allowed
STRICT = 40  # of them, those that keep the levels in strict balance
ROUNDING = 1e-9

Combination = tuple[int, ...]


def balanced_sample(
    weights: Sequence[Sequence[float]], size: int, seed: int, allowed: Callable[[Combination], bool]
) -> list[Combination]:
    """So many combinations, as the number of a level for each factor; fewer if none that is allowed can be found.

    weights: of each factor's levels; levels of weight 0 do not come
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
        ends = list(accumulate(len(of_one) for of_one in weights))
        self.spans = [range(end - len(of_one), end) for end, of_one in zip(ends, weights, strict=True)]
        self.share = [weight / sum(of_one) for of_one in weights for weight in of_one]
        self.counts = [0.0] * len(self.share)
        self.pairs = [[0.0] * len(self.share) for _ in self.share]
        self.draw = np.random.default_rng(seed)
        self.size = 0

    def drawn(self, size: int, allowed: Callable[[Combination], bool]) -> list[Combination]:
        found: list[Combination] = []
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

    def _candidate(self, strict: bool) -> Combination:
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
        """The level that is most behind; of equals the one that least often stood beside those chosen already."""
        behind = {
            place: (self.size + 1) * self.share[place] - self.counts[place] for place in span if self.share[place] > 0
        }
        least = max(behind.values()) - ROUNDING
        beside = {place: sum(self.pairs[other][place] for other in chosen) for place in behind if behind[place] > least}
        most = min(beside.values()) + ROUNDING
        equals = [place for place, crowd in beside.items() if crowd <= most]
        return equals[self.draw.integers(len(equals))]

    def _count(self, combination: Combination) -> None:
        self.size += 1
        places = [span.start + level for span, level in zip(self.spans, combination, strict=True)]
        for one, other in product(places, places):
            self.pairs[one][other] += 1 / (self.share[one] * self.share[other])
        for place in places:
            self.counts[place] += 1
