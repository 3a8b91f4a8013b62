"""Records as rows of the catalogue, in the form of Django's fixtures, without a database.

The importer and the shipped fixtures use the same rows, so that a fixture is exactly what an import would write.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain, count
from string import ascii_lowercase

from catalogue.loading.rows import Row, row, slug_of
from catalogue.models.evidence import OPENING_QUOTES
from catalogue.portal.bibliography import parse_reference
from catalogue.portal.locators import find_locators
from catalogue.portal.record_pages import Record
from catalogue.texts import dates

LONGEST_SOURCE_KEY = 70  # characters, without what tells it from others


def subject_rows(records: Iterable[Record]) -> list[Row]:
    """The games and places that the records name, each once."""
    records = list(records)
    games = {slug_of(record.game): record.game for record in records}
    places = {slug_of(place): place for record in records for place in record.places}
    return [
        *(row("game", slug=slug, name=name) for slug, name in games.items()),
        *(row("place", slug=slug, name=name) for slug, name in places.items()),
    ]


def apart_from(references: Collection[str], name: str) -> str:
    """What a game of the portal is called here: a reference game that checks the engine is another, though its name
    may be the same. references: their slugs"""
    return f"{name} (portal)" if slug_of(name) in references else name


def source_keys(records: Iterable[Record], known: Mapping[str, str]) -> dict[str, str]:
    """A key for every reference printed, `known` holding those in use; the second work of one year gets -b."""
    keys, taken = dict(known), set(known.values())
    for printed in (source for record in records for source in record.sources):
        if printed not in keys:
            keys[printed] = new_source_key(printed, taken)
            taken.add(keys[printed])
    return keys


def new_source_key(printed: str, taken: Collection[str]) -> str:
    """Its author and year; the second work of one year gets -b, the twenty-seventh -27."""
    key = parse_reference(printed).key[:LONGEST_SOURCE_KEY]
    others = (f"{key}-{ending}" for ending in chain(ascii_lowercase[1:], count(27)))
    return next(one for one in chain([key], others) if one not in taken)


def source_rows(records: Iterable[Record], keys: Mapping[str, str]) -> list[Row]:
    printed = dict.fromkeys(source for record in records for source in record.sources)
    return [row("source", key=keys[source], **parse_reference(source).columns()) for source in printed]


def evidence_row(record: Record) -> Row:
    edtf = dates.edtf_of_portal(record.date_words)
    earliest, latest = dates.years(edtf)
    return row(
        "evidence",
        identifier=record.identifier,
        type=record.type,
        game=[slug_of(record.game)],
        places=sorted([slug_of(place)] for place in record.places),
        ruleset_name=record.ruleset_name,
        date_words=record.date_words,
        date_edtf=edtf,
        year_earliest=earliest,
        year_latest=latest,
        paraphrase=record.rules,
        reference=record.reference,
        quotation=record.content,
        confidence=record.confidence,
        ages=record.ages,
        spaces=record.spaces,
        other_fields=dict(record.other_fields),
    )


def citation_rows(record: Record, keys: Mapping[str, str]) -> list[Row]:
    """One row for each source; the first place named after a quotation is where the quotation is from."""
    located = {source: find_locators(record.content, parse_reference(source)) for source in record.sources}
    first = min((locator.offset for found in located.values() for locator in found), default=None)
    quoted = record.content.startswith(OPENING_QUOTES)
    rows = []
    for position, (source, found) in enumerate(located.items(), start=1):
        cited = "quoted" if quoted and found and found[0].offset == first else "referred-to"
        rows.append(
            row(
                "citation",
                evidence=[record.identifier],
                source=[keys[source]],
                position=position,
                role=cited if found else "listed",
                locator="; ".join(locator.pages for locator in found),
                as_printed="; ".join(locator.as_printed for locator in found),
            )
        )
    return rows
