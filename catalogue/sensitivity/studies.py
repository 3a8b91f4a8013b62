"""Studies computed and kept: which open question about a game matters.

Workers and commands import this module, pages do not: it brings the statistics and the plots.
"""

from django.db import transaction
from django.db.models import Q

from catalogue.models import RequestedStudy, Study
from catalogue.sensitivity.answer_means import FIGURES_VERSION, restated
from catalogue.sensitivity.documents import document_of, summary_of
from catalogue.sensitivity.plans import Plan, plan
from catalogue.sensitivity.plots import drawings_of
from catalogue.sensitivity.requested import batches_of, is_played
from simulator.models import Batch


class StudyChanged(Exception):
    """What was asked for is not what the same words would ask for now."""


def conclude(planned: Plan) -> Study:
    """The study, computed, drawn and kept; all its batches are done."""
    ids = [request.id for request in planned.requests]
    found = {batch.id: batch for batch in Batch.objects.filter(id__in=ids).select_related("ruleset")}
    document = document_of(planned.study, planned.space, [found[name] for name in ids], planned.id)
    study, _ = Study.objects.update_or_create(
        id=planned.id,
        defaults={
            "game": planned.study.game,
            "document": document,
            "summary": summary_of(document),
            "plots": drawings_of(document),
        },
    )
    return study


def restate_kept() -> int:
    """Give the studies kept here the figures that are made of their cells now; how many had others."""
    made = "document__figures_version"
    before = Q(**{f"{made}__isnull": True}) | Q(**{f"{made}__lt": FIGURES_VERSION})
    earlier = list(Study.objects.filter(before).values_list("id", flat=True))
    for key in earlier:
        row = Study.objects.only("document").get(id=key)
        Study.objects.filter(id=key).update(document=restated(row.document))
    return len(earlier)


def conclude_requested(row: RequestedStudy) -> bool:
    """Keep the study that was asked for, in place of its request, if its batches are done; True if it is kept now.

    Raises StudyChanged where it would be another one by now, and WrongRequest where it could not be asked for any more.
    """
    if not is_played(row, batches_of(row)):
        return False
    planned = plan(row.game.slug, **row.terms)
    if planned.id != row.id:
        raise StudyChanged("the questions or the engine have changed since: ask for a study of them as they are now")
    with transaction.atomic():
        conclude(planned)
        row.delete()
    return True
