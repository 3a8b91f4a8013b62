"""The example of every route, and a catalogue in which each of them is answered, for the tests that look at all pages.

Rows whose names nobody chose are written {batch}, {comparison} and the like in examples, as `fill` returns them. The
pages of the admin are found by themselves. `python -m tests.every_address` fills the database of the settings, which
holds the shipped records, and prints the addresses.
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
from django.core.management.base import OutputWrapper
from django.test import RequestFactory
from django.urls import reverse

from catalogue.web.routes import every_route

RULESET, QUESTION = "daramuti-parker", "daramuti/last-counter-in-an-empty-hole"
ONE_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
STATUSES = {"admin:desk": 302, "admin:logout": 405, "readyz": 503}  # readyz: of a site without broker and workers


def fill() -> dict[str, str]:
    """One of everything beside the shipped records and readings; what the rows are called that nobody has named."""
    from catalogue.models import PortalGame, PortalRuleset
    from simulator.models import Batch, Solution
    from tests.builders import a_game
    from tests.catalogue.comparison_world import a_comparison
    from tests.catalogue.page_world import draw_if_undrawn, played_batch
    from tests.catalogue.test_pages_of_solutions import HAT, keep
    from tests.simulator.ladder_world import climbed

    batch = Batch.objects.filter(ruleset__versions__slug=RULESET).first() or played_batch(RULESET, drawn=True)
    draw_if_undrawn(batch.id)
    study, plot = a_study(), batch.plots.first()
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
        **a_wear_study(),
        "ladder": climbed(RULESET, {("random", "uct:16"): [(0, 1)], ("uct:16", "random"): [(0, 2)]}).id,
        "solution": Solution.objects.values_list("ruleset_id", flat=True)[0],
        "portal_ruleset": "91",
        "release": a_release(),
        "file": "datapackage.json",
        "picture": a_picture(),
    }


def a_study() -> Any:
    """Of known games: only the playing is left out."""
    from catalogue.analyses import study_plans
    from catalogue.analyses.studies import STUDIES
    from simulator.batches.service import request_all
    from tests.catalogue.page_world import GAMES, finish

    planned = study_plans.plan("daramuti", questions=[QUESTION.partition("/")[2]], games=len(GAMES))
    for place, batch in enumerate(request_all(planned.requests, announce=False)):
        finish(batch, tuple((turns + 100 * place, end, winners) for turns, end, winners in GAMES))
    return STUDIES.concluded(planned)


def a_wear_study() -> dict[str, str]:
    """Of a record with a board, for which nothing was seen."""
    from catalogue.analyses.wear_plans import check_wear
    from catalogue.analyses.wear_studies import WEAR
    from catalogue.models.observations import canonical_board
    from simulator import rulesets
    from simulator.engine import shipped
    from simulator.management.command_line import play_to_end
    from tests.builders import evidence

    ruleset = shipped.load("three-mens-morris-reference")
    board = canonical_board(ruleset.parameters["board"])
    record = evidence(9_999, quotation="", without_words=True, board=board)
    row = WEAR.request(check_wear(record, [rulesets.save(ruleset).hash], games=4, cap=20), announce=False)
    play_to_end(WEAR.batches_of(row), True, OutputWrapper(io.StringIO()))
    assert WEAR.conclude(row)
    return {"wear": row.id, "counted": WEAR.batches_of(row)[0].id}


def a_picture() -> str:
    """Of record 692, and its file."""
    import base64

    from catalogue.models import Evidence, Picture
    from catalogue.workshop.encoding import encode
    from catalogue.workshop.pictures import keep

    record = Evidence.objects.get(identifier="DLP.Evidence.692")
    told = keep(encode(base64.b64decode(ONE_PIXEL)))
    Picture.objects.create(
        evidence=record, number=1, kind="page", description="A page, in one pixel.", origin="Made for a test",
        rights="cc0", **told,
    )  # fmt: skip
    return str(told["file"])


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
    """Route → the address of its example. named: what `fill` returned"""
    return {name: route.example.format_map(named) for name, route in every_route().items()} | dict(_of_admin())


def status_of(name: str, as_editor: bool = True) -> int:
    """The status of the answer to a GET of the example. as_editor: by somebody who may do everything"""
    declared = every_route().get(name)
    if declared and declared.permission and "GET" in declared.methods and not as_editor:
        return 403
    return STATUSES.get(name) or (declared.status if declared else 200)


def _of_admin() -> Iterator[tuple[str, str]]:
    """The lists of all models, and the last row that each list shows, with its history."""
    request = RequestFactory().get("/")
    yield from (
        (f"admin:{name}", reverse(f"admin:{name}")) for name in ("index", "desk", "login", "logout", "password_change")
    )
    for model, model_admin in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield f"{name}_changelist", reverse(f"{name}_changelist")
        row = model_admin.get_queryset(request).order_by("pk").last()
        if row is not None:
            yield f"{name}_change", reverse(f"{name}_change", args=[row.pk])
            yield f"{name}_history", reverse(f"{name}_history", args=[row.pk])


if __name__ == "__main__":
    import django

    django.setup()
    sys.stdout.write(json.dumps({"addresses": addresses(fill()), "cookie": an_editor()}))
