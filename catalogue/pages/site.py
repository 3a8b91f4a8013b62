"""The first page, the pages about the catalogue, sitemaps for search engines, and what monitoring asks.

Documentation is written in Markdown, below `templates/docs/`. The page of the site's look shows the tokens as the sheet
has them, and every component in light, dark and print.
"""

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.sitemaps import Sitemap, views
from django.core.paginator import InvalidPage
from django.db import models
from django.db.models import Max, Model, OuterRef, QuerySet, Subquery, Sum
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView
from prometheus_client import CONTENT_TYPE_LATEST

from catalogue.citations.items import NAME
from catalogue.filters.parameters import refuse_unknown
from catalogue.findings import gathered, kept
from catalogue.findings.concluded import JudgedClaim
from catalogue.findings.finding import PROVED, Finding
from catalogue.history.histories import edited
from catalogue.models import (
    Claim,
    Comparison,
    Evidence,
    Game,
    Place,
    Question,
    Reading,
    Source,
    Study,
    Verdict,
    WearStudy,
)
from catalogue.models.lookup import NothingHere, not_here
from catalogue.models.querysets import first_readings, game_rows, newest_versions
from catalogue.outcomes.bars import NOT_OVER, Outcomes, Segment
from catalogue.outcomes.figure import Bar, FigureRow
from catalogue.play import game_view, players
from catalogue.texts.words import Suggested
from catalogue.web.addresses import host_address, page_of, site_address
from catalogue.web.metrics import for_watchers, metrics_text
from catalogue.web.routes import every_route, route
from simulator import health
from simulator.models import Batch, RulesetVersion

SHOWN = 3


@route("", sitemap=True, queries=20)
def home(request: HttpRequest) -> HttpResponse:
    done = Batch.objects.filter(state=Batch.State.DONE)
    findings = kept.findings()
    shown = gathered.example([*findings.ranked, *findings.others])
    games = list(game_rows().filter(pk__in=Reading.objects.values("game"), is_reference=False))
    boards = first_readings([game.pk for game in games])
    reference = Reading.objects.filter(game__is_reference=True).values("slug")
    context = {
        "records": Evidence.objects.shown().count(),
        "games": Game.objects.filter(is_reference=False).count(),
        "sources": Source.objects.count(),
        "places": Place.objects.count(),
        "rulesets": RulesetVersion.objects.exclude(slug__in=reference).values("slug").distinct().count(),
        "games_played": done.aggregate(games=Sum("games"))["games"] or 0,
        "batches_running": Batch.objects.filter(state=Batch.State.RUNNING).count(),
        "moving": (moving := _moving(shown)),
        "to_play": _to_play(findings.of(PROVED), boards) or (moving.name if moving else ""),
        "region": _region(),
        "claims": _claims(findings.claims, {game.name: boards.get(game.pk, "") for game in games}),
        "example": shown,
        "board": _board(boards.get(shown.record.game_id, "")) if shown else None,
        "findings": findings.largest_of_each_kind(SHOWN, shown.finding if shown else None),
        "played_games": [(game, boards[game.pk]) for game in games if game.pk in boards],
    }
    return render(request, "catalogue/home.html", context)


def _moving(shown: gathered.Example | None) -> game_view.Demonstration | None:
    """The board that moves: of the example's game if it is sown, else of the first game that is."""
    sown = RulesetVersion.objects.filter(ruleset__family="sowing").values("slug")
    readings = Reading.objects.filter(slug__in=sown, game__is_reference=False)
    of_example = models.Case(models.When(game=shown.record.game, then=0), default=1) if shown else models.Value(0)
    reading = readings.order_by(of_example, "game__name", "position", "slug").first()
    version = newest_versions([reading.slug]).get(reading.slug) if reading else None
    return game_view.demonstration(reading.slug, reading.title, version.ruleset_id) if reading and version else None


def _to_play(proved: Iterable[Finding], boards: Mapping[int, str]) -> str:
    """The ruleset that a visitor plays first: of a game that is solved, for it ends soon; empty where none is."""
    return next((boards[one.game.pk] for one in proved if one.game.pk in boards), "")


