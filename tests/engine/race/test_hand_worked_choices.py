"""Single turns for what the words leave open: each answer of a question, worked out by hand.

Positions are written as every seat's steps on its own track, as in the tests beside this one.
"""

import pytest

from simulator.engine.documents import with_changes
from simulator.engine.families.race.referee.throws import cast
from tests.engine.race.positions import Scripted, dice, mouths, options, play, standing, steps
from tests.engine.rulesets import RULESETS

SATURANKAM, PAHADA = RULESETS["saturankam-parker"], RULESETS["pahada-keliya-dlp"]
ASI, TAYAM, SOKKATTAN = RULESETS["asi-keliya-dlp"], RULESETS["tayam-sonalu-dlp"], RULESETS["sokkattan-parker"]
ANY_THROW_LEAVES = with_changes(ASI, {"leaving_shared": "any_throw"})
FAR = "9 9 9 9"  # pieces that meet nobody
ANY_DIE = with_changes(SATURANKAM, {"exit_alone": "any_die"})
WITHOUT_DOUBLES = with_changes(SATURANKAM, {"exit_doubles": "[]"})
ANY_DIE_WITHOUT_DOUBLES = with_changes(SATURANKAM, {"exit_alone": "any_die", "exit_doubles": "[]"})


class TestGoingHomeByOneDie:
    """Parker of Saturankam: "or one can be passed out alone, if necessary"."""

    @pytest.mark.parametrize(
        ("ruleset", "away", "faces", "goes_out"),
        [
            (SATURANKAM, 6, (6, 1), False),
            (ANY_DIE, 6, (6, 1), True),
            (ANY_DIE, 6, (3, 3), True),  # the sum
            (ANY_DIE, 6, (3, 4), False),
            (ANY_DIE, 3, (3, 4), False),  # three squares off only by both threes
            (ANY_DIE, 3, (3, 3), True),
            (WITHOUT_DOUBLES, 1, (1, 4), False),  # a last counter one square off can never leave
            (WITHOUT_DOUBLES, 1, (1, 1), False),
            (ANY_DIE_WITHOUT_DOUBLES, 1, (1, 4), True),
            (ANY_DIE_WITHOUT_DOUBLES, 1, (1, 1), True),
        ],
    )
    def test_a_last_counter(self, ruleset, away, faces, goes_out):
        found = options(ruleset, standing(ruleset, f"{81 - away} 81 / 1 1", [dice(ruleset, *faces)]))
        assert any(name.endswith(f"+{away}") for name in found) == goes_out
        assert goes_out or found == ["pass"]

    def test_the_other_die_is_lost_only_if_nothing_can_play_it(self):
        """6 and 1: the counter six squares off goes home by the six, and the other has to go on by the one."""
        first = standing(ANY_DIE, "40 75 / 1 1", [dice(ANY_DIE, 6, 1)])
        out = play(ANY_DIE, first, [name for name in options(ANY_DIE, first) if name.endswith("+6")][-1])
        assert (steps(out.position), out.turn_over) == ("40 81 / 1 1", False)
        assert [name[-2:] for name in options(ANY_DIE, out.position)] == ["+1"]
        last = standing(ANY_DIE, "75 78 / 1 1", [dice(ANY_DIE, 6, 4)])
        assert [name[-2:] for name in options(ANY_DIE, last)] == ["+6"]
        stuck = play(ANY_DIE, last, options(ANY_DIE, last)[0])
        assert (steps(stuck.position), stuck.turn_over) == ("78 81 / 1 1", True)
        assert [event.kind for event in stuck.events] == ["move", "home", "lost"]


