"""The edition that ships: of what day it is, what it holds and what is missing, how to verify and how to cite it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from catalogue.edition.contents import VERIFY, EditionContents, cited, published_edition
from catalogue.web.addresses import site_address
from catalogue.web.routes import route


@route("edition/", name="edition", example="/edition/", sitemap=True)
def edition(request: HttpRequest) -> HttpResponse:
    found = published_edition()
    context = {"edition": found, "verify": VERIFY, "linked": _linked(request, found)}
    return render(request, "catalogue/edition.html", context)


def _linked(request: HttpRequest, found: EditionContents) -> dict[str, Any]:
    """The edition as linked data: a data set of schema.org, of the day it was published."""
    base, item = site_address(request), cited(found, request)
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "@id": item["URL"],
        "url": item["URL"],
        "name": item["title"],
        "description": item["note"],
        "version": found.release.date,
        "datePublished": found.release.date,
        "license": f"{base}{reverse('document', args=['rights'])}",
        "includedInDataCatalog": {"@type": "DataCatalog", "@id": f"{base}/#catalogue"},
    }
