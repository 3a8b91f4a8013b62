"""Wald's sequential test of a player's share of the points: is it at least so much, or at most so little?

Games are played in pairs with the seats exchanged, and looked at after each pair, until they decide. A won game counts
one point, a lost one none, and a game that nobody won half a point. The log-likelihood ratio of a score s is

    s ln(p1 / p0) + (1 - s) ln((1 - p1) / (1 - p0))

which for won and lost games is Wald's, and for a drawn one the mean of the two. Its exponential is convex in s, so for
scores from 0 to 1 with any distribution whose mean is at most p0 its expectation is at most 1 (at the mean p0 exactly 1
if there are no draws): draws make the test more careful, never less. In a pair whose seats are not equally good the
two expectations multiply to no more than the square of their mean, so the same holds of the pair as a whole. The
product over all pairs is therefore a supermartingale, and by Ville's inequality it reaches 1 / alpha with a probability
of at most alpha, however often one looks. With the two hypotheses exchanged the same bounds the other error by beta.

Wald's own bounds, (1 - beta) / alpha and beta / (1 - alpha), are a little nearer: they keep the sum of the two errors
below alpha + beta, but either of them only below alpha / (1 - beta). Those used here, 1 / alpha and beta, keep both.
Games that end at the most without a decision are reported as that, and count for neither side.

Sources
- Wald, A. 1945. Sequential tests of statistical hypotheses. Annals of Mathematical Statistics 16: 117–186.
- Ville, J. 1939. Étude critique de la notion de collectif. Gauthier-Villars (the inequality of supermartingales).
"""

from dataclasses import dataclass
from enum import StrEnum
from math import log


class Decision(StrEnum):
    """The decision of a test. ENOUGH: at least p1, rather than p0; TOO_LITTLE: at most p0, rather than p1"""

    GO_ON = "go on"
    ENOUGH = "enough"
    TOO_LITTLE = "too little"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """A test of two shares p0 < p1 of the points.

    alpha, beta: the largest probabilities of taking p0 for p1, and p1 for p0
    """

    p0: float = 0.80
    p1: float = 0.90
    alpha: float = 0.05
    beta: float = 0.05
    most_games: int = 200

    def __post_init__(self) -> None:
        if not 0 < self.p0 < self.p1 < 1 or not 0 < self.alpha < 0.5 or not 0 < self.beta < 0.5:
            raise ValueError(f"there is no such test: {self}")

    @property
    def upper(self) -> float:
        """The log-likelihood ratio from which the share is enough."""
        return -log(self.alpha)

    @property
    def lower(self) -> float:
        """The log-likelihood ratio down from which the share is too little."""
        return log(self.beta)

    def log_ratio(self, points: float, games: int) -> float:
        """Return the log-likelihood ratio. points: of the player in so many games, from 0 to `games`"""
        if not 0 <= points <= games:
            raise ValueError(f"{points} points of {games} games")
        return points * log(self.p1 / self.p0) + (games - points) * log((1 - self.p1) / (1 - self.p0))

    def decision(self, points: float, games: int) -> Decision:
        """Return what to do after so many games, which are whole pairs."""
        ratio = self.log_ratio(points, games)
        if ratio >= self.upper:
            return Decision.ENOUGH
        if ratio <= self.lower:
            return Decision.TOO_LITTLE
        return Decision.UNDECIDED if games >= self.most_games else Decision.GO_ON
