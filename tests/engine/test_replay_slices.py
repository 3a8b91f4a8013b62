"""A game in slices is the game: a slice begins where the one before ended, a board is the drawing of its turn."""

from importlib import import_module
from itertools import pairwise

import pytest

from simulator.engine.board_sheet import insides, words
from simulator.engine.family import family
from simulator.engine.replay import (
    SLICE,
    TooLong,
    as_document,
    as_text,
    board_after,
    replay,
    replay_beginning,
    rules_text,
    slice_number,
    slice_of,
    slices,
)
from tests.engine.rulesets import RULESETS

LONG = {"daramuti-parker": 3, "dam-parker": 0, "sokkattan-dlp": 1, "diviyan-keliya-parker": 0}


@pytest.mark.parametrize("slug", LONG)
def test_the_boards_of_a_slice_are_the_drawings_of_its_turns(slug):
    ruleset = RULESETS[slug]
    replayed = replay(ruleset, 1, LONG[slug], 120, "game")
    part = slice_of(replayed, 1)
    assert (part["first"], len(part["turns"])) == (SLICE + 1, SLICE)
    places = import_module(f"simulator.engine.families.{ruleset.family}.places")
    for number in (SLICE, SLICE + 1, SLICE + 2, SLICE + 37, 2 * SLICE):
        turn = replayed.turns[number - 1]
        touched = {name for ply in turn.plies for name in places.touched(ruleset.parameters, ply)}
        position = turn.plies[-1].played.position
        drawn = family(ruleset.family).draw(ruleset, position, f"The board after turn {number}", touched)
        assert board_after(part, number) == drawn


@pytest.mark.parametrize("slug", LONG)
def test_slices_follow_one_another_and_hold_every_turn(slug):
    replayed = replay(RULESETS[slug], 1, LONG[slug], 120, "game")
    parts = slices(replayed)
    assert [part["first"] for part in parts] == [1, SLICE + 1, 2 * SLICE + 1]
    for before, after in pairwise(parts):
        assert board_after(before, after["first"] - 1) == after["board"]
    turns = [turn for part in parts for turn in part["turns"]]
    text = [line for turn in turns for line in turn["text"]]
    rules = len(list(rules_text(replayed.ruleset)))
    assert text == [line for line in as_text(replayed) if line][rules:-1]
    bare = [{key: turn[key] for key in ("turn", "seat", "plies")} for turn in turns]
    assert bare == as_document(replayed)["turns"]
    assert [slice_number(turn) for turn in (0, 1, SLICE, SLICE + 1, 120)] == [0, 0, 0, 1, 2]


def test_a_turn_has_only_the_places_that_changed():
    """First turn of Oware: a hole is emptied and the next ones gain a counter each, so five places change at most."""
    replayed = replay(RULESETS["oware-reference"], 1, 0, 10, "game")
    part = slice_of(replayed, 0)
    changed = part["turns"][0]["board"]["places"]
    start = insides(part["board"])
    assert len(changed) == 5
    emptied = [name for name, inside in changed.items() if ">0</text>" in inside]
    assert len(emptied) == 1
    assert all(">5</text>" in changed[name] and ">4</text>" in start[name] for name in changed if name not in emptied)
    assert words(part["board"])[0] == "The board before the first move"


def test_a_game_is_replayed_from_its_moves_or_only_begun():
    replayed = replay(RULESETS["kalah-reference"], 5, 2, 2000, "game")
    moves = [ply.move for turn in replayed.turns for ply in turn.plies]
    assert as_document(replay(RULESETS["kalah-reference"], 5, 2, 2000, "game", moves)) == as_document(replayed)
    row = list(replayed.row.values())
    beginning = replay_beginning(RULESETS["kalah-reference"], 5, 2, moves, row, 7)
    assert len(beginning.turns) == 7
    assert beginning.row == replayed.row
    with pytest.raises(TooLong):
        replay(RULESETS["kalah-reference"], 5, 2, 2000, "game", most_plies=len(moves) - 1)
    assert replay(RULESETS["kalah-reference"], 5, 2, 2000, "game", most_plies=len(moves)).row == replayed.row


def test_a_long_relay_shows_its_first_laps_only():
    """In puhulmutu some turns run through dozens of laps; sentences tell twelve, and of the others those that stand
    alone: where several follow each other they are counted. Events tell all."""
    replayed = replay(RULESETS["puhulmutu-parker"], 1, 0, 300, "game")
    plies = [ply for turn in as_document(replayed)["turns"] for ply in turn["plies"]]
    longest = max(plies, key=lambda ply: ply["laps"])
    assert longest["laps"] > 12
    kinds = [row["kind"] for row in longest["sentences"]]
    hidden = [int(row["sentence"].split()[2]) for row in longest["sentences"] if row["kind"] == "laps"]
    assert kinds.count("lap") + sum(hidden) == longest["laps"]
    assert min(hidden) > 1
    later = kinds[[number for number, kind in enumerate(kinds) if kind == "lap"][12] :]
    assert not [pair for pair in pairwise(later) if pair == ("lap", "lap")]
    assert [event["kind"] for event in longest["events"]].count("lap") == longest["laps"]
