"""Single turns of the four relatives of Puhulmutu, worked out by hand from their quotations.

Rows are written from their owner's left. Anticlockwise, a lap runs along the first player's row from his left, then
along the second player's row from the latter's left.
"""

import pytest

from simulator.engine.documents import with_changes
from simulator.engine.families.sowing.position import TIED
from tests.engine.boards import CLOCKWISE, begin, board, play, rows, starts
from tests.engine.rulesets import RULESETS

WALAK_PUSSA, WALAK_PUSSA_DLP = RULESETS["walak-pussa-parker"], RULESETS["walak-pussa-dlp"]
DARAMUTI = RULESETS["daramuti-parker"]
KOTU_BAENDUM = RULESETS["kotu-baendum-parker"]
MAWKAR_KATIYA, MAWKAR_KATIYA_DLP = RULESETS["mawkar-katiya-das-gupta"], RULESETS["mawkar-katiya-dlp"]
FOURS = "4 4 4 4 4 4 4"
EMPTY = "0 0 0 0 0 0 0"


class TestWalakPussa:
    def test_takes_the_next_hole_never_the_last(self):
        """ "Does not remove and re-sow the seeds out of that hole, but always takes those in the next one"."""
        # Two from hole 0 end in hole 2, which held four and keeps its five; the three of hole 3 then end in hole 6.
        # Hole 7 is empty and so is 8: nothing is eaten.
        played = play(WALAK_PUSSA, board("2 0 4 3 0 0 0", "0 0 4 4 4 4 4"), begin(0))
        assert rows(played.position) == ("0 1 5 0 1 1 1", "0 0 4 4 4 4 4")
        assert (played.laps, played.taken) == (2, (0, 0))

    def test_picking_out_the_pearls_of_the_necklaces(self):
        """ "If the following or third hole be empty, the seeds in the one after it are also captured, and so on"."""
        # Last counter in hole 6 (two now). 7 empty: the five of 8; 9 empty: the four of 10; 11 empty: the two of 12;
        # 13 holds one: two full holes meet.
        played = play(WALAK_PUSSA, board("0 0 0 0 0 1 1", "0 5 0 4 0 2 1"), begin(5))
        assert rows(played.position) == ("0 0 0 0 0 0 2", "0 0 0 0 0 0 1")
        assert played.taken == (11, 0)

    def test_two_empty_holes_end_the_necklace(self):
        played = play(WALAK_PUSSA, board("0 0 0 0 0 1 1", "0 5 0 0 4 0 2"), begin(5))
        assert (played.taken, rows(played.position)) == ((5, 0), ("0 0 0 0 0 0 2", "0 0 0 0 4 0 2"))

    def test_a_last_counter_in_an_empty_hole(self):
        """The paraphrase: "If the final counter falls into an empty hole the turn ends". Parker says no such thing."""
        position = board("1 0 0 6 0 0 1", FOURS)
        assert play(WALAK_PUSSA, position, begin(0)).taken == (6, 0)
        assert play(WALAK_PUSSA_DLP, board("2 0 0 0 6 0 2", FOURS), begin(0)).taken == (0, 0)

    def test_a_lap_goes_on_from_an_empty_hole_before_a_full_one(self):
        """Parker "always takes those in the next one": two from hole 2 end in 4, before the empty 5, and 6 is eaten."""
        position = board("1 0 2 0 0 0 3", FOURS)
        played = play(WALAK_PUSSA, position, begin(0))
        assert (played.laps, played.taken, rows(played.position)) == (2, (3, 0), ("0 1 0 1 1 0 0", FOURS))
        dlp = play(WALAK_PUSSA_DLP, board("2 0 0 4 0 0 3", FOURS), begin(0))
        assert (dlp.laps, rows(dlp.position)) == (1, ("0 1 1 4 0 0 3", FOURS))

    def test_a_puta_after_an_empty_last_hole_is_passed_over(self):
        """ "Falls into an empty hole immediately preceding one containing a puta or naga … the seeds in the next
        hole to them are 'eaten'"."""
        for ruleset in (WALAK_PUSSA, WALAK_PUSSA_DLP):
            played = play(ruleset, board("2 0 0 1p 5 3 0", FOURS), begin(0))
            assert (played.taken, rows(played.position)) == ((5, 0), ("0 1 1 1p 0 3 0", FOURS))

    def test_a_puta_after_an_occupied_last_hole(self):
        """Parker speaks of an empty last hole only; the paraphrase of any hole "preceding a puta or naga hole"."""
        position = board("2 0 2 1p 5 3 0", FOURS)
        played = play(WALAK_PUSSA, position, begin(0))
        assert (played.taken, rows(played.position)) == ((0, 0), ("0 1 3 1p 5 3 0", FOURS))
        played = play(WALAK_PUSSA_DLP, position, begin(0))
        assert (played.taken, rows(played.position)) == ((5, 0), ("0 1 3 1p 0 3 0", FOURS))

    def test_a_naga_inside_the_necklace_is_an_empty_hole(self):
        """It "is considered to be pussa, 'empty'": 8 is eaten over the empty 7, and 10 over the naga in 9."""
        played = play(WALAK_PUSSA, board("0 0 0 0 0 1 1", "0 5 2p 4 1 0 0"), begin(5))
        assert (played.taken, rows(played.position)) == ((9, 0), ("0 0 0 0 0 0 2", "0 0 2p 0 1 0 0"))

    def test_a_puta_is_not_eaten(self):
        """ "The seeds in which cannot be captured": the hole beyond the empty one is a puta."""
        played = play(WALAK_PUSSA, board("0 0 0 0 0 1 1", "0 1p 0 4 4 4 4"), begin(5))
        assert played.taken == (0, 0)

    def test_threes_are_sown_into(self):
        """Passing over threes is stated for Puhulmutu only (question): off in the shipped readings."""
        assert rows(play(WALAK_PUSSA, board("2 3 0 0 0 0 0", FOURS), begin(0)).position) == ("0 4 1 0 0 0 0", FOURS)


