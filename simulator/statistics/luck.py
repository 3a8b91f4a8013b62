"""How far the throws alone decide a game: the luck share.

Every game is played a second time with the same throws and other choices. Were the throws all, both would end alike;
did they decide nothing, no oftener than any two games. The share is the intraclass correlation of the results (for
two outcomes the correlation of one side's wins), with an interval by bootstrap over the pairs of games.

Source: Fleiss, J. L. & Cuzick, J. 1979. The reliability of dichotomous judgments: unequal numbers of judges per
subject. Applied Psychological Measurement 3: 537–542 (the correlation of categories within pairs).
"""

import numpy as np
import numpy.typing as npt

from simulator.statistics.intervals import TAIL, Interval
from simulator.statistics.rows import SHARE, Row, row
from simulator.statistics.wording import share_text

RESAMPLES = 2_000

Pairs = npt.NDArray[np.int64]  # [outcomes, outcomes]: how often the first game ended in k and the second in l


def paired_outcomes(first: npt.NDArray[np.integer], second: npt.NDArray[np.integer]) -> Pairs:
    """How often each pair of outcomes came; `first` and `second`: a code per game, in the order of the games."""
    codes, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    size = len(codes)
    joint = places[: len(first)] * size + places[len(first) :]
    counts: Pairs = np.bincount(joint, minlength=size * size).reshape(size, size)
    return counts


def luck_share(pairs: Pairs, seed: int) -> Interval | None:
    """The luck share with its 95 % bootstrap limits, or None if every game ended alike, so that nothing is decided."""
    value = _correlation(pairs[np.newaxis])[0]
    if np.isnan(value):
        return None
    games = int(pairs.sum())
    resampled = np.random.Generator(np.random.PCG64(seed)).multinomial(games, pairs.ravel() / games, size=RESAMPLES)
    found = _correlation(resampled.reshape(RESAMPLES, *pairs.shape))
    low, high = np.nanquantile(found, [TAIL, 1 - TAIL])
    return Interval(float(value), float(low), float(high))


def _correlation(pairs: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
    """(agreeing pairs - those expected) / (all pairs - those expected), of each table; nan where all is expected."""
    games = pairs.sum(axis=(1, 2))
    agreeing = np.trace(pairs, axis1=1, axis2=2) / games
    shares = (pairs.sum(axis=1) + pairs.sum(axis=2)) / (2 * games[:, np.newaxis])
    expected = (shares**2).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: npt.NDArray[np.float64] = np.where(expected < 1, (agreeing - expected) / (1 - expected), np.nan)
    return found


def luck_row(pairs: Pairs, seed: int) -> Row:
    """The figure for a page."""
    figure, games = luck_share(pairs, seed), int(pairs.sum())
    note = (
        f"Correlation of the results of {games:,} pairs of games with the same throws and other choices; "
        f"bootstrap over the pairs, seed {seed}. 0 %: the throws decide nothing; 100 %: nothing else does."
    )
    text = share_text(figure) if figure else "every game ended alike"
    return row("luck_share", "Decided by the throws alone", figure, unit=SHARE, n=games, text=text, note=note)
