"""Points games in writing: moves, boards, positions for programmes, and what a ply did in words."""

import json
import re
from itertools import pairwise

import pytest

from simulator.engine import narration
from simulator.engine.boards.points import BOARDS
from simulator.engine.families.points import notation
from simulator.engine.families.points.notation import _example
from simulator.engine.families.points.referee import contract
from simulator.engine.referee_playout import Ply
from simulator.engine.replay import as_document, as_text, options_text, replay, rules_text
from tests.choice import rulesets_of_the_day
from tests.engine.points.positions import move, play, position
from tests.engine.rulesets import POINTS, RULESETS

DAM = RULESETS["dam-parker"].parameters
HAT = RULESETS["hat-diviyan-keliya-ludii"].parameters
MORRIS = RULESETS["nine-mens-morris-reference"].parameters
KOTU = RULESETS["kotu-ellima-ludovisi"].parameters
PERALI = RULESETS["peralikatuma-dlp"].parameters
DIVIYAN = RULESETS["diviyan-keliya-dlp"].parameters


def sentences(rules, stand, words):
    code = move(rules, words)
    return [
        one.sentence for one in notation.describe(Ply(stand.mover, code, 2, stand, contract.play(rules, stand, code)))
    ]


@pytest.mark.parametrize("words", ["+c3", "c3-d3", "c3xe3", "xa7", "pass", "stop"])
def test_a_move_is_written_as_it_is_read(words):
    assert notation.move_name(MORRIS, position(MORRIS), move(MORRIS, words)) == words


def test_boards_with_equally_many_points_call_them_alike():
    """A position does not name its board; the number of its points is enough to name them."""
    by_size = sorted(BOARDS.values(), key=lambda board: len(board.points))
    for one, other in pairwise(by_size):
        assert len(one.points) != len(other.points) or one.points == other.points


def test_the_board_in_text():
    stand = position(MORRIS, "a1 d2", "e3 a7", hands=(7, 6))
    stand.kings[0].add(BOARDS["squares_3"].number("g7"))
    assert list(notation.board_lines(stand)) == [
        " 7  x-----------.-----------O",
        "    |           |           |",
        " 6  |   .-------.-------.   |",
        "    |   |       |       |   |",
        " 5  |   |   .---.---.   |   |",
        "    |   |   |       |   |   |",
        " 4  .---.---.       .---.---.",
        "    |   |   |       |   |   |",
        " 3  |   |   .---.---x   |   |",
        "    |   |       |       |   |",
        " 2  |   .-------o-------.   |",
        "    |           |           |",
        " 1  o-----------.-----------.",
        "    a   b   c   d   e   f   g",
        "in hand: first player 7, second player 6",
    ]


def test_the_triangle_has_its_letters_below_the_lowest_rank():
    assert list(notation.board_lines(position(HAT, "b4", "a1 c3"))) == [
        " 4              o",
        "              / | \\",
        " 3          .---.---x",
        "          /     |     \\",
        " 2      .-------.-------.",
        "      /         |         \\",
        " 1  x-----------.-----------.",
        "    a           b           c",
    ]


def test_diagonals_of_the_three_squares_are_drawn_if_there():
    with_diagonals = list(notation.board_lines(contract.start(RULESETS["niranchy-ludovisi"].parameters)))
    without = list(notation.board_lines(contract.start(RULESETS["nerenchi-keliya-dlp"].parameters)))
    assert with_diagonals[1] == "    | \\         |         / |"
    assert without[1] == "    |           |           |"


def test_the_board_of_49_points_in_text():
    lines = list(notation.board_lines(contract.start(RULESETS["kotu-ellima-dlp"].parameters)))
    assert lines[4:9] == [
        " 7  x       x---x---x---x---x       x",
        "    | \\     | \\ | / | \\ | / |     / |",
        " 6  |   x   x---x---x---x---x   x   |",
        "    |   | \\ | / | \\ | / | \\ | / |   |",
        " 5  x---x---x---x---.---o---o---o---o",
    ]


def test_a_common_supply_is_counted_once():
    lines = list(notation.board_lines(contract.start(RULESETS["nerenchi-keliya-parker"].parameters)))
    assert lines[-1] == "still to lay, by whoever lays: 22"


def test_a_replay_calls_the_players_by_their_pieces():
    lines = list(as_text(replay(RULESETS["diviyan-keliya-parker"], 1, 0, 20, "game")))
    assert lines[1] == (
        "  The first player is the owner of the leopards, the second player is the owner of the cattle."
    )
    turn = lines.index("") + 1
    assert re.fullmatch(r"Turn 1, owner of the leopards \(first player\): \+\w\d   \(one of 49 moves\)", lines[turn])
    assert lines[turn + 1].startswith("  the owner of the leopards lays a piece on")
    assert any(line.startswith("  in hand: owner of the leopards") for line in lines)


