"""The responses that a study explains: a few means of each batch, with their squared standard errors.

The mean of the sampled combinations with one answer is fitted by no model, so that a mean of shares is a share. The
combinations of a balanced sample are taken for drawn at random, which makes intervals too wide rather than too narrow:
the balance takes out part of what other answers do.

Source: Cochran, W. G. 1977. Sampling Techniques. 3rd ed. Wiley: sections 2.11 and 6.4 (the mean of a part of a sample).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED
from simulator.engine.family import GAME, Measure
from simulator.engine.naming import Naming
from simulator.engine.tally import Tally, totals
from simulator.statistics.distributions import distribution
from simulator.statistics.intervals import Interval, Z
from simulator.statistics.sections import winner_counts
from simulator.statistics.summary import family_measures, with_totals
from simulator.statistics.variance_shares import Floats

TURNS, WON, DRAWN, OPEN = "turns", "won_0", "draw", "open"


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


def responses(measures: Sequence[Measure], naming: Naming, cap: int) -> list[Response]:
    """Return how long games are and how they end, and what the family counts besides, in the order of its measures."""
    of_seats = {measure.name for measures_of_seats in totals(measures).values() for measure in measures_of_seats}
    named = with_totals(measures, naming)
    further = [named[name] for name in family_measures(measures) if name not in of_seats]
    return [
        Response(TURNS, f"Turns of a game, up to {cap:,}", "turns"),
        Response(WON, f"Won by the {naming.seat(0)}", "share"),
        Response(DRAWN, "Drawn by the rules", "share"),
        Response(OPEN, "Endless or unfinished", "share"),
        *(Response(measure.name, measure.title, measure.unit) for measure in further),
    ]


def response_mean(response: Response, tally: Tally, cap: int) -> ResponseMean:
    """Return the response in the games of one batch. Turns of an unfinished game count as the cap."""
    games = tally.games
    if response.unit == "share":
        ends = tally.ends()
        counts = {WON: winner_counts(tally, 1)[0], DRAWN: ends[DRAW], OPEN: ends[ENDLESS] + ends[UNFINISHED]}
        share = counts[response.key] / games
        return ResponseMean(share, share * (1 - share) / max(games - 1, 1))
    measure = Measure(response.key, response.title, response.unit, GAME)
    found = distribution(measure, tally.histograms[response.key], cap)
    total = int(found.values @ found.counts) + cap * found.beyond
    squares = int(found.values**2 @ found.counts) + cap * cap * found.beyond
    mean = total / games
    return ResponseMean(mean, max(squares / games - mean * mean, 0.0) / max(games - 1, 1))


def sampled_mean(weights: Sequence[float] | Floats, means: Sequence[float], errors: Sequence[float]) -> Interval:
    """Return the weighted mean of some of the cells of a sample.

    weights: of the cells, of any sum, 0 for those without the answer
    means:   of all cells; errors: their squared standard errors
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
    return Interval.around(value, Z * sqrt(max(scatter, noise)))
