"""The index of terms: the words of the players' languages that the records print, and the catalogue's own."""

from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.models import Term
from catalogue.pages.paging import page_of
from catalogue.texts.glossary import glossary
from catalogue.web.routes import route


@route("terms/", name="term-list", example="/terms/", sitemap=True)
def term_list(request: HttpRequest) -> HttpResponse:
    rows = (
        Term.objects.filter(evidence__withdrawn_on=None)
        .select_related("evidence__game")
        .defer("evidence__quotation", "evidence__paraphrase")
        .order_by(Lower("word"), "evidence__identifier", "slug")
    )
    return render(
        request, "catalogue/term_list.html", {"page": page_of(request, rows, size=100), "glossary": glossary()}
    )
