"""The proof that two versions of the code may run at once: no batch is lost, none says a version that did not play it.

First an earlier release and this one, as in an upgrade: its site and its worker go on while the tables are brought up
to date and a worker of this code is started. The workers of 0.2.0 take chunks of any version, so it ends before this
site is asked; what this release ships is loaded when nothing of the code before runs. Then this code and one to come,
whose families are of the next version and play every game otherwise: whatever plays a batch of another version than its
own betrays itself by the digest.
"""

import json
import re
import shutil
import subprocess
import tarfile
import threading
import time
from io import BytesIO
from pathlib import Path
from typing import Any

from tests.proofs.operation_http import Caller, HttpRequest
from tests.proofs.operation_servers import Installation
from tests.proofs.running import Figures, demand
from tests.services.machine import ROOT
from tests.services.postgresql import running_postgresql

BATCHES = 20  # asked on each site, half of them before the other code is there
LONGEST = 600.0  # seconds until all are done
GAMES: tuple[dict[str, Any], ...] = (
    {"ruleset": "kalah-reference", "games": 6_000, "cap": 4_000},
    {"ruleset": "nine-mens-morris-reference", "games": 800, "cap": 4_000},
    {"ruleset": "asi-keliya-dlp", "games": 1_500, "cap": 4_000},
)
PLAY = """
import django; django.setup()
import json, sys
from simulator.batches.playing import replay_digest
from simulator.batches.requests import check_request
from simulator.rulesets import SHIPPED, read_file
for terms in json.loads(sys.argv[1]):
    request = check_request(read_file(SHIPPED / f"{terms.pop('ruleset')}.json").ruleset, **terms)
    print(json.dumps([request.id, request.family_version, replay_digest(request, lambda played: None)[0]]))
"""
ROWS = """
import django; django.setup()
import json
from simulator.models import Batch
print(json.dumps({batch.id: [batch.state, batch.family_version, batch.digest] for batch in Batch.objects.all()}))
"""


def versions(folder: Path, scale: Any) -> Figures:
    """What became of the batches of an upgrade from the last release, and of one to a release to come."""
    number = scale.inputs or BATCHES
    released = revision_of_release()
    old, new, coming = _of_revision(released, folder), ROOT, _to_come(folder)
    figures: Figures = {"released": released}
    for name, first, second in (("upgrade", old, new), ("next", new, coming)):
        place = folder / name
        place.mkdir()
        figures[name] = _at_once(place, first, second, number, takes_any=first is old)
    for name in ("upgrade", "next"):
        for wrong in ("refused", "lost", "not_done", "mislabelled", "another_digest"):
            demand(not figures[name][wrong], f"{name}: batches are {wrong.replace('_', ' ')}", figures)
    return figures


def revision_of_release() -> str:
    """The last revision whose changelog begins with a release: the one before the next was begun."""
    words = ("log", "--format=%H", "--reverse", "-S## 0.3.0 – unreleased", "--", "CHANGELOG.md")
    begun = _git(*words).decode().split()
    return _git("rev-parse", "--short", f"{begun[0]}~1").decode().strip()


def _of_revision(revision: str, folder: Path) -> Path:
    place = folder / "released"
    with tarfile.open(fileobj=BytesIO(_git("archive", revision))) as archive:
        archive.extractall(place, filter="data")
    return place


def _to_come(folder: Path) -> Path:
    """This code with the next version of every family, and another generator, so that no game is played as now."""
    place = folder / "coming"
    shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(".git", ".venv", "var", "__pycache__"))
    engine = place / "simulator" / "engine"
    generator = engine / "randomness.py"
    text, changed = re.subn(r"(?m)^GAMMA = 0x[0-9A-Fa-f]+", "GAMMA = 0xD1B54A32D192ED03", generator.read_text())
    assert changed == 1, "the generator of this code is written otherwise"
    generator.write_text(text)
    for definition in (engine / "families").glob("*/definition.py"):
        text, changed = re.subn(
            r"(?m)^(\s+rules_version=)(\d+),", lambda found: f"{found[1]}{int(found[2]) + 1},", definition.read_text()
        )
        assert changed == 1, f"the version in {definition} is written otherwise"
        definition.write_text(text)
    return place


