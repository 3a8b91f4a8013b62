"""How many suggestions are taken: from one address, and from all of them together, within an hour.

Editors read every one of them, so a flood would cost them more than it costs the machine.
"""

import datetime
import math

from django.conf import settings
from django.utils import timezone

from catalogue.models import Suggestion
from simulator.batches.visitor_limits import keyed
from simulator.problems import QueueFull

HOUR = datetime.timedelta(hours=1)


def admit(address: str) -> None:
    """Raises QueueFull if this address, or all of them, have to wait."""
    since = timezone.now() - HOUR
    recent = Suggestion.objects.filter(created__gt=since).order_by("created")
    bounds = (
        (recent.filter(visitor=keyed(address)), settings.SUGGESTIONS_PER_HOUR, "from your address"),
        (recent, settings.ALL_SUGGESTIONS_PER_HOUR, "from all readers together"),
    )
    for sent, most, whose in bounds:
        times = list(sent.values_list("created", flat=True)[:most])
        if len(times) >= most:
            wait = math.ceil((times[0] - since).total_seconds()) if times else int(HOUR.total_seconds())
            message = f"The editors take {most} suggestions an hour {whose}, and have as many by now. "
            raise QueueFull(f"{message}Please send it again in {-(-wait // 60)} minutes.", wait)
