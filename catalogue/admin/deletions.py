"""Deleting what is cited: for a reason, which stands under its address, and in the history of all that goes with it."""

from typing import Any

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import BaseModelAdmin
from django.http import HttpRequest, QueryDict

from catalogue.history.recording import deleted_for

LONGEST_REASON = 100  # characters, as many as a history keeps
CONFIRMED = "post"  # what the form that asks whether it is meant sends


class DeletedForAReason(BaseModelAdmin):
    """Before the class of Django's. Without a reason the question whether it is meant is asked again."""

    delete_confirmation_template: Any = "admin/delete_for_a_reason.html"
    delete_selected_confirmation_template: Any = "admin/delete_several_for_a_reason.html"

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        _ask_again(request)
        return super().delete_view(request, object_id, extra_context)  # type: ignore[misc]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        if request.POST.get("action") == "delete_selected":
            _ask_again(request, "action", ACTION_CHECKBOX_NAME)
        return super().changelist_view(request, extra_context)  # type: ignore[misc]

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        with deleted_for(request.POST["reason"].strip()):
            super().delete_model(request, obj)  # type: ignore[misc]

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        with deleted_for(request.POST["reason"].strip()):
            super().delete_queryset(request, queryset)  # type: ignore[misc]


def _ask_again(request: HttpRequest, *left: str) -> None:
    """What was confirmed without a reason is as if it were not confirmed. left: what was sent that is still so"""
    given = request.POST.get("reason", "")
    if CONFIRMED not in request.POST or not (wrong := _wrong(given.strip())):
        return
    sent = QueryDict(mutable=True)
    for name in left:
        sent.setlist(name, request.POST.getlist(name))
    request.POST = sent  # type: ignore[assignment]
    request.wrong_reason, request.given_reason = wrong, given  # type: ignore[attr-defined]


def _wrong(reason: str) -> str:
    if not reason:
        return "Say why it is deleted."
    return f"At most {LONGEST_REASON} characters, not {len(reason)}." if len(reason) > LONGEST_REASON else ""
