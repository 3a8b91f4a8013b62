"""How the Ludii programme plays the five games, clause by clause.

The words quoted are those of the readings' own description: "a lap … may be picked up only from a hole with two or
more", and so on. Rows are written from their owner's left; anticlockwise is from a player's left to his right.
"""

import pytest

from simulator.engine.ends import WIN
from simulator.engine.families.sowing.position import LAY, LAY_OWN_TURN, LAY_RICH, PASS
from simulator.engine.families.sowing.referee import contract
from tests.engine.boards import ANTICLOCKWISE, CLOCKWISE, begin, board, lay_fours, play, rows, starts
from tests.engine.rulesets import RULESETS

PUHULMUTU, KOTU_BAENDUM = RULESETS["puhulmutu-ludii"], RULESETS["kotu-baendum-ludii"]
WALAK_PUSSA, DARAMUTI = RULESETS["walak-pussa-ludii"], RULESETS["daramuti-ludii"]
MAWKAR_KATIYA = RULESETS["mawkar-katiya-ludii"]
KANDYAN = [PUHULMUTU, KOTU_BAENDUM, WALAK_PUSSA, DARAMUTI]
FOURS = "4 4 4 4 4 4 4"
EMPTY = "0 0 0 0 0 0 0"


class TestSingles:
    @pytest.mark.parametrize("ruleset", KANDYAN)
    def test_picked_up_only_from_two_or_more(self, ruleset):
        """ "A lap … may be picked up only from a hole with two or more"."""
        assert starts(ruleset, board("1 2 1 0 3 0 1", FOURS, moved=3)) == [1, 4]

    @pytest.mark.parametrize("ruleset", KANDYAN)
    def test_several_singles_are_no_move(self, ruleset):
        """ "A player whose holes all hold one or none has no move, even with several singles"; then the round ends."""
        # The second player's two fall on his own side; the first player is next and has only singles: 25 + 3 of his
        # own.
        position = board("1 0 1 0 0 0 1", "0 2 0 0 1 0 0", mover=1, stores=(25, 25), moved=3)
        played = play(ruleset, position, begin(1))
        assert (played.rounds_ended, played.position.stores[1]) == (1, 28)

    def test_the_round_ends_at_once_when_a_lap_may_not_go_on(self):
        """ "At once when a lap ought to go on but the singles rule forbids its pick-up (a capture just made
        stands)"."""
        # Two from hole 0: one into hole 1, the last makes four of hole 2: captured. The lap ought to go on from the
        # single in hole 3. Owned: 24 + 4 + 4 on his side + … = first player 24 + 4 + 1 + 1 + 2 = 32, second player
        # 20 + 4 = 24.
        position = board("2 0 3 1 2 0 0", "4 0 0 0 0 0 0", stores=(24, 20), moved=3)
        played = play(PUHULMUTU, position, begin(0))
        assert (played.taken, played.rounds_ended, played.round_winner) == ((4, 0), 1, 0)
        assert (played.position.stores, rows(played.position)) == ([32 - 28, 24], (FOURS, EMPTY))

    def test_a_relay_needs_several_in_the_movers_own_row(self):
        """ "And only while the mover's own row has such a hole": the lap ends in the five of the other row."""
        # Two from hole 5: hole 6 becomes one, hole 7 (four) five. His own row holds ones only: the round ends.
        position = board("1 0 0 0 0 2 0", "4 4 4 4 0 0 0", stores=(20, 17), moved=3)
        played = play(PUHULMUTU, position, begin(5))
        assert (played.rounds_ended, played.laps) == (1, 1)
        # With a two in hole 0 the lap goes on with the five, to holes 8–12, the last in an empty hole.
        position = board("2 0 0 0 0 2 0", "4 4 4 4 0 0 0", stores=(20, 16), moved=3)
        played = play(PUHULMUTU, position, begin(5))
        assert (played.rounds_ended, rows(played.position)) == (0, ("2 0 0 0 0 0 1", "0 5 5 5 1 1 0"))

    def test_the_first_lap_of_each_player_of_kotu_baendum_is_exempt(self):
        """ "Exempt: the first lap of the game (Kotu-baendum: the first lap of each player)": from an end hole."""
        assert starts(KOTU_BAENDUM, board("1 2 0 0 0 0 3", FOURS, moved=2)) == [0, 6]
        assert starts(KOTU_BAENDUM, board("1 2 0 0 0 0 3", FOURS, moved=1)) == [1, 6]
        assert starts(PUHULMUTU, board("1 2 0 0 0 0 3", FOURS, moved=3)) == [1, 6]


