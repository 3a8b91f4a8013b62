"""Solutions: what best play comes to in a ruleset, worked out once and kept.

A ruleset is solved by looking at every position; if there are too many, a search may still find that somebody can force
a win. Either way the document says which it was. Only commands solve: a large table takes minutes and gigabytes.
"""

from dataclasses import dataclass
from typing import Any

from simulator import models, rulesets
from simulator.engine import shipped
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.problems import WrongRequest
from simulator.strength.solution_files import keep
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


def solve_and_keep(ruleset: Ruleset, wanted: Wanted | None = None, listener: Listener | None = None) -> models.Solution:
    """Solve a ruleset and keep what was found; raises WrongRequest and NotSolved."""
    check_solvable(ruleset)
    document = worked_out(ruleset, wanted or Wanted(), listener or Listener())
    return keep(rulesets.save(ruleset), {**document, "reduced": reduced(ruleset)})


def reduced(ruleset: Ruleset) -> dict[str, Any]:
    """The board's parameters, if no ruleset with a name is played on such a board; else nothing."""
    keys = family(ruleset.family).board
    own = {key: ruleset.parameters[key] for key in keys}
    named = [shipped.load(name) for name in shipped.rulesets()]
    rows = models.Ruleset.objects.filter(family=ruleset.family, versions__isnull=False).distinct()
    named += [rulesets.as_engine(row) for row in rows]
    boards = [{key: one.parameters[key] for key in keys} for one in named if one.family == ruleset.family]
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
    row = models.Solution.objects.filter(ruleset=ruleset.hash, state=models.Solution.State.DONE).first()
    command = f"manage.py solve {name} --json"
    if row is None or row.document is None:
        return SolutionView(None, False, command)
    if row.document["method"] == "search":
        command = f"manage.py solve {name} --search 600 --json"
    return SolutionView(row.document, row.family_version != family(ruleset.family).version, command)
