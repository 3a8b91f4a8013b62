"""Logging in: how often a password may be guessed, and what is said to whoever guessed too often.

The lock is on a name together with an address, so that a stranger cannot lock an editor out, and beyond higher bounds
on either alone (`guesses`); and it is the same for names that nobody has, so that it discloses none.
"""

from http import HTTPStatus
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.web.visitors import UNKNOWN, address_of


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
