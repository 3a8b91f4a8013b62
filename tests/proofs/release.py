"""The proof that a release is the same when it is made again, is read by others' tools, and works without a network.

    python -m tests.proofs.release [same | installs | static | dataset …] [--of FOLDER]

Due before a release, and after a change of what one holds or of how it is described; half an hour, most of it two
copies of the site. Without a folder `make release` makes one, of what is committed. `same` makes another and compares
them, byte for byte; `installs` puts engine and client into an empty environment, from their wheels and from their
source archives, without a package index, and plays games there; `static` serves the copy by a plain web server, walks
through all of it and looks up every link; `dataset` has Frictionless, pandas and DuckDB read the tables, each by the
description alone, and holds the metadata of the deposit against the schema of DataCite. What only the proof needs is
installed into a folder of its own.
"""

import argparse
import filecmp
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand, outcome, report
from tests.served_copy import walked
from tools.frozen.checking import dead_links
from tools.release import PACKAGES, files_below, make

SAMPLE, LARGEST = 12, 60_000  # files of rows that frictionless reads, and their bytes: it is slow
ENDS = {0: "won", 1: "drawn", 2: "endless", 3: "unfinished"}


PLAYED = """
from simulator import engine
import catalogue_client
played = engine.play_games(engine.load("kalah-reference"), 100, seed=1)
print(engine.__version__, len(engine.rulesets()), played["turns"][:3], catalogue_client.__version__)
"""


def same(release: Path) -> Figures:
    """Made again it is the same, byte for byte; raises Unproved."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        made = make(Path(folder) / "again")
        figures: Figures = {"seconds": round(time.monotonic() - started), "parts": made.seconds}
        names = [path.relative_to(made.target) for path in files_below(made.target)]
        figures["files"] = {str(name): (made.target / name).stat().st_size for name in names}
        here = [path.relative_to(release) for path in files_below(release)]
        demand(names == here, "the second release has other files", figures)
        _, different, missing = filecmp.cmpfiles(release, made.target, [str(name) for name in names], shallow=False)
        demand(not different and not missing, f"not the same when made again: {different + missing}", figures)
    return figures


def installs(release: Path) -> Figures:
    """Engine and client in an empty environment, without an index and without a network; raises Unproved."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        wheels = Path(folder) / "wheels"
        wanted = [str(path) for path in (release / "python").glob("*.whl")]
        pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
        subprocess.run([*pip, "download", "--dest", str(wheels), *wanted, "setuptools>=80,<85"], check=True)
        for mine in wheels.glob("*"):
            if mine.name in {Path(one).name for one in wanted}:
                mine.unlink()
        for ending in (".whl", ".tar.gz"):
            figures[ending] = _installed_and_played(Path(folder) / ending.strip("."), release, ending, wheels)
    demand(figures[".whl"]["said"] == figures[".tar.gz"]["said"], "wheel and source play other games", figures)
    return figures


def _installed_and_played(place: Path, release: Path, ending: str, wheels: Path) -> Figures:
    started = time.monotonic()
    venv.create(place, with_pip=True)
    packages = [str(path) for path in sorted((release / "python").glob(f"*{ending}"))]
    assert len(packages) == len(PACKAGES)
    python = str(place / "bin" / "python")
    alone = {
        "PATH": os.environ["PATH"],
        "HOME": str(place),
        "PIP_CONFIG_FILE": os.devnull,
        "NUMBA_CACHE_DIR": str(place),
    }
    install = [python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", str(wheels), *packages]
    for command in (install, [python, "-c", PLAYED]):
        # A name space without a network, where the kernel gives one to whoever asks.
        apart = ["unshare", "--net", *command]
        can = subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode == 0
        done = subprocess.run(
            apart if can else command, cwd=place, env=alone, capture_output=True, text=True, check=False
        )
        demand(done.returncode == 0, f"{ending}: {done.stderr[-1500:]}", {})
    return {"said": done.stdout.strip(), "without_network": can, "seconds": round(time.monotonic() - started)}


def static(release: Path) -> Figures:
    """The copy of the site as a plain web server gives it: every page is come to, no link is dead; raises Unproved."""
    with tempfile.TemporaryDirectory() as folder:
        copy = _unpacked(release, "-static-", Path(folder))
        html = [path for path in files_below(copy) if path.suffix == ".html"]
        files = files_below(copy)
        figures: Figures = {"pages": len(html), "files": len(files), "bytes": sum(one.stat().st_size for one in files)}
        dead = dead_links(copy)
        lost = sorted({one.rpartition("/")[2] for one in dead_links(copy, parts_too=True)})
        figures["parts_that_pages_lack"], figures["of_these"] = len(lost), lost[:10]  # as on the site
        demand(not dead, f"links that lead nowhere: {dead[:20]}", figures)
        read = walked(copy)
        apart = sorted(
            {f"/{path.relative_to(copy)}" for path in html} - {path for path in read if path.endswith(".html")}
        )
        figures["read_over_http"], figures["not_come_to"] = len(read), len(apart)
        demand(len(apart) * 10 < len(html), f"pages that nothing leads to: {apart[:20]}", figures)
    return figures


def dataset(release: Path) -> Figures:
    """The dataset of a release, read by every tool; raises Unproved."""
    with tempfile.TemporaryDirectory() as folder:
        place = _unpacked(release, "evidence-of-traditional-games-2", Path(folder))
        figures = read(place)
        with _installed("datacite") as library:
            schema = importlib.import_module(f"{library.__name__}.schema45")
            told = json.loads((release / "datacite.json").read_text(encoding="utf-8"))
            wrong = [error.message for error in schema.validator.iter_errors(told)]
        demand(not wrong, f"the metadata are not as DataCite wants them: {wrong}", figures)
        figures["parquet"] = _parquet(_unpacked(release, "-parquet", Path(folder) / "tables"), place)
    return figures


def _parquet(tables: Path, place: Path) -> Figures:
    """The rows of all Parquet files, which are as many as those of the tables."""
    from pyarrow import parquet

    rows = {path.stem: parquet.read_metadata(path).num_rows for path in sorted(tables.glob("*.parquet"))}
    games = sum(number for name, number in rows.items() if name.startswith("rows."))
    return {"files": len(rows), "rows": sum(rows.values()), "games": games}


def _unpacked(release: Path, part: str, folder: Path) -> Path:
    """The archive with this in its name, unpacked. Of several the one with the shortest name"""
    archive = min(release.glob(f"*{part}*.zip"), key=lambda path: len(path.name))
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    return folder / archive.stem


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


PARTS = {part.__name__: part for part in (dataset, installs, static, same)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all, unless some are named")
    parser.add_argument("--of", type=Path, metavar="FOLDER", help="a release that was made")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        release = told.of or Path(folder) / "release"
        figures: Figures = {}
        if not told.of:
            made = make(release, say=lambda text: sys.stderr.write(f"{text}\n"))
            figures["made"] = {
                "seconds": made.seconds,
                "bytes": sum(path.stat().st_size for path in files_below(release)),
            }
        figures |= {name: outcome(PARTS[name], release) for name in told.parts or PARTS}
        return report(figures)


if __name__ == "__main__":
    sys.exit(main())
