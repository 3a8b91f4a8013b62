"""Single turns of Puhulmutu worked out by hand from the quotation, played by the referee and by the kernel.

Rows are written from their owner's left. Anticlockwise, a lap runs along the first player's row from his left, then
along the second player's row from the latter's left.
"""

import pytest

from simulator.engine.documents import with_changes
from tests.engine.boards import ANTICLOCKWISE, CLOCKWISE, begin, board, play, rows, starts
from tests.engine.rulesets import RULESETS

PUHULMUTU = RULESETS["puhulmutu-parker"]
PUHULMUTU_DLP = RULESETS["puhulmutu-dlp"]
FOURS = "4 4 4 4 4 4 4"
EMPTY = "0 0 0 0 0 0 0"
SINGLE_LAST = "0 0 0 0 0 0 1"


class TestPuhulmutu:
    def test_opening_lap_by_lap(self):
        """ "Takes the five seeds out of the hole into which the last one fell … until the final seed falls into an
        empty hole"."""
        # Lap 1: hole 0's four make five in 1–4. Lap 2: the five of hole 4 make five in 5–9. Lap 3: the five of hole
        # 9 go to 10–13 and into hole 0, which the first lap left empty: the turn ends.
        played = play(PUHULMUTU, board(FOURS, FOURS, direction=0), begin(0, ANTICLOCKWISE))
        assert rows(played.position) == ("1 5 5 5 0 5 5", "5 5 0 5 5 5 5")
        assert (played.laps, played.position.mover, played.position.direction) == (3, 1, ANTICLOCKWISE)

    def test_three_is_passed_over(self):
        """ "When a hole has three seeds in it, it must be passed over without receiving any seeds"."""
        # Two counters: holes 1 and 2 hold three and get nothing, hole 3 gets one, the last falls into the empty hole 4.
        played = play(PUHULMUTU, board("2 3 3 0 0 0 0", FOURS), begin(0))
        assert rows(played.position) == ("0 3 3 1 1 0 0", FOURS)

    def test_a_hole_that_became_three_in_the_lap_is_passed_over(self):
        """Judged as the board stands (conjecture); as it stood before the lap, the hole takes its counter."""
        # Sixteen counters, all other holes empty but hole 1 with two. Now: hole 1 becomes three, 2–13 one each,
        # hole 0 one (14 sown), hole 1 is passed over, hole 2 becomes two, and the last makes two of hole 3: the lap
        # goes on with two from hole 3: 4 becomes two, 5 two; so on over 5, 7, 9, 11, 13; from 13: hole 0 becomes
        # two, and the last makes four of the three in hole 1: captured; hole 2 holds two: 3 and 4; hole 4 held two,
        # now three: goes on with three to 5, 6, 7; hole 7 was emptied: the end.
        position = board("16 2 0 0 0 0 0", EMPTY)
        played = play(PUHULMUTU, position, begin(0))
        assert rows(played.position) == ("2 0 0 1 0 1 3", "1 2 0 2 0 2 0")
        assert played.position.stores == [4, 0]
        # As before the lap: hole 1 had two, so it takes a fourth counter, and the last one makes two of hole 2.
        # Goes on 2 → 3, 4; 4 → 5, 6; … 12 → 13 and hole 0, which held one: two, goes on to 1 (five) and 2 (empty):
        # the end.
        before = with_changes(PUHULMUTU, {"pass_over_judged": "before_lap"})
        played = play(before, position, begin(0))
        assert rows(played.position) == ("0 5 1 2 0 2 0", "2 0 2 0 2 0 2")

    def test_making_four_captures_and_goes_on_from_the_next_hole(self):
        """ "He captures the four … He then takes the seeds of the next hole, if there be any, and sows them as
        before"."""
        # The last counter makes four in hole 1. The two of hole 2 then go to 3 and 4; hole 4 was empty.
        played = play(PUHULMUTU, board("1 3 2 0 0 0 0", FOURS), begin(0))
        assert rows(played.position) == ("0 0 0 1 1 0 0", FOURS)
        assert (played.taken, played.laps) == ((4, 0), 2)

    def test_making_four_before_an_empty_hole_ends_the_turn(self):
        """ "If the next hole to that at which he effected the capture be empty his turn is ended"."""
        played = play(PUHULMUTU, board("1 3 0 5 0 0 0", FOURS), begin(0))
        assert rows(played.position) == ("0 0 0 5 0 0 0", FOURS)
        assert (played.taken, played.laps, played.position.mover) == ((4, 0), 1, 1)

    def test_four_are_captured_on_the_opponents_side_too(self):
        """ "When this falls into such a hole he captures the four which are now in that hole": either side."""
        played = play(PUHULMUTU, board(SINGLE_LAST, "3 0 4 4 4 4 4"), begin(6))
        assert rows(played.position) == (EMPTY, "0 0 4 4 4 4 4")
        assert played.taken == (4, 0)

    def test_five_by_a_last_counter_is_no_capture(self):
        """Only three make four: a last counter on four goes on with the five (to 2–6; hole 6 was empty)."""
        played = play(PUHULMUTU, board("1 4 0 0 0 0 0", FOURS), begin(0))
        assert rows(played.position) == ("0 0 1 1 1 1 1", FOURS)
        assert played.taken == (0, 0)

    def test_single_in_the_last_hole(self):
        """ "A single seed in the last hole … cannot be taken as the starting-point if any other hole on his side …
        contain one"."""
        assert starts(PUHULMUTU, board("0 0 1 0 0 0 1", FOURS)) == [2]
        assert starts(PUHULMUTU, board("0 0 0 0 0 0 1", FOURS)) == [6]
        assert starts(PUHULMUTU, board("0 0 1 0 0 0 2", FOURS)) == [2, 6]
        # Clockwise the last hole of the row is the one on the left.
        assert starts(PUHULMUTU, board("1 0 1 0 0 0 1", FOURS, direction=CLOCKWISE)) == [2, 6]

    def test_singles_of_the_paraphrase(self):
        """ "Singletons cannot be moved [if] a player has a hole with multiple counters, and a singleton in the
        front hole …"."""
        assert starts(PUHULMUTU_DLP, board("2 1 0 0 0 0 1", FOURS)) == [0]
        assert starts(PUHULMUTU_DLP, board("0 1 1 0 0 0 1", FOURS)) == [1, 2]
        assert starts(PUHULMUTU_DLP, board("0 0 0 0 0 0 1", FOURS)) == [6]

    def test_a_lap_of_fourteen_sows_its_own_hole_last(self):
        """Whether the starting hole is sown is a question; by default it is, and it is empty: the turn ends there."""
        position = board("14 0 0 0 0 0 0", EMPTY)
        assert rows(play(PUHULMUTU, position, begin(0)).position) == ("1 1 1 1 1 1 1", "1 1 1 1 1 1 1")
        # Passed over, the last counter makes two of hole 1; the two go to 2 and 3, and so on by twos over 3, 5, … 13,
        # whose two end in holes 0 and 1, both empty by then.
        played = play(with_changes(PUHULMUTU, {"origin_passed": "true"}), position, begin(0))
        assert rows(played.position) == ("1 1 2 0 2 0 2", "0 2 0 2 0 2 0")
        assert played.laps == 8

    def test_the_starting_hole_takes_a_counter_if_all_hold_three(self):
        """Conjecture of the shipped readings; the other reading calls the turn endless."""
        # Six counters, threes everywhere else: hole 0 itself takes three, then holds three like all others and
        # takes the fourth because nobody else may, then a fifth; the last makes four of hole 1 (captured). The
        # three of hole 2 go to hole 0 (six), hole 1, and hole 2, empty: the end.
        threes = "3 3 3 3 3 3 3"
        position = board("6 3 3 3 3 3 3", threes)
        played = play(PUHULMUTU, position, begin(0))
        assert rows(played.position) == ("6 1 1 3 3 3 3", threes)
        assert played.taken == (4, 0)
        played = play(with_changes(PUHULMUTU, {"pass_over_full": "endless"}), position, begin(0))
        assert rows(played.position) == ("6 3 3 3 3 3 3", threes)
        assert (played.position.end, played.taken, played.laps) == (2, (0, 0), 0)


