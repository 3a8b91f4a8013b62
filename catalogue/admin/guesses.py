"""How often passwords are guessed in total: for one name from all addresses, and from one address for all names.

The package locks a name together with an address. Many addresses that try one name, or one that tries many names, stay
below that bound, and meet these, which are higher: an editor whom strangers guess at logs in from an address of his own
until that many have been counted, and a reading room behind one address is not locked out by a few who mistype.
"""

from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Q, Sum


class GuessesInTotal(AxesDatabaseHandler):
    """Speaks of failures in parts of each bound: AXES_FAILURE_LIMIT of them are a bound that is reached."""

    def get_failures(self, request: Any, credentials: dict[str, str] | None = None) -> int:
        name, recent = get_client_username(request, credentials), get_cool_off_threshold(request)
        own, everywhere = Q(ip_address=request.axes_ip_address), Q(username=name)
        counts = AccessAttempt.objects.filter(own | everywhere, attempt_time__gte=recent).aggregate(
            both=Sum("failures_since_start", filter=own & everywhere, default=0),
            address=Sum("failures_since_start", filter=own, default=0),
            name=Sum("failures_since_start", filter=everywhere, default=0),
        )
        limit = settings.AXES_FAILURE_LIMIT
        bounds = {"both": limit, "address": settings.GUESSES_OF_AN_ADDRESS, "name": settings.GUESSES_OF_A_NAME}
        return max(int(counts[one]) * limit // bound for one, bound in bounds.items())