class TestDaramuti:
    def test_an_empty_last_hole_eats_the_hole_opposite(self):
        """ "The seeds in the opposite hole on the other side of the board are 'eaten.' The player then stops"."""
        # The last counter falls into the empty hole 2; opposite is the second player's hole 4 from his left (2 + 11
        # = 13).
        played = play(DARAMUTI, board("2 0 0 0 0 0 4", "4 4 4 4 6 4 4"), begin(0))
        assert (played.taken, rows(played.position)) == ((6, 0), ("0 1 1 0 0 0 4", "4 4 4 4 0 4 4"))

    def test_on_the_other_side_too(self):
        """Question: on either side (shipped) or on the player's own only. Hole 7 faces the player's own hole 6."""
        position = board("4 0 0 0 0 2 5", "0 0 4 4 4 4 4")
        played = play(DARAMUTI, position, begin(5))
        assert (played.taken, rows(played.position)) == ((6, 0), ("4 0 0 0 0 0 0", "1 0 4 4 4 4 4"))
        own = with_changes(DARAMUTI, {"capture_opposite": "own"})
        assert play(own, position, begin(5)).taken == (0, 0)

    def test_a_puta_counts_as_an_empty_hole(self):
        """ "If the last seed fall in a hole containing a puta or naga it is treated as an empty one"."""
        played = play(DARAMUTI, board("1 2p 4 0 0 0 0", "4 4 4 4 4 5 4"), begin(0))
        assert (played.taken, rows(played.position)) == ((5, 0), ("0 3p 4 0 0 0 0", "4 4 4 4 4 0 4"))

    def test_a_puta_opposite_is_free_from_capture(self):
        """Puhulmutu's putas are "free from capture throughout all that round"; the other reading eats them
        (question)."""
        position = board("1 0 4 0 0 0 0", "4 4 4 4 4 2p 4")
        assert play(DARAMUTI, position, begin(0)).taken == (0, 0)
        assert play(with_changes(DARAMUTI, {"capture_opposite_barred": "true"}), position, begin(0)).taken == (2, 0)

    def test_in_other_respects_resembles_puhulmutu(self):
        """Threes are passed over and made four, and the lap goes on (by analogy)."""
        # Hole 1 passed over; hole 2 one; the last makes four of 3: captured. The two of hole 4 end in 6: empty, and
        # the four opposite (the second player's first) are eaten.
        played = play(DARAMUTI, board("2 3 0 3 2 0 0", FOURS), begin(0))
        assert (played.taken, rows(played.position)) == ((8, 0), ("0 3 1 0 0 1 1", "0 4 4 4 4 4 4"))


