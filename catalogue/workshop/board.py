"""The board painter: a sheet that takes clicks, and a form for everything that is done on it.

What is drawn is the document of a draft, or of a drawing that becomes the board of a record (`observing.py`): after
each stroke it is checked, and what is wrong is told with the nearest that would do. What was typed and could not be
taken is shown again. A script sends a click as the form beside the sheet would, so there is nothing that the forms
alone cannot do.
"""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import ModuleType
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from catalogue.models import Basis, Draft, Evidence, Picture
from catalogue.pages.pictures import pictures_for
from catalogue.play.game_view import start_board
from catalogue.texts.words import nearest_word
from catalogue.what_if import changes
from catalogue.workshop import checking, drafting
from catalogue.workshop.drafting import ChangedMeanwhile, WrongEdit
from catalogue.workshop.drafts import OPERATIONS, draft_route
from catalogue.workshop.ownership import draft_called, is_own
from catalogue.workshop.painter import holes, points, squares
from catalogue.workshop.painter.look import SNAPS, SYMMETRY_TITLES, Look, WrongPlace
from catalogue.workshop.painter.sheet import Under
from catalogue.workshop.views_of_draft import field_for
from simulator.engine.boards.drawings import WrongFigure
from simulator.engine.documents import is_too_deep, read_value, write_value

PAINTERS: dict[str, ModuleType] = {"points": points, "race": squares, "sowing": holes}
# What is drawn or said on this page, by family; and of these what is typed into a field of its own.
PAINTED = {
    "points": ("board", "first_pieces", "second_pieces", "first_array", "second_array", "regions"),
    "race": ("board", "seats", "pieces"),
    "sowing": ("rows", "holes_per_row", "counters_per_hole", "circuits", "owners", "start", "store_sown"),
}
TYPED = {
    "points": ("first_pieces", "second_pieces"),
    "race": ("seats", "pieces"),
    "sowing": ("rows", "holes_per_row", "counters_per_hole", "store_sown"),
}
LONGEST_DOCUMENT = 60_000
Done = tuple[str, Look]


class Easel:
    """What is painted, by whom, and where it is kept: a draft; others are drawn on as if they were one.

    draft: its document is what is drawn; address: of the painter; back: where one came from
    keeps: the button that ends the drawing, where there is one
    """

    what, keeps = "draft", ""

    def __init__(self, request: HttpRequest, draft: Draft) -> None:
        self.request, self.draft = request, draft
        self.address = reverse("draft-board", args=[draft.key])
        self.title, self.back = str(draft), draft.get_absolute_url()
        self.above = [(reverse("draft-list"), "Your drafts"), (self.back, self.title)]

    @property
    def painted(self) -> tuple[str, ...]:
        return PAINTED[self.draft.document["family"]]

    @property
    def typed(self) -> tuple[str, ...]:
        return TYPED[self.draft.document["family"]]

    @property
    def may_paint(self) -> bool:
        return is_own(self.request, self.draft) and self.draft.state == Draft.State.OPEN

    def tools(self) -> list[str]:
        found: list[str] = PAINTERS[self.draft.document["family"]].tools(self.draft.document)
        return found

    def again(self) -> "Easel":
        """The same as it is kept now."""
        return Easel(self.request, draft_called(self.request, self.draft.key))

    def records(self) -> list[Evidence]:
        return drafting.records_of(self.draft)

    def unfounded(self) -> list[str]:
        return _unfounded(self.draft)

    def save(self, before: Mapping[str, Any]) -> None:
        """before: its states when it was read. Raises ChangedMeanwhile, WrongEdit"""
        drafting.save(self.draft, self.draft.number, before)

    def end(self) -> HttpResponse:
        """End the drawing. Raises WrongEdit."""
        raise WrongEdit("A draft is kept as it is drawn.")


def _strike(draft: Draft, sent: QueryDict, look: Look) -> Done:
    """What a click with the tool does, or the form that says where."""
    painter = PAINTERS[draft.document["family"]]
    draft.document, did, look = painter.strike(draft.document, look, sent.get("at", "")[:2_000], "pointed" in sent)
    return did, look


def _figure(draft: Draft, sent: QueryDict, look: Look) -> Done:
    """Begin with a figure of the gallery; what stood on the board before goes."""
    offered = PAINTERS[draft.document["family"]].gallery()
    number = sent.get("figure", "")
    if not (number.isascii() and number.isdecimal() and int(number[:4]) < len(offered)):
        raise WrongEdit("Choose a figure of the gallery.")
    title, board, _ = offered[int(number)]
    gone = (
        {"circuits", "owners", "start"}
        if draft.document["family"] == "sowing"
        else {"first_array", "second_array", "regions"}
    )
    kept = {key: value for key, value in draft.document.items() if key not in gone}
    draft.document = {**kept, **(board if draft.document["family"] == "sowing" else {"board": board})}
    return f"Taken: {title}.", look.but(start="")