def test_what_is_so_without_a_rule_is_told_too():
    """DLP.Evidence.784: "Captures are not obligatory." """
    rules = list(rules_text(RULESETS["peralikatuma-dlp"]))
    without = rules.index("What is so without rules that such games may have")
    assert "  A player who can jump need not.  [capture_compulsory]" in rules[without + 1 :]
    assert "  A piece that has jumped may jump again in the same turn, and may stop.  [chain]" in rules[:without]


def test_the_number_of_moves_at_each_step_of_a_turn_is_named():
    """A chain of jumps: the first of several moves, then whether to go on."""
    texts = {options_text(turn) for turn in replay(RULESETS["peralikatuma-dlp"], 1, 0, 200, "game").turns}
    assert any(re.fullmatch(r"one of \d+ moves, then one of \d+", text) for text in texts)
    assert all(
        re.fullmatch(r"(the only move|one of \d+ moves)(, then (one of \d+|the only one))*", one) for one in texts
    )


def test_a_lifted_piece_still_stands_on_the_board_in_text():
    stand = position(DAM, "b1", "a12")
    stand.lifted = {BOARDS["chequered_12"].number("c2")}
    assert list(notation.board_lines(stand))[10:12] == [" 2  .   *   .   .   .   .", " 1    o   .   .   .   .   ."]


NIRANCHY, NERENCHI = RULESETS["niranchy-ludovisi"].parameters, RULESETS["nerenchi-keliya-dlp"].parameters
COMMON = RULESETS["nerenchi-keliya-parker"].parameters
CROWDED = "a1 g1 d2 c3 e3 b4 f4 c5 e5 d6 a7", "d1 a4 g4 d7 b2 f2 b6 f6 d3 c4 e4"
LAST_OF_ALL = "a1 d1 b2 d2 f4 e3 c3 c5 d6 f6 g7", "d7 a7 b6 e5 d5 c4 e4 g4 a4 b4"
OVER = "the game is over, the first player wins"
ROW, NONE_LEFT = "the first player forms a row of three with g1", "no piece is left for the first player to lay"
# The rules, the position, the move, and the last sentences of the ply.
SENTENCES = [
    (DAM, position(DAM, "b1", "c2 a12"), "b1xd3", "the first player jumps from b1 to d3|the piece on c2 is taken"),
    (
        DAM,
        position(DAM, "b11", "l1"),
        "b11-a12",
        "the first player moves from b11 to a12|the man on a12 becomes a king",
    ),
    # Parker: "jumping over and capturing any opponent's pieces … Itto or Kings".
    (
        DAM,
        position(DAM, "", "l11", ("b1", "d3")),
        "b1xf5",
        "the first player jumps with a king from b1 to f5|the king on d3 is taken",
    ),
    (HAT, position(HAT, "b4", "b3 a1 c1 a3"), "b4xb2", f"the second player has only 3 pieces left: {OVER}"),
    (
        MORRIS,
        position(MORRIS, "a1 d1 g4 c3", "a7 b6 d3", turns=199),
        "g4-f4",
        "200 turns have been played: the game is over, drawn",
    ),
    (DAM, position(DAM, "b1", "c2"), "b1xd3", f"the second player has no piece left: {OVER}"),
    # "Until one party is entirely checked": a7 has lines to a5 and b6 only, and nothing to land on beyond them.
    (
        KOTU,
        position(KOTU, "a5 a3 c5 b5", "a7"),
        "b5-b6",
        f"the first player moves from b5 to b6|the second player has no move: {OVER}",
    ),
    # DLP.Evidence.784 knows no other victory than by capturing all; DLP.Evidence.780: "and then can move".
    (PERALI, position(PERALI, "a5 a3 c5 b6", "a7", mover=1), "pass", "the second player has no move and passes"),
    (
        DIVIYAN,
        position(DIVIYAN, "e5 a3", "c3", hands=(0, 23)),
        "pass",
        "the first player has no piece left to lay and passes",
    ),
    # "The time one of the players has laid down his twelve men": the other's twelfth is put aside. The only vacant
    # point, d5, has neighbours of the first player only: the second player has no move.
    (
        NIRANCHY,
        position(NIRANCHY, *CROWDED, hands=(1, 1)),
        "+g7",
        f"laying is over: the second player puts aside 1 piece still in hand|the second player has no move: {OVER}",
    ),
    # A row made with a player's last piece brings no other; the last piece of all ends the laying.
    (NERENCHI, position(NERENCHI, "a1 d1", "a7 b6", hands=(1, 1)), "+g1", f"{ROW}|{NONE_LEFT}"),
    (NERENCHI, position(NERENCHI, "a1 d1", "a7 b6", hands=(0, 1), mover=1), "+g1", "laying is over"),
    (COMMON, position(COMMON, *LAST_OF_ALL, hands=(1, 1)), "+g1", f"laying is over|{ROW}|{NONE_LEFT}"),
]


@pytest.mark.parametrize(("rules", "stand", "words", "expected"), SENTENCES)
def test_sentences_of_a_ply(rules, stand, words, expected):
    last = expected.split("|")
    assert sentences(rules, stand, words)[-len(last) :] == last


