"""Readings of one game side by side: the outcome in which two of them lie farthest apart.

Sides are told apart by their names, the aligner and the blocker, wherever both readings have the same ones, else by who
moves first. A difference that is not surely beyond the margin is no finding.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from catalogue.findings.finding import COMPARED, MARGIN, PARAPHRASED, Finding
from catalogue.models import Game
from catalogue.outcomes.bars import Outcomes
from catalogue.outcomes.figure import Bar, FigureLevel, alike, named_outcomes
from catalogue.outcomes.wording import by_seat, have_same_roles, headline, role
from catalogue.texts.formatting import in_percent, in_points, lowered
from simulator.statistics.intervals import Interval, newcombe, wilson

NOT_OVER = "not over"
PORTAL = "dlp"  # whose readings are of its paraphrases

Side = tuple[Bar, Interval]


class Difference(NamedTuple):
    """size: of the difference, never below nothing; counted: what it is a share of, "games" or "first rounds" """

    size: Interval
    title: str
    first: Side
    second: Side
    counted: str


def compared(game: Game, bars: Sequence[Bar], level: FigureLevel) -> Finding | None:
    """The finding of a game on one level; None where its readings come to the same, or only one was played."""
    farthest = _farthest(combinations(bars, 2))
    return _finding(COMPARED, game, farthest, bars, level) if farthest else None


def paraphrased(game: Game, bars: Sequence[Bar], level: FigureLevel, authority: dict[str, str]) -> Finding | None:
    """The same of the portal's paraphrase against what is read from the quotation. authority: by slug of a reading"""
    texts = [bar for bar in bars if bar.row.slug in authority]
    portal = [bar for bar in texts if authority[bar.row.slug] == PORTAL]
    farthest = _farthest((one, other) for one in texts if one not in portal for other in portal)
    return _finding(PARAPHRASED, game, farthest, texts, level) if farthest else None


def _farthest(pairs: Iterable[tuple[Bar, Bar]]) -> Difference | None:
    differences = (one for pair in pairs for one in _differences(*pair))
    return max(differences, key=lambda one: one.size.limits[0], default=None)


def _finding(kind: str, game: Game, found: Difference, bars: Sequence[Bar], level: FigureLevel) -> Finding:
    both = [bar for bar, _ in (found.first, found.second)]
    return Finding(
        kind,
        game,
        f"{game.name}: {lowered(headline(named_outcomes(bars)))}",
        _sentence(found),
        found.size,
        in_points(found.size),
        level.key,
        level.title,
        min(_outcomes(bar).games for bar in both),
        (
            *((bar.row.title, bar.row.address) for bar in both),
            ("Compare the readings", f"/compare/?game={game.slug}"),
        ),
        tuple(bar.batch.id for bar in both if bar.batch),
        tuple(bars),
        level.title,
        found.counted,
        tuple(bar.few_kinds for bar in both if bar.few_kinds),
    )


def _differences(one: Bar, other: Bar) -> Iterator[Difference]:
    if (both := alike(one, other)) is None:
        return
    first, second = _shares(*both), _shares(*reversed(both))
    for title in (one for one in first if one in second):
        gap = newcombe(second[title], first[title])
        low, high = gap.limits
        if min(abs(low), abs(high)) > MARGIN and low * high > 0:
            yield Difference(gap.without_sign, title, (one, first[title]), (other, second[title]), both[0].counted)


def _shares(mine: Outcomes, theirs: Outcomes) -> dict[str, Interval]:
    """Outcome → share: by the names of the sides where both readings have them, else by their seats."""
    named = role if have_same_roles(mine, theirs) else by_seat
    return {named(one): wilson(one.share, mine.games) for one in mine.segments if mine.games}


def _outcomes(bar: Bar) -> Outcomes:
    assert bar.outcomes is not None  # only what was played is compared
    return bar.outcomes


def _sentence(found: Difference) -> str:
    (one, share), (other, other_share) = found.first, found.second
    caps = {bar.batch.cap for bar in (one, other) if bar.batch}
    after = f" after {caps.pop():,} turns" if found.title == NOT_OVER and len(caps) == 1 else ""
    both = f"under {_whose(one, found.title)} and {in_percent(other_share)} under {_whose(other, found.title)}"
    return f"{in_percent(share)} of {found.counted} are {found.title}{after} {both}."


def _whose(bar: Bar, title: str) -> str:
    """ "Ludii (where that is the blocker)": who a side is that is told by its seat, where the reading names it."""
    roles = {by_seat(one): role(one) for one in _outcomes(bar).segments}
    side = roles.get(title, title)
    return f"{bar.row.name} (where that is {side.removeprefix('won by ')})" if side != title else bar.row.name
