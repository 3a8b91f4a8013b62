"""How the Ludii programme plays the eight games, clause by clause.

The words quoted are those of the readings' own description, "The -ludii readings, exactly".
"""

from itertools import combinations

import pytest

from simulator.engine.ends import WIN
from simulator.engine.families.points.position import PASS, Position
from simulator.engine.families.points.referee import contract
from tests.engine.points.positions import move, moves, names, play, play_all, position
from tests.engine.rulesets import RULESETS

DIVIYAN = RULESETS["diviyan-keliya-ludii"].parameters
HAT = RULESETS["hat-diviyan-keliya-ludii"].parameters
KOTI = RULESETS["koti-keliya-ludii"].parameters
PERALIKATUMA = RULESETS["peralikatuma-ludii"].parameters
KOTU_ELLIMA = RULESETS["kotu-ellima-ludii"].parameters
DAM = RULESETS["dam-ludii"].parameters
NERENCHI = RULESETS["nerenchi-keliya-ludii"].parameters
NIRANCHY = RULESETS["niranchy-ludii"].parameters
ALL = [ruleset for slug, ruleset in RULESETS.items() if slug.endswith("-ludii") and ruleset.family == "points"]


def begun(rules: dict, line: str) -> Position:
    """The position after these moves from the start."""
    stand = contract.start(rules)
    for words in line.split():
        stand = contract.play(rules, stand, move(rules, words)).position
    return stand


def ended(played: contract.Played) -> tuple[int, int]:
    return played.position.end, played.position.winners


def test_player_1_begins_everywhere():
    assert len(ALL) == 8
    assert [contract.mover(contract.start(ruleset.parameters)) for ruleset in ALL] == [0] * 8


class TestDiviyanKeliya:
    def test_leopard_cow_leopard_cow_then_a_move_and_a_drop(self):
        stand = begun(DIVIYAN, "+e5 +a3 +e3 +a5")
        assert (stand.hands, stand.mover) == ([0, 22], 0)
        # e5 has eight neighbours and e3 eight (d3 f3 e2 e4 d2 f2 d4 f4), two of each are the other's: none, all vacant.
        assert len(moves(DIVIYAN, stand)) == 16
        after = begun(DIVIYAN, "+e5 +a3 +e3 +a5 e5-e4")
        assert {words[0] for words in moves(DIVIYAN, after)} == {"+"}

    def test_single_jump_optional(self):
        """On c3 stands a leopard; over d4 to e5, from where f6 could be taken next."""
        stand = position(DIVIYAN, "c3 i3", "d4 f6")
        assert {"c3xe5", "c3-c4", "c3-d3"} <= set(moves(DIVIYAN, stand))
        assert play(DIVIYAN, stand, "c3xe5").turn_over

    def test_a_side_without_a_move_loses_even_during_the_drop(self):
        # The leopards in the corners a3 (lines to a5, b4) and c1 (e1, d2), each jump's landing point taken as well;
        # the last of them is dropped, and eleven are still in hand.
        stand = position(DIVIYAN, "a3 c1", "a5 a7 b4 c5 e1 g1 d2", mover=1, hands=(0, 11))
        assert ended(play(DIVIYAN, stand, "+e3")) == (WIN, 0b10)

    def test_the_herd_without_a_move_loses_too(self):
        # A cow on a3 with leopards on a5 and b4: c5 and a7 do not matter, cattle take nothing. A leopard steps in.
        stand = position(DIVIYAN, "a5 b5", "a3")
        assert ended(play(DIVIYAN, stand, "b5-b4")) == (WIN, 0b01)


