"""What the pages show besides the rows: histories, versions, ladders, solutions, coverage, notes, and games."""

import csv
import io
import json
from typing import Any, ClassVar

from django.utils import timezone

from catalogue.management.commands import coverage as command
from catalogue.models import Clause, EditorsNote, Evidence, EvidenceUncertainty, UncertaintyFactor
from simulator.batches.service import request_batch
from simulator.engine.family import family
from simulator.models import Ladder, Ruleset, RulesetVersion, Solution
from tests.api.api_world import API, ApiTestCase
from tests.builders import SOLUTION_FILES
from tests.catalogue.page_world import GAMES

PUHULMUTU = "DLP.Evidence.1386"


class HistoryTests(ApiTestCase):
    KEY = "histories/clause/puhulmutu-parker/relay/"

    def test_a_history_tells_what_changed_word_by_word_and_why(self) -> None:
        clause = Clause.objects.get(reading__slug="puhulmutu-parker", slug="relay")
        before = clause.text
        clause.text = f"{before} Always."
        clause._change_reason = "A test of the history"
        clause.save()
        answer = self.read(self.KEY)
        newest, first = answer["results"]
        assert answer["count"] == 2
        assert (newest["reason"], newest["author"]) == ("A test of the history", "a command of the catalogue")
        assert first["author"] == "the fixtures"
        ((row,), (field,)) = newest["rows"], newest["rows"][0]["changed"]
        assert (row["title"], row["action"], row["whole"]) == ("Clause", "changed", False)
        assert [piece["text"].strip() for piece in field["pieces"] if piece["kind"] == "added"] == ["ends. Always."]
        assert self.client.get(answer["page"]).status_code == 200

    def test_it_is_had_in_pages(self) -> None:
        clause = Clause.objects.get(reading__slug="puhulmutu-parker", slug="relay")
        for number in range(2):
            clause._change_reason = f"{number}"
            clause.save()
        first = self.read(f"{self.KEY}?page_size=2")
        second = self.client.get(first["next"]).json()
        assert (len(first["results"]), first["previous"]) == (2, None)
        assert (len(second["results"]), second["next"]) == (first["count"] - 2, None)
        assert self.nearest(f"{self.KEY}?page=9") == {"page": 1}

    def test_names_nearly_right_lead_to_the_right_ones(self) -> None:
        for path, nearest in (
            ("histories/clauze/puhulmutu-parker/relay/", {"kind": "clause"}),
            ("histories/clause/puhulmutu-parker/rely/", {"key": "puhulmutu-parker/relay"}),
            ("histories/evidence/DLP.Evidence.13866/", {"key": PUHULMUTU}),
            ("histories/evidence/", {"": "evidence"}),
        ):
            found = self.nearest(path, 404)
            assert found.keys() == nearest.keys(), path
            assert found == nearest or path.endswith("evidence/"), path

    def test_rows_that_have_one_lead_to_it(self) -> None:
        for path in (f"evidence/{PUHULMUTU}/", "rulesets/puhulmutu-parker/", "notes/DLP.Evidence.692/rules-copied/"):
            row = self.read(path)
            page = (row.get("reading") or row)["history"]
            assert self.client.get(page).status_code == 200

    def test_every_version_of_every_name_is_there(self) -> None:
        first = RulesetVersion.objects.get(slug="daramuti-parker")
        other = Ruleset.objects.exclude(hash=first.ruleset_id).filter(family="sowing").first()
        second = RulesetVersion.objects.create(
            slug=first.slug, number=2, ruleset=other, parent=first, date=timezone.now().date()
        )
        rows = self.read("versions/?slug=daramuti-parker")["results"]
        assert [(row["name"], row["parent"], row["children"]) for row in rows] == [
            ("daramuti-parker@1", None, ["daramuti-parker@2"]),
            ("daramuti-parker@2", "daramuti-parker@1", []),
        ]
        assert self.client.get(rows[0]["ruleset"]).json()["hash"] == first.ruleset_id
        assert self.read("versions/daramuti-parker@2/")["hash"] == second.ruleset_id
        assert str(second) in {row["name"] for row in self.read(f"versions/?hash={other.hash}")["results"]}
        assert self.count("versions/") == RulesetVersion.objects.count()

    def test_others_are_named_with_the_nearest(self) -> None:
        for name in ("daramuti-parkr@1", "daramuti-parker", "daramuti-parker@9", "daramuti-parker@" + "9" * 40):
            assert self.nearest(f"versions/{name}/", 404) == {"name": "daramuti-parker@1"}


