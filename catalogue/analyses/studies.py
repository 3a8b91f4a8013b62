"""Studies as analyses: requested, waited for and kept. `study_document`, which brings the statistics, computes them."""

import datetime
from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.utils import timezone

from catalogue.analyses.factorial import Factor, FactorLevel, active_parameters, values_of, why_no_doubt
from catalogue.analyses.study_plans import Plan, plan
from catalogue.evidence.questions import why_not_in_first_rounds
from catalogue.models import Game, Question, Study
from simulator.analyses.protocol import AnalysisKind, CannotConclude, Document, Replays, register
from simulator.batches.finalize import VARIETY, variety
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.models import Batch, Ruleset
from simulator.rulesets import as_engine

CHANGED = "the questions or the engine have changed since: ask for a study of them as they are now"
SHIPPED = ("document", "summary", "plots")


class StudyKind(AnalysisKind[Plan, Study]):
    """Studies as analyses; pages ask for them without weights."""

    name, plural, title = "study", "studies", "Which question about a game matters"
    needs_rows = True  # of how many kinds its games are
    task, model, related = "catalogue.conclude_study", Study, ("game",)

    def columns(self, request: Plan) -> dict[str, Any]:
        study = request.study
        own = {name: getattr(study.request, name) for name in ("games", "seed", "cap", "until")}
        terms = {"base": study.base, "questions": [row.slug for row in study.rows], "players": study.asked, **own}
        return {"game": study.game, "terms": terms, "batches": [one.id for one in request.requests]}

    def batch_ids(self, row: Study) -> list[str]:
        return list(row.batches)

    def computed(self, row: Study, batches: Mapping[str, Batch], request: Plan | None) -> dict[str, Any]:
        from catalogue.analyses.study_document import document_of, drawings_of  # brings the statistics
        from catalogue.analyses.study_figures import summary_of

        planned = request or plan(row.game.slug, **row.terms)
        if planned.id != row.id:
            raise CannotConclude(CHANGED)
        document = document_of(planned.study, planned.space, [batches[one.id] for one in planned.requests], planned.id)
        drawings, summary = drawings_of(document), summary_of(document)
        return {"document": document, "summary": summary, "plots": drawings, "created": timezone.now()}

    def shipped(self, request: Plan) -> Document:
        row = self.concluded(request)
        return {"game": row.game.slug, **{name: getattr(row, name) for name in SHIPPED}}

    def keep(self, key: str, document: Document, moment: datetime.datetime) -> bool:
        game = Game.objects.filter(slug=document["game"]).first()
        if game is None:
            return False
        stated = self.as_stated_now(document)
        kept = {name: stated[name] for name in SHIPPED}
        Study.every.update_or_create(id=key, defaults={"game": game, "state": Study.State.DONE, "error": "", **kept})
        Study.every.filter(id=key).update(created=moment)
        return True

    def recomputed(self, request: Plan, replays: Replays, document: Document) -> Document:
        from catalogue.analyses.study_document import document_of

        counts = any(cell.get("kinds") is not None for cell in document["document"]["cells"])
        batches = [replays[one.id].batch for one in request.requests]
        for batch in batches if counts else ():
            batch.summary = {VARIETY: variety(replays[batch.id].rows)}
        return {"document": document_of(request.study, request.space, batches, request.id)}

    def as_stated_now(self, document: Document) -> Document:
        return {**document, **stated_now(document)}


STUDIES = register(StudyKind())


def stated_now(kept: Mapping[str, Any]) -> dict[str, Any]:
    """The document, the summary and the drawings of a study with the present figures.

    kept: these three as they were. Drawings are made where studies are computed: of those kept here only the ones stay
    that show the present figures.
    """
    from catalogue.analyses.study_figures import restated, summary_of

    document = kept["document"]
    base = Ruleset.objects.filter(hash=document["base_hash"]).first()
    found = restated(document, **_known_of(document, as_engine(base))) if base else restated(document)
    if found is document:
        return dict(kept)
    rows = {f"doubts-{one['key'].replace('_', '-')}": one for one in found["outcomes"]}
    shown = [plot for plot in kept["plots"] if _shows(plot, rows.get(plot["kind"]))]
    return {"document": found, "summary": summary_of(found), "plots": shown}


def _shows(plot: Mapping[str, Any], outcome: Mapping[str, Any] | None) -> bool:
    """Whether the bars of a drawing are the shares of the questions, one below the other, and its title is theirs."""
    if outcome is None or not outcome["told"]:
        return False
    shares = [[row["title"], row["first"]["text"]] for row in outcome["questions"]]
    title = f"{outcome['title'][0].lower()}{outcome['title'][1:]}"
    return [row[:2] for row in plot["table"]["rows"][:-1]] == shares and plot["title"].endswith(f": {title}")


def _known_of(document: Mapping[str, Any], base: EngineRuleset) -> dict[str, Any]:
    """What the records and the rules say of a study that was made before: see `restated`."""
    from catalogue.analyses.study_figures import impossible
    from simulator.statistics.variance_shares import responses

    rows = Question.objects.filter(game__slug=document["game"]).prefetch_related("answers")
    values = {(row.slug, one.slug): one.values or {} for row in rows for one in row.answers.all()}
    varied = document["questions"]
    factors = [
        Factor(
            one["slug"],
            tuple(
                FactorLevel(answer["slug"], values.get((one["slug"], answer["slug"]), {}), answer["weight"])
                for answer in one["answers"]
            ),
            tuple(one["decides"]),
        )
        for one in varied
    ]
    held = {one.slug: why for one in factors if (why := why_no_doubt(base, one))}
    of_rounds = document["until"] == Batch.Until.ROUND
    later = {one.slug: why_not_in_first_rounds(document["game"], one.slug) for one in factors if of_rounds}
    levels = [{level.slug: number for number, level in enumerate(one.levels)} for one in factors]
    ends = []
    for cell in document["cells"]:
        given = [own.get(slug, 0) for own, slug in zip(levels, cell["answers"], strict=True)]
        parameters = active_parameters(base, values_of(factors, given))
        ends.append(impossible(base.family, parameters, document["until"]))
    kind = family(base.family)
    named = responses(kind.measures, kind.naming(base.parameters), document["cap"], document["until"])
    words = f"the games are those with the answer of {document['base']}"
    return {
        "held": {slug: f"{reason}; {words}" for slug, reason in held.items()},
        "cannot_act": {slug: reason for slug, reason in later.items() if reason and slug not in held},
        "cannot_end": ends,
        "titles": {one.key: one.title for one in named},
    }


def restate_kept() -> int:
    """Give the studies kept here the figures that are made of their cells now; how many had others."""
    from catalogue.analyses.study_figures import FIGURES_VERSION

    made = "document__figures_version"
    before = Q(**{f"{made}__isnull": True}) | Q(**{f"{made}__lt": FIGURES_VERSION})
    earlier = list(Study.objects.filter(before).values_list("id", flat=True))
    for key in earlier:
        row = Study.objects.get(id=key)
        Study.objects.filter(id=key).update(**stated_now({name: getattr(row, name) for name in SHIPPED}))
    return len(earlier)
