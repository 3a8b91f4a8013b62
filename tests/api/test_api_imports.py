"""A web process serves the API without ever loading what only workers need."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"numba", "llvmlite", "matplotlib", "scipy"}

VISIT = """
import json, sys
import django
django.setup()
from django.core.management import call_command
from django.test import Client
call_command("migrate", verbosity=0)
call_command("load_fixtures", stdout=sys.stderr)
visitor = Client()
wanted = {"ruleset": "daramuti-parker", "games": 2}
made = visitor.post("/api/v1/batches/", json.dumps(wanted), content_type="application/json")
statuses = [made.status_code]
for address in (
    "/api/schema/", "/api/docs/", "/about/api/", "/api/v1/", "/api/v1/evidence/", "/api/v1/evidence/DLP.Evidence.692/",
    "/api/v1/games/", "/api/v1/places/", "/api/v1/sources/", "/api/v1/rulesets/", "/api/v1/rulesets/daramuti-parker/",
    "/api/v1/batches/", made.headers["Location"],
):
    statuses.append(visitor.get(address).status_code)
    statuses.append(visitor.get(address, headers={"accept": "text/html"}).status_code)
print(json.dumps({"statuses": statuses, "modules": sorted({name.partition(".")[0] for name in sys.modules})}))
"""


def test_the_api_loads_neither_the_compiler_nor_the_plotting_library(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
        "REDIS_URL": "memory://",
        "DJANGO_SETTINGS_MODULE": "catalogue.config.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", VISIT], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["statuses"][0] == 201
    assert {200, 406} >= set(told["statuses"][1:])
    assert "rest_framework" in told["modules"]
    assert not HEAVY & set(told["modules"])