class TestHatDiviyanKeliya:
    def test_the_tiger_is_laid_first_and_leopards_move_when_all_are(self):
        assert len(moves(HAT, contract.start(HAT))) == 10
        stand = begun(HAT, "+a1 +c1 a1-a2")
        assert (stand.mover, stand.hands) == (1, [0, 6])
        assert len(moves(HAT, stand)) == 8

    def test_a_stuck_tiger_passes_while_leopards_are_in_hand(self):
        # On a1 the tiger's lines are a1-a2-a3-b4 and a1-b1-c1: four leopards hold it.
        stand = position(HAT, "a1", "a2 a3 b1", mover=1, hands=(0, 2))
        played = play(HAT, stand, "+c1")
        assert (played.position.end, moves(HAT, played.position)) == (-1, ["pass"])

    def test_a_stuck_tiger_loses_only_after_a_leopard_has_moved(self):
        stand = position(HAT, "a1", "a2 a3 b1 b4 c3 c2", mover=1, hands=(0, 1))
        played = play(HAT, stand, "+c1")
        assert moves(HAT, played.position) == ["pass"]
        assert ended(play_all(HAT, played.position, "pass c3-b3")) == (WIN, 0b10)

    def test_three_left_lose_and_pieces_in_hand_count(self):
        # b4 jumps over b3 to b2.
        played = play(HAT, position(HAT, "b4", "b3 a1 c1 a3"), "b4xb2")
        assert (ended(played), played.events[-1].keys) == ((WIN, 0b01), ("second_loses_below",))
        assert play(HAT, position(HAT, "b4", "b3 a1 c1 a3", hands=(0, 1)), "b4xb2").position.end == -1

    def test_leopards_that_cannot_move_lose_but_they_always_can(self):
        """Whatever stands where, a leopard on the board has a step: no single point cuts the triangle in two, so one
        tiger never parts all leopards from all vacant points."""
        assert HAT["second_stuck"] == "loses"
        for tiger in range(10):
            others = [point for point in range(10) if point != tiger]
            for number in range(1, 8):
                for leopards in combinations(others, number):
                    stand = Position(10, [{tiger}, set(leopards)], mover=1)
                    assert PASS not in contract.moves(HAT, stand)


class TestKotiKeliya:
    def test_sixty_six_squares_for_the_leopard_then_the_cattle_move(self):
        assert len(moves(KOTI, contract.start(KOTI))) == 66
        assert names(KOTI, contract.start(KOTI).men[1]) == "a12 c12 e12 g12 i12 k12"
        stand = begun(KOTI, "+f5")
        # Six cattle on a12 c12 … k12: the one at the edge has one way, the others two.
        assert (stand.mover, len(moves(KOTI, stand))) == (1, 11)

    def test_cattle_that_cannot_move_pass(self):
        # j1 and l1 stand on the last row, k2 before them, and l3 has no way but k2.
        stand = position(KOTI, "b1", "j1 l1 k2 l3", mover=1)
        assert moves(KOTI, stand) == ["pass"]
        assert play(KOTI, stand, "pass").position.end == -1


class TestPeralikatuma:
    def test_the_array(self):
        start = contract.start(PERALIKATUMA)
        assert [len(men) for men in start.men] == [23, 23]
        assert names(PERALIKATUMA, set(start.vacant())) == "e4 e5 e6"
        # The half-turn takes a to i and 1 to 9: the numbers of the points are then counted from the other end.
        assert {48 - point for point in start.men[0]} == start.men[1]

    def test_the_first_moves(self):
        # Into e4 from e3 and f4 (no diagonal meets there), into the centre from f4, f5 and f6, into e6 from f6.
        assert moves(PERALIKATUMA, contract.start(PERALIKATUMA)) == [
            *("e3-e4", "f4-e4", "f4-e5", "f5-e5", "f6-e5", "f6-e6"),
        ]

    @pytest.mark.parametrize("rules", [PERALIKATUMA, KOTU_ELLIMA])
    def test_who_has_no_move_on_his_turn_loses_at_once(self, rules):
        # The second player's only man on a3: b4 and a5 are taken, and so are c5 and a7 behind them.
        stand = position(rules, "a5 a7 b4 b5", "a3")
        assert ended(play(rules, stand, "b5-c5")) == (WIN, 0b01)


class TestKotuEllima:
    def test_the_array(self):
        start = contract.start(KOTU_ELLIMA)
        assert names(KOTU_ELLIMA, set(start.vacant())) == "e5"
        difference = [set(start.men[seat]) - contract.start(PERALIKATUMA).men[seat] for seat in (0, 1)]
        assert [names(KOTU_ELLIMA, points) for points in difference] == ["e4", "e6"]

    def test_single_jumps_without_compulsion(self):
        stand = position(KOTU_ELLIMA, "c3", "d4 f6 a3")
        assert moves(KOTU_ELLIMA, stand) == ["c3-d3", "c3-c4", "c3xe5"]
        assert play(KOTU_ELLIMA, stand, "c3xe5").turn_over


