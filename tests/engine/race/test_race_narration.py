"""What a replay tells of a race: the rules that acted and no others, and why nothing can be played."""

from itertools import islice

import pytest

from simulator.engine import narration, shipped
from simulator.engine.documents import with_changes
from simulator.engine.families.race import notation
from simulator.engine.families.race.notation import step_name
from simulator.engine.families.race.referee.contract import moves
from simulator.engine.families.race.referee.movement import hindrances
from simulator.engine.families.race.referee.way import course
from simulator.engine.referee_playout import Ply, plies
from simulator.engine.replay import fired
from tests.engine.race.positions import CASES, SOME_CASES, dice, mouths, options, play, standing
from tests.engine.rulesets import RULESETS

ASI, TAYAM, PAHADA = RULESETS["asi-keliya-dlp"], RULESETS["tayam-sonalu-dlp"], RULESETS["pahada-keliya-dlp"]
PANCHA, PANCHA_PARKER = RULESETS["pancha-keliya-dlp"], RULESETS["pancha-keliya-parker"]
SOKKATTAN, SATURANKAM = RULESETS["sokkattan-parker"], RULESETS["saturankam-parker"]
KAWADE, MARIN_DICE = RULESETS["kawade-kelia-dlp"], RULESETS["pancha-keliya-complex-marin-dice"]
FAR = "9 9 9 9"  # pieces that meet nobody


def sentences_of(ruleset, position, *names):
    """The sentences of the last of these moves, with the rules that fired in brackets."""
    for name in names:
        before, played = position, play(ruleset, position, name)
        position = played.position
    ply = Ply(before.mover, 0, 1, before, played)
    keys = (", ".join(fired(ruleset, event.keys)) for event in played.events)
    sentences = (event.sentence for event in notation.describe(ply))
    return [f"{sentence} [{keys}]" if keys else sentence for sentence, keys in zip(sentences, keys, strict=True)]


def of_asi(first, *throws):
    return standing(ASI, f"{first} / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", throws)


