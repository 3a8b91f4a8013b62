"""The portal's games, rulesets and evidence as rows of the catalogue.

Records have the form in which the pages of the portal are imported.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from catalogue.loading.rows import Row, row, slug_of
from catalogue.models import Citation, Evidence, Game, PortalGame
from catalogue.portal.dump import fields
from catalogue.portal.dump.dates_and_places import PlaceProblem, Places, dated, portal_day
from catalogue.portal.dump.reading import Dump
from catalogue.portal.page_import import apart_from, citation_rows, evidence_row
from catalogue.portal.record_pages import Record
from catalogue.texts import dates

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
    for read in fields.numbered_rows(dump, "Games"):
        number, name = read.number, read.line("Name", LONGEST_NAME)
        if not fields.says_something(name):
            read.remark(fields.NAMELESS)
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
    dump: Dump, games: Mapping[int, NamedGame], linked: Mapping[str, fields.LinkedNames], places: Places
) -> Iterator[tuple[int, list[Row]]]:
    """Each game's Id, and its rows: the game, what the portal says of it, its other names.

    linked: column → the slugs or keys that games are linked to
    """
    for read in fields.numbered_rows(dump, "Games", again=True):
        if game := games.get(read.number):
            own = row("game", slug=game.slug, name=game.name)
            others = read.kept_columns()
            further = {"origin_points": origin_points(read, places, others), **links_of(read.number, linked)}
            yield read.number, [own, _portal_row(read, game, others, further), *_name_rows(read, game)]


def main_rulesets(dump: Dump) -> set[int]:
    numbers = (fields.number_of(values.get("MainRuleset")) for values in dump.rows("Games"))
    return {number for number in numbers if number is not None}


def links_of(number: int, linked: Mapping[str, fields.LinkedNames]) -> dict[str, list[list[str]]]:
    return {column: [[slug] for slug in slugs.of(number)] for column, slugs in linked.items()}


def origin_points(read: fields.DumpRow, places: Places, others: dict[str, str]) -> list[list[str]]:
    """The point of the column OriginPoint; what is no point is kept among the other columns as printed."""
    words = read.text("OriginPoint")
    try:
        return [[slug] for slug in places.of(words)] if words else []
    except PlaceProblem as problem:
        read.remark(f"OriginPoint {words[:200]!r} was kept as printed: {problem}")
        others["OriginPoint"] = words
        return []


def _portal_row(read: fields.DumpRow, game: NamedGame, others: dict[str, str], further: Mapping[str, Any]) -> Row:
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
        **further,
    )


def _name_rows(read: fields.DumpRow, game: NamedGame) -> Iterator[Row]:
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
    for read in fields.numbered_rows(dump, "GameRulesets"):
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
    linked: Mapping[str, fields.LinkedNames],
    places: Places,
) -> Iterator[tuple[int, list[Row]]]:
    """evidence: ruleset → identifiers of its records; linked: column → what rulesets are linked to"""
    ludemeplexes = linked["ludemeplexes"]
    columns = {name: found for name, found in linked.items() if found is not ludemeplexes}
    main = main_rulesets(dump)
    for read in fields.numbered_rows(dump, "GameRulesets", again=True):
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


NO_TYPE = "Not said"
NO_REASON = "The portal names this factor for the record and gives no reason."
# Label → what is linked to a record, and what stands between several of them.
FURTHER = {
    "Genders": ("Gender", ", "),
    "Social Status": ("SocialStatus", ", "),
    "Ludeme infos": ("LudemeInfo", ", "),
    "Ludemeplexes": ("Ludemeplex", "; "),
}
# Labels that no page of the portal prints: a record that was imported from its page lacks them.
ONLY_IN_THE_DUMP = frozenset(("Ludeme infos", "Ludemeplexes", "Verified", "Added", "ExternalDB", "ExternalDBId"))


class RecordProblem(ValueError):
    """A record cannot be kept; the message says why."""


@dataclass(frozen=True, slots=True)
class Lookups:
    """The rows that records name by number. linked: Source, Age, … → Ids, names and slugs of linked rows"""

    games: Mapping[int, NamedGame]
    rulesets: Mapping[int, DumpRuleset]
    types: Mapping[int, str]
    places: Places
    sources: Mapping[int, fields.PrintedSource]
    linked: Mapping[str, fields.LinkedNames]


@dataclass(slots=True)
class DumpRecord:
    """A record, ready to be written."""

    number: int
    identifier: str
    evidence: Row
    citations: list[Row]
    factors: list[Row]
    places: list[str] = field(default_factory=list)
    ruleset: int | None = None


def record_of(read: fields.DumpRow, lookups: Lookups) -> DumpRecord:
    """Raises RecordProblem if it says nothing, or of no game that is there."""
    number, linked = read.number, lookups.linked
    game = lookups.games.get(read.number_in("GameId") or 0)
    if game is None:
        raise RecordProblem(f"its game {read.values['GameId']!r} is not there")
    sources = [lookups.sources[int(source)] for source in linked["Source"].of(number)]
    others = read.kept_columns()
    slugs = _places(read, lookups.places, others)
    record = Record(
        identifier=f"DLP.Evidence.{number}",
        rules=read.text("Rules"),
        reference=read.text("Reference"),
        content=read.text("Misc"),
        confidence=read.line("ConfidenceMultiplier", 20),
        game=game.name,
        type=_type(read, lookups.types),
        ages=_joined(read, "Ages", linked["Age"], others),
        spaces=_joined(read, "Spaces", linked["Space"], others),
        sources=tuple(dict.fromkeys(source.as_printed for source in sources)),
    )
    if not record.rules and not record.content:
        raise RecordProblem("it has neither Rules nor Misc")
    for label, (other, between) in FURTHER.items():
        if names := linked[other].of(number):
            others[label] = between.join(names)
    others |= _row_fields(read)
    ruleset = _ruleset(read, lookups.rulesets)
    evidence = evidence_row(record)
    evidence["fields"] |= {
        "game": [game.slug],
        "places": sorted([slug] for slug in slugs),
        "ruleset_name": lookups.rulesets[ruleset].name if ruleset else "",
        "other_fields": others,
        **_date(read),
    }
    keys = {source.as_printed: source.key for source in sources}
    factor = {"evidence": [record.identifier], "reason": NO_REASON}
    return DumpRecord(
        number,
        record.identifier,
        evidence,
        [_fitting(citation, read) for citation in citation_rows(record, keys)],
        [row("evidenceuncertainty", factor=[slug], **factor) for slug in linked["UncertaintyFactor"].of(number)],
        slugs,
        ruleset,
    )


def _row_fields(read: fields.DumpRow) -> dict[str, str]:
    """Read what the portal notes of the row itself: whether somebody verified it, and when it was added."""
    verified = read.flag("Verified")
    added = read.line("DateAdded", 40).removesuffix(" 00:00:00")
    notes = {"Verified": {"1": "yes", "0": "no"}.get(verified, verified), "Added": added}
    return {label: words for label, words in notes.items() if words and not words.startswith("0000")}


def _type(read: fields.DumpRow, types: Mapping[int, str]) -> str:
    found = types.get(read.number_in("TypeId") or 0)
    words = read.line("TypeId", 60)
    if found or (words and not words.isdecimal()):
        return found or words
    read.remark(f"TypeId {words or 'is empty'}: the type is not there")
    return NO_TYPE


def _ruleset(read: fields.DumpRow, rulesets: Mapping[int, DumpRuleset]) -> int | None:
    number = read.number_in("RulesetId")
    if number is None:
        return None
    if number not in rulesets:
        read.remark(f"RulesetId {number}: the ruleset is not there")
        return None
    if rulesets[number].game != read.number_in("GameId"):
        read.remark(f"RulesetId {number}: the ruleset is of another game than the record")
    return number


def _joined(read: fields.DumpRow, label: str, linked: fields.LinkedNames, others: dict[str, str]) -> str:
    words = ", ".join(linked.of(read.number))
    if len(words) > fields.longest(Evidence, label.lower()):
        read.remark(f"{label} have {len(words)} characters; all of them stand among the other fields")
        others[label] = words
        return ""
    return words


def _places(read: fields.DumpRow, places: Places, others: dict[str, str]) -> list[str]:
    """Slugs of what Location and KML name; what cannot be read is kept as printed."""
    slugs: list[str] = []
    for column, find in (("Location", places.of), ("KML", places.drawn)):
        if words := read.text(column):
            try:
                slugs += find(words, read.remark_on(column))
            except PlaceProblem as problem:
                read.remark(f"{column} {words[:200]!r} was kept as printed: {problem}")
                others[column] = words
    return list(dict.fromkeys(slugs))


def _date(read: fields.DumpRow) -> Mapping[str, object]:
    ends = (portal_day(read.line(column, 40), read.flag(f"{column}BC")) for column in ("DateStart", "DateEnd"))
    found = dated(*ends)
    if found.oddity:
        read.remark(f"date {found.oddity}")
    earliest, latest = dates.years(found.edtf)
    return {"date_words": found.words, "date_edtf": found.edtf, "year_earliest": earliest, "year_latest": latest}


def _fitting(citation: Row, read: fields.DumpRow) -> Row:
    """Return the citation, without locators that are too long for their columns; the quotation still has them."""
    columns = citation["fields"]
    for name in ("locator", "as_printed"):
        if len(columns[name]) > fields.longest(Citation, name):
            read.remark(f"Misc names more pages of {columns['source'][0]} than the citation can list")
            columns |= {"locator": "", "as_printed": ""}
    return citation


def stored_identifiers(records: Iterable[DumpRecord]) -> set[str]:
    wanted = [record.identifier for record in records]
    return set(Evidence.objects.filter(identifier__in=wanted).values_list("identifier", flat=True))
