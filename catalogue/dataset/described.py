"""The description of a dataset: `datapackage.json`, README.md, CITATION.cff, the rights in its files, and its day.

`datapackage.json` describes every file and every column as Frictionless' specification of data packages asks. The
words are those of the models, so that a column is described where it is made, or else those of `words.toml`.
"""

import datetime
import inspect
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from django.conf import settings
from django.db.models import Max
from django.template.loader import render_to_string
from django.urls import reverse

from catalogue.citations.items import LICENCE, NAME, release
from catalogue.dataset.folder import Folder
from catalogue.dataset.tables import DatasetColumn, DatasetTable, tables
from catalogue.history.histories import LOADED
from catalogue.loading.rows import label
from catalogue.texts.formatting import capitalised
from catalogue.texts.names import Name
from simulator.engine.family import CODE, Measure

WORDS = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
PACKAGE_NAME = "evidence-of-traditional-games"
TITLE = f"{NAME}: the dataset"
CHANGES = ("table", "row", "change", "column", "before", "after")
LEVELS = ("game", "reading", "level", "batch")
PICTURES = "pictures/"
CHANGES_FILE, LEVELS_FILE = "changes.csv", "levels.csv"
WORKED_OUT = {CHANGES_FILE: ("change", CHANGES), LEVELS_FILE: ("level", LEVELS)}  # from the tables: not loaded again
FORMAT = 1  # of the files; another number is another arrangement
DESCRIPTION = (
    "Records of traditional games with their sources, the readings of their rules as executable rulesets, and what "
    "simulated games of these came to. One table for each sort of thing; rows are named by keys that last."
)
LOADED_FROM = "Loaded from the dataset of "
_DAY = re.compile(rf"{LOADED_FROM}([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})")
MEDIA_TYPES = {
    ".csv": "text/csv",
    ".gz": "application/gzip",
    ".json": "application/json",
    ".png": "image/png",
    ".webp": "image/webp",
}
# Whose words a file holds, and what may be done with them; `templates/docs/rights.md` says it to readers.
OWN_WORDS = {
    "name": "CC-BY-4.0",
    "path": LICENCE,
    "title": "Creative Commons Attribution 4.0, for the catalogue's own words, rulesets and figures",
}
THEIR_WORDS = {
    "path": "README.md",
    "title": "Quotations remain their sources', and the records those of the Digital Ludeme Project: see README.md",
}
OWN_RIGHTS = {
    "path": "README.md",
    "title": "Each picture has rights of its own: see pictures.csv",
}
RIGHTS = (
    "The catalogue's own words, rulesets and figures are under CC BY 4.0; quotations remain their sources', and the "
    "records those of the Digital Ludeme Project: README.md says more."
)
PORTAL = {"title": "Digital Ludeme Project, Ludii Portal, evidence pages", "path": "https://ludii.games"}
OURS = {
    "catalogue.answer", "catalogue.claim", "catalogue.clause", "catalogue.editorsnote", "catalogue.evidenceuncertainty",
    "catalogue.picture", "catalogue.question", "catalogue.reading", "catalogue.verdict", "simulator.batch",
    "simulator.measurement", "simulator.ruleset", "simulator.rulesetversion",
}  # fmt: skip


def schema_of(table: DatasetTable) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "fields": [_field(table, column) for column in table.columns],
        "primaryKey": list(table.key),
        "missingValues": [""],
    }
    keys = []
    for pointer in table.pointers:
        target = {"resource": "" if pointer.table == table.name else pointer.table, "fields": list(pointer.keys)}
        keys.append({"fields": list(pointer.columns), "reference": target})
    return {**schema, "foreignKeys": keys} if keys else schema


def _field(table: DatasetTable, column: DatasetColumn) -> dict[str, Any]:
    field: dict[str, Any] = {"name": column.name, "type": column.type, "description": words_of_column(table, column)}
    bounds: dict[str, Any] = {}
    if column.name in table.key or not column.may_be_empty:
        bounds["required"] = True
    if column.choices:
        bounds["enum"] = [value for value, _ in column.choices]
        field["categories"] = _categories(column.choices)
    return {**field, "constraints": bounds} if bounds else field


def _categories(labels: Iterable[tuple[Any, str]]) -> list[dict[str, Any]]:
    """What each value of a coded column stands for, as version 2 of data packages has it; others pass it over."""
    return [{"value": value, "label": words} for value, words in labels]


