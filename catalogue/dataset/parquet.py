"""A release as Apache Parquet: a file for each table, and one with the rows of all batches of a family of games.

The types are those that `datapackage.json` gives, so that nothing has to be guessed from the cells: whole numbers, yes
or no, dates; lists and objects stay JSON in text. pyarrow writes it, where it is installed (requirements-extras.txt);
a release is whole without it, and its checksums do not depend on the version of pyarrow.
"""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from catalogue.dataset.folder import DatasetProblem
from catalogue.dataset.verifying import PACKAGE

BATCH = "batch"  # the column before those of the rows
ROWS = re.compile(r"batches/(?P<batch>[0-9a-f]{16})\.rows\.csv\.gz")


def write_parquet(release: Path, target: Path) -> list[str]:
    """Write the tables of a release into a folder, and name the files. Raises DatasetProblem without pyarrow."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise DatasetProblem("Parquet is written by pyarrow, which is not installed: pip install pyarrow") from error
    package = json.loads((release / PACKAGE).read_text(encoding="utf-8"))
    target.mkdir(parents=True, exist_ok=True)
    written: list[str] = []
    rows: dict[str, list[Path]] = {}
    for resource in package["resources"]:
        if ROWS.fullmatch(resource["path"]):
            rows.setdefault(resource["schema"], []).append(release / resource["path"])
        elif "schema" in resource:
            table = _table(release / resource["path"], resource["schema"])
            written.append(f"{resource['name']}.parquet")
            parquet.write_table(table, target / written[-1], compression="zstd")
    for described, files in sorted(rows.items()):
        schema = json.loads((release / described).read_text(encoding="utf-8"))
        written.append(f"rows.{Path(described).stem}.parquet")
        _write_rows(files, schema, target / written[-1])
    return written


def _write_rows(files: list[Path], schema: dict[str, Any], target: Path) -> None:
    from pyarrow import array, parquet

    writer = None
    for table, file in _tables(files, schema):
        key = file.name.partition(".")[0]
        table = table.add_column(0, BATCH, array([key] * len(table)))
        writer = writer or parquet.ParquetWriter(target, table.schema, compression="zstd")
        writer.write_table(table)
    if writer:
        writer.close()


def _tables(files: list[Path], schema: dict[str, Any]) -> Iterator[tuple[Any, Path]]:
    for file in sorted(files):
        yield _table(file, schema), file


def _table(file: Path, schema: dict[str, Any]) -> Any:
    """A table with the types of its description."""
    import pyarrow
    from pyarrow import csv

    kinds = {
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
        "date": pyarrow.date32(),
        "datetime": pyarrow.timestamp("us", "UTC"),
    }
    types = {one["name"]: kinds.get(one["type"], pyarrow.string()) for one in schema["fields"]}
    # A text that is empty is no text that is missing; of all other types an empty cell is nothing.
    reading = csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=False)
    parsing = csv.ParseOptions(newlines_in_values=True)
    with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
        return csv.read_csv(stream, convert_options=reading, parse_options=parsing)
