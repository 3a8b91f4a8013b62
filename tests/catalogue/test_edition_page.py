"""The page of the edition and its answer in the API: what index and plan say, counted here a second time."""

import hashlib
import json
import os
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from django.core.management import call_command

from catalogue.edition import contents
from catalogue.edition.files import FOLDER, INDEX, SAMPLE, EditionRelease, IndexedPart
from catalogue.edition.terms import PLAN
from tests.api.api_world import ApiTestCase
from tests.catalogue.embedded_reader import assert_told
from tests.catalogue.page_world import parsed

PAGE, ANSWER = "/edition/", "edition/"


def a_part(kind: str, name: str, level: str = "", reached: float | None = None, **other: Any) -> IndexedPart:
    others = {"id": name, "game": "", "digest": "d", "bytes": 1_000, "games": 60, "of_plan": True, **other}
    return IndexedPart(kind=kind, name=name, level=level, reached=reached, **others)


PARTS = [
    a_part("batches", "one greedy", "greedy", 2.0),
    a_part("batches", "two greedy", "greedy", 4.94, of_plan=False),
    a_part("batches", "one random", "random", 0.69),
    a_part("solutions", "one", games=0),
]
MISSING = {"batches": ["three greedy", "one club"], "ladders": ["one"]}
GIVEN_UP, WITHHELD = ["levels of greedy players: ± 5 points"], {"batches": ["one club"]}
RELEASE = EditionRelease("2026-12-01", "0.9.0", {"points": 2}, MISSING, GIVEN_UP, PARTS, WITHHELD)
LEVELS = [
    {"level": "random", "points": 0.7, "until": "game"},
    {"level": "greedy", "points": 2, "until": "game"},
    {"level": "club", "points": 5, "until": "round"},
]


