"""Studies as analyses: requested, waited for and kept. `study_document`, which brings the statistics, computes them."""

import datetime
from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.utils import timezone

from catalogue.analyses.study_plans import Plan, plan
from catalogue.models import Game, Study
from simulator.analyses.protocol import AnalysisKind, CannotConclude, Document, Replays, register
from simulator.models import Batch

CHANGED = "the questions or the engine have changed since: ask for a study of them as they are now"
SHIPPED = ("document", "summary", "plots")


class StudyKind(AnalysisKind[Plan, Study]):
    """Studies as analyses; pages ask for them without weights."""

    name, plural, title = "study", "studies", "Which doubt about a game matters"
    task, model, related = "catalogue.conclude_study", Study, ("game",)

    def columns(self, request: Plan) -> dict[str, Any]:
        study = request.study
        own = {name: getattr(study.request, name) for name in ("games", "seed", "cap", "until")}
        terms = {"base": study.base, "questions": [row.slug for row in study.rows], "players": study.asked, **own}
        return {"game": study.game, "terms": terms, "batches": [one.id for one in request.requests]}

    def batch_ids(self, row: Study) -> list[str]:
        return list(row.batches)

    def computed(self, row: Study, batches: Mapping[str, Batch], request: Plan | None) -> dict[str, Any]:
        from catalogue.analyses.study_document import document_of, drawings_of, summary_of  # brings the statistics

        planned = request or plan(row.game.slug, **row.terms)
        if planned.id != row.id:
            raise CannotConclude(CHANGED)
        document = document_of(planned.study, planned.space, [batches[one.id] for one in planned.requests], planned.id)
        drawings, summary = drawings_of(document), summary_of(document)
        return {"document": document, "summary": summary, "plots": drawings, "created": timezone.now()}

    def shipped(self, request: Plan) -> Document:
        row = self.concluded(request)
        return {"game": row.game.slug, **{name: getattr(row, name) for name in SHIPPED}}

    def keep(self, key: str, document: Document, moment: datetime.datetime) -> bool:
        game = Game.objects.filter(slug=document["game"]).first()
        if game is None:
            return False
        kept = {name: self.as_stated_now(document)[name] for name in SHIPPED}
        Study.every.update_or_create(id=key, defaults={"game": game, "state": Study.State.DONE, "error": "", **kept})
        Study.every.filter(id=key).update(created=moment)
        return True

    def recomputed(self, request: Plan, replays: Replays, document: Document) -> Document:
        from catalogue.analyses.study_document import document_of

        batches = [replays[one.id].batch for one in request.requests]
        return {"document": document_of(request.study, request.space, batches, request.id)}

    def as_stated_now(self, document: Document) -> Document:
        from catalogue.analyses.answer_means import restated

        return {**document, "document": restated(document["document"])}


STUDIES = register(StudyKind())


def restate_kept() -> int:
    """Give the studies kept here the figures that are made of their cells now; how many had others."""
    from catalogue.analyses.answer_means import FIGURES_VERSION, restated

    made = "document__figures_version"
    before = Q(**{f"{made}__isnull": True}) | Q(**{f"{made}__lt": FIGURES_VERSION})
    earlier = list(Study.objects.filter(before).values_list("id", flat=True))
    for key in earlier:
        row = Study.objects.only("document").get(id=key)
        Study.objects.filter(id=key).update(document=restated(row.document))
    return len(earlier)
