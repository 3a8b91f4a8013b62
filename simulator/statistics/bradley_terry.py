"""Strengths of players, and the points that they are expected to make, from one fit to their games.

The model of Bradley and Terry: player i wins against player j with the probability g_i / (g_i + g_j); alone against m
of the same kind with g_i / (g_i + m g_j), as the first place in the model of Plackett and Luce. On the scale of Elo's
ratings, 400 log10(g), 400 more is ten wins to one loss. A game that nobody won is divided among the sides, which leaves
the strengths as they are and makes their intervals too wide rather than too narrow.

A game that was stopped is no observed half: whoever would have won it, the limits hold. Each limit is that of another
fit, in which all stopped games went the way that moves it farthest; in the figure itself they are divided. A pair that
played is an edge of a network and its surplus of points a current, so which way moves a limit does not depend on how
many of the games went it.

Where one player wins every game its strength has no bound. So that there is a figure even then, each pair that played
is given half a win more on both sides; for one pair this is Firth's correction, which also takes most of the bias off.

Sources
- Bradley, R. A. & Terry, M. E. 1952. Rank analysis of incomplete block designs I. Biometrika 39: 324–345.
- Hunter, D. R. 2004. MM algorithms for generalized Bradley–Terry models. Annals of Statistics 32: 384–406 (when the
  estimate exists; the likelihood is concave in the logarithms, which are what is looked for here).
- Firth, D. 1993. Bias reduction of maximum likelihood estimates. Biometrika 80: 27–38.
- McCullagh, P. & Nelder, J. A. 1989. Generalized Linear Models. 2nd ed. Chapman and Hall: section 4.4 (the deviance).
"""

from collections.abc import Callable, Sequence
from math import exp, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.statistics.intervals import Interval, Z

ELO = 400 / log(10)  # points of Elo's scale in one unit of the natural logarithm
ADDED = 0.5

Floats = NDArray[np.float64]


class NoStrengths(ValueError):
    """The games do not say: some players never met, even by way of others, or won all or none of the games."""


class PointsAgainst(NamedTuple):
    """Two players, by their numbers, and the points of the one against the other.

    won, lost: a point for a win, and a share of the point for a game nobody won
    others:    how many of the other kind the one stood alone against
    stopped:   games that were stopped, which are in neither
    """

    one: int
    other: int
    won: float
    lost: float
    others: int = 1
    stopped: float = 0.0


class Fit:
    """The strengths that fit the games of some players best, and what follows from them.

    added: points given to both sides of all that met
    Raises NoStrengths.
    """

    def __init__(self, met: Sequence[PointsAgainst], added: float = ADDED) -> None:
        self._met, self._added = met, added
        self._middle = _Best(_Pairs([_divided(pair) for pair in met], added))
        self._edges: dict[tuple[bool, ...], _Best] = {}

    def strength(self, player: int) -> Interval:
        """Return the strength of a player on Elo's scale, with 95 % limits; that of player 0 is 0 by definition."""
        return _mapped(self._contrast(player, 0), lambda ahead: ELO * ahead)

    def points(self, one: int, other: int, others: int = 1) -> Interval:
        """Return the share of the points that one is expected to make against so many of the other kind."""
        return _mapped(self._contrast(one, other), lambda ahead: _expit(ahead - log(others)))

    def misfit(self) -> float | None:
        """Return how likely games of players on one scale differ at least so much from what is expected of them.

        The tail of the chi-squared distribution beyond the deviance. None if as many figures are fitted as pairs met,
        and if games were stopped, as these may go any way.
        """
        from scipy.special import chdtrc

        pairs = self._middle.pairs
        freedom = len(self._met) - (pairs.players - 1)
        if freedom <= 0 or any(pair.stopped for pair in self._met):
            return None
        # Twice the logarithm of the likelihood that is lost beside a fit of every pair of its own.
        own = sum(_entropy(won, lost) for won, lost in zip(pairs.won, pairs.lost, strict=True))
        return float(chdtrc(freedom, max(2 * (pairs.loss(self._middle.rest) - own), 0.0)))

    def _contrast(self, one: int, other: int) -> Interval:
        """Return how far one is ahead of the other, in natural logarithms."""
        if one == other:
            return Interval(0.0, 0.0, 0.0)
        pairs, middle = self._middle.pairs, self._middle
        wanted = np.zeros(pairs.players)
        wanted[one], wanted[other] = 1, -1
        rest = wanted[1:]
        low = high = middle
        if any(pair.stopped for pair in self._met):
            raised = rest @ middle.covariance @ pairs.sides[:, 1:].T > 0  # by points of the one in each pair
            low, high = self._edge(tuple(~raised)), self._edge(tuple(raised))
        return Interval(
            float(rest @ middle.rest),
            float(rest @ low.rest) - Z * low.error(rest),
            float(rest @ high.rest) + Z * high.error(rest),
        )

    def _edge(self, won: tuple[bool, ...]) -> "_Best":
        """Return the fit in which the one of each pair won all stopped games, or lost them."""
        if won not in self._edges:
            went = [
                pair._replace(won=pair.won + pair.stopped) if up else pair._replace(lost=pair.lost + pair.stopped)
                for pair, up in zip(self._met, won, strict=True)
            ]
            self._edges[won] = _Best(_Pairs(went, self._added))
        return self._edges[won]


