"""How games ended, in words: what mostly happens, and who wins under each reading. Pure Python.

Sides are told apart by their names, the aligner and the blocker, wherever all readings have the same ones, else by who
moves first.

What is said of a bar is tested at 95 % confidence, and nothing else is said of it; the first that holds of these:

most games:    Wilson's interval of the share of an end that no side wins lies above a half
even:          the intervals of the differences of the shares that the sides win (Newcombe's method 10) lie within ± 5
               percentage points, those of all pairs of sides: what is certain and too small to matter is no advantage
wins most:     Wilson's interval of the share of a side lies above a half
more often:    the interval of such a difference lies above nought; of more than two sides every pair is tested, each so
               much more strictly (Bonferroni)
not shown:     else

Games that the cap stopped might have gone either way. A side wins more often, or the sides are even, only if that holds
whichever side all of these had gone to; where it holds of the games that ended alone, that is what is said.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, combinations
from statistics import NormalDist
from typing import Any

from catalogue.outcomes.bars import (
    ANY_SIDE,
    DRAW,
    DRAWN,
    ENDED_EQUAL,
    OPEN,
    OWNED_MORE,
    SHARED,
    WON_BY,
    Outcomes,
    Segment,
    side_title,
)
from catalogue.texts.formatting import capitalised, in_points, listed, lowered, of_hundred
from simulator.statistics.intervals import TAIL, Interval, difference_of_shares, newcombe, wilson

SEATS = ("first player", "second player", "third player", "fourth player")
SEAT = re.compile(r" \((?:first|second|third|fourth) player\)")
SIDES = tuple(f"won-{place}" for place in range(4))  # the shades that there are
MOST = 0.5  # above this share it is "most games"
EVEN = 0.05  # of all games: sides whose shares surely differ by less are even
APART = 0.005  # of all games: shares that differ by less are one


@dataclass(frozen=True, slots=True)
class Tendency:
    """What mostly happens. clause: in words; tells: the side or the end that it is of, empty where nothing is shown."""

    clause: str
    tells: str


@dataclass(frozen=True, slots=True)
class NamedOutcomes:
    """How the games of one reading ended, to be put in words.

    name: after "under"; cap: of its games; few: "only 2 different games", so few that nothing is concluded
    kinds: of how many its games are; None where that is not known, or lots were drawn
    """

    name: str
    outcomes: Outcomes
    cap: int
    few: str = ""
    kinds: int | None = None

    @property
    def tendency(self) -> Tendency:
        return tendency_of(self.outcomes, self.cap, self.few, self.kinds)


def role(segment: Segment) -> str:
    """ "won by the aligner", whichever player that is."""
    return SEAT.sub("", segment.title)


def by_seat(segment: Segment) -> str:
    """ "won by the second player", whoever that is; of segments that are not `in_roles`."""
    kind, _, seat = segment.kind.partition("-")
    is_a_seat = kind == "won" and int(seat) < len(SEATS) and segment.title != ANY_SIDE
    return side_title(SEATS[int(seat)], segment.of_round) if is_a_seat else segment.title


def have_same_roles(one: Outcomes, other: Outcomes) -> bool:
    return {role(segment) for segment in one.segments} == {role(segment) for segment in other.segments}


def in_roles(readings: Sequence[Outcomes]) -> list[Outcomes]:
    """The same bars, with one shade and place for a side that moves first under one reading, second under another."""
    roles = [tuple(map(role, _won(outcomes))) for outcomes in readings]
    named = [place for place, outcomes in enumerate(readings) if any(SEAT.search(won.title) for won in _won(outcomes))]
    if len({roles[place] for place in named}) < 2 or len({frozenset(roles[place]) for place in named}) > 1:
        return _in_colours(readings)
    order = roles[named[0]]
    ordered = [_ordered(outcomes, order) if place in named else outcomes for place, outcomes in enumerate(readings)]
    return _in_colours(ordered)


def _in_colours(readings: Sequence[Outcomes]) -> list[Outcomes]:
    """The same bars with a shade of its own for each side, so that no shade means two sides in one figure.

    A side that owns more after a first round is the side that wins whole games, and has its shade.
    Where there are more sides than shades they stay as they are, and the key says which side a shade is on which bar.
    """
    kinds: dict[str, str] = {}
    for outcomes in readings:
        for side in _won(outcomes):
            taken = set(kinds.values())
            free = [kind for kind in (side.kind, *SIDES) if kind not in taken]
            kinds.setdefault(_whose(side), free[0] if free else "")
    if not all(kinds.values()):
        return list(readings)

    def coloured(side: Segment) -> Segment:
        return replace(side, kind=kinds[_whose(side)]) if side.kind.startswith("won-") else side

    return [replace(outcomes, segments=tuple(map(coloured, outcomes.segments))) for outcomes in readings]


def _whose(segment: Segment) -> str:
    """ "the aligner", of games and of first rounds alike."""
    return SEAT.sub("", segment.side)


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
    return tendency_of(outcomes, cap).clause


def tendency_of(outcomes: Outcomes, cap: int, few: str = "", kinds: int | None = None) -> Tendency:
    """What mostly happens. few: "only 2 different games": nothing is concluded from them; else empty."""
    if outcomes.games == 0:
        [top] = outcomes.segments
        _, is_won, winner = top.title.partition("won by ")
        return Tendency(f"with faultless play {winner} wins" if is_won else f"faultless play is {top.title}", role(top))
    if few:
        return Tendency(f"nothing is concluded from {few}", "")
    top = max(outcomes.segments, key=lambda segment: segment.share)
    most = _most(outcomes, top, cap) if _is_most(top.share, outcomes.games) else None
    if most and not top.kind.startswith("won-"):
        return most
    return _even(outcomes) or most or _ahead(outcomes) or _not_shown(outcomes, kinds)


def _most(outcomes: Outcomes, top: Segment, cap: int) -> Tendency:
    """That an outcome is that of most of the games."""
    most = f"most {outcomes.counted}"
    if top.kind == OPEN:
        is_endless = _is_most(top.share - outcomes.unfinished, outcomes.games)
        stopped = f"have not ended after {cap:,} turns" if cap else "were still going when they were stopped"
        clause = f"{most} are endless" if is_endless else f"{most} {stopped}"
    elif top.kind == DRAW:
        clause = f"{most} end equal" if outcomes.of_rounds else f"{most} are {top.title}"
    elif top.kind == SHARED:
        clause = f"{most} are won by several sides"
    elif outcomes.of_rounds:
        clause = f"{top.side} owns more after most first rounds"
    else:
        clause = f"{top.side} wins most games"
    return Tendency(clause, role(top))


def _ahead(outcomes: Outcomes) -> Tendency | None:
    """The side that wins more often than every other; None where none is shown to."""
    winners = sorted(_won(outcomes), key=lambda segment: -segment.share)
    if len(winners) < 2:
        return None
    stopped = round(outcomes.unfinished * outcomes.games)
    first, *others = (outcomes.count(winner) for winner in winners)
    for games, gone in ((outcomes.games, stopped), (outcomes.games - stopped, 0)):
        if games and all(_difference(first, other + gone, games, len(winners)).limits[0] > 0 for other in others):
            leader = winners[0].side
            if games == outcomes.games:
                how = "owns more after the first round more often" if outcomes.of_rounds else "wins more often"
            elif outcomes.of_rounds:
                how = f"owns more after more of the first rounds that ended ({games:,})"
            else:
                how = f"wins more of the games that ended ({games:,})"
            return Tendency(f"{leader} {how}", role(winners[0]))
    return None


def _even(outcomes: Outcomes) -> Tendency | None:
    """That the sides are even within the margin; None where that is not shown."""
    counts = [outcomes.count(winner) for winner in _won(outcomes)]
    stopped = round(outcomes.unfinished * outcomes.games)
    intervals = [
        _difference(one + gone, other + stopped - gone, outcomes.games, len(counts))
        for one, other in combinations(counts, 2)
        for gone in (0, stopped)
    ]
    if not intervals or any(low <= -EVEN or high >= EVEN for low, high in (interval.limits for interval in intervals)):
        return None
    after = " after the first round" if outcomes.of_rounds else ""
    return Tendency(f"the sides are even{after} within {100 * EVEN:.0f} percentage points", "even")


def _not_shown(outcomes: Outcomes, kinds: int | None) -> Tendency:
    of_kinds = f", {kinds:,} of them different" if kinds is not None and kinds < outcomes.games else ""
    after = " after the first round" if outcomes.of_rounds else ""
    return Tendency(f"no side is shown to be ahead{after} ({outcomes.games:,} {outcomes.counted}{of_kinds})", "")


def _difference(first: int, second: int, games: int, sides: int) -> Interval:
    """How much oftener one of several sides won than another, in the same games."""
    pairs = sides * (sides - 1) // 2
    z = -NormalDist().inv_cdf(TAIL / pairs)
    return difference_of_shares(0, first, second, games - first - second, z)


def _is_most(share: float, games: int) -> bool:
    """Return whether it is surely more than half."""
    return wilson(share, games).limits[0] > MOST


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
    """ "won by the first player (Ludovisi 1873) or the aligner (Ludii program)", from the bars of each title.

    Of games and first rounds side by side it is one side, or one end, which has two names.
    """
    if len(titles) == 1:
        return next(iter(titles))
    if set(titles) == {DRAWN, ENDED_EQUAL}:
        return f"{DRAWN}, or equal after a first round"
    whole = [title for title in titles if not title.endswith(OWNED_MORE)]
    if len(whole) == 1 and set(titles) == {whole[0], f"{whole[0].removeprefix(WON_BY)}{OWNED_MORE}"}:
        return f"{whole[0]}, or left with more after a first round"
    first, *others = (f"{title} ({', '.join(dict.fromkeys(bars))})" for title, bars in titles.items())
    return " or ".join([first, *(title.removeprefix(WON_BY) for title in others)])


def headline(readings: Sequence[NamedOutcomes], players: str = "") -> str:
    """ "Between club players, under every reading the aligner wins most games".

    players: who play, in words: "club players"; empty where that is said elsewhere, and of a proof
    """
    clauses = [
        (reading.name, SEAT.sub("", tendency_of(reading.outcomes, reading.cap, reading.few).clause))
        for reading in readings
    ]
    return between_players(players, finding(clauses, len(readings)))


def between_players(players: str, found: str) -> str:
    """The finding with who plays before it."""
    if not players or not found:
        return found
    return f"Between {players}{',' if found.startswith('Under ') else ''} {lowered(found)}"


def happened(segment_title: str, share: str, counted: str) -> str:
    """ "23.5 % of games are drawn", or "in 23.5 % of first rounds the first player owned more". share: in words"""
    if segment_title.endswith(OWNED_MORE):
        return f"in {share} of {counted} {segment_title}"
    return f"{share} of {counted} {'' if segment_title == ENDED_EQUAL else 'are '}{segment_title}"


def chances_in_words(chances: Sequence[Mapping[str, Any]]) -> str:
    """The chances of a solved game that throws decide; empty for any other."""
    both = {row["first"]: _percent(row) for row in chances if row["first"] == row["second"]}
    if "best" not in both:
        return ""
    at_random = f", {both['random']} if both play at random" if "random" in both else ""
    return f"whoever throws first wins {both['best']} of games if both play as well as can be{at_random}"


def _percent(row: Mapping[str, float]) -> str:
    """A percentage with as many digits as both bounds share, two at most."""
    low, high = (f"{100 * row[name]:.2f} %" for name in ("lower", "upper"))
    return low if low == high else f"{low} to {high}"


def what_an_answer_changes(before: Outcomes, after: Outcomes) -> tuple[str, str]:
    """What the games say of another answer: a verdict, and a sentence with both figures and the interval between them.

    The outcome is named in which both lie farthest apart. An answer makes no difference where all of them surely lie
    within the margin of sides that are even.
    """
    old, new = ({role(part): part.share for part in one.segments} for one in (before, after))
    shares = {title: (old.get(title, 0.0), new.get(title, 0.0)) for title in dict.fromkeys((*old, *new))}
    gaps = {
        title: newcombe(wilson(now, after.games), wilson(was, before.games)) for title, (was, now) in shares.items()
    }
    top = max(gaps, key=lambda title: abs(gaps[title].value))
    was, now = (of_hundred(share) for share in shares[top])
    said = f"{now} {after.counted} {'' if top == ENDED_EQUAL else 'are '}{top}"
    if top.endswith(OWNED_MORE):
        said = f"in {now} {after.counted} {top}"
    sentence = f"{said}, instead of {was}. They lie {in_points(gaps[top])} apart."
    if all(low > -EVEN and high < EVEN for low, high in (gap.limits for gap in gaps.values())):
        return "This question makes no difference here:", sentence
    if any(low > 0 or high < 0 for low, high in (gap.limits for gap in gaps.values())):
        return "This question makes a difference here:", sentence
    return "These games do not show whether it makes a difference:", sentence


def who_wins(readings: Sequence[NamedOutcomes]) -> list[str]:
    """Sentences of two readings or more: what mostly happens, of how many games in a hundred, and who moves first."""
    if len(readings) < 2 or not all(reading.outcomes.games for reading in readings):
        return []
    return [f"{headline(readings)}.", _of_a_hundred(readings), *_moving_first(readings)]


def _of_a_hundred(readings: Sequence[NamedOutcomes]) -> str:
    """Return how often the outcome happens in which the readings lie farthest apart; if nowhere, the most frequent one.

    Where their sides have different names, it is the most frequent outcome of each.
    """
    counted = readings[0].outcomes.counted
    if not all(have_same_roles(readings[0].outcomes, reading.outcomes) for reading in readings):
        tops = [(max(row.outcomes.segments, key=lambda segment: segment.share), row.name) for row in readings]
        return f"Of every hundred {counted} {'; '.join(_happens(top, [(name, top.share)]) for top, name in tops)}."
    shares = [{role(segment): segment for segment in reading.outcomes.segments} for reading in readings]
    by_title = {title: [reading[title].share for reading in shares] for title in shares[0]}
    spread = {title: max(some) - min(some) for title, some in by_title.items()}
    top = max(spread, key=lambda title: spread[title])
    if spread[top] < APART:
        top = max(shares[0], key=lambda title: shares[0][title].share)
    counts = [(reading.name, own[top].share) for reading, own in zip(readings, shares, strict=True)]
    return f"Of every hundred {counted} {_happens(shares[0][top], counts)}."


def _happens(segment: Segment, shares: Sequence[tuple[str, float]]) -> str:
    """ "the aligner wins 95 under today’s summary and 5 under the Ludii program"."""
    under = listed([f"{100 * share:.0f} under {name}" for name, share in shares])
    if segment.kind.startswith("won-"):
        side = SEAT.sub("", segment.side)
        return f"{side} owns more after {under}" if segment.of_round else f"{side} wins {under}"
    if segment.title == ENDED_EQUAL:
        return f"{under} end equal"
    return f"{under} are {segment.title}"


def _moving_first(readings: Sequence[NamedOutcomes]) -> Iterator[str]:
    """Yield who has the first move, where it is another of the same two sides under some reading."""
    named = [row for row in readings if any(SEAT.search(segment.title) for segment in row.outcomes.segments)]
    if len({frozenset(map(role, row.outcomes.segments)) for row in named}) != 1:
        return
    firsts: dict[str, list[str]] = {}
    for row in named:
        firsts.setdefault(SEAT.sub("", _won(row.outcomes)[0].side), []).append(row.name)
    if len(firsts) > 1:
        parts = "; ".join(f"under {' and '.join(names)} {side} moves first" for side, names in firsts.items())
        yield f"{capitalised(parts)}."
