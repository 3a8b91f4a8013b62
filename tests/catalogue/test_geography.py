"""The map's arithmetic: the projection against an independent programme, marks that stay few, and years shared out."""

import json
import math
import random
from bisect import bisect
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.geography.map import (
    CELLS,
    HALF_HEIGHT,
    HEIGHT,
    MOST_ZOOM,
    NEAR,
    RADIUS,
    WIDTH,
    PlacedRecords,
    View,
    clustered,
    projected,
    seen_in,
    view_of,
)
from catalogue.geography.queries import FILE as COUNTRIES
from catalogue.geography.queries import country_of, names
from catalogue.geography.time_line import Bins, DatedRecord, Spans, bars, binned, scale_of
from tools import world

# `+proj=eqearth +R=6378137` of PROJ 9.5.1: metres east and north
PROJ_RADIUS = 6_378_137
PROJ = (
    (0, 180, 17263256.844321333, 0.0),
    (45, 180, 14795421.790690413, 5486671.715118098),
    (90, 180, 10227908.090400496, 8402320.156603986),
    (7, 81, 7740789.75013485, 903285.3046022527),
    (25.28, 91.73, 8392237.18816202, 3210233.704017569),
    (-60, -45, -3251351.1474408503, -6941331.826067393),
)
DEGREES = {"latitude": st.floats(-90, 90), "longitude": st.floats(-180, 180)}


@pytest.mark.parametrize(("latitude", "longitude", "east", "north"), PROJ)
def test_the_projection_is_that_of_proj(latitude: float, longitude: float, east: float, north: float) -> None:
    point = projected(latitude, longitude)
    assert (point.x - WIDTH / 2) / RADIUS * PROJ_RADIUS == pytest.approx(east, abs=1e-3)
    assert (HALF_HEIGHT - point.y) / RADIUS * PROJ_RADIUS == pytest.approx(north, abs=1e-3)


def test_areas_keep_their_proportions() -> None:
    """A strip of the globe between two parallels has the area 2πR²(sin b − sin a) (Archimedes)."""
    for south in (-80, -35, 0, 20, 60):
        strip = [(projected(south + step / 100, 180).x - projected(south + step / 100, -180).x) for step in range(1001)]
        tops = [projected(south + step / 100, 0).y for step in range(1001)]
        drawn = sum((strip[i] + strip[i + 1]) / 2 * (tops[i] - tops[i + 1]) for i in range(1000))
        true = 2 * math.pi * RADIUS**2 * (math.sin(math.radians(south + 10)) - math.sin(math.radians(south)))
        assert drawn == pytest.approx(true, rel=1e-5)


@given(**DEGREES)
def test_every_point_of_the_globe_is_on_the_map(latitude: float, longitude: float) -> None:
    point = projected(latitude, longitude)
    assert -1e-6 <= point.x <= WIDTH + 1e-6
    assert -1e-6 <= point.y <= HEIGHT + 1e-6


def many_places(number: int) -> list[PlacedRecords]:
    dice = random.Random(7)
    return [
        PlacedRecords(f"p{i}", f"Place {i}", dice.randrange(1, 90), dice.uniform(-55, 70), dice.uniform(-170, 170))
        for i in range(number)
    ]


