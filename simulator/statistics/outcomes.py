"""What batches are compared by when there are many: a few means, each with its squared standard error."""

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED
from simulator.engine.family import GAME, Measure
from simulator.engine.naming import Naming
from simulator.engine.tally import Tally, totals
from simulator.statistics.distributions import distribution
from simulator.statistics.outcome_keys import DRAWN, OPEN, TURNS, WON
from simulator.statistics.results import winner_counts
from simulator.statistics.summary import family_measures, with_totals


@dataclass(frozen=True, slots=True)
class Outcome:
    """One thing to compare by. unit: "share", or what is counted."""

    key: str
    title: str
    unit: str


@dataclass(frozen=True, slots=True)
class OutcomeMean:
    """A mean over the games, and the square of its standard error."""

    mean: float
    error: float


def outcomes(measures: Sequence[Measure], naming: Naming, cap: int) -> list[Outcome]:
    """How long games are and how they end, and what the family counts besides, in the order of its measures."""
    of_seats = {measure.name for measures_of_seats in totals(measures).values() for measure in measures_of_seats}
    named = with_totals(measures, naming)
    further = [named[name] for name in family_measures(measures) if name not in of_seats]
    return [
        Outcome(TURNS, f"Turns of a game, up to {cap:,}", "turns"),
        Outcome(WON, f"Won by the {naming.seat(0)}", "share"),
        Outcome(DRAWN, "Drawn by the rules", "share"),
        Outcome(OPEN, "Endless or unfinished", "share"),
        *(Outcome(measure.name, measure.title, measure.unit) for measure in further),
    ]


def outcome_mean(outcome: Outcome, tally: Tally, cap: int) -> OutcomeMean:
    """What the games of one batch say of it. Turns of an unfinished game count as the cap."""
    games = tally.games
    if outcome.unit == "share":
        ends = tally.ends()
        counts = {WON: winner_counts(tally, 1)[0], DRAWN: ends[DRAW], OPEN: ends[ENDLESS] + ends[UNFINISHED]}
        share = counts[outcome.key] / games
        return OutcomeMean(share, share * (1 - share) / max(games - 1, 1))
    measure = Measure(outcome.key, outcome.title, outcome.unit, GAME)
    found = distribution(measure, tally.histograms[outcome.key], cap)
    total = int(found.values @ found.counts) + cap * found.beyond
    squares = int(found.values**2 @ found.counts) + cap * cap * found.beyond
    mean = total / games
    return OutcomeMean(mean, max(squares / games - mean * mean, 0.0) / max(games - 1, 1))
