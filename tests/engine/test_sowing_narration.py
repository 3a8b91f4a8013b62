"""How a sowing game is told: ends of turns and rounds, stretches of holes, whose a mark is, and what binds a round."""

import pytest

from simulator.engine.documents import parse, with_changes
from simulator.engine.families.sowing.drawing import draw
from simulator.engine.families.sowing.notation import board_lines, describe, position_facts
from simulator.engine.families.sowing.position import LAY
from simulator.engine.families.sowing.referee import contract
from simulator.engine.referee_playout import Ply
from simulator.engine.replay import replay
from tests.engine.boards import CLOCKWISE, begin, board, lay, lay_fours
from tests.engine.rulesets import RULESETS

PUHULMUTU, WALAK_PUSSA, DARAMUTI = (RULESETS[f"{game}-parker"] for game in ("puhulmutu", "walak-pussa", "daramuti"))
KOTU_BAENDUM, MAWKAR_KATIYA = RULESETS["kotu-baendum-parker"], RULESETS["mawkar-katiya-das-gupta"]
KALAH, OWARE, PUHULMUTU_LUDII = (
    RULESETS[f"{slug}"] for slug in ("kalah-reference", "oware-reference", "puhulmutu-ludii")
)
ONE_MOVE = with_changes(RULESETS["kalah-reference"], {"store_again": "false"})
ACROSS, SLAM = RULESETS["mawkar-katiya-dlp"], with_changes(OWARE, {"grand_slam": "allowed"})
FOURS = "4 4 4 4 4 4 4"
EMPTY = "0 0 0 0 0 0 0"


def sentences_of(ruleset, position, move):
    played = contract.play(ruleset.parameters, position, move)
    return [
        text.sentence
        for text in describe(Ply(before=position, seat=position.mover, move=move, options=1, played=played))
    ]


INTO = "the last counter falls into"
BARRED_AS_EMPTY = ", is barred and counts as empty"
BARRED_LAST = "1c, which is barred and counts as empty"
TIED = "the first player ties 1g, which holds 4, and the turn ends"


@pytest.mark.parametrize(
    ("ruleset", "position", "hole", "last"),
    [
        (PUHULMUTU, board("2 0 0 0 0 0 0", FOURS), 0, f"{INTO} 1c, which was empty: the turn ends"),
        (PUHULMUTU, board("2 0 3 0 1 0 0", FOURS), 0, "1d comes next and is empty: the turn ends"),
        (PUHULMUTU, board("2 0 3 1p 0 1 0", FOURS), 0, "1d comes next and is barred: the turn ends"),
        (PUHULMUTU, board("2 0 1p 1 0 0 0", FOURS), 0, f"{INTO} 1c, which is barred: the turn ends"),
        (KOTU_BAENDUM, board("0 0 0 0 0 1 3", FOURS, moved=3), 5, TIED),
        (WALAK_PUSSA, board("1 1 0 0 0 0 1", FOURS), 0, "1d beyond it is empty: the turn ends"),
        (WALAK_PUSSA, board("1 1 0 2 0 0 1", FOURS), 0, "1f beyond it is empty: the turn ends"),
        (WALAK_PUSSA, board("1 1 0 2 2 0 1", FOURS), 0, "1e comes next and holds 2: the turn ends"),
        (WALAK_PUSSA, board("1 1 0 1p 2 0 1", FOURS), 0, "1d beyond it is barred: the turn ends"),
        (MAWKAR_KATIYA, board("0 0 0 2 0 0 1", FOURS, direction=CLOCKWISE), 6, "the turn ends with that"),
        (
            WALAK_PUSSA,
            board("1 1 0 0 0 0 1", FOURS, short=1, short_number=2),
            0,
            "the first player is short-handed and takes nothing by that: the turn ends",
        ),
        (DARAMUTI, board("2 0 2p 1 0 0 0", "4 4 4 4 0 4 4"), 0, "2e opposite it is empty: the turn ends"),
        (DARAMUTI, board("2 0 0 1 0 0 0", "4 4 4 4 x 4 4"), 0, "2e opposite it is blind: the turn ends"),
        (DARAMUTI, board("2 0 0 1 0 0 0", "4 4 4 4 2p 4 4"), 0, "2e opposite it is barred: the turn ends"),
        (DARAMUTI, board("2 0 0 1 0 0 0", FOURS), 0, "the turn ends with that"),
        (KOTU_BAENDUM, board("1 0 0 0 0 1 4t1", FOURS, moved=3), 5, f"{INTO} 1g, which is tied: the turn ends"),
        (PUHULMUTU_LUDII, board("2 0 3 x x x x", FOURS), 0, "1d comes next and is blind: the turn ends"),
        (KALAH, board("1 0 0 0 0 0", "4 4 4 4 0 4"), 0, "2e opposite it is empty: the turn ends"),
        (OWARE, board("0 0 0 0 1 1", "1 0 0 0 0 0"), 5, "the turn ends with that"),
        (ONE_MOVE, board("0 0 0 0 0 1", "4 4 4 4 4 4"), 5, f"{INTO} the store: the turn ends"),
        (OWARE, board("1 1 4 4 4 4", "4 4 4 4 4 4"), 0, f"{INTO} 1b: the turn ends"),
    ],
)
def test_every_end_of_a_turn_is_told(ruleset, position, hole, last):
    sentences = sentences_of(ruleset, position, begin(hole, position.direction))
    assert last in sentences
    assert sum("the turn ends" in sentence for sentence in sentences) == 1


