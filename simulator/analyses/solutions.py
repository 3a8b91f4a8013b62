"""Solutions as conclusions that an edition ships: what faultless play comes to in a ruleset."""

import datetime
from dataclasses import dataclass

from simulator.analyses.protocol import Document, Replays, ShippedKind
from simulator.batches.requests import BatchRequest, content_hash
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.models import Ruleset as RulesetRow
from simulator.models import Solution
from simulator.strength import solutions

MEASURED = ("seconds", "peak_bytes")  # what it took on the machine that solved it


@dataclass(frozen=True, slots=True)
class SolutionRequest:
    """A request for a solution. name: of the ruleset, a slug"""

    name: str
    ruleset: Ruleset

    @property
    def id(self) -> str:
        """First 16 hex digits of the SHA-256 of the ruleset and the version of its rules."""
        version = family(self.ruleset.family).rules_version
        return content_hash(ruleset=self.ruleset.hash, family_version=version)[:16]

    @property
    def requests(self) -> tuple[BatchRequest, ...]:
        return ()


class SolutionKind(ShippedKind):
    plural, title = "solutions", "Rulesets solved"

    def shipped(self, request: SolutionRequest) -> Document:
        ruleset = request.ruleset
        row = Solution.objects.filter(ruleset=ruleset.hash, state=Solution.State.DONE).first()
        if row is None or row.family_version != family(ruleset.family).rules_version:
            row = solutions.solve_and_keep(ruleset)
        return {"ruleset": request.name, "hash": ruleset.hash, "solution": row.document}

    def keep(self, key: str, document: Document, moment: datetime.datetime) -> bool:
        """Keep the solution of a file, unless the one that is here is of the same rules or newer ones."""
        row, solution = RulesetRow.objects.filter(hash=document["hash"]).first(), document["solution"]
        if row is None:
            return False
        here = Solution.objects.filter(ruleset=row, state=Solution.State.DONE).first()
        if here and here.family_version >= solution["family_version"]:
            return False
        solutions.keep_solution(row, solution)
        return True

    def recomputed(self, request: SolutionRequest, replays: Replays, document: Document) -> Document:
        shipped, ruleset = document["solution"], request.ruleset
        measured = {name: shipped[name] for name in MEASURED if name in shipped}
        solution = {**solutions.solved(ruleset), "reduced": solutions.reduced(ruleset), **measured}
        return {"ruleset": request.name, "hash": ruleset.hash, "solution": solution}


SOLUTIONS = SolutionKind()
