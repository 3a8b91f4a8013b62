"""The proof of the search: the same lists, counts and snippets on both databases, of records nobody wrote."""

import json
import tempfile
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand
from tests.proofs.search_api_load import run_apart
from tests.services.machine import Machine
from tests.services.postgresql import running_postgresql

RECORDS = 3_000
FILL = """
import django; django.setup()
from catalogue.search.indexing import rebuild
from tests.synthetic_catalogue import fill
fill({records}); rebuild()
"""
SUITE = ("-m", "tests.catalogue.search_suite")


def search(machine: Any, records: int = RECORDS) -> Figures:
    """How many searches of the suite were compared, and how many things they found; raises Unproved at a difference."""
    with running_postgresql() as server, tempfile.TemporaryDirectory() as folder:
        here = Machine(Path(folder), machine.broker).environment | {
            "DJANGO_SETTINGS_MODULE": "catalogue.config.settings"
        }
        answers = []
        for environment in (here, {**here, "DATABASE_URL": server.get_uri()}):
            run_apart(environment, "manage.py", "migrate", "--verbosity", "0", "--skip-checks")
            run_apart(environment, "manage.py", "load_fixtures")
            run_apart(environment, "-c", FILL.format(records=records))
            answers.append(json.loads(run_apart(environment, *SUITE)))
    differing = [one["asked"] for one, other in zip(*answers, strict=True) if one != other]
    figures: Figures = {
        "records": records,
        "searches": len(answers[0]),
        "finds": sum(one["count"] for one in answers[0]),
        "differing": differing,
    }
    demand(not differing, "the two databases do not find the same", figures)
    return figures
