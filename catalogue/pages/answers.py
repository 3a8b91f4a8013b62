"""What pages share: drawings and pictures, progress, lists page by page, and forms.

Nothing that a form sends is written unless everything in it is right; players are chosen seat by seat.
"""

from collections.abc import Iterable
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from django import forms
from django.core.paginator import Page, Paginator
from django.core.validators import MaxLengthValidator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.html import format_html_join
from django_htmx.http import HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails

from catalogue.models.lookup import NothingHere
from catalogue.texts.formatting import capitalised
from catalogue.texts.words import Suggested
from catalogue.web import files
from catalogue.web.addresses import WrongAddress, on_behalf
from catalogue.web.cancelling import allow_cancelling, may_cancel_analysis
from simulator.analyses.protocol import AnalysisKind, AnalysisProgress
from simulator.batches.levels import LEVELS, TARGETS
from simulator.batches.service import BatchProgress
from simulator.engine.naming import seat_name
from simulator.engine.players.wording import HINT
from simulator.models import Analysis, Batch
from simulator.problems import QueueFull, WrongRequest

A_DAY = 86_400
UNFINISHED = ("running", "waiting")
PAGE_SIZE = 25


class HtmxRequest(HttpRequest):
    htmx: HtmxDetails


def drawing(svg: str) -> HttpResponse:
    response = HttpResponse(svg, content_type="image/svg+xml; charset=utf-8")
    response["Cache-Control"] = f"public, max-age={A_DAY}"
    return response


def picture(svg: str) -> HttpResponse:
    """A drawing as PNG."""
    response = HttpResponse(files.picture(svg), content_type="image/png")
    response["Cache-Control"] = f"public, max-age={A_DAY}"
    return response


def progress_answer(
    request: HtmxRequest, state: str, progress: BatchProgress | AnalysisProgress | None = None
) -> HttpResponse:
    """Answer with the progress of something: as JSON, or as a fragment to a page that polls.

    At the end such a page is reloaded. Without progress nothing is counted, and the page only waits.
    """
    facts = (
        {name: getattr(progress, name) for name in ("games", "games_done", "percent", "waits_for")} if progress else {}
    )
    response: HttpResponse
    if not request.htmx:
        response = JsonResponse({"state": state, **facts})
    elif state not in UNFINISHED:
        response = HttpResponseClientRefresh()
    elif progress:
        response = render(request, "partials/progress.html", facts)
    else:
        response = HttpResponse(status=HTTPStatus.NO_CONTENT)
    response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["HX-Request"])
    return response


class FromTheNearerEnd(Paginator):
    """A database counts its way to a page: those of the second half are counted to from the end."""

    def page(self, number: int | str) -> "Page[Any]":
        number = self.validate_number(number)
        first, after = (number - 1) * self.per_page, min(number * self.per_page, self.count)
        if isinstance(self.object_list, QuerySet) and 2 * first > self.count:
            backwards = self.object_list.reverse()[self.count - after : self.count - first]
            return Page(list(backwards)[::-1], number, self)
        page: Page[Any] = super().page(number)
        return page


def page_of(request: HttpRequest, rows: "QuerySet[Any] | list[Any]", size: int = PAGE_SIZE) -> "Page[Any]":
    """Return the page that the address names (`?page=2`). Raises WrongAddress, with the nearest page."""
    pages = FromTheNearerEnd(rows, size)
    typed = request.GET.get("page", "1")
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else 0
    if 1 <= number <= pages.num_pages:
        return pages.page(number)
    nearest = min(max(number, 1), pages.num_pages)
    parameters = request.GET.copy()
    parameters["page"] = str(nearest)
    raise WrongAddress(
        f"There is no page “{typed[:40]}” of this list: it has {pages.num_pages}.",
        Suggested(f"page {nearest}", f"{request.path}?{parameters.urlencode()}"),
    )


