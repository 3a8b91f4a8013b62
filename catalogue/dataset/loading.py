"""A dataset into an empty database: the same catalogue again, in one transaction or not at all.

Rows of the catalogue go the way of fixtures; rulesets, versions, batches, figures and verdicts are loaded by what
computes them. Links of rows stand in tables of their own; both tables are sorted by the same key, so they are read
side by side.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from graphlib import CycleError, TopologicalSorter
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DatabaseError, DataError, transaction

from catalogue.dataset.batches import load_batch
from catalogue.dataset.described import LOADED_FROM, PICTURES
from catalogue.dataset.folder import DatasetProblem, NotADataset, refused_by_model
from catalogue.dataset.tables import DatasetTable, Pointer, tables
from catalogue.dataset.verifying import ReadRow, Release, read_table, verified
from catalogue.loading.rows import (
    AT_ONCE,
    NATURAL_KEYS,
    Loaded,
    Row,
    RowProblem,
    existing_rows,
    key_of,
    label,
    load_rows,
    model_of,
    row_name,
)
from catalogue.models import LoadedRow, Picture, Verdict
from catalogue.models.pictures import DIGITS, picture_path
from catalogue.search.indexing import rebuild
from simulator import rulesets
from simulator.batches import finalize
from simulator.batches.finalize import BEHIND, OF_REPETITION
from simulator.batches.versions import is_of_this_engine
from simulator.engine.documents import parse
from simulator.engine.ruleset import RulesetProblem
from simulator.models import Batch, Measurement, RulesetVersion
from simulator.problems import WrongRequest

WITHHELD = "[The text of this record was withdrawn.]"  # a record must say something; its page never shows it
Notify = Callable[[str], None]


def linked_rows(release: Release, table: DatasetTable) -> Iterator[ReadRow]:
    """The rows as fixtures write them, with the keys they point to as lists; links come from tables of their own."""
    links = [(one.link, _Links(release, one)) for one in tables() if one.link and one.model is table.model]
    links = [(name, one) for name, one in links if one.table.file in release.digests]
    for row in read_table(release.place, table):
        columns = {name: table.column(name) for name in row.values}
        values = {one.of: row.values[name] for name, one in columns.items() if one.path == one.of}
        for pointer in table.pointers:
            if pointer.columns[0] in row.values:
                values[table.column(pointer.columns[0]).of] = _target(pointer, row, table)
        for name, one in links:
            values[name] = one.of(row.key)
        yield ReadRow(row.line, row.key, values)
    for _, one in links:
        one.finish()


def _target(pointer: Pointer, row: ReadRow, table: DatasetTable) -> list[str] | None:
    parts = [row.values.get(name) for name in pointer.columns]
    given = [part for part in parts if part not in (None, "")]
    if not given and table.column(pointer.columns[0]).may_be_null:
        return None
    if len(given) < len(parts):
        raise DatasetProblem("must name a row, or be empty", table.file, row.line, ", ".join(pointer.columns))
    return [str(part) for part in given]


class _Links:
    """A table in between, read beside the table it belongs to: both are sorted by the same key."""

    def __init__(self, release: Release, table: DatasetTable) -> None:
        self.table = table
        self._rows = read_table(release.place, table)
        self._next = next(self._rows, None)

    def of(self, key: tuple[tuple[int, str], ...]) -> list[list[str]]:
        targets = []
        while self._next is not None and self._next.key[: len(key)] == key:
            targets.append([str(self._next.values[name]) for name in self.table.pointers[1].columns])
            self._next = next(self._rows, None)
        if self._next is not None and self._next.key[: len(key)] < key:
            self.finish()
        return targets

    def finish(self) -> None:
        """Raise DatasetProblem for a link that is left over, since it names a row that is not there."""
        if self._next is not None:
            pointer = self.table.pointers[0]
            words = " ".join(str(self._next.values[name]) for name in pointer.columns)
            message = f"there is no {words[:120]!r} in {pointer.table}.csv"
            raise DatasetProblem(message, self.table.file, self._next.line, pointer.columns[0])


def _load_ruleset(release: Release, table: DatasetTable, row: ReadRow) -> None:
    try:
        ruleset = parse(row.values["document"])
    except RulesetProblem as problem:
        raise DatasetProblem(str(problem), table.file, row.line, "document") from problem
    if (ruleset.hash, ruleset.family) != (row.values["hash"], row.values["family"]):
        message = f"the document has the hash {ruleset.hash} and is of the family {ruleset.family}"
        raise DatasetProblem(message, table.file, row.line)
    rulesets.save(ruleset)


def _load_versions(release: Release, table: DatasetTable, rows: Iterator[ReadRow]) -> int:
    """Load the versions from the files below rulesets/, which must be those of the table."""
    try:
        loaded = rulesets.load_ruleset_files(release.place / "rulesets")
    except (WrongRequest, RulesetVersion.DoesNotExist, DatabaseError, ValueError, TypeError, RecursionError) as problem:
        raise DatasetProblem(str(problem), "rulesets") from problem
    contents = {str(version): version for version in RulesetVersion.objects.select_related("parent")}
    number = 0
    for row in rows:
        number += 1
        name = f"{row.values['slug']}@{row.values['number']}"
        parent = row.values["parent"] and "@".join(row.values["parent"])
        one = contents.get(name)
        if one is None:
            raise DatasetProblem(f"there is no file of {name} below rulesets/", table.file, row.line)
        written = (one.ruleset_id, one.parent and str(one.parent), one.date)
        if written != (row.values["ruleset"][0], parent, row.values["date"]):
            raise DatasetProblem(f"the file of {name} below rulesets/ says something else", table.file, row.line)
    if number != loaded:
        raise DatasetProblem(f"has {number} versions, and there are {loaded} below rulesets/", table.file)
    return number


def _load_verdict(release: Release, table: DatasetTable, row: ReadRow) -> None:
    claims, key = model_of("catalogue.claim"), tuple(row.values["claim"])
    claim = existing_rows(claims, [key]).get(key)
    if claim is None:
        raise DatasetProblem(f"there is no claim {' '.join(key)}", table.file, row.line, "claim_game, claim_slug")
    verdict = Verdict(**{**row.values, "claim": claim})
    try:
        verdict.full_clean(exclude=["claim"], validate_unique=False, validate_constraints=False)
    except ValidationError as problem:
        raise refused_by_model(problem, table.file, row.line) from problem
    verdict.save()


def _load_measurements(table: DatasetTable, rows: Iterator[ReadRow]) -> int:
    """They were computed with their batches, from the tallies; the file must say the same."""
    number = 0
    for batch, some in groupby(rows, lambda row: str(row.values["batch"][0])):
        said = list(some)
        number += len(said)
        _check_figures(table, batch, said)
    return number


FIGURE = ("place", "measure", "title", "unit", "value", "low", "high", "n", "censored")


def _check_figures(table: DatasetTable, batch: str, said: Sequence[ReadRow]) -> None:
    """Hold what the file says of a batch against what was computed of it.

    Of repetition as far as the games that were looked at, whose number goes by what games are expected to cost. Of
    games of an earlier engine, which cannot be looked at here, it is taken as the file says it.
    """
    kept = Measurement.objects.filter(batch=batch).order_by("place")
    computed = list(kept.values(*FIGURE))
    looked_at = {one["measure"]: one["n"] for one in computed if one["measure"] in OF_REPETITION}
    other = next((row for row in said if row.values["measure"] in OF_REPETITION and _differs(row, looked_at)), None)
    if other is not None and (played := Batch.objects.filter(id=batch).select_related("ruleset").first()):
        if is_of_this_engine(played):
            finalize.rescan_repetition(played, other.values["n"])
        elif not looked_at:
            told = [_columns(row) for row in said if row.values["measure"] in OF_REPETITION]
            places = range(len(computed), len(computed) + len(told))
            Measurement.objects.bulk_create(
                Measurement(batch=played, **{**one, "place": place}) for place, one in zip(places, told, strict=True)
            )
        computed = list(kept.values(*FIGURE))
    by_place = {one["place"]: one for one in computed}
    by_measure = {one["measure"]: one for one in computed}
    for row in said:
        measure, place = row.values["measure"], row.values["place"]
        here = by_measure.get(measure) if measure in BEHIND else by_place.get(place)
        if here is None:
            raise DatasetProblem(f"batch {batch} has no figure in place {place}", table.file, row.line, "place")
        for name, value in _columns(row).items():
            number = float(value) if isinstance(value, Decimal) else value
            if here[name] != number:
                message = f"says {number!r}, and the tally of batch {batch} gives {here[name]!r}"
                raise DatasetProblem(message, table.file, row.line, name)


def _differs(row: ReadRow, looked_at: Mapping[str, int]) -> bool:
    """Whether the file tells of another number of games than were looked at here."""
    return bool(looked_at.get(row.values["measure"]) != row.values["n"])


def _columns(row: ReadRow) -> dict[str, Any]:
    return {name: value for name, value in row.values.items() if name not in ("batch", "place")}


LOADERS: Mapping[str, Callable[[Release, DatasetTable, ReadRow], object]] = {
    "simulator.ruleset": _load_ruleset,
    "catalogue.verdict": _load_verdict,
}


def load_table(release: Release, table: DatasetTable, rows: Iterator[ReadRow], *, drawn: bool = True) -> int:
    """Says how many rows there were; raises DatasetProblem. drawn: whether the plots of batches are drawn"""
    loaders: Mapping[str, Callable[[Release, DatasetTable, ReadRow], object]]
    loaders = {**LOADERS, "simulator.batch": partial(load_batch, drawn=drawn)}
    if table.model is RulesetVersion:
        return _load_versions(release, table, rows)
    if table.model is Measurement:
        return _load_measurements(table, rows)
    number = 0
    for row in rows:
        number += 1
        loaders[label(table.model)](release, table, row)
    return number


@dataclass(frozen=True, slots=True)
class LoadedDataset:
    """The rows that were loaded, by table."""

    version: str
    date: str
    rows: dict[str, int]


def load(place: Path, notify: Notify = lambda text: None, *, drawn: bool = True) -> LoadedDataset:
    """Raises NotADataset if there is none or the database is not empty, DatasetProblem if it cannot be loaded.

    notify: called with a few words about how far it is, for each row
    drawn:  whether the plots of batches are drawn; else workers draw them
    """
    notify("verifying checksums …")
    release = verified(place)
    try:
        with transaction.atomic():
            check_empty()
            rows = {table.name: _load_table(release, table, notify, drawn) for table in tables() if not table.link}
            # They would say that our fixtures wrote these rows, and may write them again.
            LoadedRow.objects.all().delete()
            notify("the index of the search …")
            rebuild()
            bring_pictures(release)
    except DataError as problem:
        raise DatasetProblem(f"the database cannot hold a value: {problem}") from problem
    return LoadedDataset(release.version, release.date, rows)


def bring_pictures(release: Release) -> None:
    """Put the pictures of a release where those of the site stand. A file is only taken for what its name says."""
    named = {one.file: one for one in Picture.objects.shown().order_by("file")}
    small = {one.small for one in named.values()}
    for path, digest in release.digests.items():
        if not path.startswith(PICTURES):
            continue
        name = path.removeprefix(PICTURES)
        if name not in named and name not in small:
            raise DatasetProblem("pictures.csv has no such picture", path)
        if name in named and name.partition(".")[0] != digest[:DIGITS]:
            raise DatasetProblem("its bytes are not those that its name stands for", path)
        target = picture_path(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copyfile(release.place / path, target)


def check_empty() -> None:
    for table in tables():
        if not table.link and table.model._default_manager.exists():
            number = table.model._default_manager.count()
            message = f"the database is not empty: it has {number:,} {table.name}. Load into a new one"
            raise NotADataset(f"{message} (DATABASE_URL says which), made by manage.py migrate")


def _load_table(release: Release, table: DatasetTable, notify: Notify, drawn: bool) -> int:
    if table.file not in release.digests:
        return 0  # the table was added to the catalogue later
    rows = _told(linked_rows(release, table), table, notify)
    if label(table.model) in NATURAL_KEYS:
        return _load_catalogue_rows(table, rows, f"{LOADED_FROM}{release.date}")
    return load_table(release, table, rows, drawn=drawn)


def _told(rows: Iterator[ReadRow], table: DatasetTable, notify: Notify) -> Iterator[ReadRow]:
    name = table.name.replace("_", " ")
    notify(f"{name} …")
    for number, row in enumerate(rows, start=1):
        yield row
        notify(f"{name}: {number:,}")


def _load_catalogue_rows(table: DatasetTable, rows: Iterator[ReadRow], reason: str) -> int:
    model = label(table.model)
    if any(pointer.table == table.name for pointer in table.pointers):
        rows = _parents_first(table, rows)
    loaded = Loaded()
    while some := list(islice(rows, AT_ONCE)):
        lines = {row_name(model, _key(model, row)): row.line for row in some}
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
    own = [table.column(pointer.columns[0]).of for pointer in table.pointers if pointer.table == table.name]
    known = {_key(label(table.model), row): row for row in rows}
    parents = {key: [tuple(row.values[name]) for name in own if row.values.get(name)] for key, row in known.items()}
    try:
        yield from (known[key] for key in TopologicalSorter(parents).static_order() if key in known)
    except CycleError as problem:
        key = min(problem.args[1])
        raise DatasetProblem(f"rests on itself: {' '.join(key)}", table.file, known[key].line) from problem
