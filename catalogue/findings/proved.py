"""Solved games: what faultless play comes to under each reading, and how seldom random players come to the same."""

from collections.abc import Mapping, Sequence

from catalogue.findings.finding import PROVED, Finding
from catalogue.models import Game
from catalogue.outcomes.bars import Outcomes, Segment
from catalogue.outcomes.figure import Bar, FigureLevel
from catalogue.outcomes.wording import finding, tendency
from catalogue.texts.formatting import in_percent, lowered
from simulator.statistics.intervals import Interval, wilson


def proved(game: Game, bars: Sequence[Bar], level: FigureLevel, at_random: Mapping[str, Bar]) -> Finding | None:
    """The finding of the solved readings of a game; None where none is solved.

    at_random: slug of a reading → its bar on the level of random play
    """
    solved = [(bar, bar.outcomes) for bar in bars if bar.outcomes]
    if not solved:
        return None
    said = [(bar.row.name, tendency(outcomes, 0)) for bar, outcomes in solved]
    shares = [
        (bar, wilson(share, random.games))
        for bar, outcomes in solved
        if (random := _random(bar, at_random)) and random.games
        for share in [_share(random, _certain(outcomes))]
    ]
    seldom = min(shares, key=lambda one: one[1].value, default=None)
    size = _otherwise(seldom[1]) if seldom else None
    found = finding(said, len(solved))
    whose = seldom[0].row.name if seldom else ""
    contrast = f" Random players come to it in {in_percent(seldom[1])} of games under {whose}." if seldom else ""
    return Finding(
        PROVED,
        game,
        f"{game.name}: {lowered(found)}",
        f"If both sides play without fault, the result is certain in {_number(len(solved))}.{contrast}",
        size,
        f"{100 * size.value:.1f} of 100 random games come to something else" if size else "proved",
        level.key,
        level.title,
        None,
        tuple((bar.row.title, f"{bar.row.address}#solution") for bar, _ in solved),
        tuple(bar.batch.id for bar in (at_random[one.row.slug] for one, _ in shares) if bar.batch),
        tuple(at_random[bar.row.slug] for bar, _ in shares),
        "random players",
    )


def _random(bar: Bar, at_random: Mapping[str, Bar]) -> Outcomes | None:
    known = at_random.get(bar.row.slug)
    return known.outcomes if known else None


def _otherwise(share: Interval) -> Interval:
    low, high = share.limits
    return Interval(1 - share.value, 1 - high, 1 - low)


def _certain(outcomes: Outcomes) -> Segment:
    return outcomes.segments[0]


def _share(outcomes: Outcomes, proved: Segment) -> float:
    return sum(one.share for one in outcomes.segments if one.kind == proved.kind)


def _number(readings: int) -> str:
    return "the solved reading" if readings == 1 else f"all {readings} solved readings"
