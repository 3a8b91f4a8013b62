"""Where, when and from which source: places, sources, the map and the time line, each with its records."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from catalogue.citations.title_page import title_page
from catalogue.filters.parameters import NarrowingField, RecordParameters, groupings, narrowing_fields
from catalogue.geography import map as maps
from catalogue.geography import queries, time_line
from catalogue.geography.time_line import LATEST_YEAR
from catalogue.identifiers.authorities import same_elsewhere
from catalogue.identifiers.linked_places import linked_places
from catalogue.models import Citation, Evidence, Place, Source
from catalogue.models.lookup import found_or_nearest
from catalogue.models.querysets import citations_of, cited, evidence_rows, of_place, place_rows, source_rows
from catalogue.pages.answers import drawing, page_of
from catalogue.search.ranking import cached
from catalogue.texts.formatting import year_words
from catalogue.web.addresses import site_address
from catalogue.web.routes import route


@route("places/", sitemap=True)
def place_list(request: HttpRequest) -> HttpResponse:
    """The places that have a name, and the points that lie in no country; others are listed with their countries."""
    rows = place_rows().exclude(part_of_is_derived=True).annotate(is_point=Q(kind=Place.Kind.POINT))
    page = page_of(request, rows.order_by("is_point", "name"), size=60)
    return render(request, "catalogue/place_list.html", {"page": page})


@route("places/linked-places.json", name="linked-places")
def linked_places_file(request: HttpRequest) -> JsonResponse:
    """All places, for gazetteers."""
    rows = Place.objects.select_related("part_of").order_by("slug")
    return JsonResponse(linked_places(rows, site_address(request)), content_type="application/geo+json")


@route("places/<str:slug>/", example="/places/sri-lanka/", identifies="place/{slug}")
def place(request: HttpRequest, slug: str) -> HttpResponse:
    place = found_or_nearest(place_rows(), "slug", slug, "place")
    records = Evidence.objects.shown().filter(of_place(slug))
    page = page_of(request, evidence_rows().filter(of_place(slug)))
    is_long = page.paginator.num_pages > 1
    parts = sorted(place.parts.all(), key=lambda part: (-(part.latitude or 0), part.longitude or 0))
    context = {
        "place": place,
        "parts": sorted((part for part in parts if not part.part_of_is_derived), key=str),
        "points": [part for part in parts if part.part_of_is_derived],
        "same": same_elsewhere(place),
        "page": page,
        "groupings": groupings(records, {"place": slug}, ("game", "type", "source")) if is_long else [],
    }
    return render(request, "catalogue/place.html", context)


@route("sources/", sitemap=True)
def source_list(request: HttpRequest) -> HttpResponse:
    page = page_of(request, source_rows(), size=60)
    named = Citation.objects.filter(source__in=[source.pk for source in page], evidence__withdrawn_on=None)
    games = dict.fromkeys(named.order_by("evidence__game__name").values_list("source", "evidence__game__name"))
    for source in page:
        source.games = [game for key, game in games if key == source.pk]
    return render(request, "catalogue/source_list.html", {"page": page})


@route("sources/<str:key>/title-page.svg", example="/sources/parker-1909/title-page.svg")
def source_title_page(request: HttpRequest, key: str) -> HttpResponse:
    """A sign for the book in lists, drawn from its reference."""
    source = found_or_nearest(source_rows(), "key", key, "source")
    year = year_words(source.year) if source.year is not None else ""
    return drawing(title_page(source.authors, source.title or source.as_printed, year))


@route("sources/<str:key>/", example="/sources/parker-1909/", identifies="source/{key}")
def source(request: HttpRequest, key: str) -> HttpResponse:
    source = found_or_nearest(source_rows(), "key", key, "source")
    page = page_of(request, citations_of(source))
    is_long = page.paginator.num_pages > 1
    context = {
        "source": source,
        "page": page,
        "records": [citation.evidence for citation in page],
        "groupings": groupings(source.evidence.shown(), {"source": key}, ("game", "place", "type")) if is_long else [],
    }
    return render(request, "catalogue/source.html", context)


VIEWS = (("a list", "evidence-list"), ("a map", "map"), ("a time line", "timeline"))
AT_ONCE = "1000"  # records of one table
EXPORTS = (("CSV", {"format": "csv", "page_size": AT_ONCE}), ("JSON", {"format": "json"}))


@dataclass(frozen=True, slots=True)
class Chip:
    """Something that was chosen, and the address without it."""

    title: str
    text: str
    without: str


def narrowed_records(parameters: RecordParameters, offers: Iterable[NarrowingField]) -> dict[str, Any]:
    """The context of `partials/narrow_records.html` and `partials/narrowed_records.html`."""
    offers = list(offers)
    return {
        "parameters": parameters,
        "offers": offers,
        "years": queries.years_of_all(),
        "chips": [*_chips(parameters, offers)],
        "views": [(words, parameters.address(path=reverse(route))) for words, route in VIEWS],
        "exports": [(words, parameters.address(form, reverse("v1:evidence-list"))) for words, form in EXPORTS],
    }


def _chips(parameters: RecordParameters, offers: Iterable[NarrowingField]) -> Iterator[Chip]:
    for offer in offers:
        if offer.chosen:
            yield Chip(offer.title, offer.chosen_text, parameters.address(without=(offer.name,)))
    for name, year in (("from", parameters.earliest), ("to", parameters.latest)):
        if year is not None:
            yield Chip(name.capitalize(), year_words(year), parameters.address(without=(name,)))
    if parameters.undated:
        words = "dated" if parameters.undated == "no" else "undated"
        yield Chip("Only", words, parameters.address(without=("undated",)))


OWN = ("z", "x", "y", "page")
PLACES_TOLD = 50  # of a view, as words; the others are counted
NAMED = 12  # places without coordinates that are named; the others are counted


@dataclass(frozen=True, slots=True)
class MapPicture:
    """The places of the narrowed records in a view of the map.

    records, without_place: numbers of all narrowed records, in view or not
    view: what is shown; is_opening: whether it was chosen here, and not by the address
    seen, nowhere: the first places in view, and of those without coordinates, each with its address
    outside: the places of most records that lie out of sight of a view that was chosen here
    slugs: of all places in view, where that is not the whole map
    """

    view: maps.View
    is_opening: bool

    records: int
    without_place: int
    marks: list[maps.DrawnMark]
    seen: list[tuple[maps.PlacedRecords, str]]
    more_seen: int
    nowhere: list[tuple[maps.PlacedRecords, str]]
    more_nowhere: int
    outside: list[tuple[maps.PlacedRecords, str]]
    slugs: list[str]


@route("map/", name="map", sitemap=True, queries=17)
def world_map(request: HttpRequest) -> HttpResponse:
    parameters = RecordParameters(request, OWN)
    start = maps.View()
    bounds = {"z": (0, maps.MOST_ZOOM), "x": (start.x, maps.WIDTH), "y": (start.y, round(maps.HEIGHT))}
    asked = maps.View(**{name: parameters.number(name, usual, most) for name, (usual, most) in bounds.items()})
    is_opening = not any(map(parameters.given, bounds))
    picture = cached(("opened map", parameters.address()), lambda: _picture(parameters, None if is_opening else asked))
    view = picture.view
    context = narrowed_records(parameters, narrowing_fields(parameters)) | {
        "view": view,
        "picture": picture,
        "marks": picture.marks,
        "letters": f"{maps.letters(view):.1f}",
        "moves": [(arrow, words, parameters.in_view(moved)) for arrow, words, moved in view.moves()] if view.z else [],
        "nearer": parameters.in_view(view.nearer) if view.nearer else "",
        "further": parameters.in_view(view.further) if view.further else "",
        "whole": parameters.address({"z": 0}, without=("x", "y")),
        "is_asked": not is_opening,
        "is_moved": view.z and not is_opening,
        "is_named": len(picture.marks) <= NAMED,
        "undated_left_out": parameters.undated_left_out(),
        "page": page_of(request, _listed(parameters, view, picture)),
        "data": parameters.address(path=reverse("v1:map")),
        "data_form": "GeoJSON",
    }
    return render(request, "catalogue/map.html", context)


def _picture(parameters: RecordParameters, asked: maps.View | None) -> MapPicture:
    """asked: the view that the address names, if it names one"""
    placed = (
        queries.by_place(parameters.records, parameters.given("place"))
        if parameters.narrowed
        else queries.all_by_place()
    )
    view = maps.opening_view(placed.places) if asked is None else asked
    seen, nowhere = maps.seen_in(view, placed.places), placed.without_coordinates
    outside = [place for place in placed.places if place.point and place not in seen] if asked is None else []
    return MapPicture(
        view=view,
        is_opening=asked is None,
        records=placed.records,
        without_place=placed.without_place,
        marks=[maps.drawn_mark(mark, _address(parameters, view, mark)) for mark in maps.clustered(seen, view)],
        seen=[(place, _narrowed_to(parameters, place)) for place in seen[:PLACES_TOLD]],
        more_seen=max(0, len(seen) - PLACES_TOLD),
        nowhere=[(place, _narrowed_to(parameters, place)) for place in nowhere[:NAMED]],
        more_nowhere=max(0, len(nowhere) - NAMED),
        outside=[(place, _narrowed_to(parameters, place)) for place in outside[:NAMED]],
        slugs=[place.slug for place in seen] if view.z and asked else [],
    )


def _address(parameters: RecordParameters, view: maps.View, mark: maps.Mark) -> str:
    """The address of a mark: of a place its records, of several places a view in which they are apart."""
    if not mark.is_cluster:
        return _narrowed_to(parameters, mark.places[0])
    narrower = mark.narrower(view)
    return parameters.in_view(narrower) + ("" if narrower.box != view.box else "#places")


def _narrowed_to(parameters: RecordParameters, place: maps.PlacedRecords) -> str:
    """The map of this place alone; its own page if that is what the reader looks at already."""
    if parameters.given("place") == place.slug:
        return reverse("place", args=[place.slug])
    return parameters.address({"place": place.slug})


def _listed(parameters: RecordParameters, view: maps.View, picture: MapPicture) -> "QuerySet[Evidence]":
    """The records of the places in view; of the whole map all of them, also those without a place."""
    rows = parameters.among(evidence_rows())
    return queries.of_places(rows, picture.slugs) if view.z and not picture.is_opening else rows


MOST_SINGLY = 60  # records that are drawn one by one


@route("timeline/", sitemap=True)
def timeline(request: HttpRequest) -> HttpResponse:
    parameters = RecordParameters(request)
    years = queries.known_of(parameters.records)
    window = years.window(parameters.earliest, parameters.latest)
    listed = reverse("evidence-list")
    context = narrowed_records(parameters, narrowing_fields(parameters)) | {
        "found": years,
        "undated_left_out": parameters.undated_left_out(),
        "undated_address": parameters.address({"undated": "yes"}, listed, without=("from", "to")),
        "data": parameters.address(path=reverse("v1:timeline")),
        "data_form": "JSON of the years",
    }
    if window and years.dated <= MOST_SINGLY:
        rows = list(cited(parameters.records.exclude(queries.UNDATED).select_related("game")))
        context |= time_line.laid_out([queries.dated_record(row) for row in rows], window)
        context |= {
            "books": _by_book(rows),
            "are_all_of_one_year": all(row.year_earliest == row.year_latest is not None for row in rows),
        }
    elif window:
        context |= _as_columns(parameters, years, time_line.Bins(*window))
    return render(request, "catalogue/timeline.html", context)


def _by_book(rows: Iterable[Evidence]) -> list[tuple[Source | None, list[Evidence]]]:
    """Each source with the records that cite it first, the oldest first; records without a source stand last."""
    found: dict[Source | None, list[Evidence]] = {}
    for row in rows:
        found.setdefault(next((one.source for one in row.citations.all()), None), []).append(row)
    order = sorted(found, key=lambda one: (one is None, (one and one.year) or LATEST_YEAR, one.key if one else ""))
    return [(one, sorted(found[one], key=lambda row: (row.game.name, row.identifier))) for one in order]


def _as_columns(parameters: RecordParameters, years: time_line.KnownYears, bins: time_line.Bins) -> dict[str, Any]:
    spans = queries.spans_of(parameters.records, bins)
    drawn = time_line.binned(spans, bins)
    scale = time_line.scale_of(bins.first, bins.last)
    listed = reverse("evidence-list")
    linked = [
        (column, parameters.address({"from": column.bin.first, "to": column.bin.last}, listed))
        for column in time_line.columns(drawn, scale)
    ]
    beyond = years.dated - years.open_ended - sum(span.records for span in spans)
    return {
        "columns": linked,
        "scale": scale,
        "heights": list(time_line.heights(drawn)),
        "bins": bins,
        "beyond": beyond,
    }
