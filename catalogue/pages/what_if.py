"""Changing a reading: the form, what follows from a change, and a batch of what it gives. The catalogue stays as it is.

The address says everything: the ruleset that is changed, and the parameters that differ. Every form and button leads
to the one address of the same change. The form has a field for each parameter, made from the family's schema and shown
under the question that its parameter belongs to.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import chain
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from catalogue.analyses.comparisons import COMPARISONS, check_comparison
from catalogue.evidence.clauses import ReadingClause
from catalogue.evidence.questions import (
    GivenAnswer,
    OpenQuestion,
    inactive_parameters,
    kept_first_rounds,
    why_not_in_first_rounds,
)
from catalogue.models.querysets import RulesetTitle, as_clauses, batch_rows
from catalogue.pages import answers, batches
from catalogue.pages.rulesets import NamedRuleset, change_address, comparison_address, named_ruleset, ruleset_route
from catalogue.play.game_view import start_board
from catalogue.texts.words import Suggested, nearest_word
from catalogue.web.addresses import WrongAddress, address_of
from catalogue.what_if import changes
from catalogue.what_if import rows as table_rows
from catalogue.what_if.context import ReadingContext, changed_rules, reading_context
from simulator import rulesets
from simulator.batches.queueing import admit_ruleset
from simulator.engine.documents import read_value, write_value
from simulator.engine.family import family, sentence
from simulator.engine.ruleset import Problem, RulesetProblem
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.engine.tables import called, is_table, read_place, spec_at
from simulator.locks import RULESETS, exclusive
from simulator.models import Batch, Ruleset
from simulator.problems import QueueFull, WrongRequest


class TableWidget(forms.Widget):
    """A table of rules as rows, each with a control for each column; the last row may be added."""

    template_name = "partials/what_if_table.html"
    use_fieldset = True

    def __init__(self, key: str, spec: Mapping[str, Any], said: Sequence[str] = ()) -> None:
        super().__init__()
        self.key, self.spec, self.said = key, spec, said

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        table = read_value(value or "", self.spec)
        rows = table_rows.rows_of(self.key, table, self.spec, self.said)
        return render_to_string(self.template_name, {"name": name, "value": value, "rows": rows})


class WhatIfForm(answers.RefusableForm, forms.Form):
    """Every parameter of a ruleset, as it is and as the reader changes it.

    The form only shows: what is typed is read, and refused, by `catalogue.what_if.changes`.
    """

    def __init__(self, parent: EngineRuleset, typed: Mapping[str, str], problems: tuple[Problem, ...] = ()) -> None:
        kind = family(parent.family)
        specs = changes.parameters_of(kind)
        before = {key: write_value(parent.parameters[key]) for key in specs}
        super().__init__({self.add_prefix(key): words for key, words in {**before, **typed}.items()})
        for key, spec in specs.items():
            words = typed.get(key, before[key])
            self.fields[key] = field_of(spec, words, key)
            if isinstance(widget := self.fields[key].widget, TableWidget):
                widget.said = changes.said_by_row(kind, key, {**parent.parameters, key: read_value(words, spec)})
        for problem in problems:
            place = read_place(problem.key) or ("",)
            told = problem.message if problem.key in specs else f"{called(place, specs)}: {problem.message}"
            self.add_error(str(place[0]) if place[0] in specs else None, told)

    def add_prefix(self, field_name: str) -> str:
        return changes.PREFIX + field_name


def field_of(spec: Mapping[str, Any], words: str = "", key: str = "") -> forms.CharField:
    """The field of a parameter: choices in words where it has them, else a number, a list or a table to be typed.

    words: what stands in it; where that is an object the field is not one of choices, which have none for it
    """
    offered = changes.choices(spec)
    widget: forms.Widget
    if key and table_rows.is_in_rows(spec):
        widget = TableWidget(key, spec)
    elif is_table(spec) and (words[:1] == "{" or not offered):
        widget = forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"})
    elif offered:
        widget = forms.RadioSelect(choices=offered)
    elif spec["type"] == "integer":
        widget = forms.NumberInput(attrs={"min": spec["minimum"], "max": spec["maximum"], "inputmode": "numeric"})
    else:
        widget = forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"})
    return forms.CharField(required=False, label=spec["title"], help_text=hint(spec), widget=widget)


def hint(spec: Mapping[str, Any]) -> str:
    """Describe the parameter, and what may be typed."""
    description = str(spec["description"])
    if spec["type"] == "integer" and spec["minimum"] == spec["maximum"]:
        return f"{description} Always {spec['minimum']}."
    if spec["type"] == "integer":
        return f"{description} From {spec['minimum']} to {spec['maximum']}."
    if table_rows.is_in_rows(spec):
        return f"{description} A row is added by filling the last one."
    if is_table(spec):
        return f"{description} To be typed as JSON, or name:part/part,name:part."
    if spec["type"] == "array":
        item = spec["items"]
        parts = f"numbers from {item['minimum']} to {item['maximum']}" if "minimum" in item else "names"
        bound = f"{spec['minItems']} " if spec.get("minItems") else ""
        return f"{description} To be typed: {bound}{parts} with commas between them."
    return description


@dataclass(frozen=True, slots=True)
class Correction:
    """The reason why a field was refused, and the nearest valid value, in words."""

    message: str
    nearest: str


@dataclass(frozen=True, slots=True)
class ParameterField:
    key: str
    bound: BoundField
    before: str
    idle: str
    clause: ReadingClause | None
    is_changed: bool
    corrections: tuple[Correction, ...]

    @property
    def needs_a_look(self) -> bool:
        return self.is_changed or bool(self.corrections)


@dataclass(frozen=True, slots=True)
class QuestionFields:
    """A question, the answer of the ruleset that was changed, the answer now, and the fields that set it."""

    question: OpenQuestion
    before: GivenAnswer | None
    now: GivenAnswer | None
    is_touched: bool
    arises: bool
    fields: tuple[ParameterField, ...]

    @property
    def needs_a_look(self) -> bool:
        return any(field.needs_a_look for field in self.fields)


@dataclass(frozen=True, slots=True)
class FieldGroups:
    """The fields of the form in three groups: of the game's questions, of the ruleset's other rules, and the rest."""

    questions: tuple[QuestionFields, ...]
    own: tuple[ParameterField, ...]
    further: tuple[ParameterField, ...]

    @property
    def refused(self) -> tuple[ParameterField, ...]:
        fields = chain(*(question.fields for question in self.questions), self.own, self.further)
        return tuple(field for field in fields if field.corrections)

    @property
    def further_needs_a_look(self) -> bool:
        return any(one.needs_a_look for one in self.further)


def field_groups(variant: changes.WhatIf, around: ReadingContext, form: WhatIfForm) -> FieldGroups:
    """Every parameter once, under the first question that it belongs to."""
    idle = inactive_parameters(variant.ruleset or variant.parent)
    fields = {key: _field(key, variant, around, form, idle.get(key, "")) for key in form.fields}
    questions = []
    for question in around.questions:
        keys = [key for key in question.question.parameters if key in fields]
        questions.append(_question(question, variant, tuple(fields.pop(key) for key in keys)))
    own = [key for key in fields if key in variant.parent.document]
    return FieldGroups(tuple(questions), tuple(fields.pop(key) for key in own), tuple(fields.values()))


def acts_only_later(asked: QuestionFields) -> bool:
    """Whether the answers to a question change no first round, of a game that has rounds."""
    question = asked.question.question
    of_game = kept_first_rounds().get(question.game.slug, {})
    return question.slug in of_game.get("questions", {}) and bool(
        why_not_in_first_rounds(question.game.slug, question.slug)
    )


def _question(question: OpenQuestion, variant: changes.WhatIf, fields: tuple[ParameterField, ...]) -> QuestionFields:
    return QuestionFields(
        question,
        question.given_by(variant.parent.parameters),
        question.given_by(variant.parameters),
        bool(set(question.question.parameters) & set(variant.values)),
        question.arises(variant.ruleset or variant.parent),
        fields,
    )


def _field(key: str, variant: changes.WhatIf, around: ReadingContext, form: WhatIfForm, idle: str) -> ParameterField:
    kind = family(variant.parent.family)
    specs = changes.parameters_of(kind)
    before = kind.sentence(key, variant.parent.parameters)
    corrections = tuple(_correction(problem, specs) for problem in variant.problems if _table(problem) == key)
    is_changed = key in variant.values
    return ParameterField(
        key, form[key], before, changes.explained(idle, specs), around.clause_on(key), is_changed, corrections
    )


def _correction(problem: Problem, specs: changes.Specs) -> Correction:
    place = read_place(problem.key)
    spec = spec_at(specs, place)
    nearest = "" if problem.nearest is None else sentence(problem.nearest, spec) if spec else str(problem.nearest)
    message = changes.explained(problem.message, specs)
    return Correction(message if problem.key in specs else f"{called(place, specs)}: {message}", nearest)


def _table(problem: Problem) -> str:
    """The parameter of a problem, whose key may be a place in a table."""
    return str((read_place(problem.key) or ("",))[0])


TAKE = "take"  # the button that takes an answer: question.answer
BATCHES_SHOWN = 10
LONGEST_SHOWN = 60


@ruleset_route("change/", query="?set.pass_over=4", methods="GET POST", queries=14)
def change_ruleset(request: answers.HtmxRequest, name: str) -> HttpResponse:
    parent = named_ruleset(name)
    around = reading_context(parent.slug, parent.ruleset)
    typed = _typed(request.GET, parent)
    if answer := request.GET.get(TAKE):
        typed |= _values_of_answer(answer, around.questions)
    variant = _read_change(parent, typed)
    if request.method == "POST":
        return _play(request, parent, around, variant)
    address = {changes.PREFIX + key: words for key, words in variant.typed.items()}
    if list(request.GET.items()) != sorted(address.items()):
        return redirect(change_address(parent.name, variant.typed))
    return _page(request, parent, around, variant, batches.batch_form(request, variant.ruleset or parent.ruleset))


def _typed(query: QueryDict, parent: NamedRuleset) -> dict[str, str]:
    """Parameter -> words, as the address has them; WrongAddress for a key that means nothing."""
    specs = changes.parameters_of(parent.family)
    known = [*(changes.PREFIX + key for key in specs), TAKE, table_rows.MOVE]
    for key, values in query.lists():
        if key not in known and not _is_cell(key, specs):
            near = nearest_word(key, known)
            message = f"A ruleset of this family has no parameter to be set by “{key[:LONGEST_SHOWN]}”."
            raise WrongAddress(message, _without(query, parent, key, near))
        if len(values) > 1:
            message = f"“{key}” is set {len(values)} times in this address; once is enough."
            raise WrongAddress(message, _without(query, parent, key, key))
    typed = {key.removeprefix(changes.PREFIX): str(words) for key, words in query.items() if key not in known[-2:]}
    return table_rows.folded(typed, parent.ruleset.parameters, specs, query.get(table_rows.MOVE, ""))


def _is_cell(key: str, specs: changes.Specs) -> bool:
    """Whether a form has a cell of a table by that name."""
    place = read_place(key.removeprefix(changes.PREFIX))
    return key.startswith(changes.PREFIX) and len(place) > 1 and spec_at(specs, place) is not None


def _without(query: QueryDict, parent: NamedRuleset, wrong: str, near: str | None) -> Suggested:
    """The same address with another key in the place of the wrong one."""
    pairs = {key: str(words) for key, words in query.items() if key != wrong} | (
        {near: str(query[wrong])} if near else {}
    )
    text = f"the address with “{near}”" if near else "the address without it"
    return Suggested(text, f"{reverse('change-ruleset', args=[parent.name])}?{urlencode(sorted(pairs.items()))}")


def _read_change(parent: NamedRuleset, typed: dict[str, str]) -> changes.WhatIf:
    """The changed ruleset. Raises WrongAddress for a value that no choice of the form has."""
    try:
        return changes.what_if(parent.ruleset, typed)
    except RulesetProblem as error:
        problem = error.problems[0]
        near = write_value(problem.nearest)
        nearest = Suggested(f"{problem.key} “{near}”", change_address(parent.name, typed | {problem.key: near}))
        raise WrongAddress(f"{changes.PREFIX}{problem.key} {problem.message}.", nearest) from error


def _values_of_answer(answer: str, questions: Iterable[OpenQuestion]) -> dict[str, str]:
    """The parameters that an answer sets, as an address writes them. Raises WrongAddress."""
    known = {
        f"{question.question.slug}.{given.answer.slug}": given.answer.values
        for question in questions
        for given in question.answers
    }
    values = known.get(answer)
    if values is None:
        near = nearest_word(answer, [name for name, values in known.items() if values is not None])
        suggested = Suggested(f"the answer “{near}”", "?" + urlencode({TAKE: near})) if near else None
        raise WrongAddress(f"No question of this game has an answer “{answer[:LONGEST_SHOWN]}” to take.", suggested)
    return {key: write_value(value) for key, value in values.items()}


def _play(
    request: answers.HtmxRequest, parent: NamedRuleset, around: ReadingContext, variant: changes.WhatIf
) -> HttpResponse:
    """Have a batch played; its ruleset is a row from then on, and can be compared with its parent."""
    form = batches.batch_form(request, variant.ruleset or parent.ruleset, request.POST)
    if batches.ESTIMATE in request.POST and request.htmx:
        return batches.estimate_answer(request, form)
    if variant.ruleset is None or batches.ESTIMATE in request.POST:
        return _page(request, parent, around, variant, form)
    if "yourself" in request.POST:
        return _play_yourself(request, parent, around, variant, variant.ruleset)
    batch = batches.request_by_form(request, form)
    if batch and "compare" in request.POST:
        return _compared(request, parent, batch, form) or _page(request, parent, around, variant, form)
    return redirect("batch", batch_id=batch.id) if batch else _page(request, parent, around, variant, form)


def _compared(request: HttpRequest, parent: NamedRuleset, batch: Batch, form: batches.BatchForm) -> HttpResponse | None:
    """Redirect to the comparison with the parent, whose games are requested too; None if that is refused."""
    try:
        terms = {name: value for name, value in batch.terms.items() if name != "traffic"}
        checked = check_comparison((parent.lasting_name, batch.ruleset_id), **terms)
        return redirect("comparison", comparison_id=answers.requested(request, COMPARISONS, checked).id)
    except (WrongRequest, QueueFull) as error:
        form.refuse(error)
        return None


def _play_yourself(
    request: HttpRequest, parent: NamedRuleset, around: ReadingContext, variant: changes.WhatIf, ruleset: EngineRuleset
) -> HttpResponse:
    """Redirect to the page where the ruleset is played; it is a row from then on, as if a batch had been requested."""
    if not Ruleset.objects.filter(hash=ruleset.hash).exists():
        try:
            with transaction.atomic():
                exclusive(RULESETS)
                admit_ruleset(address_of(request))
                rulesets.save(ruleset)
        except QueueFull as error:
            messages.error(request, str(error))
            form = batches.batch_form(request, parent.ruleset)
            form.retry_after = error.retry_after
            return _page(request, parent, around, variant, form)
    return redirect("play-a-game", name=ruleset.hash)


def _page(
    request: HttpRequest, parent: NamedRuleset, around: ReadingContext, variant: changes.WhatIf, form: batches.BatchForm
) -> HttpResponse:
    fields = WhatIfForm(parent.ruleset, variant.typed, variant.problems)
    title = str(parent.title_of(around.reading))
    rules = changed_rules(around, parent.family, variant.parent.parameters, variant.parameters)
    groups = field_groups(variant, around, fields)
    context = {
        "parent": parent,
        "around": around,
        "variant": variant,
        "title": title,
        "in_words": RulesetTitle(title, as_clauses(rule.change.after for rule in rules)),
        "rules": rules,
        "fields": groups,
        "only_later": [asked.question for asked in groups.questions if asked.is_touched and acts_only_later(asked)],
        "elsewhere": [problem for problem in variant.problems if _table(problem) not in fields.fields],
        "lasting_address": request.build_absolute_uri(change_address(parent.lasting_name, variant.typed)),
        **_nearest(parent, variant),
        **_result(request, parent, variant),
    }
    status = HTTPStatus.BAD_REQUEST if variant.problems else None
    return answers.form_page(request, "catalogue/what_if.html", form, context, status)


def _nearest(parent: NamedRuleset, variant: changes.WhatIf) -> dict[str, Any]:
    """The nearest change that can be played, with all that it changes; empty if there are no problems."""
    near = changes.nearest_playable(variant) if variant.problems else None
    if near is None:
        return {}
    differing = changes.changes(parent.family, variant.parameters, near.parameters)
    return {"nearest": differing, "nearest_address": change_address(parent.name, near.typed)}


def _result(request: HttpRequest, parent: NamedRuleset, variant: changes.WhatIf) -> dict[str, Any]:
    """The ruleset that results from the change, if it can be played: its address, names, batches and board."""
    given = variant.ruleset
    if given is None or not variant.values:
        return {}
    row = Ruleset.objects.prefetch_related("versions").filter(hash=given.hash).first()
    board = start_board(given)
    page = f"{reverse('ruleset', args=[given.hash])}?parent={parent.lasting_name}"
    return {
        "row": row,
        "names": list(row.versions.all()) if row else [],
        "batches": batch_rows().filter(ruleset=row)[:BATCHES_SHOWN] if row else [],
        "board": board if board.svg != start_board(parent.ruleset).svg else None,
        "page_address": page,
        "absolute_page_address": request.build_absolute_uri(page),
        "comparison": comparison_address(parent.lasting_name, given.hash) if row else "",
    }