class ThoughtTests(ApiTestCase):
    ruleset: ClassVar[Ruleset]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.ruleset = RulesetVersion.objects.get(slug="daramuti-parker").ruleset
        content = {"rungs": ["random", "uct:16"], "games": 2, "seed": 1, "cap": 9, "until": "game"}
        Ladder.objects.create(id="ab" * 8, ruleset=cls.ruleset, request=content, document={"a": 1}, state="done")
        Ladder.objects.create(id="cd" * 8, ruleset=cls.ruleset, request=content)
        version = family("sowing").rules_version
        Solution.objects.create(ruleset=cls.ruleset, family_version=version, document={"b": 2}, state="done")

    def test_ladders_that_were_climbed(self) -> None:
        (row,) = self.read("ladders/?ruleset=daramuti-parker")["results"]
        assert row == self.read(f"ladders/{'ab' * 8}/") == self.client.get(row["url"]).json()
        assert (row["document"], row["ruleset"]["name"]) == ({"a": 1}, "daramuti-parker@1")
        assert row["command"].startswith("manage.py ladder daramuti-parker@1 --rungs random,uct:16 --games 2")
        assert self.count("ladders/?ruleset=daramuti-ludii") == 0
        assert self.read(f"ladders/{'cd' * 8}/", 202)["state"] == "failed"  # it waits for games that are not there
        assert self.nearest(f"ladders/{'ef' * 8}/", 404).keys() == {"id"}

    def test_solutions_that_were_found(self) -> None:
        rows = {row["hash"]: row for row in self.read("solutions/")["results"]}
        row = rows.pop(self.ruleset.hash)
        names = {one["ruleset"]["name"].partition("@")[0] for one in rows.values()}
        assert names == {file.stem for file in SOLUTION_FILES}  # those that are shipped
        assert row == self.read(f"solutions/{self.ruleset.hash}/") == self.client.get(row["url"]).json()
        assert (row["document"], row["is_of_this_engine"]) == ({"b": 2}, True)
        assert self.count(f"solutions/?ruleset={self.ruleset.hash[:9]}") == 1
        assert self.nearest("solutions/?ruleset=daramuti-parkr") == {"ruleset": "daramuti-parker"}


class ApparatusTests(ApiTestCase):
    def test_coverage_is_that_of_the_command(self) -> None:
        out = io.StringIO()
        command.Command(stdout=out).handle(records=[], json=True)
        answer = {one["record"]: one for one in json.loads(out.getvalue())["records"]}
        rows = self.read("coverage/?page_size=100")["results"]
        assert {row["record"]: row for row in rows} == answer
        assert self.read(f"coverage/{PUHULMUTU}/") == answer[PUHULMUTU]
        assert answer[PUHULMUTU]["paraphrase"]["anchored"] > 500
        assert self.client.get(self.read(f"evidence/{PUHULMUTU}/")["coverage"]).json() == answer[PUHULMUTU]

    def test_notes_and_reasons_for_doubt(self) -> None:
        assert self.count("notes/") == EditorsNote.objects.count()
        of_daramuti = self.read("notes/?evidence=DLP.Evidence.692")["results"]
        answer = self.read("evidence/DLP.Evidence.692/")["editors_notes"]
        assert [note["text"] for note in of_daramuti] == [note["text"] for note in answer]
        factors = {row["slug"]: row for row in self.read("uncertainty-factors/?page_size=100")["results"]}
        assert len(factors) == UncertaintyFactor.objects.count()
        for slug, row in factors.items():
            records = EvidenceUncertainty.objects.filter(factor__slug=slug).count()
            assert row["records"] == self.client.get(row["evidence"]).json()["count"] == records

    def test_a_ruleset_has_its_reading_and_its_board(self) -> None:
        whole = self.read("rulesets/daramuti-parker/")
        reading = whole["reading"]
        assert (reading["rests_on"], bool(reading["rests_text"])) == ("puhulmutu-parker", True)
        assert self.client.get(reading["clauses"]).json()["count"] > 5
        assert whole["board"].startswith("<svg")
        assert len(whole["seats"]) == 2

    def test_withdrawn_records_are_gone_from_them(self) -> None:
        Evidence.objects.filter(identifier="DLP.Evidence.692").update(withdrawn_on="2026-01-01", withdrawn_reason="x")
        assert self.read("evidence/DLP.Evidence.692/", 410)["type"].endswith("#gone")
        assert self.count("notes/?evidence=DLP.Evidence.692") == 0
        assert "DLP.Evidence.692" not in {row["record"] for row in self.read("coverage/?page_size=100")["results"]}


