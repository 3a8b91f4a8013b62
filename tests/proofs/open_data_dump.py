"""The proofs of the import of the portal's dump: how long it takes, how much memory, and that nothing crashes it."""

import io
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand

RECORDS, MOST_SECONDS = 20_000, 120
LARGE_MB, MOST_MB = 100, 500
FUZZED_SECONDS = 600
PEAK = """
import json, resource, runpy, sys
sys.argv = ["manage.py", *sys.argv[1:]]
try:
    runpy.run_path("manage.py", run_name="__main__")
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def dump(machine: Any, records: int = RECORDS) -> Figures:
    """A dump of so many records, imported twice; the second time nothing changes."""
    from tests.catalogue.portal_dumps import write_large

    file = machine.folder / "portal.sql"
    figures: Figures = {"records": records, "megabytes": round(write_large(file, records) / 2**20, 1)}
    for time_ in ("first", "second"):
        begun = time.perf_counter()
        report, peak = _import(machine, file)
        figures[time_] = {
            "seconds": round(time.perf_counter() - begun, 1),
            "peak_megabytes": peak,
            "new": len(report["created"]),
            "unchanged": len(report["unchanged"]),
            "rows_written": sum(report["written"].values()),
        }
    file.unlink()
    first, second = figures["first"], figures["second"]
    demand((first["new"], second["unchanged"]) == (records, records), "not every record was imported once", figures)
    demand(second["rows_written"] == 0, "the second import wrote something", figures)
    slow = max(first["seconds"], second["seconds"])
    demand(slow < MOST_SECONDS, f"an import took {slow} s; it may take {MOST_SECONDS}", figures)
    return figures


def memory(machine: Any, megabytes: int = LARGE_MB) -> Figures:
    """The most memory that the import of a dump of that size holds."""
    from tests.catalogue.portal_dumps import write_large

    file = machine.folder / "large.sql"
    records = megabytes * 2**20 // 20_000
    size = write_large(file, records, words=1_600)
    report, peak = _import(machine, file, "--dry-run")
    file.unlink()
    figures = {"megabytes": round(size / 2**20, 1), "records": len(report["created"]), "peak_megabytes": peak}
    demand(size >= 0.9 * megabytes * 2**20, "the dump is not as large as it has to be", figures)
    demand(peak < MOST_MB, f"{peak} MB of memory were held; the most are {MOST_MB}", figures)
    return figures


def _import(machine: Any, file: Path, *words: str) -> tuple[dict[str, Any], int]:
    """The report, and the most memory held, in megabytes."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, "import_portal_dump", str(file), "--json", *words],
        env=machine.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout), int(done.stderr.split()[-1]) // 1024


def fuzz(machine: Any, seconds: float = FUZZED_SECONDS) -> Figures:
    """Broken dumps into the catalogue for so long: each is imported whole or refused in words, and nothing else.

    After a refusal every table holds the rows it held before.
    """
    from django.core.management import CommandError, call_command

    from tests.catalogue.portal_dumps import dump as written
    from tests.catalogue.portal_dumps import record, small

    chance = random.Random(1)
    figures: Figures = {"seconds": seconds, "dumps": 0, "imported": 0, "refused": 0, "records": 0}
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fuzzed.sql"
        while time.monotonic() < until:
            records = [record(chance.randint(1, 10**6), **_hostile_fields(chance)) for _ in range(chance.randint(1, 5))]
            content = _mutated(chance, written(small(*records)).encode("utf-8", "replace"))
            file.write_bytes(content)
            before = _counts()
            out = io.StringIO()
            figures["dumps"] += 1
            try:
                call_command("import_portal_dump", str(file), "--json", stdout=out, stderr=io.StringIO())
                figures["imported"] += 1
                figures["records"] += len(json.loads(out.getvalue())["created"])
            except CommandError as refusal:
                figures["refused"] += 1
                demand(refusal.returncode == 2 and "Nothing was written" in str(refusal), str(refusal), figures)
                demand(_counts() == before, f"half of it was written: {refusal}", figures)
            except Exception as error:
                kept = machine.folder / "crashed.sql"
                kept.write_bytes(content)
                demand(False, f"{type(error).__name__}: {error} (the dump is kept as {kept})", figures)
    demand(figures["dumps"] > 0 and figures["imported"] > 0 and figures["refused"] > 0, "nothing was tried", figures)
    return figures


def _counts() -> dict[str, int]:
    from django.apps import apps

    return {
        model._meta.label: model._default_manager.count() for model in apps.get_app_config("catalogue").get_models()
    }


HOSTILE: tuple[Any, ...] = (
    *(
        None,
        "",
        "\0",
        "\x1a\\",
        "';--",
        "\ud7ff\U0010ffff",
        "<p>" * 3000,
        "&#0;&#1114112;&#xD800;",
        "Ã¼ â€œ",
        "é" * 5000,
    ),
    *(0, -1, 2**63, 10**30, "1e400", "-0", "0000-00-00", "99999-99-99", "-0001-01-01", "1909-12-31", "9999-12-31"),
    *("91°N 181°E", "1,2,3", "-90, -180", "1°" * 500, ",,,", "Serendip, Serendip", "\u202e", "a" * 300, "12.5.5, 3"),
)


def _hostile_fields(chance: random.Random) -> dict[str, Any]:
    columns = (
        *("TypeId", "GameId", "RulesetId", "DateStart", "DateStartBC", "DateEnd", "DateEndBC", "Location", "Rules"),
        *("Misc", "ConfidenceMultiplier"),
    )
    return {name: chance.choice(HOSTILE) for name in chance.sample(columns, chance.randint(0, 3))}


def _mutated(chance: random.Random, content: bytes) -> bytes:
    """Some bytes changed, a part doubled or taken away; some dumps are left whole."""
    for _ in range(chance.choice((0, 0, 1, 1, 2, 5))):
        start = chance.randrange(len(content))
        end = min(len(content), start + chance.choice((1, 1, 5, 50, 2000)))
        other = chance.choice(
            (b"", content[start:end] * 2, b"'", b"(", b")", b";", b"\\", b"/*", b"`", b"\xff", b"\0", b"-- ")
        )
        content = content[:start] + other + content[end:] or b" "
    return content


PROOFS = {"dump": dump, "memory": memory, "fuzz": fuzz}
