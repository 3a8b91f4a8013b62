"""Places with their records, and sources with the records that cite them."""

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.filters.choices import groupings
from catalogue.models import Evidence, Place
from catalogue.models.lookup import found_or_nearest
from catalogue.models.querysets import citations_of, evidence_rows, of_place, place_rows, source_rows
from catalogue.pages.answers import page_of
from catalogue.web.routes import route


@route("places/", name="place-list", example="/places/", sitemap=True)
def place_list(request: HttpRequest) -> HttpResponse:
    """The places that have a name, and the points that lie in no country; other points stand with their countries."""
    rows = place_rows().exclude(part_of_is_derived=True).annotate(is_point=Q(kind=Place.Kind.POINT))
    page = page_of(request, rows.order_by("is_point", "name"), size=60)
    return render(request, "catalogue/place_list.html", {"page": page})


@route("places/<str:slug>/", name="place", identifies="place/{slug}", example="/places/sri-lanka/")
def place(request: HttpRequest, slug: str) -> HttpResponse:
    found = found_or_nearest(place_rows(), "slug", slug, "place")
    records = Evidence.objects.shown().filter(of_place(slug))
    page = page_of(request, evidence_rows().filter(of_place(slug)))
    is_long = page.paginator.num_pages > 1
    parts = sorted(found.parts.all(), key=lambda part: (-(part.latitude or 0), part.longitude or 0))
    context = {
        "place": found,
        "parts": sorted((part for part in parts if not part.part_of_is_derived), key=str),
        "points": [part for part in parts if part.part_of_is_derived],
        "page": page,
        "groupings": groupings(records, {"place": slug}, ("game", "type", "source")) if is_long else [],
    }
    return render(request, "catalogue/place.html", context)


@route("sources/", name="source-list", example="/sources/", sitemap=True)
def source_list(request: HttpRequest) -> HttpResponse:
    return render(request, "catalogue/source_list.html", {"page": page_of(request, source_rows(), size=60)})


@route("sources/<str:key>/", name="source", identifies="source/{key}", example="/sources/parker-1909/")
def source(request: HttpRequest, key: str) -> HttpResponse:
    found = found_or_nearest(source_rows(), "key", key, "source")
    page = page_of(request, citations_of(found))
    is_long = page.paginator.num_pages > 1
    context = {
        "source": found,
        "page": page,
        "groupings": groupings(found.evidence.shown(), {"source": key}, ("game", "place", "type")) if is_long else [],
    }
    return render(request, "catalogue/source.html", context)
