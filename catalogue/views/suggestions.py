"""What readers tell the editors about a record. It is kept for review, and nothing of it is shown."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from catalogue.forms import SuggestionForm
from catalogue.models import Evidence
from catalogue.views.refusals import found_or_nearest


def suggest(request: HttpRequest, identifier: str) -> HttpResponse:
    record = found_or_nearest(Evidence.objects.select_related("game"), "identifier", identifier, "record")
    if request.method != "POST":
        form = SuggestionForm(initial={"kind": request.GET.get("kind", "")})
        return render(request, "catalogue/suggest.html", {"record": record, "form": form})
    form = SuggestionForm(request.POST)
    if not form.is_valid():
        form.mark_what_is_wrong()
        return render(request, "catalogue/suggest.html", {"record": record, "form": form}, status=400)
    if not form.is_from_a_machine:
        form.instance.evidence = record
        form.save()
    return redirect("suggestion-received", identifier=record.identifier)


def received(request: HttpRequest, identifier: str) -> HttpResponse:
    record = found_or_nearest(Evidence.objects.select_related("game"), "identifier", identifier, "record")
    return render(request, "catalogue/suggestion_received.html", {"record": record})