class TestSafeSquaresWhereOthersStand:
    """ "In these squares the counters cannot be 'struck'": shared by two sides, or closed to the second."""

    def test_closed_to_landing_and_open_to_passing(self):
        """k4, the first player's step 12, is a castle; the opposite player is there at step 12 + 34."""
        closed = with_changes(SOKKATTAN, {"seats": "2", "safe_meeting": "passed_over"})
        for up, part, can in ((4, "+4", False), (6, "+12", True)):
            position = standing(closed, "8 30 30 / 46 60 60", [mouths(closed, up)])
            assert (f"j1 {part}" in options(closed, position)) == can
        own = standing(closed, "8 12 30 / 45 60 60", [mouths(closed, 4)])
        assert steps(play(closed, own, "j1 +4").position) == "12 12 30 / 45 60 60"

    def test_nobody_enters_on_a_closed_square(self):
        """Saturankam: the katti of the first player is the opposite player's step 17."""
        closed = with_changes(SATURANKAM, {"safe_meeting": "passed_over"})
        for ruleset, can in ((SATURANKAM, True), (closed, False)):
            position = standing(ruleset, "0 40 / 17 30", [dice(ruleset, 1, 1)])
            assert ("enter by the double" in options(ruleset, position)) == can

    def test_a_share_of_a_divided_throw(self):
        """Saturankam: i5, the first player's step 9, is the opposite player's step 25; 5 + 4 ends there, 5 + 5 not."""
        closed = with_changes(SATURANKAM, {"safe_meeting": "passed_over"})
        found = options(closed, standing(closed, "5 70 / 25 25", [dice(closed, 1, 4)]))
        assert "i1 +5" in found
        assert "i1 +4" not in found

    def test_a_corner_that_nobody_passes(self):
        """Asi keliya: h4, the first player's step 9, is the second player's step 39; nobody goes beyond him either."""
        closed = with_changes(ANY_THROW_LEAVES, {"safe_meeting": "passed_over"})
        for ruleset, lands in ((ASI, True), (closed, False)):
            for up, can in ((1, True), (2, lands), (4, False)):
                position = standing(ruleset, f"7 45 45 45 / 39 20 20 20 / {FAR} / {FAR}", [mouths(ruleset, up)])
                assert (f"g3 +{up}" in options(ruleset, position)) == can

    def test_who_shares_a_corner_goes_on_only_by_so_hatara(self):
        """Asi keliya: "players may not move beyond a piece of the opposing team, unless they have thrown So-hatara".

        The second player's 5 and 2 of seed 1, game 0, turn 190 of version 1, which let him go on by the 5: e9 +2 comes
        to the corner d8, his step 19, where a piece of the third player stands at its step 9, on the way to a6.
        """
        board = "0 8 12 46 / 17 43 45 45 / 0 9 15 17 / 16 23 39 48"
        five_and_two = [mouths(ASI, 5), mouths(ASI, 2)]
        for ruleset, by_any in ((ASI, False), (ANY_THROW_LEAVES, True)):
            position = standing(ruleset, board, five_and_two, mover=1)
            assert options(ruleset, position) == ["e9 +2"]
            beside = play(ruleset, position, "e9 +2")
            assert [event.kind for event in beside.events] == ["move", "safe"] + ["lost"] * (not by_any)
            assert by_any == ("d8 +5" in options(ruleset, beside.position))
        one_and_so_hatara = [mouths(ASI, 1), mouths(ASI, 3, marked_up=False)]
        after = standing(ASI, board.replace("17 43", "19 43"), one_and_so_hatara, mover=1)
        found = options(ASI, after)
        assert "d8 +one" in found
        assert "d8 +1" not in found
        assert steps(play(ASI, after, "d8 +one").position).split(" / ")[1] == "20 43 45 45"

    def test_nobody_beside_him_keeps_a_piece_on_a_corner(self):
        """A partner, or a piece of one's own, is no piece of the opposing team; nor does a corner as such keep one."""
        for board in ("9 9 30 30 / 5 5 5 5 / 6 6 6 6 / 7 7 7 7", "9 30 30 30 / 5 5 5 5 / 6 6 29 29 / 7 7 7 7"):
            assert "h4 +4" in options(ASI, standing(ASI, board, [mouths(ASI, 4)]))

    def test_two_ones_of_so_hatara_pass_a_closed_corner(self):
        """The second player stands on h4, his step 39; the first player on g4, his step 8, may not land beside him.

        "… unless they have thrown So-hatara": two of its ones take him over the corner to h5, and two are left.
        """
        closed = with_changes(ASI, {"safe_meeting": "passed_by_ones", "leaving_shared": "any_throw"})
        so_hatara = [mouths(closed, 3, marked_up=False)]
        position = standing(closed, f"8 45 45 45 / 39 20 20 20 / {FAR} / {FAR}", so_hatara)
        assert "g4 +two ones" in options(closed, position)
        over = play(closed, position, "g4 +two ones").position
        assert steps(over).startswith("10 45 45 45 / 20 20 20 39")
        assert sum(over.hand) == 2
        last_one = play(closed, over, "h5 +one").position
        assert sum(last_one.hand) == 1
        before = standing(closed, f"7 8 45 45 / 39 20 20 20 / {FAR} / {FAR}", so_hatara)
        for name in ("g3 +one", "g4 +two ones"):
            before = play(closed, before, name).position
        assert sum(before.hand) == 1
        assert not any(name.startswith("g4") for name in options(closed, before))  # one is not enough for two squares
        by_throw = standing(closed, f"8 45 45 45 / 39 20 20 20 / {FAR} / {FAR}", [mouths(closed, 2)])
        assert not any(name.startswith("g4") for name in options(closed, by_throw))

    def test_two_that_leave_together_do_not_land_there(self):
        """Pahada keliya: i4, four squares beyond the corner i8, is crossed, and an opponent stands there."""
        closed = with_changes(PAHADA, {"safe_squares": "true", "safe_meeting": "passed_over"})
        shared = with_changes(PAHADA, {"safe_squares": "true"})
        # The partner's corner is its step 34; 34 + 4 is i4 (its step 38), where the second player is at 38 + 17.
        for ruleset, can in ((shared, True), (closed, False)):
            board = f"20 20 20 74 / 55 50 50 50 / 1 1 34 34 / {FAR}"
            position = standing(ruleset, board, [dice(ruleset, 4, 4)], mover=2)
            assert ("leave together" in options(ruleset, position)) == can


