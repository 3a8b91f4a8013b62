"""Single turns worked out by hand from the quotations: Sokkattan, Pancha keliya, Saturankam, Kawade kelia.

Positions are written as every seat's steps on its own track; 0 waits.
"""

import pytest

from simulator.engine.documents import with_changes
from simulator.engine.families.race.position import PASS
from simulator.engine.families.race.referee.contract import moves
from simulator.engine.families.race.referee.contract import play as play_move
from simulator.engine.referee_playout import IllegalMove
from tests.engine.race.positions import dice, draws, mouths, options, play, standing, steps
from tests.engine.rulesets import RULESETS

SOKKATTAN = with_changes(RULESETS["sokkattan-parker"], {"seats": "2"})
SOKKATTAN_DLP = with_changes(RULESETS["sokkattan-dlp"], {"seats": "2"})
PANCHA, PANCHA_DLP = RULESETS["pancha-keliya-parker"], RULESETS["pancha-keliya-dlp"]
SATURANKAM, SATURANKAM_DLP = RULESETS["saturankam-parker"], RULESETS["saturankam-dlp"]
KAWADE, KAWADE_DLP = RULESETS["kawade-kelia-culin"], RULESETS["kawade-kelia-dlp"]


class TestSokkattan:
    def test_nothing_enters_without_10_or_25(self):
        """ "Until he obtains a 10 or 25 his counters cannot enter the board"."""
        for up in (0, 2, 3, 4, 6):
            assert options(SOKKATTAN, standing(SOKKATTAN, "0 0 0 / 0 0 0", [mouths(SOKKATTAN, up, up > 0)])) == ["pass"]

    def test_10_enters_one_counter_which_may_then_go_ten(self):
        """The extra 1 pays for the entry; the 10 itself brings the counter to its eleventh square."""
        position = standing(SOKKATTAN, "0 0 0 / 0 0 0", [mouths(SOKKATTAN, 1)])
        assert options(SOKKATTAN, position) == ["enter extra 1"]
        entered = play(SOKKATTAN, position, "enter extra 1")
        assert (steps(entered.position), entered.entries, entered.turn_over) == ("0 0 1 / 0 0 0", 1, False)
        moved = play(SOKKATTAN, entered.position, "j8 +10")
        assert (steps(moved.position), moved.turn_over) == ("0 0 11 / 0 0 0", True)

    def test_the_extra_point_of_a_waiting_counter_only_enters(self):
        position = standing(SOKKATTAN, "0 5 30 / 0 0 0", [mouths(SOKKATTAN, 5)])
        assert options(SOKKATTAN, position) == ["enter extra 1", "j4 +25", "o11 +25"]

    def test_all_in_the_game_10_is_eleven_or_ten_and_one(self):
        """ "A throw of 10 is counted as 11 … Excepting that this extra may be used separately, the amount of each throw
        cannot be subdivided among different counters"."""
        position = standing(SOKKATTAN, "5 20 30 / 0 0 0", [mouths(SOKKATTAN, 1)])
        assert options(SOKKATTAN, position)[::3] == [
            "j4 +11 with its extra point",
            "j4 +1 of 11",
            "j4 +10 of 11",
        ]
        whole = play(SOKKATTAN, position, "j4 +11 with its extra point")
        assert (steps(whole.position), whole.turn_over) == ("16 20 30 / 0 0 0", True)
        parts = play(SOKKATTAN, position, "j4 +1 of 11", "o9 +10")
        assert (steps(parts.position), parts.turn_over) == ("6 30 30 / 0 0 0", True)

    def test_for_the_portal_ten_and_one_are_always_two_moves(self):
        position = standing(SOKKATTAN_DLP, "5 20 30 / 0 0 0", [mouths(SOKKATTAN_DLP, 1)])
        assert options(SOKKATTAN_DLP, position)[::3] == ["j4 +extra 1", "j4 +10"]

    def test_striking_and_going_on_with_the_other_throw(self):
        """ "To bring a counter into an opponent's square so as to 'strike' his counters, and then move onward to the
        extent of the other part of the score"."""
        # The first player's step 20 is o9; the opposite player stands there at step 20 + 34.
        position = standing(SOKKATTAN, "8 30 30 / 54 54 60", [mouths(SOKKATTAN, 6), mouths(SOKKATTAN, 2)])
        struck = play(SOKKATTAN, position, "j1 +12")
        assert (steps(struck.position), struck.sent_back, struck.turn_over) == ("20 30 30 / 0 0 60", 2, False)
        assert steps(play(SOKKATTAN, struck.position, "o9 +2").position) == "22 30 30 / 0 0 60"
        assert [event.kind for event in struck.events] == ["move", "sent_back"]

    def test_no_striking_on_a_chira(self):
        """ "In these squares the counters cannot be 'struck' by the opponents"."""
        # k4, the first player's step 12, is a castle; the opposite player is there at step 12 + 34.
        position = standing(SOKKATTAN, "8 30 30 / 46 60 60", [mouths(SOKKATTAN, 4)])
        met = play(SOKKATTAN, position, "j1 +4")
        assert (steps(met.position), met.sent_back) == ("12 30 30 / 46 60 60", 0)

    def test_the_enclosure_is_entered_by_the_exact_number(self):
        """ "To enter the central enclosure the exact number required must be thrown"."""
        for step, up, can in ((80, 4, True), (81, 4, False), (81, 3, True), (82, 3, False), (82, 2, True)):
            position = standing(SOKKATTAN, f"{step} 84 84 / 0 0 0", [mouths(SOKKATTAN, up)])
            assert (options(SOKKATTAN, position) != ["pass"]) == can

    def test_from_the_last_square_only_by_10_or_25(self):
        """ "If the counter be in the last square this can only be obtained by throwing 10 or 25, the extra score of 1 …
        being utilised for the purpose"."""
        for up in (0, 2, 3, 4, 6):
            position = standing(SOKKATTAN, "83 84 84 / 0 0 0", [mouths(SOKKATTAN, up, up > 0)])
            assert options(SOKKATTAN, position) == ["pass"]
        won = play(SOKKATTAN, standing(SOKKATTAN, "83 84 84 / 0 0 0", [mouths(SOKKATTAN, 5)]), "j8' +1 of 26")
        assert (won.position.end, won.position.winners, won.turn_over) == (0, 1, True)

    def test_counters_are_not_blocked(self):
        """ "The counters are not blocked as in Pahada Keliya"."""
        position = standing(SOKKATTAN, "18 30 30 / 53 53 60", [mouths(SOKKATTAN, 4)])
        assert steps(play(SOKKATTAN, position, "m9 +4").position) == "22 30 30 / 53 53 60"

    def test_an_illegal_move_is_refused(self):
        position = standing(SOKKATTAN, "0 0 0 / 0 0 0", [mouths(SOKKATTAN, 2)])
        with pytest.raises(IllegalMove):
            play_move(SOKKATTAN.parameters, position, 0, draws())
        assert moves(SOKKATTAN.parameters, position) == [PASS]