def job_progress(request: HtmxRequest, kind: AnalysisKind[Any, Any], key: str) -> HttpResponse:
    """Answer with the progress of an analysis; when nothing is left to wait for, its page is reloaded."""
    row = kind.find(key)
    if row is None:
        raise NothingHere(f"There is no {kind.name} “{key}” here.")
    if row.state == Analysis.State.DONE:
        return progress_answer(request, row.state)
    progress = kind.progress(row)
    return progress_answer(request, progress.state, progress)


def requested(request: HttpRequest, kind: AnalysisKind[Any, Any], checked: Any) -> Any:
    """Request an analysis on behalf of a reader, whose session may cancel it; return its row.

    Raises WrongRequest or QueueFull, and has then written nothing.
    """
    begun = timezone.now()
    row = kind.request(checked, **on_behalf(request))
    new = Batch.objects.filter(id__in=kind.batch_ids(row), created__gte=begun).order_by()
    allow_cancelling(request, new.values_list("id", flat=True))
    return row


def cancel_address(request: HttpRequest, kind: AnalysisKind[Any, Any], row: Any) -> str:
    """The address that cancels an analysis which waits, where this session may; else nothing."""
    if row is None or row.state != Analysis.State.WAITING or not may_cancel_analysis(request, kind, row):
        return ""
    return reverse("cancel-analysis", args=[kind.plural, row.pk])


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
        """The status of the page that shows the form."""
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


def _in_words(name: str) -> str:
    return f"{name}, about {TARGETS[name] // 1_000} ms a turn" if name in TARGETS else name


class SeatChoices(forms.MultiWidget):
    """A choice for each seat, all sent under one name; one choice for all where rulesets differ in their seats."""

    use_fieldset = True

    def __init__(self, seats: int = 1, typed: str = "") -> None:
        self.titles = [capitalised(seat_name(seat)) for seat in range(seats)] if seats > 1 else ["Everybody"]
        choices = [(name, _in_words(name)) for name in dict.fromkeys([*LEVELS, *typed.split(",")]) if name]
        super().__init__([forms.Select(choices=choices) for _ in self.titles])

    def decompress(self, value: Any) -> list[str]:
        names = str(value or LEVELS[0]).split(",")
        return names if len(names) == len(self.widgets) else [names[0]] * len(self.widgets)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """ "club,random"; one name where all seats have the same."""
        sent = data.getlist(name) if isinstance(data, QueryDict) else [data.get(name) or ""]
        return sent[0] if len(set(sent)) == 1 else ",".join(sent)

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        drawn = self.get_context(name, value, attrs)["widget"]["subwidgets"]
        chosen = [
            (title, widget.render(name, one["value"], one["attrs"], renderer))
            for title, widget, one in zip(self.titles, self.widgets, drawn, strict=True)
        ]
        return format_html_join("", "<label>{} {}</label>", chosen)


class PlayersForm(RefusableForm, forms.Form):
    """A form whose players are chosen, a level for each seat, or given by name."""

    players = forms.CharField(
        validators=[MaxLengthValidator(200)],
        required=False,
        initial=LEVELS[0],
        widget=SeatChoices(),
        help_text="The same ones play every ruleset; a level stands for a player of each.",
    )
    other_players = forms.CharField(max_length=200, required=False, help_text=HINT, label="Or players by name")

    def offer_seats(self, seats: Iterable[int], typed: str) -> None:
        """Let a player be chosen for each seat.

        seats: how many each ruleset has; typed: the players that are named so far
        """
        numbers = set(seats)
        self.fields["players"].widget = SeatChoices(numbers.pop() if len(numbers) == 1 else 1, typed)

    @property
    def wanted(self) -> dict[str, Any]:
        """Return what was sent, without empty fields; players given by name replace those that were chosen."""
        sent = {name: value for name, value in self.cleaned_data.items() if value not in ("", None, [])}
        others = sent.pop("other_players", "")
        return {**sent, "players": others} if others else sent
