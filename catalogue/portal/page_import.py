"""An import of portal pages: all files are read before anything is written, then each record stands alone.

Records become rows in the form of Django's fixtures. What two pages say differently of one record, or a page and the
catalogue, is reported and never changed.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import chain, count
from pathlib import Path
from string import ascii_lowercase

from django.db import transaction

from catalogue.loading.rows import Loaded, Row, RowProblem, load_missing, load_rows, row, slug_of
from catalogue.models import Evidence, Game, Source
from catalogue.models.evidence import OPENING_QUOTES
from catalogue.portal.bibliography import find_locators, parse_reference
from catalogue.portal.record_pages import LARGEST_PAGE, NoPortalPage, PortalPage, Record, page_text, read_page
from catalogue.portal.reports import FieldDifference, FileRemark, PageReport
from catalogue.search.indexing import index_missing
from catalogue.texts import dates
from catalogue.texts.words import same

TEXTS = ("rules", "reference", "content")
WHERE_SEEN = ("identifier", "file", "line")


def gather(records: Iterable[Record]) -> tuple[list[Record], list[FieldDifference]]:
    """Each record once, in the order first seen, and what the other pages said differently of it."""
    gathered: dict[str, Record] = {}
    differences: list[FieldDifference] = []
    for record in records:
        first = gathered.setdefault(record.identifier, record)
        if first is not record:
            gathered[record.identifier] = _with_most_lines(first, record)
            differences.extend(_differences(first, record))
    return list(gathered.values()), differences


def _with_most_lines(first: Record, other: Record) -> Record:
    texts = {}
    for name in TEXTS:
        one, two = getattr(first, name), getattr(other, name)
        texts[name] = two if same(one, two) and two.count("\n") > one.count("\n") else one
    return replace(first, **texts)


def _differences(first: Record, other: Record) -> Iterator[FieldDifference]:
    for name in (field.name for field in fields(Record) if field.name not in WHERE_SEEN):
        one, two = getattr(first, name), getattr(other, name)
        if not same(one, two):
            yield FieldDifference(first.identifier, name, one, first.file, two, other.file)


def stored_differences(loaded: Loaded, offered_by: str) -> Iterator[FieldDifference]:
    """Return how rows of records, and of what belongs to them, differ from those of the catalogue."""
    for difference in loaded.differences:
        identifier, *rest = difference.key.split(" ")
        prefix = "" if difference.model == "evidence" else f"{difference.model} {rest[-1]}: "
        yield FieldDifference(
            identifier, prefix + difference.field, difference.stored, "the catalogue", difference.offered, offered_by
        )


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
    """Return what a game of the portal is called here: a reference game that checks the engine is another, though its
    name may be the same. references: their slugs"""
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
    """Name a source by author and year; the second work of one year gets -b, the twenty-seventh -27."""
    key = parse_reference(printed).key[:LONGEST_SOURCE_KEY]
    others = (f"{key}-{ending}" for ending in chain(ascii_lowercase[1:], count(27)))
    return next(candidate for candidate in chain([key], others) if candidate not in taken)


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
    """Return a row for each source; the first place named after a quotation is that of the quotation."""
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


IMPORTED = "Imported from a page of the portal"


def read_files(paths: Sequence[Path]) -> list[PortalPage]:
    """Raises NoPortalPage, naming the file, if one of them is no such page; OSError if one cannot be read."""
    pages = []
    for path in dict.fromkeys(paths):
        try:
            with path.open("rb") as file:
                pages.append(read_page(page_text(file.read(LARGEST_PAGE + 1)), str(path)))
        except NoPortalPage as problem:
            raise NoPortalPage(f"{path} is no evidence page of the portal: {problem}") from problem
    return pages


def gather_records(pages: Iterable[PortalPage], report: PageReport) -> list[Record]:
    """The records of all pages, each once; what the pages say of them goes into the report."""
    for page in pages:
        report.problems += page.problems
        report.doubts += page.doubts
    records, report.differences = gather(record for page in pages for record in page.records)
    return records


def import_pages(pages: Iterable[PortalPage]) -> PageReport:
    report = PageReport()
    references = set(Game.objects.filter(is_reference=True).values_list("slug", flat=True))
    with transaction.atomic():
        for read in gather_records(pages, report):
            record = replace(read, game=apart_from(references, read.game))
            try:
                with transaction.atomic():
                    _import(record, report)
            except RowProblem as problem:
                report.problems.append(FileRemark(record.file, record.line, record.identifier, str(problem)))
        if report.created:
            index_missing()
    return report


def _import(record: Record, report: PageReport) -> None:
    stored = Evidence.objects.filter(identifier=record.identifier).first()
    if stored is None:
        _create(record)
        report.created.append(record.identifier)
        return
    differences = list(_stored_differences(record, stored))
    report.differences += differences
    report.add_compared(record.identifier, bool(differences))


def _create(record: Record) -> None:
    keys = _keys([record])
    loaded = Loaded()
    load_missing(subject_rows([record]), loaded)
    load_missing(source_rows([record], keys), loaded)
    rows = [evidence_row(record), *citation_rows(record, keys)]
    load_rows(rows, loaded, bring_up_to_date=False, reason=IMPORTED)


def _stored_differences(record: Record, stored: Evidence) -> Iterator[FieldDifference]:
    """Find the differences of a page from the catalogue without writing anything."""
    loaded = Loaded()
    load_rows([evidence_row(record)], loaded, bring_up_to_date=False)
    printed, offered = sorted(stored.sources.values_list("as_printed", flat=True)), sorted(record.sources)
    if same(printed, offered):
        load_rows(citation_rows(record, _keys([record])), loaded, bring_up_to_date=False)
    else:
        yield FieldDifference(record.identifier, "sources", printed, "the catalogue", offered, record.file)
    yield from stored_differences(loaded, record.file)


def _keys(records: Iterable[Record]) -> dict[str, str]:
    return source_keys(records, dict(Source.objects.values_list("as_printed", "key")))


def fixture_rows(records: Sequence[Record]) -> dict[str, list[Row]]:
    """The shipped fixtures by file name, from the pages alone: the database has no say in them."""
    ordered = sorted(records, key=lambda record: int(record.identifier.rsplit(".", 1)[1]))
    keys = source_keys(ordered, {})
    evidence = [row for record in ordered for row in (evidence_row(record), *citation_rows(record, keys))]
    return {"sources.json": source_rows(ordered, keys), "evidence.json": evidence}