def _shape(draft: Draft, sent: QueryDict, look: Look) -> Done:
    if draft.document["family"] != "points":
        raise WrongEdit("Only boards of points have shapes.")
    draft.document, did = points.with_shape(draft.document, sent)
    return did, look.but(start="")


def _ways(draft: Draft, sent: QueryDict, look: Look) -> Done:
    if draft.document["family"] != "race":
        raise WrongEdit("Only tracks have ways that are typed.")
    draft.document, did = squares.with_ways(draft.document, sent)
    return did, look


def _fields(draft: Draft, sent: QueryDict, look: Look) -> Done:
    """Numbers that are typed."""
    kind, document = checking.kind_of(draft), dict(draft.document)
    for key in TYPED[kind.name]:
        words = sent.get(f"{changes.PREFIX}{key}", "").strip()
        if not words:
            continue
        document.pop(key, None)
        value = read_value(words, kind.schema["properties"][key])
        if not checking.at_off(kind, key, value):
            document[key] = value
    draft.document = document
    return "The numbers are as you say.", look


def _document(draft: Draft, sent: QueryDict, look: Look) -> Done:
    """The document as it is typed: it is kept if it is JSON, and then told what is wrong with it."""
    text = sent.get("text", "")
    keys = PAINTED[draft.document["family"]]
    if len(text) > LONGEST_DOCUMENT:
        raise WrongEdit(f"At most {LONGEST_DOCUMENT:,} characters, not {len(text):,}.")
    try:
        typed = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as wrong:
        raise WrongEdit(f"This is no JSON: line {wrong.lineno}, column {wrong.colno}: {wrong.msg}.") from None
    except (ValueError, RecursionError) as wrong:
        raise WrongEdit(f"This cannot be read: {str(wrong)[:100]}.") from None
    if not isinstance(typed, dict) or is_too_deep(typed):
        raise WrongEdit(f"The document is an object with {', '.join(keys)}.")
    if strange := next((key for key in typed if key not in keys), None):
        raise WrongEdit(f"“{strange[:60]}” is not drawn here; nearest: “{nearest_word(strange, keys)}”.")
    kept = {key: value for key, value in draft.document.items() if key not in keys}
    draft.document = {**kept, **typed}
    return "The document is as you typed it.", look.but(start="")


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _rest(draft: Draft, sent: QueryDict, look: Look) -> Done:
    """Say what the drawing rests on: a drawing of the source, or conjecture."""
    basis, keys = sent.get("basis", ""), _unfounded(draft)
    wanted = [key for key in sent.getlist("key") if key in keys]
    if not wanted:
        raise WrongEdit("Tick what shall rest on it.")
    if basis == Basis.CONJECTURE:
        return drafting.conjecture(draft, wanted), look
    if basis != Basis.DRAWN:
        raise WrongEdit(f"It is drawn, or conjecture, not {basis[:40]!r}.")
    kind = checking.kind_of(draft)
    record, _, number = look.picture.partition(":")
    seen = f"So it is drawn in picture {number} of {record}." if number.isdecimal() else "So it is drawn in the record."
    for key in wanted:
        said = checking.said(kind, draft.document, key)
        drafting.set_rule(draft, key, draft.document[key], Basis.DRAWN, text=f"{said}\n\n{seen}")
    return f"{len(wanted)} {'rule is' if len(wanted) == 1 else 'rules are'} drawn.", look


def _unfounded(draft: Draft) -> list[str]:
    """What is drawn here and rests on nothing yet."""
    kind = checking.kind_of(draft)
    there = [key for key in PAINTED[kind.name] if key in draft.document]
    return [
        key
        for key in there
        if not checking.at_off(kind, key, draft.document[key]) and not drafting.is_covered(draft, key)
    ]


def _as_there(name: str) -> Callable[[Draft, QueryDict, Look], Done]:
    """An operation of the draft's own page."""
    return lambda draft, sent, look: (OPERATIONS[name](draft, sent), look.but(start=""))


