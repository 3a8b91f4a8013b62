"""The pages of drafts: “Make it playable” on a record, one's own drafts, and the draft: words, rules, board.

Everything is a form: words are typed or selected, the page offers rules for them, a button takes one. What is sent is
applied to the draft as it is now; if somebody has saved it since the page was made nothing is written, and the page
shows both.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from catalogue.evidence.clauses import newest_rulesets
from catalogue.loading.writing import reading_of, ruleset_file
from catalogue.models import Anchor, Basis, Draft, Evidence, Reading
from catalogue.models.lookup import found_or_nearest, record_called
from catalogue.pages.answers import RefusableForm, form_page
from catalogue.play.game_view import start_board
from catalogue.web.routes import route, routes_below
from catalogue.what_if import changes
from catalogue.what_if import rows as table_rows
from catalogue.workshop import checking, drafting
from catalogue.workshop.drafting import ChangedMeanwhile, TwoAnswers, WrongEdit
from catalogue.workshop.ownership import begin, draft_called, is_own, may_publish, own_drafts, private_link
from catalogue.workshop.ranking import guessed_family, parameters_of
from catalogue.workshop.views_of_draft import (
    field_for,
    offers_of,
    readings_to_compare,
    rules_so_far,
    silent_rules,
    texts_of,
)
from simulator.engine.documents import is_too_deep, read_value, write_value
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.ruleset import RulesetProblem
from simulator.engine.tables import read_json, read_place
from simulator.problems import QueueFull, WrongRequest
from simulator.rulesets import find

WORDS = ("record", "in", "exact", "prefix", "suffix")  # the fields that name words
Operation = Callable[[Draft, QueryDict], str]


class BeginForm(RefusableForm, forms.Form):
    """What a draft begins with: nothing but its family, or the rules of a reading."""

    family = forms.ChoiceField(label="What kind of game is it?", widget=forms.RadioSelect, choices=())
    like = forms.ChoiceField(
        label="Begin with",
        required=False,
        choices=(),
        help_text="A reading of this record comes with its board, its rules and the words that carry them; of another "
        "the rules are taken as they are, and you say of each what it rests on here.",
    )

    def __init__(self, record: Evidence, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        guessed = guessed_family(f"{record.quotation} {record.paraphrase}")
        titles = [(name, family(name).title) for name in guessed]
        self.fields["family"].choices = titles  # type: ignore[attr-defined]
        self.fields["family"].initial = guessed[0]
        readings = Reading.objects.select_related("game").order_by("title")
        of_game = sorted(readings, key=lambda one: (one.game_id != record.game_id, one.title))
        offered = [("", "an empty board"), *((one.slug, one.title) for one in of_game)]
        self.fields["like"].choices = offered  # type: ignore[attr-defined]
        here = record.readings.order_by("position").first()  # another way to read it begins with what was read
        self.fields["like"].initial = here.slug if here else ""
        if here and (version := here.ruleset_version):
            self.fields["family"].initial = version.ruleset.family


drafts_route = routes_below("workshop/drafts/", "/workshop/drafts/", elsewhere=False)


@drafts_route()
@never_cache
def draft_list(request: HttpRequest) -> HttpResponse:
    """One's own drafts."""
    drafts = list(own_drafts(request).select_related("game")[:200])
    for one in drafts:
        one.link = private_link(one) if one.expires else ""
    return render(request, "workshop/drafts.html", {"drafts": drafts})