class RowTests(ApiTestCase):
    def rows(self, **how: Any) -> Any:
        return self.client.get(f"{API}batches/{self.batch.id}/rows/", how)

    def test_games_come_in_pages_as_a_table_and_as_lines(self) -> None:
        first = self.rows(page_size=5).json()
        second = self.client.get(first["next"]).json()
        games = [*first["results"], *second["results"]]
        assert [game["game"] for game in games] == list(range(8))
        assert [(game["turns"], game["end"], game["winners"]) for game in games] == list(GAMES)
        assert (first["count"], second["next"]) == (8, None)
        lines = b"".join(self.rows(format="jsonl")).decode().splitlines()
        assert [json.loads(line) for line in lines] == games
        table = b"".join(self.rows(format="csv")).decode()
        assert table == b"".join(self.client.get(f"/batches/{self.batch.id}/rows.csv")).decode()
        assert [
            {name: int(value) for name, value in row.items()} for row in csv.DictReader(io.StringIO(table))
        ] == games
        assert self.client.get(self.read(f"batches/{self.batch.id}/")["rows_in_pages"]).json()["results"] == games

    def test_a_batch_that_is_played_in_parts_is_read_across_them(self) -> None:
        chunk = self.batch.chunks.get()
        from simulator.batches.rows import packed, unpacked

        rows = unpacked(bytes(chunk.rows), len(family("sowing").measures))
        self.batch.chunks.create(
            number=chunk.number + 1, first_game=3, games=5, state="done", rows=packed(rows[3:]), digest="-"
        )
        chunk.games, chunk.rows = 3, packed(rows[:3])
        chunk.save()
        found, address = [], f"{API}batches/{self.batch.id}/rows/?page_size=2"
        while address:
            page = self.client.get(address).json()
            found += page["results"]
            address = page["next"]
        assert [(game["game"], game["turns"]) for game in found] == [(n, game[0]) for n, game in enumerate(GAMES)]

    def test_where_there_are_none_it_says_why(self) -> None:
        waiting = request_batch("kalah-reference", games=5, announce=False)
        assert "running" in self.read(f"batches/{waiting.id}/rows/", 409)["detail"]
        waiting.rows_kept = False
        waiting.save()
        assert "plays them again" in self.read(f"batches/{waiting.id}/rows/", 404)["detail"]
        assert self.nearest(f"batches/{self.batch.id}/rows/?cursor=WzFd") == {"cursor": "*"}
        assert self.nearest(f"batches/{self.batch.id}/rows/?page_size=1001") == {"page_size": 1000}
        assert self.nearest(f"batches/{self.batch.id}/rows/?pagesize=5") == {"pagesize": "page_size"}
        assert self.nearest(f"batches/{self.batch.id}/rows/?format=cvs") == {"format": "csv"}
