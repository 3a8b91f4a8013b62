"""Single turns worked out by hand from the records: Pahada keliya, Asi keliya, Tayam sonalu, Marin's board.

Positions are written as every seat's steps on its own track; partners sit opposite, seats 0 and 2 against 1 and 3. On
the cross of 3 by 8 a seat's steps 8–75 are the outer way, 76–83 its home row, 84 home; a square that is step s for one
is s - 34 (or s + 34) for its partner.
"""

import pytest

from simulator.engine.documents import with_changes
from tests.engine.race.positions import dice, mouths, options, play, standing, steps
from tests.engine.rulesets import RULESETS

PAHADA, ASI, TAYAM = RULESETS["pahada-keliya-dlp"], RULESETS["asi-keliya-dlp"], RULESETS["tayam-sonalu-dlp"]
MARIN_PANCHA = RULESETS["pancha-keliya-complex-marin-pancha"]
MARIN_DICE = RULESETS["pancha-keliya-complex-marin-dice"]
FAR = "9 9 9 9"  # pieces that meet nobody


def pahada(first, partner, *faces, opponents=FAR, ruleset=PAHADA, **words):
    throw = dice(ruleset, *faces)
    return standing(ruleset, f"{first} / {opponents} / {partner} / {FAR}", [throw], **words)


