"""The painter of points and lines: figures and their shapes, lines drawn through points, who stands where, regions."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from itertools import pairwise
from math import hypot
from typing import Any

from catalogue.texts.words import nearest_word
from catalogue.workshop.painter.look import LONGEST, Look, WrongPlace, place_typed, where
from catalogue.workshop.painter.sheet import Canvas, Under, sketched, spot
from simulator.engine.boards.drawings import Place, WrongFigure
from simulator.engine.boards.figures import read_board
from simulator.engine.boards.points import BOARDS
from simulator.engine.boards.shapes import SHAPES
from simulator.engine.boards.strokes import SYMMETRIES, Figure, erase, figure_of, stroke
from simulator.engine.documents import parse, schema_errors
from simulator.engine.family import family
from simulator.engine.ruleset import RulesetProblem
from simulator.engine.tables import table_of

SIDES = ("first", "second")
FIGURES = table_of(family("points").schema["properties"]["board"])
# What a click does, and what is told of it.
TOOLS = {
    "line": ("Lines", "Click where a line begins, then where it goes on; click its last point again to end it."),
    "point": ("Points", "Click where a point is."),
    "bend": ("Bent lines", "As lines, but pieces follow them round their bends, as round a circle."),
    "out": ("Take out", "Click a point or a piece of line to take it out."),
    "first": ("First player", "Click the points where his pieces stand at the start; once more takes one away."),
    "second": ("Second player", "Click the points where his pieces stand at the start; once more takes one away."),
    "shape": ("Place a shape", "Say below which; then click where its middle shall be."),
    "region": ("Region", "Name it below; then click its points."),
}
USUAL: dict[str, Any] = {}
MAKING = ("line", "point", "bend", "shape")
CLOSE = 0.45  # steps from a point at which a click means it
SHAPE_FIELDS = {
    "grid": ("points wide", "points high"),
    "cross": ("points an arm is wide", "points it is long"),
    "rings": ("rings", "points round each; 0: squares with middles"),
    "triangle": ("points from apex to base", "lines from the apex"),
    "star": ("tips", ""),
}
JOINS = (
    ("off", "none"),
    ("alternating", "diagonals, every second"),
    ("between", "diagonals, the others"),
    ("all", "both diagonals everywhere"),
    ("meeting", "both, with a point where they meet"),
    ("dark", "squares of one colour, the lower left among them"),
    ("light", "squares of the other colour"),
    ("corners", "rings joined at corners"),
    ("middles", "rings joined at middles"),
    ("both", "rings joined at both"),
)
OFFERED: tuple[tuple[str, Any], ...] = (
    ("Three by three, alternating", {"shapes": [{"grid": [3, 3], "diagonals": "alternating"}]}),
    ("Alquerque: five by five", {"shapes": [{"grid": [5, 5], "diagonals": "alternating"}]}),
    ("Plain grid, five by five", {"shapes": [{"grid": [5, 5]}]}),
    ("Crossed squares", {"shapes": [{"grid": [4, 3], "diagonals": "meeting"}]}),
    ("Cross, arms of three", {"shapes": [{"cross": [3, 7], "diagonals": "alternating"}]}),
    ("Two rings, joined", {"shapes": [{"rings": 2, "joined": "middles"}]}),
    ("Wheel of eight", {"shapes": [{"rings": 1, "round": 8, "joined": "corners", "centre": True}]}),
    ("Circles of twelve", {"shapes": [{"rings": 3, "round": 12, "joined": "corners"}]}),
    ("Triangle", {"shapes": [{"triangle": 4, "lines": 3}]}),
    ("Star of five", {"shapes": [{"star": 5}]}),
    (
        "Grid with a triangle",
        {"shapes": [{"grid": [5, 5], "diagonals": "alternating"}, {"triangle": 3, "at": [0, 3], "turn": 180}]},
    ),
    ("Squares, eight by eight", {"shapes": [{"grid": [8, 8]}]}),
)


def tools(document: Mapping[str, Any]) -> list[str]:
    """The tools that there is something to do with."""
    return [tool for tool in TOOLS if tool != "shape" or shapes_of(document)]


@cache
def gallery() -> tuple[tuple[str, Any, Any], ...]:
    """(title, board of a document, its drawing) of figures to begin with."""
    named = [(board.title, name) for name, board in BOARDS.items()]
    return tuple((title, board, sketch(board)) for title, board in (*OFFERED[:3], *named, *OFFERED[3:]))


def sketch(value: Any) -> Any:
    board, _ = read_board(value)
    places = [(point.x, point.y) for point in board.points]
    lines = [[places[point] for point in line] for line in board.lines]
    return sketched(lines, places, board.is_chequered)


def figure_in(document: Mapping[str, Any]) -> tuple[Figure, str]:
    """The figure of a document, and why it cannot be drawn; then it is an empty one."""
    try:
        return figure_of(document.get("board")), ""
    except WrongFigure as wrong:
        near = f" Nearest valid: {wrong.near}." if wrong.near is not None else ""
        return Figure(), f"{wrong.where or 'The figure'}: {wrong.message}.{near}"
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError):
        return Figure(), "The board is no figure: its document below says how it is written."


def _with(document: Mapping[str, Any], figure: Figure) -> dict[str, Any]:
    """The document with a figure in the place of its board, and points called otherwise by their new names."""
    found = deepcopy(dict(document))
    found["board"] = figure.document()
    for side in SIDES:
        key = f"{side}_array"
        if isinstance(found.get(key), list):
            found[key] = [figure.called[name] for name in _names(found[key]) if name in figure.called]
    regions = found["regions"] if isinstance(found.get("regions"), dict) else {}
    for name, points in list(regions.items()):
        kept = [figure.called.get(one, "" if _is_point(one) else one) for one in _names(points)]
        regions[name] = [one for one in kept if one]
        if not regions[name]:
            del regions[name]
    return _without_empty(found)


KNOWN = ("edge", "corners", "centre", "all")


def _is_point(word: str) -> bool:
    return word not in KNOWN and "-" not in word and not word.startswith("not ")


def _without_empty(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if value not in ([], {})}


def _plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with regions and arrays as lists of names, where it can be played; then no ranges are lost."""
    try:
        parameters = parse(document).parameters
    except RulesetProblem:
        return dict(document)
    plain = {key: parameters[key] for key in ("first_array", "second_array", "regions") if key in document}
    return {**document, **plain}


