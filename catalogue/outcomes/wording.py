"""How games ended, in words: what mostly happens, and who wins under each reading. Pure Python.

Sides are told apart by their names, the aligner and the blocker, wherever all readings have the same ones, else by who
moves first.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from catalogue.outcomes.bars import ANY_SIDE, DRAW, OPEN, SHARED, Outcomes, Segment
from catalogue.texts.formatting import capitalised, listed

SEATS = ("first player", "second player", "third player", "fourth player")
SEAT = re.compile(r" \((?:first|second|third|fourth) player\)")
MOST = 0.5  # above this share it is "most games"
APART = 0.005  # of all games: shares that differ by less are one


@dataclass(frozen=True, slots=True)
class NamedOutcomes:
    """How the games of one reading ended, to be put in words. name: after "under"; cap: of its games."""

    name: str
    outcomes: Outcomes
    cap: int


def role(segment: Segment) -> str:
    """ "won by the aligner", whichever player that is."""
    return SEAT.sub("", segment.title)


def by_seat(segment: Segment) -> str:
    """ "won by the second player", whoever that is; of segments that are not `in_roles`."""
    kind, _, seat = segment.kind.partition("-")
    is_a_seat = kind == "won" and int(seat) < len(SEATS) and segment.title != ANY_SIDE
    return f"won by the {SEATS[int(seat)]}" if is_a_seat else segment.title


def have_same_roles(one: Outcomes, other: Outcomes) -> bool:
    return {role(segment) for segment in one.segments} == {role(segment) for segment in other.segments}


def in_roles(readings: Sequence[Outcomes]) -> list[Outcomes]:
    """The same bars, with one shade and place for a side that moves first under one reading, second under another."""
    roles = [tuple(map(role, _won(outcomes))) for outcomes in readings]
    named = [place for place, outcomes in enumerate(readings) if any(SEAT.search(won.title) for won in _won(outcomes))]
    if len({roles[place] for place in named}) < 2 or len({frozenset(roles[place]) for place in named}) > 1:
        return list(readings)
    order = roles[named[0]]
    return [_ordered(outcomes, order) if place in named else outcomes for place, outcomes in enumerate(readings)]


def _won(outcomes: Outcomes) -> list[Segment]:
    return [segment for segment in outcomes.segments if segment.kind.startswith("won-")]


def _ordered(outcomes: Outcomes, order: Sequence[str]) -> Outcomes:
    """Put the sides into that order, and call them by their roles."""
    kinds = [segment.kind for segment in _won(outcomes)]
    sides = sorted(_won(outcomes), key=lambda segment: order.index(role(segment)))
    others = [segment for segment in outcomes.segments if segment not in sides]
    renamed = [replace(side, kind=kind, title=role(side)) for side, kind in zip(sides, kinds, strict=True)]
    starts = accumulate((side.share for side in renamed), initial=0.0)
    placed = [replace(side, start=start) for side, start in zip(renamed, starts, strict=False)]
    return replace(outcomes, segments=(*placed, *others))


def tendency(outcomes: Outcomes, cap: int) -> str:
    """A clause on what mostly happens: "most games are drawn"."""
    games, top = outcomes.games, max(outcomes.segments, key=lambda segment: segment.share)
    if _is_most(top.share, games):
        return _mostly(outcomes, top, cap)
    winners = sorted(_won(outcomes), key=lambda segment: -segment.share)
    if len(winners) > 1:
        first, second = winners[0].share, winners[1].share
        # two standard errors of the difference of two shares of the same games
        blur = 2 * float(((first + second - (first - second) ** 2) / max(games, 1)) ** 0.5)
        if first - second > blur:
            return f"{_winner(winners[0])} wins more often"
    return "no side is ahead"


def _mostly(outcomes: Outcomes, top: Segment, cap: int) -> str:
    if outcomes.games == 0:
        return f"faultless play is {top.title}"
    if top.kind == OPEN:
        is_endless = _is_most(top.share - outcomes.unfinished, outcomes.games)
        return "most games have no end" if is_endless else f"most games are not over after {cap:,} turns"
    if top.kind == DRAW:
        return "most games are drawn"
    return f"{_winner(top)} wins most games" if top.kind != SHARED else "most games are won by several sides"


def _is_most(share: float, games: int) -> bool:
    """Return whether it is more than half, and not by chance: by two standard errors."""
    error = float((share * (1 - share) / max(games, 1)) ** 0.5)
    return share - 2 * error > MOST


def _winner(segment: Segment) -> str:
    return segment.title.removeprefix("won by ")


def finding(clauses: Sequence[tuple[str, str]], readings: int) -> str:
    """The finding in a sentence, from (whose reading, what mostly happens in it); empty of none.

    readings: how many there are, whether they were played or not
    """
    by_clause: dict[str, list[str]] = {}
    for name, clause in clauses:
        by_clause.setdefault(clause, []).append(name)
    if not by_clause:
        return ""
    if readings == 1:
        return capitalised(clauses[0][1])
    if len(by_clause) == 1 and len(clauses) == readings:
        return f"Under every reading {clauses[0][1]}"
    parts = "; ".join(f"under {listed(names)} {clause}" for clause, names in by_clause.items())
    return capitalised(parts)


def either(titles: Mapping[str, Sequence[str]]) -> str:
    """ "won by the first player (Ludovisi) or the aligner (Portal, Ludii)", from the bars that each title is on."""
    if len(titles) == 1:
        return next(iter(titles))
    first, *others = (f"{title} ({', '.join(dict.fromkeys(bars))})" for title, bars in titles.items())
    return " or ".join([first, *(title.removeprefix("won by ") for title in others)])


def headline(readings: Sequence[NamedOutcomes]) -> str:
    """ "Under every reading the aligner wins most games"."""
    clauses = [(reading.name, SEAT.sub("", tendency(reading.outcomes, reading.cap))) for reading in readings]
    return finding(clauses, len(readings))


def who_wins(readings: Sequence[NamedOutcomes]) -> list[str]:
    """Sentences of two readings or more: what mostly happens, of how many games in a hundred, and who moves first."""
    if len(readings) < 2 or not all(reading.outcomes.games for reading in readings):
        return []
    return [f"{headline(readings)}.", _of_a_hundred(readings), *_moving_first(readings)]


def _of_a_hundred(readings: Sequence[NamedOutcomes]) -> str:
    """Return how often the outcome happens in which the readings lie farthest apart; if nowhere, the most frequent one.

    Where their sides have different names, it is the most frequent outcome of each.
    """
    if not all(have_same_roles(readings[0].outcomes, reading.outcomes) for reading in readings):
        tops = [(max(row.outcomes.segments, key=lambda segment: segment.share), row.name) for row in readings]
        return f"Of every hundred games {'; '.join(_happens(top, [(name, top.share)]) for top, name in tops)}."
    shares = [{role(segment): segment for segment in reading.outcomes.segments} for reading in readings]
    by_title = {title: [reading[title].share for reading in shares] for title in shares[0]}
    spread = {title: max(some) - min(some) for title, some in by_title.items()}
    top = max(spread, key=lambda title: spread[title])
    if spread[top] < APART:
        top = max(shares[0], key=lambda title: shares[0][title].share)
    counts = [(reading.name, own[top].share) for reading, own in zip(readings, shares, strict=True)]
    return f"Of every hundred games {_happens(shares[0][top], counts)}."


def _happens(segment: Segment, shares: Sequence[tuple[str, float]]) -> str:
    """ "the aligner wins 95 under the portal and 5 under Ludii"."""
    under = listed([f"{100 * share:.0f} under {name}" for name, share in shares])
    if segment.kind.startswith("won-"):
        return f"{role(segment).removeprefix('won by ')} wins {under}"
    return f"{under} are {segment.title if segment.kind != OPEN else 'not over when counting stops'}"


def _moving_first(readings: Sequence[NamedOutcomes]) -> Iterator[str]:
    """Yield who has the first move, where it is another of the same two sides under some reading."""
    named = [row for row in readings if any(SEAT.search(segment.title) for segment in row.outcomes.segments)]
    if len({frozenset(map(role, row.outcomes.segments)) for row in named}) != 1:
        return
    firsts: dict[str, list[str]] = {}
    for row in named:
        firsts.setdefault(role(_won(row.outcomes)[0]).removeprefix("won by "), []).append(row.name)
    if len(firsts) > 1:
        parts = "; ".join(f"under {' and '.join(names)} {side} moves first" for side, names in firsts.items())
        yield f"{capitalised(parts)}."
