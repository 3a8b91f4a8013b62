"""A record from nothing, from the portal's page, and its words corrected: the first steps of the guided way.

What is typed is first shown as it was understood: which source, which years, which game and place. A name that is
nearly one of the catalogue's is asked about, and nothing is saved before that is answered.
"""

import re
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render

from catalogue.admin.forms import PREVIEW, preview
from catalogue.evidence.reanchoring import Carried, carry_along
from catalogue.evidence.worn import observed
from catalogue.geography.old_names import old_names
from catalogue.history.histories import write_recorded
from catalogue.loading.rows import slug_of
from catalogue.models import Citation, Evidence, Game, GameName, Place, Source
from catalogue.models.evidence import is_identifier
from catalogue.models.fields import verbatim
from catalogue.models.lookup import record_called
from catalogue.models.querysets import evidence_with_everything
from catalogue.pages.answers import RefusableForm, form_page
from catalogue.pages.pictures import pictures_for
from catalogue.portal.page_import import gather_records, import_pages
from catalogue.portal.record_pages import LARGEST_PAGE, NoPortalPage, page_text, read_page
from catalogue.portal.reports import PageReport
from catalogue.texts import dates
from catalogue.texts.anchors import digest_of
from catalogue.texts.words import nearest_words
from catalogue.web.routes import route, routes_below
from catalogue.workshop.sources import PARTS, ReadSource, SourceProblem, alike, new_source, read_source
from simulator.locks import exclusive

SAVE, LOOK = "save", "look"
NEW = "new"  # the answer that a name is none of those that are here
OWN = "ETG.Evidence."  # with which identifiers of records begin that were entered here
SAME = "Sources of this author and year are here. Is it one of them?"
ENTERED = "Entered in the workshop"
TYPES = ("Ethnography", "Contemporary rule description", "Historical text", "Artifact", "Art", "Rules text")
LONGEST_TEXT = 200_000  # characters of a quotation
HERE = "These words are here already. Is it the same record?"
FEWEST_ALIKE = 60  # characters of words that two records do not share by chance
ALIKE = 0.75  # a name that is asked about: from 0 to 1
MOST_OFFERED = 500  # names in a list that a field offers
MAY_ADD, MAY_CHANGE = "catalogue.add_evidence", "catalogue.change_evidence"


class TextField(forms.CharField):
    """A text whose ends and lines are not ours to change."""

    def __init__(self, rows: int, **options: Any) -> None:
        super().__init__(
            strip=False,
            required=False,
            widget=forms.Textarea(attrs={"rows": rows}),
            validators=[MaxLengthValidator(LONGEST_TEXT)],
            **options,
        )

    def to_python(self, value: Any) -> Any:
        return verbatim(value) if isinstance(value, str) and value.strip() else ""


class DatedForm(RefusableForm, forms.Form):
    """A form with a date as printed, and the years that it is understood as."""

    date_words = forms.CharField(
        label="Date as printed", required=False, max_length=100, help_text="For example 1909, c. 1880, the 1890s."
    )
    date_edtf = forms.CharField(
        label="Its years",
        required=False,
        max_length=60,
        help_text="Only where they do not follow from the words: 1909, 189X, 1873/1909, 1500/.. (EDTF).",
    )

    def clean_date_edtf(self) -> str:
        typed: str = self.cleaned_data["date_edtf"]
        words = self.cleaned_data.get("date_words", "")
        try:
            edtf = typed or dates.edtf_of_words(words)
            dates.years(edtf)
        except dates.DateProblem as problem:
            raise ValidationError(str(problem)) from problem
        as_before = words == self.initial.get("date_words")
        if words and not edtf and not as_before and words.lower() not in ("undated", "unknown", "n.d."):
            ours = dates.our_years_of(words)
            advice = f"If it is the year of another calendar, write {ours} here" if ours else "Write them here"
            raise ValidationError(f"“{words}” tells no years that can be read. {advice}, or “undated” above.")
        return edtf


