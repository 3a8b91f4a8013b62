"""Readings of one game side by side: the outcome in which two of them lie farthest apart.

Sides are told apart by their names, the aligner and the blocker, wherever both readings have the same ones, else by who
moves first. A difference that is not surely beyond the margin is no finding.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from catalogue.evidence.outcome_figure import Bar, Level, named_outcomes
from catalogue.findings.finding import COMPARED, MARGIN, Finding
from catalogue.models import Game
from catalogue.texts.formatting import lowered
from catalogue.texts.outcome_bars import Outcomes
from catalogue.texts.share_differences import Limits, difference, wilson
from catalogue.texts.who_wins import by_seat, have_same_roles, headline, role

NOT_OVER = "not over"


def compared(game: Game, bars: Sequence[Bar], level: Level) -> Finding | None:
    """The finding of a game on one level; None where its readings come to the same, or only one was played."""
    differences = [one for pair in combinations(bars, 2) for one in _differences(*pair)]
    if not differences:
        return None
    gap, title, first, second = max(differences, key=lambda one: abs(one[0].value))
    return Finding(
        COMPARED,
        game,
        f"{game.name}: {lowered(headline(named_outcomes(bars)))}",
        _sentence(title, first, second),
        abs(gap.value),
        gap.in_points,
        level.title,
        (
            *((one.contender.title, one.contender.address) for one, _ in (first, second)),
            ("Compare the readings", f"/compare/?game={game.slug}"),
        ),
        tuple(bars),
        level.title,
    )


Side = tuple[Bar, Limits]
Difference = tuple[Limits, str, Side, Side]


def _differences(one: Bar, other: Bar) -> Iterator[Difference]:
    first, second = _shares(one, other), _shares(other, one)
    for title in (one for one in first if one in second):
        gap = difference(first[title], second[title])
        if min(abs(gap.low), abs(gap.high)) > MARGIN and gap.low * gap.high > 0:
            yield gap, title, (one, first[title]), (other, second[title])


def _shares(bar: Bar, other: Bar) -> dict[str, Limits]:
    """Outcome → share: by the names of the sides where both readings have them, else by their seats."""
    mine, theirs = _outcomes(bar), _outcomes(other)
    named = role if have_same_roles(mine, theirs) else by_seat
    return {named(one): wilson(one.share, mine.games) for one in mine.segments if mine.games}


def _outcomes(bar: Bar) -> Outcomes:
    assert bar.outcomes is not None  # only what was played is compared
    return bar.outcomes


def _sentence(title: str, first: Side, second: Side) -> str:
    (one, share), (other, other_share) = first, second
    caps = {bar.batch.cap for bar in (one, other) if bar.batch}
    after = f" after {caps.pop():,} turns" if title == NOT_OVER and len(caps) == 1 else ""
    both = f"under {one.contender.name} and {other_share.in_percent} under {other.contender.name}"
    return f"{share.in_percent} of games are {title}{after} {both}."