def test_a_row_and_its_removal_told():
    stand = position(MORRIS, "a1 d1", "a7 b6", hands=(7, 7))
    assert sentences(MORRIS, stand, "+g1") == [
        "the first player lays a piece on g1",
        "the first player forms a row of three with g1",
    ]
    assert sentences(MORRIS, play(MORRIS, stand, "+g1").position, "xb6") == ["the piece on b6 is removed"]


def test_a_jump_names_the_rules_that_made_it():
    """Kotu ellima after Ludovisi: "immediately taken", with steps that could have been made instead."""
    first = position(KOTU, "e5 d4", "d6 i3", mover=1)
    assert play(KOTU, first, "d6xf4").events[0].keys == ("capture_compulsory", "captures")
    without_a_step = position(KOTU, "a5 b6 i3", "a7", mover=1)
    assert play(KOTU, without_a_step, "a7xc5").events[0].keys == ("captures",)
    king = position(DAM, "", "d3 l11", kings=("b1", ""))
    assert play(DAM, king, "b1xf5").events[0].keys == ("capture_compulsory", "kings", "king_lands")


def test_a_man_that_stops_where_the_programme_does_not_crown_it():
    ludii = RULESETS["dam-ludii"].parameters
    stand = play(ludii, position(ludii, "c10", "d11 f11 a2"), "c10xe12").position
    assert sentences(ludii, stand, "stop") == ["the first player stops on e12; the man is not crowned"]
    assert sentences(ludii, stand, "e12xg10") == [
        "the first player jumps from e12 to g10; the man is not crowned on e12",
        "the piece on f11 is taken",
    ]
    dlp = RULESETS["dam-dlp"].parameters
    stand = play(dlp, position(dlp, "c10", "d11 f11 a2"), "c10xe12").position
    assert sentences(dlp, stand, "e12xg10")[0] == "the first player jumps with a king from e12 to g10"


@pytest.mark.parametrize(
    ("slug", "said", "unsaid"),
    [
        # the record: "The pieces move in the squares instead of going along the lines"
        ("dam-parker", ("o is a man of", "their kings", ". is a vacant square", "b1xd3 a jump"), ("point", "+", "*")),
        (
            "kotu-ellima-ludovisi",
            ("o is a piece of", ". is a vacant point"),
            ("king", "triangle", "+", "left line", "*"),
        ),
        ("diviyan-keliya-dlp", ("o marks the leopards, x the cattle", "+c1 is"), ("king", "piece of")),
        ("koti-keliya-parker", ("o marks the leopard, x the cattle, . is a vacant square",), ("king", "jump")),
        ("hat-diviyan-keliya-ludii", ("a is the left, b the middle, c the right line",), ("king", "file", "stop")),
        ("hat-diviyan-keliya-ludovisi", ("stop the choice not to jump on",), ("king",)),
        ("nine-mens-morris-reference", ("a piece removed from",), ("king", "jump")),
    ],
)
def test_how_to_read_says_what_this_ruleset_can_bring(slug, said, unsaid):
    text = " ".join(narration.reading(RULESETS[slug]).split())
    assert [words for words in said if words not in text] == []
    assert [words for words in unsaid if words in text] == []


def test_examples_in_how_to_read_are_points_in_a_line():
    for ruleset in POINTS.values():
        here, there, beyond = _example(BOARDS[ruleset.parameters["board"]])
        board = BOARDS[ruleset.parameters["board"]]
        numbers = [board.number(name) for name in (here, there, beyond)]
        assert any(all(number in line for number in numbers) for line in board.lines)


def test_two_rows_at_once_are_told_and_bring_one_removal():
    rules = RULESETS["nerenchi-keliya-parker"].parameters
    stand = position(rules, "a1 g1 d2 d3 f4", "a7 b6 e5")
    assert sentences(rules, stand, "f4-d1")[1] == "the first player forms 2 rows of three with d1"
    after = play(rules, play(rules, stand, "f4-d1").position, "xb6")
    assert (after.taken, after.position.phase) == ((1, 0), 0)
    assert sentences(rules, play(rules, stand, "f4-d1").position, "xb6")[1] == "the first player moves again"


def test_a_position_for_programmes():
    stand = position(DAM, "b1 d1", "c12", kings=("", "a2"), mover=1)
    facts = notation.position_facts(stand)
    assert facts == {
        "men": [["b1", "d1"], ["c12"]], "kings": [[], ["a2"]], "taken_standing": [], "in_hand": [0, 0],
        "mover": 1, "phase": "play", "jumping": None,
    }  # fmt: skip


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", rulesets_of_the_day(POINTS, 6))
def test_a_whole_game_is_told_in_words_and_for_programmes(slug):
    """Every event has a sentence, and what is taken in the facts is what the row counts."""
    game = replay(POINTS[slug], 3, 1, 120, "game")
    assert len([line for line in as_text(game) if line.startswith("Turn ")]) == game.row["turns"]
    document = json.loads(json.dumps(as_document(game)))
    taken = [sum(ply["taken"][seat] for turn in document["turns"] for ply in turn["plies"]) for seat in (0, 1)]
    assert taken == [game.row["taken_0"], game.row["taken_1"]]
