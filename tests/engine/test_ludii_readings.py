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
    def test_mawkar_katiya_has_no_singles_rule_and_empty_rows_pass(self):
        assert starts(MAWKAR_KATIYA, board("1 1 0 0 0 0 1", EMPTY, direction=CLOCKWISE)) == [0, 1, 6]
        position = board(EMPTY, "0 0 0 1 0 0 0", direction=CLOCKWISE)
        assert contract.moves(MAWKAR_KATIYA.parameters, position) == [PASS]
        assert play(MAWKAR_KATIYA, position, PASS).rounds_ended == 0


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


def test_mawkar_katiya_is_the_portals_game():
    """Its later games have not been observed: they are those of the portal's paraphrase."""
    assert RULESETS["mawkar-katiya-dlp"] == MAWKAR_KATIYA
