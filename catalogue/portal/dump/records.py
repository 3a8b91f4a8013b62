"""The portal's evidence as rows of the catalogue, in the form in which its pages are imported."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from catalogue.loading.rows import Row, row
from catalogue.models import Citation, Evidence
from catalogue.portal.dump.dates_and_places import PlaceProblem, Places, dated, portal_day
from catalogue.portal.dump.fields import DumpRow, LinkedNames, PrintedSource, longest
from catalogue.portal.dump.games import DumpRuleset, NamedGame
from catalogue.portal.page_import import citation_rows, evidence_row
from catalogue.portal.record_pages import Record
from catalogue.texts import dates

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
    sources: Mapping[int, PrintedSource]
    linked: Mapping[str, LinkedNames]


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


def record_of(read: DumpRow, lookups: Lookups) -> DumpRecord:
    """Raises RecordProblem if it says nothing, or of no game that is there."""
    number, linked = read.number, lookups.linked
    game = lookups.games.get(read.number_in("GameId") or 0)
    if game is None:
        raise RecordProblem(f"its game {read.values['GameId']!r} is not there")
    sources = [lookups.sources[int(one)] for one in linked["Source"].of(number)]
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
        [_fitting(one, read) for one in citation_rows(record, keys)],
        [row("evidenceuncertainty", factor=[slug], **factor) for slug in linked["UncertaintyFactor"].of(number)],
        slugs,
        ruleset,
    )


def _row_fields(read: DumpRow) -> dict[str, str]:
    """Read what the portal notes of the row itself: whether somebody verified it, and when it was added."""
    verified = read.flag("Verified")
    added = read.line("DateAdded", 40).removesuffix(" 00:00:00")
    fields = {"Verified": {"1": "yes", "0": "no"}.get(verified, verified), "Added": added}
    return {label: words for label, words in fields.items() if words and not words.startswith("0000")}


def _type(read: DumpRow, types: Mapping[int, str]) -> str:
    found = types.get(read.number_in("TypeId") or 0)
    words = read.line("TypeId", 60)
    if found or (words and not words.isdecimal()):
        return found or words
    read.remark(f"TypeId {words or 'is empty'}: the type is not there")
    return NO_TYPE


def _ruleset(read: DumpRow, rulesets: Mapping[int, DumpRuleset]) -> int | None:
    number = read.number_in("RulesetId")
    if number is None:
        return None
    if number not in rulesets:
        read.remark(f"RulesetId {number}: the ruleset is not there")
        return None
    if rulesets[number].game != read.number_in("GameId"):
        read.remark(f"RulesetId {number}: the ruleset is of another game than the record")
    return number


def _joined(read: DumpRow, label: str, linked: LinkedNames, others: dict[str, str]) -> str:
    words = ", ".join(linked.of(read.number))
    if len(words) > longest(Evidence, label.lower()):
        read.remark(f"{label} have {len(words)} characters; all of them stand among the other fields")
        others[label] = words
        return ""
    return words


def _places(read: DumpRow, places: Places, others: dict[str, str]) -> list[str]:
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


def _date(read: DumpRow) -> Mapping[str, object]:
    ends = (portal_day(read.line(one, 40), read.flag(f"{one}BC")) for one in ("DateStart", "DateEnd"))
    found = dated(*ends)
    if found.oddity:
        read.remark(f"date {found.oddity}")
    earliest, latest = dates.years(found.edtf)
    return {"date_words": found.words, "date_edtf": found.edtf, "year_earliest": earliest, "year_latest": latest}


def _fitting(citation: Row, read: DumpRow) -> Row:
    """Return the citation, without locators that are too long for their columns; the quotation still has them."""
    fields = citation["fields"]
    for name in ("locator", "as_printed"):
        if len(fields[name]) > longest(Citation, name):
            read.remark(f"Misc names more pages of {fields['source'][0]} than the citation can list")
            fields |= {"locator": "", "as_printed": ""}
    return citation


def stored_identifiers(records: Iterable[DumpRecord]) -> set[str]:
    wanted = [record.identifier for record in records]
    return set(Evidence.objects.filter(identifier__in=wanted).values_list("identifier", flat=True))
