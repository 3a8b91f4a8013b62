"""The proof that a release is read by other people's tools, and that it explains its codes by itself.

    python -m tests.proofs.release [FOLDER]

Due after a change of what a release holds or of how it is described; some minutes. Without a folder the shipped
catalogue is loaded and exported. Frictionless, pandas and DuckDB read it, each by the description alone; DuckDB is
installed for the proof into a folder of its own, unless it is there.
"""

import importlib
import json
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand, outcome, report, run

SAMPLE, LARGEST = 12, 60_000  # files of rows that frictionless reads, and their bytes: it is slow
ENDS = {0: "won", 1: "drawn", 2: "endless", 3: "unfinished"}


def release(machine: Any) -> Figures:
    """The shipped catalogue as a release, read by every tool; raises Unproved."""
    with tempfile.TemporaryDirectory() as folder:
        machine.manage("export_dataset", f"{folder}/release")
        return read(Path(folder) / "release")


def read(place: Path) -> Figures:
    """Read a release with every tool and compare; raises Unproved."""
    package = json.loads((place / "datapackage.json").read_text(encoding="utf-8"))
    tables = {one["path"]: one for one in package["resources"] if one.get("schema")}
    figures: Figures = {"version": package["version"], "tables": len(tables)}
    for reader in (_frictionless, _pandas, _duckdb):
        figures[reader.__name__.strip("_")] = reader(place, tables)
    rows = figures["pandas"]["rows"]
    demand(rows == figures["duckdb"]["rows"], "pandas and DuckDB count other rows", figures)
    demand(not figures["frictionless"]["errors"], "frictionless finds faults", figures)
    ends = figures["pandas"]["ends"]
    demand(ends == figures["duckdb"]["ends"], "the tools read other ends of games", figures)
    demand(not figures["pandas"]["unexplained"], "codes without a label", figures)
    return figures


def _schema(place: Path, table: dict[str, Any]) -> dict[str, Any]:
    schema = table["schema"]
    found: dict[str, Any] = json.loads((place / schema).read_text()) if isinstance(schema, str) else schema
    return found


def _frictionless(place: Path, tables: dict[str, Any]) -> Figures:
    """Validate every table against its schema, and of the rows of games some of the smaller files."""
    from frictionless import Package, system

    read, errors = 0, []
    rows = [path for path in tables if path.endswith(".rows.csv.gz")]
    small = [path for path in rows if tables[path]["bytes"] <= LARGEST]
    left_out = set(rows) - set(small[:: max(1, len(small) // SAMPLE)])
    with warnings.catch_warnings(), system.use_context(trusted=True):
        warnings.simplefilter("ignore")
        for resource in Package(str(place / "datapackage.json")).resources:
            if resource.path in tables and resource.path not in left_out:
                report = resource.validate()
                read += 1
                errors += [f"{resource.path}: {error.message}" for task in report.tasks for error in task.errors]
    return {"files": read, "errors": errors[:20]}


def _pandas(place: Path, tables: dict[str, Any]) -> Figures:
    """Read every table with the types of its description, and give codes their labels as categories."""
    import pandas

    rows, unexplained, ends = 0, [], Counter[str]()
    for path, table in tables.items():
        fields = _schema(place, table)["fields"]
        kinds = {one["name"]: "Int64" if one["type"] == "integer" else "string" for one in fields}
        frame = pandas.read_csv(place / path, dtype=kinds, keep_default_na=False, na_values=[""])
        rows += len(frame)
        if list(frame.columns) != [one["name"] for one in fields]:
            unexplained.append(f"{path}: other columns than it is said to have")
        for one in (one for one in fields if "categories" in one):
            labels = {each["value"]: each["label"] for each in one["categories"]}
            labelled = frame[one["name"]].map(labels)
            if labelled.isna().sum() != frame[one["name"]].isna().sum():
                unexplained.append(f"{path}: {one['name']} has values without a label")
            if one["name"] == "end" and path.endswith(".rows.csv.gz"):
                ends.update(labelled.str.extract(r"(\w+)")[0].tolist())
    return {"rows": rows, "ends": dict(sorted(ends.items())), "unexplained": unexplained}


def _duckdb(place: Path, tables: dict[str, Any]) -> Figures:
    """Count every table, and the ends of all games in one query over the files."""
    with _installed("duckdb") as duckdb:
        database = duckdb.connect()
        rows = 0
        for path in tables:
            read = f"read_csv('{place / path}', header = true, all_varchar = true, quote = '\"', escape = '\"')"
            rows += database.sql(f"SELECT count(*) FROM {read}").fetchall()[0][0]
        whole = f"read_csv('{place}/batches/*.rows.csv.gz', union_by_name = true)"
        counted = dict(database.sql(f'SELECT "end", count(*) FROM {whole} GROUP BY 1').fetchall())
    return {"rows": rows, "ends": dict(sorted((ENDS[end], number) for end, number in counted.items()))}


@contextmanager
def _installed(name: str) -> Iterator[Any]:
    """A package that the tests do without: as it is here, or from a folder that it is installed into for the while."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            importlib.import_module(name)
        except ImportError:
            subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", folder, name], check=True)
            sys.path.append(folder)
        yield importlib.import_module(name)


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(report({"release": outcome(read, Path(sys.argv[1]))}))
    sys.exit(run({"release": release}, []))
