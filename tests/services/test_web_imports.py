"""A web process takes what is sent to it, and answers what is typed into an address, without what only workers need.

The examples of all routes are held to the same in `test_every_answer`.
"""

import shutil
from pathlib import Path

import pytest

from tests.databases import NOBODY
from tests.services.machine import Machine

pytestmark = pytest.mark.services

HEAVY = {"numba", "llvmlite", "matplotlib", "scipy"}
NOT_WHERE_IT_BEGINS = {"requests", "jinja2", "pygments", "psycopg", "bs4"}  # of a site whose database is a file

VISIT = """
import json, sys
import django
django.setup()
from django.test import Client
from simulator.batches.service import request_batch
from catalogue.models import Comparison
from simulator.models import Batch, Plot
from catalogue.config import wsgi
batch = request_batch("daramuti-parker", games=3, announce=False)
table = {"columns": [], "rows": []}
Plot.objects.create(batch=batch, kind="x", digest="d", svg="<svg/>", title="t", description="d", table=table)
visitor = Client()
statuses = {}
def visit(*addresses, **wishes):
    for address in addresses:
        response = visitor.get(address, **wishes)
        b"".join(response)
        statuses[address.replace(batch.id, "ID")] = response.status_code
Batch.objects.update(state="done")
visit(
    "/map/?z=3&x=14000&y=4000", "/rulesets/daramuti-dlp/?parent=daramuti-parker",
    "/rulesets/daramuti-parker/play-a-game/?players=you,uct:9&seed=1&moves=aa",
    "/rulesets/hat-diviyan-keliya-ludovisi/play-a-game/?players=you,you&seed=1&hint=yes",
    "/rulesets/hat-diviyan-keliya-ludovisi/play-a-game/?players=you,you&seed=1&standing=yes",
    f"/batches/{batch.id}/games/0/?turn=9",
)
wanted = {"games": 2, "seed": 1, "players": "random", "cap": 9, "until": "game"}
statuses["play"] = visitor.post("/rulesets/daramuti-parker/play/", wanted).status_code
asked = visitor.post("/compare/", {"rulesets": ["daramuti-parker", "daramuti-dlp"], "games": 4})
statuses["asked"] = asked.status_code
comparison = asked.headers["Location"]
visit(comparison, comparison + "progress.json")
study = visitor.post("/games/koti-keliya/sensitivity/", {"games": 2, "seed": 1})
statuses["study"] = study.status_code
visit("/studies/", study.headers["Location"], study.headers["Location"] + "progress.json")
sides = [{"name": name, "title": "", "hash": "", "batch": batch.id} for name in ("daramuti-parker", "daramuti-dlp")]
rule = {"key": "relay", "title": "Relay", "sides": [{"value": "last", "words": "Words.", "off": False}] * 2}
document = {"rulesets": sides, "rules": [rule], "pairs": [], "margins": {"shares": 0.02, "amounts": 0.05}}
document |= {"games": 2, "cap": 9, "bootstrap": {"resamples": 2_000}}
plot = {"title": "t", "description": "d", "caption": "c", "svg": "<svg/>", "height": 9, "table": table}
Comparison.objects.update(state="done", document=document, plot=plot)
visit(comparison, comparison + "lengths.svg")
sent = {"ruleset": "daramuti-parker", "games": 2}
made = visitor.post("/api/v1/batches/", json.dumps(sent), content_type="application/json")
statuses["made"] = made.status_code
visit(made.headers["Location"].replace("http://testserver", ""), "/api/v1/games/?format=api")
modules = sorted({name.partition(".")[0] for name in sys.modules})
print(json.dumps({"statuses": statuses, "modules": modules}))
"""

ADDRESSES = """
import json, sys
from catalogue.config import wsgi
from django.urls import get_resolver
assert get_resolver().url_patterns
print(json.dumps(sorted({name.partition(".")[0] for name, module in sys.modules.items() if module})))
"""


@pytest.mark.by_turns
def test_the_pages_themselves_load_none_of_it(tmp_path: Path) -> None:
    """What an import at the head of a module drags in is seen here, without a page being asked for."""
    modules = set(Machine(tmp_path, NOBODY).python("-c", ADDRESSES))
    assert {"django", "rest_framework", "catalogue"} <= modules
    assert not (HEAVY | NOT_WHERE_IT_BEGINS) & modules


@pytest.mark.thorough
def test_nothing_sent_loads_compiler_or_plotting(shipped_database: Path, tmp_path: Path) -> None:
    shutil.copy(shipped_database, tmp_path / "db.sqlite3")
    printed = Machine(tmp_path, "memory://").python("-c", VISIT)
    wrong = {address: status for address, status in printed["statuses"].items() if status not in (200, 302)}
    assert wrong == {"made": 201}
    assert {"django", "rest_framework"} <= set(printed["modules"])
    assert not HEAVY & set(printed["modules"])