def _at_once(folder: Path, first: Path, second: Path, number: int, takes_any: bool) -> Figures:
    """The first code alone, then both, on one database and one broker.

    takes_any: whether the first code's worker claims chunks of any version
    """
    with running_postgresql() as server:
        places = [folder / "first", folder / "second"]
        for place in places:
            place.mkdir()
        kernels = {"KERNEL_CACHE_DIR": str(ROOT / "var" / "kernels"), "CHUNK_LEASE_SECONDS": "10"}
        one = Installation(places[0], server.get_uri(), first, **kernels)
        other = Installation(places[1], server.get_uri(), second, **kernels)
        other.environment["REDIS_URL"] = one.environment["REDIS_URL"]
        terms = [[{**GAMES[n % len(GAMES)], "seed": 1_000 * side + n} for n in range(number)] for side in (1, 2)]
        names: dict[str, dict[str, Any]] = {}
        refused: list[str] = []
        try:
            one.start_broker()
            one.load()
            port = one.start_site()
            _ask(port, terms[0][: number // 2], names, refused)
            one.start_worker("first", children=1)
            other.manage("migrate", "--verbosity", "0", "--skip-checks")
            other_port = other.start_site()
            other.start_worker("second", children=1)
            client = [
                threading.Thread(target=_ask, args=(port, terms[0][number // 2 :], names, refused)),
                threading.Thread(target=_ask, args=(other_port, terms[1], names, refused)),
            ]
            for thread in client:
                thread.start()
                if takes_any and thread is client[0]:
                    thread.join()
                    _wait(other)
                    one.servers["first"].stop(patience=60)
            for thread in client:
                thread.join()
            seconds = _wait(other)
            one.stop()  # what this release ships anew the other code could not read
            other.manage("load_fixtures")
            rows = json.loads(other.python("-c", ROWS))
            tracebacks = [part.tracebacks(name) for part, name in ((one, "first"), (other, "second"))]
            expected = {}
            for part, some in ((one, terms[0]), (other, terms[1])):
                said = part.python("-c", PLAY, json.dumps(some)).splitlines()
                expected |= {name: [version, digest] for name, version, digest in map(json.loads, said)}
        finally:
            other.stop()
            one.stop()
    return {
        "asked": sum(map(len, terms)),
        "seconds": round(seconds, 1),
        "tracebacks": tracebacks,
        "refused": refused[:10],
        "lost": sorted(set(expected) ^ set(rows)),
        "not_done": {name: row for name, row in rows.items() if row[0] != "done"},
        "mislabelled": [name for name, row in rows.items() if row[1] != expected.get(name, [0])[0]],
        "another_digest": [name for name, row in rows.items() if row[2] != expected.get(name, [0, 0])[1]],
    }


def _ask(port: int, wanted: list[dict[str, Any]], names: dict[str, dict[str, Any]], refused: list[str]) -> None:
    with Caller(port) as caller:
        for terms in wanted:
            body, kind = json.dumps(terms).encode(), (b"Content-Type", b"application/json")
            answer = caller.ask(HttpRequest("POST", b"/api/v1/batches/", (kind,), body))
            if answer.status in (200, 201):
                names[json.loads(answer.body)["id"]] = terms
            else:
                refused.append(f"{terms}: {answer.status} {answer.body[:200]!r}")
            time.sleep(0.2)


def _wait(one: Installation) -> float:
    begun = time.monotonic()
    while time.monotonic() - begun < LONGEST:
        if "running" not in (row[0] for row in json.loads(one.python("-c", ROWS)).values()):
            break
        time.sleep(3)
    return time.monotonic() - begun


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout
