"""An edition of a plan of two small games, with real games: it is built once, and tests work on copies of it."""

import io
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any, ClassVar

from django.core.management import call_command

from catalogue.edition.files import EditionFolder, read_index
from catalogue.models import Comparison, Study, Verdict
from simulator.batches.rows import kept_rows
from simulator.models import Batch, Ladder, Measurement, Plot, Solution
from tests.catalogue.page_world import CatalogueTestCase

SMALL: dict[str, Any] = {
    "seed": 1,
    "cap": 200,
    "games": ["koti-keliya", "niranchy"],
    "levels": [
        {"level": "random", "points": 15, "until": "game"},
        {"level": "greedy", "points": 30, "until": "round"},
    ],
    "studies": [{"level": "random", "games": 2, "until": "game", "of": ["koti-keliya"]}],
    "claims": {"games": 20},
    "ladders": {"games": 12, "cap": 150, "levels": ["random", "uct:16"]},
    "solutions": [],
    "coarser": [
        {"of": "levels", "level": "greedy", "points": 40, "above_minutes": 0},
        {"of": "studies", "level": "random", "games": 1, "above_minutes": 0},
    ],
}
MADE = (Comparison, Study, Verdict, Ladder, Solution, Plot, Measurement, Batch)


class EditionTestCase(CatalogueTestCase):
    """Each class has a copy of the first one's folder, and nothing left to play. Plots are drawn elsewhere."""

    built: ClassVar[tempfile.TemporaryDirectory[str] | None] = None
    place: ClassVar[Path]
    plan: ClassVar[Path]
    folder: ClassVar[EditionFolder]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(kept.cleanup)
        cls.place, cls.plan = Path(kept.name) / "edition", Path(kept.name) / "plan.json"
        cls.plan.write_text(json.dumps(SMALL))
        cls.folder = EditionFolder(cls.place)
        if EditionTestCase.built:
            shutil.copytree(EditionTestCase.built.name, cls.place)
        cls.edition("build", "--inline")
        if not EditionTestCase.built:
            EditionTestCase.built = tempfile.TemporaryDirectory()
            shutil.copytree(cls.place, EditionTestCase.built.name, dirs_exist_ok=True)

    @classmethod
    def edition(cls, what: str, *words: str) -> Any:
        return json.loads(cls.edition_in_words(what, *words, "--json"))

    @classmethod
    def edition_in_words(cls, what: str, *words: str) -> str:
        out = io.StringIO()
        paths = ("--plan", str(cls.plan), "--folder", str(cls.place))
        call_command("edition", what, *paths, *words, stdout=out, stderr=io.StringIO())
        return out.getvalue()


def empty() -> None:
    for model in MADE:
        model.objects.all().delete()


def parts_of(folder: EditionFolder) -> list[Any]:
    index = read_index(folder)
    assert index is not None
    return index.parts


def rows_csv(client: Any, batch: Batch) -> str:
    return b"".join(client.get(f"/batches/{batch.id}/rows.csv").streaming_content).decode()


def figures_of(model: Any) -> dict[str, Any]:
    names = ("digest", "tally_digest", "tally", "summary", "work", "players", "games", "ruleset_id", "players_version")
    return {row.id: [getattr(row, name) for name in names] for row in model.objects.all()}


def rows_of_all() -> dict[str, list[Any]]:
    return {
        batch.id: [row for _, rows in kept_rows(batch) for row in rows.tolist()]
        for batch in Batch.objects.select_related("ruleset")
    }
