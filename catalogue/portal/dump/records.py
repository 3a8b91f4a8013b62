"""The portal's evidence as rows of the catalogue, in the form in which its pages are imported."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from catalogue.loading.rows import Row, row
from catalogue.models import Citation, Evidence
from catalogue.portal.dump.dates_text import dated
from catalogue.portal.dump.fields import Linked, Table, is_set, longest, number_of
from catalogue.portal.dump.games import NamedGame, kept_columns
from catalogue.portal.dump.places import Places
from catalogue.portal.dump.places_text import PlaceProblem
from catalogue.portal.dump.reading import Row as Read
from catalogue.portal.dump.rulesets import NamedRuleset
from catalogue.portal.dump.sources import PrintedSource
from catalogue.portal.record_pages import Record
from catalogue.portal.rows import citation_rows, evidence_row
from catalogue.texts import dates

NO_TYPE = "Not said"
NO_REASON = "The portal names this factor for the record and gives no reason."


class RecordProblem(ValueError):
    """A record cannot be kept; the message says why."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What records name by number, and what is linked to them by theirs.

    sources, factors: of each record the Ids of its sources, the slugs of its factors
    """

    games: Mapping[int, NamedGame]
    rulesets: Mapping[int, NamedRuleset]
    types: Mapping[int, str]
    places: Places
    printed: Mapping[int, PrintedSource]
    sources: Linked
    ages: Linked
    genders: Linked
    statuses: Linked
    spaces: Linked
    factors: Linked


@dataclass(slots=True)
class DumpRecord:
    """A record, ready to be written. places: rows of those it names"""

    number: int
    identifier: str
    evidence: Row
    citations: list[Row]
    factors: list[Row]
    places: list[Row] = field(default_factory=list)
    ruleset: int | None = None


def record_of(number: int, read: Read, near: Surroundings, table: Table) -> DumpRecord:
    """Raises RecordProblem if it says nothing, or of no game that is there."""
    game = near.games.get(number_of(read["GameId"]) or 0)
    if game is None:
        raise RecordProblem(f"its game {read['GameId']!r} is not there")
    sources = [near.printed[one] for one in map(int, near.sources.of(number))]
    others = kept_columns(table, number, read)
    slugs = _places(number, read, near, table, others)
    record = replace(
        _texts(number, read, table),
        game=game.name,
        type=_type(number, read, near, table),
        ages=_joined(table, number, "Ages", near.ages, others, 100),
        spaces=_joined(table, number, "Spaces", near.spaces, others, 100),
        sources=tuple(dict.fromkeys(source.as_printed for source in sources)),
    )
    if not record.rules and not record.content:
        raise RecordProblem("it has neither Rules nor Misc")
    for label, linked in (("Genders", near.genders), ("Social Status", near.statuses)):
        if names := linked.of(number):
            others[label] = ", ".join(names)
    ruleset = _ruleset(number, read, near, table)
    evidence = evidence_row(record)
    evidence["fields"] |= {
        "game": [game.slug],
        "places": sorted([slug] for slug in slugs),
        "ruleset_name": near.rulesets[ruleset].name if ruleset else "",
        "other_fields": others,
        **_date(number, read, table),
    }
    keys = {source.as_printed: source.key for source in sources}
    return DumpRecord(
        number,
        record.identifier,
        evidence,
        [_fitting(one, number, table) for one in citation_rows(record, keys)],
        [
            row("evidenceuncertainty", evidence=[record.identifier], factor=[slug], reason=NO_REASON)
            for slug in near.factors.of(number)
        ],
        [near.places.rows[slug] for slug in slugs if slug in near.places.rows],
        ruleset,
    )


def _texts(number: int, read: Read, table: Table) -> Record:
    return Record(
        identifier=f"DLP.Evidence.{number}",
        type="",
        game="",
        places=(),
        ruleset_name="",
        date_words="",
        rules=table.text(number, read, "Rules"),
        reference=table.text(number, read, "Reference"),
        content=table.text(number, read, "Misc"),
        confidence=table.line(number, read, "ConfidenceMultiplier", 20),
        ages="",
        spaces="",
        other_fields=(),
        sources=(),
    )


def _type(number: int, read: Read, near: Surroundings, table: Table) -> str:
    found = near.types.get(number_of(read.get("TypeId")) or 0)
    words = table.line(number, read, "TypeId", 60)
    if found or (words and not words.isdecimal()):
        return found or words
    table.say(number, "TypeId")(f"{words or 'is empty'}: the type is not there")
    return NO_TYPE


def _ruleset(number: int, read: Read, near: Surroundings, table: Table) -> int | None:
    ruleset = number_of(read.get("RulesetId"))
    if ruleset is None:
        return None
    if ruleset not in near.rulesets:
        table.say(number, "RulesetId")(f"{ruleset}: the ruleset is not there")
        return None
    if near.rulesets[ruleset].game != number_of(read["GameId"]):
        table.say(number, "RulesetId")(f"{ruleset}: the ruleset is of another game than the record")
    return ruleset


def _joined(table: Table, number: int, label: str, linked: Linked, others: dict[str, str], longest: int) -> str:
    words = ", ".join(linked.of(number))
    if len(words) > longest:
        table.say(number, label)(f"have {len(words)} characters; all of them stand among the other fields")
        others[label] = words
        return ""
    return words


def _places(number: int, read: Read, near: Surroundings, table: Table, others: dict[str, str]) -> list[str]:
    location = table.text(number, read, "Location")
    try:
        slugs, unknown = near.places.of(location) if location else ([], [])
    except PlaceProblem as problem:
        table.say(number, "Location")(f"{location[:200]!r} was kept as printed: {problem}")
        others["Location"] = location
        return []
    for name in unknown:
        table.say(number, "Location")(f"{name!r} is no region of the portal; it was kept as a place of its own")
    return slugs


def _date(number: int, read: Read, table: Table) -> Mapping[str, object]:
    start, end = (table.line(number, read, column, 40) for column in ("DateStart", "DateEnd"))
    found = dated(start, is_set(read.get("DateStartBC")), end, is_set(read.get("DateEndBC")))
    if found.oddity:
        table.say(number, "date")(found.oddity)
    earliest, latest = dates.years(found.edtf)
    return {"date_words": found.words, "date_edtf": found.edtf, "year_earliest": earliest, "year_latest": latest}


def _fitting(citation: Row, number: int, table: Table) -> Row:
    """Without its locators, if they are too many for their columns; the quotation still has them."""
    fields = citation["fields"]
    for name in ("locator", "as_printed"):
        if len(fields[name]) > longest(Citation, name):
            table.say(number, "Misc")(f"names more pages of {fields['source'][0]} than the citation can list")
            fields |= {"locator": "", "as_printed": ""}
    return citation


def stored_identifiers(records: Iterable[DumpRecord]) -> set[str]:
    wanted = [record.identifier for record in records]
    return set(Evidence.objects.filter(identifier__in=wanted).values_list("identifier", flat=True))