def _region() -> str:
    """The place from which more than half of the records are; empty where there is none."""
    first = Place.objects.annotate(told=models.Count("evidence")).order_by("-told", "name").first()
    return first.name if first and 2 * first.told > Evidence.objects.shown().count() else ""


def _board(name: str) -> game_view.StartBoard | None:
    version = newest_versions([name]).get(name) if name else None
    return game_view.start_board(version.ruleset) if version else None


def _claims(claims: Iterable[JudgedClaim], boards: Mapping[str, str]) -> list[tuple[JudgedClaim, str]]:
    """Claims for the first page, each of another game: of each verdict the first, then the others in their order.

    boards: name of a game → the ruleset whose board is drawn beside it
    """
    every = list(claims)
    firsts = {one.sign: one for one in reversed(every)}
    by_game = {one.game: one for one in reversed([*reversed(firsts.values()), *every])}
    chosen = sorted(by_game.values(), key=lambda one: (one is not firsts[one.sign], every.index(one)))
    return [(one, boards.get(one.game, "")) for one in chosen[:SHOWN]]


LISTS = "<!-- lists -->"  # stands in a document for the lists of the API
OF_PLAYERS = "figures"  # the document that says who plays


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    html: str


def folder() -> Path:
    return Path(settings.BASE_DIR) / "templates" / "docs"


def lists_of_api() -> Iterator[str]:
    """The lists of the API as a table in Markdown: what each holds, and the filters that narrow it."""
    yield "| list | what it holds | narrowed by |"
    yield "|---|---|---|"
    for one in sorted((one for one in every_route().values() if one.holds), key=lambda one: one.example):
        filters = getattr(vars(one.view)["cls"], "filterset_class", None)
        names = ", ".join(f"`{name}`" for name in filters.base_filters) if filters else ""
        yield f"| [{one.example}]({one.example}) | {one.holds} | {names} |"


@cache
def read(name: str, changed: float) -> Document:
    """The document as HTML; `changed`, the time of its file, lets an edited file be read afresh."""
    from markdown_it import MarkdownIt  # not at the start: few readers wait for it

    markdown = MarkdownIt("commonmark").enable("table")
    text = (folder() / f"{name}.md").read_text(encoding="utf-8")
    tokens = markdown.parse(text.replace(LISTS, "\n".join(lists_of_api())) if LISTS in text else text)
    headings = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            headings.append(tokens[place + 1].content)
            token.attrSet("id", slugify(headings[-1]))
    return Document(next(iter(headings), name.capitalize()), markdown.renderer.render(tokens, markdown.options, {}))


def _icon(path: str, name: str, file: str) -> None:
    """Lead whoever asks at the root of the site, without reading a page, to an icon."""
    route(path, name=name, status=301)(
        RedirectView.as_view(url=f"{settings.STATIC_URL}catalogue/{file}", permanent=True)
    )


_icon("favicon.ico", "favicon", "favicon.ico")
_icon("apple-touch-icon.png", "apple-touch-icon", "icon-180.png")


@route("site.webmanifest", name="manifest")
def manifest(request: HttpRequest) -> JsonResponse:
    """What a telephone calls the site on its first screen (https://www.w3.org/TR/appmanifest/)."""
    icons = (("icon-180.png", "180x180", "image/png"), ("icon-512.png", "512x512", "image/png"))
    paper = next((one.light for one in colours() if one.name == "paper"), "#ffffff")
    document = {
        "name": NAME,
        "short_name": "Traditional Games",
        "start_url": reverse("home"),
        "display": "browser",
        "lang": "en-GB",
        "background_color": paper,
        "theme_color": paper,
        "icons": [{"src": static(f"catalogue/{file}"), "sizes": size, "type": kind} for file, size, kind in icons],
    }
    return JsonResponse(document, content_type="application/manifest+json")


KNOWN_FOR = datetime.timedelta(days=180)  # after which whoever kept it looks again


