"""The proofs of keeping and of rights.

keeping: a catalogue backed up, destroyed and restored says on every page what it said before, on both databases.
matrix: everybody against every view, endpoint and action of the editors, address by address.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.proofs.operation_http import Caller, crawl
from tests.proofs.operation_servers import Installation, on_postgresql
from tests.proofs.running import Figures, demand
from tests.services.machine import ROOT

PAGES = 400
STARTS = ("/", "/api/v1/", "/sitemap.xml", "/data/")
# What a form is protected with is drawn anew for every answer, and a cursor is signed.
DRAWN = re.compile(rb'(csrfmiddlewaretoken" value=|"csrfToken": |csrf-token" content=)"[^"]*"')
PLAYED = ("daramuti-parker", "--games", "300", "--seed", "1", "--cap", "2000", "--inline", "--json")
EMPTY = """
import django; django.setup()
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("DROP SCHEMA public CASCADE")
    cursor.execute("CREATE SCHEMA public")
"""


def keeping(folder: Path, scale: Any) -> Figures:
    """How many pages were compared on each database, how large the backups are; raises Unproved for another page."""
    figures: Figures = {}
    for kind in ("sqlite", "postgresql"):
        place = folder / kind
        place.mkdir()
        figures[kind] = _kept(kind, place, scale.inputs or PAGES)
    for kind, said in figures.items():
        demand(not said["other_pages"], f"{kind}: a restored page says something else", figures)
        demand(said["gone_between"], f"{kind}: nothing was destroyed", figures)
        demand(said["pages"] > 100 or bool(scale.inputs), f"{kind}: too few pages were compared", figures)
    return figures


@contextmanager
def _installed(kind: str, place: Path) -> Iterator[Installation]:
    kernels = {"KERNEL_CACHE_DIR": str(ROOT / "var" / "kernels")}
    with ExitStack() as stack:
        if kind == "postgresql":
            one, _ = stack.enter_context(on_postgresql(place, **kernels))
        else:
            one = Installation(place, f"sqlite:///{place / 'db.sqlite3'}", **kernels)
            stack.callback(one.stop)
            one.start_broker()
            one.load()
        yield one


def _kept(kind: str, place: Path, most: int) -> Figures:
    with _installed(kind, place) as one:
        one.manage("simulate", *PLAYED)
        before = _pages(one, most)
        backup = place.parent / f"{kind}.backup"
        one.manage("backup", str(backup))
        _destroy(kind, one)
        gone = not _rows(one)
        one.manage("restore", str(backup))
        after = _pages(one, most)
    others = [address for address in before if before[address] != after.get(address)]
    return {
        "pages": len(before),
        "other_pages": others[:20],
        "gone_between": gone,
        "backup_in_kilobytes": sum(file.stat().st_size for file in backup.rglob("*") if file.is_file()) // 1024,
    }


def _pages(one: Installation, most: int) -> dict[str, str]:
    """Address → digest of what a reader gets there."""
    port = one.start_site()
    with Caller(port) as caller:
        addresses = crawl(caller, STARTS, most).addresses
        said = {address: hashlib.sha256(DRAWN.sub(b"", caller.get(address).body)).hexdigest() for address in addresses}
    one.servers.pop("site").stop(patience=5)
    return said


def _destroy(kind: str, one: Installation) -> None:
    """Everything but the backup and the key that signs."""
    if kind == "postgresql":
        one.python("-c", EMPTY)
    for found in one.folder.iterdir():
        if found.is_dir():
            shutil.rmtree(found)
        elif found.name.startswith("db.sqlite3"):
            found.unlink()


def _rows(one: Installation) -> bool:
    """Whether there is a table of records."""
    said = one.python(
        "-c",
        "import django; django.setup()\n"
        "from django.db import connection\n"
        "print('catalogue_evidence' in connection.introspection.table_names())",
    )
    return said.strip().endswith("True")


TESTS = ("tests/catalogue/test_rights.py",)


def matrix(folder: Path, scale: Any) -> Figures:
    """The tests of the matrix, thorough ones too."""
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", *TESTS)
    environment = {**os.environ, "VAR_DIR": str(folder)}
    environment.pop("DATABASE_URL", None)
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    passed = re.search(r"(\d+) passed", done.stdout)
    figures: Figures = {"passed": int(passed[1]) if passed else 0, "told": done.stdout[-2_000:]}
    demand(done.returncode == 0 and figures["passed"] > 0, "the matrix of rights does not hold", figures)
    return figures
