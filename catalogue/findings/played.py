"""How all readings of all games play, on every level there is: what findings are made from, and the bars on cards."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from catalogue.evidence.outcome_figure import Bar, Contender, Level
from catalogue.evidence.played_outcomes import outcome_figure
from catalogue.models import Reading
from catalogue.models.querysets import ReadBeside, with_versions
from catalogue.texts.marking import authority_in_words

ByGame = dict[int, tuple[Bar, ...]]


def levels_played() -> list[tuple[Level, ByGame]]:
    """(level, game → its bars, as its readings are ordered) of each level; the queries grow with the levels alone."""
    shown = Reading.objects.exclude(kind=Reading.Kind.REFERENCE).order_by("game", "position", "slug")
    contenders = list(_contenders(with_versions(shown)))
    first = outcome_figure([one for _, one in contenders])
    found = []
    for level in first.levels:
        figure = first if level == first.level else outcome_figure([one for _, one in contenders], level.key)
        found.append((level, _by_game([game for game, _ in contenders], figure.bars)))
    return found


def _contenders(readings: Iterable[ReadBeside]) -> Iterator[tuple[int, Contender]]:
    for game, rows in groupby(readings, key=lambda read: read.reading.game_id):
        for place, read in enumerate(rows):
            reading, ruleset = read.reading, read.version.ruleset if read.version else None
            name, label = authority_in_words(reading.authority)
            address = reading.get_absolute_url()
            yield game, Contender(name, label, reading.title, address, place, ruleset, slug=reading.slug)


def _by_game(games: list[int], bars: Iterable[Bar]) -> ByGame:
    pairs = zip(games, bars, strict=True)
    return {
        game: tuple(bar for _, bar in own if bar.outcomes) for game, own in groupby(pairs, key=lambda pair: pair[0])
    }
