"""What a message makes a worker do for the catalogue. A message carries nothing that is not in the rows."""

from celery import shared_task

from catalogue.comparisons import service as comparing
from catalogue.comparisons.document import compute
from catalogue.models import Comparison
from simulator.models import Batch

# A comparison whose games are still being played is looked at again: soon at first, then less often. After that it is
# told of again by whoever looks at its page.
LOOKS, LONGEST_WAIT = 200, 15.0


@shared_task(name=comparing.COMPUTE)
def compute_comparison(comparison_id: str, looks: int = 0) -> None:
    """Compute the comparison if its batches are done; else look again later."""
    comparison = Comparison.objects.filter(id=comparison_id).first()
    if comparison is None or comparison.state == Comparison.State.DONE:
        return
    try:
        done = compute(comparison)
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        Comparison.objects.filter(id=comparison_id).update(state=Comparison.State.FAILED, error=text)
        raise
    if not done and looks < LOOKS and comparison.compared.filter(batch__state=Batch.State.RUNNING).exists():
        wait = min(1 + looks / 4, LONGEST_WAIT)
        compute_comparison.apply_async((comparison_id, looks + 1), countdown=wait, retry=False, ignore_result=True)
