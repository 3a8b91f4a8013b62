"""How all readings of all games play, on every level there is: what findings are made from, and the bars on cards."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from django.db.models import QuerySet

from catalogue.models import Reading
from catalogue.models.querysets import ReadingWithVersion, with_versions
from catalogue.outcomes.figure import Bar, FigureLevel, FigureRow
from catalogue.outcomes.played import bars_by_level
from catalogue.texts.marking import authority_in_words

ByGame = dict[int, tuple[Bar, ...]]


def levels_played() -> list[tuple[FigureLevel, ByGame]]:
    """(level, game → its bars, as its readings are ordered) of each level, from the weakest: four queries."""
    return _levels_of(Reading.objects.all())


def levels_of_games_with(slugs: Iterable[str]) -> list[tuple[FigureLevel, ByGame]]:
    """The same of the games of these readings: of all their readings, which are asked of together."""
    return _levels_of(Reading.objects.filter(game__in=Reading.objects.filter(slug__in=list(slugs)).values("game")))


def _levels_of(readings: "QuerySet[Reading]") -> list[tuple[FigureLevel, ByGame]]:
    shown = readings.exclude(kind=Reading.Kind.REFERENCE).order_by("game", "position", "slug")
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