class TestSowing:
    def test_threes_as_the_board_stood_before_the_lap(self):
        """ "Threes are passed over, judged as the board stood before the lap"."""
        # Sixteen from hole 0, hole 1 holds two: it gets a third and, fourteen later, a fourth; hole 2 gets one and
        # the last: two. Relay 2 → 3, 4 (two); 4 → 6; 6 → 8; 8 → 10; 10 → 12; 12 → 13 and 0 (two: one was sown in
        # going round). 0 → 1 (five) and 2 (one, empty since its relay): the end.
        played = play(PUHULMUTU, board("16 2 0 0 0 0 0", EMPTY, moved=3), begin(0))
        assert rows(played.position) == ("0 5 1 2 0 2 0", "2 0 2 0 2 0 2")

    def test_four_are_captured_and_the_lap_goes_on(self):
        """ "Exactly four in the last hole, judged after the lap: captured, and the lap goes on from the next hole"."""
        # Two from hole 0 make four of hole 2; the two of hole 3 go to 4 and 5, both empty.
        played = play(PUHULMUTU, board("2 0 3 2 0 0 0", FOURS, moved=3), begin(0))
        assert (played.taken, rows(played.position)) == ((4, 0), ("0 1 0 0 1 1 0", FOURS))

    def test_kotu_baendum_ends_the_turn_in_an_end_hole(self):
        """ "Making four in an end hole captures the four, leaves no mark and ends the turn": the four of hole 7
        stay."""
        played = play(KOTU_BAENDUM, board("2 0 0 0 2 0 3", FOURS, moved=3), begin(4))
        assert (played.taken, played.laps) == ((4, 0), 1)
        assert rows(played.position) == ("2 0 0 0 0 1 0", FOURS)

    def test_kotu_baendum_goes_on_after_four_in_an_ordinary_hole(self):
        """Elsewhere "as Puhulmutu": the lap goes on from the two of hole 3."""
        played = play(KOTU_BAENDUM, board("2 0 3 2 0 0 0", FOURS, moved=3), begin(0))
        assert (played.taken, rows(played.position)) == ((4, 0), ("0 1 0 0 1 1 0", FOURS))

    def test_walak_pussa_relays_from_the_last_hole(self):
        """ "Last hole now holding two or more: relay from it"; threes are not passed over."""
        # Two from hole 0: three become four, hole 2's one becomes two: relay to 3 and 4. Hole 5 holds five: eaten,
        # 6 is not empty: the end.
        played = play(WALAK_PUSSA, board("2 3 1 0 0 5 2", FOURS, moved=3), begin(0))
        assert (played.laps, played.taken) == (2, (5, 0))
        assert rows(played.position) == ("0 4 0 1 1 0 2", FOURS)

    def test_walak_pussa_eats_the_first_third_fifth_and_seventh_hole(self):
        """ "One: capture the first hole after it if occupied, then the third, fifth and seventh while the hole
        between is empty": four at most."""
        # Last counter in the empty hole 2: 3, 5, 7 and 9 are eaten; 11, beyond the empty 10, is a fifth and stays.
        played = play(WALAK_PUSSA, board("2 1 0 4 0 3 0", "2 0 6 0 5 0 2", moved=3), begin(0))
        assert (played.taken, rows(played.position)) == ((15, 0), ("0 2 1 0 0 0 0", "0 0 0 0 5 0 2"))

    def test_walak_pussa_takes_nothing_over_an_empty_hole(self):
        """ "If the first is empty nothing is taken; the turn ends"."""
        played = play(WALAK_PUSSA, board("2 1 0 0 5 0 0", FOURS, moved=3), begin(0))
        assert (played.taken, rows(played.position)) == ((0, 0), ("0 2 1 0 5 0 0", FOURS))

    def test_daramuti_takes_the_hole_opposite_on_either_side(self):
        """ "One, on either side: the hole opposite goes to the mover (his own counter stays), nothing if that is
        empty"."""
        played = play(DARAMUTI, board("2 3 0 4 0 0 0", "4 4 4 4 6 4 4", moved=3), begin(0))
        assert (played.taken, rows(played.position)) == ((6, 0), ("0 4 1 4 0 0 0", "4 4 4 4 0 4 4"))
        # Hole 7 faces the first player's own hole 6, which has just become six.
        played = play(DARAMUTI, board("2 0 0 0 0 2 5", "0 4 4 4 4 4 4", moved=3), begin(5))
        assert (played.taken, rows(played.position)) == ((6, 0), ("2 0 0 0 0 0 0", "1 4 4 4 4 4 4"))
        played = play(DARAMUTI, board("2 3 0 4 0 0 0", "4 4 4 4 0 4 4", moved=3), begin(0))
        assert played.taken == (0, 0)

    def test_mawkar_katiya_takes_the_hole_opposite_the_empty_one(self):
        """ "Lap goes on from the next hole; if that is empty, the hole opposite the empty one is taken"."""
        # Clockwise, two from hole 6 end in 4; hole 3 is vacant; opposite is the second player's hole 3.
        played = play(MAWKAR_KATIYA, board("5 5 5 0 5 5 2", "5 5 5 7 5 5 5", direction=CLOCKWISE), begin(6, CLOCKWISE))
        assert (played.taken, rows(played.position)) == ((7, 0), ("5 5 5 0 6 6 0", "5 5 5 0 5 5 5"))

    def test_mawkar_katiya_has_no_singles_rule_and_empty_rows_pass(self):
        assert starts(MAWKAR_KATIYA, board("1 1 0 0 0 0 1", EMPTY, direction=CLOCKWISE)) == [0, 1, 6]
        position = board(EMPTY, "0 0 0 1 0 0 0", direction=CLOCKWISE)
        assert contract.moves(MAWKAR_KATIYA.parameters, position) == [PASS]
        assert play(MAWKAR_KATIYA, position, PASS).rounds_ended == 0


