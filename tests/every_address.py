"""One address of every route of the site, for the tests that look at every kind of answer.

A new route needs a line in ADDRESSES: its name, and an address that is answered in the catalogue that `fill` makes.
Rows whose names nobody chose are written {batch}, {comparison} and the like, as `fill` returns them. The pages of the
admin are found by themselves.

`python -m tests.every_address` does so in the database of the settings, which holds the shipped records, and prints
the addresses.
"""

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.management import call_command
from django.urls import get_resolver, reverse

RECORD, RULESET = "DLP.Evidence.692", "daramuti-parker"
CLAIM, QUESTION, CLAUSE = (
    "puhulmutu/lasts-for-hours",
    "daramuti/last-counter-in-an-empty-hole",
    "puhulmutu-parker/relay",
)

ADDRESSES = {
    "home": "/",
    "game-list": "/games/",
    "game": "/games/daramuti/",
    "sensitivity": "/games/daramuti/sensitivity/",
    "study-list": "/studies/",
    "study": "/studies/{study}/",
    "study-progress": "/studies/{study}/progress.json",
    "study-plot": "/studies/{study}/{study_plot}.svg",
    "evidence-list": "/evidence/?place=sri-lanka",
    "evidence": f"/evidence/{RECORD}/",
    "evidence-rules": f"/evidence/{RECORD}/rules/",
    "evidence-answer": f"/evidence/{RECORD}/answers/",
    "outcomes": f"/evidence/{RECORD}/outcomes/",
    "outcomes-table": f"/evidence/{RECORD}/outcomes.csv",
    "outcomes-drawing": f"/evidence/{RECORD}/outcomes.svg",
    "outcomes-picture": "/comparisons/{comparison}/outcomes.png",
    "suggest": f"/evidence/{RECORD}/suggest/",
    "suggestion-received": f"/evidence/{RECORD}/suggest/received/",
    "place-list": "/places/",
    "place": "/places/sri-lanka/",
    "map": "/map/",
    "timeline": "/timeline/",
    "search": "/search/?q=board",
    "search-suggestions": "/search/suggestions/?q=dara",
    "source-list": "/sources/",
    "source": "/sources/parker-1909/",
    "term-list": "/terms/",
    "ruleset-list": "/rulesets/",
    "ruleset": f"/rulesets/{RULESET}/",
    "ruleset-board": f"/rulesets/{RULESET}/board.svg",
    "ruleset-board-picture": f"/rulesets/{RULESET}/board.png",
    "change-ruleset": f"/rulesets/{RULESET}/change/?set.pass_over=4",
    "play-batch": f"/rulesets/{RULESET}/play/",
    "climb-ladder": f"/rulesets/{RULESET}/ladder/",
    "ladder-progress": "/ladders/{ladder}/progress.json",
    "play-a-game": f"/rulesets/{RULESET}/play-a-game/?players=you,you&seed=1",
    "question-list": "/questions/",
    "question": f"/questions/{QUESTION}/",
    "batch-list": "/batches/",
    "batch": "/batches/{batch}/",
    "batch-progress": "/batches/{batch}/progress.json",
    "cancel-batch": "/batches/{batch}/cancel/",
    "batch-rows": "/batches/{batch}/rows.csv",
    "choose-game": "/batches/{batch}/games/?number=1",
    "replay": "/batches/{batch}/games/0/?turn=3",
    "replay-turns": "/batches/{batch}/games/0/turns.json",
    "replay-progress": "/batches/{batch}/games/0/progress.json",
    "replay-json": "/batches/{batch}/games/0/replay.json",
    "replay-text": "/batches/{batch}/games/0/replay.txt",
    "compare": "/compare/?game=daramuti",
    "comparison-list": "/comparisons/",
    "comparison": "/comparisons/{comparison}/",
    "comparison-progress": "/comparisons/{comparison}/progress.json",
    "comparison-plot": "/comparisons/{comparison}/lengths.svg",
    "plot": "/plots/{batch}/{plot}.svg",
    "plot-picture": "/plots/{batch}/{plot}.png",
    "findings": "/findings/",
    "claim-list": "/claims/",
    "claim": f"/claims/{CLAIM}/",
    "history": f"/history/clause/{CLAUSE}/",
    "history of a record by its old address": f"/history/evidence/{RECORD}/",
    "sensitivity of a game by its old address": "/games/daramuti/doubts/",
    "identifier": f"/id/{RECORD}",
    "citation-of-catalogue": "/cite/catalogue.bib",
    "citation": f"/cite/record/{RECORD}.ris",
    "edition": "/edition/",
    "citation-of-edition": "/cite/edition.bib",
    "release-list": "/data/",
    "release-archive": "/data/{release}.zip",
    "release": "/data/{release}/",
    "release-file": "/data/{release}/{file}",
    "sitemap": "/sitemap.xml",
    "sitemap-section": "/sitemap-evidence.xml",
    "robots": "/robots.txt",
    "favicon": "/favicon.ico",
    **{name: f"/{name}" for name in ("livez", "healthz", "readyz", "metrics")},
    "about": "/about/",
    "style": "/about/style/",
    "document": "/about/figures/",
    "api": "/api/",
    "api-schema": "/api/schema/",
    "api-docs": "/api/docs/",
    "v1:evidence-list": "/api/v1/evidence/",
    "v1:evidence-detail": f"/api/v1/evidence/{RECORD}/",
    "v1:game-list": "/api/v1/games/",
    "v1:game-detail": "/api/v1/games/daramuti/",
    "v1:place-list": "/api/v1/places/",
    "v1:place-detail": "/api/v1/places/sri-lanka/",
    "v1:source-list": "/api/v1/sources/",
    "v1:source-detail": "/api/v1/sources/parker-1909/",
    "v1:ruleset-list": "/api/v1/rulesets/",
    "v1:ruleset-detail": f"/api/v1/rulesets/{RULESET}/",
    "v1:ruleset-change": f"/api/v1/rulesets/{RULESET}/change/",
    "v1:batch-list": "/api/v1/batches/",
    "v1:batch-detail": "/api/v1/batches/{batch}/",
    "v1:batch-game": "/api/v1/batches/{batch}/games/0/",
    "v1:batch-rows": "/api/v1/batches/{batch}/rows/",
    "v1:measurement-list": "/api/v1/measurements/",
    "v1:claim-list": "/api/v1/claims/",
    "v1:claim-detail": f"/api/v1/claims/{CLAIM}/",
    "v1:study-list": "/api/v1/studies/",
    "v1:study-detail": "/api/v1/studies/{study}/",
    "v1:comparison-list": "/api/v1/comparisons/",
    "v1:comparison-detail": "/api/v1/comparisons/{comparison}/",
    "v1:clause-list": "/api/v1/clauses/",
    "v1:clause-detail": f"/api/v1/clauses/{CLAUSE}/",
    "v1:question-list": "/api/v1/questions/",
    "v1:question-detail": f"/api/v1/questions/{QUESTION}/",
    "v1:annotation-list": "/api/v1/annotations/",
    "v1:annotation-detail": "/api/v1/annotations/{annotation}/",
    "v1:version-list": "/api/v1/versions/",
    "v1:version-detail": f"/api/v1/versions/{RULESET}@1/",
    "v1:ladder-list": "/api/v1/ladders/",
    "v1:ladder-detail": "/api/v1/ladders/{ladder}/",
    "v1:solution-list": "/api/v1/solutions/",
    "v1:solution-detail": "/api/v1/solutions/{solution}/",
    "v1:coverage-list": "/api/v1/coverage/",
    "v1:coverage-detail": f"/api/v1/coverage/{RECORD}/",
    "v1:uncertainty-factor-list": "/api/v1/uncertainty-factors/",
    "v1:uncertainty-factor-detail": "/api/v1/uncertainty-factors/{factor}/",
    "v1:term-list": "/api/v1/terms/",
    "v1:term-detail": "/api/v1/terms/DLP.Evidence.1399/gaeta/",
    "v1:note-list": "/api/v1/notes/",
    "v1:note-detail": "/api/v1/notes/{note}/",
    "v1:portal-ruleset-list": "/api/v1/portal-rulesets/",
    "v1:portal-ruleset-detail": "/api/v1/portal-rulesets/91/",
    "v1:batch-cancel": "/api/v1/batches/{batch}/cancel/",
    "v1:comparison-cancel": "/api/v1/comparisons/{comparison}/cancel/",
    "v1:study-cancel": "/api/v1/studies/{study}/cancel/",
    "v1:ladder-cancel": "/api/v1/ladders/{ladder}/cancel/",
    "v1:api-root": "/api/v1/",
    "v1:edition": "/api/v1/edition/",
    "v1:findings": "/api/v1/findings/",
    "v1:search": "/api/v1/search/?q=board",
    "v1:map": "/api/v1/map/",
    "v1:timeline": "/api/v1/timeline/",
    "v1:history": f"/api/v1/histories/clause/{CLAUSE}/",
    "whatever else is asked of the API": "/api/v1/no-such-list/",
}

