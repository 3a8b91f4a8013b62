"""What comes again: positions within a game, held against the referee, and games of one kind in a batch."""

from collections import Counter
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from django.apps import apps
from django.db.models import QuerySet
from django.test import TestCase

from simulator import rulesets
from simulator.batches import replayed as looking
from simulator.batches.finalize import (
    DIFFERENT,
    FEW,
    OF_REPETITION,
    VARIETY,
    close_if_complete,
    few_kinds,
    measurements_of,
    rescan_repetition,
    variety,
)
from simulator.batches.replayed import most_often, repetition
from simulator.batches.rows import digest_of, packed
from simulator.batches.service import request_batch
from simulator.engine.documents import with_changes
from simulator.engine.family import family
from simulator.engine.games import Game
from simulator.engine.playout import play_block, replay_game
from simulator.engine.referee_playout import plies
from simulator.engine.ruleset import Ruleset
from simulator.engine.tally import tally_rows
from simulator.models import Batch, Chunk, Measurement
from tests.engine.rulesets import RULESETS

TIGER = "hat-diviyan-keliya-dlp"
# Two men step out and back: after four turns everything stands as it stood, with the same player to move.
TO_AND_FRO = ["b5-a6", "a8-b7", "a6-b5", "b7-a8"]


@pytest.mark.parametrize(
    ("moves", "most"),
    [
        ([*TO_AND_FRO, *TO_AND_FRO, "d5-e6"], 3),
        ([*TO_AND_FRO, "d5-e6"], 2),
        ([*TO_AND_FRO], 1),  # what it comes to is the beginning of a turn that nobody played
        (["b5-a6", "a8-b7", "d5-e6"], 1),
    ],
)
def test_a_game_made_by_hand(moves: list[str], most: int) -> None:
    ruleset = RULESETS["dam-dlp"]
    codes = iter(Game(ruleset, moves=moves).session.moves)
    assert most_often(ruleset, lambda seat, options: next(codes), len(moves)) == most


def plainly(ruleset: Ruleset, seed: int, game: int, turns: int, moves: list[int] | None = None) -> int:
    """The same over the positions of the referee."""
    stood: Counter[Any] = Counter()
    played, is_new = 0, True
    for ply in plies(ruleset, seed, game, moves=moves):
        if played == turns:
            break
        if is_new:
            stood[ply.before.words()] += 1
        is_new = ply.played.turn_over
        played += is_new
    return max(stood.values())


def closed(ruleset: Ruleset, games: int, players: str = "random", **wanted: Any) -> tuple[Batch, Any]:
    """A batch of games that were played, with its rows."""
    batch = request_batch(rulesets.save(ruleset).hash, games=games, players=players, announce=False, **wanted)
    line = tuple(batch.players.split(","))
    rows = play_block(ruleset, line, batch.seed, 0, games, batch.cap, batch.until)
    tally = tally_rows(rows, family(ruleset.family).measures).to_json()
    batch.chunks.update(state=Chunk.State.DONE, rows=packed(rows), tally=tally, digest=digest_of(rows))
    assert close_if_complete(batch.id)
    batch.refresh_from_db()
    return batch, rows


def of_repetition(batch: Batch) -> "QuerySet[Measurement]":
    return Measurement.objects.filter(batch=batch, measure__in=OF_REPETITION)


