"""Drawings of positions in every ruleset: every place a move can name can be found and pointed out."""

import itertools
import math
import re
from collections import Counter
from importlib import import_module
from xml.etree import ElementTree

import pytest

from simulator.engine import shipped
from simulator.engine.board_sheet import NoSuchPlace, insides
from simulator.engine.boards.points import BOARDS as POINTS_BOARDS
from simulator.engine.boards.race import BOARDS
from simulator.engine.families.points.position import JUMP, REMOVE_MOVE
from simulator.engine.family import family
from simulator.engine.referee_playout import plies
from tests.choice import rulesets_of_the_day
from tests.engine.rulesets import RULESETS

CHOSEN = rulesets_of_the_day(RULESETS)
SVG = "{http://www.w3.org/2000/svg}"


def game(slug, plies_shown=40):
    return itertools.islice(plies(RULESETS[slug], 7, 2), plies_shown)


def places_of(slug):
    return import_module(f"simulator.engine.families.{RULESETS[slug].family}.drawing")


def pointed_out(svg):
    """Names of the places with brackets."""
    groups = [group for group in ElementTree.fromstring(svg).iter(f"{SVG}g") if group.get("data-place")]
    return [group.get("data-place") for group in groups if group.find(f"{SVG}path[@class='pointed-out']") is not None]


@pytest.mark.parametrize("slug", CHOSEN)
def test_every_place_that_a_move_names_can_be_pointed_out(slug):
    ruleset, places = RULESETS[slug], places_of(slug)
    kind = family(ruleset.family)
    referee = import_module(f"simulator.engine.families.{ruleset.family}.referee.contract")
    seen = set()
    for ply in game(slug):
        named = set()
        for move in referee.moves(ruleset.parameters, ply.before):
            named |= {*places.move_places(ruleset.parameters, ply.before, move)}
        assert set(pointed_out(kind.draw(ruleset, ply.before, "Moves", named))) == named
        seen |= named
    assert len(seen) > 2 or seen == {*insides(kind.draw_start(ruleset))}


@pytest.mark.parametrize("slug", CHOSEN)
def test_every_place_has_brackets_on_the_sheet(slug):
    ruleset, kind = RULESETS[slug], family(RULESETS[slug].family)
    start = next(plies(ruleset, 1, 0)).before
    names = {*insides(kind.draw(ruleset, start, "T"))}
    svg = ElementTree.fromstring(kind.draw(ruleset, start, "T", names))
    width, height = (float(number) for number in svg.get("viewBox").split()[2:])
    drawn = set()
    for path in svg.iter(f"{SVG}path"):
        if path.get("class") == "pointed-out":
            corners = re.findall(r"V([\d.-]+)H([\d.-]+)", path.get("d"))
            ys, xs = ({float(corner[axis]) for corner in corners} for axis in (0, 1))
            assert min(xs) >= 0 <= min(ys)
            assert max(xs) <= width
            assert max(ys) <= height
            drawn.add((min(xs), max(xs), min(ys), max(ys)))
    assert len(drawn) == len(names)


@pytest.mark.parametrize("slug", CHOSEN)
def test_a_drawing_changes_only_where_the_ply_touched(slug):
    """The move's own places are among what its ply touched, and a drawing differs from the next in its places only."""
    ruleset, places, kind = RULESETS[slug], places_of(slug), family(RULESETS[slug].family)
    for ply in game(slug, 12):
        touched = places.touched(ruleset.parameters, ply)
        assert {*places.move_places(ruleset.parameters, ply.before, ply.move)} <= {*touched}
        before, after = (kind.draw(ruleset, at, "T", touched) for at in (ply.before, ply.played.position))
        assert all(f"Pointed out: {', '.join(pointed_out(svg))}." in svg for svg in (before, after) if touched)
        bare = [re.sub(r"<g data-place=.*?</g>|<desc>.*?</desc>", "", svg) for svg in (before, after)]
        assert bare[0] == bare[1]


def test_a_sowing_turn_touches_its_hole_end_and_captures():
    """The first turn of the playthrough of Daramuti after Parker, told there in words."""
    ply = next(game("daramuti-parker"))
    sentences = import_module("simulator.engine.families.sowing.notation").describe(ply)
    names = set(re.findall(r"\b[12][a-g]\b", " ".join(each.sentence for each in sentences if each.kind != "lap")))
    begun, *others = places_of("daramuti-parker").touched(RULESETS["daramuti-parker"].parameters, ply)
    assert f"from {begun}" in sentences[0].sentence
    assert names
    assert {begun, *others} == names | {begun}