ACTS: dict[str, Callable[[Draft, QueryDict, Look], Done]] = {
    "strike": _strike,
    "figure": _figure,
    "shape": _shape,
    "ways": _ways,
    "fields": _fields,
    "document": _document,
    "rest": _rest,
    "undo": _as_there("undo"),
    "redo": _as_there("redo"),
    "repair": _as_there("repair"),
}
END = "end"  # the button that ends a drawing


@draft_route("board/", name="draft-board", methods="GET POST", status=404)
@never_cache
def board(request: HttpRequest, key: str) -> HttpResponse:
    return paint(Easel(request, draft_called(request, key)))


def paint(easel: Easel) -> HttpResponse:
    """The painter: what is sent is done on the easel."""
    request, draft = easel.request, easel.draft
    look = _look(draft, request.POST if request.method == "POST" else request.GET)
    if request.method != "POST":
        return _page(easel, look)
    if not easel.may_paint:
        raise PermissionDenied("Only its maker changes a draft, while it is being made.")
    sent = request.POST
    act = ACTS.get(sent.get("act", ""))
    if act is None and sent.get("act") != END:
        return _page(easel, look, sent, "Nothing was done: that button is not known here.")
    before, number = drafting.states_as_in(draft), sent.get("number", "")
    try:
        if not number.isdecimal() or int(number) != draft.number:
            raise ChangedMeanwhile
        if act is None:
            return easel.end()
        did, look = act(draft, sent, look)
        draft.document = _in_order(draft)
        if sent["act"] not in ("undo", "redo"):
            _follow(draft, before["document"])
        easel.save(before)
    except ChangedMeanwhile:
        wrong = (
            f"This {easel.what} was saved elsewhere since you opened this page: below is what is there now. "
            "Do it once more."
        )
        return _page(easel.again(), look, sent, wrong, HTTPStatus.CONFLICT)
    except WrongFigure as error:
        near = f" Nearest valid: {error.near}." if error.near is not None else ""
        wrong = f"{error.where or 'The figure'}: {error.message}.{near}"
        return _page(easel.again(), look, sent, wrong)
    except (WrongEdit, WrongPlace) as error:
        return _page(easel.again(), look, sent, str(error))
    messages.success(request, did)
    return redirect(f"{easel.address}{look.address()}")


def _in_order(draft: Draft) -> dict[str, Any]:
    """The document in its order, without what is as it is anyway."""
    kind = checking.kind_of(draft)
    drawn = PAINTED[kind.name]
    said = {
        key: value for key, value in draft.document.items() if key not in drawn or not checking.at_off(kind, key, value)
    }
    return checking.in_order(kind, said)


def _look(draft: Draft, given: Mapping[str, Any]) -> Look:
    painter = PAINTERS[draft.document["family"]]
    return Look.read(given, painter.TOOLS, **painter.USUAL)


def _follow(draft: Draft, before: Mapping[str, Any]) -> None:
    """Let clauses that say in our words what was drawn say what is drawn now."""
    kind = checking.kind_of(draft)
    for clause in draft.clauses:
        keys = clause["parameters"]
        if len(keys) != 1 or keys[0] not in PAINTED[kind.name] or before.get(keys[0]) == draft.document.get(keys[0]):
            continue
        rule, gap, remark = clause["text"].partition("\n\n")
        if rule == checking.said(kind, before, keys[0]):
            clause["text"] = f"{checking.said(kind, draft.document, keys[0])}{gap}{remark}"
    draft.clauses = list(draft.clauses)


def _pictures(easel: Easel) -> list[tuple[str, Picture]]:
    """(how an address names it, the picture) of the records that are drawn, those that can be drawn over."""
    return [
        (f"{record.identifier}:{picture.number}", picture)
        for record in easel.records()
        for picture in pictures_for(easel.request, record)
        if picture.taken_down_on is None and picture.is_here
    ]


def _under(pictures: list[tuple[str, Picture]], look: Look) -> Under | None:
    picture = dict(pictures).get(look.picture)
    if picture is None:
        return None
    shape = picture.shape
    address = reverse("picture-file", args=[picture.small])
    return Under(address, shape["width"], shape["height"], picture.description)


def written(document: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    """The part of a document that is drawn, a point and a line of the board to a line."""
    parts = []
    for key in keys:
        if key not in document:
            continue
        value = document[key]
        if key == "board" and isinstance(value, dict):
            inner = ",\n".join(
                f"    {json.dumps(name, ensure_ascii=False)}: {_wrapped(part)}" for name, part in value.items()
            )
            parts.append(f'  "board": {{\n{inner}\n  }}')
        else:
            parts.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}"


