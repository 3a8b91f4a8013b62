"""A replay tells the game the kernel plays: the same row, every move by its name, every rule that fired."""

import json
from importlib import import_module
from itertools import pairwise

import pytest
from django.core.management import CommandError, call_command

from simulator.engine import playout, referee_playout
from simulator.engine.board_sheet import insides, words
from simulator.engine.documents import parse, with_changes
from simulator.engine.families.sowing import notation
from simulator.engine.families.sowing import position as code
from simulator.engine.family import family
from simulator.engine.replay import (
    SLICE,
    Replay,
    TooLong,
    as_document,
    as_text,
    board_after,
    end_text,
    fired,
    replay,
    replay_beginning,
    rules_text,
    slice_number,
    slice_of,
    slices,
)
from tests.choice import rulesets_of_the_day
from tests.engine.rulesets import RULESETS, SOWING

SEED, CAP = 3, 200


CHOSEN = rulesets_of_the_day(RULESETS, 3)
# Only sowing games have rounds: in the other families the first round is the game.
PLAYED = [(name, "game") for name in CHOSEN] + [(name, "round") for name in CHOSEN if name in SOWING]


@pytest.mark.parametrize(("name", "until"), PLAYED)
def test_the_row_is_the_kernels(name, until):
    players = ("random",) * family(RULESETS[name].family).seats(RULESETS[name].parameters)
    rows = playout.play_block(RULESETS[name], players, SEED, 0, 2, CAP, until)
    for game in range(2):
        replayed = replay(RULESETS[name], SEED, game, CAP, until)
        assert list(replayed.row.values()) == rows[game].tolist()
        assert [turn.number for turn in replayed.turns] == list(range(1, replayed.row["turns"] + 1))


@pytest.mark.parametrize("name", CHOSEN)
def test_no_two_moves_of_a_position_have_one_name(name):
    ruleset = RULESETS[name]
    home = f"simulator.engine.families.{ruleset.family}"
    referee, notation = import_module(f"{home}.referee.contract"), import_module(f"{home}.notation")
    for game in range(2):
        for number, ply in enumerate(referee_playout.plies(ruleset, SEED, game)):
            moves = referee.moves(ruleset.parameters, ply.before)
            names = {notation.move_name(ruleset.parameters, ply.before, move) for move in moves}
            assert len(names) == len(moves)
            if number > CAP:
                break


def laying(counters: int) -> code.Position:
    """Between two rounds: the first player is short and about to lay out."""
    return code.Position(7, [0] * 7 + [4] * 7, [code.ORDINARY] * 14, phase=code.LAY, stores=[counters, 28 - counters])


@pytest.mark.parametrize(
    ("counters", "move", "name"),
    [
        (18, code.LAYOUT, "left 4-4-4-4-2-0-0"),
        (18, code.LAYOUT + code.LAYOUT_END, "right 4-4-4-4-2-0-0"),
        # The nine counters of the quotation, "2-2-2-2-0-0-1": four holes of twos are four bits 1 below a leading 1.
        (9, code.LAYOUT + 0b11111, "left twos 2-2-2-2-0-0-1"),
        (9, code.LAYOUT + code.LAYOUT_END + 0b1111, "right twos 2-2-2-0-0-0-3"),
        (9, code.LAYOUT + 0b1000000, "left ones 1-1-1-1-1-1-3"),
        (9, code.LAYOUT + 0b100101, "left ones and twos 2-1-2-1-1-0-2"),
    ],
)
def test_layouts_are_named_by_counters_from_the_chosen_end(counters, move, name):
    rules = RULESETS["puhulmutu-parker"].parameters
    assert notation.move_name(rules, laying(counters), move) == name


def test_holes_have_letters_from_their_owners_left():
    position = laying(9)
    assert [notation.hole_name(position, hole) for hole in (0, 6, 7, 13)] == ["1a", "1g", "2a", "2g"]
    rules = RULESETS["puhulmutu-parker"].parameters
    assert [notation.move_name(rules, position, move) for move in (0, 1, 12, 13)] == ["a>", "a<", "g>", "g<"]


