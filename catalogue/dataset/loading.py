"""A dataset into an empty database: the same catalogue again, in one transaction or not at all.

Rows of the catalogue are written by the code that writes all such rows, so that each has its history, which begins with
the day of the dataset. Then come the rulesets, the batches with their figures and plots, and the index of the search.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import DataError, transaction

from catalogue.dataset.dating import LOADED_FROM
from catalogue.dataset.linked import linked_rows
from catalogue.dataset.problems import DatasetProblem, NotADataset
from catalogue.dataset.reading import ReadRow
from catalogue.dataset.simulated import load_table
from catalogue.dataset.tables import DatasetTable, tables
from catalogue.dataset.verifying import Release, verified
from catalogue.loading.instances import RowProblem
from catalogue.loading.load_rows import AT_ONCE, Loaded, load_rows
from catalogue.loading.natural_keys import NATURAL_KEYS, key_of, label, named
from catalogue.loading.rows import Row
from catalogue.models import LoadedRow
from catalogue.search.indexing import rebuild

WITHHELD = "[The text of this record was withdrawn.]"  # a record must say something; its page never shows it
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class LoadedDataset:
    """What was loaded. rows: table → rows."""

    version: str
    date: str
    rows: dict[str, int]


def load(place: Path, notify: Notify = lambda text: None) -> LoadedDataset:
    """Raises NotADataset if there is none or the database is not empty, DatasetProblem if it cannot be loaded.

    notify: called with a few words about what comes next
    """
    notify("verifying checksums")
    release = verified(place)
    try:
        with transaction.atomic():
            check_empty()
            rows = {table.name: _load_table(release, table, notify) for table in tables() if not table.link}
            # They would say that our fixtures wrote these rows, and may write them again.
            LoadedRow.objects.all().delete()
            notify("the index of the search")
            rebuild()
    except DataError as problem:
        raise DatasetProblem(f"the database cannot hold a value: {problem}") from problem
    return LoadedDataset(release.version, release.date, rows)


def check_empty() -> None:
    for table in tables():
        if not table.link and table.model._default_manager.exists():
            number = table.model._default_manager.count()
            message = f"the database is not empty: it has {number:,} {table.name}. Load into a new one"
            raise NotADataset(f"{message} (DATABASE_URL says which), made by manage.py migrate")


def _load_table(release: Release, table: DatasetTable, notify: Notify) -> int:
    if table.file not in release.digests:
        return 0  # the table was added to the catalogue later
    notify(table.name.replace("_", " "))
    rows = linked_rows(release, table)
    if label(table.model) in NATURAL_KEYS:
        return _load_catalogue_rows(table, rows, f"{LOADED_FROM}{release.date}")
    return load_table(release, table, rows)


def _load_catalogue_rows(table: DatasetTable, rows: Iterator[ReadRow], reason: str) -> int:
    model = label(table.model)
    if any(pointer.table == table.name for pointer in table.pointers):
        rows = _parents_first(table, rows)
    loaded = Loaded()
    while some := list(islice(rows, AT_ONCE)):
        lines = {named(model, _key(model, row)): row.line for row in some}
        written: list[Row] = [{"model": model, "fields": _storable(row.values)} for row in some]
        try:
            load_rows(written, loaded, bring_up_to_date=False, reason=reason)
        except RowProblem as problem:
            line = next((lines[name] for name in lines if str(problem).startswith(f"{name}: ")), 0)
            raise DatasetProblem(str(problem), table.file, line) from problem
    return loaded.created


def _storable(values: Mapping[str, Any]) -> Row:
    if values.get("withdrawn_on") and not values.get("paraphrase") and not values.get("quotation"):
        return {**values, "paraphrase": WITHHELD}
    return dict(values)


def _key(model: str, row: ReadRow) -> tuple[str, ...]:
    return key_of({"model": model, "fields": row.values})


def _parents_first(table: DatasetTable, rows: Iterator[ReadRow]) -> Iterator[ReadRow]:
    """Rows that point to rows of their own table after these; raises DatasetProblem for a circle."""
    own = [table.column(one.columns[0]).of for one in table.pointers if one.table == table.name]
    known = {_key(label(table.model), row): row for row in rows}
    parents = {key: [tuple(row.values[name]) for name in own if row.values.get(name)] for key, row in known.items()}
    try:
        yield from (known[key] for key in TopologicalSorter(parents).static_order() if key in known)
    except CycleError as problem:
        key = min(problem.args[1])
        raise DatasetProblem(f"rests on itself: {' '.join(key)}", table.file, known[key].line) from problem