def _places(figure: Figure, words: str, look: Look, pointed: bool) -> list[Place]:
    """The places that words mean: names of points, or places. Raises WrongPlace."""
    found = []
    for word in words.replace(", ", ",").split():
        if place := place_typed(word, look, pointed):
            found.append(_near(figure, word, look, place) if pointed else place)
        elif word in figure.points:
            found.append(figure.points[word])
        else:
            near = nearest_word(word, figure.points) if figure.points else None
            instead = f"; nearest: {near}" if near else ""
            raise WrongPlace(f"No point is called {word[:LONGEST]}{instead}. A place is written -2,1.5: right, and up.")
    if not found:
        raise WrongPlace("Say where: a point by its name, or a place as -2,1.5: so far right, and so far up.")
    return found


def _near(figure: Figure, word: str, look: Look, place: Place) -> Place:
    """The point that is meant by a click near it; of a tool that makes points, where the click falls on the grid."""
    if look.tool in MAKING or not figure.points:
        return place
    x, y = map(float, word.split(","))
    nearest = min(figure.points.values(), key=lambda one: hypot(float(one[0]) - x, float(one[1]) - y))
    return nearest if hypot(float(nearest[0]) - x, float(nearest[1]) - y) < CLOSE else place


def _figure(document: Mapping[str, Any]) -> Figure:
    figure, wrong = figure_in(document)
    if wrong:
        raise WrongPlace(f"{wrong} Put that right first, or take a figure from the gallery.")
    return figure