class TestPahada:
    def test_each_die_one_piece_or_both_by_one(self):
        """ "They may … move two pieces each the value of one of the dice, or one piece twice"."""
        position = pahada("6 7 11 11", "6 7 11 11", 3, 4)
        assert options(PAHADA, position) == ["j3 +3", "j2 +3", "k3 +3", "j3 +4", "j2 +4", "k3 +4"]
        assert steps(play(PAHADA, position, "j3 +3", "j2 +4").position).startswith("9 11 11 11 /")
        assert steps(play(PAHADA, position, "j3 +3", "k1 +4").position).startswith("7 11 11 13 /")

    def test_sent_to_the_centre_and_beginning_again(self):
        """ "The opponent's piece is sent to the central square, from which it must begin again"."""
        # The second seat's step 11 is the first one's 28, seventeen squares on.
        position = pahada("24 40 40 40", "1 1 1 1", 4, 1, opponents="11 11 20 20")
        struck = play(PAHADA, position, "s9 +4")
        assert (struck.sent_back, struck.position.pieces[1]) == (2, [0, 0, 20, 20])
        again = standing(PAHADA, f"{FAR} / 0 0 20 20 / {FAR} / {FAR}", [dice(PAHADA, 6, 3)], mover=1)
        assert options(PAHADA, again)[0] == "enter 3"
        assert play(PAHADA, again, "enter 3", "enter 6").position.pieces[1] == [3, 6, 20, 20]

    def test_crosses_protect_only_if_the_reading_says_so(self):
        """The record marks squares and says nothing of what they are for."""
        protect = with_changes(PAHADA, {"safe_squares": "true"})
        # The first seat's step 12 is k4, a cross; the second seat is there at step 12 - 17 + 68 = 63.
        for ruleset, struck in ((PAHADA, 1), (protect, 0)):
            position = pahada("9 40 40 40", "1 1 1 1", 3, 1, opponents="63 20 20 20", ruleset=ruleset)
            assert play(ruleset, position, "k1 +3").sent_back == struck

    def test_the_bar(self):
        """ "A player cannot move into their central row … unless two of their team member's pieces have moved past"."""
        for partner, can in (
            ("10 10 10 41", False),
            ("10 10 42 41", False),
            ("10 10 42 42", True),
            ("1 1 42 84", True),
        ):
            position = pahada("75 20 20 20", partner, 1, 3)
            assert ("i1 +1" in options(PAHADA, position)) == can

    def test_three_may_have_to_pass(self):
        """ "If two or more of the team member's pieces remain behind": then three of four must have passed."""
        three = with_changes(PAHADA, {"partner_bar": "3"})
        for partner, can in (("10 10 42 42", False), ("10 42 42 42", True)):
            position = pahada("75 20 20 20", partner, 1, 3, ruleset=three)
            assert ("i1 +1" in options(three, position)) == can

    def test_pieces_wait_on_the_final_three_squares(self):
        """ "The player's pieces may not advance past the final three spaces in which they can be sent back"."""
        position = pahada("72 20 20 20", "1 1 1 1", 3, 4)
        assert [name for name in options(PAHADA, position) if name.startswith("i4")] == ["i4 +3"]

    def test_the_partner_stops_at_the_inner_corner_by_exact_throws(self):
        """ "Neither they, nor any of the team's pieces, can proceed until two of the team member's pieces are placed,
        by exact throws, on the left inner corner"."""
        # Seat 0 waits at 74; the corner of its arm, its step 68, is its partner's step 34.
        waits = standing(PAHADA, f"20 20 20 74 / {FAR} / 30 31 33 34 / {FAR}", [dice(PAHADA, 3, 4)], mover=2)
        assert options(PAHADA, waits) == ["e9 +3", "f9 +3", "e9 +4"]
        free = standing(PAHADA, f"20 20 20 20 / {FAR} / 30 31 33 34 / {FAR}", [dice(PAHADA, 3, 4)], mover=2)
        assert len(options(PAHADA, free)) == 8

    def test_two_leave_together_by_a_double_and_open_the_row(self):
        """ "These two pieces must then proceed together; i.e., only on double throws … Once a double throw is
        successfully made and both pieces moved, the waiting pieces may proceed up the central row"."""
        corner = f"20 20 20 74 / {FAR} / 1 1 34 34 / {FAR}"
        unlike = standing(PAHADA, corner, [dice(PAHADA, 3, 4)], mover=2)
        assert "leave together" not in options(PAHADA, unlike)
        double = standing(PAHADA, corner, [dice(PAHADA, 3, 3)], mover=2)
        assert options(PAHADA, double) == ["j12 +3", "leave together"]
        left = play(PAHADA, double, "leave together")
        assert (steps(left.position), left.turn_over) == (f"20 20 20 74 / {FAR} / 1 1 37 37 / {FAR}", True)
        assert left.position.opened == 1
        open_row = pahada("20 20 20 74", "1 1 37 37", 3, 4, opened=1)
        assert "i2 +3" in options(PAHADA, open_row)

    def test_no_double_six_onto_a_waiting_piece(self):
        """ "A double 6 cannot be used if one of the pieces waiting to move occupies the relevant space"."""
        # Six squares beyond the corner, 34 + 6, is the waiting player's step 74.
        for waiting, can in ((73, True), (74, False), (75, True)):
            corner = f"20 20 20 {waiting} / {FAR} / 1 1 34 34 / {FAR}"
            position = standing(PAHADA, corner, [dice(PAHADA, 6, 6)], mover=2)
            assert ("leave together" in options(PAHADA, position)) == can

    def test_passing_when_nothing_can_be_moved(self):
        """ "When players cannot move the throws, they pass their turn"; home takes an exact throw."""
        position = pahada("82 82 84 84", "84 84 84 84", 3, 4)
        assert options(PAHADA, position) == ["pass"]
        played = play(PAHADA, position, "pass")
        assert (played.turn_over, played.passed, played.position.mover) == (True, True, 1)

    def test_a_team_wins_together_and_a_finished_player_is_passed_by(self):
        """ "The first team to place all of their pieces in the central square wins"."""
        not_yet = play(PAHADA, pahada("83 84 84 84", "82 84 84 84", 1, 3), "j8' +1")
        assert (not_yet.position.end, not_yet.position.mover) == (-1, 1)
        fourth = standing(PAHADA, f"84 84 84 84 / {FAR} / {FAR} / {FAR}", [dice(PAHADA, 1, 3)], mover=3)
        assert play(PAHADA, fourth, "a9 +1", "a9 +3").position.mover == 1
        won = play(PAHADA, pahada("83 84 84 84", "84 84 84 84", 1, 3), "j8' +1")
        assert (won.position.end, won.position.winners) == (0, 0b0101)


def asi(first, *throws, opponents="1 1 1 1", **words):
    return standing(ASI, f"{first} / {opponents} / 1 1 1 1 / 1 1 1 1", list(throws), **words)