class TestRulesThatActed:
    def test_a_piece_enters_by_a_one_of_so_hatara_or_by_a_score(self):
        """ "A 1, 5, or So-hatara must be thrown to enter a piece": one of the three did."""
        named, one = mouths(ASI, 3, marked_up=False), mouths(ASI, 1)
        assert sentences_of(ASI, of_asi("0 0 0 0", named), "enter one") == [
            "the first player enters a piece on f4 [entry, named_enters, named_ones]"
        ]
        assert sentences_of(ASI, of_asi("0 0 0 0", one), "enter 1") == [
            "the first player enters a piece on f4 [entry, enter_scores]"
        ]
        assert sentences_of(ASI, of_asi("0 0 0 8", named), "g4 +one") == [
            "the first player moves 1 square to h4 [named_ones]"
        ]

    def test_a_first_piece_enters_by_tayam_later_ones_otherwise(self):
        """ "The first counter of each player must be entered with a throw of Tayam"."""
        for entered, keys in ((0, "first_enter_scores"), (1, "enter_scores")):
            position = standing(TAYAM, f"0 0 0 0 / {FAR} / {FAR} / {FAR}", [dice(TAYAM, 0, 1)], entered=entered)
            assert sentences_of(TAYAM, position, "enter 1") == [
                f"the first player enters a piece on j8 [entry, {keys}]"
            ]
        sonal = standing(TAYAM, f"0 0 0 0 / {FAR} / {FAR} / {FAR}", [dice(TAYAM, 0, 4)], entered=1)
        assert sentences_of(TAYAM, sonal, "enter 4 by name") == [
            "the first player enters a piece on j8 [entry, named_enters]"
        ]

    def test_a_piece_enters_by_a_sum(self):
        """ "Moves up the line of squares to the full extent of the total throws"."""
        position = standing(PANCHA_PARKER, "0 0 0 / 0 0 0", [mouths(PANCHA_PARKER, up) for up in (5, 4)])
        assert sentences_of(PANCHA_PARKER, position, "enter +9 in all") == [
            "the first player enters a piece on b4 [entry, enter_scores, entry_spends, series_played]"
        ]

    def test_the_extra_point(self):
        """ "An addition of 1 is made to the score … 1 being charged for the entry"."""
        throws = [mouths(SOKKATTAN, 1), mouths(SOKKATTAN, 2)]
        waits = standing(SOKKATTAN, "0 20 30 / 0 0 0 / 0 0 0 / 0 0 0", throws)
        assert sentences_of(SOKKATTAN, waits, "enter extra 1") == [
            "the first player enters a piece on j8 [entry, extra_scores]"
        ]
        nobody = standing(SOKKATTAN, "10 20 30 / 0 0 0 / 0 0 0 / 0 0 0", throws)
        assert sentences_of(SOKKATTAN, nobody, "k2 +11 with its extra point") == [
            "the first player moves 11 squares to p9 [extra_scores, extra_spent]"
        ]
        assert sentences_of(SOKKATTAN, nobody, "k2 +2") == ["the first player moves 2 squares to k4"]

    def test_a_throw_names_its_extra_point_and_its_rules(self):
        found = {}
        for ruleset, number in ((SOKKATTAN, 12), (ASI, 25)):
            for ply in islice(plies(ruleset, 1, number), 60):
                for event, text in zip(ply.played.events, notation.describe(ply), strict=True):
                    if event.kind == "throw":
                        found[text.sentence.partition(" throws ")[2]] = fired(ruleset, text.keys)
        assert found["5 mouths up, pachis: 25 and an extra point"] == ["scores", "again_scores", "extra_scores"]
        assert found["3 mouths up, the yellow shell’s down, so-hatara: 4"] == [
            "named_mouths",
            "named_score",
            "named_ones",
            "named_again",
        ]

    def test_a_double_brings_home_from_where_it_is_wanted(self):
        """From 1, 3 and 4 squares away; from two, and by a whole throw, no double is wanted."""
        four = standing(SATURANKAM, "77 0 / 1 1", [dice(SATURANKAM, 4, 4)])
        assert sentences_of(SATURANKAM, four, "d6 +4") == [
            "the first player moves 4 squares [division]",
            "a piece of the first player is home [goal, exit_doubles]",
            "the first player cannot play the remaining 4: no piece enters unless both dice show 1 "
            "[entry, enter_double]",
        ]
        eight = standing(SATURANKAM, "73 81 / 1 1", [dice(SATURANKAM, 4, 4)])
        assert "a piece of the first player is home [goal]" in sentences_of(SATURANKAM, eight, "f4 +8")

    def test_what_is_struck_and_what_is_safe(self):
        """ "Unless it be upon one of the squares crossed by diagonals": c16 is a corner, c17 is plain."""
        for step, sentence in (
            (26, "a piece of the second player is safe on c16 [safe_squares]"),
            (27, "a piece of the second player must go back from c17 [sends_back]"),
        ):
            second = course(KAWADE.parameters).tracks[1][step]
            first = course(KAWADE.parameters).tracks[0].index(second)
            position = standing(KAWADE, f"{first - 2} 0 0 / {step} 0 0", [mouths(KAWADE, 2)])
            name = step_name(KAWADE.parameters, 0, first - 2)
            assert sentences_of(KAWADE, position, f"{name} +2")[1] == sentence

    def test_a_pair_is_sent_back(self):
        """ "If two of the opponent's pieces are on this space, they both are sent back … but may both reenter"."""
        # The fourth player's step 8 is a10, the third player's step 25.
        position = standing(TAYAM, f"{FAR} / {FAR} / 25 25 1 1 / 7 0 0 0", [dice(TAYAM, 1, 0)], mover=3, entered=15)
        assert sentences_of(TAYAM, position, "b10 +1")[1] == (
            "2 pieces of the third player must go back from a10 [sends_back, pairs_reenter]"
        )

    def test_dice_that_are_played_singly_have_no_sum(self):
        for ruleset, shown in ((PAHADA, "6 and 3"), (MARIN_DICE, "6")):
            sentence = notation.describe(next(plies(ruleset, 1, 0)))[0].sentence
            assert sentence == f"the first player throws {shown}"