UNNAMED = {
    "history/evidence/<path:key>/": "history of a record by its old address",
    "games/<str:slug>/doubts/": "sensitivity of a game by its old address",
    "^v1/(?P<rest>.+)/$": "whatever else is asked of the API",
}
# Of these the answer to GET is not 200.
STATUSES = {
    "cancel-batch": 405,
    "v1:batch-cancel": 405,
    "v1:comparison-cancel": 405,
    "v1:study-cancel": 405,
    "v1:ladder-cancel": 405,
    "play-batch": 302,
    "climb-ladder": 302,
    "evidence-answer": 302,
    "v1:ruleset-change": 405,
    "whatever else is asked of the API": 404,
    "admin:logout": 405,
    **dict.fromkeys(("choose-game", "api"), 302),
    **dict.fromkeys(
        ("favicon", "history of a record by its old address", "sensitivity of a game by its old address"), 301
    ),
    "identifier": 303,
    "readyz": 503,  # of a site without broker and workers
}


def fill() -> dict[str, str]:
    """One of everything beside the shipped records and readings; what the rows are called that nobody has named."""
    from catalogue.models import Anchor, EditorsNote, PortalGame, PortalRuleset, UncertaintyFactor
    from simulator.batches.finalize import draw_if_undrawn
    from simulator.models import Batch, Solution
    from tests.builders import a_game
    from tests.catalogue.comparison_world import a_comparison
    from tests.catalogue.page_world import played_batch
    from tests.catalogue.test_pages_of_solutions import HAT, keep
    from tests.simulator.ladder_world import climbed

    batch = Batch.objects.filter(ruleset__versions__slug=RULESET).first() or played_batch(RULESET)
    draw_if_undrawn(batch.id)
    study, plot = a_study(), batch.plots.first()
    note, anchor = EditorsNote.objects.earliest("pk"), Anchor.objects.earliest("key")
    assert plot
    keep(HAT)
    PortalGame.objects.create(game=a_game(), number=57, description="A sown game.")
    PortalRuleset.objects.create(game=a_game(), number=91, name="Described", is_main=True, rules="Sow.")
    return {
        "batch": batch.id,
        "plot": plot.kind,
        "comparison": a_comparison().id,
        "study": study.id,
        "study_plot": study.plots[0]["kind"],
        "ladder": climbed(RULESET, {("random", "uct:16"): [(0, 1)], ("uct:16", "random"): [(0, 2)]}).id,
        "solution": Solution.objects.values_list("ruleset_id", flat=True)[0],
        "factor": UncertaintyFactor.objects.values_list("slug", flat=True)[0],
        "note": "/".join(note.natural_key()),
        "annotation": anchor.key,
        "release": a_release(),
        "file": "datapackage.json",
    }


