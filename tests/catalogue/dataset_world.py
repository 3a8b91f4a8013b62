"""Datasets for tests: written from a few rows or from the whole catalogue, spoilt, and loaded again."""

import contextlib
import hashlib
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.core.management import call_command
from django.db import connection

from catalogue.models import (
    Anchor,
    Answer,
    Category,
    Citation,
    Claim,
    Clause,
    EditorsNote,
    Evidence,
    EvidenceUncertainty,
    GameName,
    Period,
    Place,
    PortalGame,
    PortalRuleset,
    Question,
    Reading,
    UncertaintyFactor,
    Verdict,
)
from catalogue.models.changes import ContentVersion
from tests.builders import a_game, a_place, a_source, evidence


@contextlib.contextmanager
def a_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="dataset-") as folder:
        yield Path(folder)


def export(place: Path, *words: str) -> dict:
    output = io.StringIO()
    call_command("export_dataset", str(place), *words, "--json", stdout=output)
    return json.loads(output.getvalue())


def load(place: Path) -> dict:
    output = io.StringIO()
    call_command("load_dataset", str(place), "--json", stdout=output, stderr=io.StringIO())
    return json.loads(output.getvalue())


def empty_the_database() -> None:
    """As a new one is after `migrate`: no row of ours."""
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            if model._meta.app_label in ("catalogue", "simulator"):
                cursor.execute(f'DELETE FROM "{model._meta.db_table}"')


def rows_in_the_database() -> int:
    """The rows of all tables but the one that counts how often each was written, which is never empty."""
    models = [model for model in apps.get_models() if model._meta.app_label in ("catalogue", "simulator")]
    models.remove(ContentVersion)
    return sum(model._default_manager.count() for model in models)


def contents(place: Path) -> dict[str, bytes]:
    return {
        path.relative_to(place).as_posix(): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()
    }


def sum_again(place: Path) -> None:
    """As somebody would who changes a file and hides it: the checksums are those of what is there."""
    files = {name: data for name, data in contents(place).items() if name != "SHA256SUMS"}
    lines = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    (place / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def a_few_rows() -> Evidence:
    """One of each sort, with everything in them that CSV, JSON and sorting could spoil."""
    record = evidence(
        692, paraphrase='Two rows, "seven" holes;\n=SUM(A1)', other_fields={"Genders": "Male, Female", "Ä": "–"}
    )
    evidence(1194, date_words="", date_edtf="", quotation="‘…’", ages="Adult")
    a_place("Jaffna", "jaffna", latitude="9.6615", longitude="80.0255", part_of=a_place())
    Place.objects.create(name="Āsia 😀", slug="aa-asia", kind="region", part_of=Place.objects.get(slug="jaffna"))
    GameName.objects.create(game=record.game, name="Ellǣwala-kanda, \r\nor so", evidence=record)
    Citation.objects.create(evidence=record, source=a_source(), position=1, locator="597–598")
    EditorsNote.objects.create(evidence=record, slug="a-note", text="Both “words” and 'words'.\r\n\r\nTwo paragraphs.")
    factor = UncertaintyFactor.objects.create(slug="second-hand", name="Second hand", definition="Heard of.")
    EvidenceUncertainty.objects.create(evidence=record, factor=factor, reason="He had it from a friend.")
    base = Reading.objects.create(
        slug="zz-parker", title="Parker", game=record.game, authority="parker", kind="interpretation", summary="Plain."
    )
    other = Reading.objects.create(
        slug="aa-dlp", title="DLP", game=record.game, authority="dlp", kind="interpretation", summary="Other.",
        rests_on=base, rests_basis="entailed", rests_text="The same game.",
    )  # fmt: skip
    other.evidence.set([record])
    clause = Clause.objects.create(reading=base, slug="sow", parameters=["lap"], basis="stated", text="They sow.")
    question = Question.objects.create(game=record.game, slug="how", title="How?", text="Unsaid.", parameters=["lap"])
    Answer.objects.create(question=question, slug="so", text="So.", values={"lap": "single", "b": [1, 2], "a": None})
    Answer.objects.create(question=question, slug="not", text="Not at all.", values=None)
    claim = Claim.objects.create(game=record.game, slug="short", title="Short", text="It is.", judged_by="random")
    Verdict.objects.create(
        claim=claim, number=1, test={"of": "turns"}, verdict="supported", text="10.5 turns", figure=10.5, low=0.1,
        high=1e-07, n=8, counts={"1": 2}, batches=["0123456789abcdef"], players="random,random", games=8, seed=1, cap=9,
        until="game", version=1,
    )  # fmt: skip
    Verdict.objects.create(  # proved: nobody played
        claim=claim, number=2, test={"kind": "solution"}, verdict="supported", text="Proved.", n=0, players="", games=0,
        seed=0, cap=0, until="", version=1,
    )  # fmt: skip
    text = record.quotation
    Anchor.objects.create(
        key="clause/zz-parker/sow/supports/1", clause=clause, evidence=record, field="content", exact=text[1:9],
        start=1, end=9, text_sha256=hashlib.sha256(text.encode()).hexdigest(),
    )  # fmt: skip
    other_game = a_game("Kotu Baendum", "kotu-baendum")
    of_portal = PortalGame.objects.create(game=other_game, number=57, description="Sown.")
    of_portal.regions.set([a_place(), Place.objects.get(slug="jaffna")])
    of_portal.categories.set([Category.objects.create(slug="sow", name="Sow")])
    of_portal.periods.set([Period.objects.create(slug="modern", name="Modern")])
    for number in (9, 10):
        output = PortalRuleset.objects.create(number=number, game=other_game, name="Described", is_main=number == 9)
        output.evidence.set(Evidence.objects.all())
    return record