class TestAsi:
    SO_HATARA = mouths(ASI, 3, marked_up=False)

    def test_1_5_or_so_hatara_enter(self):
        """ "A 1, 5, or So-hatara must be thrown to enter a piece on the board"."""
        for up, can in ((0, False), (1, True), (2, False), (3, False), (4, False), (5, True), (6, False)):
            assert (options(ASI, asi("0 0 0 0", mouths(ASI, up, up > 0))) != ["pass"]) == can
        assert options(ASI, asi("0 0 0 0", self.SO_HATARA)) == ["enter one"]

    def test_so_hatara_is_divided_at_will(self):
        """ "The total of the throw can be subdivided however the player sees fit"."""
        position = asi("0 0 10 20", self.SO_HATARA)
        spread = play(ASI, position, "enter one", "f4 +one", "h5 +one", "g8 +one")
        assert (spread.position.pieces[0], spread.turn_over) == ([0, 2, 11, 21], True)

    def test_no_passing_but_landing(self):
        """ "Players may not move beyond a piece of the opposing team"; "lands on a space occupied …, sent back"."""
        # The second seat's step 4 is the end of its arm, k6, the first one's step 14.
        position = asi("12 40 40 40", mouths(ASI, 2), mouths(ASI, 4), opponents="4 45 45 45")
        own = [name for name in options(ASI, position) if name.startswith("j5")]
        assert own == ["j5 +2"]
        landed = play(ASI, position, "j5 +2")
        assert (landed.sent_back, landed.position.pieces[1]) == (1, [0, 45, 45, 45])

    def test_so_hatara_goes_beyond_and_sends_back(self):
        """ "A piece moving beyond an opponent's piece sends the opponent's piece back to start"."""
        position = asi("12 40 40 40", self.SO_HATARA, opponents="4 4 45 45")
        beyond = play(ASI, position, "j5 +one", "k5 +one", "k6 +one", "k7 +one")
        assert (beyond.position.pieces[0], beyond.position.pieces[1]) == ([16, 40, 40, 40], [0, 0, 45, 45])
        assert beyond.position.pairs[1] == 1

    def test_partners_do_not_stop_or_send_back_each_other(self):
        # The partner's step 28 is the first seat's 8.
        position = standing(ASI, "7 40 40 40 / 1 1 1 1 / 28 1 1 1 / 1 1 1 1", [mouths(ASI, 1), mouths(ASI, 2)])
        assert play(ASI, position, "g3 +1").sent_back == 0
        assert play(ASI, position, "g3 +2").position.pieces[0][0] == 9

    def test_corner_squares_are_safe(self):
        """ "Pieces resting on the corner spaces between the arms of the cross cannot be sent to start"."""
        # The first corner is the first seat's step 9 (h4) and the second seat's 9 - 10 + 40 = 39.
        position = asi("7 30 30 30", mouths(ASI, 2), opponents="39 45 45 45")
        assert play(ASI, position, "g3 +2").sent_back == 0

    def test_two_sent_back_together_enter_together(self):
        """ "They both are sent back to start, but may both reenter with a throw ordinarily applied to reenter one"."""
        position = standing(
            ASI, "1 1 1 1 / 0 0 0 44 / 1 1 1 1 / 1 1 1 1", [mouths(ASI, 5)], mover=1, pairs=[0, 1, 0, 0]
        )
        entered = play(ASI, position, "enter 5")
        assert (entered.position.pieces[1], entered.entries, entered.position.pairs[1]) == ([0, 1, 1, 44], 2, 0)

    def test_home_row_one_square_at_a_time(self):
        """ "When pieces reach the central row of their arm, they may only proceed along it one space at a time, with a
        throw of 1 or So-hatara"."""
        # The home row is steps 44–47; its first square is reached by any throw, home (48) by a one.
        for step, up, can in (
            (42, 2, True),
            (41, 4, False),
            (44, 2, False),
            (44, 1, True),
            (47, 1, True),
            (46, 2, False),
        ):
            position = asi(f"{step} 48 48 48", mouths(ASI, up))
            assert (options(ASI, position) != ["pass"]) == can
        up_the_row = play(ASI, asi("44 48 48 48", self.SO_HATARA), "f1' +one", "f2' +one", "f3' +one", "f4' +one")
        assert up_the_row.position.pieces[0] == [48] * 4


