"""Games of two armies worked out by hand from the sources, played by the referee: rows of three, laid and moved."""

import pytest

from simulator.engine.documents import with_changes
from simulator.engine.ends import WIN
from simulator.engine.families.points.position import PLAY, REMOVE
from tests.engine.points.positions import kinds, moves, names, play, play_all, position
from tests.engine.rulesets import RULESETS

NERENCHI = RULESETS["nerenchi-keliya-parker"].parameters
NERENCHI_LUDII = RULESETS["nerenchi-keliya-ludii"].parameters
NIRANCHY = RULESETS["niranchy-ludovisi"].parameters
NIRANCHY_LUDII = RULESETS["niranchy-ludii"].parameters
MORRIS = RULESETS["nine-mens-morris-reference"]


def changed(slug, **changes):
    return with_changes(RULESETS[slug], changes).parameters


class TestNerenchiKeliya:
    def test_a_line_while_laying(self):
        """ "On each occasion when a player forms a row of three of his own pieces … he lays down an additional
        piece"."""
        stand = position(NERENCHI, "a1 d1", "b2 d2", hands=(18, 18))
        first = play(NERENCHI, stand, "+g1")
        assert (first.turn_over, first.position.mover, first.position.phase) == (False, 0, PLAY)
        assert kinds(first) == ["lay", "row", "again"]
        second = play(NERENCHI, first.position, "+a4")
        assert (second.turn_over, second.position.mover) == (True, 1)

    def test_two_rows_at_once_bring_one_piece(self):
        # +a1 completes a1-d1-g1 and a1-a4-a7.
        stand = position(NERENCHI, "d1 g1 a4 a7", "b2", hands=(17, 17))
        played = play_all(NERENCHI, stand, "+a1 +c3")
        assert (played.turn_over, played.position.mover) == (True, 1)

    def test_laying_is_over_when_two_places_are_left(self):
        """ "When only two places remain unfilled the next player moves one of his pieces into one of the vacant
        points".

        Twenty-one pieces lie, eleven against ten; the second player lays the twenty-second.
        """
        first, second = "a1 d1 a4 b4 g4 g7 b6 d5 c5 e3 e4", "g1 b2 d2 f4 f6 a7 c3 d3 e5 c4"
        stand = position(NERENCHI, first, second, hands=(1, 1), mover=1)
        played = play(NERENCHI, stand, "+d7")
        assert (played.position.hands, played.position.mover) == ([0, 0], 0)
        assert kinds(played) == ["lay", "put_aside"]
        assert played.events[-1].pieces == 0  # twenty-two in all: none is left over
        # "Into one of the vacant points": any of the eleven to either of the two, f2 and d6.
        assert names(NERENCHI, set(played.position.vacant())) == "f2 d6"
        assert len(moves(NERENCHI, played.position)) == 22

    @pytest.mark.parametrize(
        ("removable", "loose"), [("any", "b2 d2 f2 c4"), ("outside_lines_first", "c4"), ("outside_lines_only", "c4")]
    )
    def test_may_a_piece_in_a_row_be_removed(self, removable, loose):
        reading = changed("nerenchi-keliya-ludii", removable=removable)
        stand = position(reading, "a1 d1 g4", "b2 d2 f2 c4")
        assert moves(reading, play(reading, stand, "g4-g1").position) == [f"x{name}" for name in loose.split()]

    def test_all_pieces_in_rows(self):
        first = changed("nerenchi-keliya-ludii", removable="outside_lines_first")
        stand = position(first, "a1 d1 g4", "b2 d2 f2")
        assert moves(first, play(first, stand, "g4-g1").position) == ["xb2", "xd2", "xf2"]
        # None may be removed: the additional move remains.
        only = changed("nerenchi-keliya-ludii", removable="outside_lines_only")
        played = play(only, stand, "g4-g1")
        assert (played.position.phase, played.turn_over, played.position.mover) == (PLAY, False, 0)
        # Where there is no additional move the turn is over, while laying too.
        morris = changed("nine-mens-morris-reference", removable="outside_lines_only")
        for stand, move in (
            (position(morris, "a1 d1 g4", "b2 d2 f2"), "g4-g1"),
            (position(morris, "a1 d1", "b2 d2 f2", hands=(7, 6)), "+g1"),
        ):
            played = play(morris, stand, move)
            assert (played.position.phase, played.turn_over, played.position.mover) == (PLAY, True, 1)

    def test_two_left_or_none(self):
        """ "Reduces the opponent to two pieces" (the paraphrase); "has lost all his pieces" (Parker)."""
        stand = position(NERENCHI_LUDII, "a1 d1 g4", "b2 d2 c5")
        assert play_all(NERENCHI_LUDII, stand, "g4-g1 xb2").position.winners == 1
        played = play_all(NERENCHI, stand, "g4-g1 xb2")
        assert (played.position.end, played.turn_over) == (-1, False)

    def test_a_player_with_an_empty_hand_waits_while_the_other_lays(self):
        stand = position(NERENCHI_LUDII, "a1 d1", "b2 d2", hands=(0, 1))
        played = play(NERENCHI_LUDII, stand, "pass")
        assert (played.position.mover, played.turn_over) == (1, True)
        assert len(moves(NERENCHI_LUDII, played.position)) == 20


