"""How a sowing game is told: ends of turns and rounds, stretches of holes, whose a mark is, and what binds a round."""

import pytest

from simulator.engine.documents import with_changes
from simulator.engine.families.sowing.drawing import draw
from simulator.engine.families.sowing.notation import board_lines, describe, position_facts
from simulator.engine.families.sowing.position import LAY
from simulator.engine.families.sowing.referee import contract
from simulator.engine.reference_playout import Ply
from simulator.engine.replay import replay
from tests.engine.boards import CLOCKWISE, begin, board, lay, lay_fours
from tests.engine.rulesets import RULESETS

PUHULMUTU, WALAK_PUSSA, DARAMUTI = (RULESETS[f"{game}-parker"] for game in ("puhulmutu", "walak-pussa", "daramuti"))
KOTU_BAENDUM, MAWKAR_KATIYA = RULESETS["kotu-baendum-parker"], RULESETS["mawkar-katiya-das-gupta"]
OWARE, ONE_MOVE = RULESETS["oware-reference"], with_changes(RULESETS["kalah-reference"], {"store_again": "false"})
FOURS = "4 4 4 4 4 4 4"
EMPTY = "0 0 0 0 0 0 0"


def sentences_of(ruleset, position, move):
    played = contract.play(ruleset.parameters, position, move)
    return [
        text.sentence
        for text in describe(Ply(before=position, seat=position.mover, move=move, options=1, played=played))
    ]


INTO = "the last counter falls into"
TIED = "the first player ties 1g, which holds 4, and the turn ends"


@pytest.mark.parametrize(
    ("ruleset", "position", "hole", "last"),
    [
        (PUHULMUTU, board("2 0 0 0 0 0 0", FOURS), 0, f"{INTO} 1c, which was empty: the turn ends"),
        (PUHULMUTU, board("2 0 3 0 1 0 0", FOURS), 0, "1d comes next and is empty: the turn ends"),
        (PUHULMUTU, board("2 0 3 1p 0 1 0", FOURS), 0, "1d comes next and is barred: the turn ends"),
        (PUHULMUTU, board("2 0 1p 1 0 0 0", FOURS), 0, f"{INTO} 1c, which is barred: the turn ends"),
        (KOTU_BAENDUM, board("0 0 0 0 0 1 3", FOURS, moved=3), 5, TIED),
        (WALAK_PUSSA, board("1 1 0 0 0 0 1", FOURS), 0, "nothing is taken: the turn ends"),
        (WALAK_PUSSA, board("1 1 0 2 0 0 1", FOURS), 0, "the turn ends with that"),
        (
            WALAK_PUSSA,
            board("1 1 0 0 0 0 1", FOURS, short=1, short_number=2),
            0,
            "1c comes next and is empty: the turn ends",
        ),
        (DARAMUTI, board("2 0 2p 1 0 0 0", "4 4 4 4 0 4 4"), 0, f"{INTO} 1c, which counts as empty: the turn ends"),
        (ONE_MOVE, board("0 0 0 0 0 1", "4 4 4 4 4 4"), 5, f"{INTO} the store: the turn ends"),
        (OWARE, board("1 1 4 4 4 4", "4 4 4 4 4 4"), 0, f"{INTO} 1b: the turn ends"),
    ],
)
def test_every_end_of_a_turn_is_told(ruleset, position, hole, last):
    sentences = sentences_of(ruleset, position, begin(hole))
    assert last in sentences
    assert sum("the turn ends" in sentence for sentence in sentences) == 1


@pytest.mark.parametrize(("row", "cause"), [("1 1 0 2 0 0 1", "is"), ("1 0 2p 2 0 0 1", "counts as")])
def test_the_empty_hole_beyond_which_is_captured(row, cause):
    assert sentences_of(WALAK_PUSSA, board(row, FOURS), begin(0))[1:3] == [
        f"1c comes next and {cause} empty",
        "the first player takes 2 from 1d",
    ]


