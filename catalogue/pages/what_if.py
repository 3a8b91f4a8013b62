"""Changing a reading: the form, what follows from a change, and a batch of what it gives. The catalogue stays as it is.

The address says everything: the ruleset that is changed, and the parameters that differ. Every form and button leads
to the one address of the same change.
"""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from catalogue.analyses.comparisons import COMPARISONS, check_comparison
from catalogue.evidence.questions import OpenQuestion
from catalogue.models.querysets import RulesetTitle, as_clauses, batch_rows
from catalogue.pages.answers import HtmxRequest
from catalogue.pages.batches import ESTIMATE, BatchForm, batch_form, estimate_answer, request_by_form
from catalogue.pages.forms import form_page
from catalogue.pages.named_rulesets import NamedRuleset, change_address, comparison_address, named_ruleset
from catalogue.pages.what_if_form import WhatIfForm, field_groups
from catalogue.play.start_boards import start_board
from catalogue.texts.errors import Suggested, nearest_word
from catalogue.web.addresses import WrongAddress
from catalogue.web.routes import route
from catalogue.web.visitors import on_behalf
from catalogue.what_if.changes import PREFIX, WhatIf, changes, nearest_playable, parameters_of, what_if
from catalogue.what_if.context import ReadingContext, changed_rules, reading_context
from simulator import rulesets
from simulator.batches.queueing import admit_ruleset
from simulator.engine.documents import write_value
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.engine.ruleset import RulesetProblem
from simulator.locks import RULESETS, exclusive
from simulator.models import Batch, Ruleset
from simulator.problems import QueueFull, WrongRequest

TAKE = "take"  # the button that takes an answer: question.answer
BATCHES_SHOWN = 10
LONGEST_SHOWN = 60


@route(
    "rulesets/<str:name>/change/",
    name="change-ruleset",
    example="/rulesets/daramuti-parker/change/?set.pass_over=4",
    methods="GET POST",
    queries=14,
)
def change(request: HtmxRequest, name: str) -> HttpResponse:
    parent = named_ruleset(name)
    around = reading_context(parent.slug, parent.ruleset)
    typed = _typed(request.GET, parent)
    if answer := request.GET.get(TAKE):
        typed |= _taken(answer, around.questions)
    variant = _understood(parent, typed)
    if request.method == "POST":
        return _play(request, parent, around, variant)
    address = {PREFIX + key: words for key, words in variant.typed.items()}
    if list(request.GET.items()) != sorted(address.items()):
        return redirect(change_address(parent.name, variant.typed))
    return _page(request, parent, around, variant, batch_form(request, variant.ruleset or parent.ruleset))


def _typed(query: QueryDict, parent: NamedRuleset) -> dict[str, str]:
    """Parameter -> words, as the address has them; WrongAddress for a key that means nothing."""
    specs = parameters_of(parent.family)
    known = [*(PREFIX + key for key in specs), TAKE]
    for key, values in query.lists():
        if key not in known:
            near = nearest_word(key, known)
            message = f"A ruleset of this family has no parameter to be set by “{key[:LONGEST_SHOWN]}”."
            raise WrongAddress(message, _without(query, parent, key, near))
        if len(values) > 1:
            message = f"“{key}” is set {len(values)} times in this address; once is enough."
            raise WrongAddress(message, _without(query, parent, key, key))
    return {key.removeprefix(PREFIX): str(words) for key, words in query.items() if key != TAKE}


def _without(query: QueryDict, parent: NamedRuleset, wrong: str, near: str | None) -> Suggested:
    """The same address with another key in the place of the wrong one."""
    pairs = {key: str(words) for key, words in query.items() if key != wrong} | (
        {near: str(query[wrong])} if near else {}
    )
    text = f"the address with “{near}”" if near else "the address without it"
    return Suggested(text, f"{reverse('change-ruleset', args=[parent.name])}?{urlencode(sorted(pairs.items()))}")


def _understood(parent: NamedRuleset, typed: dict[str, str]) -> WhatIf:
    """What the ruleset becomes; WrongAddress for a value that no choice of the form has."""
    try:
        return what_if(parent.ruleset, typed)
    except RulesetProblem as error:
        problem = error.problems[0]
        near = write_value(problem.nearest)
        nearest = Suggested(f"{problem.key} “{near}”", change_address(parent.name, typed | {problem.key: near}))
        raise WrongAddress(f"{PREFIX}{problem.key} {problem.message}.", nearest) from error