@route(".well-known/security.txt", name="security-txt", status=404)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Where to report a hole (RFC 9116), if the deployment says so."""
    if not settings.SECURITY_CONTACT:
        raise NothingHere("Nobody is named here to whom a hole is reported.")
    contacts = [one if ":" in one else f"mailto:{one}" for one in settings.SECURITY_CONTACT]
    lines = [
        *(f"Contact: {contact}" for contact in contacts),
        f"Expires: {timezone.now().date() + KNOWN_FOR}T00:00:00Z",
        "Preferred-Languages: en",
        f"Canonical: {site_address(request)}{reverse('security-txt')}",
    ]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@route("about/", name="about", sitemap=True, arguments={"name": "about"})
@route("about/<slug:name>/", example="/about/figures/")
def document(request: HttpRequest, name: str) -> HttpResponse:
    files = {path.stem: path for path in sorted(folder().glob("*.md"))}
    if name not in files:
        message = f"There is no page “{name}” about this catalogue."
        raise not_here(message, name, files, lambda near: Suggested(near, f"/about/{near}/"))
    policies = players.listed_policies() if name == OF_PLAYERS else []
    context = {"name": name, "document": read(name, files[name].stat().st_mtime), "policies": policies}
    return render(request, "catalogue/document.html", context)


COLOUR = re.compile(r"--(?P<name>[a-z0-9-]+): light-dark\((?P<light>#\w{6}), (?P<dark>#\w{6})\);")
SHEET = Path(settings.BASE_DIR) / "catalogue" / "static" / "catalogue" / "tokens.css"
SCHEMES = (("light", "Light"), ("dark", "Dark"), ("print", "On paper"))
SAMPLE = (
    ("won-0", "won by the first side", 0.31), ("won-1", "won by the second side", 0.24),
    ("won-2", "won by the third side", 0.12), ("won-3", "won by the fourth side", 0.08),
    ("shared", "won by several", 0.05), ("draw", "drawn", 0.1), ("open", NOT_OVER, 0.1),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Colour:
    name: str
    light: str
    dark: str


@cache
def colours() -> tuple[Colour, ...]:
    """The tokens of the sheet, in its order."""
    return tuple(Colour(**match.groupdict()) for match in COLOUR.finditer(SHEET.read_text(encoding="utf-8")))


@route("about/style/")
def style(request: HttpRequest) -> HttpResponse:
    refuse_unknown(request, ())
    context = {
        "colours": colours(),
        "schemes": SCHEMES,
        "verdicts": list(Verdict.Kind),
        "bars": [_bar("One"), _bar("Other")],
    }
    return render(request, "catalogue/style.html", context)


def _bar(label: str) -> Bar:
    """A bar of no game, which has every shade."""
    segments, start = [], 0.0
    for kind, title, share in SAMPLE:
        segments.append(Segment(kind, title, start, share, f"{100 * share:.0f} %"))
        start += share
    row = FigureRow(label, label, f"{label}, a sample", "#components", int(label == "Other"), None)
    return Bar(row, Outcomes(tuple(segments), "120 turns", "", 0))


LARGEST = 2_500  # addresses on one page; 50,000 are allowed (sitemaps.org), but nobody should wait for them


OF_RECORDS = ("game", "places", "citations__source")  # columns by which records lead to other rows


class RowSitemap(Sitemap):
    """The pages of a kind of rows.

    changed: the column that says when a row last changed, or "history", or the one by which records lead to these rows:
    of what has no time of its own that of its records is told. The time of an installation is no change.
    """

    limit = LARGEST

    def __init__(self, rows: "QuerySet[Any]", key: str, changed: str = "") -> None:
        self.rows, self.key, self.changed = rows, key, changed

    def items(self) -> "QuerySet[Any]":
        rows: QuerySet[Any] = self.rows.order_by(self.key)
        if self.changed == "history":
            model: Any = rows.model
            revisions = edited(model.history.filter(id=OuterRef("pk"))).order_by("-history_date")
            rows = rows.annotate(last_edit=Subquery(revisions.values("history_date")[:1]))
        elif self.is_of_records:
            records = Evidence.objects.filter(**{self.changed: OuterRef(OuterRef("pk"))}).values("pk")
            revisions = edited(Evidence.history.filter(id__in=records)).order_by("-history_date")
            rows = rows.annotate(last_edit=Subquery(revisions.values("history_date")[:1]))
        return rows

    @property
    def is_of_records(self) -> bool:
        return self.changed in OF_RECORDS

    def location(self, item: Any) -> str:
        return page_of(item)

    def lastmod(self, item: Model) -> datetime.datetime | None:
        name = "last_edit" if self.changed in ("history", *OF_RECORDS) else self.changed
        moment: datetime.datetime | None = getattr(item, name) if name else None
        return moment

    def get_latest_lastmod(self) -> datetime.datetime | None:
        """Return the time of the latest change by one query; the library would read every row."""
        if not self.changed:
            return None
        model: Any = Evidence if self.is_of_records else self.rows.model
        is_recorded = self.is_of_records or self.changed == "history"
        rows, column = (edited(model.history.all()), "history_date") if is_recorded else (self.rows, self.changed)
        latest: datetime.datetime | None = rows.aggregate(latest=Max(column))["latest"]
        return latest


class PageSitemap(Sitemap):
    """Lists, and the pages about the catalogue."""

    def items(self) -> list[str]:
        closed = set(re.findall(r"^Disallow: (/\S*)$", render_to_string("robots.txt"), re.MULTILINE))
        documents = sorted(path.stem for path in folder().glob("*.md") if path.stem != "about")
        return [
            *sorted({reverse(one.name) for one in every_route().values() if one.sitemap} - closed),
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
        "games": RowSitemap(Game.objects.only("slug"), "slug", "game"),
        "places": RowSitemap(Place.objects.only("slug"), "slug", "places"),
        "sources": RowSitemap(Source.objects.only("key"), "key", "citations__source"),
        "rulesets": RowSitemap(Reading.objects.only("slug"), "slug", "history"),
        "questions": RowSitemap(Question.objects.select_related("game").only("slug", "game__slug"), "pk", "history"),
        "claims": RowSitemap(Claim.objects.select_related("game").only("slug", "game__slug"), "pk", "history"),
        "comparisons": RowSitemap(compared, "id", "closed"),
        "studies": RowSitemap(Study.objects.only("id", "created"), "id", "created"),
        "wear": RowSitemap(WearStudy.objects.filter(state=WearStudy.State.DONE).only("id", "created"), "id", "created"),
        "batches": RowSitemap(done, "id", "closed"),
    }


@route("sitemap.xml", queries=22)
def sitemap(request: HttpRequest) -> HttpResponse:
    response = views.index(request, sections(), sitemap_url_name="sitemap-section")
    return _of_this_site(request, response.render())


@route("sitemap-<slug:section>.xml", example="/sitemap-evidence.xml")
def sitemap_section(request: HttpRequest, section: str) -> HttpResponse:
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
    """Replace the address of the request, which the library writes, by the public one of the settings."""
    written = host_address(request)
    if written != site_address(request):
        response.content = response.content.replace(written.encode(), site_address(request).encode())
    return response


@route("robots.txt")
def robots(request: HttpRequest) -> HttpResponse:
    context = {"sitemap": f"{site_address(request)}{reverse('sitemap')}"}
    return render(request, "robots.txt", context, content_type="text/plain; charset=utf-8")


LOOKS = (health.database, health.broker, health.workers, health.kernel_cache, health.disk)


@route("livez", elsewhere=False)
@route("healthz", name="healthz", elsewhere=False)
@require_safe
def livez(request: HttpRequest) -> HttpResponse:
    """Say that this process answers. It asks no other part: a process is not restarted because a database is away."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


@route("readyz", status=503, elsewhere=False)
@require_safe
@for_watchers
def readyz(request: HttpRequest) -> HttpResponse:
    """200 if every part is well, else 503; the document says which is not, and what to do about it."""
    conditions = list(health.looked(*LOOKS))
    ready = all(one.is_well for one in conditions)
    parts = {
        condition.name: {"ready": condition.is_well, "found": condition.found, "remedy": condition.remedy}
        for condition in conditions
    }
    status = HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE
    return JsonResponse({"ready": ready, "parts": parts}, status=status)


@route("metrics", elsewhere=False)
@require_safe
@for_watchers
def metrics(request: HttpRequest) -> HttpResponse:
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST)