def test_a_board_shows_every_kind_of_mark_without_colour():
    marks = [code.ORDINARY, code.BLIND, code.BARRED, code.TIED + 1, code.PALM + 1, code.ORDINARY]
    position = code.Position(3, [4, 0, 2, 5, 3, 6], marks, stores=[7, 9])
    assert list(notation.board_lines(position)) == [
        "    c    b    a",
        "    6  |3|  [5]   store 9 (second player)",
        "    4    x  (2)   store 7 (first player)",
        "    a    b    c",
        "marks: 1b blind, 1c barred, the first player's, 2a tied, the second player's, 2b covered, the second player's",
    ]


def test_a_turn_is_told_with_the_rules_that_fired():
    replayed = replay(RULESETS["puhulmutu-ludii"], SEED, 0, 1, "game")
    (turn,) = replayed.turns
    (ply,) = turn.plies
    laps = [event for event in ply.played.events if event.kind == "lap"]
    assert len(laps) == replayed.row["laps"]
    text = list(as_text(replayed))
    name = notation.move_name(RULESETS["puhulmutu-ludii"].parameters, ply.before, ply.move)
    assert f"Turn 1, first player: {name}   (one of 14 moves)" in text
    assert f"  4 sown from {notation.hole_name(ply.before, laps[0].hole)}" in text


@pytest.mark.parametrize("name", CHOSEN)
def test_rules_that_fired_are_set_and_captures_name_one(name):
    replayed = replay(RULESETS[name], SEED, 1, CAP, "game")
    captures = 0
    for ply in (ply for turn in replayed.turns for ply in turn.plies):
        for event in ply.played.events:
            keys = fired(replayed.ruleset, event.keys)
            assert set(keys) <= set(replayed.ruleset.document)
            if event.kind in ("capture", "removal", "sent_back"):
                assert keys
                captures += 1
    # Pieces are taken one by one; holes that are emptied and pieces sent back in pairs are counted otherwise.
    taken = [replayed.row[column] for column in ("taken_0", "taken_1") if column in replayed.row]
    others = [number for column, number in replayed.row.items() if column.startswith(("captures_", "sent_back_"))]
    assert captures == sum(taken) if taken else bool(captures) == any(others)


@pytest.mark.parametrize(
    ("changes", "move", "sentences"),
    [
        (
            {"loan": "borrow", "loan_when": "each_turn"},
            "borrow",
            ["borrows one counter from each of the last two holes of the other row", "back to 1f", "back to 1g"],
        ),
        ({"loan": "shift"}, "shift 1", ["moves 1 on to 2g"]),
    ],
)
def test_cutting_ash_pumpkins_is_told(changes, move, sentences):
    """Sown anticlockwise, the last hole of a row is its g, and the one before it f."""
    ruleset = with_changes(RULESETS["puhulmutu-parker"], changes)
    replayed = (replay(ruleset, SEED, game, 400, "game") for game in range(20))
    for turn in (turn for game in replayed for turn in game.turns):
        names = [notation.move_name(ruleset.parameters, ply.before, ply.move) for ply in turn.plies]
        if move in names and turn.plies[-1].before.direction == 1:
            loans = [event.sentence for ply in turn.plies for event in notation.describe(ply) if event.kind == "loan"]
            assert [loan.endswith(end) for loan, end in zip(loans, sentences, strict=True)] == [True] * len(sentences)
            return
    pytest.fail("no loan was met")


def test_a_long_relay_is_cut_short_in_text_only():
    """Four counters in four holes soon relay for ever from the next hole; the bound of 50 laps ends it."""
    ruleset = parse({"family": "sowing", "holes_per_row": 2, "counters_per_hole": 1, "relay": "next", "lap_limit": 50})
    replayed = replay(ruleset, SEED, 0, CAP, "game")
    laps = [event for ply in replayed.turns[-1].plies for event in ply.played.events if event.kind == "lap"]
    lines = list(as_text(replayed))
    last = lines[max(number for number, line in enumerate(lines) if line.startswith("Turn ")) :]
    shown = [line for line in last if " sown from " in line or "laps more" in line]
    assert (replayed.end, len(laps)) == ("endless", 50)
    assert shown[-1] == "  … and 38 laps more"
    assert len(shown) == 13


