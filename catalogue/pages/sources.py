"""Sources: the list, and one source with the records that cite it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.filters.choices import groupings
from catalogue.models.lookup import found_or_nearest
from catalogue.models.querysets import citations_of, source_rows
from catalogue.pages.answers import page_of
from catalogue.web.routes import route


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
