"""Turns of the relatives of Puhulmutu that take more than one look, worked out by hand from their quotations.

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

    @pytest.mark.parametrize(
        ("ties", "seeds", "marked", "taken"),
        [
            ("usual_number", 3, TIED, 0),  # "the person who puts the fourth seed in them"
            ("usual_number", 2, 0, 3),  # "in which case he takes the three": Puhulmutu
            ("his_number", 2, TIED, 0),
            ("never", 2, 0, 3),
        ],
    )
    def test_by_which_number_a_short_handed_player_ties(self, ties, seeds, marked, taken):
        """He laid twos: his last seed comes to an end hole that holds two, or three."""
        ruleset = with_changes(KOTU_BAENDUM, {"short_handed_ties": ties})
        short = {"short": 1, "short_number": 2, "moved": 3}
        played = play(ruleset, board(f"0 0 0 0 0 1 {seeds}", FOURS, **short), begin(5))
        after = played.position
        assert (after.marks[6], played.taken, after.mover) == (marked, (taken, 0), 1)
        assert after.holes[6] == (0 if taken else seeds + 1)

    @pytest.mark.parametrize("ties", ["his_number", "never"])
    def test_four_of_a_short_handed_player_goes_on_elsewhere(self, ties):
        """If he does not tie by four, the four in the end hole are taken up and sown, as from any occupied hole."""
        ruleset = with_changes(KOTU_BAENDUM, {"short_handed_ties": ties})
        position = board("0 0 0 0 0 1 3", "4 4 4 0 4 4 4", moved=3, short=1, short_number=2)
        played = play(ruleset, position, begin(5))
        assert (played.laps, rows(played.position)) == (2, ("0 0 0 0 0 0 0", "5 5 5 1 4 4 4"))

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

    def test_a_player_with_an_empty_row_passes(self):
        """Play goes on "till all the pieces have been removed from the plank", so one who has none waits
        (conjecture)."""
        played = play(MAWKAR_KATIYA, board(EMPTY, "5 5 5 5 5 5 5", direction=CLOCKWISE), 32)
        assert (played.position.mover, played.laps, played.position.end) == (1, 0, -1)