def strike(document: Mapping[str, Any], look: Look, words: str, pointed: bool) -> tuple[dict[str, Any], str, Look]:
    """Do what the tool does at a place. Raises WrongPlace, WrongFigure."""
    figure = _figure(document)
    places = _places(figure, words, look, pointed)
    if look.tool == "shape":
        return (*_placed(document, look, places[0]), look)
    if look.tool in ("first", "second", "region"):
        names = [_named(figure, place) for place in places]
        return (*_stand(document, look, figure, names), look)
    document, before = _plain(document), len(figure.points)
    if look.tool == "out":
        erase(figure, places, look.symmetry)
        figure.tidy()
        return _with(document, figure), f"Taken out. {summary(figure)}", look.but(start="")
    if look.tool == "point":
        for place in places:
            stroke(figure, [place], look.symmetry)
        figure.tidy()
        added = len(figure.points) - before
        return _with(document, figure), f"{added} {'point' if added == 1 else 'points'} more. {summary(figure)}", look
    if look.start and len(places) == 1 and look.start in figure.points:
        start = figure.points[look.start]
        if places[0] == start:
            return dict(document), "The line ends here.", look.but(start="")
        places = [start, *places]
    names = stroke(figure, places, look.symmetry, bends=look.tool == "bend")
    last = places[-1]
    figure.called |= {name: name for name in names}
    figure.tidy()
    end = next(name for name, place in figure.points.items() if place == last)
    did = "A line begins" if len(places) == 1 else "A line goes on"
    goes_on = look.but(start=end) if pointed else look.but(start="")
    return _with(document, figure), f"{did} at {end}. {summary(figure)}", goes_on


def _named(figure: Figure, place: Place) -> str:
    name = next((name for name, there in figure.points.items() if there == place), "")
    if not name:
        raise WrongPlace("No point is there: click a point, or draw one first.")
    return name


def _stand(document: Mapping[str, Any], look: Look, figure: Figure, names: Sequence[str]) -> tuple[dict[str, Any], str]:
    """Let pieces stand on points, or take them away; the same with the points of a region."""
    found = deepcopy(_plain(document))
    where = {place: name for name, place in figure.points.items()}
    every = [
        other
        for name in names
        for image in SYMMETRIES[look.symmetry]
        if (other := where.get(image(figure.points[name])))
    ]
    if look.tool == "region":
        if not look.name:
            raise WrongPlace("Name the region first, in small letters, as castle or home_row.")
        regions = found["regions"] = found["regions"] if isinstance(found.get("regions"), dict) else {}
        regions[look.name] = _toggled(_names(regions.get(look.name)), every, list(figure.points))
        points = regions[look.name] or "nothing"
        if not regions[look.name]:
            del regions[look.name]
        told = f"The {look.name}: {', '.join(points) if isinstance(points, list) else points}."
        return _without_empty(found), told
    key, other_key = f"{look.tool}_array", f"{SIDES[look.tool == 'first']}_array"
    found[key] = _toggled(_names(found.get(key)), every, list(figure.points))
    found[other_key] = [name for name in _names(found.get(other_key)) if name not in found[key]]
    pieces, more = f"{look.tool}_pieces", ""
    if not isinstance(found.get(pieces), int) or len(found[key]) > found[pieces]:
        found[pieces] = len(found[key])
        more = f" He has {found[pieces]} in all."
    return _without_empty(found), f"The {look.tool} player stands on {', '.join(found[key]) or 'nothing'}.{more}"


def _toggled(there: Sequence[str], names: Sequence[str], order: Sequence[str]) -> list[str]:
    """Names with some put in, or all of these taken out if all are there already."""
    kept = {name for name in there if name in order}
    kept = kept - {*names} if {*names} <= kept else kept | {*names}
    return [name for name in order if name in kept]


# Shapes


