"""What is made of batches, as parts of an edition: comparisons, studies, verdicts on claims, ladders and solutions.

Each has two functions: one makes the document of a part whose batches are done, and one keeps such a document here. The
batches of studies and ladders are not shipped: `batches` names each with its digest, and it can be played again.
"""

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from catalogue.claims import testing
from catalogue.comparisons import service as comparing
from catalogue.comparisons.document import compute
from catalogue.edition.files import Document
from catalogue.edition.kinds import CLAIMS, COMPARISONS, LADDERS, SOLUTIONS, STUDIES
from catalogue.edition.parts import Part
from catalogue.models import Claim, ComparedBatch, Comparison, Game, RequestedStudy, Study, Verdict
from catalogue.sensitivity import studies
from catalogue.sensitivity.answer_means import restated
from simulator.engine.family import family
from simulator.models import Batch, Ladder, Ruleset, Solution
from simulator.strength import ladder_figures, solutions

COMPARED = ("names", "players", "margins", "bootstrap_seed", "version", "document", "plot")
STUDIED = ("document", "summary", "plots")
JUDGED = (
    "number", "test", "verdict", "text", "figure", "least", "most", "low", "high", "n", "counts", "batches", "players",
    "games", "seed", "cap", "until", "moves", "version",
)  # fmt: skip
NOT_JUDGED = (0, 0)  # version and games


@dataclass(frozen=True, slots=True)
class DerivedKind:
    """document: of a part whose batches are done. keep: such a document, unless what it says is here; True if it was
    kept. finished: the rows that are known by the ids of the parts, if any are; one that waits or has failed is none
    """

    document: Callable[[Part], Document]
    keep: Callable[[str, Document, datetime.datetime], bool]
    finished: Callable[[], QuerySet[Any]] | None = None

    def ids_here(self) -> set[str]:
        return set(self.finished().values_list("pk", flat=True)) if self.finished else set()


def document_of(part: Part) -> Document:
    """With the digest of every batch that it rests on."""
    ids = [request.id for request in part.requests]
    digests = dict(Batch.objects.filter(id__in=ids).values_list("id", "digest"))
    return {**DERIVED[part.kind].document(part), "batches": digests}


def _columns(row: Any, names: tuple[str, ...]) -> Document:
    return {name: getattr(row, name) for name in names}


def _compared(part: Part) -> Document:
    row = comparing.request_comparison(part.wanted, announce=False, origin=Batch.Origin.DEMO)
    compute(row)
    return {**_columns(row, COMPARED), "places": [request.id for request in part.wanted.batches]}


def _keep_comparison(key: str, document: Document, moment: datetime.datetime) -> bool:
    places = document["places"]
    done = set(Batch.objects.filter(id__in=places, state=Batch.State.DONE).values_list("id", flat=True))
    if done < set(places):
        return False
    columns = {"state": Comparison.State.DONE, "error": "", "closed": moment, **_named(document, COMPARED)}
    Comparison.objects.update_or_create(id=key, defaults=columns)
    Comparison.objects.filter(id=key).update(created=moment)
    ComparedBatch.objects.filter(comparison=key).delete()
    ComparedBatch.objects.bulk_create(
        ComparedBatch(comparison_id=key, batch_id=batch, place=place) for place, batch in enumerate(places)
    )
    return True


def _studied(part: Part) -> Document:
    row = Study.objects.filter(id=part.id).first() or studies.conclude(part.wanted)
    return {"game": part.game, **_columns(row, STUDIED)}


def _keep_study(key: str, document: Document, moment: datetime.datetime) -> bool:
    game = Game.objects.filter(slug=document["game"]).first()
    if game is None:
        return False
    columns = {**_named(document, STUDIED), "document": restated(document["document"])}
    Study.objects.create(id=key, game=game, **columns)
    Study.objects.filter(id=key).update(created=moment)
    RequestedStudy.objects.filter(id=key).delete()
    return True


def _judged(part: Part) -> Document:
    claim = part.wanted[0].claim
    rows = testing.run_tests(part.wanted, lambda batches: None, announce=False)
    verdicts = sorted((_columns(row, JUDGED) for row in rows), key=lambda one: one["number"])
    return {"game": claim.game.slug, "claim": claim.slug, "verdicts": verdicts}


def _keep_verdicts(key: str, document: Document, moment: datetime.datetime) -> bool:
    """Those of tests that the claim still has, where these were not judged here as well: by a newer version, or by as
    many games of the same one."""
    claim = Claim.objects.filter(game__slug=document["game"], slug=document["claim"]).first()
    if claim is None:
        return False
    tests = dict(enumerate(claim.tests, start=1))
    rows = (row for row in claim.verdicts.all() if row.test == tests.get(row.number))
    stand = {row.number: (row.version, row.games) for row in rows}
    said = (one for one in document["verdicts"] if one["test"] == tests.get(one["number"]))
    new = [one for one in said if (one["version"], one["games"]) > stand.get(one["number"], NOT_JUDGED)]
    claim.verdicts.filter(number__in=[one["number"] for one in new]).delete()
    Verdict.objects.bulk_create(Verdict(claim=claim, **one) for one in new)
    return bool(new)


def _climbed(part: Part) -> Document:
    row = ladder_figures.conclude(part.wanted)
    return {"ruleset": row.ruleset_id, **_columns(row, ("request", "document"))}


def _keep_ladder(key: str, document: Document, moment: datetime.datetime) -> bool:
    if not Ruleset.objects.filter(hash=document["ruleset"]).exists():
        return False
    columns = {"state": Ladder.State.DONE, "error": "", **_named(document, ("request", "document"))}
    Ladder.objects.update_or_create(id=key, defaults={"ruleset_id": document["ruleset"], **columns})
    Ladder.objects.filter(id=key).update(created=moment)
    return True


def _solved(part: Part) -> Document:
    slug, ruleset = part.wanted
    row = Solution.objects.filter(ruleset=ruleset.hash, state=Solution.State.DONE).first()
    if row is None or row.family_version != family(ruleset.family).rules_version:
        row = solutions.solve_and_keep(ruleset)
    return {"ruleset": slug, "hash": ruleset.hash, "solution": row.document}


def _keep_solution(key: str, document: Document, moment: datetime.datetime) -> bool:
    row = Ruleset.objects.filter(hash=document["hash"]).first()
    said = document["solution"]
    kept = Solution.objects.filter(ruleset=row, state=Solution.State.DONE).first() if row else None
    if row is None or (kept and kept.family_version >= said["family_version"]):
        return False
    solutions.keep_solution(row, said)
    return True


def _named(document: Document, names: tuple[str, ...]) -> Document:
    return {name: document[name] for name in names}


DERIVED: Mapping[str, DerivedKind] = {
    COMPARISONS: DerivedKind(
        _compared, _keep_comparison, lambda: Comparison.objects.filter(state=Comparison.State.DONE)
    ),
    STUDIES: DerivedKind(_studied, _keep_study, Study.objects.all),
    CLAIMS: DerivedKind(_judged, _keep_verdicts),
    LADDERS: DerivedKind(_climbed, _keep_ladder, lambda: Ladder.objects.filter(state=Ladder.State.DONE)),
    SOLUTIONS: DerivedKind(_solved, _keep_solution),
}
