"""The page of one game: every turn has an address, what fired has its words, and no wrong address is a crash."""

import html
import json
import re
from dataclasses import replace
from typing import Any
from unittest import mock
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from simulator.batches.service import request_batch
from simulator.engine.family import family
from simulator.engine.replay import SLICE, Replay, as_document, as_text, replay
from simulator.models import Batch, GameRecord
from simulator.problems import QueueFull
from simulator.replays import keep_replay, replay_facts, request_replay
from simulator.rulesets import as_engine
from tests.api.api_world import problems_of
from tests.catalogue.page_world import CatalogueTestCase

TURN_3 = 3  # of game 0 of the batch: the playthrough below tells it


def address_of(batch: Batch, game: object = 0, what: str = "") -> str:
    return f"/batches/{batch.id}/games/{game}/{what}"


class ReplayTestCase(CatalogueTestCase):
    def address(self, game: object = 0, what: str = "") -> str:
        return address_of(self.batch, game, what)

    def replayed(self, game: int = 0) -> Any:
        return replay(as_engine(self.batch.ruleset), self.batch.seed, game, self.batch.cap, self.batch.until)


class AGameOnItsPage(ReplayTestCase):
    def test_a_capture_is_shown_with_its_clause_and_words(self) -> None:
        """Turn 3 of game 0 sows six from e and takes seven from b, for which Parker's record is quoted."""
        page = html.unescape(self.page(self.address() + f"?turn={TURN_3}"))
        assert "6 sown from 1e" in page
        happened = page[page.index("The first player takes 7 from 1b") :]
        assert "A last counter in an empty hole, in either row, captures the contents of the hole facing it" in happened
        assert "When the last seed of the set which is being sown falls in an empty hole the seeds in the" in happened
        place = re.search(r'href="(/evidence/DLP\.Evidence\.692/)#(words\.[^"]*eating-opposite[^"]*)"', happened)
        assert place
        record = self.page(place[1])
        assert record.count(f'id="{place[2]}"') == 1

    def test_the_board_of_a_turn_is_drawn_with_what_it_touched(self) -> None:
        page = self.page(self.address() + f"?turn={TURN_3}")
        assert "<title>The board after turn 3</title>" in page
        assert "store 7. First player below: 1, 0, 7, 7, 0, 1, 1; store 12. Pointed out: 1b, 1e, 2f." in page
        assert page.count('class="pointed-out"') == 3  # where the turn began, where its last counter fell, what it took
        start = self.page(self.address())
        assert "<title>The board before the first move</title>" in start
        assert 'class="pointed-out"' not in start

    @pytest.mark.by_turns
    def test_every_turn_is_reached_by_steps_and_by_the_list(self) -> None:
        last = self.replayed().row["turns"]
        for turn, before, after in ((0, None, 1), (1, 0, 2), (SLICE, SLICE - 1, SLICE + 1), (last, last - 1, None)):
            page = self.page(self.address() + f"?turn={turn}")
            steps = dict(re.findall(r'<a href="\?turn=(\d+)" data-step="(previous|next)" rel', page))
            assert {name: int(number) for number, name in steps.items()} == {
                name: number for name, number in (("previous", before), ("next", after)) if number is not None
            }
            listed = [int(number) for number in re.findall(r'data-turn="(\d+)"><a href', page)]
            first = max(0, turn - 1) // SLICE * SLICE + 1
            assert listed == list(range(first, min(first + SLICE, last + 1)))
            assert re.findall(r'aria-current="step" data-turn="(\d+)"', page) == ([str(turn)] if turn else [])

    @pytest.mark.by_turns
    def test_a_slice_draws_the_same_boards_for_the_script(self) -> None:
        part = json.loads(self.page(self.address(0, f"turns.json?turn={SLICE + 3}")))
        assert (part["first"], len(part["turns"])) == (SLICE + 1, SLICE)
        third = part["turns"][2]
        page = self.page(self.address() + f"?turn={SLICE + 3}")
        assert all(f"{inside}</g>" in page for inside in third["places"].values())
        assert third["title"] in page
        assert third["description"] in page
        assert third["html"].strip() in page

    @pytest.mark.thorough
    def test_text_and_json_are_what_the_command_prints(self) -> None:
        replayed = self.replayed()
        text = self.page(self.address(0, "replay.txt"))
        assert text.rstrip().endswith("\n".join(as_text(replayed)))
        assert f"batch {self.batch.id}" in text
        document = json.loads(self.page(self.address(0, "replay.json")))
        asked = {key: document.pop(key) for key in replay_facts(self.batch, 0)}
        assert asked == replay_facts(self.batch, 0)
        assert document == json.loads(json.dumps(as_document(replayed)))

    @pytest.mark.by_turns
    def test_the_queries_of_a_page_do_not_depend_on_turn_or_game(self) -> None:
        self.page(self.address())
        counts = set()
        for address in (self.address(0) + "?turn=3", self.address(2)):
            with CaptureQueriesContext(connection) as queries:
                self.page(address)
            counts.add(len(queries))
        assert len(counts) == 1

    @pytest.mark.by_turns
    def test_what_is_sent_at_once_stays_small_in_a_long_game(self) -> None:
        """Game 6 has more than 500 turns."""
        assert self.replayed(6).row["turns"] > 500
        assert len(self.page(self.address(6))) < 60_000
        assert len(self.page(self.address(6, "turns.json?turn=300"))) < 400_000