def whole_turn(ruleset, position):
    """The position after the mover has played, with the first piece that can go, all that he can of his throw."""
    while True:
        played = play(ruleset, position, options(ruleset, position)[0])
        position = played.position
        if played.turn_over:
            return position


class TestAPlayerWhoIsHome:
    """The first player of Pahada keliya has all four pieces in the centre, his partner, the third, has none."""

    PIECES = f"84 84 84 84 / {FAR} / {FAR} / {FAR}"

    def test_he_is_passed_over(self):
        after = whole_turn(PAHADA, standing(PAHADA, self.PIECES, [dice(PAHADA, 1, 3)], mover=3))
        assert (after.mover, after.thrower, after.for_partner) == (1, 1, 0)

    def test_he_throws_for_his_partner(self):
        """The third player's pieces play what he throws; then it is the second player's turn, not the fourth's."""
        ruleset = with_changes(PAHADA, {"finished_player": "throws_for_partner"})
        after = whole_turn(ruleset, standing(ruleset, self.PIECES, [dice(ruleset, 1, 3)], mover=3))
        assert (after.mover, after.thrower, after.for_partner) == (2, 0, 1)
        assert [event.seat for event in after.thrown] == [0]
        last = whole_turn(ruleset, after)
        assert last.pieces[2] != after.pieces[2]
        assert (last.mover, last.thrower, last.for_partner) == (1, 1, 0)


def test_the_turn_may_go_against_the_pieces():
    for order, following in (("with_the_pieces", [1, 2, 3, 0]), ("against_the_pieces", [3, 2, 1, 0])):
        ruleset = with_changes(SOKKATTAN, {"turn_order": order})
        position = standing(ruleset, "0 0 0 / 0 0 0 / 0 0 0 / 0 0 0", [mouths(ruleset, 2)])
        seats = []
        for _ in range(4):
            position.clear_throw()
            position = play(ruleset, position, "pass").position
            seats.append(position.mover)
        assert seats == following


