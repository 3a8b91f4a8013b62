"""What all forms of the site have in common: nothing is written unless everything is right, and the form says why."""

from dataclasses import replace
from http import HTTPStatus
from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from simulator.problems import QueueFull, WrongRequest


class RefusableForm(forms.BaseForm):
    """A form as typed: the service that takes it may refuse it, and names the nearest valid value."""

    retry_after: int | None = None  # seconds, where too much was asked for

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})

    def refuse(self, error: WrongRequest | QueueFull) -> None:
        """Put what the service refused beside the fields it is about."""
        if isinstance(error, QueueFull):
            self.retry_after = error.retry_after
            self.add_error(None, str(error))
            return
        for problem in error.problems:
            known = problem.key in self.fields
            self.add_error(problem.key if known else None, str(replace(problem, key="")))  # the field stands beside it

    @property
    def status(self) -> HTTPStatus:
        """Of the page that shows the form."""
        if self.retry_after is not None:
            return HTTPStatus.TOO_MANY_REQUESTS
        return HTTPStatus.BAD_REQUEST if self.errors else HTTPStatus.OK


def form_page(
    request: HttpRequest, template: str, form: RefusableForm, context: dict[str, Any], status: HTTPStatus | None = None
) -> HttpResponse:
    """The page with the form, which says when to come again if it was too much; the first mistake has the focus."""
    if wrong := next((name for name in form.fields if name in form.errors), None):
        form.fields[wrong].widget.attrs["autofocus"] = True
    response = render(request, template, {"form": form, **context}, status=status or form.status)
    if form.retry_after is not None:
        response["Retry-After"] = str(form.retry_after)
    return response


def number_field(initial: float, hint: str, *, required: bool = True, **attributes: str) -> forms.CharField:
    """A number that the service reads, so that a wrong one is refused in its words."""
    widget = forms.NumberInput(attrs=attributes)
    return forms.CharField(
        validators=[MaxLengthValidator(20)], required=required, initial=initial, widget=widget, help_text=hint
    )