class GamesOfABatch(ReplayTestCase):
    def test_a_batch_offers_its_middling_shortest_and_longest_game(self) -> None:
        """The eight games of the batch have 10, 12, … 24 turns: the lower median is 16, of game 3."""
        page = self.page(f"/batches/{self.batch.id}/")
        offered = re.findall(r'<li>([^<]+): <a href="/batches/\w+/games/(\d+)/">game \d+</a>, (\d+) turns', page)
        assert offered == [
            ("A representative game: of median length", "3", "16"),
            ("The shortest game", "0", "10"),
            ("The longest game that ended", "7", "24"),
        ]

    def test_without_such_a_summary_the_first_game_is_offered(self) -> None:
        summary = {key: value for key, value in self.batch.summary.items() if key != "games_to_look_at"}
        Batch.objects.filter(id=self.batch.id).update(summary=summary)
        page = self.page(f"/batches/{self.batch.id}/")
        assert f'The first game: <a href="{self.address(0)}">game 0</a>' in page

    def test_the_field_leads_to_the_game_or_names_the_nearest(self) -> None:
        answer = self.client.get(f"/batches/{self.batch.id}/games/?number=5")
        assert (answer.status_code, answer.headers["Location"]) == (302, self.address(5))
        for typed, nearest in (("8", "7"), ("-1", "0"), ("x", "0"), ("", "0"), ("2.6", "3")):
            page = self.page(f"/batches/{self.batch.id}/games/?number={typed}", 400)
            assert f'<a href="{self.address(nearest)}">game {nearest}</a>' in page

    @pytest.mark.by_turns
    def test_a_game_beyond_the_batch_names_the_nearest(self) -> None:
        for typed, nearest in ((8, 7), (10**30, 7), (-1, 0), ("nine", 0), ("1.5", 2)):
            for what in ("", "turns.json", "replay.txt", "replay.json", "progress.json"):
                page = self.page(self.address(typed, what), 404)
                assert self.address(nearest, what) in page
                assert "numbered from 0 to 7" in page

    @pytest.mark.by_turns
    def test_a_turn_beyond_the_game_names_the_nearest(self) -> None:
        last = self.replayed().row["turns"]
        for typed, nearest in ((last + 1, last), (-3, 0), ("x", 0), ("", 0)):
            page = html.unescape(self.page(self.address() + f"?turn={typed}", 400))
            assert f'href="{self.address()}?turn={nearest}"' in page
        assert "There is no parameter “trun” here" in self.page(self.address() + "?trun=3", 400)

    def test_a_batch_of_an_older_engine_is_not_replayed(self) -> None:
        Batch.objects.filter(id=self.batch.id).update(family_version=0)
        page = self.page(self.address(), 409)
        assert "was played by version 0 of the engine" in page
        assert "cannot be replayed here" in self.page(f"/batches/{self.batch.id}/")
        self.page(self.address(0, "replay.json"), 409)

    def test_a_game_stopped_by_the_cap_and_one_of_the_first_round(self) -> None:
        for wanted, words in (
            ({"cap": 5}, "was stopped by the cap after 5 turns"),
            ({"until": "round"}, "The first round ended after"),
        ):
            batch = request_batch("daramuti-parker", games=2, announce=False, **wanted)
            page = self.page(address_of(batch))
            assert words in page
            assert "cap" not in wanted or "Before the first of 5 turns." in page

    @pytest.mark.thorough  # the referee sows ten thousand laps
    def test_an_endless_turn_is_narrated_as_one(self) -> None:
        """The kernel's own rows say that game 0 of seed 1 of `daramuti-ludii` ends so, after 108 turns."""
        batch = request_batch("daramuti-ludii", games=2, announce=False)
        last = self.page(address_of(batch, 0) + "?turn=108")
        assert "became endless after 108 turns" in last
        assert "The turn would take more than 10,000 laps and is endless: the position before it stands" in last

    def test_a_what_if_tells_the_sentences_of_its_parameters(self) -> None:
        batch = request_batch("daramuti-parker", games=1, announce=False, changes={"counters_per_hole": "3"}, cap=20)
        slices = json.loads(self.page(address_of(batch, 0, "turns.json?turn=1")))
        replayed = " ".join(turn["html"] for turn in slices["turns"])
        assert 'class="fired small"' in replayed
        assert "/evidence/" not in replayed


