"""How much of the differences between cells is due to each factor, less the noise of the games.

A cell is what a combination of levels comes to; its mean was measured in games and has a standard error. Every variance
given here is a quadratic form of the cell means, m'Am. Measured means differ more than true ones: m'Am is too large by
trace(A S), where S holds the squared standard errors, and that is taken off, so that no estimate leans either way.

A factor need not arise in every combination. Where it does not, its level changes nothing; "does not arise" is a level
of its own, and the contrast between it and the rest belongs to the factors that decide whether it arises. What a factor
does on its own is therefore the variance between its levels among the combinations in which it arises, times their
weight. Where all factors arise everywhere this is Sobol's first-order index.

For a sample of the combinations, a main-effects model is fitted by weighted least squares. What it leaves is taken for
interactions of two factors, those of any pair being equally likely. They make fitted effects look larger than they are,
by as much as residuals and design say; that is taken off, as the noise of the games is.

The responses that a study explains are a few means of each batch, with their squared standard errors. The mean of the
sampled combinations with one answer is fitted by no model, so that a mean of shares is a share. The combinations of a
balanced sample are treated as drawn at random, which makes intervals too wide rather than too narrow: the balance
removes part of what other answers do.

The largest of many estimated shares is not the largest share because it looks so. It is called the largest only if it
exceeds each of the others by more than chance would, at 1 − 5 % / (their number − 1), one-sided, by the spread of the
difference among the resamples. One that is not the largest is taken for it in at most 5 % of studies: it would have to
exceed the true largest one in one of these comparisons (Hsu, J. C. 1996. Multiple Comparisons. Chapman & Hall: section
4.2, comparisons with the best).

Who won is a share of the games that somebody won: a game that the cap stopped is neither won nor lost.

Sources
- Sobol, I. M. 2001. Global sensitivity indices for nonlinear mathematical models. Mathematics and Computers in
  Simulation 55: 271–280 (first-order and total indices).
- Searle, S. R., Casella, G. & McCulloch, C. E. 1992. Variance Components. Wiley: section 4.2 (the expectation of a
  quadratic form) and chapter 5 (estimating variances by setting quadratic forms equal to their expectations).
- Efron, B. & Tibshirani, R. J. 1993. An Introduction to the Bootstrap. Chapman & Hall: section 6.5 (the parametric
  bootstrap).
- Wu, C. F. J. 1986. Jackknife, bootstrap and other resampling methods in regression analysis. Annals of Statistics 14:
  1261–1295 (residuals resampled each at its own place, later called the wild bootstrap).
- Cochran, W. G. 1977. Sampling Techniques. 3rd ed. Wiley: sections 2.11 and 6.4 (the mean of a part of a sample).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED
from simulator.engine.family import GAME, Measure
from simulator.engine.naming import Naming
from simulator.engine.tally import Tally, totals
from simulator.statistics.distributions import distribution
from simulator.statistics.intervals import CONFIDENCE, TAIL, Interval, Z
from simulator.statistics.summary import family_measures, winner_counts, with_totals

RESAMPLES = 2_000
NOTHING = 1e-12  # a trace or a weight that is only rounding

Floats = NDArray[np.float64]
TURNS, WON, DRAWN, OPEN = "turns", "won_0", "draw", "open"
DECIDED = "won_0_decided"  # what part the first player won of the games that somebody won
ROUNDS = "rounds"  # a unit: when one round is played, how many are begun says nothing of rounds


@dataclass(frozen=True, slots=True)
class Combinations:
    """Combinations of levels, and the cells they come to; several may come to one cell.

    weights: float64[k], adding up to 1
    cells:   int64[k], numbers of cells from 0, each of them at least once
    levels:  int64[k, factors]
    arises:  bool[k, factors]
    """

    weights: Floats
    cells: NDArray[np.int64]
    levels: NDArray[np.int64]
    arises: NDArray[np.bool_]

    @property
    def factors(self) -> int:
        return int(self.levels.shape[1])

    def membership(self) -> Floats:
        """Return float64[k, cells]: 1 where a combination comes to a cell."""
        return np.eye(int(self.cells.max()) + 1)[self.cells]


@dataclass(frozen=True, slots=True)
class Forms:
    """The matrices A of the variances to be estimated, float64[cells, cells] each.

    whole:  the variance between the combinations
    first:  what each factor does on its own
    total:  what each factor does on its own and together with others; None where a sample does not give it
    Of a sample also
    fitted: the cell means that the factors on their own would give, as a matrix over the measured ones, and
    beyond: the variance of what else there is
    """

    whole: Floats
    first: tuple[Floats, ...]
    total: tuple[Floats, ...] | None = None
    fitted: Floats | None = None
    beyond: Floats | None = None


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of the variance between the combinations, each with its 95 % interval, from 0 to 1.

    variance: the variance itself, in squared units; noise: what was taken off it
    first, total: by factor; rest: what the factors on their own leave. All empty or None if the variance does not
    stand out from none at all
    below:    factors whose share on its own was estimated below 0, and is given as 0
    leads:    whether the largest share on its own is shown to be the largest
    """

    variance: Interval
    noise: float
    first: tuple[Interval, ...]
    total: tuple[Interval, ...] | None
    rest: Interval | None
    below: tuple[int, ...]
    leads: bool = False