@pytest.mark.parametrize(
    ("row", "fell", "cause"),
    [("1 1 0 2 0 0 1", "which held 1", " and is empty"), ("1 0 2p 2 0 0 1", "which was empty", BARRED_AS_EMPTY)],
)
def test_the_empty_hole_beyond_which_is_captured(row, fell, cause):
    assert sentences_of(WALAK_PUSSA, board(row, FOURS), begin(0))[1:4] == [
        f"{INTO} 1b, {fell}",
        f"1c comes next{cause}",
        "the first player takes 2 from 1d",
    ]


def test_a_barred_hole_that_stops_a_capture_is_named_with_a_rule():
    """Not that of a barred hole right after the last one: Parker's document sets only this."""
    played = contract.play(WALAK_PUSSA.parameters, board("1 1 0 1p 2 0 1", FOURS), begin(0))
    (event,) = (event for event in played.events if event.kind == "end_of_turn")
    assert event.keys == ("barred_in_chain",)


def test_a_barred_hole_within_a_chain_is_told_with_its_rule():
    """Parker's chain counts it as empty, the paraphrase's as if it were not there."""
    row = board("2 0 1 0 2 1p 3", FOURS)
    paraphrase = RULESETS["walak-pussa-dlp"]
    assert f"1f comes next{BARRED_AS_EMPTY}" in sentences_of(WALAK_PUSSA, row, begin(0))
    played = contract.play(paraphrase.parameters, row, begin(0))
    (event,) = (event for event in played.events if event.why == "absent")
    assert event.keys == ("barred_in_chain",)
    assert "1f comes next, is barred and is passed over as if it were not there" in sentences_of(
        paraphrase, row, begin(0)
    )


@pytest.mark.parametrize(
    ("row", "second", "taken_from", "last"),
    [("2 0 0 1 0 0 0", FOURS, "2e", "1c, which was empty"), ("2 0 2p 1 0 0 0", FOURS, "2e", BARRED_LAST)],
)
def test_the_last_hole_is_named_before_the_one_opposite_is_taken(row, second, taken_from, last):
    assert sentences_of(DARAMUTI, board(row, second), begin(0))[1:3] == [
        f"{INTO} {last}",
        f"the first player takes 4 from {taken_from}",
    ]


def test_what_the_richer_player_gains_at_the_hole_he_covers():
    """Two from 1b, clockwise: one is gained at 1a, the other falls into 2g; one from 1b is gained."""
    two = board("5h 2 0 0 0 0 0", "1 1 1 1 1 0 3", CLOCKWISE, richer=1, excess=5)
    assert sentences_of(ACROSS, two, begin(1, CLOCKWISE))[:4] == [
        "2 sown from 1b",
        "the first player passes 1a, which he covers, and gains one counter",
        f"{INTO} 2g, which held 3",
        "2f comes next and is empty",
    ]
    one = board("5h 1 0 0 0 0 0", "1 1 1 1 1 0 0", CLOCKWISE, richer=1, excess=5)
    assert sentences_of(ACROSS, one, begin(1, CLOCKWISE))[2:4] == [
        "the last counter is the one gained at 1a",
        "2g comes next and is empty",
    ]


