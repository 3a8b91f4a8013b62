"""Forms of the editors' room: fields, rows below rows, reasons for changes, previews, and deleting what is cited.

A change of a row that keeps a history has a reason, and one saved form leaves one revision of each row. Texts keep
their line breaks as one character (a browser sends two, and every text of several lines would look changed), and of
a record's words not even the ends are trimmed. A preview saves the edit, draws the public page by the view of that
page, and undoes all of it, so that no page has to know of previews. What is cited is deleted for a reason, which
stands under its address and in the history of all that goes with it.
"""

import json
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import BaseModelAdmin, InlineModelAdmin
from django.contrib.admin.widgets import (
    AdminTextareaWidget,
    AutocompleteMixin,
    AutocompleteSelect,
    AutocompleteSelectMultiple,
)
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models, transaction
from django.db.models import ForeignKey, ManyToManyField
from django.forms import ModelChoiceField, ModelMultipleChoiceField
from django.forms.fields import InvalidJSONInput
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.urls import get_script_prefix, resolve
from simple_history.admin import SimpleHistoryAdmin

from catalogue.history.histories import deleted_for, write_recorded
from catalogue.models.fields import VerbatimTextField, verbatim
from catalogue.texts.formatting import capitalised
from catalogue.texts.words import nearest_word
from catalogue.web.addresses import page_of
from simulator.engine.family import family
from simulator.engine.tables import is_there, read_place, spec_at, write_place


class _CheckedKeys(AutocompleteMixin):
    """Django's own looks up what was sent to show the form again, and fails where that is no key."""

    def optgroups(self, name: str, value: Sequence[str], attr: Any = None) -> list[Any]:
        try:
            return super().optgroups(name, value, attr)
        except (ValueError, OverflowError):
            return super().optgroups(name, [], attr)


class _KeySelect(_CheckedKeys, AutocompleteSelect):
    pass


class _KeySelectMultiple(_CheckedKeys, AutocompleteSelectMultiple):
    pass


class _RowsField(ModelMultipleChoiceField):
    """Asks the database for keys only: it does not take numbers that are too great for one."""

    def clean(self, value: Any) -> Any:
        assert self.queryset is not None
        for key in value or ():
            self.queryset.model._meta.pk.clean(key, None)
        return super().clean(value)


