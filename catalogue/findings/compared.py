"""Readings of one game side by side: the outcome in which two of them lie farthest apart, on one level and over all.

Sides are told apart by their names, the aligner and the blocker, wherever both readings have the same ones, else by who
moves first. A difference that is not surely beyond the margin is no finding. Where games come in rounds and some level
has only first rounds, first rounds are looked at on all levels: what whole games come to beside them would be no matter
of strength.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby, product
from typing import NamedTuple

from catalogue.findings.finding import COMPARED, MARGIN, PARAPHRASED, PROVED, Finding
from catalogue.models import Game, Reading
from catalogue.models.querysets import ReadingWithVersion, with_versions
from catalogue.outcomes.bars import Outcomes
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
ByGame = dict[int, tuple[Bar, ...]]
FEWEST = 2  # levels that have to be known
ORDER = (OverLevels.TURNS_OVER, OverLevels.DEPENDS, OverLevels.STABLE, OverLevels.UNDECIDED)


class Difference(NamedTuple):
    """How far apart two readings are in one outcome.

    size: of the difference, never below nothing; counted: what it is a share of, "games" or "first rounds"
    """

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
    """The finding of the portal's paraphrase against readings of the quotation. authority: by slug of a reading"""
    texts = [bar for bar in bars if bar.row.slug in authority]
    quoted, portal = ([bar for bar in texts if (authority[bar.row.slug] == PORTAL) == is_it] for is_it in (False, True))
    farthest = _farthest(product(quoted, portal))
    return _finding(PARAPHRASED, game, farthest, texts, level) if farthest else None


def _farthest(pairs: Iterable[tuple[Bar, Bar]]) -> Difference | None:
    differences = (difference for pair in pairs for difference in _differences(*pair))
    return max(differences, key=lambda one: one.size.limits[0], default=None)