class TestWhyNothingIsPlayed:
    @pytest.mark.parametrize(
        ("ruleset", "pieces", "throws", "why"),
        [
            (PANCHA, "0 0 0 / 0 0 0", [0], "has nothing to play and passes"),
            (PANCHA, "0 0 31 / 0 0 0", [2], "no piece enters by 2 [entry, enter_scores]"),
            (PANCHA, "28 29 31 / 0 0 0", [4], "f3 is 3 squares from home, fewer than 4; f4 is 2 squares from home, f"),
            (ASI, "0 0 0 14 / 6 0 0 0 / 0 0 0 0 / 0 0 0 0", [6], "j7, where the other side stands [entry, enter_sco"),
            (ASI, "44 48 48 48 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", [3], "f1' goes by ones only [home_row_ones]"),
            (SOKKATTAN, "0 0 83 / 0 0 0 / 0 0 0 / 0 0 0", [4], "without an extra point; j8' is 1 square from home, f"),
        ],
    )
    def test_of_cowries(self, ruleset, pieces, throws, why):
        position = standing(ruleset, pieces, [mouths(ruleset, up, up > 0) for up in throws])
        assert options(ruleset, position) == ["pass"]
        assert why in sentences_of(ruleset, position, "pass")[0]

    @pytest.mark.parametrize(
        ("ruleset", "pieces", "faces", "why"),
        [
            (TAYAM, f"0 0 0 0 / {FAR} / {FAR} / {FAR}", (4, 1), "first piece does not enter by 5 [entry, first_ent"),
            (SATURANKAM, "0 0 / 1 1", (4, 4), "no piece enters unless both dice show 1 [entry, enter_double]"),
            (
                SATURANKAM,
                "77 81 / 1 1",
                (4, 6),
                "10 is played whole or not at all; d6 is 4 squares from home, fewer than 10 [division]",
            ),
            (PAHADA, f"75 75 75 75 / {FAR} / 1 1 1 1 / {FAR}", (3, 4), "i1 may not enter its home row yet [partner_"),
        ],
    )
    def test_of_dice(self, ruleset, pieces, faces, why):
        position = standing(ruleset, pieces, [dice(ruleset, *faces)])
        assert options(ruleset, position) == ["pass"]
        assert why in sentences_of(ruleset, position, "pass")[0]

    def test_a_double_is_wanted(self):
        position = standing(SATURANKAM, "77 81 / 1 1", [dice(SATURANKAM, 1, 3)])
        assert (
            "d6 goes home only when both dice show 4 [division, exit_doubles]"
            in sentences_of(SATURANKAM, position, "pass")[0]
        )

    def test_the_partner_stops_at_the_corner(self):
        position = standing(PAHADA, f"20 20 20 74 / {FAR} / 33 34 34 34 / {FAR}", [dice(PAHADA, 3, 4)], mover=2)
        assert sentences_of(PAHADA, position, "pass") == [
            "the third player can play nothing and passes: h9 may not go beyond i8 while the partner waits; "
            "from i8 only two go on together, by a double, while the partner waits [partner_bar]"
        ]

    def test_a_closed_square(self):
        """b5, which both sides tread as their tenth square, is marked."""
        closed = with_changes(KAWADE, {"safe_meeting": "passed_over"})
        position = standing(closed, "8 66 66 / 10 0 0", [mouths(closed, 2)])
        assert sentences_of(closed, position, "pass")[0].endswith(
            "b3 may not come to b5, where the other side stands [safe_squares, safe_meeting]"
        )

    def test_another_sides_square_is_called_as_that_side_calls_it(self):
        """Turn 195 of the playthrough of Tayam sonalu: the fourth player on j19, on which the third turns home."""
        # j19 is the third player's eighth and 76th square and the fourth player's 59th.
        position = standing(TAYAM, f"{FAR} / {FAR} / 74 84 84 84 / 59 9 9 9", [dice(TAYAM, 2, 4)], mover=2, entered=15)
        assert sentences_of(TAYAM, position, "pass") == [
            "the third player can play nothing and passes: k18 may not go beyond j19, where the other side stands "
            "[no_passing]"
        ]

    def test_pieces_that_sleep_are_named_together(self):
        """Each of nine dogs was told to be asleep, in as many clauses."""
        ruleset = shipped.load("tab-reference")
        told = {
            event.sentence
            for ply in islice(plies(ruleset, 1, 0), 12)
            for event in narration.events(ruleset, ply)
            if event.kind == "pass"
        }
        assert any(one.endswith("passes: the pieces on 9 squares are asleep, and 2 wakes nobody") for one in told)

    def test_the_rest_of_a_throw(self):
        """Turn 52 of the playthrough of Pancha keliya after the paraphrase: 1 and 4 with pieces on f2 and f4."""
        position = standing(PANCHA, "27 29 31 / 0 0 0", [mouths(PANCHA, up) for up in (1, 4)])
        assert sentences_of(PANCHA, position, "f2 +1")[1] == (
            "the first player cannot play the remaining 4: f3 is 3 squares from home, fewer than 4; "
            "f4 is 2 squares from home, fewer than 4"
        )
        throws = [mouths(ASI, 3, marked_up=False), mouths(ASI, 3, marked_up=False), mouths(ASI, 4)]
        assert sentences_of(ASI, of_asi("47 48 48 48", *throws), "f4' +one")[-1] == (
            "the first player cannot play the remaining 7 ones and 4: all his pieces are home"
        )
        last = standing(TAYAM, f"83 84 84 84 / {FAR} / 9 9 9 9 / {FAR}", [dice(TAYAM, 0, 1), dice(TAYAM, 4, 4)])
        assert (
            sentences_of(TAYAM, last, "j8' +1")[-1]
            == "the first player cannot play the remaining 8: all his pieces are home"
        )

    @pytest.mark.parametrize("name", SOME_CASES)
    def test_there_is_a_reason_for_every_part_that_no_piece_can_play(self, name):
        """Who passes has a reason for each of his pieces on the way; who can play everything has none."""
        rules = CASES[name].parameters
        for ply in islice(plies(CASES[name], 1898, 3), 300):
            found = hindrances(rules, ply.before)
            if notation.move_name(rules, ply.before, ply.move) == "pass":
                left = {step for step in ply.before.pieces[ply.seat] if step < course(rules).home}
                has_throw = bool(notation.parts_in_hand(ply.before))
                assert {hindrance.step for hindrance in found if hindrance.obstacle.kind != "whole"} == (
                    left if has_throw else set()
                )
            assert moves(rules, ply.before)