def test_a_capture_of_everything_that_takes_nothing_is_told():
    sentences = sentences_of(OWARE, board("0 0 0 0 1 1", "1 0 0 0 0 0"), begin(5))
    assert "2 in 2a would take every counter of the second player's row: nothing is taken" in sentences


def test_another_move_from_the_store_is_told():
    assert f"{INTO} the store: the first player moves again" in sentences_of(
        KALAH, board("1 0 0 0 0 1", "4 4 4 4 4 4"), begin(5)
    )


def test_the_starting_hole_takes_what_every_other_passes_by():
    """Six counters: three fill the starting hole to three too, so that the fourth finds no other hole."""
    sentences = sentences_of(PUHULMUTU, board("6 3 3 3 3 3 3", "3 3 3 3 3 3 3"), begin(0))
    assert sentences[:3] == [
        "6 sown from 1a, passing over 1b to 2g (4 times), 1b to 1a",
        "every open hole is to be passed over: 1a, from which the lap started, takes 1 counter",
        "the first player takes 4 from 1b",
    ]


def test_why_a_turn_is_endless():
    position = board("0 1 5 x x x 4", "0 1 1 1 1 1 0", short=1, short_number=1)
    sentences = sentences_of(WALAK_PUSSA, position, begin(1))
    assert sentences[-1].startswith("every open hole is to be passed over, and the sowing never ends")
    document = {"family": "sowing", "holes_per_row": 2, "counters_per_hole": 1, "relay": "next", "lap_limit": 50}
    text = str(replay(parse(document), seed=3, game=0, cap=2000, until="game"))
    assert "the turn would take more than 50 laps and is endless: the position before it stands" in text


def test_the_short_handed_player_passes_by_rules_of_his_own():
    """The paraphrase: he who laid ones passes over ones by his number, over twos and threes by other rules."""
    paraphrase = RULESETS["puhulmutu-dlp"]
    position = board("5 1 2 3 0 0 0", FOURS, short=1, short_number=1)
    played = contract.play(paraphrase.parameters, position, begin(0))
    passed = [event.keys for event in played.events if event.kind == "passed_over"][:3]
    assert passed == [("short_handed",), ("short_handed_passes_both",), ("pass_over", "short_handed_passes_usual")]
    lap = describe(Ply(before=position, seat=0, move=begin(0), options=1, played=played))[0]
    assert {"short_handed", "short_handed_passes_both", "short_handed_passes_usual"} <= {*lap.keys}


def test_who_owned_what_when_a_round_ended():
    position = board("0 0 1 0 0 0 5t1", "6t0 0 0 0 0 0 0", stores=(24, 20), moved=3)
    stuck = "the second player has counters in his row and may play none of them"
    assert f"the round is over, since {stuck}: the first player owns 31, the second player 25" in sentences_of(
        KOTU_BAENDUM, position, begin(2)
    )


@pytest.mark.parametrize(
    ("ruleset", "position", "hole", "reason"),
    [
        (PUHULMUTU, board("2 0 0 0 0 0 0", EMPTY), 0, "the second player has nothing in his row"),
        (PUHULMUTU, board("0 0 0 0 0 0 1", "4p 0 0 0 0 0 0"), 6, "the second player has counters in his row and may"),
        (
            RULESETS["puhulmutu-dlp"],
            board("0 0 0 0 0 0 1", "0 4 4 4 4 4 4"),
            6,
            "the first player has nothing in his row",
        ),
        (PUHULMUTU_LUDII, board("0 0 0 0 0 0 2", FOURS), 6, "the lap may not go on"),
        (MAWKAR_KATIYA, board("0 0 0 1 0 0 0", EMPTY, direction=CLOCKWISE, idle=27), 3, "nothing was taken for 28"),
        (ACROSS, board(EMPTY, "0 1 0 0 0 0 0", CLOCKWISE, mover=1), 1, "the board is empty"),
        (ACROSS, board("5h 0 0 0 0 0 0", "0 1 0 0 0 0 0", CLOCKWISE, mover=1), 1, "nobody may play what is left"),
        (OWARE, board("0 0 0 0 0 1", "1 4 0 0 0 0", stores=(23, 19)), 5, "the first player has taken more than half"),
        (SLAM, board("0 0 0 0 0 1", "1 0 0 0 0 0", stores=(22, 24)), 5, "each player has taken half"),
    ],
)
def test_why_a_round_is_over(ruleset, position, hole, reason):
    sentences = sentences_of(ruleset, position, begin(hole, position.direction))
    assert [sentence for sentence in sentences if sentence.startswith(f"the round is over, since {reason}")]


