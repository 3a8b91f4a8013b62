"""The board of a record without words, and what is seen on it: entered, corrected, taken back.

The board comes from a draft that rests on the record, from a ruleset that was read from it, is drawn, or is typed.
Observations name its lines and points, so it is settled first, and stays while any observation names what another has
not.
"""

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.cache import never_cache

from catalogue.evidence.worn import draw_observed
from catalogue.history.histories import deleted_for, write_recorded
from catalogue.models import Draft, Evidence, Observation, Source
from catalogue.models.lookup import NothingHere, nearest_key, record_called
from catalogue.models.observations import POINTS, board_of, canonical_board, lines_of
from catalogue.models.querysets import with_versions
from catalogue.pages.answers import RefusableForm, form_page
from catalogue.web.routes import routes_below
from catalogue.workshop.board import Easel, paint
from catalogue.workshop.drafting import WrongEdit, remember
from catalogue.workshop.painter.points import gallery
from simulator.engine.boards.figures import read_board
from simulator.engine.boards.points import BOARDS, Board
from simulator.engine.ruleset import nearest

MAY_SET, MAY_ADD, MAY_CHANGE, MAY_DELETE = (
    "catalogue.change_evidence",
    "catalogue.add_observation",
    "catalogue.change_observation",
    "catalogue.delete_observation",
)
FIRST, CORRECTED = "Entered in the workshop", "Corrected in the workshop"
BOARD_SET = "Board set in the workshop"
DRAWINGS = "drawings"  # the key of a session under which boards are that are being drawn for records
MOST_DRAWINGS = 5
OF_GAMES = ("first", "second", "region")  # tools of what stands on a board, or is played there
WRITTEN = "written"  # the answer that the board is the one that is typed


def boards_for(record: Evidence, user: Any) -> list[tuple[str, str, Any]]:
    """The boards that a record may have: of rulesets read from it, and of drafts that rest on it and are the user's.

    Each with a word for it, what it is called, and the board as a document has it.
    """
    found: list[tuple[str, str, Any]] = []
    for read in with_versions(record.readings.all()):
        document = read.version.ruleset.document if read.version else {}
        if read.version and document.get("family") == POINTS:
            found.append((f"ruleset-{read.version.ruleset_id}", f"as in “{read.reading.title}”", document.get("board")))
    for draft in Draft.objects.filter(records=record, maker=user).order_by("-changed"):
        if draft.document.get("family") == POINTS and draft.document.get("board"):
            found.append((f"draft-{draft.key}", f"as in your draft “{draft}”", draft.document["board"]))
    return found


