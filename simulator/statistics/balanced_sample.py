"""A balanced sample of combinations, where there are too many to play them all.

Each level of each factor comes as equally often as can be (or as its weight says), and so does each pair of levels of
two factors, as far as a greedy choice finds it. No combination comes twice if that can be helped. The sample is a
function of its seed.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

ATTEMPTS = 200  # for each combination, if some are not allowed
STRICT = 40  # of them, those that keep the levels in strict balance
ROUNDING = 1e-9

Combination = tuple[int, ...]
Floats = NDArray[np.float64]


def balanced_sample(
    weights: Sequence[Sequence[float]], size: int, seed: int, allowed: Callable[[Combination], bool]
) -> list[Combination]:
    """So many combinations, as the number of a level for each factor; fewer if none that is allowed can be found.

    weights: of each factor's levels; levels of weight 0 do not come
    """
    return _Sample(weights, seed).drawn(size, allowed)


class _Sample:
    """The combinations drawn so far. The levels of all factors stand in one row, factor after factor.

    share:  the part of the combinations that each level is to be in
    counts: how many it is in
    pairs:  how often two levels came together, over how often by chance they would
    """

    def __init__(self, weights: Sequence[Sequence[float]], seed: int) -> None:
        ends = np.cumsum([len(of_one) for of_one in weights]).tolist()
        self.spans = [slice(end - len(of_one), end) for end, of_one in zip(ends, weights, strict=True)]
        self.share = np.concatenate([np.array(of_one, dtype=float) / sum(of_one) for of_one in weights])
        self.counts = np.zeros(len(self.share))
        self.pairs = np.zeros((len(self.share),) * 2)
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
        chosen = [0] * len(self.spans)
        crowd = np.zeros(len(self.share))
        for factor in self.draw.permutation(len(self.spans)).tolist():
            place = self._place(self.spans[factor], crowd, strict)
            chosen[factor] = place - self.spans[factor].start
            crowd += self.pairs[place]
        return tuple(chosen)

    def _place(self, span: slice, crowd: Floats, strict: bool) -> int:
        """The level that is most behind; of equals the one that least often stood beside those chosen already."""
        share = self.share[span]
        if not strict:
            return int(span.start + self.draw.choice(len(share), p=share))
        behind = np.where(share > 0, (self.size + 1) * share - self.counts[span], -np.inf)
        beside = np.where(behind > behind.max() - ROUNDING, crowd[span], np.inf)
        return int(span.start + self.draw.choice(np.flatnonzero(beside <= beside.min() + ROUNDING)))

    def _count(self, combination: Combination) -> None:
        self.size += 1
        places = [span.start + level for span, level in zip(self.spans, combination, strict=True)]
        self.counts[places] += 1
        self.pairs[np.ix_(places, places)] += 1 / np.outer(self.share[places], self.share[places])
