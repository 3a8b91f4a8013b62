"""An import of portal pages: all files are read before anything is written, then every record stands or falls alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.db import transaction

from catalogue.loading.instances import RowProblem
from catalogue.loading.load_rows import Loaded, load_missing, load_rows
from catalogue.loading.rows import Row
from catalogue.models import Evidence, Source
from catalogue.portal.page_text import NoPortalPage, page_text
from catalogue.portal.record_pages import PortalPage, Record, read_page
from catalogue.portal.rows import (
    citation_rows,
    evidence_row,
    source_keys,
    source_rows,
    subject_rows,
)
from catalogue.portal.sightings import Difference, Sighting, gather
from catalogue.search.indexing import index_missing
from catalogue.texts.white_space import same

IMPORTED = "Imported from a page of the portal"


@dataclass(frozen=True, slots=True)
class FileRemark:
    file: str
    line: int
    identifier: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.identifier + ': ' if self.identifier else ''}{self.message}"


@dataclass(slots=True)
class ImportReport:
    """created, unchanged, differing: identifiers of the records, each in one of the lists."""

    created: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    problems: list[FileRemark] = field(default_factory=list)
    doubts: list[FileRemark] = field(default_factory=list)


def read_files(paths: Sequence[Path]) -> dict[str, PortalPage]:
    """Raises NoPortalPage, naming the file, if one of them is no such page; OSError if one cannot be read."""
    pages = {}
    for path in paths:
        try:
            pages[str(path)] = read_page(page_text(path.read_bytes()))
        except NoPortalPage as problem:
            raise NoPortalPage(f"{path} is no evidence page of the portal: {problem}") from problem
    return pages


def gather_records(pages: dict[str, PortalPage], report: ImportReport) -> list[Sighting]:
    """The records of all pages, each once; what the pages say of them goes into the report."""
    for file, page in pages.items():
        report.problems += [FileRemark(file, one.line, one.identifier, one.message) for one in page.problems]
        report.doubts += [FileRemark(file, one.line, one.identifier, one.message) for one in page.doubts]
    sightings, report.differences = gather(
        Sighting(record, file) for file, page in pages.items() for record in page.records
    )
    return sightings


def import_pages(pages: dict[str, PortalPage]) -> ImportReport:
    report = ImportReport()
    with transaction.atomic():
        for sighting in gather_records(pages, report):
            try:
                with transaction.atomic():
                    _import(sighting, report)
            except RowProblem as problem:
                record = sighting.record
                report.problems.append(FileRemark(sighting.file, record.line, record.identifier, str(problem)))
        if report.created:
            index_missing()
    return report


def _import(sighting: Sighting, report: ImportReport) -> None:
    record = sighting.record
    stored = Evidence.objects.filter(identifier=record.identifier).first()
    if stored is None:
        _create(record)
        report.created.append(record.identifier)
        return
    differences = [
        Difference(record.identifier, name, kept, "the catalogue", offered, sighting.file)
        for name, kept, offered in _stored_differences(record, stored)
    ]
    report.differences += differences
    (report.differing if differences else report.unchanged).append(record.identifier)


def _create(record: Record) -> None:
    keys = _keys([record])
    loaded = Loaded()
    load_missing(subject_rows([record]), loaded)
    load_missing(source_rows([record], keys), loaded)
    rows = [evidence_row(record), *citation_rows(record, keys)]
    load_rows(rows, loaded, bring_up_to_date=False, reason=IMPORTED)


def _stored_differences(record: Record, stored: Evidence) -> Iterable[tuple[str, object, object]]:
    """Field, what is stored, what the page says. Nothing is written, not even a game that only the page names."""
    loaded = Loaded()
    load_rows([evidence_row(record)], loaded, bring_up_to_date=False)
    printed = sorted(stored.sources.values_list("as_printed", flat=True))
    if same(printed, sorted(record.sources)):
        load_rows(citation_rows(record, _keys([record])), loaded, bring_up_to_date=False)
    else:
        yield "sources", printed, sorted(record.sources)
    for difference in loaded.differences:
        prefix = "" if difference.model == "evidence" else f"{difference.model} {difference.key.split()[-1]}: "
        yield prefix + difference.field, difference.stored, difference.offered


def _keys(records: Iterable[Record]) -> dict[str, str]:
    return source_keys(records, dict(Source.objects.values_list("as_printed", "key")))


def fixture_rows(records: Sequence[Record]) -> dict[str, list[Row]]:
    """The shipped fixtures by file name, from the pages alone: the database has no say in them."""
    ordered = sorted(records, key=lambda record: int(record.identifier.rsplit(".", 1)[1]))
    keys = source_keys(ordered, {})
    evidence = [row for record in ordered for row in (evidence_row(record), *citation_rows(record, keys))]
    return {"sources.json": source_rows(ordered, keys), "evidence.json": evidence}