@pytest.mark.parametrize(
    ("row", "second", "sentence"),
    [
        ("2 0 3 1 0 0 0", FOURS, "the lap would go on from 1d, which holds 1, and may not"),
        ("2 0 2p 0 0 0 0", FOURS, "the lap would go on from 1c, which is barred, and may not"),
        (
            "0 0 0 0 0 0 2",
            FOURS,
            "the lap would go on from 2b and may not: no hole of the first player's row holds two",
        ),
    ],
)
def test_why_a_lap_may_not_go_on(row, second, sentence):
    hole = next(place for place, word in enumerate(row.split()) if word == "2")
    sentences = sentences_of(PUHULMUTU_LUDII, board(row, second), begin(hole))
    assert [one for one in sentences if one.startswith(sentence)]


def test_who_begins_a_further_round_and_who_may_call_a_draw():
    fewer = board("1 0 0 0 0 0 0", EMPTY, stores=(20, 35))
    assert sentences_of(PUHULMUTU, fewer, begin(0))[-1] == "a new round, begun by the first player, who owns fewer"
    equal = board("1 0 0 0 0 0 0", EMPTY, stores=(27, 28))
    assert sentences_of(PUHULMUTU, equal, begin(0))[-2:] == [
        "a new round: both own equally many, and the second player, who did not begin the last one, begins",
        "the second player may call the game a draw",
    ]
    assert sentences_of(PUHULMUTU_LUDII, board("2 0 0 0 0 0 0", EMPTY, stores=(26, 28)), begin(0))[-1].startswith(
        "a new round: both own equally many, and the second player begins as if"
    )


def test_what_a_layout_keeps_in_the_store():
    """In the paraphrase's second round the remainder is no part of the layout."""
    position = board(EMPTY, FOURS, phase=LAY, stores=(17, 11), rounds=2)
    assert sentences_of(RULESETS["puhulmutu-dlp"], position, lay_fours(0)) == [
        "the first player lays out 16 counters and keeps 1 in his store"
    ]


def test_a_layout_that_leaves_nothing_to_play():
    position = board(EMPTY, FOURS, phase=LAY, stores=(2, 26), rounds=2)
    assert sentences_of(PUHULMUTU_LUDII, position, lay_fours(0))[-1] == (
        "the first player can play nothing of this layout: the second player begins"
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
        "1g, which holds 2, is barred: it is the first player's",
        "the second player moves 2 from 2g into his store, to balance the partly filled hole",
        "2g, which holds 2, is barred: it is the second player's",
    ]


def test_marks_and_owners_in_facts_and_in_the_drawing():
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
    assert "short-handed: the first player, who captures only by making 3" in board_lines(after)


def test_the_second_game_of_mawkar_katiya_is_the_second():
    """Its private numbers are told too: the winner's excess over 35, and what the loser's part hole held."""
    position = board("0 0 0 1 0 0 0", EMPTY, direction=CLOCKWISE, idle=27, stores=(36, 33))
    played = contract.play(MAWKAR_KATIYA.parameters, position, begin(3, CLOCKWISE))
    facts = position_facts(played.position)
    assert (facts["round"], facts["numbers"]) == (2, {"0": 2, "1": 3})
    assert "numbers of this round: 2 of the first player, 3 of the second player" in board_lines(played.position)


def test_a_hole_under_the_palm_of_the_other_is_passed_over():
    """ "His adversary will not be allowed to drop any piece in it": nine from 1b go past 2a, and end in 1f."""
    position = board("0 9 0 0 0 0 0", "5h 0 0 0 0 0 0", direction=CLOCKWISE, richer=2, excess=20)
    assert sentences_of(MAWKAR_KATIYA, position, begin(1, CLOCKWISE))[:2] == [
        "9 sown from 1b, passing over 2a",
        "the last counter falls into 1f, which was empty",
    ]
    played = contract.play(MAWKAR_KATIYA.parameters, position, begin(1, CLOCKWISE))
    assert [event.keys for event in played.events if event.kind == "passed_over"] == [("palm",)]


def test_rules_of_mawkar_katiya_do_not_name_puta_and_naga():
    text = str(replay(MAWKAR_KATIYA, seed=1, game=0, cap=20, until="game"))
    assert "barred" in text
    assert "puta" not in text
    assert "naga" not in text