class TestPancha:
    def test_only_6_5_and_1_admit(self):
        """ "To admit each Itta into the board a player must throw 6, 5, or 1"."""
        for up, can in ((0, False), (1, True), (2, False), (3, False), (4, False), (5, True), (6, True)):
            position = standing(PANCHA_DLP, "0 0 0 / 0 0 0", [mouths(PANCHA_DLP, up, up > 0)])
            assert options(PANCHA_DLP, position) == ([f"enter {up}"] if can else ["pass"])

    def test_does_the_admitting_throw_move_the_piece(self):
        """An open question: six squares on (the total of the throws), as in both readings, or the first square only."""
        used_up = with_changes(PANCHA_DLP, {"entry_spends": "whole_throw"})
        for ruleset, reached in ((PANCHA, 6), (PANCHA_DLP, 6), (used_up, 1)):
            played = play(ruleset, standing(ruleset, "0 0 0 / 0 0 0", [mouths(ruleset, 6)]), "enter 6")
            assert steps(played.position) == f"0 0 {reached} / 0 0 0"

    def test_the_total_or_each_throw(self):
        """ "Moves up … to the full extent of the total throws; or the score of each throw may be used for each
        Itta"."""
        throws = [mouths(PANCHA, 5), mouths(PANCHA, 2)]
        position = standing(PANCHA, "0 3 9 / 0 0 0", throws)
        assert options(PANCHA, position) == [
            "a3 +2",
            "b4 +2",
            "enter 5",
            "a3 +5",
            "b4 +5",
            "enter +7 in all",
            "a3 +7 in all",
            "b4 +7 in all",
        ]
        assert steps(play(PANCHA, position, "a3 +7 in all").position) == "0 9 10 / 0 0 0"
        assert steps(play(PANCHA, position, "a3 +2", "enter 5").position) == "5 5 9 / 0 0 0"
        assert options(PANCHA_DLP, standing(PANCHA_DLP, "0 3 9 / 0 0 0", throws))[-1] == "b4 +5"

    def test_only_the_total(self):
        """Were a series always played as its sum, an entry that uses its throw up would stay apart from it."""
        ruleset = with_changes(PANCHA_DLP, {"series_played": "total", "entry_spends": "whole_throw"})
        position = standing(ruleset, "0 3 9 / 0 0 0", [mouths(ruleset, 5), mouths(ruleset, 2)])
        assert options(ruleset, position) == ["enter 5", "a3 +7 in all", "b4 +7 in all"]
        assert steps(play(ruleset, position, "enter 5", "a3 +2 in all").position) == "1 5 9 / 0 0 0"

    def test_cutting_in_a_room_and_not_in_a_house(self):
        """ "An Itta is 'cut' out only when the opponent's Itta enters the same Kamara or blank square"; "In any of
        these squares [houses] the counters are safe from attack"."""
        position = standing(PANCHA, "7 20 31 / 10 11 31", [mouths(PANCHA, 4)])
        cut = play(PANCHA, position, "b2 +4")
        assert (steps(cut.position), cut.sent_back) == ("11 20 31 / 0 10 31", 1)
        position = standing(PANCHA, "7 20 31 / 10 11 31", [mouths(PANCHA, 3)])
        house = play(PANCHA, position, "b2 +3")
        assert (steps(house.position), house.sent_back) == ("10 20 31 / 10 11 31", 0)

    def test_the_rows_halves_do_not_meet(self):
        """Each side comes from its own end: step 3 is a3 for one and a7 for the other."""
        position = standing(PANCHA, "1 20 31 / 3 11 31", [mouths(PANCHA, 2)])
        assert play(PANCHA, position, "a1 +2").sent_back == 0

    def test_landing(self):
        """ "Exactly one more than the number of squares up to and including the Kenda-ge, must be thrown"."""
        for step, up, can in ((30, 1, True), (30, 2, False), (27, 4, True), (27, 5, False), (25, 6, True)):
            position = standing(PANCHA_DLP, f"{step} 31 31 / 0 0 0", [mouths(PANCHA_DLP, up)])
            assert (options(PANCHA_DLP, position) != ["pass"]) == can