class Choosing(BaseModelAdmin):
    """Add its choices to classes with `autocomplete_fields`; named before Django's class among the bases."""

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any]", request: HttpRequest, **kwargs: Any
    ) -> "ModelChoiceField[Any] | None":
        return super().formfield_for_foreignkey(
            db_field, request, **self._widget(_KeySelect, db_field, request, kwargs)
        )

    def formfield_for_manytomany(
        self, db_field: "ManyToManyField[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> "ModelMultipleChoiceField[Any] | None":
        kwargs = {"form_class": _RowsField} | self._widget(_KeySelectMultiple, db_field, request, kwargs)
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def _widget(
        self, kind: type[AutocompleteMixin], db_field: Any, request: HttpRequest, kwargs: dict[str, Any]
    ) -> dict[str, Any]:
        if db_field.name not in self.get_autocomplete_fields(request):
            return kwargs
        return {"widget": kind(db_field, self.admin_site, using=kwargs.get("using"))} | kwargs


class Untyped(BaseModelAdmin):
    """A mixin for rows that nobody types: they are looked at, and deleted or acted upon from their list."""

    def has_add_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False


class VerbatimField(forms.CharField):
    def to_python(self, value: Any) -> Any:
        return super().to_python(verbatim(value) if isinstance(value, str) else value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(initial, self.to_python(data))


class DocumentField(forms.JSONField):
    """Refuses what Python reads as JSON and a database does not keep, or what is no end to read: endless numbers and
    nesting, NaN, zero characters and halves of letters. Django's own lets them fail.
    """

    def to_python(self, value: Any) -> Any:
        try:
            found = super().to_python(value)
            written = json.dumps(found, allow_nan=False, ensure_ascii=False)
            is_kept = b"\\u0000" not in written.encode()
        except (ValueError, RecursionError):
            is_kept = False
        if not is_kept:
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": value})
        return found

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            self.to_python(data)
        except ValidationError:
            return InvalidJSONInput(data)
        return super().bound_data(data, initial)


AS_TYPED: dict[Any, dict[str, Any]] = {
    VerbatimTextField: {"form_class": VerbatimField, "widget": AdminTextareaWidget, "strip": False},
    models.TextField: {"form_class": VerbatimField, "widget": AdminTextareaWidget},
    models.JSONField: {"form_class": DocumentField},
}


LONGEST_REASON = 100  # characters, as many as a history keeps
CONFIRMED = "post"  # what the form that asks whether it is meant sends


class DeletedForAReason(BaseModelAdmin):
    """A mixin that deletes only for a reason; without one the confirmation is shown again."""

    delete_confirmation_template: Any = "admin/delete_for_a_reason.html"
    delete_selected_confirmation_template: Any = "admin/delete_several_for_a_reason.html"

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        _confirm_again(request)
        return super().delete_view(request, object_id, extra_context)  # type: ignore[misc]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        if request.POST.get("action") == "delete_selected":
            _confirm_again(request, "action", ACTION_CHECKBOX_NAME)
        return super().changelist_view(request, extra_context)  # type: ignore[misc]

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        with deleted_for(request.POST["reason"].strip()):
            super().delete_model(request, obj)  # type: ignore[misc]

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        with deleted_for(request.POST["reason"].strip()):
            super().delete_queryset(request, queryset)  # type: ignore[misc]


def _confirm_again(request: HttpRequest, *left: str) -> None:
    """Show the confirmation again, since no reason was given. left: the fields of the request that are kept"""
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


PREVIEW = "_preview"  # the name of the button


def preview(request: HttpRequest, row: Any) -> HttpResponseBase:
    """Render the public page of a row within this transaction, which is then undone, whatever happens."""
    try:
        return _drawn(request, urlsplit(page_of(row)).path)
    finally:
        transaction.set_rollback(True)


def _drawn(request: HttpRequest, path: str) -> HttpResponseBase:
    found = resolve(f"/{path.removeprefix(get_script_prefix())}")
    asked: Any = copy(request)
    asked.method, asked.GET, asked.POST = "GET", QueryDict(), QueryDict()
    asked.path, asked.path_info, asked.resolver_match = path, path, found
    asked.is_preview = True
    drawn: HttpResponseBase = found.func(asked, *found.args, **found.kwargs)
    return drawn


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
        """Find rows by one search term, since each word is compared with every field."""
        words = search_term.split()
        if len(words) > MOST_SOUGHT:
            said = f"Only the first {MOST_SOUGHT} words were looked for."
            self.message_user(request, said, messages.WARNING, fail_silently=True)
        return super().get_search_results(request, queryset, " ".join(words[:MOST_SOUGHT]))

    def history_form_view(self, request: HttpRequest, object_id: str, version_id: str, *more: Any) -> Any:
        """Show an earlier state to those who may view the row; only those who may change it can restore it."""
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
        for below in formset.forms:
            below.instance._change_reason = _reason(form)
            below.instance._history_user = request.user
        with deleted_for(_reason(form)):
            super().save_formset(request, form, formset, change)


def _reason(form: Any) -> str:
    return form.cleaned_data.get("reason") or FIRST_ENTRY


MOST_ROWS = 100  # a form that says that it has millions is refused, and drawn again with no more than these


class Inline(Choosing, InlineModelAdmin):
    """Before the class of Django's."""

    extra = 0
    max_num = MOST_ROWS

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Give the fields of a table their names for screen readers, since there they have headings and no labels."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.widget.attrs.setdefault("aria-label", capitalised(str(field.label)))
        return field

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        return super().get_formset(request, obj, **{"absolute_max": MOST_ROWS, **kwargs})


def wrong_parameters(family_name: str, parameters: Any, document: Mapping[str, Any] | None = None) -> str:
    """Return the problem of a list of parameters, with the nearest valid one; empty if there is none.

    document: whose tables the places among them have to be in
    """
    if not isinstance(parameters, list) or not all(isinstance(parameter, str) for parameter in parameters):
        return 'must be a list of parameters, for example ["relay"]'
    known = family(family_name).schema["properties"]
    for name in parameters:
        place = read_place(name)
        if len(place) > 1 and spec_at(known, place):
            rows = (document or {}).get(str(place[0]))
            if document is not None and not is_there(document, place):
                count = len(rows) if isinstance(rows, list) else 0
                near = write_place((place[0], count - 1, *place[2:])) if count else place[0]
                return f"the ruleset has no {write_place(place)}; the nearest is {near!r}"
        elif name not in known:
            alike = nearest_word(name, known)
            return f"no parameter is called {name!r}" + (f"; the nearest is {alike!r}" if alike else "")
    return ""