def _taken(answer: str, questions: Iterable[OpenQuestion]) -> dict[str, str]:
    """What an answer sets."""
    known = {
        f"{one.question.slug}.{given.answer.slug}": given.answer.values for one in questions for given in one.answers
    }
    values = known.get(answer)
    if values is None:
        near = nearest_word(answer, [name for name, values in known.items() if values is not None])
        suggested = Suggested(f"the answer “{near}”", "?" + urlencode({TAKE: near})) if near else None
        raise WrongAddress(f"No question of this game has an answer “{answer[:LONGEST_SHOWN]}” to take.", suggested)
    return {key: write_value(value) for key, value in values.items()}


def _play(request: HtmxRequest, parent: NamedRuleset, around: ReadingContext, variant: WhatIf) -> HttpResponse:
    """Have a batch played; its ruleset is a row from then on, and can be compared with its parent."""
    form = batch_form(request, variant.ruleset or parent.ruleset, request.POST)
    if ESTIMATE in request.POST and request.htmx:
        return estimate_answer(request, form)
    if variant.ruleset is None or ESTIMATE in request.POST:
        return _page(request, parent, around, variant, form)
    if "yourself" in request.POST:
        return _play_yourself(request, parent, around, variant, variant.ruleset)
    batch = request_by_form(request, form)
    if batch and "compare" in request.POST:
        return _compared(request, parent, batch, form) or _page(request, parent, around, variant, form)
    return redirect("batch", batch_id=batch.id) if batch else _page(request, parent, around, variant, form)


def _compared(request: HttpRequest, parent: NamedRuleset, batch: Batch, form: BatchForm) -> HttpResponse | None:
    """To the comparison with the parent, whose games are asked for as well; None if that is refused."""
    try:
        asked = check_comparison((parent.lasting_name, batch.ruleset_id), **batch.terms)
        return redirect("comparison", comparison_id=COMPARISONS.request(asked, **on_behalf(request)).id)
    except (WrongRequest, QueueFull) as error:
        form.refuse(error)
        return None


def _play_yourself(
    request: HttpRequest, parent: NamedRuleset, around: ReadingContext, variant: WhatIf, ruleset: EngineRuleset
) -> HttpResponse:
    """To the page where it is played; it is a row from then on, like one of which a batch was asked for."""
    if not Ruleset.objects.filter(hash=ruleset.hash).exists():
        try:
            with transaction.atomic():
                exclusive(RULESETS)
                admit_ruleset()
                rulesets.save(ruleset)
        except QueueFull as error:
            messages.error(request, str(error))
            form = batch_form(request, parent.ruleset)
            form.retry_after = error.retry_after
            return _page(request, parent, around, variant, form)
    return redirect("play-a-game", name=ruleset.hash)


def _page(
    request: HttpRequest, parent: NamedRuleset, around: ReadingContext, variant: WhatIf, form: BatchForm
) -> HttpResponse:
    fields = WhatIfForm(parent.ruleset, variant.typed, variant.problems)
    title = str(parent.title_of(around.reading))
    rules = changed_rules(around, parent.family, variant.parent.parameters, variant.parameters)
    context = {
        "parent": parent,
        "around": around,
        "variant": variant,
        "title": title,
        "in_words": RulesetTitle(title, as_clauses(rule.change.after for rule in rules)),
        "rules": rules,
        "fields": field_groups(variant, around, fields),
        "elsewhere": [problem for problem in variant.problems if problem.key not in fields.fields],
        "lasting_address": request.build_absolute_uri(change_address(parent.lasting_name, variant.typed)),
        **_nearest(parent, variant),
        **_given(request, parent, variant),
    }
    status = HTTPStatus.BAD_REQUEST if variant.problems else None
    return form_page(request, "catalogue/what_if.html", form, context, status)


def _nearest(parent: NamedRuleset, variant: WhatIf) -> dict[str, Any]:
    """Where something does not fit: the nearest change that can be played, and what more it changes."""
    near = nearest_playable(variant) if variant.problems else None
    if near is None:
        return {}
    differing = changes(parent.family, variant.parameters, near.parameters)
    return {"nearest": differing, "nearest_address": change_address(parent.name, near.typed)}


def _given(request: HttpRequest, parent: NamedRuleset, variant: WhatIf) -> dict[str, Any]:
    """What the change gives, if it can be played: its address, its names, its batches, its board."""
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