class TestSaturankam:
    def test_the_sum_by_one_or_divided_in_any_way(self):
        """ "The sum may be used as the distance for moving one counter, or it may be divided in any way"."""
        position = standing(SATURANKAM, "5 11 / 1 1", [dice(SATURANKAM, 1, 3)])
        assert options(SATURANKAM, position) == [
            "i1 +1",
            "i7 +1",
            "i1 +2",
            "i7 +2",
            "i1 +3",
            "i7 +3",
            "i1 +4",
            "i7 +4",
        ]
        shared = play(SATURANKAM, position, "i1 +1")
        assert options(SATURANKAM, shared.position) == ["i7 +3"]
        assert not shared.turn_over
        assert steps(play(SATURANKAM, shared.position, "i7 +3").position) == "6 14 / 1 1"

    def test_doubles_are_thrown_again_once_played(self):
        """ "When both dice show the same number uppermost the player has an additional roll"."""
        position = standing(SATURANKAM, "5 11 / 1 1", [dice(SATURANKAM, 3, 3)], again=1)
        played = play(SATURANKAM, position, "i1 +6")
        assert (played.turn_over, played.position.mover) == (False, 0)
        assert played.position.pool > 0

    def test_passing_over_chops_for_parker_only(self):
        """ "This is done by passing over of his counters into or over their square"."""
        # The first player's steps 20 and 21 are b9 and a9, the opposite player's 4 and 5.
        for ruleset, struck, left in ((SATURANKAM, 2, "0 0"), (SATURANKAM_DLP, 1, "0 4")):
            position = standing(ruleset, "17 70 / 4 5", [dice(ruleset, 1, 3)])
            played = play(ruleset, position, "e9 +4")
            assert (played.sent_back, steps(played.position)) == (struck, f"21 70 / {left}")

    def test_crossed_squares_are_safe_from_landing_and_passing(self):
        """ "While in the crossed squared they are safe from attack"."""
        # Step 9 of the first player is i5, where the opposite player would be at step 25.
        position = standing(SATURANKAM, "5 70 / 25 25", [dice(SATURANKAM, 1, 4)])
        assert play(SATURANKAM, position, "i1 +5").sent_back == 0
        assert play(SATURANKAM, position, "i1 +4").sent_back == 0

    def test_two_ones_are_needed_to_begin_afresh(self):
        """ "Their owner must obtain two ones on the dice, even when only one counter is required to enter"."""
        assert options(SATURANKAM, standing(SATURANKAM, "0 0 / 1 1", [dice(SATURANKAM, 3, 3)])) == ["pass"]
        both = play(
            SATURANKAM, standing(SATURANKAM, "0 0 / 1 1", [dice(SATURANKAM, 1, 1)], again=1), "enter by the double"
        )
        assert (steps(both.position), both.entries, both.turn_over) == ("1 1 / 1 1", 2, False)
        one = standing(SATURANKAM, "0 40 / 1 1", [dice(SATURANKAM, 1, 1)])
        assert options(SATURANKAM, one)[0] == "enter by the double"
        assert steps(play(SATURANKAM, one, "enter by the double").position) == "1 40 / 1 1"

    @pytest.mark.parametrize("away", [1, 3, 4])
    def test_from_1_3_or_4_away_only_its_double(self, away):
        """ "If the number required be 1 this figure must be obtained on both the dice at one roll, even when there is
        only one counter left. In the same manner both dice must show threes or fours"."""
        alone = f"{81 - away} 81 / 1 1"
        for faces in ((1, 3), (3, 4), (1, 1), (3, 3), (4, 4), (6, 6), (1, 4), (3, 6)):
            found = options(SATURANKAM, standing(SATURANKAM, alone, [dice(SATURANKAM, *faces)]))
            goes_out = any(name.endswith(f"+{away}") for name in found)
            assert goes_out == (faces == (away, away))
        won = standing(SATURANKAM, alone, [dice(SATURANKAM, away, away)])
        ended = play(SATURANKAM, won, next(name for name in options(SATURANKAM, won) if name.endswith(f"+{away}")))
        assert (ended.position.end, ended.position.winners) == (0, 1)

    def test_both_pass_out_by_the_same_double(self):
        """ "Passing out either a single counter or both if they be only three or four squares off the centre"."""
        position = standing(SATURANKAM, "78 78 / 1 1", [dice(SATURANKAM, 3, 3)])
        assert options(SATURANKAM, position) == ["e6 +3"]
        first = play(SATURANKAM, position, "e6 +3")
        assert (steps(first.position), first.turn_over) == ("78 81 / 1 1", False)
        assert play(SATURANKAM, first.position, "e6 +3").position.winners == 1

    def test_farther_off_any_division_serves(self):
        """ "Any score on the dice can be divided, so as possibly to enable both counters to pass out together": two
        and five away, a three and a four serve."""
        position = standing(SATURANKAM, "76 79 / 1 1", [dice(SATURANKAM, 3, 4)])
        first = play(SATURANKAM, position, "f6 +2")
        assert steps(first.position) == "76 81 / 1 1"
        assert play(SATURANKAM, first.position, "d5 +5").position.winners == 1

    def test_what_cannot_be_played_whole_is_lost(self):
        """ "One or both must be moved to the extent regulated by the dice if there be room for them": ten is too much
        for counters two and three away, and no part of it is played."""
        assert options(SATURANKAM, standing(SATURANKAM, "78 79 / 1 1", [dice(SATURANKAM, 6, 4)])) == ["pass"]


