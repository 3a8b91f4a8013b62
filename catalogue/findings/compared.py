"""Readings of one game side by side: the outcome in which two of them lie farthest apart, on one level and over all.

Sides are told apart by their names, the aligner and the blocker, wherever both readings have the same ones, else by who
moves first. A difference that is not surely beyond the margin is no finding. Where games come in rounds and some level
has only first rounds, first rounds are looked at on all levels: what whole games come to beside them would be no matter
of strength.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby
from typing import NamedTuple

from catalogue.findings.finding import COMPARED, MARGIN, PARAPHRASED, PROVED, Finding
from catalogue.models import Game, Reading
from catalogue.models.querysets import ReadingWithVersion, with_versions
from catalogue.outcomes.bars import Outcomes, Segment
from catalogue.outcomes.figure import PERFECT, Bar, FigureLevel, FigureRow, alike, named_outcomes
from catalogue.outcomes.played import bars_by_level
from catalogue.outcomes.wording import by_seat, finding, have_same_roles, headline, role, tendency
from catalogue.texts.anchors import authority_in_words
from catalogue.texts.formatting import in_percent, in_points, lowered
from simulator.statistics.intervals import Interval, newcombe, wilson
from simulator.statistics.verdicts import Judged, LevelDifference, OverLevels, judged

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


ByGame = dict[int, tuple[Bar, ...]]


def levels_played() -> list[tuple[FigureLevel, ByGame]]:
    """(level, game → its bars, as its readings are ordered) of each level, from the weakest: four queries."""
    shown = Reading.objects.exclude(kind=Reading.Kind.REFERENCE).order_by("game", "position", "slug")
    rows = list(_rows(with_versions(shown)))
    games = [game for game, _ in rows]
    return [(level, _by_game(games, bars)) for level, bars in bars_by_level([one for _, one in rows])]


def _rows(readings: Iterable[ReadingWithVersion]) -> Iterator[tuple[int, FigureRow]]:
    for game, rows in groupby(readings, key=lambda read: read.reading.game_id):
        for place, read in enumerate(rows):
            reading, ruleset = read.reading, read.version.ruleset if read.version else None
            name, label = authority_in_words(reading.authority)
            address = reading.get_absolute_url()
            yield game, FigureRow(name, label, reading.title, address, place, ruleset, slug=reading.slug)


def _by_game(games: list[int], bars: Iterable[Bar]) -> ByGame:
    pairs = zip(games, bars, strict=True)
    return {
        game: tuple(bar for _, bar in own if bar.outcomes) for game, own in groupby(pairs, key=lambda pair: pair[0])
    }


FEWEST = 2  # levels that have to be known


@dataclass(frozen=True, slots=True)
class DifferenceOverLevels:
    """outcome: "won by the first player", in the words of the figure; judged: with its levels, from the weakest

    counted: what ends so on all of them, "games" or "first rounds"
    few_kinds: level → whose games on it are of few kinds, in words
    """

    outcome: str
    first: FigureRow
    second: FigureRow
    judged: Judged
    counted: str = "games"
    few_kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def verdict(self) -> OverLevels:
        return self.judged.verdict

    @property
    def happens(self) -> bool:
        return any(one.first or one.second for one in self.judged.levels)


ORDER = (OverLevels.TURNS_OVER, OverLevels.DEPENDS, OverLevels.STABLE, OverLevels.UNDECIDED)


def telling(found: Sequence[DifferenceOverLevels]) -> list[DifferenceOverLevels]:
    """Those of which there is something to say, what turns over first; not those that are absent on every level, nor
    what never happens."""
    said = [one for one in found if one.happens and not all(one.judged.absent)]
    return sorted(said, key=lambda one: ORDER.index(one.verdict))


def over_levels(levels: Sequence[tuple[FigureLevel, ByGame]]) -> dict[int, tuple[DifferenceOverLevels, ...]]:
    """By game: every two readings and every outcome that differ or might, on all levels that both were played on."""
    games = dict.fromkeys(game for _, by_game in levels for game in by_game)
    return {game: tuple(_of_game([(level, by_game.get(game, ())) for level, by_game in levels])) for game in games}


def _of_game(levels: Sequence[tuple[FigureLevel, Sequence[Bar]]]) -> Iterator[DifferenceOverLevels]:
    rows = {bar.row.slug: bar.row for _, bars in levels for bar in bars}
    of_rounds = _are_of_rounds(levels)
    known = [(level, _outcomes_by_reading(bars, of_rounds)) for level, bars in levels]
    asked = [
        (outcome, rows[first], rows[second], found)
        for first, second in combinations(rows, 2)
        for outcome, found in _over_levels_known(known, first, second).items()
    ]
    verdicts = judged([found for *_, found in asked], MARGIN)
    counted = "first rounds" if of_rounds else "games"
    for (outcome, first, second, _), verdict in zip(asked, verdicts, strict=True):
        slugs = {first.slug, second.slug}
        few_kinds = {
            level.short: tuple(bar.few_kinds for bar in bars if bar.few_kinds and bar.row.slug in slugs)
            for level, bars in levels
        }
        yield DifferenceOverLevels(outcome, first, second, verdict, counted, few_kinds)


def _are_of_rounds(levels: Sequence[tuple[FigureLevel, Sequence[Bar]]]) -> bool:
    return any(bar.outcomes.of_rounds for _, bars in levels for bar in bars if bar.outcomes)


def _over_levels_known(
    known: Sequence[tuple[FigureLevel, Mapping[str, Outcomes]]], first: str, second: str
) -> dict[str, list[LevelDifference]]:
    """By outcome: what is known of it on at least two levels. Sides are called alike on all of them.

    Where it is proved who wins, it is that no other side does.
    """
    both = [(level, found[first], found[second]) for level, found in known if {first, second} <= found.keys()]
    named = role if both and have_same_roles(both[0][1], both[0][2]) else by_seat
    found: dict[str, list[LevelDifference]] = {}
    parts = [part for _, *pair in both for outcomes in pair for part in outcomes.segments]
    sides = dict.fromkeys(named(part) for part in parts if part.kind.startswith("won-"))
    for level, one, other in both:
        shares = [{named(part): part.share for part in outcomes.segments} for outcomes in (one, other)]
        games = (_games(level, one), _games(level, other))
        for outcome in dict.fromkeys([*shares[0], *shares[1], *(sides if level.key == PERFECT else ())]):
            pair = shares[0].get(outcome, 0.0), shares[1].get(outcome, 0.0)
            stopped = (0.0, 0.0) if outcome == NOT_OVER else (one.unfinished, other.unfinished)
            found.setdefault(outcome, []).append(LevelDifference(level.short, *pair, games, stopped))
    return {outcome: some for outcome, some in found.items() if len(some) >= FEWEST}


def _outcomes_by_reading(bars: Sequence[Bar], of_rounds: bool) -> dict[str, Outcomes]:
    """By reading; of first rounds, if all are to be."""
    found = {
        bar.row.slug: bar.first_rounds if of_rounds and not bar.outcomes.of_rounds else bar.outcomes
        for bar in bars
        if bar.outcomes
    }
    return {slug: outcomes for slug, outcomes in found.items() if outcomes}


def _games(level: FigureLevel, outcomes: Outcomes) -> int:
    return 0 if level.key == PERFECT else outcomes.games
