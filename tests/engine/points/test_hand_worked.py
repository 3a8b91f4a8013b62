"""Hunts worked out by hand from the sources, played by the referee: leopards and cattle, the tiger, the line of six."""

import pytest

from simulator.engine.documents import with_changes
from simulator.engine.ends import ENDLESS, WIN
from simulator.engine.families.points.referee.contract import start
from simulator.engine.referee_playout import IllegalMove
from tests.engine.points.positions import kinds, moves, names, play, play_all, position, rules
from tests.engine.rulesets import RULESETS

DIVIYAN = RULESETS["diviyan-keliya-parker"].parameters
DIVIYAN_LUDII = RULESETS["diviyan-keliya-ludii"].parameters
DIVIYAN_DLP = RULESETS["diviyan-keliya-dlp"].parameters
HAT = RULESETS["hat-diviyan-keliya-ludovisi"].parameters
HAT_LUDII = RULESETS["hat-diviyan-keliya-ludii"].parameters
KOTI = RULESETS["koti-keliya-parker"].parameters
KOTI_LUDII = RULESETS["koti-keliya-ludii"].parameters

FIRST_WINS, SECOND_WINS = (WIN, 1), (WIN, 2)


def ended(played):
    return played.position.end, played.position.winners


class TestDiviyanKeliya:
    def test_a_leopards_jump(self):
        """ "'Eating' the Cattle one at a time, by jumping over them into a vacant place"; "the pieces move along the
        lines, both at right angles and along the diagonals, going one step each time"."""
        # Around e5 stand cattle on f5 (g5 behind it is vacant), d4 (c3 is taken) and e6 (e7 is taken).
        stand = position(DIVIYAN, "e5 a3", "f5 d4 c3 e6 e7")
        assert moves(DIVIYAN, stand) == [
            *("a3-b4", "a3-a5"),
            *("e5-e4", "e5-f4", "e5-d5", "e5-d6", "e5-f6", "e5xg5"),
        ]
        played = play(DIVIYAN, stand, "e5xg5")
        assert names(DIVIYAN, played.position.men[0]) == "a3 g5"
        assert names(DIVIYAN, played.position.men[1]) == "c3 d4 e6 e7"
        assert (played.taken, played.turn_over, played.position.mover) == ((1, 0), True, 1)
        assert kinds(played) == ["jump", "capture"]

    def test_one_at_a_time(self):
        """ "One at a time": from e5 the leopard could go on over f6 to g7; its turn is over all the same."""
        played = play(DIVIYAN, position(DIVIYAN, "c3", "d4 f6"), "c3xe5")
        assert (played.turn_over, played.position.mover) == (True, 1)
        assert names(DIVIYAN, played.position.men[1]) == "f6"

    def test_a_jump_from_the_square_into_a_triangle(self):
        """ "Enclosed by two extended diagonals": f4, g5 and h6 lie on one line; between e5 and g5 lies f5."""
        assert "f4xh6" in moves(DIVIYAN, position(DIVIYAN, "f4", "g5"))
        assert "e5xi5" not in moves(DIVIYAN, position(DIVIYAN, "e5", "g5"))

    def test_no_jump_where_no_line_is_drawn(self):
        """d3 and e4 touch corner to corner, but no diagonal joins them."""
        assert moves(DIVIYAN, position(DIVIYAN, "d3", "e4")) == ["d3-c3", "d3-e3", "d3-d4"]

    def test_cattle_neither_capture_nor_move_with_one_in_hand(self):
        """ "Until all are in play, up to which time they cannot be moved on the board"."""
        stand = position(DIVIYAN, "e5 a3", "f5 d4", mover=1, hands=(0, 1))
        assert all(words.startswith("+") for words in moves(DIVIYAN, stand))
        assert len(moves(DIVIYAN, stand)) == 49 - 4
        stand = position(DIVIYAN, "e5 a3", "f5", mover=1)
        assert moves(DIVIYAN, stand) == ["f5-f4", "f5-g5", "f5-f6"]

    def test_the_order_of_placing(self):
        """ "Begins the game by placing one of them … One of the Cattle is next put down … his opponent then deposits
        the second Leopard … the rest follow after each move of a Leopard"."""
        stand = start(DIVIYAN)
        assert len(moves(DIVIYAN, stand)) == 49
        played = play_all(DIVIYAN, stand, "+e5 +e8 +c3 +a3")
        assert played.position.hands == [0, 22]
        leopards = moves(DIVIYAN, played.position)
        assert leopards[0] == "c3-d3"
        assert not [words for words in leopards if words.startswith("+")]
        played = play(DIVIYAN, played.position, "c3-d3")
        assert moves(DIVIYAN, played.position)[0] == "+c1"

    def test_the_first_of_the_cattle_is_laid_where_it_is_safe(self):
        """ "At any meeting-point of two or more lines where it will be safe from immediate attack"."""
        # A leopard on e5 could jump over all eight neighbours: 48 - 8 points are safe. The second cow is free.
        stand = play(DIVIYAN, start(DIVIYAN), "+e5").position
        safe = moves(DIVIYAN, stand)
        assert len(safe) == 40
        assert not {"+d4", "+e4", "+f4", "+d5", "+f5", "+d6", "+e6", "+f6"} & set(safe)
        stand = play_all(DIVIYAN, stand, "+c3 +i3").position
        assert len(moves(DIVIYAN, stand)) == 49 - 3
        assert len(moves(DIVIYAN_LUDII, play(DIVIYAN_LUDII, start(DIVIYAN_LUDII), "+e5").position)) == 48

    @pytest.mark.parametrize(("captures", "out_of_reach"), [("orthogonal_not_back", "+d4"), ("diagonal", "+e4")])
    def test_a_king_endangers_only_the_lines_along_which_it_takes(self, captures, out_of_reach):
        """Made up: a flying king on e5 jumps along files and ranks only, or along diagonals only."""
        rows = {"captures_by": "first", "captures": captures, "kings": "flying", "first_crowned_at": ["e9"]}
        ends = {"second_loses_below": 1, "first_stuck": "loses", "second_stuck": "loses", "idle_turns": 30}
        safe = rules(
            board="alquerque_triangles", first_pieces=1, second_pieces=1, lay_safe="every_piece", **rows, **ends
        )
        stand = position(safe, kings=("e5", ""), hands=[0, 1], mover=1)
        assert ({"+d4", "+e4"} & set(moves(safe, stand))) == {out_of_reach}
        play(safe, stand, out_of_reach)

    def test_nothing_moves_before_all_are_laid(self):
        """ "Play begins by each player taking turns to place their pieces, and then can move" (the paraphrase)."""
        stand = play_all(DIVIYAN_DLP, start(DIVIYAN_DLP), "+e5 +e4 +a3 +e6").position
        assert moves(DIVIYAN_DLP, stand) == ["pass"]
        played = play(DIVIYAN_DLP, stand, "pass")
        assert (played.turn_over, played.position.mover, played.position.end) == (True, 1, -1)

    def test_the_last_of_the_cattle(self):
        played = play(DIVIYAN_LUDII, position(DIVIYAN_LUDII, "e5 a3", "f5"), "e5xg5")
        assert ended(played) == FIRST_WINS
        # One in hand still counts.
        played = play(DIVIYAN_LUDII, position(DIVIYAN_LUDII, "e5 a3", "f5", hands=(0, 1)), "e5xg5")
        assert played.position.end == -1

    def test_the_loss_of_eight_may_be_the_end(self):
        """ "They are almost certain to lose the game if the Leopards can capture eight": 24 - 8 = 16 left."""
        eight = with_changes(RULESETS["diviyan-keliya-parker"], {"second_loses_below": "17"}).parameters
        stand = position(eight, "e5 a3", "f5", hands=(0, 16))
        assert ended(play(eight, stand, "e5xg5")) == FIRST_WINS
        stand.hands[1] = 17
        assert play(eight, stand, "e5xg5").position.end == -1


