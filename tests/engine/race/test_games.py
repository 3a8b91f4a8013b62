"""Whole games of every race ruleset between random players: nothing is lost, every move is what it says, games end."""

from itertools import islice

import pytest

from simulator.engine import referee_playout, replay
from simulator.engine.boards.tracks import board_of
from simulator.engine.documents import with_changes
from simulator.engine.ends import WIN
from simulator.engine.families.race import notation
from simulator.engine.families.race.drawing import draw, draw_start
from simulator.engine.families.race.position import HAND, MOST_MOVES, SEATS, W_PIECES, side
from simulator.engine.families.race.referee.contract import moves
from simulator.engine.families.race.referee.way import course, opponents_on
from simulator.engine.family import family
from tests.choice import rulesets_of_the_day
from tests.engine.race.positions import CASES, SOME_CASES
from tests.engine.rulesets import RACES


def game(name, number=0, plies=400):
    return list(islice(referee_playout.plies(CASES[name], 1898, number), plies))


@pytest.fixture(scope="module", params=SOME_CASES)
def played(request):
    """The rules of a case and its game, played once for the tests that look at it, one case after the other."""
    return CASES[request.param].parameters, game(request.param)


def test_pieces_are_struck_from_unsafe_squares_and_never_lost(played):
    """After every ply each seat has all its pieces; whoever went back stood where the mover landed or passed."""
    rules, plies = played
    way = course(rules)
    for ply in plies:
        after = ply.played.position
        assert [len(row) for row in after.pieces] == [rules["pieces"]] * rules["seats"]
        assert all(0 <= step <= way.home for row in after.pieces for step in row)
        back = [before.count(0) - row.count(0) for before, row in zip(ply.before.pieces, after.pieces, strict=True)]
        others = [seat for seat in range(rules["seats"]) if side(rules, seat) != side(rules, ply.seat)]
        gone = way.home if rules["taking"] else 0
        struck = sum(after.pieces[seat].count(gone) - ply.before.pieces[seat].count(gone) for seat in others)
        assert struck == ply.played.sent_back
        returned = sum(event.number for event in ply.played.events if event.kind == "returned")
        assert back[ply.seat] == ply.played.entries - returned
        for event in ply.played.events:
            if event.kind == "sent_back":
                assert event.seat in others
                assert event.square not in way.does.safe


def test_two_sides_share_only_safe_squares(played):
    """Where landing sends back, no plain square ever holds pieces of two sides."""
    rules, plies = played
    way = course(rules)
    for ply in plies if rules["sends_back"] != "off" else ():
        after = ply.played.position.copy()
        for seat, row in enumerate(after.pieces):
            after.mover = seat
            for step in row:
                if 0 < step < way.home and opponents_on(rules, after, way, step):
                    assert way.tracks[seat][step] in way.does.safe


def test_moves_have_names_of_their_own_and_fit_the_kernels_room(played):
    rules, plies = played
    for ply in plies[:200]:
        found = moves(rules, ply.before)
        assert len(set(found)) == len(found) <= MOST_MOVES
        assert len({notation.move_name(rules, ply.before, move) for move in found}) == len(found)
        words = ply.before.words()
        assert len(words) == W_PIECES + rules["seats"] * rules["pieces"]
        assert W_PIECES == 11 + HAND + SEATS


def test_a_piece_goes_as_far_as_its_part_says(played):
    """The steps a move adds are the number it names; what is struck only loses steps."""
    rules, plies = played
    for ply in plies[:200]:
        gained = sum(ply.played.position.pieces[ply.seat]) - sum(ply.before.pieces[ply.seat])
        replayed = sum(event.number for event in ply.played.events if event.kind == "move")
        if not ply.played.entries and not rules["overshoot"] and not rules["taking"]:
            assert gained == replayed


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", rulesets_of_the_day(RACES, 6))
def test_games_end_by_a_win(slug):
    """No shipped reading is endless between random players: three games each end by a win within 2,000 turns."""
    for number in range(3):
        row = dict(
            zip(
                [measure.name for measure in family("race").measures],
                referee_playout.row(RACES[slug], 5, number, 2000, "game"),
                strict=True,
            )
        )
        pieces = RACES[slug].parameters["pieces"]
        winners = [seat for seat in range(4) if row["winners"] >> seat & 1]
        assert row["end"] == WIN
        assert len(winners) == (2 if RACES[slug].parameters["teams"] == "opposite" else 1)
        assert all(row[f"home_{seat}"] == pieces for seat in winners)
        assert row["turns"] > row["lead_changes"]


def test_what_a_row_counts():
    """Waiting, the lead and the pieces sent back, counted again from the plies of one game."""
    ruleset = RACES["sokkattan-parker"]
    plies = list(referee_playout.plies(ruleset, 2, 9))
    row = replay.replay(ruleset, 2, 9, 2000, "game").row
    turns = [ply for ply in plies if ply.played.turn_over]
    for seat in range(4):
        own = [any(ply.played.position.pieces[seat]) for ply in turns if ply.seat == seat]
        assert row[f"wait_{seat}"] == own.index(True) + 1
        assert row[f"sent_back_{seat}"] == sum(ply.played.sent_back for ply in plies if ply.seat == seat)
    leaders = []
    for ply in turns:
        ranked = sorted(((sum(steps), seat) for seat, steps in enumerate(ply.played.position.pieces)), reverse=True)
        if ranked[0][0] > ranked[1][0] and ranked[0][1] not in leaders[-1:]:
            leaders.append(ranked[0][1])
    assert row["lead_changes"] == len(leaders) - 1 > 3
    assert row["turns"] == len(turns)
    assert row["passes"] == move_names(ruleset, plies).count("pass") > 10


def move_names(ruleset, plies):
    return [notation.move_name(ruleset.parameters, ply.before, ply.move) for ply in plies]


def test_a_game_is_the_same_when_played_again():
    rows = [referee_playout.row(RACES["asi-keliya-dlp"], 5, 3, 200, "game") for _ in range(2)]
    assert rows[0] == rows[1]
    assert rows[0] != referee_playout.row(RACES["asi-keliya-dlp"], 6, 3, 200, "game")


def test_the_throws_are_the_same_whatever_the_choices():
    """Chance streams and choice streams are apart: the first player's first throws do not depend on choices."""
    first = game("kawade-kelia-dlp", 4, 1)[0]
    other = next(referee_playout.plies(with_changes(RACES["kawade-kelia-dlp"], {"overshoot": "true"}), 1898, 4))
    assert first.before.hand == other.before.hand


@pytest.mark.parametrize("name", SOME_CASES)
def test_a_game_is_told_and_drawn(name):
    """A replay gives a sentence to every event, and every square of the board is in the drawing."""
    replayed = replay.replay(CASES[name], 3, 0, 40, "game")
    text = "\n".join(replay.as_text(replayed))
    assert "throws" in text
    assert "{" not in text
    document = replay.as_document(replayed)
    assert len(document["turns"]) == replayed.row["turns"]
    events = [event for turn in document["turns"] for ply in turn["plies"] for event in ply["events"]]
    assert {"throw", "pass", "move", "entry"} & {event["kind"] for event in events}
    squares = len(board_of(CASES[name].parameters).squares)
    last = replayed.turns[-1].plies[-1].played.position
    for svg in (draw_start(CASES[name]), draw(CASES[name], last, "A & B")):
        assert svg.count('<rect class="spot cell"') == squares
        assert "first player circle, second player square" in svg
    assert "A &amp; B" in svg