class AGameThatIsWaitedFor(ReplayTestCase):
    """The edge of the world is the broker: nobody hears that a game is asked for."""

    def setUp(self) -> None:
        self.announced: list[int] = []
        self.enterContext(
            mock.patch("simulator.batches.dispatch.notify_of_game", lambda game: self.announced.append(game) or True)
        )
        self.searched = request_batch("daramuti-parker", games=3, players="uct:5/10,random", cap=40, announce=False)

    def test_the_page_waits_and_looks_again(self) -> None:
        answer = self.client.get(address_of(self.searched, 1))
        assert (answer.status_code, answer.headers["Retry-After"]) == (202, "3")
        page = answer.content.decode()
        assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in page
        assert address_of(self.searched, 1, "progress.json") in page
        record = GameRecord.objects.get()
        assert (record.batch_id, record.game, record.state) == (self.searched.id, 1, "waiting")
        assert self.announced == [record.id]
        assert json.loads(self.page(address_of(self.searched, 1, "progress.json"))) == {"state": "waiting"}
        polled = self.client.get(address_of(self.searched, 1, "progress.json"), headers={"HX-Request": "true"})
        assert (polled.status_code, "HX-Refresh" in polled) == (204, False)
        assert self.announced == [record.id], "a worker was told a moment ago"
        assert json.loads(self.page(f"/api/v1{address_of(self.searched, 1)}", 202))["state"] == "waiting"

    def test_what_a_worker_kept_is_shown(self) -> None:
        """The moves are random ones here, which the referee plays as it would play any."""
        self.client.get(address_of(self.searched, 1))
        record = GameRecord.claim(id=GameRecord.objects.get().id)
        assert record is not None
        assert GameRecord.claim(id=record.id) is None, "somebody has it"
        replayed = replay(as_engine(self.searched.ruleset), 1, 1, 40, "game")
        keep_replay(record, [ply.move for turn in replayed.turns for ply in turn.plies], replayed)
        polled = self.client.get(address_of(self.searched, 1, "progress.json"), headers={"HX-Request": "true"})
        assert polled["HX-Refresh"] == "true"
        assert "<title>The board after turn 17</title>" in self.page(address_of(self.searched, 1) + "?turn=17")
        document = json.loads(self.page(address_of(self.searched, 1, "replay.json")))
        assert document["turns"] == json.loads(json.dumps(as_document(replayed)))["turns"]
        assert self.page(address_of(self.searched, 1, "replay.txt")).rstrip().endswith("\n".join(as_text(replayed)))

    def test_of_a_very_long_game_the_beginning_is_shown(self) -> None:
        self.client.get(address_of(self.searched, 1))
        record = GameRecord.objects.get()
        replayed = replay(as_engine(self.searched.ruleset), 1, 1, 40, "game")
        moves = [ply.move for turn in replayed.turns for ply in turn.plies]
        beginning = Replay(replayed.ruleset, replayed.turns[:30], replayed.row)
        keep_replay(record, moves, beginning)
        page = self.page(address_of(self.searched, 1) + "?turn=30")
        assert "The game has 40 turns; the first 30 can be shown here." in page
        self.page(address_of(self.searched, 1) + "?turn=31", 400)
        assert "Turns 31 to 40 are not told here." in self.page(address_of(self.searched, 1, "replay.txt"))

    def test_a_failure_is_shown_with_its_text(self) -> None:
        self.client.get(address_of(self.searched))
        GameRecord.objects.get().fail("ValueError: no such thing")
        self.client.raise_request_exception = False
        assert "ValueError: no such thing" in self.page(address_of(self.searched), 500)
        self.page(f"/api/v1{address_of(self.searched)}", 500)

    def test_a_long_game_of_random_players_is_left_to_a_worker_too(self) -> None:
        with mock.patch("simulator.replays.family", lambda name: replace(family(name), quick_plies=100)):
            self.page(self.address(0), 202)
        assert self.announced == [GameRecord.objects.get().id]

    def test_only_so_many_games_wait(self) -> None:
        with mock.patch("simulator.replays.MOST_WAITING", 2):
            for game in (0, 1):
                self.page(address_of(self.searched, game), 202)
            answer = self.client.get(address_of(self.searched, 2))
            assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
            self.page(address_of(self.searched, 1), 202)
            with pytest.raises(QueueFull):
                request_replay(self.searched, 2)
            self.page(f"/api/v1{address_of(self.searched, 2)}", 429)

    def test_old_records_make_room(self) -> None:
        replayed = replay(as_engine(self.searched.ruleset), 1, 1, 2, "game")
        with mock.patch("simulator.replays.MOST_KEPT", 2):
            for game in (0, 1, 2):
                keep_replay(GameRecord.objects.create(batch=self.searched, game=game), [], replayed)
        assert sorted(GameRecord.objects.values_list("game", flat=True)) == [1, 2]