class TestHatDiviyanKeliya:
    def test_the_tiger_is_checked(self):
        """ "Until either the tiger is checked": at the apex with a leopard on each way down and one behind each."""
        stand = position(HAT, "b4", "a3 a2 b3 b2 c3 c1 a1", mover=1)
        played = play(HAT, stand, "c1-c2")
        assert ended(played) == SECOND_WINS
        assert played.position.mover == 0
        assert (kinds(played), played.events[-1].keys) == (["step", "game_end"], ("first_stuck",))

    def test_the_tiger_with_one_way_out_by_a_hop_is_not_checked(self):
        stand = position(HAT, "b4", "a3 a2 b3 b2 c3 c1 a1", mover=1)
        played = play(HAT, stand, "a1-b1")
        assert moves(HAT, played.position) == ["b4xc2"]

    def test_a_chain_of_hops(self):
        """Chains are a conjecture from "on the same principle as draughts"."""
        # From b2 nothing is left to hop over: beyond a2, b1 and c2 the board ends.
        assert play(HAT, position(HAT, "b4", "b3 a2 c2 b1 a1 c1"), "b4xb2").turn_over
        # From a1 over a2 to a3, then over b3 to c3.
        stand = position(HAT, "a1", "a2 b3 b1 c1 b2 c2")
        played = play(HAT, stand, "a1xa3")
        assert (played.turn_over, played.position.mover) == (False, 0)
        assert moves(HAT, played.position) == ["a3xc3", "stop"]
        assert play(HAT, played.position, "a3xc3").taken == (1, 0)
        assert ended(play(HAT_LUDII, stand, "a1xa3")) == (-1, 0)
        assert play(HAT_LUDII, stand, "a1xa3").turn_over