def a_study() -> Any:
    """Of known games: only the playing is left out."""
    from catalogue.sensitivity import plans, studies
    from tests.catalogue.page_world import GAMES, finish

    planned = plans.plan("daramuti", questions=[QUESTION.partition("/")[2]], games=len(GAMES))
    for place, batch in enumerate(plans.request_batches(planned, announce=False)):
        finish(batch, tuple((turns + 100 * place, end, winners) for turns, end, winners in GAMES))
    return studies.conclude(planned)


def a_release() -> str:
    output = io.StringIO()
    call_command("export_dataset", str(Path(settings.DATASETS_DIR) / "one"), "--json", stdout=output)
    return str(json.loads(output.getvalue())["version"])


def an_editor() -> str:
    """The cookie of a session of somebody who may do everything."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client()
    client.force_login(get_user_model()._default_manager.create_superuser(username="somebody"))
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def addresses(named: dict[str, str]) -> dict[str, str]:
    """Route → address. named: what `fill` returned"""
    return {name: address.format_map(named) for name, address in ADDRESSES.items()} | dict(_of_admin())


def routes() -> Iterator[str]:
    """The names of all routes; those without one are called in ADDRESSES by what they do."""
    yield from _named(get_resolver(), "")


def _named(resolver: Any, space: str) -> Iterator[str]:
    for one in resolver.url_patterns:
        if not hasattr(one, "url_patterns"):
            yield f"{space}{one.name}" if one.name else UNNAMED[str(one.pattern)]
        elif one.namespace != "admin":
            yield from _named(one, f"{space}{one.namespace}:" if one.namespace else space)


def _of_admin() -> Iterator[tuple[str, str]]:
    """The lists of all models, the newest row of each and its history, and a form for a new one where there is one."""
    yield from (
        (f"admin:{name}", reverse(f"admin:{name}")) for name in ("index", "desk", "login", "logout", "password_change")
    )
    for model, _ in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield f"{name}_changelist", reverse(f"{name}_changelist")
        row = model._default_manager.order_by("pk").last()
        if row is not None:
            yield f"{name}_change", reverse(f"{name}_change", args=[row.pk])
            yield f"{name}_history", reverse(f"{name}_history", args=[row.pk])


if __name__ == "__main__":
    import django

    django.setup()
    sys.stdout.write(json.dumps({"addresses": addresses(fill()), "cookie": an_editor()}))