def complete_forms(table: Combinations) -> Forms:
    """Return the forms where every combination is there: first-order and total indices, exact over weighted cells."""
    member = table.membership()
    factors, mass = range(table.factors), table.weights @ member
    return Forms(
        np.asarray(np.diag(mass) - np.outer(mass, mass)),
        tuple(_first(table, member, factor) for factor in factors),
        tuple(_total(table, member, factor) for factor in factors),
    )


def shares(forms: Forms, means: Sequence[float], errors: Sequence[float], seed: int) -> Shares:
    """Return the shares and their intervals.

    means:  of the cells; errors: their squared standard errors
    seed:   of the resamples: cell means drawn again from normal distributions with these errors; of a sample, about the
            fitted means and with what each cell lies beside its fit as further error, since the cells might have been
            others. Adding noise to noisy means inflates them, so the resamples are centred on the estimates.
    """
    measured, noise = np.asarray(means, dtype=float), np.asarray(errors, dtype=float)
    # Scaled to 1, so that NOTHING means the same for shares and for thousands of turns.
    scale = float(np.abs(measured).max()) or 1.0
    measured, noise = measured / scale, noise / scale**2
    every = [forms.whole, *forms.first, *(forms.total or ())]
    estimates = np.array([_estimates(form, measured[None], noise)[0] for form in every])
    centre, spread = _about(forms, measured, noise)
    drawn = centre + np.random.default_rng(seed).standard_normal((RESAMPLES, len(measured))) * np.sqrt(spread)
    again = np.array([_estimates(form, drawn, noise) for form in every])
    # Centred on the estimates: noise added to noisy means inflates the forms.
    again += (estimates - again.mean(axis=1))[:, None]
    low, high = _limits(again[0])
    squared = scale * scale
    variance = Interval(max(estimates[0], 0.0) * squared, max(low, 0.0) * squared, max(high, 0.0) * squared)
    taken_off = max(float(np.diag(forms.whole) @ noise), 0.0) * squared
    if low <= NOTHING:
        return Shares(variance, taken_off, (), None, None, ())
    share, resampled = estimates[1:] / estimates[0], again[1:] / np.maximum(again[0], NOTHING)
    intervals = [_within(value, values) for value, values in zip(share, resampled, strict=True)]
    factors = len(forms.first)
    return Shares(
        variance,
        taken_off,
        first=tuple(intervals[:factors]),
        total=tuple(intervals[factors:]) if forms.total is not None else None,
        rest=_within(1 - share[:factors].sum(), 1 - resampled[:factors].sum(axis=0)),
        below=tuple(factor for factor in range(factors) if share[factor] < 0),
        leads=_leads(share[:factors], resampled[:factors]),
    )


def _leads(share: Floats, resampled: Floats) -> bool:
    """Return whether the largest share exceeds each of the others by more than chance would make it."""
    best, others = int(share.argmax()), len(share) - 1
    if not others:
        return True
    z = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / others)
    gaps, spread = share[best] - share, (resampled[best] - resampled).std(axis=1)
    return bool(np.delete(gaps > z * spread, best).all())


def combined(row: Floats, means: Sequence[float], errors: Sequence[float], z: float = Z) -> Interval:
    """Return a weighted mean of the cell means, with its interval, where every combination is there.

    z: the normal quantile of the confidence, 95 % unless given
    """
    measured, noise = np.asarray(means, dtype=float), np.asarray(errors, dtype=float)
    return Interval.around(float(row @ measured), z * sqrt(float(row**2 @ noise)))


def _within(value: float, resampled: Floats) -> Interval:
    """Return a share and its interval, cut to what a share can be."""
    return Interval(float(value), *_limits(resampled)).cut(0.0, 1.0)


def _limits(resampled: Floats) -> tuple[float, float]:
    low, high = np.quantile(resampled, [TAIL, 1 - TAIL])
    return float(low), float(high)


def _estimates(form: Floats, means: Floats, noise: Floats) -> Floats:
    """Return m'Am less the noise, for each row of means."""
    return np.asarray(((means @ form) * means).sum(axis=1) - np.diag(form) @ noise)


