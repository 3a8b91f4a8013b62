"""Batches as the API gives and takes them. The edge of the world is the broker: no worker hears of these batches."""

import csv
import io
import json
from typing import Any
from unittest import mock

from django.http import HttpResponse
from django.test import override_settings

from simulator.batches.service import request_batch
from simulator.engine.family import family
from simulator.models import Batch, Chunk, Ruleset
from tests.api.api_world import API, ApiTestCase
from tests.builders import cost
from tests.catalogue.members import member
from tests.catalogue.page_world import GAMES, nobody_hears

WANTED = {"ruleset": "daramuti-parker", "games": 50, "seed": 7, "players": "random", "cap": 300, "until": "game"}
ENOUGH = int(2.5 * cost("daramuti-parker", 50, 300))  # for two batches


class BatchTests(ApiTestCase):
    def test_a_finished_batch_has_its_figures_digests_plots_and_rows(self) -> None:
        batch = self.read(f"batches/{self.batch.id}/")
        assert batch["summary"]["counts"] == {
            "win": 7, "draw": 1, "endless": 0, "unfinished": 0, "won_by_seat": [5, 2],
        }  # fmt: skip
        results = {row["key"]: row for row in batch["summary"]["sections"][0]["rows"]}
        assert results["won_0"]["value"] == 0.625  # five of eight games
        assert batch["digest"] == self.batch.digest
        assert len(batch["digest"]) == 64
        rows = b"".join(self.client.get(batch["rows"])).decode().splitlines()
        assert len(rows) == 1 + len(GAMES)
        for plot in batch["plots"]:
            assert b"<svg" in self.client.get(plot["svg"]).content
            assert plot["table"]["rows"]
        assert len(batch["plots"]) > 1

    def test_a_batch_says_what_was_asked_for_and_how_to_repeat_it(self) -> None:
        batch = self.read(f"batches/{self.batch.id}/")
        asked = [batch[name] for name in ("games", "seed", "players", "cap", "until", "engine", "state", "origin")]
        assert asked == [
            8,
            1,
            "random,random",
            2000,
            "game",
            f"sowing {family('sowing').rules_version}",
            "done",
            "demo",
        ]
        assert batch["ruleset"]["name"] == "daramuti-parker@1"
        assert batch["ruleset"]["hash"] == self.batch.ruleset_id
        assert batch["command"].startswith("manage.py simulate daramuti-parker@1 --games 8 --seed 1 ")
        assert batch["is_of_this_engine"] is True

    def test_an_open_batch_has_progress_and_no_figures(self) -> None:
        waiting = request_batch("kalah-reference", games=200_000, cap=1_000, announce=False)
        first = waiting.chunks.first()
        Chunk.objects.filter(id=first.id).update(state=Chunk.State.DONE)
        batch = self.read(f"batches/{waiting.id}/")
        assert self.client.get(f"{API}batches/{waiting.id}/?fields=id")["Retry-After"] == "5"
        assert "Retry-After" not in self.client.get(f"{API}batches/{self.batch.id}/")
        rows = self.client.get(f"{API}batches/{waiting.id}/rows/")
        assert (rows.status_code, rows["Retry-After"]) == (409, "5")
        assert (batch["state"], batch["rows"], batch["summary"], batch["plots"]) == ("running", None, None, [])
        assert batch["progress"]["games_done"] == first.games
        assert batch["progress"]["percent"] == 100 * first.games // 200_000
        assert 1 == batch["progress"]["chunks_done"] < batch["progress"]["chunks"] == waiting.chunks.count()

    def test_lists_are_narrowed(self) -> None:
        other = request_batch("kalah-reference", games=5, until="round", announce=False)
        for narrowed, ids in (
            ("ruleset=kalah-reference", [other.id]),
            ("ruleset=daramuti-parker@1", [self.batch.id]),
            (f"ruleset={other.ruleset_id[:10]}", [other.id]),
            ("state=done", [self.batch.id]),
            ("origin=demo", [self.batch.id]),
            ("until=round", [other.id]),
            ("ruleset=oware-reference", []),
        ):
            assert [batch["id"] for batch in self.read(f"batches/?{narrowed}")["results"]] == ids, narrowed


