"""An import of portal pages: all files are read before anything is written, then every record stands or falls alone."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from django.db import transaction

from catalogue.loading.instances import RowProblem
from catalogue.loading.load_rows import Loaded, load_missing, load_rows
from catalogue.loading.rows import Row
from catalogue.models import Evidence, Game, Source
from catalogue.portal.differences import gather, stored_differences
from catalogue.portal.page_text import NoPortalPage, page_text
from catalogue.portal.record_pages import PortalPage, Record, read_page
from catalogue.portal.reports import FieldDifference, FileRemark, PageReport
from catalogue.portal.rows import apart_from, citation_rows, evidence_row, source_keys, source_rows, subject_rows
from catalogue.search.indexing import index_missing
from catalogue.texts.word_differences import same

IMPORTED = "Imported from a page of the portal"


def read_files(paths: Sequence[Path]) -> list[PortalPage]:
    """Raises NoPortalPage, naming the file, if one of them is no such page; OSError if one cannot be read."""
    pages = []
    for path in dict.fromkeys(paths):
        try:
            pages.append(read_page(page_text(path.read_bytes()), str(path)))
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
    """Nothing is written, not even a game that only the page names."""
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
