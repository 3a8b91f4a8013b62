"""The map: where the records are from, with the list of the records beside it."""

from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from catalogue.filters.choices import narrowing_fields
from catalogue.filters.parameters import RecordParameters
from catalogue.geography.map import (
    HEIGHT,
    MOST_ZOOM,
    WIDTH,
    DrawnMark,
    Mark,
    PlacedRecords,
    View,
    clustered,
    drawn_mark,
    letters,
    seen_in,
)
from catalogue.geography.queries import all_by_place, by_place, of_places
from catalogue.models import Evidence
from catalogue.models.querysets import evidence_rows
from catalogue.pages.answers import page_of
from catalogue.pages.narrowed_records import narrowed_records
from catalogue.search.ranking import cached
from catalogue.web.routes import route

OWN = ("z", "x", "y", "page")
PLACES_TOLD = 50  # of a view, as words; the others are counted
NAMED = 12  # places without coordinates that are named; the others are counted


@dataclass(frozen=True, slots=True)
class MapPicture:
    """What a view shows of the records that are asked for, as the page tells it.

    records, without_place: all that are asked for, in view or not
    seen, nowhere: the first places in view, and of those without coordinates, each with its address
    slugs: of all places in view, where that is not the whole map
    """

    records: int
    without_place: int
    marks: list[DrawnMark]
    seen: list[tuple[PlacedRecords, str]]
    more_seen: int
    nowhere: list[tuple[PlacedRecords, str]]
    more_nowhere: int
    slugs: list[str]


@route("map/", name="map", example="/map/", sitemap=True, queries=16)
def world_map(request: HttpRequest) -> HttpResponse:
    parameters = RecordParameters(request, OWN)
    start = View()
    bounds = {"z": (0, MOST_ZOOM), "x": (start.x, WIDTH), "y": (start.y, round(HEIGHT))}
    view = View(**{name: parameters.number(name, usual, most) for name, (usual, most) in bounds.items()})
    picture = cached(("map", parameters.address()), lambda: _picture(parameters, view))
    context = narrowed_records(parameters, narrowing_fields(parameters)) | {
        "view": view,
        "picture": picture,
        "marks": picture.marks,
        "letters": f"{letters(view):.1f}",
        "moves": [(arrow, words, parameters.in_view(moved)) for arrow, words, moved in view.moves()] if view.z else [],
        "nearer": parameters.in_view(view.nearer) if view.nearer else "",
        "further": parameters.in_view(view.further) if view.further else "",
        "whole": parameters.address(without=("z", "x", "y")),
        "undated_left_out": parameters.undated_left_out(),
        "page": page_of(request, _listed(parameters, view, picture)),
        "data": parameters.address(path=reverse("v1:map")),
        "data_form": "GeoJSON",
    }
    return render(request, "catalogue/map.html", context)


def _picture(parameters: RecordParameters, view: View) -> MapPicture:
    found = by_place(parameters.records, parameters.given("place")) if parameters.narrowed else all_by_place()
    seen, nowhere = seen_in(view, found.places), found.without_coordinates
    return MapPicture(
        records=found.records,
        without_place=found.without_place,
        marks=[drawn_mark(mark, _address(parameters, view, mark)) for mark in clustered(seen, view)],
        seen=[(place, _narrowed_to(parameters, place)) for place in seen[:PLACES_TOLD]],
        more_seen=max(0, len(seen) - PLACES_TOLD),
        nowhere=[(place, _narrowed_to(parameters, place)) for place in nowhere[:NAMED]],
        more_nowhere=max(0, len(nowhere) - NAMED),
        slugs=[place.slug for place in seen] if view.z else [],
    )


def _address(parameters: RecordParameters, view: View, mark: Mark) -> str:
    """Where a mark leads: a place to its records, several places to a view in which they stand apart."""
    if not mark.is_cluster:
        return _narrowed_to(parameters, mark.places[0])
    narrower = mark.narrower(view)
    return parameters.in_view(narrower) + ("" if narrower.box != view.box else "#places")


def _narrowed_to(parameters: RecordParameters, place: PlacedRecords) -> str:
    """The map of this place alone; its own page if that is what the reader looks at already."""
    if parameters.given("place") == place.slug:
        return reverse("place", args=[place.slug])
    return parameters.address({"place": place.slug})


def _listed(parameters: RecordParameters, view: View, picture: MapPicture) -> "QuerySet[Evidence]":
    """The records of the places in view; of the whole map all that are asked for, also those of no place."""
    rows = parameters.among(evidence_rows())
    return of_places(rows, picture.slugs) if view.z else rows