def test_who_owned_what_when_a_round_ended():
    position = board("0 0 1 0 0 0 5t1", "6t0 0 0 0 0 0 0", stores=(24, 20), moved=3)
    assert "the round is over: the first player owns 31, the second player 25" in sentences_of(
        KOTU_BAENDUM, position, begin(2)
    )


def test_passed_holes_are_told_as_stretches():
    # Nine from hole 0: 1, 5, 6, 9 to 12, over the threes between; over that of 13; 0 and, with the last one, 1.
    position = board("9 0 3 3 3 0 0", "3 3 0 0 0 0 3")
    assert sentences_of(PUHULMUTU, position, begin(0))[0] == "9 sown from 1a, passing over 1c to 1e, 2a to 2b, 2g"
    # Twelve: twice over the threes of 2 to 4, once over the others.
    once_more = board("12 4 3 3 3 4 4", "3 3 4 4 4 4 3")
    sentence = sentences_of(PUHULMUTU, once_more, begin(0))[0]
    assert sentence == "12 sown from 1a, passing over 1c to 1e (2 times), 2a to 2b, 2g"


def test_a_whole_round_of_passed_holes_ends_where_it_began():
    position = board("5 3 3 3 3 3 3", "3 3 3 3 3 3 3")
    assert sentences_of(PUHULMUTU, position, begin(0))[0].startswith("5 sown from 1a, passing over 1b to 2g")


def test_the_holes_barred_by_a_layout_are_told():
    position = board(EMPTY, FOURS, phase=LAY, stores=(26, 2))
    assert sentences_of(PUHULMUTU, position, lay_fours(0)) == [
        "the first player lays out 26 counters",
        "1g, which holds 2, is barred for the first player",
        "the second player moves 2 from 2g to their store, to match",
        "2g, which holds 2, is barred for the second player",
    ]


def test_marks_and_their_owners_for_programmes_and_in_the_drawing():
    position = board("x 2p 0 0 0 0 5t1", "6t0 0 0 0 0 0 0")
    facts = position_facts(position)
    assert facts["marks"] == {"1a": "blind", "1b": "barred", "1g": "tied", "2a": "tied"}
    assert facts["owners"] == {"1b": 0, "1g": 1, "2a": 0}
    drawing = draw(KOTU_BAENDUM, position, "A position")
    assert (drawing.count(">1st<"), drawing.count(">2nd<")) == (2, 1)
    assert "5 (tied, the second player's)" in drawing


def test_a_short_handed_round():
    position = board(EMPTY, FOURS, phase=LAY, stores=(9, 19), rounds=2)
    after = contract.play(PUHULMUTU.parameters, position, lay(2, 2, 2, 2, 0, 0, 1)).position
    assert position_facts(position)["short_handed"] is None
    assert position_facts(after)["short_handed"] == {"seat": 0, "number": 2}
    assert "short-handed: the first player, who captures by making 3" in board_lines(after)


def test_the_second_game_of_mawkar_katiya_is_the_second():
    """Its private numbers are told too: the winner's excess over 35, and what the loser's part hole held."""
    position = board("0 0 0 1 0 0 0", EMPTY, direction=CLOCKWISE, idle=27, stores=(36, 33))
    played = contract.play(MAWKAR_KATIYA.parameters, position, begin(3, CLOCKWISE))
    facts = position_facts(played.position)
    assert (facts["round"], facts["numbers"]) == (2, {"0": 2, "1": 3})
    assert "numbers of this round: 2 of the first player, 3 of the second player" in board_lines(played.position)


def test_the_rules_of_mawkar_katiya_do_not_speak_of_puta_and_naga():
    text = str(replay(MAWKAR_KATIYA, seed=1, game=0, cap=20, until="game"))
    assert "barred" in text
    assert "puta" not in text
    assert "naga" not in text