def test_a_jump_touches_the_piece_it_takes():
    ply = next(ply for ply in game("english-draughts-reference", 300) if ply.move >= JUMP)
    places = places_of("english-draughts-reference")
    origin, to, taken = places.touched(RULESETS["english-draughts-reference"].parameters, ply)[:3]
    middle = {chr((ord(origin[0]) + ord(to[0])) // 2) + str((int(origin[1:]) + int(to[1:])) // 2)}
    assert {taken} == middle


def test_sending_back_touches_the_square_that_was_left():
    ruleset, places = RULESETS["saturankam-parker"], places_of("saturankam-parker")
    squares, passed = BOARDS[ruleset.parameters["board"]].squares, set()
    for ply in game("saturankam-parker", 1_500):
        hit = {event.square for event in ply.played.events if event.kind == "sent_back"} - {None}
        names = {squares[square].name for square in hit}
        assert names <= {*places.touched(ruleset.parameters, ply)}
        passed |= names - {*places.move_places(ruleset.parameters, ply.before, ply.move)}
    assert passed


def test_laying_and_removing_name_one_point():
    named = {}
    for ply in game("nine-mens-morris-reference", 300):
        kind = "lay" if ply.move < REMOVE_MOVE else "remove" if ply.move < 256 else "step"
        rules = RULESETS["nine-mens-morris-reference"].parameters
        named[kind] = len(places_of("nine-mens-morris-reference").move_places(rules, ply.before, ply.move))
    assert named == {"lay": 1, "remove": 1, "step": 2}


@pytest.mark.parametrize("slug", [slug for slug in CHOSEN if RULESETS[slug].family == "race"])
def test_a_race_move_names_where_its_piece_comes_to(slug):
    """Which is what the ply's own events tell."""
    rules = RULESETS[slug].parameters
    squares, reached = BOARDS[rules["board"]].squares, 0
    for ply in game(slug, 400):
        went = [event for event in ply.played.events if event.kind in ("move", "entry")]
        named = places_of(slug).move_places(rules, ply.before, ply.move)
        assert len(named) == (2 if went else 0)
        if went:
            square = went[-1].square
            assert named[1] == ("home" if square is None else squares[square].name)
            assert (named[0] == f"waiting-{ply.seat + 1}") == (went[-1].kind == "entry")
            reached += 1
    assert reached > 50


def test_a_place_that_the_board_does_not_have_is_refused():
    ruleset = RULESETS["kalah-reference"]
    start = next(plies(ruleset, 1, 0)).before
    with pytest.raises(NoSuchPlace, match="no place of this board is called '1z'; the nearest is '1"):
        family("sowing").draw(ruleset, start, "T", ["1z"])


def held(ruleset, position):
    """Counters or pieces by place, of one position."""
    places = drawing_of(ruleset)
    if ruleset.family == "sowing":
        names = import_module("simulator.engine.families.sowing.notation").hole_name
        holes = {names(position, hole): count for hole, count in enumerate(position.holes)}
        return Counter(holes | {places.store_name(seat): count for seat, count in enumerate(position.stores)})
    if ruleset.family == "points":
        names = POINTS_BOARDS[ruleset.parameters["board"]].names
        return Counter(names[point] for seat in (0, 1) for point in position.pieces(seat))
    steps = ((seat, step) for seat, row in enumerate(position.pieces) for step in row)
    return Counter(places.place_name(ruleset.parameters, seat, step) for seat, step in steps)


def drawing_of(ruleset):
    return import_module(f"simulator.engine.families.{ruleset.family}.drawing")


def played_out(steps, held_before):
    """What is where after the steps, done by somebody who knows no rule."""
    now, hand = Counter(held_before), 0
    for kind, *names in steps:
        if kind == "lift":
            now[names[0]], hand = 0, now[names[0]]
        elif kind == "drop":
            now[names[0]] += 1
            hand -= 1
        elif kind == "take":
            now[names[0]] -= int(names[2])
            now[names[1]] += int(names[2])
        elif kind == "remove":
            now[names[0]] -= 1
        elif kind != "throw":
            if not names[0].startswith("hand"):
                now[names[0]] -= 1
            now[names[-1]] += 1
    return +now, hand


SETTLED = {"round_end", "layout", "loan", "endless", "barred", "matching"}  # what a new drawing shows, and no step


@pytest.mark.parametrize("slug", CHOSEN)
def test_what_moves_on_a_board_is_what_the_ply_did(slug):
    ruleset, shown = RULESETS[slug], 0
    for ply in game(slug, 300):
        if SETTLED & {event.kind for event in ply.played.events}:
            continue
        steps = drawing_of(ruleset).motion(ruleset.parameters, ply)
        after, hand = played_out(steps, held(ruleset, ply.before))
        assert after == +held(ruleset, ply.played.position), (ply.move, steps)
        assert hand == 0
        shown += bool(steps)
    assert shown > 5


def test_names_of_a_ring_stand_beside_its_holes():
    """They stood below the circles of the next holes, which hid half of them."""
    ruleset = shipped.load("sat-gol-reference")
    svg = ElementTree.fromstring(family("sowing").draw_start(ruleset))
    circles = [(float(one.get("cx")), float(one.get("cy")), float(one.get("r"))) for one in svg.iter(f"{SVG}circle")]
    names = [one for one in svg.iter(f"{SVG}text") if one.get("class") == "label"]
    assert len(names) == len(circles) == 7
    for name in names:
        x, y = float(name.get("x")), float(name.get("y")) - 8
        assert all(math.hypot(x - across, y - down) > radius for across, down, radius in circles), name.text