class TestMarkedHoles:
    def test_puta_and_naga_are_sown_into(self):
        """ "Seeds are sown as usual, by both players, into these three holes"."""
        assert rows(play(PUHULMUTU, board("3 1p 2p 0 0 0 0", FOURS), begin(0)).position) == ("0 2p 3p 1 0 0 0", FOURS)

    def test_puta_and_naga_are_never_picked_up(self):
        """ "Those in the first two, containing a puta or naga, cannot be taken out and sown"."""
        assert starts(PUHULMUTU, board("4 5p 4 0 0 0 2p", FOURS)) == [0, 2]

    @pytest.mark.parametrize("held", [1, 2, 5])
    def test_a_last_counter_in_one_ends_the_turn(self, held):
        """ "The turn of the player whose last one falls into either of them comes to an end"."""
        played = play(PUHULMUTU, board(f"1 {held}p 4 0 0 0 0", FOURS), begin(0))
        assert rows(played.position) == (f"0 {held + 1}p 4 0 0 0 0", FOURS)
        assert played.position.mover == 1

    def test_making_four_in_a_naga_captures_nothing(self):
        """They "are also free from capture throughout all that round": a naga grown to three, then four."""
        played = play(PUHULMUTU, board("1 3p 4 0 0 0 0", FOURS), begin(0))
        assert rows(played.position) == ("0 4p 4 0 0 0 0", FOURS)
        assert played.taken == (0, 0)

    def test_a_puta_grown_to_three_is_passed_over(self):
        """Conjecture: the rule of threes binds marked holes too; the other reading sows into it."""
        position = board("2 3p 0 0 0 0 0", FOURS)
        assert rows(play(PUHULMUTU, position, begin(0)).position) == ("0 3p 1 1 0 0 0", FOURS)
        never = with_changes(PUHULMUTU, {"pass_over_never_marked": "true"})
        assert rows(play(never, position, begin(0)).position) == ("0 4p 1 0 0 0 0", FOURS)

    def test_the_lap_after_a_capture_does_not_go_on_from_a_puta(self):
        """The next hole's seeds "cannot be taken out and sown": the turn ends with the capture."""
        played = play(PUHULMUTU, board("1 3 2p 4 0 0 0", FOURS), begin(0))
        assert rows(played.position) == ("0 0 2p 4 0 0 0", FOURS)
        assert played.taken == (4, 0)

    @pytest.mark.parametrize("mover", [0, 1])
    def test_blind_holes_get_nothing_from_either_player(self, mover):
        """ "No seeds can be placed in the 'blind' holes by either player"."""
        # First player: holes 4, 5, 6 are blind, so the two of hole 3 fall into 7 and 8 of the other row (empty: the
        # end). Second player: his last hole's five pass on to holes 0–3 and, over the three blind ones, his own
        # first: empty.
        position = board("4 4 4 2 x x x", "0 0 4 4 4 4 5", mover=mover)
        played = play(PUHULMUTU, position, begin(6 if mover else 3))
        expected = ("5 5 5 3 x x x", "1 0 4 4 4 4 0") if mover else ("4 4 4 0 x x x", "1 1 4 4 4 4 5")
        assert rows(played.position) == expected