def _divided(pair: PointsAgainst) -> PointsAgainst:
    """Return the pair with the stopped games divided among the sides."""
    part = pair.stopped / (pair.others + 1)
    return pair._replace(won=pair.won + part, lost=pair.lost + pair.stopped - part)


def _mapped(ahead: Interval, scale: Callable[[float], float]) -> Interval:
    low, high = ahead.limits
    return Interval(scale(ahead.value), scale(low), scale(high))


def _expit(ahead: float) -> float:
    return 1 / (1 + exp(-ahead))


def _entropy(won: float, lost: float) -> float:
    """Return the loss of a pair that is fitted by its own share."""
    return -sum(part * log(part / (won + lost)) for part in (won, lost) if part)


class _Best:
    """The logarithms of the strengths that fit best, and how sure they are."""

    def __init__(self, pairs: "_Pairs") -> None:
        from scipy.optimize import minimize

        if not pairs.are_on_one_scale():
            raise NoStrengths("the games do not bring all players onto one scale")
        # The loss is convex, so any start leads to the one minimum.
        start, options = np.zeros(pairs.players - 1), {"gtol": 1e-9}
        best = minimize(
            pairs.loss, start, jac=pairs.slope, hess=pairs.information, method="trust-exact", options=options
        )
        self.pairs, self.rest = pairs, np.asarray(best.x, np.float64)
        # The inverse of Fisher's information is the covariance of the estimates.
        self.covariance = np.asarray(np.linalg.inv(pairs.information(self.rest)), np.float64)

    def error(self, contrast: Floats) -> float:
        return float(np.sqrt(contrast @ self.covariance @ contrast))


class _Pairs:
    """The likelihood of the logarithms of all strengths but the first, which is 0."""

    def __init__(self, met: Sequence[PointsAgainst], added: float) -> None:
        self.players = 1 + max(max(pair.one, pair.other) for pair in met)
        self.won = np.array([pair.won + added for pair in met])
        self.lost = np.array([pair.lost + added for pair in met])
        self.handicap = np.log([float(pair.others) for pair in met])
        self.sides = np.zeros((len(met), self.players))
        for place, pair in enumerate(met):
            self.sides[place, pair.one], self.sides[place, pair.other] = 1, -1

    def are_on_one_scale(self) -> bool:
        """Return whether no group of players lost all of its games, or none, to the others (Hunter's A1)."""
        from scipy.sparse.csgraph import connected_components

        beaten = np.zeros((self.players, self.players))
        for side, won, lost in zip(self.sides, self.won, self.lost, strict=True):
            one, other = int(side.argmax()), int(side.argmin())
            beaten[one, other] += won
            beaten[other, one] += lost
        return int(connected_components(beaten > 0, directed=True, connection="strong")[0]) == 1

    def _ahead(self, rest: Floats) -> Floats:
        return np.asarray(self.sides[:, 1:] @ rest - self.handicap)

    def loss(self, rest: Floats) -> float:
        ahead = self._ahead(rest)
        return float(self.won @ np.logaddexp(0, -ahead) + self.lost @ np.logaddexp(0, ahead))

    def slope(self, rest: Floats) -> Floats:
        from scipy.special import expit

        expected = (self.won + self.lost) * expit(self._ahead(rest))
        return np.asarray((expected - self.won) @ self.sides[:, 1:])

    def information(self, rest: Floats) -> Floats:
        """Fisher's, which is also the curvature of the loss."""
        from scipy.special import expit

        likely = expit(self._ahead(rest))
        weights = (self.won + self.lost) * likely * (1 - likely)
        return np.asarray(self.sides[:, 1:].T @ (weights[:, None] * self.sides[:, 1:]))
