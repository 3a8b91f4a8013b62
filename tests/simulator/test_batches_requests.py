"""What may be asked for: every mistake is named with the nearest valid value, and nothing is written."""

from dataclasses import replace
from datetime import timedelta
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from simulator.batches import queueing
from simulator.batches.requests import check_request, has_rounds
from simulator.batches.service import request_batch, stop_batch
from simulator.engine import shipped
from simulator.engine.family import COMMON_MEASURES, family
from simulator.engine.ruleset import Problem
from simulator.models import Batch, Chunk, Ruleset
from simulator.problems import QueueFull, WrongRequest

pytestmark = pytest.mark.django_db
ADDRESS = "192.0.2.1"


def nearest(**wanted) -> dict:
    problems = refusal(**wanted).problems
    assert not Ruleset.objects.exists()
    assert not Batch.objects.exists()
    assert not Chunk.objects.exists()
    assert all(isinstance(problem, Problem) for problem in problems)
    return {problem.key: problem.nearest for problem in problems}


def refusal(**wanted) -> WrongRequest:
    with pytest.raises(WrongRequest) as caught:
        request_batch(wanted.pop("ruleset", "kalah-reference"), announce=False, **wanted)
    return caught.value


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"games": 0}, {"games": 1}),
        ({"games": -5}, {"games": 1}),
        ({"games": 10**30}, {"games": 100_000_000}),
        ({"games": "many"}, {"games": 1}),
        ({"games": "2.6"}, {"games": 3}),
        ({"games": True}, {"games": 1}),
        ({"games": ""}, {"games": 1}),
        ({"games": "nan"}, {"games": 1}),
        ({"games": "1e9"}, {"games": 100_000_000}),
        ({"seed": -1}, {"seed": 0}),
        ({"seed": 2**53}, {"seed": 2**53 - 1}),
        ({"cap": 0}, {"cap": 1}),
        ({"cap": 100_001}, {"cap": 100_000}),
        ({"until": "rounds"}, {"until": "round"}),
        ({"ruleset": "kalah-referense"}, {"ruleset": "kalah-reference"}),
        ({"ruleset": "puhulmutu-parker@2"}, {"ruleset": "puhulmutu-parker"}),
        ({"games": 0, "cap": 0, "ruleset": "owari-reference"}, {"games": 1, "cap": 1, "ruleset": "oware-reference"}),
    ],
)
def test_what_is_wrong_is_named_with_the_nearest_valid_value(wanted, expected):
    assert nearest(**wanted) == expected


def test_an_unknown_player_is_named_with_the_nearest_one():
    with pytest.raises(WrongRequest, match=r"'randm'.*'random'"):
        request_batch("kalah-reference", announce=False, players="randm")
    assert not Batch.objects.exists()


def test_a_change_of_an_unknown_parameter_names_the_nearest():
    with pytest.raises(WrongRequest) as caught:
        check_request("kalah-reference", changes={"counters_per_hol": "3"})
    assert [problem.nearest for problem in caught.value.problems] == ["counters_per_hole"]


def test_games_without_rounds_are_played_to_their_end_only():
    family_without = replace(family("sowing"), title="Race games", measures=COMMON_MEASURES)
    assert has_rounds(family("sowing"))
    assert not has_rounds(family_without)
    with mock.patch("simulator.batches.requests.family", return_value=family_without):
        assert nearest(until="round") == {"until": "game"}
        assert "race games have no rounds" in str(refusal(until="round"))


def test_numbers_may_come_as_typed():
    typed = check_request("kalah-reference", games=" 12 ", seed="3", cap="40", players="random")
    assert typed == check_request("kalah-reference", games=12, seed=3, cap=40, players="random,random")


@pytest.mark.parametrize(
    "words",
    [("kalah-reference", "--games", "0"), ("kalah", "--games", "5"), ("kalah-reference", "--set", "holes_per_row")],
)
def test_a_wrong_command_exits_2_and_writes_nothing(words):
    with pytest.raises(CommandError) as caught:
        call_command("simulate", *words, "--inline")
    assert caught.value.returncode == 2
    assert not Batch.objects.exists()


WORK = check_request(shipped.load("kalah-reference"), games=1_000, cap=1_000).work  # of one visit


def visit(seed: int, games: int = 1_000, address: str = ADDRESS) -> Batch:
    return request_batch(
        "kalah-reference",
        announce=False,
        games=games,
        seed=seed,
        cap=1_000,
        origin=Batch.Origin.VISITOR,
        visitor=address,
    )


def test_a_visitor_may_ask_for_so_much_work_an_hour(settings):
    settings.VISITOR_WORK_PER_HOUR = 3 * WORK
    made = [visit(seed) for seed in (1, 2, 3)]
    with pytest.raises(QueueFull, match="one address") as caught:
        visit(4)
    assert 3_500 < caught.value.retry_after <= 3_601
    assert Batch.objects.count() == 3
    assert visit(1) == made[0]  # asked for before: no new work
    assert visit(4, address="192.0.2.2")
    Batch.objects.filter(id=made[0].id).update(created=timezone.now() - timedelta(hours=1, seconds=1))
    assert visit(5)


def test_all_visitors_together_may_keep_so_much_waiting(settings):
    settings.VISITOR_WORK_QUEUED = 2 * WORK
    first = visit(1)
    visit(2, address="192.0.2.2")
    with pytest.raises(QueueFull, match="queue"):
        visit(3, address="192.0.2.3")
    stop_batch(first)
    assert visit(3, address="192.0.2.3")


def test_refusal_of_a_visitor_names_the_largest_batch(settings):
    settings.VISITOR_WORK_PER_HOUR = check_request(shipped.load("kalah-reference"), games=3_000, cap=1_000).work
    with pytest.raises(WrongRequest) as caught:
        visit(1, games=3_001)
    assert [(problem.key, problem.nearest) for problem in caught.value.problems] == [("games", 3_000)]
    assert queueing.most_games(shipped.load("kalah-reference"), 1_000) == 3_000
    assert visit(1, games=3_000)


def test_a_visitors_address_is_not_kept():
    batch = visit(1)
    assert ADDRESS not in str(Batch.objects.values().get(id=batch.id))
    assert batch.visitor == queueing.hash_address(ADDRESS) != queueing.hash_address("192.0.2.2")
