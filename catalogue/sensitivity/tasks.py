"""What a message makes a worker do for a study that somebody waits for. It carries nothing that is not in the rows."""

from celery import shared_task

from catalogue.models import RequestedStudy
from catalogue.sensitivity.requested import CONCLUDE
from catalogue.sensitivity.studies import conclude_requested
from simulator.models import Batch

# A study whose games are still being played is looked at again: soon at first, then less often. After that it is told
# of again by whoever looks at its page.
LOOKS, LONGEST_WAIT = 200, 15.0


@shared_task(name=CONCLUDE)
def conclude_study(study_id: str, looks: int = 0) -> None:
    """Compute the study if its batches are done; else look again later."""
    row = RequestedStudy.objects.filter(id=study_id, error="").select_related("game").first()
    if row is None:
        return
    try:
        done = conclude_requested(row)
    except Exception as error:
        RequestedStudy.objects.filter(id=study_id).update(error=f"{type(error).__name__}: {error}")
        raise
    if not done and looks < LOOKS and Batch.objects.filter(id__in=row.batches, state=Batch.State.RUNNING).exists():
        wait = min(1 + looks / 4, LONGEST_WAIT)
        conclude_study.apply_async((study_id, looks + 1), countdown=wait, retry=False, ignore_result=True)