class TestNineMensMorris:
    def test_three_pieces_fly(self):
        stand = position(MORRIS.parameters, "a1 d1 g4", "b2 d2 f2 c4")
        assert len(moves(MORRIS.parameters, stand)) == 3 * (24 - 7)

    def test_a_row_while_laying_removes(self):
        stand = position(MORRIS.parameters, "a1 d1", "b2 d2", hands=(7, 7))
        formed = play(MORRIS.parameters, stand, "+g1")
        assert (formed.position.phase, formed.position.laid) == (REMOVE, 1)
        removed = play(MORRIS.parameters, formed.position, "xb2")
        assert (removed.turn_over, removed.position.mover, removed.position.laid) == (True, 1, 0)

    def test_who_moves_first_after_laying(self):
        for who, seat in (("alternate", 1), ("first", 0), ("second", 1)):
            ruled = with_changes(MORRIS, {"first_move_by": who}).parameters
            stand = position(ruled, "a1 d1 c5", "b2 d2 e4 g7", hands=(1, 0))
            assert play(ruled, stand, "+g1").position.mover == 0  # the removal belongs to the same turn
            assert play_all(ruled, stand, "+g1 xg7").position.mover == seat


class TestNiranchy:
    # Twelve against eleven without a row of either side; g7 is free.
    FIRST = "d1 b2 f2 d3 c4 f4 g4 d5 e5 b6 d6 a7"
    SECOND = "a1 g1 d2 c3 e3 a4 b4 e4 c5 f6 d7"

    def test_a_full_board(self):
        """The Ludii reading: player 2 aligns, player 1 blocks. All 24 points are filled and no row is formed: the
        blocked player 1 passes, and player 2, who has no move, loses."""
        stand = position(NIRANCHY_LUDII, self.FIRST, self.SECOND, mover=1, hands=(0, 1))
        assert moves(NIRANCHY_LUDII, stand) == ["+g7"]
        played = play(NIRANCHY_LUDII, stand, "+g7")
        assert (played.position.vacant(), played.position.end) == ([], -1)
        assert moves(NIRANCHY_LUDII, played.position) == ["pass"]
        played = play(NIRANCHY_LUDII, played.position, "pass")
        assert (played.position.end, played.position.winners) == (WIN, 1)
        assert played.events[-1].keys == ("second_stuck",)

    def test_moves_begin_when_one_has_laid_down_his_twelve(self):
        """ "By the time one of the players has laid down his twelve men, the game proceeds by moves": 23 men, one free
        point; the other keeps his twelfth (conjecture)."""
        stand = position(NIRANCHY, self.FIRST.removesuffix(" a7"), self.SECOND, hands=(1, 1))
        played = play(NIRANCHY, stand, "+a7")
        assert (played.position.hands, played.position.mover) == ([0, 0], 1)
        assert [event.pieces for event in played.events if event.kind == "put_aside"] == [1]
        # The free point g7 has the neighbours g4, which is the first player's, f6 and d7.
        assert moves(NIRANCHY, played.position) == ["f6-g7", "d7-g7"]

    def test_three_in_a_line_along_a_diagonal_win(self):
        """ "The game is won when a player succeeds in laying down three pieces in a line"."""
        stand = position(NIRANCHY, "a4 d7", "a1 b2", mover=1, hands=(10, 10))
        played = play(NIRANCHY, stand, "+c3")
        assert (played.position.end, played.position.winners, played.turn_over) == (WIN, 2, True)

    def test_rows_of_the_blocker_count_for_nothing_in_ludii(self):
        stand = position(NIRANCHY_LUDII, "a1 b2", "a4 d7", hands=(10, 10))
        assert play(NIRANCHY_LUDII, stand, "+c3").position.end == -1
        assert play(NIRANCHY, stand, "+c3").position.winners == 1