class TestKawade:
    def test_a_dog_walks_on_by_any_throw(self):
        for up in range(1, 7):
            position = standing(KAWADE, "0 0 0 / 0 0 0", [mouths(KAWADE, up)])
            assert steps(play(KAWADE, position, f"enter {up}").position) == f"0 0 {up} / 0 0 0"
        assert options(KAWADE, standing(KAWADE, "0 0 0 / 0 0 0", [mouths(KAWADE, 0, False)])) == ["pass"]

    def test_they_meet_going_round_in_opposite_directions(self):
        """ "Making the circuit in opposite directions. A player may take and set back an opponent's piece, unless it be
        upon one of the squares crossed by diagonals"."""
        # The circuit is steps 11–52: one's 11 + k is the other's 52 - k. Step 31 is c22, marked; step 30 is c23.
        position = standing(KAWADE, "28 65 65 / 33 33 33", [mouths(KAWADE, 2)])
        assert play(KAWADE, position, "c25 +2").sent_back == 3
        position = standing(KAWADE, "28 65 65 / 32 32 32", [mouths(KAWADE, 3)])
        assert play(KAWADE, position, "c25 +3").sent_back == 0

    def test_where_the_dogs_are_home(self):
        """Culin: they "finish at the end of the interior diagram"; the portal: "down the arc, and off the board"."""
        for ruleset, up in ((KAWADE, 5), (KAWADE_DLP, 6)):
            home = 60 + up
            position = standing(ruleset, f"60 {home} {home} / 0 0 0", [mouths(ruleset, up)])
            assert play(ruleset, position, f"b12 +{up}").position.winners == 1