def _finding(kind: str, game: Game, found: Difference, bars: Sequence[Bar], level: FigureLevel) -> Finding:
    both = [bar for bar, _ in (found.first, found.second)]
    return Finding(
        kind=kind,
        game=game,
        headline=f"{game.name}: {lowered(headline(named_outcomes(bars)))}",
        sentence=_sentence(found),
        size=found.size,
        size_text=in_points(found.size),
        level=level.key,
        level_text=level.title,
        games=min(_outcomes(bar).games for bar in both),
        links=(
            *((bar.row.title, bar.row.address) for bar in both),
            ("Compare the readings", f"/compare/?game={game.slug}"),
        ),
        batches=tuple(bar.batch.id for bar in both if bar.batch),
        bars=tuple(bars),
        bars_of=level.title,
        counted=found.counted,
        few_kinds=tuple(bar.few_kinds for bar in both if bar.few_kinds),
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
    """The share of each outcome: by the names of the sides where both readings have them, else by their seats."""
    named = role if have_same_roles(mine, theirs) else by_seat
    return {named(segment): wilson(segment.share, mine.games) for segment in mine.segments if mine.games}


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
    """ "Ludii (where that is the blocker)": the reading, with its name for a side that is called by its seat."""
    roles = {by_seat(segment): role(segment) for segment in _outcomes(bar).segments}
    side = roles.get(title, title)
    return f"{bar.row.name} (where that is {side.removeprefix('won by ')})" if side != title else bar.row.name


def proved(game: Game, bars: Sequence[Bar], level: FigureLevel, at_random: Mapping[str, Bar]) -> Finding | None:
    """The finding of the solved readings of a game; None where none is solved.

    at_random: slug of a reading → its bar on the level of random play
    """
    solved = [(bar, bar.outcomes) for bar in bars if bar.outcomes]
    if not solved:
        return None
    shares: list[Side] = []
    for bar, outcomes in solved:
        random = at_random[bar.row.slug].outcomes if bar.row.slug in at_random else None
        if random and random.games:
            share = sum(segment.share for segment in random.segments if segment.kind == outcomes.segments[0].kind)
            shares.append((bar, wilson(share, random.games)))
    size, contrast, size_text = None, "", "proved"
    if shares:
        seldom, share_of_it = min(shares, key=lambda one: one[1].value)
        low, high = share_of_it.limits
        size = Interval(1 - share_of_it.value, 1 - high, 1 - low)
        contrast = f" Random players come to it in {in_percent(share_of_it)} of games under {seldom.row.name}."
        size_text = f"{100 * size.value:.1f} of 100 random games come to something else"
    found = finding([(bar.row.name, tendency(outcomes, 0)) for bar, outcomes in solved], len(solved))
    readings = "the solved reading" if len(solved) == 1 else f"all {len(solved)} solved readings"
    random_bars = tuple(at_random[bar.row.slug] for bar, _ in shares)
    return Finding(
        kind=PROVED,
        game=game,
        headline=f"{game.name}: {lowered(found)}",
        sentence=f"If both sides play without fault, the result is certain in {readings}.{contrast}",
        size=size,
        size_text=size_text,
        level=level.key,
        level_text=level.title,
        games=None,
        links=tuple((bar.row.title, f"{bar.row.address}#solution") for bar, _ in solved),
        batches=tuple(bar.batch.id for bar in random_bars if bar.batch),
        bars=random_bars,
        bars_of="random players",
    )


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
        return any(level.first or level.second for level in self.judged.levels)


def telling(found: Sequence[DifferenceOverLevels]) -> list[DifferenceOverLevels]:
    """The differences that are worth telling, those that turn over first.

    Left out are those that are absent on every level, and outcomes that never happen.
    """
    said = [one for one in found if one.happens and not all(one.judged.absent)]
    return sorted(said, key=lambda one: ORDER.index(one.verdict))


def over_levels(levels: Sequence[tuple[FigureLevel, ByGame]]) -> dict[int, tuple[DifferenceOverLevels, ...]]:
    """The differences of each game: in every outcome, between every two readings, on all levels that both have."""
    games = dict.fromkeys(game for _, by_game in levels for game in by_game)
    return {game: tuple(_of_game([(level, by_game.get(game, ())) for level, by_game in levels])) for game in games}


def _of_game(levels: Sequence[tuple[FigureLevel, Sequence[Bar]]]) -> Iterator[DifferenceOverLevels]:
    rows = {bar.row.slug: bar.row for _, bars in levels for bar in bars}
    of_rounds = any(bar.outcomes.of_rounds for _, bars in levels for bar in bars if bar.outcomes)
    known = [
        (level, {bar.row.slug: ended for bar in bars if (ended := bar.ended(of_rounds))}) for level, bars in levels
    ]
    differences = [
        (outcome, rows[first], rows[second], on_levels)
        for first, second in combinations(rows, 2)
        for outcome, on_levels in _on_levels(known, first, second).items()
    ]
    verdicts = judged([on_levels for *_, on_levels in differences], MARGIN)
    counted = "first rounds" if of_rounds else "games"
    for (outcome, first, second, _), verdict in zip(differences, verdicts, strict=True):
        slugs = {first.slug, second.slug}
        few_kinds = {
            level.short: tuple(bar.few_kinds for bar in bars if bar.few_kinds and bar.row.slug in slugs)
            for level, bars in levels
        }
        yield DifferenceOverLevels(outcome, first, second, verdict, counted, few_kinds)


def _on_levels(
    known: Sequence[tuple[FigureLevel, Mapping[str, Outcomes]]], first: str, second: str
) -> dict[str, list[LevelDifference]]:
    """The difference in each outcome that is known on at least two levels. Sides are called alike on all of them.

    Where it is proved that one side wins, it is proved that no other does.
    """
    both = [(level, ended[first], ended[second]) for level, ended in known if {first, second} <= ended.keys()]
    named = role if both and have_same_roles(both[0][1], both[0][2]) else by_seat
    found: dict[str, list[LevelDifference]] = {}
    parts = [part for _, *pair in both for outcomes in pair for part in outcomes.segments]
    sides = dict.fromkeys(named(part) for part in parts if part.kind.startswith("won-"))
    for level, one, other in both:
        is_proved = level.key == PERFECT
        shares = [{named(part): part.share for part in outcomes.segments} for outcomes in (one, other)]
        games = (0, 0) if is_proved else (one.games, other.games)
        for outcome in dict.fromkeys([*shares[0], *shares[1], *(sides if is_proved else ())]):
            pair = shares[0].get(outcome, 0.0), shares[1].get(outcome, 0.0)
            stopped = (0.0, 0.0) if outcome == NOT_OVER else (one.unfinished, other.unfinished)
            found.setdefault(outcome, []).append(LevelDifference(level.short, *pair, games, stopped))
    return {outcome: some for outcome, some in found.items() if len(some) >= FEWEST}