def _wrapped(part: Any) -> str:
    """A list or an object of a board, some parts to a line."""
    whole = json.dumps(part, ensure_ascii=False)
    if len(whole) < 60 or not isinstance(part, dict | list):
        return whole
    if keyed := isinstance(part, dict):
        named = [f"{json.dumps(name)}: {json.dumps(one, ensure_ascii=False)}" for name, one in part.items()]
    else:
        named = [json.dumps(one, ensure_ascii=False) for one in part]
    lines, room = [""], 50
    for one in named:
        if len(lines[-1]) + len(one) > room and lines[-1]:
            lines.append("")
        lines[-1] += f"{one}, "
    text = "\n      ".join(line.rstrip() for line in lines).rstrip(",")
    return f"{'{' if keyed else '['}\n      {text}\n    {'}' if keyed else ']'}"


def _page(
    easel: Easel,
    look: Look,
    sent: Mapping[str, Any] | None = None,
    wrong: str = "",
    status: HTTPStatus = HTTPStatus.BAD_REQUEST,
) -> HttpResponse:
    """sent: what was typed and could not be taken, to be shown again"""
    sent, draft = sent or {}, easel.draft
    kind = checking.kind_of(draft)
    painter = PAINTERS[kind.name]
    pictures = _pictures(easel)
    if not look.picture and pictures:
        look = look.but(picture=pictures[0][0])
    under = _under(pictures, look)
    found = checking.checked(draft.document)
    ruleset = found.ruleset or found.near
    typed_again = sent.get("act", "") if wrong else ""
    numbers = [
        field_for(kind, draft.document, key, _typed(draft, key, sent if typed_again == "fields" else {}), "board")
        for key in easel.typed
    ]
    unfounded = easel.unfounded()
    text = sent.get("text", "") if typed_again == "document" else written(draft.document, easel.painted)
    context = {
        "draft": draft,
        "easel": easel,
        "is_own": easel.may_paint,
        "found": found,
        "wrong": wrong,
        "look": look,
        "under": under,
        "tools": [(name, *painter.TOOLS[name], look.address(tool=name, start="")) for name in easel.tools()],
        "tool": painter.TOOLS[look.tool],
        "sheet": painter.sheet(draft.document, look, under),
        "told": list(painter.told(draft.document)),
        "gallery": painter.gallery(),
        "pictures": pictures,
        "snaps": SNAPS.items(),
        "symmetries": SYMMETRY_TITLES.items(),
        "text": text,
        "at": sent.get("at", "") if typed_again == "strike" and "pointed" not in sent else "",
        "numbers": numbers,
        "unfounded": [(key, kind.title_of(key)) for key in unfounded],
        "is_board_unfounded": "board" in unfounded,
        "is_begun": any(draft.document.get(key) for key in ("board", "holes_per_row")),
        "family": kind,
        "board": start_board(ruleset) if ruleset and found.ruleset else None,
        "end_address": look.address(start=""),
    }
    if kind.name == "points":
        context |= {
            "shapes": _shapes(draft, sent if typed_again == "shape" else {}),
            "sizes": points.SHAPE_FIELDS,
            "joins": points.JOINS,
        }
    if kind.name == "race":
        again = sent if typed_again == "ways" else {}
        context["ways"] = [(seat, again.get(f"way-{seat}", way)) for seat, way in squares.ways_of(draft.document)]
        context["home_row"] = again.get("home_row", squares.track_in(draft.document)[0].home_row)
    return render(easel.request, "workshop/board.html", context, status=status if wrong else HTTPStatus.OK)


def _typed(draft: Draft, key: str, sent: Mapping[str, Any]) -> str:
    value = draft.document.get(key, checking.kind_of(draft).schema["properties"][key].get("default"))
    return str(sent.get(f"{changes.PREFIX}{key}", "" if value is None else write_value(value)))


NEW_SHAPE = {
    "kind": "grid",
    "one": 5,
    "two": 5,
    "joins": "off",
    "sides": 4,
    "at": "0,0",
    "turn": 0,
    "scale": 1,
    "centre": False,
}


def _shapes(draft: Draft, sent: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """(its number, its fields) of each shape of the figure, and an empty number for another one."""
    shapes = [(str(number), shape) for number, shape in enumerate(points.shapes_of(draft.document))]
    every = [*shapes, ("", dict(NEW_SHAPE))]
    typed = {name: sent[name] for name in NEW_SHAPE if name in sent}
    return [
        (number, {**shape, **typed} if sent and number == sent.get("shape", "") else shape) for number, shape in every
    ]