def _in_words(labels: Iterable[tuple[Any, str]]) -> str:
    return "; ".join(f"{value}: {words}" for value, words in labels) + "."


def words_of_column(table: DatasetTable, column: DatasetColumn) -> str:
    """The description of a column, in words of the model, or in those kept beside the dataset."""
    field = column.field
    named = f"{label(table.model).split('.')[1]}.{column.name}"
    pointer = next((one for one in table.pointers if column.name in one.columns), None)
    parts = [str(WORDS["columns"].get(named) or WORDS["columns"].get(column.name) or field.help_text or "")]
    if not parts[0]:
        parts = [f"{capitalised(str(field.verbose_name))}."]
    if pointer:
        key = pointer.keys[pointer.columns.index(column.name)]
        parts.append(f"The {key} of a row of {pointer.table}.")
    if column.choices:
        parts.append(_in_words(column.choices))
    return " ".join(parts)


def words_of_table(table: DatasetTable) -> str:
    if table.link:
        return f"Which {table.pointers[1].table.replace('_', ' ')} belong to a row of {table.pointers[0].table}."
    of_model = inspect.cleandoc(table.model.__doc__ or "").partition("\n\n")[0]
    return " ".join((WORDS["tables"].get(label(table.model)) or of_model).replace("`", "").split())


def schema_of_rows(measures: tuple[Measure, ...]) -> dict[str, Any]:
    """The schema of the rows of a batch, one game each."""
    game = {"name": "game", "type": "integer", "description": WORDS["columns"]["row.game"]}
    fields = [game, *map(_field_of_rows, measures)]
    return {"fields": fields, "primaryKey": ["game"], "missingValues": [""]}


def _field_of_rows(measure: Measure) -> dict[str, Any]:
    """A column of the rows, in which what a number stands for is said where it is no amount."""
    field: dict[str, Any] = {"name": measure.name, "type": "integer"}
    if labels := measure.labels.items():
        bounds = {"required": True, "enum": [value for value, _ in labels]}
        about = f"{measure.title}. {_in_words(labels)}"
        return {**field, "description": about, "constraints": bounds, "categories": _categories(labels)}
    unit = "" if measure.unit == CODE else f" ({measure.unit})"
    notes = [WORDS["columns"].get(f"row.{key}", "") for key in (measure.name, measure.scope)]
    return {**field, "description": " ".join(filter(None, [f"{measure.title}{unit}.", *notes]))}


def package(folder: Folder, version: str, date: str) -> dict[str, Any]:
    """The whole document, from what is in the folder now."""
    return {
        "profile": "data-package",
        "name": PACKAGE_NAME,
        "title": TITLE,
        "description": DESCRIPTION,
        "version": version,
        "created": f"{date}T00:00:00Z",
        "format": FORMAT,
        "keywords": ["board games", "mancala", "digital humanities", "evidence", "simulation"],
        "licenses": [OWN_WORDS],
        "sources": [PORTAL],
        "contributors": [{"title": name_in_words(author), "role": "author"} for author in release().authors],
        "resources": [*_tables(folder), *_files(folder)],
    }


def _tables(folder: Folder) -> Iterator[dict[str, Any]]:
    for table in tables():
        yield {
            **_file(folder, table.file, table.name),
            "profile": "tabular-data-resource",
            "title": table.name.replace("_", " ").capitalize(),
            "description": words_of_table(table),
            "licenses": [rights_of(table.model)],
            "schema": schema_of(table),
        }


def _files(folder: Folder) -> Iterator[dict[str, Any]]:
    """The files worked out from the tables, the rulesets, and the rows and tallies of batches."""
    for path in sorted(folder.sizes):
        if path in WORKED_OUT:
            name, columns = WORKED_OUT[path]
            words = {column: WORDS["columns"][f"{name}.{column}"] for column in columns}
            fields = [{"name": column, "type": "string", "description": about} for column, about in words.items()]
            schema = {"fields": fields, "missingValues": [""]}
            rights = THEIR_WORDS if path == CHANGES_FILE else OWN_WORDS
            yield _described(folder, path, WORDS["files"][name], rights, schema)
        elif path.startswith("rulesets/"):
            yield _described(folder, path, "A version of a ruleset, with its document.")
        elif path.endswith(".tally.json"):
            yield _described(folder, path, "Counts over all games of a batch.")
        elif path.endswith(".traffic.json"):
            yield _described(folder, path, "What the games of a batch left on the board, as sums over blocks of games.")
        elif path.endswith(".rows.csv.gz"):
            yield _described(folder, path, "One row for each game of a batch.", schema=folder.schemas[path])
        elif path.startswith(PICTURES):
            yield _described(folder, path, "A picture of a source or an object: pictures.csv tells of it.", OWN_RIGHTS)