class TestKotuBaendum:
    def test_commenced_from_either_end_hole(self):
        """ "It must be commenced from either of the two end hole in each player's row. During the rest … at any
        hole"."""
        opening = board(FOURS, FOURS, direction=0)
        assert starts(KOTU_BAENDUM, opening) == [0, 6]
        second = play(KOTU_BAENDUM, opening, begin(0)).position
        assert (second.mover, starts(KOTU_BAENDUM, second)) == (1, [0, 6])
        third = play(KOTU_BAENDUM, second, begin(0)).position
        assert third.mover == 0
        assert starts(KOTU_BAENDUM, third) == [hole for hole in range(7) if third.holes[hole]]

    def test_only_the_opener_is_bound_in_the_other_reading(self):
        opener = with_changes(KOTU_BAENDUM, {"first_move_from_end": "opener"})
        second = play(opener, board(FOURS, FOURS, direction=0), begin(0)).position
        assert starts(opener, second) == [hole for hole in range(7) if second.holes[7 + hole]]

    def test_making_four_in_an_ordinary_hole_ends_the_turn(self):
        """ "The four now in it are 'eaten,' and the next player then begins": the two of hole 2 stay."""
        played = play(KOTU_BAENDUM, board("1 3 2 0 0 0 0", FOURS, moved=3), begin(0))
        assert (played.taken, rows(played.position)) == ((4, 0), ("0 0 2 0 0 0 0", FOURS))

    @pytest.mark.parametrize(
        ("first", "second", "hole", "tied"),
        [
            ("0 0 0 0 0 1 3", FOURS, 5, 6),
            ("0 0 0 0 0 0 1", "3 4 4 4 4 4 4", 6, 7),
            ("0 0 0 0 0 0 7", "4 4 4 4 4 4 3", 6, 13),
            ("3 0 0 0 0 0 8", "4 4 4 4 4 4 4", 6, 0),
        ],
    )
    def test_making_four_in_an_end_hole_ties_it_on_either_side(self, first, second, hole, tied):
        """ "Such holes belong to the person who puts the fourth seed in them, whether … on his own or his
        opponent's side"."""
        played = play(KOTU_BAENDUM, board(first, second, moved=3), begin(hole))
        after = played.position
        assert (after.holes[tied], after.marks[tied], played.taken) == (4, TIED, (0, 0))
        assert after.mover == 1

    def test_a_last_counter_in_a_tied_hole_ends_the_turn(self):
        """ "When the last seed is sown in a 'tied' hole the player stops"; others "continue to be sown in it by
        both players"."""
        for owner in (0, 1):
            played = play(KOTU_BAENDUM, board(f"0 0 0 0 0 1 4t{owner}", FOURS, moved=3), begin(5))
            assert rows(played.position) == (f"0 0 0 0 0 0 5t{owner}", FOURS)
            passing = play(KOTU_BAENDUM, board(f"0 0 0 0 0 2 4t{owner}", "0 4 4 4 4 4 4", moved=3), begin(5))
            assert rows(passing.position) == (f"0 0 0 0 0 0 5t{owner}", "1 4 4 4 4 4 4")

    def test_a_tied_hole_is_never_played(self):
        """ "The seeds in it cannot be taken out and played", not even by its owner."""
        assert starts(KOTU_BAENDUM, board("9t0 2 0 0 0 0 4t1", FOURS, moved=3)) == [1]


class TestMawkarKatiya:
    """Clockwise: along one's own row from right to left, then along the adversary's from (one's own) left to right."""

    def test_goes_on_from_the_next_hole(self):
        """ "He picks up all the stones lying immediately in front of the depression where the last piece was
        deposited"."""
        # Two from hole 6 end in 4, which keeps its six; the one of hole 3 ends in 2. Hole 1 is vacant; hole 0 after
        # it holds four: taken. In the paraphrase the hole opposite the vacant one, the adversary's next to last, is
        # taken: five.
        position = board("4 0 5 1 5 5 2", "5 5 5 5 5 5 5", direction=CLOCKWISE)
        played = play(MAWKAR_KATIYA, position, begin(6, CLOCKWISE))
        assert (played.laps, played.taken) == (2, (4, 0))
        assert rows(played.position) == ("0 0 6 0 6 6 0", "5 5 5 5 5 5 5")
        played = play(MAWKAR_KATIYA_DLP, position, begin(6, CLOCKWISE))
        assert (played.laps, played.taken) == (2, (5, 0))
        assert rows(played.position) == ("4 0 6 0 6 6 0", "5 5 5 5 5 0 5")

    def test_only_one_hole_is_taken(self):
        """ "The pieces of stone lying within the depression immediately next to the vacant one": no chain."""
        # One from hole 5 ends in 4; 3 is vacant, the four of 2 are taken; 1 is vacant too, but the three of 0 stay.
        played = play(MAWKAR_KATIYA, board("3 0 4 0 0 1 0", "5 5 5 5 5 5 5", direction=CLOCKWISE), begin(5, CLOCKWISE))
        assert (played.taken, rows(played.position)) == ((4, 0), ("3 0 0 0 1 0 0", "5 5 5 5 5 5 5"))

    def test_a_player_with_an_empty_row_passes(self):
        """Play goes on "till all the pieces have been removed from the plank", so one who has none waits
        (conjecture)."""
        played = play(MAWKAR_KATIYA, board(EMPTY, "5 5 5 5 5 5 5", direction=CLOCKWISE), 32)
        assert (played.position.mover, played.laps, played.position.end) == (1, 0, -1)
