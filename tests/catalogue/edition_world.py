"""An edition of a plan of two small games, with real games: it is built once, and each test works on a copy."""

import fcntl
import io
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import pytest
from django.core.management import call_command

from catalogue.edition.files import EditionFolder, read_index
from catalogue.edition.plans import Part, fitted, planned_games
from catalogue.edition.terms import KINDS, SOLUTIONS, TRAFFIC, WEAR, read_plan
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
        {"of": "ladders", "games": 4, "above_minutes": 0},
    ],
}
BUILT = [kind for kind in KINDS if kind not in (SOLUTIONS, TRAFFIC, WEAR)]  # of which that plan has parts
MADE = (Comparison, Study, Verdict, Ladder, Solution, Plot, Measurement, Batch)


@pytest.mark.usefixtures("place_of_the_edition")
class EditionTestCase(CatalogueTestCase):
    """Each test has a copy of the folder that was built once, and nothing left to play."""

    shared: ClassVar[Path]  # by all processes; and the copy of this one: see the fixture
    built: ClassVar[Path]
    parts: ClassVar[list[Part]]
    place: Path
    plan: Path
    folder: EditionFolder

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        plan = cls.built / "plan.json"
        if not plan.exists():
            with (cls.shared / "lock").open("w") as lock:  # one process builds it, the others wait
                fcntl.flock(lock, fcntl.LOCK_EX)
                whole = cls.shared / "whole"
                if not whole.exists():
                    begun = cls.shared / "begun"
                    begun.mkdir(exist_ok=True)
                    (begun / "plan.json").write_text(json.dumps(SMALL))
                    edition("build", begun / "plan.json", begun / "edition", "--inline")
                    begun.rename(whole)
            shutil.copytree(whole, cls.built, dirs_exist_ok=True)
        edition("build", plan, cls.built / "edition", "--inline")
        terms = read_plan(plan)
        cls.parts = [part.part for part in fitted(terms, planned_games(terms), 8, 2).parts]

    def setUp(self) -> None:
        own = Path(self.enterContext(tempfile.TemporaryDirectory())) / "own"
        shutil.copytree(self.built, own)
        self.place, self.plan, self.folder = own / "edition", own / "plan.json", EditionFolder(own / "edition")

    def edition(self, what: str, *words: str) -> Any:
        return json.loads(self.edition_in_words(what, *words, "--json"))

    def edition_in_words(self, what: str, *words: str) -> str:
        return edition(what, self.plan, self.place, *words)

    def part(self, kind: str) -> tuple[Part, dict[str, Any]]:
        """The first part of that kind that has games of its own, and its document."""
        part = next(one for one in self.parts if one.kind == kind and one.requests)
        return part, self.folder.read(kind, part.id)


def edition(what: str, plan: Path, place: Path, *words: str) -> str:
    out = io.StringIO()
    paths = ("--plan", str(plan), "--folder", str(place))
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