def test_a_die_whose_faces_fall_unequally():
    """Seven draws of a die of 1, 3, 4, 6 in the proportion 1 : 2 : 3 : 1."""
    ruleset = with_changes(RULESETS["saturankam-dlp"], {"face_weights": "[1, 2, 3, 1]"})
    found = [cast(ruleset.parameters, Scripted(draw, 0)).lots[0] for draw in range(7)]
    assert found == [1, 3, 3, 4, 4, 4, 6]


class TestTheSquaresBeforeTheBar:
    """ "The final three spaces in which they can be sent back" may end with j1, the end of the middle row."""

    ROW_END = with_changes(PAHADA, {"bar_squares": "with_row_end"})

    @pytest.mark.parametrize(("ruleset", "farthest"), [(PAHADA, 75), (ROW_END, 76)])
    def test_how_far_a_piece_comes(self, ruleset, farthest):
        for step in range(72, farthest + 1):
            for face in (1, 3, 4):
                position = standing(ruleset, f"20 20 20 {step} / {FAR} / 1 1 1 1 / {FAR}", [dice(ruleset, face, 6)])
                played = {name for name in options(ruleset, position) if name.startswith(("i", "j1 "))}
                assert any(name.endswith(f"+{face}") for name in played) == (step + face <= farthest)

    @pytest.mark.parametrize(("ruleset", "past"), [(PAHADA, 42), (ROW_END, 43)])
    def test_when_the_partner_has_passed(self, ruleset, past):
        """j1 is the partner's step 42: beyond the waiting squares in the one reading, one of them in the other."""
        for step in (past - 1, past):
            board = f"20 20 20 75 / {FAR} / 1 1 {step} {step} / {FAR}"
            position = standing(ruleset, board, [dice(ruleset, 3, 6)])
            assert ("i1 +3" in options(ruleset, position)) == (step == past)

    def test_a_piece_at_the_end_of_the_row_holds_the_partner(self):
        """The corner is the partner's step 34; from h9, one before it, he would go beyond it by a three."""
        for ruleset, held in ((PAHADA, False), (self.ROW_END, True)):
            board = f"20 20 20 76 / {FAR} / 1 1 1 33 / {FAR}"
            position = standing(ruleset, board, [dice(ruleset, 3, 6)], mover=2)
            assert ("h9 +3" not in options(ruleset, position)) == held


class TestPairsApart:
    """Tayam sonalu: "both may reenter the board with a single throw of 1, 5, or Sonal"."""

    APART = with_changes(TAYAM, {"pairs_apart": "true"})
    PIECES = f"0 0 0 60 / {FAR} / {FAR} / {FAR}"

    def waiting(self, ruleset, *faces):
        """Two of three waiting pieces were sent back together; the first entry of the game is over."""
        return standing(ruleset, self.PIECES, [dice(ruleset, *faces)], pairs=[1, 0, 0, 0], entered=1)

    def test_the_pair_enters_together(self):
        assert [name for name in options(TAYAM, self.waiting(TAYAM, 1, 4)) if "enter" in name] == ["enter 5"]
        played = play(TAYAM, self.waiting(TAYAM, 1, 4), "enter 5")
        assert (steps(played.position).split(" / ")[0], played.entries) == ("0 1 1 60", 2)

    def test_or_one_of_it_enters_alone(self):
        position = self.waiting(self.APART, 1, 4)
        assert [name for name in options(self.APART, position) if "enter" in name] == ["enter 5", "enter 5 alone"]
        both = play(self.APART, position, "enter 5")
        assert (steps(both.position).split(" / ")[0], both.position.pairs[0]) == ("0 1 1 60", 0)
        alone = play(self.APART, position, "enter 5 alone")
        assert (steps(alone.position).split(" / ")[0], alone.position.pairs[0]) == ("0 0 1 60", 0)
        assert alone.entries == 1
