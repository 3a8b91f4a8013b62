"""The portal's games as rows: which games of the catalogue they are, and what the portal says of them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from catalogue.loading.rows import Row as Written
from catalogue.loading.rows import row, slug_of
from catalogue.models import Game, PortalGame
from catalogue.portal.dump.fields import Linked, Table, number_of, says_something
from catalogue.portal.dump.reading import Dump
from catalogue.portal.dump.reading import Row as Read
from catalogue.portal.dump.remarks import Remarks
from catalogue.portal.dump.tables import TABLES

LONGEST_NAME = 100
BETWEEN_ALIASES = re.compile(r"\s*[,;/|\n]\s*")


@dataclass(frozen=True, slots=True)
class NamedGame:
    slug: str
    name: str


def named_games(dump: Dump, remarks: Remarks) -> dict[int, NamedGame]:
    """The portal's Id → the game it is here: the one imported under this number, or of this name, or a new one."""
    table = Table(dump, "Games", remarks)
    imported = dict(PortalGame.objects.values_list("number", "game__slug"))
    by_name = dict(Game.objects.values_list("name", "slug"))
    found: dict[int, NamedGame] = {}
    slugs: dict[str, int] = {}
    taken: set[str] = set()
    for number, read in table:
        name = table.line(number, read, "Name", LONGEST_NAME)
        if not says_something(name):
            remarks.add("Games", number, "has no name and was left out")
            continue
        slug = by_name.get(name) or slug_of(name)
        if slug in slugs:
            remarks.add("Games", number, f"has the name of game {slugs[slug]} ({name}); it was kept apart")
            slug = f"{slug[:75]}-{number}"
            name = name if name not in taken else f"{name[:75]} ({number})"
        slugs[slug] = number
        taken.add(name)
        found[number] = NamedGame(imported.get(number, slug), name)
    return found


@dataclass(frozen=True, slots=True)
class OfGames:
    """What games are linked to: slugs of places, periods and categories."""

    regions: Linked
    periods: Linked
    categories: Linked


def game_rows(
    dump: Dump, games: Mapping[int, NamedGame], linked: OfGames, remarks: Remarks
) -> Iterator[tuple[int, list[Written]]]:
    """Each game's Id, and its rows: the game, what the portal says of it, its other names."""
    silent = Table(dump, "Games", Remarks())
    table = Table(dump, "Games", remarks)
    for number, read in silent:
        if number in games:
            game = games[number]
            yield (
                number,
                [
                    row("game", slug=game.slug, name=game.name),
                    _portal_row(number, read, game, linked, table),
                    *_name_rows(number, read, game, table),
                ],
            )


def kept_columns(table: Table, number: int, read: Read) -> dict[str, str]:
    """Those that are kept under their name, as far as they say something."""
    texts = {name: table.text(number, read, name) for name in TABLES[table.name].kept}
    return {name: words for name, words in texts.items() if words}


def main_rulesets(dump: Dump) -> set[int]:
    numbers = (number_of(read.get("MainRuleset")) for read in dump.rows("Games"))
    return {number for number in numbers if number is not None}


def _portal_row(number: int, read: Read, game: NamedGame, linked: OfGames, table: Table) -> Written:
    return row(
        "portalgame",
        game=[game.slug],
        number=number,
        description=table.text(number, read, "Description"),
        reference=table.text(number, read, "Reference"),
        origin=table.text(number, read, "Origin"),
        other_fields=kept_columns(table, number, read),
        regions=[[slug] for slug in linked.regions.of(number)],
        periods=[[slug] for slug in linked.periods.of(number)],
        categories=[[slug] for slug in linked.categories.of(number)],
    )


def _name_rows(number: int, read: Read, game: NamedGame, table: Table) -> Iterator[Written]:
    native = table.line(number, read, "NativeName", LONGEST_NAME)
    aliases = BETWEEN_ALIASES.split(table.text(number, read, "knownAliases"))
    seen = {game.name}
    for kind, name in (("native", native), *(("alias", " ".join(alias.split())) for alias in aliases)):
        if not name or name in seen:
            continue
        seen.add(name)
        if len(name) > LONGEST_NAME:
            table.say(number, "knownAliases")(f"holds a name of {len(name)} characters, which was left out: {name}")
        else:
            yield row("gamename", game=[game.slug], name=name, kind=kind)