class EditionPageTests(ApiTestCase):
    def setUp(self) -> None:
        self.enterContext(self.client.fresh())  # what is shipped is another file in each test
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.place = Path(kept.name)
        plan = json.loads(PLAN.read_text(encoding="utf-8"))
        (self.place / "plan.json").write_text(json.dumps({**plan, "levels": LEVELS, "studies": [], "coarser": []}))

    def published(self, release: EditionRelease | None) -> Any:
        """That one in the place of the edition that ships; none if it is None."""
        if release is not None:
            (self.place / INDEX).write_text(json.dumps(asdict(release)))
        return mock.patch.multiple(contents, FOLDER=self.place, PLAN=self.place / "plan.json")

    def text(self) -> str:
        return " ".join(BeautifulSoup(self.page(PAGE), "lxml").find("main").get_text(" ").split())

    def test_it_says_what_the_index_says_of_what_ships(self) -> None:
        index = json.loads((FOLDER / INDEX).read_text(encoding="utf-8"))
        answer, text = self.read(ANSWER), self.text()
        there = Counter((one["kind"], one["level"]) for one in index["parts"])
        assert {(one["kind"], one["level"]): one["parts"] for one in answer["holds"] if one["parts"]} == there
        named = [name for one in answer["holds"] for name in one["missing"]]
        assert sorted(named) == sorted(name for names in index["missing"].values() for name in names)
        assert (answer["date"], answer["parts"]) == (index["date"], len(index["parts"]))
        assert answer["digest"] == hashlib.sha256((FOLDER / INDEX).read_bytes()).hexdigest()
        assert answer["given_up"] == index["given_up"]
        plan = json.loads(PLAN.read_text(encoding="utf-8"))
        assert [(one["level"], one["points"]) for one in answer["precision"]] == [
            (one["level"], one["points"]) for one in plan["levels"]
        ]
        for one in answer["precision"]:
            reached = [part["reached"] for part in index["parts"]
                       if part["kind"] == "batches" and part["level"] == one["level"]]  # fmt: skip
            assert one["readings"] == len(reached)
            assert one["within"] == sum(points <= one["points"] for points in reached)
            assert not reached or f"{one['within']} of {one['readings']}" in text
        assert f"{len(index['parts'])} parts" in text
        assert answer["digest"] in text

    def test_what_is_there_what_is_missing_and_how_well_it_is_known(self) -> None:
        with self.published(RELEASE):
            answer, text = self.read(ANSWER), self.text()
        held = [(one["kind"], one["level"], one["parts"], one["asked_for"], one["earlier"]) for one in answer["holds"]]
        assert held == [
            ("batches", "random", 1, 1, 0),
            ("batches", "greedy", 2, 2, 1),
            ("batches", "club", 0, 1, 0),
            ("ladders", "", 0, 1, 0),
            ("solutions", "", 1, 1, 0),
        ]
        assert [(one["level"], one["withheld"]) for one in answer["holds"] if one["withheld"]] == [
            ("club", ["one club"])
        ]
        names = ("level", "within", "readings", "best", "worst", "missing", "first_rounds")
        assert [tuple(one[name] for name in names) for one in answer["precision"]] == [
            ("random", 1, 1, 0.69, 0.69, 0, False),
            ("greedy", 1, 2, 2.0, 4.94, 1, False),
            ("club", 0, 0, None, None, 1, True),
        ]
        for words in (
            "The edition of 1 December 2026",
            "4 parts, 3.9 KB; 3 that its plan asks for are not there yet, of which 1 is withheld .",
            "were played by players who are no longer those of the level",
            "2 (1 of an earlier plan)",
            "Levels of greedy players: ± 5 points.",
            "three greedy",
            f"manage.py edition verify --sample {SAMPLE}",
            "points 2",
        ):
            assert words in text, words

    def test_the_command_that_it_prints_is_one(self) -> None:
        name, *words = contents.VERIFY.removeprefix("manage.py ").split()
        with mock.patch("catalogue.management.commands.edition.Command.handle", return_value=None) as asked:
            call_command(name, *words)
        assert asked.call_args.kwargs["sample"] == SAMPLE

    def test_what_is_published_anew_is_read_anew_and_nothing_else(self) -> None:
        with self.published(RELEASE), mock.patch.object(contents, "read_index", wraps=contents.read_index) as read:
            self.page(PAGE)
            self.read(ANSWER)
            assert read.call_count == 1
            with self.published(EditionRelease(**{**asdict(RELEASE), "date": "2026-12-02", "parts": PARTS})):
                later = (self.place / INDEX).stat().st_mtime_ns + 10**9
                os.utime(self.place / INDEX, ns=(later, later))
                assert "The edition of 2 December 2026" in self.text()
            assert read.call_count == 2

    def test_neither_asks_the_database_anything(self) -> None:
        self.client.get(PAGE)
        with self.assertNumQueries(0):
            self.client.get(PAGE)
        with self.assertNumQueries(0):
            self.read(ANSWER)

    def test_where_none_was_published_there_is_none(self) -> None:
        with self.published(None):
            assert "No edition was published here." in self.page(PAGE, 404)
            assert "No edition was published here." in self.read(ANSWER, 404)["detail"]
            self.page("/cite/edition.bib", 404)

    @pytest.mark.thorough
    def test_it_is_cited_by_its_day_and_by_the_digest_of_its_index(self) -> None:
        with self.published(RELEASE):
            page, answer = self.page(PAGE), self.read(ANSWER)
            assert_told(self.client, self.client.get(PAGE), parsed(page))
            bibtex = self.client.get(answer["citations"]["bib"]).content.decode()
            item = json.loads(self.client.get("/cite/edition.json").content)[0]
        assert "Cite this edition" in page
        assert item["issued"] == {"date-parts": [[2026, 12, 1]]}
        assert (item["URL"], item["title"]) == (answer["page"], answer["title"])
        for text in (bibtex, item["note"], answer["citation"]):
            assert answer["digest"] in text
        assert "Edition 2026-12-01" in answer["citation"]

    def test_it_can_be_come_to(self) -> None:
        footer = BeautifulSoup(self.page("/"), "lxml").find("footer")
        assert footer.find("a", href=PAGE)
        assert f"{PAGE}</loc>" in self.page("/sitemap-pages.xml")
        assert BeautifulSoup(self.page("/data/"), "lxml").select_one(f'nav.section a[href="{PAGE}"]')
        assert self.read("")["edition"].endswith(f"/api/v1/{ANSWER}")

    def test_its_answer_is_as_it_is_described(self) -> None:
        answers = [self.read(ANSWER)]
        with self.published(RELEASE):
            answers.append(self.read(ANSWER))
        for answer in answers:
            self.is_as_described("Edition", answer)


def test_a_damaged_index_is_no_empty_edition(tmp_path: Path) -> None:
    (tmp_path / INDEX).write_text("{}")
    with pytest.raises(ValueError, match="damaged"):
        contents.shipped_edition(tmp_path)