@pytest.mark.parametrize("view", [View(), View(2, 9000, 3000), View(5, 14_500, 4_300)])
def test_marks_stay_few_and_apart_and_count_every_record(view: View) -> None:
    seen = seen_in(view, many_places(5_000))
    marks = clustered(seen, view)
    assert sum(mark.records for mark in marks) == sum(place.records for place in seen)
    assert {place.slug for mark in marks for place in mark.places} == {place.slug for place in seen}
    assert len(marks) <= CELLS * (CELLS // 2 + 1)
    # A mark may be drawn towards another by those that it took in, but never onto it.
    size = view.width / CELLS
    gaps = [math.dist(a.point, b.point) for i, a in enumerate(marks) for b in marks[:i]]
    assert min(gaps, default=size) > NEAR / 2 * size
    assert [mark.records for mark in marks] == sorted((mark.records for mark in marks), reverse=True)


def test_two_places_by_hand() -> None:
    sri_lanka = PlacedRecords("sri-lanka", "Sri Lanka", 20, 7.0, 81.0)
    khasi = PlacedRecords("khasi", "Khasi", 1, 25.28, 91.73)
    colombo = PlacedRecords("colombo", "Colombo", 5, 6.93, 79.85)
    whole = clustered([sri_lanka, khasi, colombo], View())
    assert [mark.words for mark in whole] == ["Sri Lanka, Colombo: 25 records", "Khasi: 1 record"]
    weighted = (20 * sri_lanka.point.x + 5 * colombo.point.x) / 25
    assert whole[0].point.x == pytest.approx(weighted)
    narrower = whole[0].narrower(View())
    marks = clustered(seen_in(narrower, [sri_lanka, khasi, colombo]), narrower)
    assert [mark.words for mark in marks] == ["Sri Lanka: 20 records", "Colombo: 5 records"]


def test_places_that_no_view_parts_are_told_together() -> None:
    neighbours = [PlacedRecords(slug, slug.title(), 2, 10.0, 10.0) for slug in ("one", "two", "three", "four")]
    mark = clustered(neighbours, View(MOST_ZOOM, *(round(at) for at in neighbours[0].point)))[0]
    assert mark.words == "Four, One and 2 more places: 8 records"
    assert mark.narrower(View()).z == MOST_ZOOM


def test_labels_have_room() -> None:
    for records, label in ((1, "1"), (999, "999"), (1_000, "1.0k"), (9_949, "9.9k"), (9_950, "10k"), (123_456, "123k")):
        assert clustered([PlacedRecords("a", "A", records, 0.0, 0.0)], View())[0].label == label


@given(z=st.integers(0, MOST_ZOOM), x=st.integers(0, WIDTH), y=st.integers(0, round(HEIGHT)))
def test_a_view_stays_on_the_map_and_moves_lead_elsewhere(z: int, x: int, y: int) -> None:
    view = View(z, x, y)
    assert view.left >= 0
    assert view.left + view.width <= WIDTH
    assert view.top >= 0
    assert view.top + view.height <= HEIGHT + 1e-9
    assert all(moved.box != view.box and moved.z == z for _, _, moved in view.moves())


@given(st.lists(st.builds(projected, st.floats(-89, 89), st.floats(-179, 179)), min_size=1, max_size=5))
def test_a_view_for_some_points_shows_them(points: list) -> None:
    view = view_of(points)
    assert all(view.left <= p.x <= view.left + view.width and view.top <= p.y <= view.top + view.height for p in points)


def grouped(years: list[tuple[int, int]], bins: Bins) -> list[Spans]:
    """What the database adds up, written out for each record by itself."""
    found = []
    for first, last in years:
        begin, end, length = max(first, bins.first), min(last, bins.last), last - first + 1
        if begin > end:
            continue
        begins = bins.edges[:-1]
        low, high = bisect(begins, begin) - 1, bisect(begins, end) - 1
        inside = int(begin == first and end == last)
        found.append(Spans(low, high, 1, inside, 1 / length, begin / length, end / length))
    return found


YEARS = st.tuples(st.integers(-3000, 2000), st.integers(0, 700)).map(lambda pair: (pair[0], sum(pair)))


@given(st.lists(YEARS, max_size=12), st.integers(-2500, 1900), st.integers(0, 1500))
def test_years_are_shared_out_as_if_each_were_counted_by_itself(years: list, first: int, length: int) -> None:
    bins = Bins(first, first + length)
    found = binned(grouped(years, bins), bins)
    assert len(found) <= 61
    assert (found[0].first, found[-1].last) == (first, first + length)
    for one in found:
        inside = range(one.first, one.last + 1)
        parts = [len(range(max(a, one.first), min(b, one.last) + 1)) / (b - a + 1) for a, b in years]
        assert one.expected == pytest.approx(sum(parts), abs=1e-5)
        assert one.possible == sum(part > 0 for part in parts)
        assert one.certain == sum(a in inside and b in inside for a, b in years)
        assert one.certain - 1e-5 <= one.expected <= one.possible + 1e-5


def test_bins_of_five_years_by_hand() -> None:
    """1909, and 1890 to 1909: each five of its twenty years have a quarter of it."""
    bins = Bins(1800, 1999)
    found = {one.first: one for one in binned(grouped([(1909, 1909), (1890, 1909)], bins), bins)}
    assert (found[1890].certain, found[1890].expected, found[1890].possible) == (0, 0.25, 1)
    assert (found[1905].certain, found[1905].expected, found[1905].possible) == (1, 1.25, 2)
    assert found[1910].possible == 0
    assert bins.width == 5


@pytest.mark.parametrize(
    ("first", "last", "begins"),
    [
        (-750, 150, {-699, -599, -99, 1, 100}),  # 700–601 BCE, 600–501 BCE, 100–1 BCE, 1–99, 100–199
        (-99, 0, {-99}),
        (-3, 3, {-3, -2, -1, 0, 1, 2, 3}),
        (-2999, 2026, {-2999, -99, 1, 2000}),
    ],
)
def test_no_bin_lies_in_two_eras(first: int, last: int, begins: set[int]) -> None:
    bins = Bins(first, last)
    edges = bins.edges
    assert edges == sorted(set(edges))
    assert 1 in edges or last < 1
    assert begins <= set(edges)


def dated(name: str, first: int | None, last: int | None) -> DatedRecord:
    return DatedRecord(name, f"/evidence/{name}/", f"Game {name}", first, last)


def test_bars_share_lanes_but_never_overlap() -> None:
    records = [dated(str(i), 1873 + i % 7, 1873 + i % 7 + i) for i in range(40)]
    drawn = bars(records, scale_of(1873, 1930))
    by_lane: dict[int, list] = {}
    for bar in drawn:
        by_lane.setdefault(bar.y, []).append((bar.x, bar.x + bar.width))
    for lane in by_lane.values():
        assert all(end < begin for (_, end), (begin, _) in pairwise(lane))
    assert len(by_lane) < len(records)


def test_an_open_end_runs_to_the_edge() -> None:
    scale = scale_of(1900, 1990)
    before, after, known = bars([dated("a", None, 1950), dated("b", 1950, None), dated("c", 1920, 1929)], scale)
    by_name = {bar.record.identifier: bar for bar in (before, after, known)}
    assert (by_name["a"].goes_on, by_name["b"].goes_on, by_name["c"].goes_on) == (" before", " after", "")
    assert by_name["a"].x == scale.at(scale.first)
    assert by_name["b"].x + by_name["b"].width == pytest.approx(scale.at(scale.last + 1))
    assert by_name["c"].width == pytest.approx(scale.at(1930) - scale.at(1920), abs=0.1)


def test_ticks_before_the_common_era_are_round_as_people_count() -> None:
    assert [year for year, _ in scale_of(-1900, 1900).ticks()] == [-1999, -1499, -999, -499, 1, 500, 1000, 1500, 2000]
    assert [year for year, _ in scale_of(-3, 3).ticks()] == list(range(-4, 5))


SQUARE = {
    "type": "Topology",
    "transform": {"scale": [1, 1], "translate": [0, 0]},
    # two countries side by side, and an island across the date line
    "arcs": [
        [[0, 0], [10, 0], [0, 10], [-10, 0]],
        [[0, 10], [-10, 0], [0, -10], [10, 0]],
        [[0, 0], [0, 10]],
        [[175, 0], [10, 0], [0, 10], [-10, 0], [0, -10]],
    ],
    "objects": {
        "countries": {
            "type": "GeometryCollection",
            "geometries": [
                {"type": "Polygon", "arcs": [[0, -3]]},
                {"type": "Polygon", "arcs": [[1, 2]]},
                {"type": "Polygon", "arcs": [[3]]},
            ],
        },
        "land": {"type": "GeometryCollection", "geometries": [{"type": "MultiPolygon", "arcs": [[[0, 1]], [[3]]]}]},
    },
}


def test_a_land_across_the_date_line_lies_on_both_sides() -> None:
    lines = world.lines_of(SQUARE)
    assert world.land(SQUARE, lines).count("z") == 3
    x, y = (round(at) for at in projected(0, 0))
    assert world.borders(SQUARE, lines).startswith(f"M{x} {y}l")
    assert world.borders(SQUARE, lines).count("M") == 1


@pytest.mark.parametrize(
    ("latitude", "longitude", "country"),
    [
        (30.03, 31.07, "Egypt"),
        (25.28, 91.73, "India"),
        (6.93, 79.85, "Sri Lanka"),
        (-29.5, 28.2, "Lesotho"),  # within South Africa, but no part of it
        (65, -179.5, "Russia"),  # beyond the date line
        (-17.7, 178, "Fiji"),
        (31.3, 29.7, "Egypt"),  # off the coast, within 30 km
        (31.8, 29.7, None),
        (0, -30, None),
        (-90, 0, "Antarctica"),
    ],
)
def test_the_country_a_point_lies_in(latitude: float, longitude: float, country: str | None) -> None:
    assert country_of(latitude, longitude) == country


def test_the_outlines_say_what_they_are_made_of() -> None:
    source = json.loads(COUNTRIES.read_text(encoding="utf-8"))["source"]
    assert "Natural Earth" in source
    assert "public domain" in source
    assert not any(name.endswith(".") for name in names())


def test_what_crosses_the_date_line_is_cut_there() -> None:
    """A field from 170° east to 170° west, whose upper edge climbs from 10° to 20° north: 15° on the line."""
    ring = [(170.0, 0.0), (190.0, 0.0), (190.0, 20.0), (170.0, 10.0)]
    west, east = (set(one) for one in world.pieces_of(ring))
    assert west == {(-180.0, 0.0), (-170.0, 0.0), (-170.0, 20.0), (-180.0, 15.0)}
    assert east == {(170.0, 0.0), (180.0, 0.0), (180.0, 15.0), (170.0, 10.0)}


def test_what_does_not_cross_it_is_one_piece() -> None:
    ring = [(79.0, 6.0), (82.0, 6.0), (82.0, 9.0), (79.0, 9.0)]
    assert [*world.pieces_of(ring)] == [ring]