def shapes_of(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The shapes of a board, as a form has them."""
    board = document.get("board")
    shapes = board.get("shapes", []) if isinstance(board, dict) else []
    return [_as_form(shape) for shape in shapes if isinstance(shape, dict)] if isinstance(shapes, list) else []


def _as_form(shape: Mapping[str, Any]) -> dict[str, Any]:
    kind = next((kind for kind in SHAPES if kind in shape), "grid")
    size = shape.get(kind, "")
    one, two = (size[0], size[1]) if isinstance(size, list) and len(size) == 2 else (size, "")
    two = {"rings": shape.get("round", 0), "triangle": shape.get("lines", 3)}.get(kind, two)
    at = shape.get("at", [0, 0])
    written = ",".join(f"{part}" for part in at) if isinstance(at, list) else ""
    joins = shape.get("joined", "off") if kind == "rings" else shape.get("colour", shape.get("diagonals", "off"))
    plain = {
        name: shape.get(name, usual) for name, usual in (("sides", 4), ("turn", 0), ("scale", 1), ("centre", False))
    }
    return {"kind": kind, "one": one, "two": two, "joins": joins, "at": written, **plain}


def shape_from(given: Mapping[str, Any]) -> dict[str, Any]:
    """A shape from its form. Raises WrongPlace."""
    kind = str(given.get("kind", ""))
    if kind not in SHAPES:
        raise WrongPlace(f"A shape is one of {', '.join(SHAPES)}.")
    one, two = _whole(given, "one"), _whole(given, "two")
    shape: dict[str, Any] = {kind: [one, two] if kind in ("grid", "cross") else one}
    joins = str(given.get("joins", "off"))
    if kind == "rings":
        shape |= {"round": two} if two else {"sides": _whole(given, "sides") or 4}
        shape |= {"joined": joins if joins in ("corners", "middles", "both") else "off"}
        shape |= {"centre": True} if given.get("centre") else {}
    elif kind in ("grid", "cross"):
        shape["diagonals"] = joins if joins in ("alternating", "between", "all", "meeting") else "off"
        shape |= {"colour": joins} if kind == "grid" and joins in ("dark", "light") else {}
    elif kind == "triangle":
        shape["lines"] = two or 3
    for name, usual in (("turn", 0), ("scale", 1)):
        value = _number(given, name, usual)
        shape |= {name: value} if value != usual else {}
    place = place_typed(str(given.get("at", "")).replace(" ", "") or "0,0", Look(), False)
    if place is None:
        raise WrongPlace("Its middle is a place, as 0,3: so far right, and so far up.")
    at = [float(part) if part.denominator > 1 else int(part) for part in place]
    shape |= {"at": at} if at != [0, 0] else {}
    return {name: value for name, value in shape.items() if value != "off"}


def _placed(document: Mapping[str, Any], look: Look, place: Place) -> tuple[dict[str, Any], str]:
    """Move a shape: its middle lies at a place."""
    shapes = shapes_of(document)
    if not shapes:
        raise WrongPlace("The figure has no shapes: add one first.")
    number = min(max(look.count, 1), len(shapes)) - 1
    at = ",".join(f"{float(part):g}" for part in place)
    found, _ = with_shape(document, {**shapes[number], "shape": str(number), "at": at})
    return found, f"The middle of shape {number + 1} is at {at}."


def _whole(given: Mapping[str, Any], name: str) -> int:
    text = str(given.get(name, "")).strip() or "0"
    if not (text.isascii() and text.isdecimal()):
        raise WrongPlace(f"A shape has whole numbers, not {text[:LONGEST]}.")
    return int(text[:6])


def _number(given: Mapping[str, Any], name: str, usual: float) -> float:
    text = str(given.get(name, "")).strip() or str(usual)
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        raise WrongPlace(f"Its {name} is a number, not {text[:LONGEST]}.") from None
    return int(value) if value == int(value) else value


def with_shape(document: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Add a shape, change one, or take one out; the board's other parts stay. Raises WrongPlace, WrongFigure."""
    found = deepcopy(dict(document))
    board = found.get("board")
    shapes = list(board.get("shapes", [])) if isinstance(board, dict) else []
    which = str(given.get("shape", ""))
    place = int(which) if which.isascii() and which.isdecimal() else len(shapes)
    if "leave" in given:
        shapes = shapes[:place] + shapes[place + 1 :]
    else:
        shapes[place : place + 1] = [shape_from(given)]
    if isinstance(board, dict) and (board.get("points") or board.get("lines")):
        hand = {key: board[key] for key in ("points", "lines") if board.get(key)}
        kept = {**board, "shapes": shapes}
        kept["also"] = {**kept.get("also", {}), **hand}
        kept = {key: value for key, value in kept.items() if key not in ("points", "lines")}
    else:
        kept = {**(board if isinstance(board, dict) else {}), "shapes": shapes}
    kept = {key: value for key, value in kept.items() if value not in ([], {})}
    if kept:
        if wrong := schema_errors(kept, FIGURES):
            raise WrongPlace(f"{wrong[0]}.")
        read_board(kept)
    found["board"] = kept
    return _without_empty(found), f"{len(shapes)} {'shape' if len(shapes) == 1 else 'shapes'} in the figure."


# What is seen and heard


def summary(figure: Figure) -> str:
    points, pieces = len(figure.points), len(_pieces(figure))
    return f"{points} points, {pieces} pieces of line, {len(figure.lines)} lines."


def _pieces(figure: Figure) -> list[tuple[str, str]]:
    order = {name: place for place, name in enumerate(figure.points)}
    steps = {tuple(sorted(step, key=order.__getitem__)) for line in figure.lines for step in pairwise(line)}
    return sorted(steps, key=lambda step: (order[step[0]], order[step[1]]))  # type: ignore[arg-type]


def told(document: Mapping[str, Any]) -> Iterator[str]:
    """The board in sentences, point by point: what it is joined to, and who stands there."""
    figure, wrong = figure_in(document)
    if wrong:
        yield wrong
        return
    beside: dict[str, list[str]] = {name: [] for name in figure.points}
    for one, other in _pieces(figure):
        beside[one].append(other)
        beside[other].append(one)
    standing = {name: side for side in SIDES for name in _names(document.get(f"{side}_array"))}
    regions = document.get("regions") if isinstance(document.get("regions"), dict) else {}
    for name, (x, y) in figure.points.items():
        at = f"{name}, {where(float(x), float(y))}"
        joined = f"joined to {', '.join(beside[name])}" if beside[name] else "joined to nothing"
        stands = f"; the {standing[name]} player stands here" if name in standing else ""
        within = "".join(f"; in the {region}" for region, points in (regions or {}).items() if name in _names(points))
        yield f"{at}: {joined}{stands}{within}."
    for line in figure.lines:
        if len(line) > 2:
            yield f"A line goes {'round' if line[0] == line[-1] else 'on'} from {' to '.join(line)}."


def _names(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def sheet(document: Mapping[str, Any], look: Look, under: Under | None) -> Any:
    """The figure on its sheet."""
    figure, _ = figure_in(document)
    points = {name: (float(x), float(y)) for name, (x, y) in figure.points.items()}
    canvas = Canvas.round(points.values(), look, under)
    canvas.dots()
    ends = {name: canvas.at(*place) for name, place in points.items()}
    for one, other in _pieces(figure):
        (a, b), (c, d) = ends[one], ends[other]
        path = f'd="M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}"'
        title = f"The line from {one} to {other}"
        canvas.add(
            spot(
                f"{one} {other}",
                title,
                f'<path class="halo" {path}/><path class="reach" {path}/><path class="piece-of-line" {path}/>',
            )
        )
    regions = document.get("regions") if isinstance(document.get("regions"), dict) else {}
    within = {name for region in (regions or {}).values() for name in _names(region)}
    standing = {name: side for side in SIDES for name in _names(document.get(f"{side}_array"))}
    for name, (x, y) in ends.items():
        shapes = f'<circle class="reach" cx="{x:.1f}" cy="{y:.1f}" r="15"/>'
        if name in within:
            shapes += f'<rect class="region" x="{x - 16:.1f}" y="{y - 16:.1f}" width="32" height="32"/>'
        side = standing.get(name)
        if side == "first":
            shapes += f'<circle class="piece side-0" cx="{x:.1f}" cy="{y:.1f}" r="12"/>'
        elif side == "second":
            shapes += f'<rect class="piece side-1" x="{x - 11:.1f}" y="{y - 11:.1f}" width="22" height="22" rx="3"/>'
        else:
            shapes += f'<circle class="end{" start" if name == look.start else ""}" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'
        shapes += canvas.words(x + 15, y - 9, name)
        title = f"{name}: the {side} player stands here" if side else name
        canvas.add(spot(name, title, shapes))
    return canvas.svg("The board as it is drawn", summary(figure))
