"""The apparatus of the shipped records: whole, and how much of the words it uses."""

import json
from typing import Any

from tests.proofs.running import Figures, demand


def apparatus(machine: Any) -> Figures:
    """`manage.py check` finds nothing wrong; what `manage.py coverage` prints of each record."""
    said = machine.manage("check")
    printed = json.loads(machine.manage("coverage", "--json").stdout)
    figures: Figures = {
        "check": (said.stdout + said.stderr).strip(),
        "records": {
            f"{one['record']} ({one['game']})": {
                "quotation": one["quotation"]["share"],
                "paraphrase": one["paraphrase"]["share"],
                "clauses": one["clauses"],
                "without_words": len(one["clauses_without_words"]),
            }
            for one in printed["records"]
        },
    }
    demand("no issues" in figures["check"], "the system check found something wrong", figures)
    demand(len(printed["records"]) == 21, "not all records are there", figures)
    return figures
