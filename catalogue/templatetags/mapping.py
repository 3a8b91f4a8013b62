"""A small map and a small time line of some records, for the pages of a place and of a game. No query of their own."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django import template
from django.urls import reverse
from django.utils.http import urlencode

from catalogue.geography.map import FEWER_CELLS, PlacedRecords, View, clustered, drawn_mark, letters, seen_in, view_of
from catalogue.geography.queries import dated_record
from catalogue.geography.time_line import laid_out
from catalogue.models import Evidence, Place

register = template.Library()

NEAREST = 2  # zoom: one sees which part of the world it is
MOST_BARS = 30


@register.inclusion_tag("partials/small_map.html")
def map_of_place(place: Place) -> dict[str, Any]:
    """place: annotated with the number of its records"""
    return _small_map([_placed(place, place.records)], {"place": place.slug})  # type: ignore[attr-defined]


@register.inclusion_tag("partials/small_map.html")
def map_of_records(records: Iterable[Evidence], **narrowed: str) -> dict[str, Any]:
    """records: with their places at hand; narrowed: what the large map is narrowed to, for example `game="dam"`"""
    places = Counter(place for record in records for place in record.places.all())
    return _small_map([_placed(place, number) for place, number in places.items()], narrowed)


@register.inclusion_tag("partials/small_time_line.html")
def time_line_of_records(records: Iterable[Evidence], **narrowed: str) -> dict[str, Any]:
    """records: with their games at hand"""
    known = [one for one in records if one.year_earliest is not None or one.year_latest is not None]
    large = f"{reverse('timeline')}?{urlencode(narrowed)}"
    singly = known if 1 < len(known) <= MOST_BARS else []
    return {"large": large} | laid_out([dated_record(record) for record in singly])


def _placed(place: Place, records: int) -> PlacedRecords:
    north, east = place.latitude, place.longitude
    return PlacedRecords(place.slug, place.name, records, *(None if at is None else float(at) for at in (north, east)))


def _small_map(places: list[PlacedRecords], narrowed: dict[str, str]) -> dict[str, Any]:
    points = [place.point for place in places if place.point]
    if not points:
        return {}
    nearest = view_of(points)
    view = View(min(max(nearest.z - 1, 0), NEAREST), nearest.x, nearest.y)
    large = f"{reverse('map')}?{urlencode(narrowed)}"
    marks = [
        drawn_mark(mark, f"{large}&z={near.z}&x={near.x}&y={near.y}")
        for mark in clustered(seen_in(view, places), view, FEWER_CELLS)
        for near in (mark.narrower(view),)
    ]
    return {"view": view, "marks": marks, "letters": f"{letters(view, FEWER_CELLS):.1f}", "large": large}