class AGameByApi(ReplayTestCase):
    @pytest.mark.by_turns
    def test_it_is_the_game_of_the_page(self) -> None:
        answer = json.loads(self.page(f"/api/v1{self.address(0)}"))
        replayed = self.replayed()
        assert answer["state"] == "done"
        assert (answer["end"], answer["winners"], answer["turns_told"]) == (
            replayed.end,
            replayed.winners,
            len(replayed.turns),
        )
        assert answer["turns"] == json.loads(json.dumps(as_document(replayed)))["turns"]
        assert answer["row"] == replayed.row
        assert answer["page"].endswith(self.address(0))
        assert not problems_of(answer, {"$ref": "#/components/schemas/Replay"})
        captures = [
            event
            for turn in answer["turns"]
            for ply in turn["plies"]
            for event in ply["events"]
            if event["kind"] == "capture"
        ]
        assert {"capture_opposite", "capture_making", "short_handed"} == {
            key for event in captures for key in event["fired"]
        }

    def test_it_refuses_in_the_form_of_the_api(self) -> None:
        wrong = json.loads(self.page(f"/api/v1{self.address(8)}", 404))
        assert wrong["problems"] == [
            {"field": "game", "message": "must be a whole number from 0 to 7, not 8", "nearest": 7}
        ]
        self.page(f"/api/v1{self.address(0)}?turn=3", 400)
        self.page("/api/v1/batches/0123456789abcdef/games/0/", 404)
        Batch.objects.filter(id=self.batch.id).update(family_version=0)
        self.page(f"/api/v1{self.address(0)}", 409)


class WrongAddressesOfReplays(ReplayTestCase):
    @pytest.mark.thorough
    def test_no_number_and_no_turn_is_a_crash(self) -> None:
        short = request_batch("hat-diviyan-keliya-dlp", games=2, announce=False)
        whats = st.sampled_from(["", "turns.json", "replay.json", "progress.json"])

        @given(
            game=st.text(max_size=20),
            asked=st.dictionaries(st.text(max_size=9), st.text(max_size=9), max_size=1),
            what=whats,
        )
        def try_it(game: str, asked: dict[str, str], what: str) -> None:
            turns = [{"turn": turn} for turn in asked.values()]
            for path, queries in ((quote(game, safe=""), [asked]), ("0", [asked, *turns])):
                for query in queries if path not in ("", ".", "..") else ():
                    address = address_of(short, path, what)
                    assert self.client.get(address, query).status_code in (200, 400, 404), (address, query)

        try_it()