@mock.patch("simulator.batches.service.dispatch.notify_of_chunks", nobody_hears)
class RequestTests(ApiTestCase):
    def send(self, body: Any) -> HttpResponse:
        text = body if isinstance(body, str) else json.dumps(body)
        return self.client.post(f"{API}batches/", text, content_type="application/json")

    def refused(self, body: Any, status: int = 400) -> dict[str, Any]:
        before = (Batch.objects.count(), Chunk.objects.count(), Ruleset.objects.count())
        response = self.send(body)
        assert response.status_code == status, (body, response.content)
        assert (Batch.objects.count(), Chunk.objects.count(), Ruleset.objects.count()) == before
        return {problem["field"]: problem["nearest"] for problem in response.json()["problems"]}

    def test_a_request_becomes_a_batch_of_a_visitor(self) -> None:
        response = self.send(WANTED)
        assert response.status_code == 201
        batch = Batch.objects.get(id=response.json()["id"])
        asked = (batch.games, batch.seed, batch.players, batch.cap, batch.until, batch.origin)
        assert asked == (50, 7, "random,random", 300, "game", "visitor")
        assert batch.visitor
        assert self.client.get(response["Location"]).json() == response.json()

    def test_the_same_request_is_the_same_batch_and_not_a_new_one(self) -> None:
        first, second = self.send(WANTED), self.send({**WANTED, "players": "random,random", "games": "50"})
        assert (first.status_code, second.status_code) == (201, 200)
        assert first.json() == second.json()
        known = {"ruleset": "daramuti-parker@1", "games": 8}
        assert self.send(known).json()["id"] == self.batch.id

    def test_what_is_left_out_has_its_usual_value(self) -> None:
        batch = self.send({"ruleset": "kalah-reference"}).json()
        asked = [batch[name] for name in ("games", "seed", "players", "cap", "until")]
        assert asked == [1000, 1, "random,random", 2000, "game"]

    def test_changes_of_a_ruleset_are_made_on_the_way(self) -> None:
        batch = self.send({**WANTED, "set": {"counters_per_hole": 5}}).json()
        document = self.client.get(batch["ruleset"]["url"]).json()["document"]
        original = self.read("rulesets/daramuti-parker/")["document"]
        assert document == {**original, "counters_per_hole": 5}

    def test_mistakes_name_the_nearest_value_and_write_nothing(self) -> None:
        for changes, nearest in (
            ({"games": 0}, {"games": 1}),
            ({"games": -3, "cap": 0}, {"games": 1, "cap": 1}),
            ({"games": 12.4}, {"games": 12}),
            ({"games": "many"}, {"games": 1}),
            ({"games": True}, {"games": 1}),
            ({"games": [5]}, {"games": 1}),
            ({"games": None}, {"games": None}),
            ({"games": 10**30}, {"games": 100_000_000}),
            ({"games": 10_000_000}, {"games": 400_000_000 * 10_000_000 // cost("daramuti-parker", 10_000_000, 300)}),
            ({"seed": 2**53}, {"seed": 2**53 - 1}),
            ({"until": "dawn"}, {"until": "game"}),
            ({"until": ["round"]}, {"until": "round"}),
            ({"players": "randm"}, {"players": None}),
            ({"players": ""}, {"players": None}),
            ({"ruleset": "daramuti-parkr"}, {"ruleset": "daramuti-parker"}),
            ({"ruleset": "daramuti\0parker"}, {"ruleset": None}),
            ({"rulset": "x", "game": 5}, {"rulset": "ruleset", "game": "games"}),
            ({"set": {"counters_per_hol": 5}}, {"set.counters_per_hol": "counters_per_hole"}),
            ({"set": {"counters_per_hole": 99}}, {"set.counters_per_hole": 12}),
            ({"set": {"counters_per_hole": "[" * 1000}}, {"set": None}),
            ({"set": {str(n): 1 for n in range(101)}}, {"set": None}),
            ({"set": 5}, {"set": None}),
        ):
            assert self.refused({**WANTED, **changes}) == nearest, changes

    def test_an_unknown_player_is_told_of_the_nearest(self) -> None:
        assert "the nearest is 'random'" in self.send({**WANTED, "players": "randm"}).json()["detail"]

    def test_what_is_no_request_is_refused(self) -> None:
        self.refused("", 415)  # it does not say that it is JSON, as any page can have it sent
        for body in ("{", "[]", '"x"', "null", "NaN", '{"ruleset": "\\ud800"}', "[" * 20_000, "9" * 5_000):
            self.refused(body)
        assert self.refused({}) == {"ruleset": None}
        assert self.refused(" " * 65_537, 413) == {"": 65_536}
        response = self.client.post(f"{API}batches/", WANTED)
        assert (response.status_code, response.json()["title"]) == (415, "Unsupported Media Type")

    @override_settings(VISITOR_WORK_PER_HOUR=ENOUGH)
    def test_a_visitor_who_asked_for_enough_is_told_how_long_to_wait(self) -> None:
        assert [self.send({**WANTED, "seed": seed}).status_code for seed in (1, 2)] == [201, 201]
        response = self.send({**WANTED, "seed": 3})
        assert response.status_code == 429
        assert 3_500 < int(response["Retry-After"]) <= 3_601
        assert "within an hour" in response.json()["detail"]
        assert not Batch.objects.filter(seed=3).exists()

    @override_settings(VISITOR_WORK_PER_HOUR=ENOUGH)
    def test_form_and_api_share_one_bound(self) -> None:
        form = {name: str(value) for name, value in WANTED.items() if name != "ruleset"}
        for seed in ("1", "2"):
            assert self.client.post("/rulesets/daramuti-parker/play/", {**form, "seed": seed}).status_code == 302
        assert self.send({**WANTED, "seed": 3}).status_code == 429

    @override_settings(VISITOR_WORK_PER_HOUR=1)
    def test_an_editor_has_no_bounds_but_needs_a_token(self) -> None:
        editor = member("editor")
        self.client.force_login(editor)
        assert self.send(WANTED).json()["origin"] == "editor"
        strict = self.client_class(enforce_csrf_checks=True)
        strict.force_login(editor)
        response = strict.post(f"{API}batches/", json.dumps({**WANTED, "seed": 8}), content_type="application/json")
        assert response.status_code == 403
        assert not Batch.objects.filter(seed=8).exists()


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
