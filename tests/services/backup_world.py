"""A site that has been in use, for the tests of backups: something of every sort, and what every type of page shows.

    python -m tests.services.backup_world used FILE PAGES       fills the shipped catalogue, and backs it up
    python -m tests.services.backup_world restored FILE PAGES   restores it on another machine

Both write every type of page into the folder PAGES, without the masks of forms, and print what else is remembered.
"""

import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import django

EDITOR, PASSWORD, TOKEN = "mendis", "Long enough 4 anybody", "games_of-a-programme"
MASK = re.compile(rb'(csrfmiddlewaretoken" value=|"csrfToken": )"[^"]*"')
RECORD, RULESETS = "DLP.Evidence.692", ("daramuti-parker", "daramuti-dlp")


def fill() -> None:
    """Nothing is played for it: the games are known ones."""
    from django.conf import settings
    from django.contrib.auth.models import Group, Permission, User
    from django.core.management import call_command

    from catalogue.models import Claim, Clause, Evidence, ReadingToken, Suggestion, Verdict
    from catalogue.models.tokens import digest_of
    from simulator.batches.finalize import draw_if_undrawn
    from tests.catalogue.comparison_world import a_comparison
    from tests.catalogue.page_world import played_batch
    from tests.catalogue.test_pages_of_solutions import HAT, keep
    from tests.every_address import a_study

    group = Group.objects.create(name="translators")
    group.permissions.set(Permission.objects.filter(codename__in=("change_evidence", "view_suggestion")))
    editor = User.objects.create_user(EDITOR, "m@example.org", PASSWORD, is_staff=True)
    editor.groups.add(group)
    ReadingToken.objects.create(name="A programme", contact="p@example.org", digest=digest_of(TOKEN))
    record = Evidence.objects.get(identifier=RECORD)
    record.paraphrase += " – read again."
    record._history_user, record._change_reason = editor, "Read again in the library."
    record.save()
    Suggestion.objects.create(kind="problem", evidence=record, text="The date is another one.", email="r@example.org")
    # A number that was given once is never given again: histories know rows by theirs.
    Suggestion.objects.create(kind="problem", evidence=record, text="This one is taken back.").delete()
    Clause.objects.order_by("pk").last().delete()
    batch = played_batch("daramuti-parker")
    draw_if_undrawn(batch.id)
    a_comparison()
    a_study()
    keep(HAT)
    claim = Claim.objects.first()
    Verdict.objects.create(
        claim=claim, number=1, test={"of": "turns"}, verdict="supported", text="10.5 turns", figure=10.5,
        low=0.1, high=1e-07, n=8, counts={"1": 2}, batches=[batch.id], players="random,random", games=8, seed=1, cap=9,
        until="game", version=1,
    )  # fmt: skip
    release = str(Path(settings.DATASETS_DIR) / "2026.11.22")
    call_command("export_dataset", release, "--date", "2026-11-22", stdout=io.StringIO())


def addresses() -> Iterator[str]:
    from catalogue.models import Comparison, Question, Study
    from simulator.models import Batch

    batch = Batch.objects.exclude(plots=None).get()
    comparison, study, plot = Comparison.objects.get(), Study.objects.get(), batch.plots.all()[0]
    question = Question.objects.order_by("pk")[0].get_absolute_url()
    yield from (
        "/",
        "/games/",
        "/games/daramuti/",
        "/games/daramuti/sensitivity/",
        "/studies/",
        f"/studies/{study.id}/",
    )
    yield from (f"/studies/{study.id}/{one['kind']}.svg" for one in study.plots)
    yield from ("/evidence/", f"/evidence/{RECORD}/", f"/evidence/{RECORD}/suggest/")
    yield from (f"/evidence/{RECORD}/suggest/received/", "/places/", "/places/sri-lanka/", "/map/", "/timeline/")
    yield from ("/search/?q=sown+seeds", "/search/?q=gmae", "/sources/", "/sources/parker-1909/", "/rulesets/")
    yield from ("/rulesets/daramuti-parker/", "/rulesets/daramuti-parker/change/", "/rulesets/daramuti-parker/play/")
    yield from (
        "/rulesets/hat-diviyan-keliya-ludovisi/",
        "/rulesets/daramuti-parker/play-a-game/?players=you,you&seed=1",
    )
    yield from ("/questions/", question, "/batches/", f"/batches/{batch.id}/")
    yield from (f"/batches/{batch.id}/{name}" for name in ("progress.json", "rows.csv", "games/"))
    # A game that is told at once: a longer one would be written down to wait for a worker.
    yield from (f"/batches/{batch.id}/games/2/{name}" for name in ("", "turns.json", "progress.json", "replay.json"))
    yield from (f"/batches/{batch.id}/games/2/replay.txt", f"/plots/{plot.batch_id}/{plot.kind}.svg")
    yield from ("/compare/", "/comparisons/", f"/comparisons/{comparison.id}/")
    yield from (f"/comparisons/{comparison.id}/{name}" for name in ("progress.json", "lengths.svg"))
    yield from ("/claims/", "/claims/puhulmutu/lasts-for-hours/", f"/history/record/{RECORD}/", f"/id/{RECORD}")
    yield from ("/cite/catalogue.bib", f"/cite/record/{RECORD}.ris", "/data/", "/data/2026.11.22/")
    yield from ("/data/2026.11.22.zip", "/data/2026.11.22/evidence.csv", "/sitemap.xml", "/sitemap-evidence.xml")
    yield from ("/robots.txt", "/about/", "/about/api/", "/admin/login/")
    names = ("evidence", "games", "places", "sources", "rulesets", "claims", "studies", "batches", "comparisons")
    yield from (f"/api/v1/{name}/" for name in (*names, "clauses", "questions", "annotations", "map", "timeline"))


def pages(folder: Path) -> dict[str, int]:
    """Address → status."""
    from django.test import Client

    visitor, statuses = Client(), {}
    for number, address in enumerate(addresses()):
        response = visitor.get(address)
        statuses[address] = response.status_code
        (folder / str(number)).write_bytes(MASK.sub(b"", b"".join(response)))
    return statuses


def known() -> dict:
    from django.contrib.auth import authenticate
    from django.contrib.auth.models import User
    from django.http import HttpRequest
    from django.test import Client

    from catalogue.models import Evidence, ReadingToken, Suggestion
    from catalogue.models.tokens import digest_of

    newest = Evidence.history.filter(identifier=RECORD).order_by("-history_id").first()
    editor = authenticate(HttpRequest(), username=EDITOR, password=PASSWORD)
    next_one = Suggestion.objects.create(
        kind="problem", evidence=Evidence.objects.get(identifier=RECORD), text="Next one."
    )
    return {
        "editor": [editor.get_username(), sorted(editor.get_all_permissions()), editor.is_staff] if editor else None,
        "logs in": Client().post("/admin/login/", {"username": EDITOR, "password": PASSWORD}).status_code == 302,
        "users": User.objects.count(),
        "history": [newest.history_user.username, newest.history_change_reason, newest.history_date.isoformat()],
        "versions": Evidence.history.filter(identifier=RECORD).count(),
        "token": ReadingToken.objects.get(digest=digest_of(TOKEN)).name,
        "next number": next_one.pk,
    }


def main(what: str, file: str, folder: str) -> None:
    django.setup()
    from django.core.management import call_command

    if what == "used":
        fill()
        call_command("backup", file, stdout=io.StringIO())
    else:
        call_command("restore", file, stdout=io.StringIO(), stderr=io.StringIO())
    Path(folder).mkdir()
    said = {"pages": pages(Path(folder)), "known": known()}
    sys.stdout.write(json.dumps(said) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
