"""The proofs that nothing breaks an importer: for ten minutes each, broken input is taken whole or refused in words."""

import io
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand
from tests.services.machine import ROOT

SECONDS = 600
PAGES = Path(__file__).parents[1] / "catalogue" / "pages"
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
PUT = (b"'", b"(", b")", b";", b"\\", b"/*", b"`", b"\xff", b"\0", b"-- ", b"\n", b"<", b"&#0;", b"\xed\xa0\x80")


def fuzz_dump(machine: Any, seconds: float = SECONDS) -> Figures:
    """Dumps with hostile values, and dumps with bytes changed; each that is taken holds what its report says."""
    from tests.catalogue.portal_dumps import dump, record, small

    def made(chance: random.Random) -> bytes:
        records = [record(chance.randint(1, 10**6), **hostile_fields(chance)) for _ in range(chance.randint(1, 5))]
        return mutated(chance, dump(small(*records)).encode("utf-8", "replace"), chance.choice((0, 0, 1, 1, 2, 5)))

    return _fuzzed("import_portal_dump", made, machine.folder, seconds)


def fuzz_pages(machine: Any, seconds: float = SECONDS) -> Figures:
    """The portal's evidence pages, saved as text and as HTML, with bytes changed."""
    from tests.catalogue.portal_layouts import PAGE_FILES, as_html_table, on_lines, read_file

    texts = [path.read_bytes() for path in PAGE_FILES]
    records = [record for path in PAGE_FILES for record in read_file(path.name).records]

    def made(chance: random.Random) -> bytes:
        some = chance.sample(records, chance.randint(1, 3))
        page = chance.choice(
            (
                chance.choice(texts),
                as_html_table(some, "in Sri Lanka").encode(),
                on_lines(some, "in Sri Lanka").encode(),
            )
        )
        return mutated(chance, page, chance.choice((0, 1, 2, 5, 20)))

    return _fuzzed("import_portal", made, machine.folder, seconds)


def _fuzzed(command: str, made: Callable[[random.Random], bytes], folder: Path, seconds: float) -> Figures:
    """Into an empty catalogue, which is empty again after each; raises Unproved at a crash, or if half was written."""
    from django.core.management import CommandError, call_command
    from django.db import transaction

    from catalogue.models import Evidence
    from tests.catalogue.dataset_world import empty_the_database, rows_in_the_database

    chance, outcomes = random.Random(1), Counter[str]()
    figures: Figures = {"seconds": seconds}
    until = time.monotonic() + seconds
    file = folder / "fuzzed"
    with transaction.atomic():
        empty_the_database()
        while time.monotonic() < until:
            content = made(chance)
            file.write_bytes(content)
            out = io.StringIO()
            outcomes["inputs"] += 1
            try:
                with transaction.atomic():
                    refused = ""
                    try:
                        call_command(command, str(file), "--json", stdout=out, stderr=io.StringIO())
                        outcomes["taken"] += 1
                    except CommandError as refusal:
                        refused = str(refusal) if refusal.returncode == 2 else ""
                        outcomes["refused" if refused else "taken in part, with the problems named"] += 1
                    created = json.loads(out.getvalue() or "{}").get("created", [])
                    outcomes["records"] += len(created)
                    kept = sorted(Evidence.objects.values_list("identifier", flat=True))
                    nothing = not refused or not rows_in_the_database()
                    transaction.set_rollback(True)
            except Exception as error:
                crashed = folder / f"crashed-{command}"
                crashed.write_bytes(content)
                demand(False, f"{type(error).__name__}: {error} (the input is kept as {crashed})", figures | outcomes)
            demand(kept == sorted(created), f"the report names {created}, and there are {kept}", figures | outcomes)
            demand(nothing and ("othing was" in refused or not refused), f"half written: {refused}", figures | outcomes)
        transaction.set_rollback(True)
    figures |= outcomes
    demand(min(outcomes["taken"], outcomes["refused"], outcomes["records"]) > 0, "not everything was tried", figures)
    return figures


def fuzz_dataset(machine: Any, seconds: float = SECONDS) -> Figures:
    """Datasets with bytes changed and right checksums; raises Unproved if one crashes or is half loaded."""
    environment = {**machine.environment, "SPOILT_SECONDS": str(seconds)}
    environment.pop("DATABASE_URL")
    words = ["-m", "pytest", "tests/catalogue/test_dataset_spoilt.py", "-k", "random", "-qs", "-p", "no:cacheprovider"]
    with tempfile.TemporaryDirectory() as folder:
        environment["VAR_DIR"] = folder
        done = subprocess.run(
            [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    found = re.search(r"(\d+) spoilt datasets, (\d+) loaded", done.stdout)
    figures: Figures = {"seconds": seconds, "told": done.stdout[-2_000:]}
    demand(done.returncode == 0 and found is not None, "a spoilt dataset broke it", figures)
    assert found is not None
    return {"seconds": seconds, "inputs": int(found[1]), "taken": int(found[2])}


def hostile_fields(chance: random.Random) -> dict[str, Any]:
    columns = (
        *("TypeId", "GameId", "RulesetId", "DateStart", "DateStartBC", "DateEnd", "DateEndBC", "Location", "Rules"),
        *("Misc", "ConfidenceMultiplier"),
    )
    return {name: chance.choice(HOSTILE) for name in chance.sample(columns, chance.randint(0, 3))}


def mutated(chance: random.Random, content: bytes, times: int) -> bytes:
    """So many times some bytes changed, a part doubled or taken away."""
    for _ in range(times):
        start = chance.randrange(len(content))
        end = min(len(content), start + chance.choice((0, 1, 1, 5, 50, 2000)))
        content = content[:start] + chance.choice((b"", content[start:end] * 2, *PUT)) + content[end:] or b" "
    return content


PROOFS = {"fuzz_dump": fuzz_dump, "fuzz_pages": fuzz_pages, "fuzz_dataset": fuzz_dataset}
