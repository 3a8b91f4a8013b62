"""The portal's games and rulesets as rows: which games of the catalogue they are, and what the portal says of them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catalogue.loading.rows import Row, row, slug_of
from catalogue.models import Game, PortalGame
from catalogue.portal.dump.dates_and_places import PlaceProblem, Places
from catalogue.portal.dump.fields import NAMELESS, DumpRow, LinkedNames, number_of, numbered_rows, says_something
from catalogue.portal.dump.reading import Dump
from catalogue.portal.page_import import apart_from

LONGEST_NAME = 100
LONGEST_BGG = 20
BETWEEN_ALIASES = re.compile(r"\s*[,;/|\n]\s*")


@dataclass(frozen=True, slots=True)
class NamedGame:
    slug: str
    name: str


def named_games(dump: Dump) -> dict[int, NamedGame]:
    """Map each Id of the portal to a game: the one imported under it, or of this name, or a new one.

    A reference game of the catalogue is none of the portal's, whatever it is called.
    """
    imported = dict(PortalGame.objects.values_list("number", "game__slug"))
    references = set(Game.objects.filter(is_reference=True).values_list("slug", flat=True))
    by_name = dict(Game.objects.exclude(is_reference=True).values_list("name", "slug"))
    found: dict[int, NamedGame] = {}
    slugs: dict[str, int] = {}
    taken: set[str] = set()
    for read in numbered_rows(dump, "Games"):
        number, name = read.number, read.line("Name", LONGEST_NAME)
        if not says_something(name):
            read.remark(NAMELESS)
            continue
        name = apart_from(references, name)
        slug = by_name.get(name) or slug_of(name)
        if slug in slugs:
            read.remark(f"has the name of game {slugs[slug]} ({name}); it was kept apart")
            slug = f"{slug[:75]}-{number}"
            name = name if name not in taken else f"{name[:75]} ({number})"
        slugs[slug] = number
        taken.add(name)
        found[number] = NamedGame(imported.get(number, slug), name)
    return found


def game_rows(
    dump: Dump, games: Mapping[int, NamedGame], linked: Mapping[str, LinkedNames], places: Places
) -> Iterator[tuple[int, list[Row]]]:
    """Each game's Id, and its rows: the game, what the portal says of it, its other names.

    linked: column → the slugs or keys that games are linked to
    """
    for read in numbered_rows(dump, "Games", again=True):
        if game := games.get(read.number):
            own = row("game", slug=game.slug, name=game.name)
            others = read.kept_columns()
            fields = {"origin_points": origin_points(read, places, others), **links_of(read.number, linked)}
            yield read.number, [own, _portal_row(read, game, others, fields), *_name_rows(read, game)]


def main_rulesets(dump: Dump) -> set[int]:
    numbers = (number_of(values.get("MainRuleset")) for values in dump.rows("Games"))
    return {number for number in numbers if number is not None}


def links_of(number: int, linked: Mapping[str, LinkedNames]) -> dict[str, list[list[str]]]:
    return {column: [[slug] for slug in slugs.of(number)] for column, slugs in linked.items()}


def origin_points(read: DumpRow, places: Places, others: dict[str, str]) -> list[list[str]]:
    """The point of the column OriginPoint; what is no point is kept among the other columns as printed."""
    words = read.text("OriginPoint")
    try:
        return [[slug] for slug in places.of(words)] if words else []
    except PlaceProblem as problem:
        read.remark(f"OriginPoint {words[:200]!r} was kept as printed: {problem}")
        others["OriginPoint"] = words
        return []


def _portal_row(read: DumpRow, game: NamedGame, others: dict[str, str], fields: Mapping[str, Any]) -> Row:
    number = read.text("BGGId")
    if not (number.isascii() and number.isdigit() and len(number) <= LONGEST_BGG):
        others |= {"BGGId": number} if number else {}
        number = ""
    return row(
        "portalgame",
        game=[game.slug],
        number=read.number,
        description=read.text("Description"),
        reference=read.text("Reference"),
        origin=read.text("Origin"),
        bgg_number="" if number.strip("0") == "" else number,
        other_fields=others,
        **fields,
    )


def _name_rows(read: DumpRow, game: NamedGame) -> Iterator[Row]:
    native = read.line("NativeName", LONGEST_NAME)
    aliases = BETWEEN_ALIASES.split(read.text("knownAliases"))
    seen = {game.name}
    for kind, name in (("native", native), *(("alias", " ".join(alias.split())) for alias in aliases)):
        if not name or name in seen:
            continue
        seen.add(name)
        if len(name) > LONGEST_NAME:
            read.remark(f"knownAliases holds a name of {len(name)} characters, which was left out: {name}")
        else:
            yield row("gamename", game=[game.slug], name=name, kind=kind)


LONGEST_RULESET_NAME = 200
LONGEST_TYPE = 60


@dataclass(frozen=True, slots=True)
class DumpRuleset:
    """game: the portal's Id"""

    name: str
    game: int


def named_rulesets(dump: Dump, games: Mapping[int, NamedGame]) -> dict[int, DumpRuleset]:
    """The rulesets whose game is there."""
    found = {}
    for read in numbered_rows(dump, "GameRulesets"):
        game = read.number_in("GameId") or 0
        if game in games:
            found[read.number] = DumpRuleset(read.line("Name", LONGEST_RULESET_NAME) or f"Ruleset {read.number}", game)
        else:
            read.remark(f"its game {read.values['GameId']!r} is not there; it was left out")
    return found


def ruleset_rows(
    dump: Dump,
    rulesets: Mapping[int, DumpRuleset],
    games: Mapping[int, NamedGame],
    types: Mapping[int, str],
    evidence: Mapping[int, list[str]],
    linked: Mapping[str, LinkedNames],
    places: Places,
) -> Iterator[tuple[int, list[Row]]]:
    """evidence: ruleset → identifiers of its records; linked: column → what rulesets are linked to"""
    ludemeplexes = linked["ludemeplexes"]
    columns = {name: found for name, found in linked.items() if found is not ludemeplexes}
    main = main_rulesets(dump)
    for read in numbered_rows(dump, "GameRulesets", again=True):
        if not (ruleset := rulesets.get(read.number)):
            continue
        words = read.line("Type", LONGEST_TYPE)
        others = read.kept_columns()
        if said := ludemeplexes.of(read.number):
            others["Ludemeplexes"] = "; ".join(said)
        texts = ("Summary", "Description", "Rules", "Reference", "Origin")
        portal_ruleset = row(
            "portalruleset",
            number=read.number,
            game=[games[ruleset.game].slug],
            name=ruleset.name,
            **{name.lower(): read.text(name) for name in texts},
            native_name=read.line("NativeName", LONGEST_RULESET_NAME),
            type=types.get(read.number_in("Type") or 0, "" if words.isdecimal() else words),
            is_main=read.number in main,
            origin_points=origin_points(read, places, others),
            other_fields=others,
            **links_of(read.number, columns),
            evidence=[[identifier] for identifier in evidence.get(read.number, ())],
        )
        yield read.number, [portal_ruleset]
