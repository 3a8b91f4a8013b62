"""Comparing readings: the form, the wait, and the comparison under its permanent address."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone

from catalogue.analyses.comparison_words import margins_in_words, sections
from catalogue.analyses.comparisons import (
    COMPARISONS,
    ComparisonRequest,
    check_comparison,
    command_line,
    with_clauses,
)
from catalogue.filters.parameters import refuse_unknown
from catalogue.findings.kept import findings
from catalogue.findings.over_levels import of_compared
from catalogue.models import Basis, ComparedBatch, Comparison, Game, Reading
from catalogue.models.lookup import NothingHere, found_or_nearest
from catalogue.models.querysets import RulesetTitle, compared_rulesets, comparison_rows, newest_versions
from catalogue.pages.answers import HtmxRequest, drawing, page_of, progress_answer
from catalogue.pages.batches import let_cancel
from catalogue.pages.comparison_form import ComparisonForm
from catalogue.pages.figures import of_comparison, strength_table
from catalogue.pages.forms import form_page
from catalogue.play.start_boards import game_cards
from catalogue.texts.errors import Suggested
from catalogue.web.addresses import comparison_title, titles_compared
from catalogue.web.routes import route
from catalogue.web.visitors import on_behalf
from simulator.batches import levels
from simulator.batches.requests import has_rounds
from simulator.batches.versions import is_of_this_engine
from simulator.engine.family import family
from simulator.models import Batch
from simulator.problems import QueueFull, WrongRequest
from simulator.rulesets import as_engine

MOST_SHOWN = 20  # names of an address that are offered again


@route("compare/", name="compare", example="/compare/?game=daramuti", methods="GET POST", sitemap=True, queries=13)
def compare(request: HttpRequest) -> HttpResponse:
    """A GET leads to the comparison if it is there, else to the form filled in; a POST asks for it."""
    sent = request.POST if request.method == "POST" else request.GET
    if request.method != "POST":
        refuse_unknown(request, ("game", *ComparisonForm.base_fields), several=("rulesets",))
    names = sent.getlist("rulesets")
    game = _game_of(sent, names)
    if request.method != "POST" and len(names) < 2:
        return _form_page(request, game, _form(game, names, None, sent))
    form = _form(game, names, sent)
    try:
        if not form.is_valid():
            return _form_page(request, game, form)
        checked = check_comparison(names, **form.wanted)
        if request.method == "POST":
            return redirect("comparison", comparison_id=_requested(request, checked).id)
    except (WrongRequest, QueueFull) as error:
        form.refuse(error)
        return _form_page(request, game, form)
    if Comparison.objects.filter(id=checked.id).exists():
        return redirect("comparison", comparison_id=checked.id)
    return _form_page(request, game, form)


def _game_of(sent: QueryDict, names: Sequence[str]) -> Game | None:
    """The game whose readings are offered: the one named, or that of the first reading."""
    if slug := sent.get("game"):
        return found_or_nearest(Game.objects.all(), "slug", str(slug), "game")
    slugs = [name.partition("@")[0] for name in names]
    return Game.objects.filter(readings__slug__in=slugs).order_by("name").first()


def _form(
    game: Game | None, names: Sequence[str], sent: QueryDict | None, initial: QueryDict | None = None
) -> ComparisonForm:
    readings = list(Reading.objects.filter(game=game).order_by("position", "slug")) if game else []
    choices = [(reading.slug, f"{reading.title} ({reading.slug})") for reading in readings]
    choices += [(name, _short(name)) for name in dict.fromkeys(names[:MOST_SHOWN]) if name not in dict(choices)]
    versions = newest_versions(reading.slug for reading in readings).values()
    with_rounds = not versions or any(has_rounds(family(version.ruleset.family)) for version in versions)
    given = {name: initial[name] for name in initial if name not in ("game", "rulesets")} if initial else {}
    begun = {**given, "rulesets": list(names) or [reading.slug for reading in readings]}
    seats = [family(one.ruleset.family).seats(as_engine(one.ruleset).parameters) for one in versions]
    typed = ",".join((sent or initial or QueryDict()).getlist("players"))
    # An empty field of an address means what is usual, as one that is not there does.
    filled = _with_usual(sent)
    return ComparisonForm(filled, choices=choices, seats=seats, typed=typed, with_rounds=with_rounds, initial=begun)


def _short(name: str) -> str:
    return f"ruleset {name[:8]}" if len(name) == 64 else name


def _with_usual(sent: QueryDict | None) -> QueryDict | None:
    if sent is None:
        return None
    filled = sent.copy()
    for name, field in ComparisonForm.base_fields.items():
        if field.initial is not None and not filled.get(name):
            filled[name] = str(field.initial)
    return filled


def _requested(request: HttpRequest, checked: ComparisonRequest) -> Comparison:
    begun = timezone.now()
    found = COMPARISONS.request(checked, **on_behalf(request))
    let_cancel(request, found.compared.filter(batch__created__gte=begun).values_list("batch_id", flat=True))
    return found


def _form_page(request: HttpRequest, game: Game | None, form: ComparisonForm) -> HttpResponse:
    """With a game: its readings and what was compared of them; without: the games of which there are several."""
    several = Game.objects.annotate(read=Count("readings")).filter(read__gt=1).order_by("name")
    found = findings()
    context = {
        "game": game,
        "bars": found.bars_of(game) if game else (),
        "bars_of": found.first_shown[game.pk][0] if game and game.pk in found.first_shown else None,
        "comparisons": _made_of(game),
        "games": [(card, found.bars_of(card.game)) for card in game_cards(several)] if not game else [],
    }
    return form_page(request, "catalogue/compare.html", form, context)


def _made_of(game: Game | None) -> list[Comparison]:
    """Comparisons that are done, the newest first: those that name a reading of the game, if one is chosen."""
    done = comparison_rows().filter(state=Comparison.State.DONE)
    if game is None:
        return list(done[:MOST_SHOWN])
    slugs = set(Reading.objects.filter(game=game).values_list("slug", flat=True))
    compared = ComparedBatch.objects.filter(batch__ruleset__versions__slug__in=slugs)
    rows = done.filter(pk__in=compared.values("comparison"))[:MOST_SHOWN]
    # Readings of two games may be one ruleset: the names tell which of them was asked for.
    return [one for one in rows if slugs & {name.partition("@")[0] for name in one.names}]


@route("comparisons/", name="comparison-list", example="/comparisons/", sitemap=True)
def comparison_list(request: HttpRequest) -> HttpResponse:
    return render(request, "catalogue/comparison_list.html", {"page": page_of(request, comparison_rows(), size=50)})


@route("comparisons/<batch_id:comparison_id>/", name="comparison", example="/comparisons/{comparison}/", queries=13)
def comparison(request: HttpRequest, comparison_id: str) -> HttpResponse:
    found, batches = found_comparison(comparison_id)
    first = batches[0] if batches else None
    context: dict[str, Any] = {
        "comparison": found,
        "heading": _heading(titles_compared(request, found)),
        "first": first,
        "batches": [(found.names[one.place], one.batch) for one in found.compared.all()],
        "changed_levels": [one.batch for one in found.compared.all() if not _is_who_was_asked_for(found, one.batch)],
        "by_hash": [name for name in found.names if len(name) == 64],
        "is_lost": len(batches) < len(found.names),
        "players": found.asked or (first.players if first else ""),
        "margins": margins_in_words(found.margins),
        "command": command_line(found, first) if first else "",
    }
    if found.document:
        document = with_clauses(found.document)
        shown, sentences = of_comparison(request, found, batches) or (None, [])
        context |= {
            "document": document,
            "is_of_this_engine": all(map(is_of_this_engine, batches)),
            "shown": shown,
            "figure": shown.figure if shown else None,
            "who_wins": sentences[1:],  # the figure itself says the first of them
            "over_levels": strength_table(of_compared(found.names, [batch.ruleset_id for batch in batches]))
            if len(batches) == len(found.names)
            else None,
            "all_alike": all(pair["identical"]["count"] == pair["games"] for pair in document["pairs"]),
            "rules": [_rule(document, rule) for rule in document["rules"]],
            "pairs": [_pair(document, pair) for pair in document["pairs"]],
        }
    else:
        context["progress"] = COMPARISONS.progress(found)
    return render(request, "catalogue/comparison.html", context)


def found_comparison(comparison_id: str) -> tuple[Comparison, list[Batch]]:
    """The comparison with its batches in order, as far as none was thrown away."""
    found = _comparison(comparison_id)
    prefetch_related_objects([found], compared_rulesets())
    return found, [one.batch for one in found.compared.all()]


def _comparison(comparison_id: str) -> Comparison:
    found = Comparison.objects.filter(id=comparison_id).first()
    if found is None:
        raise NothingHere(
            f"There is no comparison “{comparison_id}” here. If you have the command that was printed on its page, it "
            "computes the same comparison again.",
            [Suggested("Compare readings", "/compare/")],
        )
    return found


def _is_who_was_asked_for(found: Comparison, batch: Batch) -> bool:
    """Whether the levels that were asked for stand for the players of this batch today."""
    return not found.players or levels.resolve_players(as_engine(batch.ruleset), found.players) == batch.players


def _heading(titles: Sequence[RulesetTitle]) -> str:
    """ "Daramuti: 3 readings compared", or the whole titles where they are not of one game."""
    games = {str(one).partition(", ")[0] for one in titles}
    if len(games) != 1 or not all(one.near for one in titles):
        return f"{comparison_title(titles)} compared"
    what = "rulesets" if any(one.but for one in titles) else "readings"
    return f"{games.pop()}: {len(titles)} {what} compared"


def _rule(document: dict[str, Any], rule: dict[str, Any]) -> dict[str, Any]:
    """A rule whose sides say whose they are, and their basis in words."""
    sides = []
    for side, ruleset in zip(rule["sides"], document["rulesets"], strict=True):
        clause = side["clause"]
        basis = Basis(clause["basis"]).label if clause else ""
        sides.append({**side, "called": ruleset["title"] or ruleset["name"], "basis": basis})
    return {**rule, "sides": sides}


def _pair(document: dict[str, Any], pair: dict[str, Any]) -> dict[str, Any]:
    sides = document["rulesets"]
    both = {"first": sides[pair["first"]], "second": sides[pair["second"]]}
    return {**pair, **both, "sections": sections(pair["measures"])}


@route(
    "comparisons/<batch_id:comparison_id>/progress.json",
    name="comparison-progress",
    example="/comparisons/{comparison}/progress.json",
)
def comparison_progress(request: HtmxRequest, comparison_id: str) -> HttpResponse:
    """`running` as long as there is something to wait for."""
    found = _comparison(comparison_id)
    progress = COMPARISONS.progress(found)
    waiting = progress.state == Comparison.State.WAITING
    return progress_answer(request, "running" if waiting else progress.state, progress)


@route(
    "comparisons/<batch_id:comparison_id>/lengths.svg",
    name="comparison-plot",
    example="/comparisons/{comparison}/lengths.svg",
)
def comparison_plot(request: HttpRequest, comparison_id: str) -> HttpResponse:
    found = _comparison(comparison_id)
    if not found.plot:
        raise NothingHere("The curves are drawn when all games of the comparison are played.")
    return drawing(found.plot["svg"])