class TestDam:
    def test_the_first_moves(self):
        """Five rows of men, a1 unused: from b5 d5 … j5 two ways each, from l5 one."""
        start = contract.start(DAM)
        assert names(DAM, set(start.vacant())) == "a6 c6 e6 g6 i6 k6 b7 d7 f7 h7 j7 l7"
        assert len(moves(DAM, start)) == 11

    def test_a_chain_may_stop_and_taken_pieces_leave_at_once(self):
        stand = position(DAM, "b1", "c2 e4 a12")
        played = play(DAM, stand, "b1xd3")
        assert moves(DAM, played.position) == ["d3xf5", "stop"]
        assert names(DAM, played.position.men[1]) == "e4 a12"

    def test_or_from_an_edge_square_on_any_diagonal_but_back(self):
        # j3 over k4 to l5. From there over j7 to i8; i2, on the way back, has a vacant square behind it in vain.
        stand = position(DAM, "", "k4 i2 j7 a12", kings=("j3", ""))
        assert moves(DAM, play(DAM, stand, "j3xl5").position) == ["l5xi8", "stop"]

    def test_a_man_is_crowned_by_step_or_jump_to_the_last_row(self):
        crowned = play(DAM, position(DAM, "b11", "l1"), "b11-a12").position
        assert names(DAM, crowned.kings[0]) == "a12"
        crowned = play(DAM, position(DAM, "c10", "d11 l1"), "c10xe12").position
        assert names(DAM, crowned.kings[0]) == "e12"
        # a8 over b9 to c10, then over d11 to e12: the second jump of the turn crowns as the first does.
        later = play_all(DAM, position(DAM, "a8", "b9 d11 l1"), "a8xc10 c10xe12").position
        assert (later.men[0], names(DAM, later.kings[0])) == (set(), "e12")

    def test_not_where_a_further_jump_is_possible(self):
        # From c10 over d11 to e12, where f11 can be taken: the man stops, and stays a man.
        stopped = play_all(DAM, position(DAM, "c10", "d11 f11 l1"), "c10xe12 stop").position
        assert (names(DAM, stopped.men[0]), stopped.kings[0]) == ("e12", set())
        gone_on = play_all(DAM, position(DAM, "c10", "d11 f11 l1"), "c10xe12 e12xg10").position
        assert names(DAM, gone_on.men[0]) == "g10"
        # A step ends the turn: d11 to e12, though f11 beside it could be taken from there, crowns.
        stepped = play(DAM, position(DAM, "d11", "f11 l1"), "d11-e12").position
        assert names(DAM, stepped.kings[0]) == "e12"

    def test_no_move_loses(self):
        # In the corner l1 a man has only k2 before him, and j3 behind it.
        stand = position(DAM, "k2 i4", "l1")
        assert ended(play(DAM, stand, "i4-j3")) == (WIN, 0b01)


class TestNerenchiKeliya:
    def test_a_line_by_a_move_removes_any_piece_and_moves_again(self):
        stand = position(NERENCHI, "a1 d1 g4 c3", "a7 b6 d6 f6 e3")
        played = play(NERENCHI, stand, "g4-g1")
        # b6 d6 f6 stand in a line, and may be removed all the same.
        assert moves(NERENCHI, played.position) == ["xe3", "xb6", "xd6", "xf6", "xa7"]
        after = play(NERENCHI, played.position, "xd6")
        assert (after.taken, after.turn_over, after.position.mover) == ((1, 0), False, 0)
        assert "c3-d3" in moves(NERENCHI, after.position)
        assert play(NERENCHI, after.position, "c3-d3").turn_over

    def test_adjacent_steps_along_the_sides_and_the_cross_arms_only(self):
        assert moves(NERENCHI, position(NERENCHI, "a1 b2 d2", "g7")) == [
            *("a1-d1", "a1-a4", "b2-b4", "d2-d1", "d2-f2", "d2-d3"),
        ]

    def test_no_move_passes(self):
        # Each of the three stands in a corner, and both its neighbours are taken.
        shut = position(NERENCHI, "a4 d7 g4 d1 f2 e3", "a7 g7 g1", mover=1)
        assert moves(NERENCHI, shut) == ["pass"]