class TestKotiKeliya:
    CATTLE = "a10 c10 e10 h9 i10 k10"

    def test_one_square_forward_and_two_in_any_direction(self):
        """ "The Cattle only move in a forward oblique direction and to the extent of one square"; the Leopard "has the
        option of going double the distance in any oblique direction if the course be unobstructed"."""
        stand = position(KOTI, "f9", "e10 h7 a12 c12")
        # From f9: NW e10 is taken; NE g10, h11; SE g8, then h7 is taken; SW e8, d7. It cannot jump.
        assert moves(KOTI, stand) == ["f9-d7", "f9-e8", "f9-g8", "f9-g10", "f9-h11"]
        stand.mover = 1
        assert moves(KOTI, stand) == ["h7-g6", "h7-i6", "e10-d9", "a12-b11", "c12-b11", "c12-d11"]

    @pytest.mark.parametrize(
        ("words", "level", "behind"), [("f9-e8", -1, -1), ("f9-g10", WIN, -1), ("f9-h11", WIN, WIN)]
    )
    def test_the_leopard_past_the_line(self, words, level, behind):
        """ "The Leopard wins if it can pass through or round the Cattle": level with the hindmost, or behind it."""
        for reading, end in ((KOTI_LUDII, level), (KOTI, behind)):
            played = play(reading, position(reading, "f9", self.CATTLE), words)
            assert played.position.end == end
            if end == WIN:
                assert played.events[-1].keys == ("line_passed",)
                assert played.position.winners == 1

    def test_the_cattle_may_pass_the_leopard_themselves(self):
        """Judged after every ply: the hindmost of the cattle steps down to the leopard's row."""
        stand = position(KOTI_LUDII, "f9", "a8 d9 g10", mover=1)
        assert ended(play(KOTI_LUDII, stand, "g10-h9")) == FIRST_WINS
        assert play(KOTI_LUDII, stand, "a8-b7").position.end == -1

    def test_the_leopard_imprisoned(self):
        """ "Whose aim is to enclose or 'imprison' him": in the corner l1, its only way k2 taken."""
        stand = position(KOTI, "l1", "j3 a10 c10 e10 g10 i10", mover=1)
        assert ended(play(KOTI, stand, "j3-k2")) == SECOND_WINS
        played = play(KOTI_LUDII, stand, "j3-k2")
        assert (played.position.end, moves(KOTI_LUDII, played.position)) == (-1, ["pass"])
        assert ended(play(KOTI_LUDII, played.position, "pass")) == SECOND_WINS


class TestBothSidesStuck:
    def test_a_position_in_which_nobody_can_ever_move_is_endless(self):
        """The leopard in the corner l1 has only k2 before it, and there stands a cow that will have no way on."""
        passing = rules(
            board="chequered_12",
            first_pieces=1,
            second_pieces=2,
            first_array=["l1"],
            second_array=["i2", "k2"],
            second_steps="forward",
        )
        # The cow on i2 goes down to j1, from where nothing leads on; k2 then has j1 and l1 before it, both taken.
        stand = start(passing)
        assert moves(passing, stand) == ["pass"]
        played = play_all(passing, stand, "pass i2-j1")
        assert moves(passing, played.position) == ["pass"]
        assert played.position.end == -1
        assert ended(play(passing, played.position, "pass")) == (ENDLESS, 0)

    def test_a_move_that_is_none_is_refused(self):
        with pytest.raises(IllegalMove, match="not among the moves"):
            play(DIVIYAN, position(DIVIYAN, "e5", "e4"), "e5-e7")
