"""Drawings that templates request: boards, shades of bars, and small maps and time lines, which make no query.

The pictures of a list are files of their own, which browsers load when they come near.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.urls import reverse
from django.utils.http import urlencode

from catalogue.geography.map import FEWER_CELLS, PlacedRecords, View, clustered, drawn_mark, letters, seen_in, view_of
from catalogue.geography.queries import WIDE, dated_record
from catalogue.geography.time_line import laid_out
from catalogue.models import Evidence, Game, Place
from catalogue.models.querysets import first_readings
from catalogue.outcomes.bars import Segment
from catalogue.outcomes.figure import Bar, OutcomeFigure
from catalogue.play.game_view import start_board

register = template.Library()
NEAREST = 2  # zoom: one sees which part of the world it is
MOST_BARS = 30


@register.filter
def shades(bars: Iterable[Bar]) -> list[Segment]:
    """The key: of each outcome that is seen on some bar its shade and its name."""
    return OutcomeFigure(tuple(bars), (), None).shades


@register.filter
def counted_in(bars: Iterable[Bar]) -> str:
    """What bars are shares of: "games", "first rounds", or "games or first rounds"."""
    return OutcomeFigure(tuple(bars)).counted


register.filter("start_board", start_board)


@register.simple_tag
def boards_of(rows: Iterable[Any]) -> dict[int, str]:
    """`{% boards_of page as boards %}`: of games, or of what has one, the reading that shows its board; one query."""
    return first_readings({row.pk if isinstance(row, Game) else row.game_id for row in rows})


@register.filter
def board_of(boards: Mapping[int, str], game: int) -> str:
    """The address of the picture of a game's board; empty without one."""
    return reverse("ruleset-board", args=[boards[game]]) if game in boards else ""


@register.filter
def reading_of(boards: Mapping[int, str], game: int) -> str:
    """The reading itself, by its name: what is played first of a game."""
    return boards.get(game, "")


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
    north, east = (None if degrees is None else float(degrees) for degrees in (place.latitude, place.longitude))
    return PlacedRecords(place.slug, place.name, records, north, east, place.kind in WIDE)


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