@pytest.mark.django_db
def test_the_command_tells_game_and_request(capsys):
    call_command("replay", "oware-reference", "--seed", "5", "--game", "2", "--json")
    replayed = json.loads(capsys.readouterr().out)
    assert (replayed["ruleset"], replayed["seed"], replayed["game"]) == ("oware-reference", 5, 2)
    row = playout.play_block(RULESETS["oware-reference"], ("random",) * 2, 5, 2, 1, 2000, "game")[0]
    assert list(replayed["row"].values()) == row.tolist()
    assert len(replayed["turns"]) == replayed["row"]["turns"]
    last = replayed["turns"][-1]["plies"][-1]
    assert [event["kind"] for event in last["events"]][-1] == "game_end"
    assert last["position"]["stores"][replayed["winners"][0]] > 24


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("daramuti-parkr",), "daramuti-parker"),
        (("daramuti-parker", "--game", "-1"), "game: must be a whole number from 0 to 99999999, not -1 .*: 0"),
        (("daramuti-parker", "--seed", "x"), "seed: must be a whole number, not 'x'"),
        (("daramuti-parker", "--until", "rounds"), "until: .*round"),
    ],
)
def test_a_wrong_request_names_the_nearest_valid_value(words, message):
    with pytest.raises(CommandError, match=message) as caught:
        call_command("replay", *words)
    assert caught.value.returncode == 2


@pytest.mark.by_turns
@pytest.mark.parametrize("name", ["puhulmutu-parker", "daramuti-dlp", "kotu-baendum-parker"])
def test_ownership_is_given_only_when_a_round_ends(name):
    rules = RULESETS[name].parameters
    played = replay(RULESETS[name], SEED, 0, 2_000, "game")
    owned_after = [ply["owned"] for turn in as_document(played)["turns"] for ply in turn["plies"]]
    ended = [owned for owned in owned_after if owned is not None]
    assert len(ended) == played.row["rounds"] - (played.end == "unfinished") > 0
    assert {sum(owned) for owned in ended} == {2 * rules["holes_per_row"] * rules["counters_per_hole"]}


LONG = {"daramuti-parker": 3, "dam-parker": 0, "sokkattan-dlp": 1, "diviyan-keliya-parker": 0}


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", rulesets_of_the_day(LONG, 1))
def test_the_boards_of_a_slice_are_the_drawings_of_its_turns(slug):
    ruleset = RULESETS[slug]
    replayed = replay(ruleset, 1, LONG[slug], 120, "game")
    part = slice_of(replayed, 1)
    assert (part["first"], len(part["turns"])) == (SLICE + 1, SLICE)
    places = import_module(f"simulator.engine.families.{ruleset.family}.drawing")
    for number in (SLICE, SLICE + 1, SLICE + 2, SLICE + 37, 2 * SLICE):
        turn = replayed.turns[number - 1]
        touched = {name for ply in turn.plies for name in places.touched(ruleset.parameters, ply)}
        position = turn.plies[-1].played.position
        drawn = family(ruleset.family).draw(ruleset, position, f"The board after turn {number}", touched)
        assert board_after(part, number) == drawn


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", rulesets_of_the_day(LONG, 1))
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


@pytest.mark.parametrize(
    ("end", "winners", "game", "first_round"),
    [
        (1, 0, "draw after 16 turns", "the first round ended equal after 16 turns"),
        (0, 1, "win after 16 turns, first player", "the first round ended after 16 turns: the first player owned more"),
        (3, 0, "unfinished after 16 turns", "the first round is unfinished after 16 turns"),
    ],
)
def test_a_first_round_is_neither_drawn_nor_won(end, winners, game, first_round):
    row = {"end": end, "winners": winners, "turns": 16}
    assert end_text(Replay(RULESETS["walak-pussa-ludii"], (), row)) == game
    assert end_text(Replay(RULESETS["walak-pussa-ludii"], (), row, "round")) == first_round


def test_an_equal_first_round_is_told_without_a_draw():
    """The last lines of a round after which play goes on: “Equal numbers are no draw; the next round is laid out.”"""
    ruleset = RULESETS["walak-pussa-ludii"]
    rows = playout.play_block(ruleset, ("random", "random"), 1, 0, 200, 2_000, "round")
    game = next(place for place, row in enumerate(rows.tolist()) if row[0] == 1)
    *_, last = as_text(replay(ruleset, 1, game, 2_000, "round"))
    assert last == f"the first round ended equal after {rows[game, 2]} turns"