@route(
    "workshop/begin/<str:identifier>/",
    example="/workshop/begin/DLP.Evidence.692/",
    methods="GET POST",
    elsewhere=False,
)
@never_cache
def begin_draft(request: HttpRequest, identifier: str) -> HttpResponse:
    """ "Make it playable": the kind of the game is guessed from the record's words."""
    record = record_called(Evidence.objects.shown().select_related("game"), identifier)
    form = BeginForm(record, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            begun = _begun(request, record, form.cleaned_data)
            # Of a record without words the drawing is the text.
            return redirect("draft-board", key=begun.key) if record.without_words else redirect(begun)
        except QueueFull as error:
            form.refuse(error)
    return form_page(request, "workshop/begin.html", form, {"record": record})


def _begun(request: HttpRequest, record: Evidence, wanted: Mapping[str, str]) -> Draft:
    draft, records = Draft(game=record.game, document={"family": wanted["family"]}), [record]
    reading = Reading.objects.filter(slug=wanted.get("like") or "").first()
    ruleset = newest_rulesets([reading.slug]).get(reading.slug) if reading else None
    if reading and ruleset:
        draft.document = dict(ruleset.document)
        if reading.evidence.filter(pk=record.pk).exists():
            draft.clauses = reading_of(reading)["clauses"]
            for name in RESTING:
                setattr(draft, name, getattr(reading, name))
            records = list({one.pk: one for one in (record, *reading.evidence.all())}.values())[: drafting.MOST_RECORDS]
    return begin(request, draft, records)


RESTING = ("rests_on", "rests_basis", "rests_text")


@route("workshop/keep/", name="keep-what-if", methods="POST", status=405, elsewhere=False)
def keep_what_if(request: HttpRequest) -> HttpResponse:
    """Begin a draft from a reading: with rules changed, for another record, or as its next version.

    ruleset: the reading, or a version of it; set.*: what differs; record: the record that it shall be read from;
    version: if it is to be the next one of that reading
    """
    name = request.POST.get("ruleset", "")
    reading = found_or_nearest(Reading.objects.select_related("game"), "slug", name.partition("@")[0], "reading")
    typed = {key[len(changes.PREFIX) :]: str(words) for key, words in request.POST.items() if _is_set(key)}
    wanted = request.POST.get("record", "").strip()
    record = record_called(Evidence.objects.shown().select_related("game"), wanted) if wanted else None
    try:
        ruleset = find(name)
        variant = changes.what_if(ruleset, typed)
        if "version" in request.POST:
            draft = next_version(reading)
        else:
            draft = copied_to(reading, variant, record) if record else changed_reading(reading, variant)
        begin(request, draft, [record] if record else list(reading.evidence.all()))
    except (RulesetProblem, WrongRequest, WrongEdit, QueueFull) as error:
        messages.error(request, str(error))
        return redirect("ruleset", name=reading.slug)
    messages.success(request, "Kept as a draft that only you see.")
    return redirect(draft)


def _is_set(key: str) -> bool:
    return key.startswith(changes.PREFIX)


def _document(variant: changes.WhatIf) -> dict[str, Any]:
    document = {**variant.parent.document, **variant.values}
    kind = family(variant.parent.family)
    kept = {key: value for key, value in document.items() if key == "family" or not checking.at_off(kind, key, value)}
    return checking.in_order(kind, kept)


def changed_reading(reading: Reading, variant: changes.WhatIf) -> Draft:
    """A what-if as a reading: what is changed is conjecture, all else is as in the reading it was made from."""
    draft = Draft(game=reading.game, document=_document(variant), rests_on=reading, rests_basis=Basis.BY_ANALOGY)
    draft.rests_text = f"What is not changed is as in {reading.title}."
    drafting.conjecture(draft, variant.values)
    return draft


def copied_to(reading: Reading, variant: changes.WhatIf, record: Evidence) -> Draft:
    """A reading for another record: each rule by analogy with the words that carry it, or as conjecture."""
    draft = Draft(game=record.game, document=_document(variant))
    drafting.as_in(draft, reading, [key for key in draft.document if key != "family" and key not in variant.values])
    drafting.conjecture(draft, variant.values)
    return draft


def next_version(reading: Reading) -> Draft:
    """A reading as a draft, with everything that it says; what is published of it is its next version."""
    version = reading.ruleset_version
    if version is None:
        raise WrongEdit(f"{reading.title} has no ruleset yet.")
    written = reading_of(reading)
    names = ("game", "title", "authority", "kind", "summary", "encoded_by", *RESTING)
    return Draft(
        **{name: getattr(reading, name) for name in names},
        document=ruleset_file(version)["document"],
        clauses=written["clauses"],
        parent=str(version),
    )


draft_route = routes_below("workshop/drafts/<slug:key>/", "/workshop/drafts/0/", elsewhere=False, queries=30)


def _rule(draft: Draft, sent: QueryDict) -> str:
    """Set a rule from the words that are chosen: "relay=last", or "holes_per_row=" with the field of that name."""
    pressed = sent.get("rule") or f"{(read_place(sent.get('row', '')) or ('',))[0]}="
    key, _, word = pressed.partition("=")
    adds, key = key.endswith("+"), key.removesuffix("+")
    kind = checking.kind_of(draft)
    if key not in parameters_of(kind.name):
        raise WrongEdit(f"No rule of this family is called {key[:40]!r}.")
    words = drafting.words_of(draft, sent)
    chosen = [words] if words else []
    if sent.get("stance") == drafting.CONTRADICTS:
        return drafting.speak_against(draft, key, chosen)
    value = _typed(draft, sent, key) if not word else read_value(word, kind.schema["properties"][key])
    if is_too_deep(value):
        raise WrongEdit(f"{kind.title_of(key)}: what is typed is nested too deeply.")
    basis = sent.get("basis") or (Basis.STATED if chosen else Basis.CONJECTURE)
    if basis not in Basis.values:
        raise WrongEdit(f"A rule rests on one of {', '.join(Basis.values)}, not {basis[:40]!r}.")
    if basis in ("stated", "entailed") and not chosen and not _has_words(draft, key):
        raise WrongEdit("Choose the words that say it, or call it a conjecture.")
    if adds:
        return drafting.add_row(draft, key, read_json(word), basis, chosen, sent.get("text", ""))
    if "ask" in sent:
        before = draft.document.get(key, kind.schema["properties"][key].get("default"))
        return drafting.ask(draft, key, [before, value], {write_value(value): chosen})
    text = sent.get("text", "")
    did = drafting.set_rule(draft, key, value, basis, chosen, text, sent.get("source", ""), "instead" in sent)
    if basis == Basis.CONJECTURE and not chosen and not text.strip():
        drafting.conjecture(draft, [key])
    return did


def _has_words(draft: Draft, key: str) -> bool:
    clause = drafting.clause_on(draft, key)
    return bool(clause and clause["words"])


def _typed(draft: Draft, sent: QueryDict, key: str) -> Any:
    """The value of a field, or of the cells of a table."""
    kind = checking.kind_of(draft)
    specs = changes.parameters_of(kind)
    fields = {name[len(changes.PREFIX) :]: words for name, words in sent.items() if name.startswith(changes.PREFIX)}
    own = {name: str(words) for name, words in fields.items() if (read_place(name) or ("",))[0] == key}
    before = {**checking.blank(kind).parameters, **draft.document}
    folded = table_rows.folded(own, before, {key: specs[key]}, sent.get(table_rows.MOVE, ""))
    words = folded.get(key, "").strip()
    if not words and specs[key].get("type") == "integer":
        raise WrongEdit(
            f"{specs[key]['title']}: type a number from {specs[key]['minimum']} to {specs[key]['maximum']}."
        )
    return read_value(words, specs[key])


def _unplayed(draft: Draft, sent: QueryDict) -> str:
    words = drafting.words_of(draft, sent)
    return drafting.not_played(draft, sent.get("tag", ""), sent.get("text", ""), [words] if words else [])


def _clause(draft: Draft, sent: QueryDict) -> str:
    if "out" in sent:
        return drafting.take_out(draft, sent.get("out", ""))
    return drafting.change_clause(draft, sent.get("clause", ""), sent)


def _question(draft: Draft, sent: QueryDict) -> str:
    """Ask about a rule: of the values that are offered those that are ticked, or all of them."""
    key = sent.get("question", "")
    if slug := sent.get("drop"):
        return drafting.drop_question(draft, slug)
    kind = checking.kind_of(draft)
    if key not in parameters_of(kind.name):
        raise WrongEdit(f"No rule of this family is called {key[:40]!r}.")
    return drafting.ask(draft, key, _other_values(draft, key))


MOST_ANSWERS = 4


def _other_values(draft: Draft, key: str) -> list[Any]:
    """What a rule could be instead: its choices, or the off value of one that is typed."""
    spec = checking.kind_of(draft).schema["properties"][key]
    choices = [read_value(word, spec) for word, _ in changes.choices(spec)]
    return choices[:MOST_ANSWERS] or [spec.get("default")]


def _silent(draft: Draft, sent: QueryDict) -> str:
    """What the words do not say: one rule by its button, or all that are ticked."""
    do, _, key = sent.get("silent", "").partition("=")
    keys = [key] if key else sent.getlist("key")
    if not keys and do not in ("rest", "every"):
        raise WrongEdit("Tick the rules that it shall hold for.")
    if do == "every":
        return drafting.conjecture(draft, [one for one in sent.getlist("every") if _is_known(draft, one)])
    if do == "conjecture":
        return drafting.conjecture(draft, keys)
    if do == "ask":
        return " ".join(drafting.ask(draft, one, _other_values(draft, one)) for one in keys if _is_known(draft, one))
    reading = Reading.objects.filter(slug=sent.get("like", "")).first()
    if reading is None:
        raise WrongEdit("Choose the reading it is as in.")
    if do == "rest":
        return drafting.rest_on(draft, reading, [one for one in sent.getlist("every") if _is_known(draft, one)])
    return drafting.as_in(draft, reading, keys)


def _is_known(draft: Draft, key: str) -> bool:
    return key in parameters_of(draft.document["family"])


def _board(draft: Draft, sent: QueryDict) -> str:
    """Set what makes the board: without words it is a conjecture, or what another clause says already."""
    kind = checking.kind_of(draft)
    keys = [key for key in board_keys(draft) if f"{changes.PREFIX}{key}" in sent or _has_cells(sent, key)]
    document = dict(draft.document)
    for key in keys:
        if not sent.get(f"{changes.PREFIX}{key}", "").strip() and not _has_cells(sent, key):
            continue
        value = _typed(draft, sent, key)
        if is_too_deep(value):
            raise WrongEdit(f"{kind.title_of(key)}: what is typed is nested too deeply.")
        document.pop(key, None)
        if not checking.at_off(kind, key, value):
            document[key] = value
    draft.document = checking.in_order(kind, document)
    return "The board is as you say."


def _has_cells(sent: QueryDict, key: str) -> bool:
    return any(name.startswith((f"{changes.PREFIX}{key}[", f"{changes.PREFIX}{key}.")) for name in sent)


def board_keys(draft: Draft) -> list[str]:
    """The parameters that make a board, and those that every ruleset of the family has."""
    kind = checking.kind_of(draft)
    keys = dict.fromkeys((*(key for key in kind.schema["required"] if key != "family"), *kind.board))
    return [key for key in parameters_of(kind.name) if key in keys]


def _repair(draft: Draft, sent: QueryDict) -> str:
    """Take the nearest that can be played."""
    found = checking.checked(draft.document)
    if found.near is None:
        raise WrongEdit("There is nothing near that can be played.")
    return drafting.take_nearest(draft, found.near.document, found.repair)


def _record(draft: Draft, sent: QueryDict) -> str:
    """Rest on another record too, or no longer on one whose words carry nothing."""
    if leave := sent.get("leave"):
        return drafting.leave_record(draft, leave)
    return drafting.add_record(draft, sent.get("record", "").strip())


def _kind(draft: Draft, sent: QueryDict) -> str:
    return drafting.change_kind(draft, sent.get("family", ""))


def _undo(draft: Draft, sent: QueryDict) -> str:
    return drafting.undo(draft)


def _redo(draft: Draft, sent: QueryDict) -> str:
    return drafting.redo(draft)


OPERATIONS: dict[str, Operation] = {
    "rule": _rule,
    "unplayed": _unplayed,
    "clause": _clause,
    "question": _question,
    "silent": _silent,
    "board": _board,
    "record": _record,
    "kind": _kind,
    "repair": _repair,
    "undo": _undo,
    "redo": _redo,
}


@draft_route(methods="GET POST", status=404)
@never_cache
def draft(request: HttpRequest, key: str) -> HttpResponse:
    """The draft on one screen: words left, rules in the middle, board right."""
    own = draft_called(request, key)
    if request.method != "POST":
        return _page(request, own, request.GET)
    if not is_own(request, own) or own.state != Draft.State.OPEN:
        raise PermissionDenied("Only its maker changes a draft, while it is being made.")
    return _changed(request, own)


def _changed(request: HttpRequest, draft: Draft) -> HttpResponse:
    sent = request.POST
    operation = OPERATIONS.get(sent.get("do", ""))
    if operation is None:
        return _page(request, draft, sent, wrong="Nothing was done: that button is not known here.")
    before = drafting.states_as_in(draft)
    number = sent.get("number", "")
    try:
        if not number.isdecimal() or int(number) != draft.number:
            raise ChangedMeanwhile
        known = {(one.key, one.before) for one in _written_otherwise(before["document"])}
        did = operation(draft, sent)
        same = [one for one in _written_otherwise(draft.document) if (one.key, one.before) not in known]
        did = " ".join([did, *(f"{one.title}: with this board that is the same as “{one.after}”" for one in same)])
        drafting.save(draft, draft.number, before)
    except ChangedMeanwhile:
        return _page(request, draft_called(request, draft.key), sent, again=_sent_again(sent))
    except TwoAnswers as both:
        draft = draft_called(request, draft.key)
        return _page(request, draft, sent, two=both, again=_sent_again(sent))
    except WrongEdit as error:
        return _page(request, draft_called(request, draft.key), sent, wrong=str(error))
    messages.success(request, did)
    if sent.get("next") == "board":
        return redirect("draft-board", key=draft.key)
    back = sent.get("back", "")
    return redirect(f"{draft.get_absolute_url()}{back if back.startswith('#') else ''}")


def _written_otherwise(document: Mapping[str, Any]) -> list[changes.Change]:
    return checking.written_otherwise(document, checking.checked(document).ruleset)


def _sent_again(sent: QueryDict) -> list[tuple[str, str]]:
    """Everything that was sent, for a form that sends it once more."""
    hidden = ("csrfmiddlewaretoken", "number")
    return [(name, value) for name, values in sent.lists() if name not in hidden for value in values]


def _page(
    request: HttpRequest,
    draft: Draft,
    typed: QueryDict,
    wrong: str = "",
    two: TwoAnswers | None = None,
    again: list[tuple[str, str]] | None = None,
) -> HttpResponse:
    records = drafting.records_of(draft)
    words, problem = None, ""
    try:
        words = drafting.words_of(
            draft,
            {"record": records[0].identifier if records else "", **{name: str(word) for name, word in typed.items()}},
        )
    except WrongEdit as error:
        problem = str(error)
    kind = checking.kind_of(draft)
    wanted = typed.get("find", "") or (typed.get("rule", "").partition("=")[0] if wrong else "")
    status = HTTPStatus.CONFLICT if again else HTTPStatus.BAD_REQUEST if wrong or problem else HTTPStatus.OK
    context: dict[str, Any] = {
        "draft": draft,
        "words": words,
        "typed": {name: typed.get(name, "") for name in (*WORDS, "tag", "text", "basis", "stance")},
        "problem": problem if problem != wrong else "",
        "wrong": wrong,
        "two": two,
        "again": again,
        "offers": offers_of(draft, words["exact"] if words else "", wanted),
        "bases": Basis.choices,
        "usual": _usual_basis(draft, records, words),
    }
    if request.GET.get("part") == "offers":
        return render(request, "workshop/offers.html", context, status=status)
    found = checking.checked(draft.document)
    ruleset = found.ruleset or found.near
    readings = readings_to_compare(draft)
    nearest = readings[0] if readings and len(draft.document) > 1 and "like" not in typed else None
    like = next((one for one in readings if one.slug == typed.get("like")), draft.rests_on or nearest)
    context |= {
        "is_own": is_own(request, draft) and draft.state == Draft.State.OPEN,
        "may_publish": may_publish(request),
        "texts": texts_of(draft, records, words),
        "records": records,
        "every_rule": [(key, kind.title_of(key)) for key in parameters_of(kind.name)],
        "wanted": wanted,
        "rules": rules_so_far(draft),
        "silent": silent_rules(draft, found, like),
        "like": like,
        "readings": readings,
        "found": found,
        "board": start_board(ruleset) if ruleset else None,
        "board_fields": board_fields(draft, typed if wrong and typed.get("do") == "board" else {}),
        "family": kind,
        "kinds": [(name, family(name).title) for name in FAMILY_NAMES if name != kind.name],
        "stances": Anchor.Stance.choices,
        "private_link": private_link(draft) if draft.expires else "",
    }
    return render(request, "workshop/draft.html", context, status=status)


def _usual_basis(draft: Draft, records: list[Evidence], words: drafting.Words | None) -> Basis:
    """What words say of the game of the draft, and what those of another game say of it."""
    record = next((one for one in records if words and one.identifier == words["record"]), None)
    return Basis.BY_ANALOGY if record and record.game_id != draft.game_id else Basis.STATED


def board_fields(draft: Draft, typed: Mapping[str, Any]) -> list[BoundField]:
    """The fields of what makes the board. typed: what was sent and could not be taken, to be shown again"""
    kind = checking.kind_of(draft)
    words = {key: str(typed.get(f"{changes.PREFIX}{key}", _written(draft, key))) for key in board_keys(draft)}
    return [field_for(kind, draft.document, key, words[key], "board") for key in words]


def _written(draft: Draft, key: str) -> str:
    spec = checking.kind_of(draft).schema["properties"][key]
    value = draft.document.get(key, spec.get("default"))
    return "" if value is None else write_value(value)


@draft_route("away/", methods="POST", status=405)
def throw_away(request: HttpRequest, key: str) -> HttpResponse:
    own = draft_called(request, key)
    if not is_own(request, own):
        raise PermissionDenied("Only its maker throws a draft away.")
    if own.state == Draft.State.OPEN:
        own.delete()
        messages.success(request, "The draft is thrown away.")
    return redirect("draft-list")