class TestShortHanded:
    """ "The opponent plays and effects captures in the usual manner; but the 'blind' player only …"."""

    def position(self, first, second, number, **fields):
        return board(first, second, short=1, short_number=number, **fields)

    @pytest.mark.parametrize(("number", "made"), [(2, 3), (1, 2)])
    def test_captures_by_one_more_than_he_laid(self, number, made):
        """ "When his last seed falls into a hole containing two seeds … he takes the three", "only one" if he laid
        ones."""
        played = play(PUHULMUTU, self.position(f"1 {number} 0 0 0 0 0", FOURS, number), begin(0))
        assert (played.taken, rows(played.position)) == ((made, 0), (EMPTY, FOURS))

    def test_captures_on_the_opposite_side_too(self):
        """ "Whether on his own or the opposite side of the board"; then the next hole's seeds, as in the usual
        manner."""
        # Three in hole 7; the four of hole 8 go on to 9–12 as fives, the last on four: five, goes on to 13 and 0–3,
        # empty.
        played = play(PUHULMUTU, self.position("0 0 0 0 0 0 1", "2 4 4 4 4 4 4", 2), begin(6))
        assert played.taken == (3, 0)
        assert rows(played.position) == ("1 1 1 1 0 0 0", "0 0 5 5 5 0 5")

    def test_passes_over_twos_but_sows_into_threes(self):
        """ "All such holes … with two seeds … are passed over by him"; "no longer passes over the holes with three
        seeds"."""
        # Three counters: hole 1 holds three and takes one, hole 2 holds two and is passed over, 3 and 4 were empty.
        played = play(PUHULMUTU, self.position("3 3 2 0 0 0 0", FOURS, 2), begin(0))
        assert rows(played.position) == ("0 4 2 1 1 0 0", FOURS)

    def test_laid_ones_he_passes_over_ones_and_sows_into_twos(self):
        """ "With two seeds or one seed, respectively"."""
        played = play(PUHULMUTU, self.position("3 2 1 0 0 0 0", FOURS, 1), begin(0))
        assert rows(played.position) == ("0 3 1 1 1 0 0", FOURS)

    def test_of_the_paraphrase_passes_over_ones_and_twos(self):
        """ "The player does not sow in holes with one or two counters"."""
        # Hole 1 (two) and 2 (one) are passed over; 3 takes one, the last falls into the empty hole 4.
        played = play(PUHULMUTU_DLP, self.position("2 2 1 0 0 0 0", FOURS, 2), begin(0))
        assert rows(played.position) == ("0 2 1 1 1 0 0", FOURS)

    def test_does_not_capture_by_making_four(self):
        """He "only makes a capture when …": four made are sown on (to 2–5; hole 5 was empty)."""
        played = play(PUHULMUTU, self.position("1 3 0 0 0 0 0", FOURS, 2), begin(0))
        assert (played.taken, rows(played.position)) == ((0, 0), ("0 0 1 1 1 1 0", FOURS))

    def test_the_opponent_plays_as_usual(self):
        """He passes over threes, "sows into" the twos, and captures by making four."""
        # Seat 1 sows three from his hole 0: hole 1 (two) takes one, hole 2 (three) is passed over, 3 takes one, and
        # the last makes four of hole 4; hole 5 is empty: the end.
        position = self.position(FOURS, "3 2 3 0 3 0 0", 2, mover=1)
        played = play(PUHULMUTU, position, begin(0))
        assert (played.taken, rows(played.position)) == ((0, 4), (FOURS, "0 3 3 1 0 0 0"))
