"""A game between players that think: listed by the compiled engine, told by the referee, by worker and command."""

import io
import json
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.test import TestCase

from simulator import replays
from simulator.batches.requests import request_of_batch
from simulator.batches.service import request_batch
from simulator.engine.players import search
from simulator.engine.replay import as_document
from simulator.models import Batch, GameRecord
from simulator.replays import MOST_TURNS, ReplayView, request_replay

RULESET, PLAYERS = "kalah-reference", "greedy,random"


def command(*words: str) -> str:
    out = io.StringIO()
    call_command("replay", *words, stdout=out)
    return out.getvalue()


class ListedGames(TestCase):
    def setUp(self) -> None:
        self.batch = request_batch(RULESET, games=3, players=PLAYERS, announce=False)
        self.record = GameRecord.objects.create(batch=self.batch, game=2)

    def test_referee_reaches_the_row_of_the_listed_game(self) -> None:
        assert replays.list_game(self.record.id)
        telling = request_replay(self.batch, 2)
        assert isinstance(telling, ReplayView)
        moves, replayed = replays.replay_listed(request_of_batch(self.batch), 2, MOST_TURNS)
        self.record.refresh_from_db()
        assert (self.record.state, self.record.moves) == ("done", moves)
        assert telling.document() == json.loads(json.dumps(as_document(replayed)))
        assert not replays.list_game(self.record.id), "it waits no more"

    def test_a_referee_that_reaches_another_row_is_an_error(self) -> None:
        moves, row = search.list_moves(request_of_batch(self.batch).ruleset, PLAYERS.split(","), 1, 2, 2000, "game")
        with mock.patch.object(search, "list_moves", return_value=(moves, [*row[:-1], row[-1] + 1])):
            replays.list_game(self.record.id)
        self.record.refresh_from_db()
        assert self.record.state == "failed"
        assert "by the referee" in self.record.error

    def test_command_narrates_batch_and_request_alike(self) -> None:
        of_batch_id = command("--batch", self.batch.id[:9], "--game", "2", "--json")
        of_request = command(RULESET, "--players", PLAYERS, "--game", "2", "--json")
        replayed = json.loads(of_batch_id)
        assert {**replayed, "ruleset": RULESET} == json.loads(of_request)
        assert replayed["players"] == PLAYERS
        assert command("--batch", self.batch.id, "--game", "2").endswith("\n")

    def test_the_text_says_how_it_is_to_be_read(self) -> None:
        for slug, what in (
            ("kalah-reference", "lower one"),
            ("pancha-keliya-dlp", "Way of the second player"),
            ("koti-keliya-parker", "o marks the leopard, x the cattle"),
            ("dam-parker", "O and X are their kings"),
        ):
            heading, _, *reading = command(slug, "--cap", "1").splitlines()
            assert heading.startswith(f"Game 0 of seed 1, {slug}")
            assert reading[0].startswith("How to read it.")
            assert what in " ".join(reading[:8])

    def test_the_command_refuses_by_name(self) -> None:
        Batch.objects.filter(id=self.batch.id).update(family_version=0)
        for words, message in (
            (["--batch", self.batch.id], "was played by version 0 of the engine"),
            (["--batch", self.batch.id, "--seed", "2"], "a batch says that itself"),
            (["--batch", "ffff"], f'nearest valid value: "{self.batch.id}'),
            ([], "a ruleset or --batch must be named"),
            ([RULESET, "--players", "gredy"], "'greedy'"),
        ):
            with pytest.raises(CommandError, match=message) as refused:
                command(*words)
            assert refused.value.returncode == 2
        Batch.objects.filter(id=self.batch.id).update(family_version=self.batch.family_version)
        with pytest.raises(CommandError, match="from 0 to 2, not 3"):
            command("--batch", self.batch.id, "--game", "3")