class BoardForm(RefusableForm, forms.Form):
    """Which board the drawing of a record shows."""

    board = forms.ChoiceField(label="Its board", widget=forms.RadioSelect)
    written = forms.CharField(
        required=False,
        max_length=60_000,
        label="The board as it is typed",
        help_text=f"The name of a board, as “{next(iter(BOARDS))}”, or its points and lines as a ruleset has them.",
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, record: Evidence, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.record = record
        offered = boards_for(record, user)
        self.boards = {word: board for word, _, board in offered}
        choices: list[tuple[str, Any]] = [(word, words) for word, words, _ in offered]
        for number, (title, board, picture) in enumerate(gallery()):
            self.boards[f"figure-{number}"] = board
            choices.append((f"figure-{number}", format_html("{} {}", picture, title)))
        self.fields["board"].choices = [*choices, (WRITTEN, "as typed below")]  # type: ignore[attr-defined]
        if not self.is_bound:
            kept = record.board.get("board") if record.board else None
            self.initial["written"] = kept if isinstance(kept, str) else json.dumps(kept) if kept else ""
            same = next((word for word, board in self.boards.items() if kept and board == kept), WRITTEN)
            self.initial["board"] = same if kept or not offered else offered[0][0]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if "board" not in cleaned:
            return cleaned
        typed = cleaned["board"] == WRITTEN
        try:
            cleaned["found"] = canonical_board(
                self._typed(cleaned["written"]) if typed else self.boards[cleaned["board"]]
            )
            self._check_observed(cleaned["found"])
        except ValidationError as problem:
            self.add_error("written" if typed else "board", problem)
        return cleaned

    def _typed(self, text: str) -> Any:
        text = text.strip()
        if not text:
            raise ValidationError("Type the board, or choose one above.")
        if not text.startswith("{"):
            known = {title.casefold(): board for title, board, _ in gallery()} | {name: name for name in BOARDS}
            known |= {title.partition(":")[0]: board for title, board in known.items() if ":" in title}
            if (called := text.casefold()) not in known:
                raise ValidationError(
                    f"There is no board called “{text[:40]}”; the nearest is {nearest(called, list(known))}."
                )
            return known[called]
        try:
            return json.loads(text)
        except (json.JSONDecodeError, RecursionError) as problem:
            raise ValidationError(f"It cannot be read: {problem}.") from problem

    def _check_observed(self, found: dict[str, Any]) -> None:
        """Raises ValidationError if something was seen on a line or a point that this board does not have."""
        board = read_board(found["board"])[0]
        known = {*board.names, *lines_of(board)}
        for seen in self.record.observations.all():
            if missing := [place for place in (*seen.places, *seen.than) if place not in known]:
                raise ValidationError(f"Observation {seen.number} is of {missing[0]}, which this board does not have.")

    def save(self) -> None:
        self.record.board = self.cleaned_data["found"]
        write_recorded(self.record, self.record.save, BOARD_SET)


class ObservationForm(RefusableForm, forms.ModelForm):
    """One observation; lines and points are chosen by name, or by pointing at the drawing."""

    places = forms.MultipleChoiceField(
        required=False, label="Which lines or points", widget=forms.CheckboxSelectMultiple
    )
    than = forms.MultipleChoiceField(
        required=False,
        label="More worn than these",
        help_text="Only for an order; leave it empty where you say how worn they are.",
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Observation
        fields = ("grade", "words", "source", "locator", "observer", "means", "certainty")
        widgets = {"words": forms.Textarea(attrs={"rows": 3}), "source": forms.TextInput}
        help_texts = {"source": "Its key, for example parker-1909. Empty if you saw the board yourself."}

    source = forms.CharField(required=False, label="The source", max_length=80)

    def __init__(self, *args: Any, record: Evidence, board: Board, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.record, self.instance.evidence = record, record
        self.lines, self.points = lines_of(board), list(board.names)
        every = [(name, name) for name in (*self.lines, *self.points)]
        for name in ("places", "than"):
            self.fields[name].choices = every  # type: ignore[attr-defined]
            self.initial.setdefault(name, getattr(self.instance, name))
        self.fields["source"].help_text = self.Meta.help_texts["source"]
        if self.instance.source_id:
            self.initial["source"] = self.instance.source.key

    def clean_source(self) -> Source | None:
        typed = self.cleaned_data["source"].strip()
        if not typed:
            return None
        row = Source.objects.filter(key=typed).first()
        if row is None:
            near = nearest_key(Source.objects.all(), "key", typed)
            raise ValidationError(f"There is no source “{typed[:60]}”." + (f" The nearest is {near}." if near else ""))
        return row

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        chosen = {*cleaned.get("places", ()), *cleaned.get("than", ())}
        kinds = {Observation.Of.LINES if name in set(self.lines) else Observation.Of.POINTS for name in chosen}
        if len(kinds) > 1:
            self.add_error("places", "Lines, or points: enter one observation of each.")
        self.instance.of = next(iter(kinds), Observation.Of.LINES)
        self.instance.places, self.instance.than = cleaned.get("places", []), cleaned.get("than", [])
        return cleaned

    def add(self) -> Observation:
        """Save a new observation as the next of its record."""
        with transaction.atomic():
            Evidence.objects.select_for_update().get(pk=self.record.pk)  # of two at once each gets its own number
            ever = Observation.history.filter(evidence_id=self.record.pk).aggregate(last=Max("number"))["last"] or 0
            self.instance.number = ever + 1
            self.instance._change_reason = FIRST
            self.instance.save()
        added: Observation = self.instance
        return added


BELOW, EXAMPLE = "workshop/records/<str:identifier>/", "/workshop/records/DLP.Evidence.692/"
board_route = routes_below(f"{BELOW}board/", f"{EXAMPLE}board/", elsewhere=False)
observation_route = routes_below(f"{BELOW}observations/", f"{EXAMPLE}observations/", elsewhere=False)


def _record(identifier: str) -> Evidence:
    return record_called(Evidence.objects.shown().select_related("game"), identifier)


def _observation(identifier: str, number: int) -> Observation:
    record = _record(identifier)
    seen: Observation | None = record.observations.filter(number=number).first()
    if seen is None:
        raise NothingHere(f"{record} has no observation {number}.")
    seen.evidence = record
    return seen


class Drawing(Easel):
    """A board that is being drawn for a record: it is nobody's draft, and stays in the session until it is set."""

    what, keeps = "drawing", "Set it as the board"
    painted, typed = ("board",), ()

    def __init__(self, request: HttpRequest, record: Evidence) -> None:
        self.request, self.record = request, record
        begun = {"document": {"family": POINTS, **record.board}, "number": 0, "before": None}
        self.draft = Draft(game=record.game, **request.session.get(DRAWINGS, {}).get(record.identifier, begun))
        self.address = reverse("draw-record-board", args=[record.identifier])
        self.title, self.back = record.identifier, reverse("record-board", args=[record.identifier])
        self.above = [(reverse("workshop"), "Workshop"), (self.back, record.identifier)]

    may_paint = True  # by everybody who may open it

    def tools(self) -> list[str]:
        return [tool for tool in super().tools() if tool not in OF_GAMES]

    def again(self) -> "Drawing":
        return Drawing(self.request, self.record)

    def records(self) -> list[Evidence]:
        return [self.record]

    def unfounded(self) -> list[str]:
        return []

    def save(self, before: Mapping[str, Any]) -> None:
        remember(self.draft, before)
        kept = {name: getattr(self.draft, name) for name in ("document", "number", "before")}
        self._keep({self.record.identifier: kept})

    def end(self) -> HttpResponse:
        form = self._form()
        if not form.is_valid():
            raise WrongEdit(self.problem)
        form.save()
        self._keep({})
        return settled(self.request, self.record)

    @property
    def problem(self) -> str:
        """What is wrong with it as a board of the record; empty if nothing is."""
        if not self.draft.document.get("board"):
            return "Nothing is drawn."
        return " ".join(str(message) for wrong in self._form().errors.values() for message in wrong)

    def _form(self) -> BoardForm:
        typed = json.dumps(self.draft.document.get("board", ""))
        data = {"board": WRITTEN, "written": typed.strip('"')}
        return BoardForm(data, record=self.record, user=self.request.user)

    def _keep(self, drawing: dict[str, Any]) -> None:
        drawings = self.request.session.get(DRAWINGS, {})
        others = {name: kept for name, kept in drawings.items() if name != self.record.identifier}
        self.request.session[DRAWINGS] = dict([*others.items(), *drawing.items()][-MOST_DRAWINGS:])


@board_route("draw/", name="draw-record-board", methods="GET POST", permission=MAY_SET)
@never_cache
def draw_record_board(request: HttpRequest, identifier: str) -> HttpResponse:
    """The board of a record drawn by clicks, without a draft."""
    return paint(Drawing(request, _record(identifier)))


def settled(request: HttpRequest, record: Evidence) -> HttpResponse:
    messages.success(request, "The board is on the page of the record.")
    return redirect("record-in-workshop", identifier=record.identifier)


@board_route(name="record-board", methods="GET POST", permission=MAY_SET)
def record_board(request: HttpRequest, identifier: str) -> HttpResponse:
    """The board that the drawing or the object of a record shows."""
    record = _record(identifier)
    form = BoardForm(request.POST or None, record=record, user=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        return settled(request, record)
    context = {"record": record, "board": draw_observed(record, list(record.observations.all()))}
    return form_page(request, "workshop/record_board.html", form, context)


@observation_route("new/", name="new-observation", methods="GET POST", permission=MAY_ADD, status=302)
def new_observation(request: HttpRequest, identifier: str) -> HttpResponse:
    """Something that was seen on the board of a record: how worn it is, by whom, by what means, how surely."""
    record = _record(identifier)
    board = board_of(record)
    if board is None:
        messages.error(request, "Lines and points are named on the record’s board: say first which board it is.")
        return redirect("record-board", identifier=identifier)
    form = ObservationForm(request.POST or None, record=record, board=board)
    if request.method == "POST" and form.is_valid():
        added = form.add()
        messages.success(request, f"Observation {added.number} is on the page of the record.")
        return redirect("record-in-workshop", identifier=identifier)
    return _observation_page(request, form, record, None)


@observation_route("<int:number>/", name="edit-observation", methods="GET POST", permission=MAY_CHANGE, status=404)
def edit_observation(request: HttpRequest, identifier: str, number: int) -> HttpResponse:
    seen = _observation(identifier, number)
    board = board_of(seen.evidence)
    if board is None:
        raise NothingHere(f"{seen.evidence} has no board any more.")
    form = ObservationForm(request.POST or None, instance=seen, record=seen.evidence, board=board)
    if request.method == "POST" and form.is_valid():
        write_recorded(seen, form.save, CORRECTED)
        messages.success(request, f"Observation {number} is saved.")
        return redirect("record-in-workshop", identifier=identifier)
    return _observation_page(request, form, seen.evidence, seen)


def _observation_page(
    request: HttpRequest, form: ObservationForm, record: Evidence, seen: Observation | None
) -> HttpResponse:
    drawn = draw_observed(record, [])
    return form_page(
        request, "workshop/observation.html", form, {"record": record, "observation": seen, "board": drawn}
    )


class TakeBackForm(RefusableForm, forms.Form):
    reason = forms.CharField(
        label="Why",
        max_length=100,
        help_text="It stays readable in the history of the record, with this reason.",
    )


@observation_route(
    "<int:number>/take-back/", name="take-back-observation", methods="GET POST", permission=MAY_DELETE, status=404
)
def take_back_observation(request: HttpRequest, identifier: str, number: int) -> HttpResponse:
    """Take an observation back for a reason; the history keeps both."""
    seen = _observation(identifier, number)
    form = TakeBackForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with deleted_for(form.cleaned_data["reason"]):
            seen.delete()
        messages.success(request, f"Observation {number} is taken back.")
        return redirect("record-in-workshop", identifier=identifier)
    return form_page(request, "workshop/take_back.html", form, {"record": seen.evidence, "observation": seen})
