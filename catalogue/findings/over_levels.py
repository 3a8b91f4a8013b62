"""Readings of one game side by side over all levels of play: whether strength turns a difference over.

Sides are told apart by their names where both readings have the same ones on all levels, else by who moves first, and
named. Where games come in rounds and some level has only first rounds, first rounds are looked at on all levels: what
whole games come to beside them would be no matter of strength. What is compared at all: `compared`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby
from typing import NamedTuple

from catalogue.findings.compared import Kinds, by_same_players, is_same_game
from catalogue.findings.finding import MARGIN
from catalogue.models import Reading
from catalogue.models.querysets import ReadingWithVersion, with_versions
from catalogue.outcomes.bars import NOT_OVER, Outcomes, Segment
from catalogue.outcomes.figure import PERFECT, Bar, FigureLevel, FigureRow
from catalogue.outcomes.played import bars_by_level
from catalogue.outcomes.wording import by_seat, have_same_roles, role
from catalogue.texts.voices import voice_of
from simulator.batches.levels import FIRSTS, SECONDS
from simulator.statistics.over_levels import Judged, LevelDifference, OverLevels, judged

ByGame = dict[int, tuple[Bar, ...]]
FEWEST = 2  # levels that have to be known
ORDER = (OverLevels.TURNS_OVER, OverLevels.WHO, OverLevels.DEPENDS, OverLevels.STABLE, OverLevels.UNDECIDED)


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
            address = reading.get_absolute_url()
            voice = voice_of(reading.authority, reading.title)
            yield (
                game,
                FigureRow(
                    *voice.words, reading.title, address, place, ruleset, slug=reading.slug, voice=voice.kind.slug
                ),
            )


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
    return {game: tuple(_of_game(own)) for game, own in _by_games(levels).items()}


def same_games(levels: Sequence[tuple[FigureLevel, ByGame]]) -> dict[int, tuple[tuple[FigureRow, FigureRow], ...]]:
    """The readings of each game that were the same game on every level that both were played on."""
    found = {}
    for game, own in _by_games(levels).items():
        rows = _readings(own)
        pairs = [pair for pair in combinations(rows, 2) if _are_same(own, *pair)]
        if pairs:
            found[game] = tuple((rows[first], rows[second]) for first, second in pairs)
    return found


OfGame = Sequence[tuple[FigureLevel, Sequence[Bar]]]


def _by_games(levels: Sequence[tuple[FigureLevel, ByGame]]) -> dict[int, OfGame]:
    games = dict.fromkeys(game for _, by_game in levels for game in by_game)
    return {game: [(level, by_game.get(game, ())) for level, by_game in levels] for game in games}


def _readings(levels: OfGame) -> dict[str, FigureRow]:
    return {bar.row.slug: bar.row for _, bars in levels for bar in bars}


def _has_only_rounds(levels: OfGame) -> bool:
    return any(bar.outcomes.of_rounds for _, bars in levels for bar in bars if bar.outcomes)


def _are_same(levels: OfGame, first: str, second: str) -> bool:
    """Whether two readings were the same game on every level on which the same players played both."""
    of_rounds = _has_only_rounds(levels)
    by_slug = [{bar.row.slug: bar for bar in bars if bar.batch} for _, bars in levels]
    both = [(bars[first], bars[second]) for bars in by_slug if {first, second} <= bars.keys()]
    played = [pair for pair in both if by_same_players(*pair)]
    return bool(played) and all(is_same_game(*pair, of_rounds=of_rounds) for pair in played)


AllKinds = Mapping[tuple[str, str], Kinds]  # by level and reading


def _of_game(levels: OfGame) -> Iterator[DifferenceOverLevels]:
    rows, of_rounds = _readings(levels), _has_only_rounds(levels)
    kinds = {(level.key, bar.row.slug): Kinds.of(bar, of_rounds) for level, bars in levels for bar in bars}
    differences = [
        (outcome, rows[first], rows[second], on_levels)
        for first, second in combinations(rows, 2)
        if not _are_same(levels, first, second)
        for outcome, on_levels in _on_levels(levels, kinds, of_rounds, first, second).items()
    ]
    verdicts = judged([on_levels for *_, on_levels in differences], MARGIN)
    counted = "first rounds" if of_rounds else "games"
    for (outcome, first, second, _), verdict in zip(differences, verdicts, strict=True):
        slugs = {first.slug, second.slug}
        few_kinds = {
            level.short: tuple(
                bar.few_kinds or f"{bar.row.label}: only {kinds[level.key, bar.row.slug].number} different {counted}"
                for bar in bars
                if bar.row.slug in slugs and kinds[level.key, bar.row.slug].few
            )
            for level, bars in levels
        }
        yield DifferenceOverLevels(outcome, first, second, verdict, counted, few_kinds)


class _Pair(NamedTuple):
    """Two readings on one level, played by the same players. ended: how their games ended, or their first rounds"""

    level: FigureLevel
    bars: tuple[Bar, Bar]
    ended: tuple[Outcomes, Outcomes]


def _pairs(levels: OfGame, of_rounds: bool, first: str, second: str) -> Iterator[_Pair]:
    for level, bars in levels:
        by_slug = {bar.row.slug: bar for bar in bars}
        if not {first, second} <= by_slug.keys() or not by_same_players(by_slug[first], by_slug[second]):
            continue
        both = by_slug[first], by_slug[second]
        one, other = (bar.ended(of_rounds) for bar in both)
        if one and other:
            yield _Pair(level, both, (one, other))


def _on_levels(
    levels: OfGame, kinds: AllKinds, of_rounds: bool, first: str, second: str
) -> dict[str, list[LevelDifference]]:
    """The difference in each outcome that is known on at least two levels. Sides are called alike on all of them.

    Where it is proved that one side wins, it is proved that no other does. What the second player of a level comes to
    stands with the level.
    """
    every = {pair.level.key: pair for pair in _pairs(levels, of_rounds, first, second)}
    pairs = [pair for key, pair in every.items() if key not in FIRSTS]
    named = role if pairs and have_same_roles(*pairs[0].ended) else by_seat
    parts = [part for pair in pairs for outcomes in pair.ended for part in outcomes.segments]
    sides = dict.fromkeys(named(part) for part in parts if part.kind.startswith("won-"))
    cannot = {named(part) for part in parts if not part.possible}
    found: dict[str, list[LevelDifference]] = {}
    for pair in pairs:
        shares = [{named(part): part.share for part in outcomes.segments} for outcomes in pair.ended]
        is_proved = pair.level.key == PERFECT
        second_player = every.get(SECONDS.get(pair.level.key, ""))
        for outcome in dict.fromkeys([*shares[0], *shares[1], *(sides if is_proved else ())]):
            if outcome not in cannot:
                known = replace(
                    _level_difference(pair, outcome, named, kinds),
                    again=_level_difference(second_player, outcome, named, kinds) if second_player else None,
                    wants_second=pair.level.key in SECONDS,
                )
                found.setdefault(outcome, []).append(known)
    return {outcome: some for outcome, some in found.items() if len(some) >= FEWEST}


def _level_difference(pair: _Pair, outcome: str, named: Callable[[Segment], str], kinds: AllKinds) -> LevelDifference:
    one, other = pair.ended
    first, second = ({named(part): part.share for part in outcomes.segments} for outcomes in pair.ended)
    games = (0, 0) if pair.level.key == PERFECT else (one.games, other.games)
    stopped = (0.0, 0.0) if outcome == NOT_OVER else (one.unfinished, other.unfinished)
    shares = first.get(outcome, 0.0), second.get(outcome, 0.0)
    mine, theirs = (kinds[pair.level.key, bar.row.slug] for bar in pair.bars)
    numbers = (mine.number, theirs.number)
    return LevelDifference(pair.level.short, *shares, games, stopped, numbers, mine.few or theirs.few)
