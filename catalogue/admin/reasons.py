"""Forms of rows that keep a history: a change has a reason, and one saved form leaves one revision of each row."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from simple_history.admin import SimpleHistoryAdmin

from catalogue.admin.choosing import Choosing
from catalogue.admin.deletions import LONGEST_REASON, DeletedForAReason
from catalogue.admin.previews import PREVIEW, preview
from catalogue.admin.verbatim import AS_TYPED
from catalogue.history.recording import deleted_for, write_recorded

MOST_SOUGHT = 20
FIRST_ENTRY = "First entry"


class ReasonForm(forms.ModelForm):
    reason = forms.CharField(
        label="Reason for the change",
        max_length=LONGEST_REASON,
        help_text="Every reader can see it, with your name and the date.",
        widget=forms.TextInput(attrs={"size": 80}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "reason" in self.fields and (self.instance.pk is None or PREVIEW in self.data):
            self.fields["reason"].required = False
        if "reason" in self.fields and self.instance.pk is None:
            self.fields["reason"].label = "Reason"


class ReasonedAdmin(DeletedForAReason, Choosing, SimpleHistoryAdmin):
    """Writes the reason into the history of the row and of those that are edited in the same form."""

    form = ReasonForm
    change_form_template = "admin/reasoned.html"
    formfield_overrides = AS_TYPED

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        """Each word is looked for in every field: a page of them would be looked for until somebody stops it."""
        words = search_term.split()
        if len(words) > MOST_SOUGHT:
            said = f"Only the first {MOST_SOUGHT} words were looked for."
            self.message_user(request, said, messages.WARNING, fail_silently=True)
        return super().get_search_results(request, queryset, " ".join(words[:MOST_SOUGHT]))

    def history_form_view(self, request: HttpRequest, object_id: str, version_id: str, *more: Any) -> Any:
        """An earlier state: looked at by whoever may look, brought back by whoever may change."""
        if request.method == "POST" and not self.has_change_permission(request):
            raise PermissionDenied
        return super().history_form_view(request, object_id, version_id, *more)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **options: Any) -> Any:
        page = context["original"].get_absolute_url() if context["original"] else ""
        context |= {"preview": PREVIEW, "place": "#".join(("", *page.split("#")[1:]))}
        return super().render_change_form(request, context, *args, **options)

    def response_add(self, request: HttpRequest, obj: Any, *args: Any, **options: Any) -> Any:
        return (
            preview(request, obj) if PREVIEW in request.POST else super().response_add(request, obj, *args, **options)
        )

    def response_change(self, request: HttpRequest, obj: Any) -> Any:
        return preview(request, obj) if PREVIEW in request.POST else super().response_change(request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        earlier = str(request.resolver_match and request.resolver_match.url_name).endswith("_simple_history")
        if change and not earlier and set(form.changed_data) <= {"reason"}:
            return  # only rows below it were changed, and they are recorded for themselves
        obj._history_user = request.user

        def write() -> None:
            obj.save()
            form.save_m2m()

        write_recorded(obj, write, _reason(form))

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        for one in formset.forms:
            one.instance._change_reason = _reason(form)
            one.instance._history_user = request.user
        with deleted_for(_reason(form)):
            super().save_formset(request, form, formset, change)


def _reason(form: Any) -> str:
    return form.cleaned_data.get("reason") or FIRST_ENTRY
