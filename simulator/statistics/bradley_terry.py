"""Strengths of players from the points they made against one another.

The model of Bradley and Terry: player i wins against player j with the probability g_i / (g_i + g_j); alone against m
of the same kind with g_i / (g_i + m g_j), as the first place in the model of Plackett and Luce. On the scale of Elo's
ratings, 400 log10(g), 400 more is ten wins to one loss. A game that nobody won is divided among the sides, which leaves
the strengths as they are and makes their intervals too wide rather than too narrow.

Where one player wins every game its strength has no bound. So that there is a figure even then, each pair that played
is given half a win more on both sides; for one pair this is Firth's correction, which also takes most of the bias off.

Sources
- Bradley, R. A. & Terry, M. E. 1952. Rank analysis of incomplete block designs I. Biometrika 39: 324–345.
- Hunter, D. R. 2004. MM algorithms for generalized Bradley–Terry models. Annals of Statistics 32: 384–406 (when the
  estimate exists; the likelihood is concave in the logarithms, which are what is looked for here).
- Firth, D. 1993. Bias reduction of maximum likelihood estimates. Biometrika 80: 27–38.
"""

from collections.abc import Sequence
from math import log
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
    """

    one: int
    other: int
    won: float
    lost: float
    others: int = 1


def strengths(met: Sequence[PointsAgainst], added: float = ADDED) -> list[Interval]:
    """Return the strength of every player on Elo's scale, with 95 % limits; that of player 0 is 0 by definition.

    added: points given to both sides of all that met
    Raises NoStrengths.
    """
    from scipy.optimize import minimize

    pairs = _Pairs(met, added)
    if not pairs.are_on_one_scale():
        raise NoStrengths("the games do not bring all players onto one scale")
    # The loss is convex, so any start leads to the one minimum.
    start = np.zeros(pairs.players - 1)
    options = {"gtol": 1e-9}
    best = minimize(pairs.loss, start, jac=pairs.slope, hess=pairs.information, method="trust-exact", options=options)
    # The inverse of Fisher's information is the covariance of the estimates.
    errors = np.sqrt(np.diag(np.linalg.inv(pairs.information(best.x))))
    limits = [
        Interval(*(float(ELO * figure) for figure in (value, value - Z * error, value + Z * error)))
        for value, error in zip(best.x, errors, strict=True)
    ]
    return [Interval(0.0, 0.0, 0.0), *limits]


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