def _about(forms: Forms, means: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Return what cell means are drawn about, and with what variances.

    Of a sample, cells that lie far beside their fit vary as much (a wild bootstrap): where few combinations stand out,
    another sample would give other figures, and the intervals have to say so.
    """
    if forms.fitted is None or forms.beyond is None:
        return means, noise
    fitted = np.asarray(forms.fitted @ means)
    squares = (means - fitted) ** 2
    variance = max(float(_estimates(forms.beyond, means[None], noise)[0]), 0.0)
    return fitted, noise + squares * (variance / max(float(squares.mean()), NOTHING))


def _first(table: Combinations, member: Floats, factor: int) -> Floats:
    """Return the weighted variance of the means of a factor's levels, among the combinations in which it arises."""
    arising = table.weights * table.arises[:, factor]
    form = np.zeros((member.shape[1],) * 2)
    if arising.sum() <= NOTHING:
        return form
    common = arising @ member / arising.sum()
    for level in np.unique(table.levels[:, factor]):
        weights = arising * (table.levels[:, factor] == level)
        if weights.sum() > NOTHING:
            contrast = weights @ member / weights.sum() - common
            form += weights.sum() * np.outer(contrast, contrast)
    return form


def _total(table: Combinations, member: Floats, factor: int) -> Floats:
    """Return the variance that is left while all other factors are held, averaged over them."""
    others = np.delete(table.levels, factor, axis=1)
    _, held = np.unique(others, axis=0, return_inverse=True)
    groups = np.zeros((int(held.max()) + 1, member.shape[1]))
    np.add.at(groups, held.ravel(), member * table.weights[:, None])
    mass = groups.sum(axis=1)
    groups = groups[mass > NOTHING] / np.sqrt(mass[mass > NOTHING])[:, None]
    return np.asarray(np.diag(table.weights @ member) - groups.T @ groups)


def sampled_forms(table: Combinations) -> Forms:
    """Return the forms of a sample: no total indices, which would need combinations that differ in one factor only."""
    member = table.membership()
    columns, design, coefficients = _fit(table, member)
    left = member - design @ coefficients
    residual = left.T @ (left * table.weights[:, None])
    scatter = _scatter(table, member)
    spread = float((residual * scatter).sum())
    beyond = residual / spread if spread > NOTHING else np.zeros_like(residual)
    first, start = [], 1
    for effects in columns:
        rows = coefficients[start : start + effects.shape[1]]
        form = rows.T @ (effects.T * table.weights) @ effects @ rows
        first.append(form - (form * scatter).sum() * beyond)
        start += effects.shape[1]
    fitted = _by_cell(table, member) @ design @ coefficients
    return Forms(np.sum(first, axis=0) + beyond, tuple(first), None, fitted, beyond)


def _fit(table: Combinations, member: Floats) -> tuple[list[Floats], Floats, Floats]:
    """Return the columns of each factor’s effects, the design with the column of ones, and the coefficients."""
    columns = [_effects(table, factor) for factor in range(table.factors)]
    design = np.hstack([np.ones((len(table.weights), 1)), *columns])
    weighted = design.T * table.weights
    return columns, design, np.linalg.pinv(weighted @ design) @ weighted @ member


def _effects(table: Combinations, factor: int) -> Floats:
    """Return the columns of the effects of a factor's levels: they add up to 0 where it arises, and are 0 elsewhere."""
    arising = table.weights * table.arises[:, factor]
    present = [level for level in np.unique(table.levels[:, factor]) if arising[table.levels[:, factor] == level].sum()]
    marks = [(table.levels[:, factor] == level) * table.arises[:, factor].astype(float) for level in present]
    if len(marks) < 2:
        return np.zeros((len(table.weights), 0))
    last = float(table.weights @ marks[-1])
    return np.stack([mark - float(table.weights @ mark) / last * marks[-1] for mark in marks[:-1]], axis=1)


def _scatter(table: Combinations, member: Floats) -> Floats:
    """Return the covariances between cells of two-factor interactions, all pairs alike; the identity without any.

    Two combinations have an effect of a factor in common if they share its level, and effects of one sign apart; those
    of a pair of factors multiply.
    """
    kernels = np.array([_kernel(table, factor) for factor in range(table.factors)])
    pairs = kernels.sum(axis=0) ** 2 - (kernels**2).sum(axis=0)
    size = float(table.weights @ np.diag(pairs))
    if size <= NOTHING:
        return np.eye(member.shape[1])
    average = _by_cell(table, member)
    return np.asarray(average @ pairs @ average.T / size)


def _kernel(table: Combinations, factor: int) -> Floats:
    """Return the covariances between combinations of a random main effect with variance 1 where it arises."""
    arises, levels = table.arises[:, factor], table.levels[:, factor]
    arising = table.weights * arises
    present = np.unique(levels[arising > 0])
    if len(present) < 2:
        return np.zeros((len(levels),) * 2)
    mass = np.array([max(arising[levels == level].sum(), NOTHING) for level in levels])
    rare = np.where(arises, arising.sum() / mass, 0.0)
    alike = (levels[:, None] == levels) * rare
    return np.asarray((alike - 1) * np.outer(arises, arises) / (len(present) - 1))


def _by_cell(table: Combinations, member: Floats) -> Floats:
    """Return what averages the combinations of each cell, float64[cells, k]."""
    return np.asarray((member.T * table.weights) / (member.T @ table.weights)[:, None])


@dataclass(frozen=True, slots=True)
class Response:
    """A figure that a study explains. unit: "share", or what is counted"""

    key: str
    title: str
    unit: str


@dataclass(frozen=True, slots=True)
class ResponseMean:
    """A mean over the games, and the square of its standard error."""

    mean: float
    error: float


def responses(measures: Sequence[Measure], naming: Naming, cap: int, until: str = "game") -> list[Response]:
    """Return how long games are and how they end, and what the family counts besides, in the order of its measures."""
    of_seats = {measure.name for measures_of_seats in totals(measures).values() for measure in measures_of_seats}
    named = with_totals(measures, naming)
    further = [named[name] for name in family_measures(measures) if name not in of_seats]
    found = [
        Response(TURNS, "", "turns"),
        Response(WON, f"Won by the {naming.seat(0)}", "share"),
        Response(DRAWN, "", "share"),
        Response(OPEN, "", "share"),
        *(Response(measure.name, measure.title, measure.unit) for measure in further),
    ]
    return [titled(one, until, cap) for one in found if not (until == FIRST and one.unit == ROUNDS)]


FIRST = "round"  # where only first rounds are played


def titled(response: Response, until: str, cap: int) -> Response:
    """Return the response as it is called where whole games are played, or first rounds; `won_0` keeps its seat."""
    of_round = until == FIRST
    if response.key in (WON, DECIDED):
        seat = response.title.removeprefix("Won by the ").partition(",")[0]
        title = f"The {seat} owned more" if of_round else response.title
        if response.key == DECIDED:
            title += ", of first rounds that did not end equal" if of_round else ", of games that somebody won"
        return Response(response.key, title, response.unit)
    titles = {
        TURNS: f"Turns of {'the first round' if of_round else 'a game'}, up to {cap:,}",
        DRAWN: "Ended equal" if of_round else "Drawn by the rules",
        OPEN: "Endless or unfinished",
    }
    return Response(response.key, titles.get(response.key, response.title), response.unit)


def response_mean(response: Response, tally: Tally, cap: int) -> ResponseMean:
    """Return the response in the games of one batch. Turns of an unfinished game count as the cap."""
    games = tally.games
    if response.unit == "share":
        ends = tally.ends()
        counts = {WON: winner_counts(tally, 1)[0], DRAWN: ends[DRAW], OPEN: ends[ENDLESS] + ends[UNFINISHED]}
        share = counts[response.key] / games
        return ResponseMean(share, share * (1 - share) / max(games - 1, 1))
    measure = Measure(response.key, response.title, response.unit, GAME)
    counted = distribution(measure, tally.histograms[response.key], cap)
    total = int(counted.values @ counted.counts) + cap * counted.beyond
    squares = int(counted.values**2 @ counted.counts) + cap * cap * counted.beyond
    mean = total / games
    return ResponseMean(mean, max(squares / games - mean * mean, 0.0) / max(games - 1, 1))


def sampled_mean(
    weights: Sequence[float] | Floats,
    means: Sequence[float],
    errors: Sequence[float],
    wide: float = Z,
    z: float = Z,
) -> Interval:
    """Return the weighted mean of some of the cells of a sample.

    weights: of the cells, of any sum, 0 for those without the answer
    means:   of all cells; errors: their squared standard errors
    wide, z: half the width of the interval in standard errors, of the scatter of so many cells and of the noise
    The squares of what cells lie beside the mean hold the noise of their games; where they come to less than that, the
    noise stands. One cell alone says nothing of what others would be: it is taken to scatter as all cells do.
    """
    part, measured = np.asarray(weights, dtype=float), np.asarray(means, dtype=float)
    part = part / part.sum()
    value, noise = float(part @ measured), float(part**2 @ np.asarray(errors, dtype=float))
    number = int((part > 0).sum())
    if number > 1:
        scatter = float(part**2 @ (measured - value) ** 2) * number / (number - 1)
    else:
        scatter = float(measured.var(ddof=1)) if len(measured) > 1 else 0.0
    return Interval.around(value, max(wide * sqrt(scatter), z * sqrt(noise)))