class RecordForm(DatedForm):
    """A record with its source, its game and its place. The parts of the source are shown once it was read."""

    quotation = TextField(12, label="The words, as the source prints them", help_text="Paste them: nothing is changed.")
    without_words = forms.BooleanField(
        required=False,
        label="It is an artefact without words",
        help_text="Then its pictures, and the board that you draw over them, are its text.",
        widget=forms.CheckboxInput,
    )
    source = forms.CharField(
        label="The source",
        help_text="Paste a reference, an entry of BibTeX, a DOI, or the key of a source that is here (parker-1909).",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    locator = forms.CharField(label="Where in it", required=False, max_length=300, help_text="For example 597-598.")
    game = forms.CharField(label="The game", max_length=100, help_text="As the record calls it.")
    place = forms.CharField(
        label="The place",
        required=False,
        max_length=300,
        help_text="By its name; several are parted by semicolons. Empty if it is unknown.",
    )
    type = forms.CharField(label="What kind of record it is", max_length=60)
    identifier = forms.CharField(
        required=False,
        max_length=60,
        validators=[is_identifier],
        label="Its identifier elsewhere",
        help_text="Only if it has one, for example DLP.Evidence.692. Else it gets one here.",
    )
    parsed_from = forms.CharField(required=False, widget=forms.HiddenInput)
    authors = forms.CharField(required=False, max_length=300, help_text="Surname first, parted by semicolons.")
    year = forms.IntegerField(required=False, min_value=-4000, max_value=2100)
    title = forms.CharField(required=False, max_length=300)
    container = forms.CharField(required=False, max_length=300, label="In the book or journal")
    volume = forms.CharField(required=False, max_length=30)
    pages = forms.CharField(required=False, max_length=50, label="Its pages there")
    published_at = forms.CharField(required=False, max_length=100, label="Place of publication")
    publisher = forms.CharField(required=False, max_length=200)
    address = forms.URLField(required=False, max_length=500, assume_scheme="https", label="Address or DOI")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.read = ReadSource()
        self.found: dict[str, Any] = {}  # the game and the places, rows of the catalogue or new ones

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("quotation") and not cleaned.get("without_words") and "quotation" not in self.errors:
            self.add_error("quotation", "Paste the words, or say that it is an artefact without any.")
        if cleaned.get("quotation") and cleaned.get("without_words"):
            self.add_error("without_words", "It has words: they stand above.")
        if twin := here_already(cleaned.get("quotation", "")):
            answer = self._asked("quotation_is", [twin], HERE, "No, another record has the same words")
            if answer and answer != NEW:
                self.add_error("quotation_is", f"Then it is here: nothing is to be saved. Go on with {twin}.")
        if cleaned.get("source"):
            self._read_source(cleaned)
        if cleaned.get("game"):
            self.found["game"] = self._named("game_is", cleaned["game"], _games(), Game, "game")
        names = [name for part in str(cleaned.get("place", "")).split(";") if (name := " ".join(part.split()))]
        self.found["places"] = [
            self._named(f"place_is_{place}", name, _places(), Place, "place") for place, name in enumerate(names)
        ]
        typed = cleaned.get("identifier")
        if typed and Evidence.objects.filter(identifier=typed).exists():
            message = f"{typed} is here already. Leave this empty, and the record gets another name."
            self.add_error("identifier", message)
        return cleaned

    def _read_source(self, cleaned: dict[str, Any]) -> None:
        """Read what was pasted, unless its parts were shown and corrected since."""
        try:
            self.read = read_source(cleaned["source"])
        except SourceProblem as problem:
            self.add_error("source", str(problem))
            return
        if self.read.here:
            return
        if cleaned.get("parsed_from") == cleaned["source"]:
            corrected = {name: cleaned.get(_FIELD.get(name, name)) for name in PARTS}
            parts = {name: value for name, value in corrected.items() if value not in ("", None)}
            self.read = ReadSource(None, parts, self.read.as_printed)
        made = new_source(self.read.parts, self.read.as_printed)
        if here := Source.objects.filter(as_printed=made.as_printed).first():
            self.read = ReadSource(here)  # it was made of the same parts before
            return
        shown = {_FIELD.get(name, name): self.read.parts.get(name, "") for name in PARTS}
        typed = self.data.dict()  # type: ignore[attr-defined]
        self.data = {**typed, **shown, "parsed_from": cleaned["source"]}  # the parts are to be looked at
        if not self.read.as_printed and not (self.read.parts.get("title") or self.read.parts.get("authors")):
            self.add_error("title", "A source has a title or an author: type them here.")
        near = alike(self.read.parts)
        if near:
            answer = self._asked("source_is", near, SAME, "No, it is another work")
            if answer and answer != NEW:
                self.read = ReadSource(next(one for one in near if one.key == answer))

    def _named(self, field: str, name: str, known: dict[str, Any], model: Any, word: str) -> Any:
        """The row of this name; a new one that is not saved; None as long as it is asked whether it is another's."""
        if row := known.get(name.casefold()):
            return row
        near = [known[one] for one in nearest_words(name.casefold(), list(known), least=ALIKE)]
        if rows := (called_before(name, known) if model is Place else []) or near:
            which = " or ".join(map(str, rows))
            answer = self._asked(field, rows, f"Did you mean {which}, by “{name}”?", f"No, “{name}” is another {word}")
            if answer != NEW:
                return next((row for row in rows if row.natural_key()[-1] == answer), None)
        return model(name=name, slug=slug_of(name))

    def _asked(self, field: str, rows: list[Any], question: str, otherwise: str) -> str:
        """What was answered; until it is, the field says what is asked. One answer leaves nothing to do."""
        choices = [(row.natural_key()[-1], f"Yes: {_in_full(row)}") for row in rows]
        self.fields[field] = forms.ChoiceField(
            label=question, required=False, choices=[*choices, (NEW, otherwise)], widget=forms.RadioSelect
        )
        answer = str(self.data.get(field, ""))
        if answer not in (NEW, *(key for key, _ in choices)):
            self.add_error(field, "Please say which.")
            return ""
        return answer

    @property
    def questions(self) -> list[Any]:
        """The fields that ask what a name means."""
        return [self[name] for name in self.fields if "_is" in name]

    @property
    def parts(self) -> list[Any]:
        """The fields of a source that was read and is not here yet."""
        if not self.data.get("parsed_from") or self.read.here:
            return []
        return [self[_FIELD.get(name, name)] for name in PARTS]

    def save(self, user: Any) -> Evidence:
        """Save the record, and what it names that is new. Raises IntegrityError if somebody saved the same."""
        cleaned = self.cleaned_data
        with transaction.atomic():
            exclusive("records")  # of two at once the second gets another number
            game = _saved(self.found["game"])
            places = [_saved(place) for place in self.found["places"]]
            source = self.read.here or _saved(new_source(self.read.parts, self.read.as_printed))
            record = Evidence(
                identifier=cleaned["identifier"] or next_identifier(),
                type=cleaned["type"],
                game=game,
                date_words=cleaned["date_words"],
                date_edtf=cleaned["date_edtf"],
                quotation=cleaned["quotation"],
                without_words=cleaned["without_words"],
            )
            record._history_user = user  # type: ignore[attr-defined]

            def write() -> None:
                record.save()
                record.places.set(places)

            write_recorded(record, write, ENTERED)
            role = Citation.Role.QUOTED if cleaned["quotation"] else Citation.Role.REFERRED_TO
            locator = cleaned["locator"]
            printed = f"{source}: {locator}" if locator else str(source)
            Citation.objects.create(
                evidence=record, source=source, position=1, role=role, locator=locator, as_printed=printed[:500]
            )
        return record


_FIELD = {"place": "published_at"}  # where a part of a source has another name in the form


def _in_full(row: Any) -> str:
    return f"{row}. {row.title}" if isinstance(row, Source) else str(row)


def _saved(row: Any) -> Any:
    if row.pk is None:
        if hasattr(row, "slug") and type(row)._default_manager.filter(slug=row.slug).exists():
            row.slug = f"{row.slug[:90]}-{type(row)._default_manager.count() + 1}"
        row.full_clean()
        row.save()
    return row


def _games() -> dict[str, Game]:
    """Games by every name that they go by, in small letters."""
    games = {game.pk: game for game in Game.objects.all()}
    others = GameName.objects.values_list("name", "game")
    return {name.casefold(): games[pk] for name, pk in others} | {one.name.casefold(): one for one in games.values()}


def _places() -> dict[str, Place]:
    return {place.name.casefold(): place for place in Place.objects.exclude(kind=Place.Kind.POINT)}


def called_before(name: str, known: dict[str, Place]) -> list[Place]:
    """Places that were called so before, as Sri Lanka was Ceylon."""
    slugs = {slug for slug, names in old_names().items() if name.casefold() in map(str.casefold, names)}
    return [place for place in known.values() if place.slug in slugs]


def here_already(quotation: str) -> Evidence | None:
    """A record with these words, whatever their signs and line breaks; or one that has them within more, or fewer."""
    wanted = _plain(quotation)
    if len(wanted) < FEWEST_ALIKE:
        return None
    for record in Evidence.objects.exclude(quotation="").only("identifier", "quotation").iterator():
        known = _plain(record.quotation)
        if wanted in known or (len(known) >= FEWEST_ALIKE and known in wanted):
            return record
    return None


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def next_identifier() -> str:
    """The next name of a record entered here; one that was deleted keeps its own."""
    revisions: Any = Evidence.history.filter(identifier__startswith=OWN).order_by()
    numbers = (name.removeprefix(OWN) for name in revisions.values_list("identifier", flat=True).distinct())
    return f"{OWN}{max((int(one) for one in numbers if one.isdigit()), default=0) + 1}"


def offered_names() -> dict[str, list[str]]:
    """What fields offer while one types: names of games, places and sources, kinds of records."""
    types = Evidence.objects.order_by("type").values_list("type", flat=True).distinct()
    return {
        "games": list(Game.objects.order_by("name").values_list("name", flat=True)[:MOST_OFFERED]),
        "places": list(
            Place.objects.exclude(kind=Place.Kind.POINT).order_by("name").values_list("name", flat=True)[:MOST_OFFERED]
        ),
        "types": sorted({*TYPES, *types}),
    }


@route("workshop/records/new/", name="new-record", methods="GET POST", permission=MAY_ADD, elsewhere=False)
def new_record(request: HttpRequest) -> HttpResponse:
    """A record from nothing: shown as it is understood first, then saved."""
    form = RecordForm(request.POST) if request.method == "POST" else RecordForm()
    understood = request.method == "POST" and form.is_valid()
    if understood and SAVE in request.POST:
        try:
            record = form.save(request.user)
        except (IntegrityError, ValidationError) as problem:
            words = "; ".join(problem.messages) if isinstance(problem, ValidationError) else "Somebody saved the same."
            form.add_error(None, words)
            understood = False
        else:
            messages.success(request, f"{record} is saved. Add a picture, or make it playable.")
            return redirect("record-in-workshop", identifier=record.identifier)
    context = {"offered": offered_names(), "understood": understood, "own": OWN}
    return form_page(request, "workshop/new_record.html", form, context)


class PageForm(RefusableForm, forms.Form):
    page = forms.CharField(
        label="The portal’s page of a record",
        widget=forms.Textarea(attrs={"rows": 12}),
        validators=[MaxLengthValidator(LARGEST_PAGE)],
        help_text="Its text, or its HTML, as you copied it.",
    )


@route("workshop/records/import/", name="import-records", methods="GET POST", permission=MAY_ADD, elsewhere=False)
def import_records(request: HttpRequest) -> HttpResponse:
    """Records from a page of the Ludii portal, as `manage.py import_portal` reads saved ones."""
    form = PageForm(request.POST if request.method == "POST" else None)
    report = None
    if request.method == "POST" and form.is_valid():
        try:
            pages = [read_page(page_text(form.cleaned_data["page"].encode()), "what was pasted")]
        except NoPortalPage as problem:
            form.add_error("page", f"This is no evidence page of the portal: {problem}")
        else:
            report = import_pages(pages)
            if report.created:
                messages.success(request, f"Taken in: {', '.join(report.created)}.")
            named = [record.identifier for record in gather_records(pages, PageReport())]
            if report.created and len(named) == 1:
                return redirect("record-in-workshop", identifier=named[0])
    return form_page(request, "workshop/import.html", form, {"report": report})


record_route = routes_below(
    "workshop/records/<str:identifier>/", "/workshop/records/DLP.Evidence.692/", elsewhere=False, permission=MAY_CHANGE
)


@record_route(name="record-in-workshop", queries=16)
def record_in_workshop(request: HttpRequest, identifier: str) -> HttpResponse:
    """A record on its way to a game: its words, its pictures, and the next steps."""
    record = record_called(evidence_with_everything(), identifier)
    context = {
        "record": record,
        "pictures": pictures_for(request, record),
        "readings": record.readings.order_by("game", "position", "slug"),
        "anchored": record.anchors.count(),
        **observed(record),
    }
    return render(request, "workshop/record.html", context)


TYPED = ("quotation", "paraphrase", "type", "date_words", "date_edtf")


class WordsForm(DatedForm):
    """The words of a record, and its date, corrected for a reason."""

    quotation = TextField(14, label="The quotation")
    paraphrase = TextField(8, label="Today’s summary")
    type = forms.CharField(label="What kind of record it is", max_length=60)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(
        label="Why", max_length=100, required=False, help_text="Every reader can see it, with your name and the date."
    )

    def __init__(self, *args: Any, record: Evidence, saving: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.record = record
        self.fields["reason"].required = saving
        self.order_fields([*TYPED, "reason"])
        self.fields["seen"].initial = self.state
        self.is_outdated = False

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not (cleaned.get("quotation") or cleaned.get("paraphrase") or self.record.without_words):
            self.add_error("quotation", "A record says something: a quotation, or a summary.")
        if cleaned.get("seen") != self.state:
            self.is_outdated = True
            self.add_error(None, "Somebody saved this record meanwhile. What stands there now is below what you typed.")
            self.data = {**self.data.dict(), "seen": self.state}  # type: ignore[attr-defined]  # saved knowingly then
        return cleaned

    @property
    def state(self) -> str:
        """A digest of what the form edits, as it is saved now: two editors at once overwrite nothing unseen."""
        return digest_of("\0".join(str(getattr(self.record, name)) for name in TYPED))

    def save(self, user: Any) -> Carried:
        """Save what was typed, and let the anchors follow their words; returns what became of them."""
        for name in TYPED:
            setattr(self.record, name, self.cleaned_data[name])
        self.record._history_user = user  # type: ignore[attr-defined]
        with transaction.atomic():
            write_recorded(self.record, self.record.save, self.cleaned_data["reason"] or "A look before saving")
            return carry_along(self.record)

    def try_it(self, user: Any) -> Carried:
        """What would become of the anchors; nothing is saved."""
        with transaction.atomic():
            carried = self.save(user)
            transaction.set_rollback(True)
        return carried


@record_route("words/", name="edit-words", methods="GET POST")
def edit_words(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """The words corrected: what becomes of the anchors is told before it is saved."""
    record = record_called(Evidence.objects.shown().select_related("game"), identifier)
    initial = {name: getattr(record, name) for name in TYPED}
    if request.method != "POST":
        form = WordsForm(initial=initial, record=record)
        return form_page(request, "workshop/words.html", form, {"record": record, "look": LOOK, "preview": PREVIEW})
    saving = LOOK not in request.POST and PREVIEW not in request.POST
    form = WordsForm(request.POST, initial=initial, record=record, saving=saving)
    carried = None
    if form.is_valid():
        if PREVIEW in request.POST:
            return _previewed(request, form)
        if saving:
            messages.success(request, f"{record} is saved. {form.save(request.user).words}".strip())
            return redirect("record-in-workshop", identifier=identifier)
        carried = form.try_it(request.user)
    context = {"record": record, "look": LOOK, "preview": PREVIEW, "carried": carried}
    return form_page(request, "workshop/words.html", form, context)


def _previewed(request: HttpRequest, form: WordsForm) -> HttpResponseBase:
    """The public page as it would be, its anchors where they would stand; nothing is saved."""
    with transaction.atomic():
        if words := form.save(request.user).words:
            messages.info(request, words)
        return preview(request, form.record)
