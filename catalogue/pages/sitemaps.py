"""What search engines are told: every page that can be cited, and the addresses that are not for them."""

import datetime
from typing import Any

from django.contrib.sitemaps import Sitemap, views
from django.core.paginator import InvalidPage
from django.db.models import Max, Model, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from catalogue.models import Claim, Comparison, Evidence, Game, Place, Question, Reading, Source, Study
from catalogue.models.lookup import NothingHere
from catalogue.pages.documentation import folder
from catalogue.web.addresses import page_of, site_address
from catalogue.web.routes import every_route, route
from simulator.models import Batch

LARGEST = 2_500  # addresses on one page; 50,000 are allowed (sitemaps.org), but nobody should wait for them


class RowSitemap(Sitemap):
    """The pages of one sort of row.

    changed: the column that says when a row last changed, or "history"
    """

    limit = LARGEST

    def __init__(self, rows: "QuerySet[Any]", key: str, changed: str = "") -> None:
        self.rows, self.key, self.changed = rows, key, changed

    def items(self) -> "QuerySet[Any]":
        rows: QuerySet[Any] = self.rows.order_by(self.key)
        if self.changed == "history":
            model: Any = rows.model
            revisions = model.history.filter(id=OuterRef("pk")).order_by("-history_date")
            rows = rows.annotate(changed=Subquery(revisions.values("history_date")[:1]))
        return rows

    def location(self, item: Any) -> str:
        return page_of(item)

    def lastmod(self, item: Model) -> datetime.datetime | None:
        name = "changed" if self.changed == "history" else self.changed
        moment: datetime.datetime | None = getattr(item, name) if name else None
        return moment

    def get_latest_lastmod(self) -> datetime.datetime | None:
        """From one row of the database; the library would look at every row."""
        if not self.changed:
            return None
        model: Any = self.rows.model
        rows, column = (model.history, "history_date") if self.changed == "history" else (self.rows, self.changed)
        latest: datetime.datetime | None = rows.aggregate(latest=Max(column))["latest"]
        return latest


class PageSitemap(Sitemap):
    """Lists, and the pages about the catalogue."""

    def items(self) -> list[str]:
        documents = sorted(path.stem for path in folder().glob("*.md") if path.stem != "about")
        return [
            *sorted(reverse(one.name) for one in every_route().values() if one.sitemap),
            *(reverse("document", args=[name]) for name in documents),
        ]

    def location(self, item: str) -> str:
        return item


def sections() -> dict[str, Any]:
    done = Batch.objects.filter(state=Batch.State.DONE).only("id", "closed")
    compared = Comparison.objects.filter(state=Comparison.State.DONE).only("id", "closed")
    return {
        "pages": PageSitemap(),
        "evidence": RowSitemap(Evidence.objects.shown().only("identifier"), "identifier", "history"),
        "games": RowSitemap(Game.objects.only("slug"), "slug"),
        "places": RowSitemap(Place.objects.only("slug"), "slug"),
        "sources": RowSitemap(Source.objects.only("key"), "key"),
        "rulesets": RowSitemap(Reading.objects.only("slug"), "slug", "history"),
        "questions": RowSitemap(Question.objects.select_related("game").only("slug", "game__slug"), "pk", "history"),
        "claims": RowSitemap(Claim.objects.select_related("game").only("slug", "game__slug"), "pk", "history"),
        "comparisons": RowSitemap(compared, "id", "closed"),
        "studies": RowSitemap(Study.objects.only("id", "created"), "id", "created"),
        "batches": RowSitemap(done, "id", "closed"),
    }


@route("sitemap.xml", name="sitemap", example="/sitemap.xml", queries=17)
def index(request: HttpRequest) -> HttpResponse:
    response = views.index(request, sections(), sitemap_url_name="sitemap-section")
    return _of_this_site(request, response.render())


@route("sitemap-<slug:section>.xml", name="sitemap-section", example="/sitemap-evidence.xml")
def section(request: HttpRequest, section: str) -> HttpResponse:
    """One sort of row, page by page (`?p=2`)."""
    every = sections()
    if section not in every:
        raise NothingHere(f"There is no sitemap “{section[:40]}”. There are: {', '.join(every)}.")
    page = request.GET.get("p", "1")
    if not (page.isascii() and page.isdigit() and len(page) < 7):
        raise NothingHere(f"There is no page “{page[:40]}” of this sitemap.")
    try:
        every[section].paginator.validate_number(page)
    except InvalidPage as error:
        raise NothingHere(f"There is no page “{page}” of this sitemap.") from error
    return _of_this_site(request, views.sitemap(request, every, section=section).render())


def _of_this_site(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The library writes the address the request was sent to; the settings may know the public one."""
    written = request.build_absolute_uri("/").rstrip("/")
    if written != site_address(request):
        response.content = response.content.replace(written.encode(), site_address(request).encode())
    return response


@route("robots.txt", name="robots", example="/robots.txt")
def robots(request: HttpRequest) -> HttpResponse:
    context = {"sitemap": f"{site_address(request)}{reverse('sitemap')}"}
    return render(request, "robots.txt", context, content_type="text/plain; charset=utf-8")
