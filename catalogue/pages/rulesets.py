"""Rulesets: the list, one ruleset with its rules in words, and the form that has a batch of it played."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from catalogue.evidence.clauses import clauses_of
from catalogue.models import Reading
from catalogue.models.lookup import NothingHere
from catalogue.models.querysets import batch_rows, beside
from catalogue.pages.batch_forms import Refused, ask_for_batch
from catalogue.pages.forms import BatchForm
from catalogue.pages.lineage import Lineage, lineage
from catalogue.pages.paging import page_of
from catalogue.play.solution_summary import solution_page
from catalogue.texts.errors import Suggested
from simulator import rulesets
from simulator.batches.requests import DEFAULTS, has_rounds
from simulator.batches.visitor_limits import most_games
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.models import Ruleset, RulesetVersion
from simulator.problems import WrongRequest
from simulator.strength import ladders

BATCHES_SHOWN = 20


def ruleset_list(request: HttpRequest) -> HttpResponse:
    page = page_of(request, Reading.objects.order_by("game__name", "position", "slug"), size=60)
    readings = beside(
        Reading.objects.filter(pk__in=[reading.pk for reading in page]).order_by("game__name", "position")
    )
    return render(request, "catalogue/ruleset_list.html", {"page": page, "readings": readings})


def ruleset(request: HttpRequest, name: str) -> HttpResponse:
    engine, row = named_ruleset(name)
    return _ruleset_page(request, name, engine, row, form_for(engine))


def play_batch(request: HttpRequest, name: str) -> HttpResponse:
    """Ask for a batch; the page of the ruleset comes back, with what was wrong, if it is refused."""
    if request.method != "POST":
        return redirect("ruleset", name=name)
    engine, row = named_ruleset(name)
    form = form_for(engine, request.POST)
    asked = ask_for_batch(request, engine, form)
    if isinstance(asked, Refused):
        return asked.mark(_ruleset_page(request, name, engine, row, form, asked.status))
    return redirect("batch", batch_id=asked.id)


def named_ruleset(name: str) -> tuple[EngineRuleset, Ruleset]:
    """The ruleset of that name (slug, slug@number, hash or its beginning), as engine and database have it."""
    try:
        engine = rulesets.find(name)
    except WrongRequest as error:
        near = next((str(problem.nearest) for problem in error.problems if problem.nearest), None)
        suggested = [Suggested(near, reverse("ruleset", args=[near]))] if near else []
        raise NothingHere(str(error), suggested) from error
    row = Ruleset.objects.prefetch_related("versions").filter(hash=engine.hash).first()
    if row is None:
        raise NothingHere(f"The ruleset “{name}” has not been loaded into this catalogue.")
    return engine, row


def version_meant(row: Ruleset, name: str) -> RulesetVersion | None:
    """The version that a name means: the one so called, else the content's first, if it has a name at all."""
    versions = list(row.versions.all())
    return next((one for one in versions if name in (one.slug, str(one))), versions[0] if versions else None)


def _made_from(request: HttpRequest, engine: EngineRuleset) -> Lineage | str:
    """What `?parent=` says of a ruleset, or why it says nothing; empty if the address names no parent."""
    asked = request.GET.get("parent")
    if not asked:
        return ""
    try:
        parent, row = named_ruleset(asked)
    except NothingHere as error:
        return f"The address names a parent that is not here. {error}"
    return lineage(engine, parent, version_meant(row, asked))


def form_for(engine: EngineRuleset, sent: QueryDict | None = None) -> BatchForm:
    return BatchForm(sent, with_rounds=has_rounds(family(engine.family)))


def _ruleset_page(
    request: HttpRequest,
    name: str,
    engine: EngineRuleset,
    row: Ruleset,
    form: BatchForm,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    kind = family(engine.family)
    versions, version = list(row.versions.all()), version_meant(row, name)
    slug = version.slug if version else None
    reading = Reading.objects.select_related("game", "rests_on").prefetch_related("evidence").filter(slug=slug).first()
    context = {
        "name": name,
        "ruleset": row,
        "version": version,
        "other_names": [one for one in versions if one.slug != slug],
        "reading": reading,
        "clauses": clauses_of([reading.slug])[reading.slug] if reading else [],
        "made_from": _made_from(request, engine),
        "all_versions": RulesetVersion.objects.filter(slug=slug).select_related("parent").order_by("-number"),
        "family": kind,
        "seats": [kind.naming(engine.parameters).seat(seat) for seat in range(kind.seats(engine.parameters))],
        "words": kind.words(engine),
        "board": kind.draw_start(engine),
        "solution": solution_page(engine, str(version or row.hash)),
        "ladder": ladders.shown(row.hash, str(version or row.hash)),
        "batches": batch_rows().filter(ruleset=row)[:BATCHES_SHOWN],
        "form": form,
        "usual_cap": DEFAULTS["cap"],
        "most_games": most_games(int(DEFAULTS["cap"])),
    }
    return render(request, "catalogue/ruleset.html", context, status=status)