class TestTayam:
    TAYAM, SONAL, FIVE = dice(TAYAM, 0, 1), dice(TAYAM, 0, 4), dice(TAYAM, 1, 4)

    def tayam(self, first, *throws, **words):
        return standing(TAYAM, f"{first} / 1 1 1 1 / 1 1 1 1 / 1 1 1 1", list(throws), **words)

    def test_the_first_counter_enters_by_tayam(self):
        """ "The first counter of each player must be entered with a throw of Tayam"."""
        assert options(TAYAM, self.tayam("0 0 0 0", self.FIVE)) == ["pass"]
        assert options(TAYAM, self.tayam("0 0 0 0", self.SONAL)) == ["pass"]
        entered = play(TAYAM, self.tayam("0 0 0 0", self.TAYAM, self.FIVE), "enter 1")
        assert (entered.position.entered, options(TAYAM, entered.position)) == (1, ["enter 5", "j8 +5"])

    def test_later_ones_by_1_5_or_sonal_on_the_first_square(self):
        """ "After this, pieces may be entered with a throw of 1, 5, or Sonal, each of which enter the piece on the
        first square of the central row of their arm"."""
        for throw in (self.TAYAM, self.SONAL, self.FIVE):
            position = self.tayam("0 0 0 20", throw, entered=1)
            assert play(TAYAM, position, options(TAYAM, position)[0]).position.pieces[0] == [0, 0, 1, 20]
        fours = self.tayam("0 0 0 20", dice(TAYAM, 2, 2), entered=1)
        assert options(TAYAM, fours) == ["o9 +4"]

    def test_undivided_throws_of_a_series(self):
        """ "The undivided value of each throw being used to move a piece"."""
        position = self.tayam("10 20 84 84", self.SONAL, dice(TAYAM, 2, 4))
        assert options(TAYAM, position) == ["k2 +4 by name", "o9 +4 by name", "k2 +6", "o9 +6"]

    def test_no_passing_the_other_side_but_ones_own(self):
        """ "Pieces cannot move past the pieces of the opposing team, but can move past pieces of their own team"."""
        # o9, the first seat's step 20, is the partner's 54, and step 3 of nobody else but the second seat's 71.
        for others, can in (("71 1 1 1 / 1 1 1 1", False), ("1 1 1 1 / 54 1 1 1", True), ("1 1 1 1 / 1 1 1 1", True)):
            position = standing(TAYAM, f"18 84 84 84 / {others} / 1 1 1 1", [dice(TAYAM, 2, 1)])
            assert (options(TAYAM, position) == ["m9 +3"]) == can


class TestMarin:
    def test_no_place_of_safety_but_every_fifth_square(self):
        """ "When one player's counter lands in a place already occupied by an opponent's piece, the latter is sent
        back"; "places of safety where such 'sending back' cannot take place"."""
        # On the stem both seats count alike: step 8 is b3, step 11 the marked b6.
        position = standing(MARIN_DICE, "5 67 / 8 8", [dice(MARIN_DICE, 3)])
        assert play(MARIN_DICE, position, "a5 +3").sent_back == 2
        position = standing(MARIN_DICE, "5 67 / 11 11", [dice(MARIN_DICE, 6)])
        assert play(MARIN_DICE, position, "a5 +6").sent_back == 0

    @pytest.mark.parametrize(("ruleset", "throw", "square"), [(MARIN_DICE, 4, 4), (MARIN_PANCHA, 6, 1)])
    def test_entry(self, ruleset, throw, square):
        lots = dice(ruleset, throw) if ruleset is MARIN_DICE else mouths(ruleset, throw)
        waiting = " ".join("0" * ruleset.parameters["pieces"])
        position = standing(ruleset, f"{waiting} / {waiting}", [lots])
        assert play(ruleset, position, f"enter {throw}").position.pieces[0][-1] == square