def _described(
    folder: Folder, path: str, about: str, rights: Mapping[str, str] = OWN_WORDS, schema: Any = None
) -> dict[str, Any]:
    """The entry of a file. schema: of its columns, or the name of the file that holds it, if the file is a table"""
    name = path.removesuffix(".gz").removesuffix(".csv").removesuffix(".json").lower()
    profile = {"profile": "tabular-data-resource", "schema": schema} if schema else {"profile": "data-resource"}
    return {**_file(folder, path, name), **profile, "description": about, "licenses": [rights]}


def _file(folder: Folder, path: str, name: str) -> dict[str, Any]:
    ending = ".csv" if path.endswith(".csv.gz") else PurePosixPath(path).suffix
    resource: dict[str, Any] = {
        "name": name,
        "path": path,
        "format": ending.removeprefix("."),
        "mediatype": MEDIA_TYPES[PurePosixPath(path).suffix],
        **({} if path.startswith(PICTURES) else {"encoding": "utf-8"}),
        "bytes": folder.sizes[path],
        "hash": f"sha256:{folder.digests[path]}",
    }
    if path.endswith(".gz"):
        resource["compression"] = "gz"
    return resource


def name_in_words(name: Name) -> str:
    return name.get("literal") or f"{name['given']} {name['family']}"


def rights_of(model: Any) -> dict[str, str]:
    return OWN_WORDS if label(model) in OURS else THEIR_WORDS


def newest_day() -> datetime.date | None:
    """The latest day that is in the data, or None: the clock would give the same data other bytes tomorrow."""
    days: set[datetime.date | None] = set()
    for table in tables():
        if table.link:
            continue
        last = {
            f"last_{column.name}": Max(column.path) for column in table.columns if column.type in ("date", "datetime")
        }
        days.update(map(_day, table.query().aggregate(**last).values()) if last else ())
        if hasattr(table.model, "history"):
            days.update(_days_of_history(table.model))
    return max((day for day in days if day), default=None)


def _days_of_history(model: Any) -> set[datetime.date | None]:
    loaded = model.history.filter(history_change_reason__startswith=LOADED_FROM)
    reason = loaded.aggregate(last=Max("history_change_reason"))["last"] or ""
    match = _DAY.match(reason)
    others = model.history.exclude(history_change_reason__startswith=LOADED_FROM).exclude(history_change_reason=LOADED)
    changed = others.aggregate(last=Max("history_date"))["last"]
    return {_day(changed), datetime.date.fromisoformat(match[1]) if match else None}


def _day(value: datetime.date | None) -> datetime.date | None:
    return value.astimezone(datetime.UTC).date() if isinstance(value, datetime.datetime) else value


def readme(version: str, date: str) -> str:
    authors = ", ".join(name_in_words(author) for author in release().authors)
    words = {"title": TITLE, "version": version, "date": date, "description": DESCRIPTION, "authors": authors}
    return render_to_string("dataset/README.md", {**words, "year": date[:4]})


def citation(version: str, date: str) -> str:
    """The dataset's CITATION.cff, in the Citation File Format 1.2.0."""
    authors = [
        {"name": author["literal"]}
        if "literal" in author
        else {"family-names": author["family"], "given-names": author["given"]}
        for author in release().authors
    ]
    site = settings.SITE_URL.rstrip("/")
    document = {
        "cff-version": "1.2.0",
        "message": "If you use this dataset, please cite it with its version.",
        "title": TITLE,
        "type": "dataset",
        "version": version,
        "date-released": date,
        # No `license`: it would hold for all that is in it, and the quotations are not ours.
        **({"license-url": f"{site}{reverse('document', args=['rights'])}"} if site else {}),
        **({"url": f"{site}{reverse('release', args=[version])}"} if site else {}),
        "authors": authors,
        "abstract": f"{DESCRIPTION} {RIGHTS}",
    }
    text: str = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=110)
    return text