class BatchTests(TestCase):
    def test_random_games_are_counted_as_the_referee_counts_them(self) -> None:
        batch, rows = closed(RULESETS[TIGER], 40)
        found = (batch.summary or {})["repetition"]
        games = found["games"]
        assert games == 20  # of so few games as many as half a second allows, and 20
        most = [plainly(RULESETS[TIGER], batch.seed, game, int(rows[game, 2])) for game in range(games)]
        again, threefold = found["rows"]
        assert (again["count"], threefold["count"]) == (sum(one > 1 for one in most), sum(one > 2 for one in most))
        assert again["count"] > threefold["count"] > 0
        assert (found["longest"], found["game"]) == (max(most), most.index(max(most)))
        assert threefold["text"].startswith(f"{100 * threefold['count'] / 20:.1f} % (")
        assert batch.digest == digest_of(rows)
        figures = [row for section in batch.summary["sections"] for row in section["rows"]]
        kept = Measurement.objects.filter(batch=batch, place__gte=len(figures))
        assert list(kept.values_list("measure", "unit", "value", "low", "n")) == [
            ("different_games", "games", 40, None, 40),
            ("position_again", "share", again["value"], again["low"], 20),
            ("threefold", "share", threefold["value"], threefold["low"], 20),
            ("longest_repetition", "times", max(most), None, 20),
        ]
        assert Measurement.objects.filter(batch=batch).count() == len(figures) + 4

    def test_so_many_games_as_somebody_else_looked_at(self) -> None:
        batch, _ = closed(RULESETS[TIGER], 40)
        twenty = (batch.summary or {})["repetition"]
        rescan_repetition(batch, 7)
        batch.refresh_from_db()
        assert (batch.summary or {})["repetition"]["games"] == 7
        assert set(of_repetition(batch).values_list("n", flat=True)) == {7}
        rescan_repetition(batch, 20)
        batch.refresh_from_db()
        assert (batch.summary or {})["repetition"] == twenty
        rescan_repetition(batch, 4_000)
        assert set(of_repetition(batch).values_list("n", flat=True)) == {40}
        Batch.objects.filter(id=batch.id).update(family_version=1)
        batch.refresh_from_db()
        rescan_repetition(batch, 9)  # this engine cannot
        assert set(of_repetition(batch).values_list("n", flat=True)) == {40}

    def test_repetition_found_before_has_rows_after_an_upgrade(self) -> None:
        batch, _ = closed(RULESETS[TIGER], 40)
        before = list(Measurement.objects.filter(batch=batch).order_by("place").values())
        upgrade = import_module("simulator.migrations.0010_measured_repetition")
        upgrade.fill(apps, None)
        assert Measurement.objects.filter(batch=batch).count() == len(before)
        of_repetition(batch).delete()
        other, _ = closed(RULESETS["saturankam-dlp"], 2)
        upgrade.fill(apps, None)
        after = list(Measurement.objects.filter(batch=batch).order_by("place").values())
        assert [{**one, "id": 0} for one in after] == [{**one, "id": 0} for one in before]
        assert not of_repetition(other)

    def test_players_who_choose_are_followed_move_by_move(self) -> None:
        from simulator.engine.players.search import list_moves

        ruleset = RULESETS["kotu-ellima-ludii"]
        batch, rows = closed(ruleset, 2, "greedy", cap=60)
        found = (batch.summary or {})["repetition"]
        players = tuple(batch.players.split(","))
        most = [
            plainly(ruleset, 1, game, int(rows[game, 2]), list_moves(ruleset, players, 1, game, 60, "game")[0])
            for game in range(2)
        ]
        assert (found["games"], found["longest"]) == (2, max(most))

    def test_first_rounds_are_looked_at_as_far_as_they_were_played(self) -> None:
        ruleset = RULESETS["puhulmutu-ludii"]
        batch, rows = closed(ruleset, 3, until="round")
        found = (batch.summary or {})["repetition"]
        most = [plainly(ruleset, batch.seed, game, int(rows[game, 2])) for game in range(3)]
        assert (found["games"], found["longest"]) == (3, max(most))

    def test_throws_and_own_rules_are_not_looked_at(self) -> None:
        own = with_changes(RULESETS["dam-dlp"], {"repetition": "3"})
        for ruleset in (RULESETS["saturankam-dlp"], RULESETS["oware-reference"], own):
            batch = Batch(players="random,random", games=4, cap=20, until="game", seed=1, rows_kept=True)
            assert repetition(batch, ruleset) == {}


@pytest.mark.parametrize(
    ("games", "price", "turns", "number"),
    [
        (20_000, 80.0, 400, 61),  # 0.5 s, each game 8.08 ms
        (2_000, 80.0, 400, 24),  # 0.2 s
        (400, 80.0, 400, 20),
        (8, 80.0, 400, 8),
        (400, 200_000.0, 200, 2),  # of 0.204 s each: as many as half a second allows
        (93, 4_000_000.0, 200, 0),
        (100_000, 2.0, 30, 830),  # of 0.602 ms each
    ],
)
def test_as_many_games_as_are_worth_their_time(
    games: int, price: float, turns: int, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "game_price", lambda *_: price)
    batch = Batch(players="random,random", games=games, cap=2_000)
    assert looking._number(batch, RULESETS[TIGER], [turns] * min(games, looking.MOST_GAMES)) == number


ROWS = np.array([[1, 2, 3], [1, 2, 4], [1, 2, 3], [-1, 2, 3], [1, 2, 4]], dtype=np.int32)


def test_rows_that_differ_in_any_column_are_counted_once():
    assert variety([ROWS]) == {"games": 5, "different": 3}


def test_however_they_are_parted():
    assert variety([ROWS[:2], ROWS[2:]]) == variety([ROWS])


def test_nothing_is_said_where_no_rows_are_kept():
    assert variety([]) == {}
    assert few_kinds({}, "greedy,greedy") == few_kinds(None, "greedy,greedy") == ""


@pytest.mark.parametrize(
    ("games", "different", "words"),
    [
        (2400, 2, "only 2 different games"),
        (93, 1, "only one game"),
        (93, 46, "only 46 different games"),
        (93, 47, ""),
        (2400, FEW, ""),
        (1, 1, ""),
    ],
)
def test_it_is_told_where_games_are_of_few_kinds(games, different, words):
    summary = {VARIETY: {"games": games, "different": different}}
    assert few_kinds(summary, "greedy,greedy") == words
    assert few_kinds(summary, "random,random") == few_kinds(summary, "greedy,random") == ""


def test_games_of_one_kind_may_differ_in_their_moves():
    """Otherwise the pages would tell of the same game again."""
    niranchy, club = RULESETS["niranchy-ludovisi"], "uct:100/4"
    assert variety([play_block(niranchy, (club, club), 1, 0, 10, 2_000, "game")])["different"] < 5
    played = [replay_game(niranchy, game, seed=1, players=club) for game in range(10)]
    assert len({tuple(ply.move for turn in one.turns for ply in turn.plies) for one in played}) == 10


def test_greedy_players_of_kalah_play_two_kinds_of_games():
    kalah = RULESETS["kalah-reference"]
    counted = [variety([play_block(kalah, (one, one), 1, 0, 200, 2_000, "game")]) for one in ("greedy", "random")]
    assert counted == [{"games": 200, "different": 2}, {"games": 200, "different": 200}]


def test_it_stands_behind_the_figures():
    summary = {"counts": {"unfinished": 0}, "games": 93, "sections": [], VARIETY: {"games": 93, "different": 2}}
    [row] = measurements_of(summary)
    assert (row["place"], row["measure"], row["value"], row["n"], row["low"]) == (0, DIFFERENT, 2, 93, None)
