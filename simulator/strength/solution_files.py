"""Solutions that are shipped: what `manage.py solve RULESET --json` printed, a file for each ruleset that was solved.

Whoever likes can work a solution out again, so that it is data: a fresh catalogue begins with those that are known.
What was worked out here stays, unless its rules are older than those of the file.
"""

import json
from pathlib import Path
from typing import Any

from simulator.models import Ruleset, RulesetVersion, Solution


def load_solution_files(folder: Path) -> int:
    """Keep the solutions of a folder; how many are new here. Raises ValueError for one of no ruleset here."""
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    here = set(RulesetVersion.objects.values_list("slug", "ruleset_id"))
    for document in documents:
        if (document["ruleset"], document["hash"]) not in here:
            raise ValueError(f"no version of {document['ruleset']} here has the hash {document['hash']}")
    kept = dict(Solution.objects.filter(state=Solution.State.DONE).values_list("ruleset_id", "family_version"))
    new = [document for document in documents if kept.get(document["hash"], 0) < document["family_version"]]
    for document in new:
        keep(Ruleset.objects.get(hash=document["hash"]), document)
    return len(new)


def keep(ruleset: Ruleset, document: dict[str, Any]) -> Solution:
    """Keep a solution; what names its ruleset is no part of the row."""
    said = {key: value for key, value in document.items() if key not in ("ruleset", "hash")}
    row, _ = Solution.objects.update_or_create(
        ruleset=ruleset,
        defaults={
            "state": Solution.State.DONE,
            "error": "",
            "family_version": document["family_version"],
            "document": said,
        },
    )
    return row
