"""Places: the list, and one place with its records."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.filters.groups import groupings
from catalogue.models.lookup import found_or_nearest
from catalogue.models.querysets import evidence_rows, place_rows
from catalogue.pages.paging import page_of


def place_list(request: HttpRequest) -> HttpResponse:
    return render(request, "catalogue/place_list.html", {"page": page_of(request, place_rows(), size=60)})


def place(request: HttpRequest, slug: str) -> HttpResponse:
    found = found_or_nearest(place_rows(), "slug", slug, "place")
    page = page_of(request, evidence_rows().filter(places=found))
    is_long = page.paginator.num_pages > 1
    context = {
        "place": found,
        "parts": found.parts.all(),
        "page": page,
        "groupings": groupings(found.evidence.shown(), {"place": slug}, ("game", "type", "source")) if is_long else [],
    }
    return render(request, "catalogue/place.html", context)
