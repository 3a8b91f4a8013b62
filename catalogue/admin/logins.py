"""Logging in, bounds on guessing passwords, and the tokens of programmes.

The package locks a name together with an address, so that a stranger cannot lock an editor out; it is the same for
names that nobody has, so that it discloses none. Many addresses that try one name, or one that tries many names,
stay below that bound, and meet higher ones: an editor whom strangers guess at logs in from an address of his own
until that many have been counted, and a reading room behind one address is not locked out by a few who mistype.
"""

from http import HTTPStatus
from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib import admin, messages
from django.db.models import Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from catalogue import models
from catalogue.web.visitors import UNKNOWN, address_of


class LoginThrottle(AxesDatabaseHandler):
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


def counted_address(request: HttpRequest) -> str | None:
    """The address that guesses are counted by, as the database keeps one: of a network its first."""
    counted = address_of(request).partition("/")[0]
    return None if counted == UNKNOWN else counted


def locked(request: HttpRequest, response: HttpResponse | None = None, credentials: Any = None) -> HttpResponse:
    seconds = int(settings.AXES_COOLOFF_TIME.total_seconds())
    answer = render(request, "admin/locked.html", {"minutes": seconds // 60}, status=HTTPStatus.TOO_MANY_REQUESTS)
    answer["Retry-After"] = str(seconds)
    return answer


@admin.register(AccessAttempt)
class FailedLoginAdmin(admin.ModelAdmin):
    """Names that were given with a wrong password. Whoever deletes one lets that name try again at once."""

    list_display = ("username", "ip_address", "failures_since_start", "attempt_time")
    search_fields = ("username", "ip_address")
    fields = readonly_fields = ("username", "ip_address", "failures_since_start", "attempt_time", "user_agent")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False


@admin.register(models.ReadingToken)
class ReadingTokenAdmin(admin.ModelAdmin):
    list_display = (
        "name",
        "owner",
        "contact",
        "requests_per_minute",
        "requests_per_hour",
        "expires",
        "revoked",
        "last_day_used",
    )
    list_select_related = ("owner",)
    search_fields = ("name", "contact", "owner__username")
    readonly_fields = ("created", "last_day_used", "revoked")
    actions = ("revoke",)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"owner": request.user.pk, **super().get_changeform_initial_data(request)}

    def save_model(self, request: HttpRequest, obj: models.ReadingToken, form: Any, change: bool) -> None:
        token = "" if change else obj.new_token()
        obj.save()
        if token:
            message = f"The token of {obj}, shown only now: {token} – sent as “Authorization: Bearer {token}”."
            messages.warning(request, message)

    @admin.action(description="Revoke the chosen tokens, for good", permissions=["change"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[models.ReadingToken]) -> None:
        open_tokens = chosen.filter(revoked=None)
        for token in open_tokens:
            self.log_change(request, token, "Revoked.")
        revoked = open_tokens.update(revoked=timezone.now())
        self.message_user(request, f"{revoked} of {len(chosen)} tokens revoked; the others were already.")
