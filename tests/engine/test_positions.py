"""Counting positions: the compiled walk against the plain referee's, and against counts made by hand."""

import json
from importlib import import_module

import pytest
from django.core.management import CommandError, call_command

from simulator.engine import playout
from simulator.engine.documents import parse
from simulator.engine.playout import TooManyPositions, count_positions
from simulator.engine.ruleset import Ruleset
from tests.choice import rulesets_of_the_day
from tests.engine.rulesets import RULESETS

WITHOUT_THROWS = [name for name, ruleset in RULESETS.items() if ruleset.family != "race"]
MOST_LISTED = {"sowing": 200, "points": 70}  # the referee walks as long as no more than this are to be played on


def listed(ruleset: Ruleset) -> list[tuple[int, int, int]]:
    """(turn, positions, ended) by a breadth-first walk in plain Python."""
    rules = ruleset.parameters
    referee = import_module(f"simulator.engine.families.{ruleset.family}.referee.contract")
    running = {referee.start(rules).words(): referee.start(rules)}
    found = []
    while 0 < len(running) <= MOST_LISTED[ruleset.family]:
        after = {}
        waiting = list(running.values())
        for position in waiting:
            moves = referee.moves(rules, position)
            for move in moves:
                played = referee.play(rules, position, move, legal=moves)
                if played.turn_over:
                    after.setdefault(played.position.words(), played.position)
                else:
                    waiting.append(played.position)
        running = {words: position for words, position in after.items() if position.end < 0}
        found.append((len(found) + 1, len(after), len(after) - len(running)))
    return found


def counted(ruleset: Ruleset, turns: int) -> list[tuple[int, int, int]]:
    return [(count.turn, count.positions, count.ended) for count in count_positions(ruleset, turns)]


@pytest.mark.by_turns
@pytest.mark.parametrize(
    "name", rulesets_of_the_day(name for name, ruleset in RULESETS.items() if ruleset.family != "race")
)
def test_the_compiled_walk_finds_what_the_referee_finds(name):
    expected = listed(RULESETS[name])
    assert len(expected) >= 2
    assert counted(RULESETS[name], len(expected)) == expected


def test_puhulmutu_has_the_positions_that_ludii_has():
    """Five turns of the programme (1.3.12), counted there; 1598 and 6116 where unfilled holes are skipped."""
    assert [positions for _, positions, _ in counted(RULESETS["puhulmutu-ludii"], 5)] == [14, 80, 390, 1600, 6148]


@pytest.mark.parametrize(
    ("name", "first_turn"),
    [
        ("puhulmutu-ludii", 14),  # seven holes, two directions, and every start leads elsewhere
        ("walak-pussa-ludii", 14),
        ("daramuti-ludii", 14),
        ("kotu-baendum-ludii", 4),  # two end holes, two directions
        ("mawkar-katiya-ludii", 7),  # seven holes, one direction
        ("oware-reference", 6),
        # c's four counters end in the store, and the mover goes on from a, b, d, e or f: now 4, 4, 5, 5 and 5 counters,
        # of which none ends in the store again. Those five, and the five turns of a, b, d, e or f alone.
        ("kalah-reference", 10),
    ],
)
def test_the_first_turn_is_as_counted_by_hand(name, first_turn):
    assert counted(RULESETS[name], 1) == [(1, first_turn, 0)]


def test_the_smallest_game_is_counted_by_hand():
    """Two holes of one counter each, anticlockwise, no capture.

    1 1 / 1 1: a> gives 0 2 / 1 1, b> gives 1 0 / 2 1 (second player's row from his left). After 0 2 / 1 1: a> gives
    0 2 / 0 2, b> 1 2 / 1 0. After 1 0 / 2 1: a> (one counter falls into his b, one into 1a) 2 0 / 0 2, b> 2 0 / 2 0.
    """
    ruleset = parse({"family": "sowing", "holes_per_row": 2, "counters_per_hole": 1})
    assert counted(ruleset, 2) == [(1, 2, 0), (2, 4, 0)]


def test_when_every_game_has_ended_nothing_is_left():
    ruleset = parse({"family": "sowing", "holes_per_row": 2, "counters_per_hole": 1, "store_sown": True})
    counts = counted(ruleset, 60)
    assert listed(ruleset) == counts[: len(listed(ruleset))]
    assert counts[-1] == (60, 0, 0)


def test_rooms_of_any_size_give_the_same_counts(monkeypatch):
    whole = counted(RULESETS["puhulmutu-ludii"], 6)
    monkeypatch.setattr(playout, "ROOM_BYTES", 1)
    monkeypatch.setattr(playout, "MOST_BYTES", 10 * 2**20)
    assert counted(RULESETS["puhulmutu-ludii"], 6) == whole


def test_a_count_that_would_not_fit_is_refused_at_its_turn(monkeypatch):
    monkeypatch.setattr(playout, "MOST_BYTES", 2**20)
    counts = count_positions(RULESETS["puhulmutu-ludii"], 9)
    with pytest.raises(TooManyPositions, match="after turn 5 need more than 1 MB"):
        list(counts)


@pytest.mark.django_db
def test_the_command_prints_one_document(capsys):
    call_command("positions", "kotu-baendum-ludii", "--turns", "2", "--json")
    assert json.loads(capsys.readouterr().out) == {
        "ruleset": "kotu-baendum-ludii",
        "turns": [{"turn": 1, "positions": 4, "ended": 0}, {"turn": 2, "positions": 8, "ended": 0}],
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("kotu-baendum-ludi", "--turns", "2"), "kotu-baendum-ludii"),
        (("kotu-baendum-ludii", "--turns", "0"), "turns: must be a whole number from 1 to 1000, not 0 .*: 1"),
        (("kotu-baendum-ludii", "--turns", "two"), "turns: must be a whole number, not 'two'"),
        (("kotu-baendum-ludii", "--turns", "2", "--set", "holes_per_raw=6"), "holes_per_row"),
        (("puhulmutu-ludii", "--turns", "60"), "after turn 4 need more .*nearest valid value: 3"),
    ],
)
def test_a_wrong_request_is_named_with_the_nearest_valid_value(words, message, monkeypatch):
    monkeypatch.setattr(playout, "MOST_BYTES", 200_000)
    with pytest.raises(CommandError, match=message) as caught:
        call_command("positions", *words)
    assert caught.value.returncode == 2


@pytest.mark.django_db
def test_positions_of_a_game_with_throws_are_refused() -> None:
    with pytest.raises(CommandError, match=r"ruleset: .*decided by throws") as refused:
        call_command("positions", "sokkattan-parker", turns="2")
    assert refused.value.returncode == 2