class TestUnfilledHoles:
    """ "Where a rule looks at the next hole …, an unfilled hole counts as an empty one and is not skipped"."""

    def test_after_a_capture(self):
        # Two from hole 0 make four of hole 2: captured. Hole 3 is unfilled, so that the two of hole 4 stay.
        played = play(PUHULMUTU, board("2 0 3 x 2 0 0", FOURS, moved=3), begin(0))
        assert (played.taken, rows(played.position)[0]) == ((4, 0), "0 1 0 x 2 0 0")

    def test_before_a_chain(self):
        # The last counter in the empty hole 2; the first hole after it is unfilled: nothing is taken.
        played = play(WALAK_PUSSA, board("2 1 0 x 5 0 0", FOURS, moved=3), begin(0))
        assert (played.taken, rows(played.position)[0]) == ((0, 0), "0 2 1 x 5 0 0")

    def test_between_two_holes_of_a_chain(self):
        # Hole 3 is eaten, 4 is unfilled, 5 is eaten.
        played = play(WALAK_PUSSA, board("2 1 0 4 x 5 2", FOURS, moved=3), begin(0))
        assert (played.taken, rows(played.position)[0]) == ((9, 0), "0 2 1 0 x 0 2")


class TestBetweenRounds:
    @pytest.mark.parametrize("ruleset", KANDYAN)
    def test_fewer_than_two_counters_end_the_game(self, ruleset):
        """ "The game ends when a player then owns fewer than two counters"."""
        last_turn = {"mover": 0, "moved": 3}
        lost = play(ruleset, board("2 0 0 0 0 0 0", "1 0 0 0 0 0 0", stores=(53, 0), **last_turn), begin(0)).position
        assert (lost.end, lost.winners) == (WIN, 0b01)
        going_on = play(
            ruleset, board("2 0 0 0 0 0 0", "1 0 0 0 0 0 0", stores=(52, 1), **last_turn), begin(0)
        ).position
        assert going_on.end == -1

    @pytest.mark.parametrize("ruleset", KANDYAN)
    def test_the_richer_players_layout_is_a_turn_of_his_own(self, ruleset):
        """ "Belongs to the turn that ended the round if he made it, else it is a turn of its own"."""
        by_richer = play(ruleset, board("2 0 0 0 0 0 0", "1 0 0 0 0 0 0", stores=(30, 23), moved=3), begin(0)).position
        assert (by_richer.phase, by_richer.mover, rows(by_richer)) == (LAY, 1, (FOURS, EMPTY))
        by_poorer = play(ruleset, board("2 0 0 0 0 0 0", "1 0 0 0 0 0 0", stores=(20, 33), moved=3), begin(0)).position
        assert (by_poorer.phase, by_poorer.mover, rows(by_poorer)) == (LAY_RICH, 1, (EMPTY, EMPTY))
        assert by_poorer.direction == ANTICLOCKWISE  # "the old direction stays part of the position until he lays"
        laid = play(ruleset, by_poorer, LAY_OWN_TURN)
        assert (laid.turn_over, laid.position.phase, laid.position.mover) == (True, LAY, 0)
        assert rows(laid.position) == (EMPTY, FOURS)
        poorer = play(ruleset, laid.position, lay_fours(1))
        assert not poorer.turn_over  # "the poorer player's layout and sowing are one turn"
        assert (rows(poorer.position), poorer.position.direction) == (("x 2 4 4 4 4 4", FOURS), CLOCKWISE)

    @pytest.mark.parametrize("ruleset", KANDYAN)
    def test_player_one_counts_as_the_richer_when_equal(self, ruleset):
        """ "The richer player (player 1 if equal) lays seven fours; the poorer lays fours from either end"."""
        after = play(ruleset, board("2 0 0 0 0 0 0", "1 0 0 0 0 0 0", stores=(26, 27), moved=3), begin(0)).position
        assert (after.phase, after.mover, after.stores, rows(after)) == (LAY, 1, [0, 28], (FOURS, EMPTY))
        assert contract.moves(ruleset.parameters, after) == [lay_fours(0), lay_fours(1)]

    @pytest.mark.parametrize("ruleset", KANDYAN)
    @pytest.mark.parametrize(("owned", "row"), [(25, "4 4 4 4 4 4 1"), (15, "4 4 4 3 x x x"), (6, "4 2 x x x x x")])
    def test_the_partly_filled_hole_is_ordinary(self, ruleset, owned, row):
        """ "The partly filled hole is ordinary"; "no short-handed layout, no loan"; nothing is removed."""
        position = board(EMPTY, FOURS, phase=LAY, stores=(owned, 28 - owned), moved=3)
        assert len(contract.moves(ruleset.parameters, position)) == 2
        after = play(ruleset, position, lay_fours(0)).position
        assert (rows(after), after.stores) == ((row, FOURS), [0, 28 - owned])

    @pytest.mark.parametrize("ruleset", KANDYAN)
    @pytest.mark.parametrize("owned", [2, 3])
    def test_a_lone_partly_filled_hole_is_barred(self, ruleset, owned):
        """ "It is barred from pick-up and capture; nothing is ever taken from the hole opposite"."""
        position = board(EMPTY, FOURS, phase=LAY, stores=(owned, 28 - owned), moved=3)
        after = play(ruleset, position, lay_fours(0)).position
        assert (rows(after), after.stores) == ((f"{owned}p x x x x x x", FOURS), [0, 28 - owned])
        assert after.mover == 1  # he has nothing to sow
