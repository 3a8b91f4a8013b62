"""What readers tell the editors about a record. It is kept for review, and nothing of it is shown."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from catalogue.models import Evidence
from catalogue.models.lookup import record_called
from catalogue.pages.forms import SuggestionForm
from catalogue.pages.suggestion_limits import admit
from catalogue.web.visitors import address_of
from simulator.batches.visitor_limits import keyed
from simulator.problems import QueueFull


def suggest(request: HttpRequest, identifier: str) -> HttpResponse:
    record = record_called(Evidence.objects.shown().select_related("game"), identifier)
    if request.method != "POST":
        form = SuggestionForm(initial={"kind": request.GET.get("kind", "")})
        return _form_page(request, record, form)
    form = SuggestionForm(request.POST)
    if not form.is_valid():
        form.mark_what_is_wrong()
        return _form_page(request, record, form, HTTPStatus.BAD_REQUEST)
    if not form.is_from_a_machine:
        address = address_of(request)
        try:
            admit(address)
        except QueueFull as error:
            form.add_error(None, str(error))
            response = _form_page(request, record, form, HTTPStatus.TOO_MANY_REQUESTS)
            response["Retry-After"] = str(error.retry_after)
            return response
        form.instance.evidence, form.instance.visitor = record, keyed(address)
        form.save()
    return redirect("suggestion-received", identifier=record.identifier)


def _form_page(
    request: HttpRequest, record: Evidence, form: SuggestionForm, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    return render(request, "catalogue/suggest.html", {"record": record, "form": form}, status=status)


def received(request: HttpRequest, identifier: str) -> HttpResponse:
    record = record_called(Evidence.objects.shown().select_related("game"), identifier)
    return render(request, "catalogue/suggestion_received.html", {"record": record})
