"""Solutions: what best play comes to in a ruleset, worked out once and kept.

A ruleset is solved by looking at every position; if there are too many, a search may still find that somebody can force
a win. Either way the document says which it was. Only commands solve: a large table takes minutes and gigabytes.

Solutions also ship, a file for each ruleset with what `manage.py solve RULESET --json` printed. Anybody can work a
solution out again, so that it is data: a fresh catalogue begins with those that are known. What was worked out here
stays, unless its rules are older than those of the file.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator import rulesets
from simulator.engine import shipped
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.models import Ruleset as RulesetRow
from simulator.models import RulesetVersion, Solution
from simulator.problems import WrongRequest
from simulator.strength.solving import Listener, Wanted, worked_out


def check_solvable(ruleset: Ruleset) -> None:
    """Raises WrongRequest unless it is a game of two, without chance or with throws whose chances can be listed."""
    if why := why_unsolvable(ruleset):
        raise WrongRequest.of("ruleset", why)


def why_unsolvable(ruleset: Ruleset) -> str:
    """Why nobody can solve it here, in words; empty where somebody can."""
    found = family(ruleset.family)
    if found.throws:
        try:
            ruleset.module("chances").throws(ruleset.parameters)
        except ValueError as error:
            return f"chance decides here, and {error}: it is not solved"
    seats = found.seats(ruleset.parameters)
    return "" if seats == 2 else f"only games of two are solved, and here are {seats} seats"


def solve_and_keep(ruleset: Ruleset, wanted: Wanted | None = None, listener: Listener | None = None) -> Solution:
    """Solve a ruleset and keep what was found; raises WrongRequest and NotSolved."""
    check_solvable(ruleset)
    document = worked_out(ruleset, wanted or Wanted(), listener or Listener())
    return keep_solution(rulesets.save(ruleset), {**document, "reduced": reduced(ruleset)})


def solved(ruleset: Ruleset) -> dict[str, Any]:
    """The document of a solution that is not kept; raises NotSolved."""
    return worked_out(ruleset, Wanted(), Listener())


def reduced(ruleset: Ruleset) -> dict[str, Any]:
    """The board's parameters, if no ruleset with a name is played on such a board; else nothing."""
    keys = family(ruleset.family).board
    own = {key: ruleset.parameters[key] for key in keys}
    named = [shipped.load(name) for name in shipped.rulesets()]
    rows = RulesetRow.objects.filter(family=ruleset.family, versions__isnull=False).distinct()
    named += [rulesets.as_engine(row) for row in rows]
    boards = [{key: other.parameters[key] for key in keys} for other in named if other.family == ruleset.family]
    return {} if own in boards else own


@dataclass(frozen=True, slots=True)
class SolutionView:
    """A solution as a page or the API has it. document: None if there is none; command: what has it worked out."""

    document: dict[str, Any] | None
    is_outdated: bool
    command: str


def solution_of(ruleset: Ruleset, name: str) -> SolutionView | None:
    """The solution of a ruleset, in one query; None where none can be. name: for the command."""
    if why_unsolvable(ruleset):
        return None
    row = Solution.objects.filter(ruleset=ruleset.hash, state=Solution.State.DONE).first()
    command = f"manage.py solve {name} --json"
    if row is None or row.document is None:
        return SolutionView(None, False, command)
    if row.document["method"] == "search":
        command = f"manage.py solve {name} --search 600 --json"
    return SolutionView(row.document, row.family_version != family(ruleset.family).rules_version, command)


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
        keep_solution(RulesetRow.objects.get(hash=document["hash"]), document)
    return len(new)


def keep_solution(ruleset: RulesetRow, document: dict[str, Any]) -> Solution:
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
