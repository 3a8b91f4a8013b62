"""Positions worked by hand for the choices that the words leave open, each answered both ways by both engines.

Rows are written from their owner's left. Anticlockwise, a lap runs along the first player's row from his left.
"""

import pytest

from simulator.engine.documents import parse, with_changes
from simulator.engine.families.sowing.position import LAY, LAYOUT, LAYOUT_END
from simulator.engine.families.sowing.referee import contract
from simulator.engine.ruleset import RulesetProblem
from tests.engine.boards import ANTICLOCKWISE, CLOCKWISE, begin, board, lay_fours, play, rows, starts
from tests.engine.rulesets import RULESETS

PUHULMUTU, PUHULMUTU_DLP = RULESETS["puhulmutu-parker"], RULESETS["puhulmutu-dlp"]
WALAK_PUSSA, MAWKAR_KATIYA = RULESETS["walak-pussa-parker"], RULESETS["mawkar-katiya-das-gupta"]
FOURS = "4 4 4 4 4 4 4"
EMPTY = "0 0 0 0 0 0 0"


class TestSingleCountersTowardsTheLatterPart:
    """ "Towards the latter part of the round a single seed in the last hole … cannot be taken": how late is open."""

    @pytest.mark.parametrize(("below", "free"), [(0, [2]), (30, [2, 6]), (31, [2])])
    def test_bound_while_the_holes_hold_fewer(self, below, free):
        # Thirty counters lie in the holes; the single in the last hole is free until fewer than that many are left.
        position = board("0 0 1 0 0 0 1", FOURS, stores=(13, 13))
        assert starts(with_changes(PUHULMUTU, {"singles_below": str(below)}), position) == free


class TestDirectionOfTheWholeGame:
    """ "If, as is usually the case, they be playing to the right": the direction is there before the layout."""

    @pytest.mark.parametrize(("direction", "end"), [(ANTICLOCKWISE, 0), (CLOCKWISE, 1)])
    def test_the_layout_begins_at_the_end_the_direction_comes_from(self, direction, end):
        position = board(EMPTY, FOURS, phase=LAY, stores=(17, 11), direction=direction)
        kept = with_changes(PUHULMUTU, {"layout_from": "kept"})
        assert contract.moves(PUHULMUTU.parameters, position) == [lay_fours(0), lay_fours(1)]
        assert contract.moves(kept.parameters, position) == [lay_fours(end)]
        laid = play(kept, position, lay_fours(end)).position
        assert (laid.direction, rows(laid)[0]) == (direction, ["4 4 4 4 1p x x", "x x 1p 4 4 4 4"][end])


class TestShortHanded:
    SHORT = {"short": 1, "short_number": 2}

    def test_whether_the_usual_threes_are_passed_over(self):
        """The paraphrase: "a player cannot sow into a hole containing three counters". Parker: the 'blind' player "no
        longer passes over the holes with three seeds"."""
        # Three from hole 0: one into hole 1; the three of hole 2 are passed over or become four.
        position = board("3 0 3 0 0 0 0", FOURS, **self.SHORT)
        assert rows(play(PUHULMUTU_DLP, position, begin(0)).position)[0] == "0 1 3 1 1 0 0"
        assert rows(play(PUHULMUTU, position, begin(0)).position)[0] == "0 1 4 1 0 0 0"
        # A last counter is never passed on; four is not his number, and the lap goes on: 3, 4, 5, and 6 is empty.
        played = play(PUHULMUTU_DLP, board("2 0 3 0 0 0 0", FOURS, **self.SHORT), begin(0))
        assert (played.taken, rows(played.position)[0]) == ((0, 0), "0 1 0 1 1 1 1")

    @pytest.mark.parametrize(("then", "laps", "row"), [("as_usual", 2, "0 1 0 0 1 1 0"), ("end", 1, "0 1 0 2 0 0 0")])
    def test_what_follows_his_capture(self, then, laps, row):
        """ "In which case he takes the three": whether the lap then goes on from the next hole is not told."""
        ruleset = with_changes(PUHULMUTU, {"short_handed_then": then})
        played = play(ruleset, board("2 0 2 2 0 0 0", FOURS, **self.SHORT), begin(0))
        assert (played.taken, played.laps, rows(played.position)[0]) == ((3, 0), laps, row)

    def layouts(self, owned):
        """The rows that a player with so many may lay from his left, as he fills them."""
        position = board(EMPTY, FOURS, phase=LAY, stores=(owned, 28 - owned), round=3)
        moves = [
            move for move in contract.moves(PUHULMUTU_DLP.parameters, position) if LAYOUT < move < LAYOUT + LAYOUT_END
        ]
        laid = (contract.play(PUHULMUTU_DLP.parameters, position, move, legal=[move]).position for move in moves)
        return [rows(after)[0].replace("x", "0") for after in laid]

    def test_leaving_some_empty(self):
        """ "One or two counters in one end hole and not more than four in the other …, and one or two counters in the
        intermediate holes, leaving some empty"."""
        # Three counters. One in the first hole: two in the last (1 way), a one between and one in the last (5), a two
        # between (5), two ones between (10). Two in the first: one in the last (1) or between (5).
        of_three, of_nine = self.layouts(3), self.layouts(9)
        assert len(set(of_three)) == len(of_three) == 1 + 5 + 5 + 10 + 1 + 5
        assert {"1 0 2 0 0 0 0", "2 0 0 0 0 0 1", "1 0 0 0 1 1 0"} <= set(of_three)
        assert "1 1 1 1 1 1 3" not in of_nine
        assert {"2 2 2 2 0 0 1", "1 0 0 2 0 2 4", "2 0 1 0 2 0 4"} <= set(of_nine)

    def test_the_holes_left_between_are_blind(self):
        position = board(EMPTY, FOURS, phase=LAY, stores=(6, 22), round=3)
        # 1-0-2-0-0-0-3 from the right: 1 + (1 + 2 · 9) in the base of three.
        after = play(PUHULMUTU_DLP, position, LAYOUT + LAYOUT_END + 1 + 1 + 2 * 9).position
        assert rows(after)[0] == "3 x x x 2 x 1"
        assert (after.short, after.short_number, after.direction) == (1, 1, CLOCKWISE)


class TestChainOfCaptures:
    """A puta "is considered to be pussa, 'empty'", and also "passed over as though non-existent"."""

    # The last counter makes two of hole 6; hole 7 is empty.
    @pytest.mark.parametrize(
        ("second", "taken"),
        [
            # 8: five; 9: a naga of four; 10: three; 11 empty; 12: two; 13: one. Empty, the naga stands between two full
            # holes; absent, two full holes meet.
            ("0 5 4p 3 0 2 1", {"as_next": 10, "absent": 5, "ends": 5}),
            # 10 is empty behind the naga: two empty holes meet, or one empty hole and the four of 11.
            ("0 5 4p 0 4 2 1", {"as_next": 5, "absent": 9, "ends": 5}),
            # The naga stands where a hole is to be captured.
            ("0 4p 6 1 0 0 0", {"as_next": 0, "absent": 6, "ends": 0}),
        ],
    )
    def test_a_naga_within_it(self, second, taken):
        position = board("0 0 0 0 0 1 1", second)
        found = {
            value: play(with_changes(WALAK_PUSSA, {"barred_in_chain": value}), position, begin(5)).taken[0]
            for value in taken
        }
        assert found == taken


class TestBlindHoleAfterTheLast:
    """Nobody sows into a blind hole; whether a rule that looks at the next hole sees it is told by no source."""

    def test_before_captures_along_the_row(self):
        # One from hole 0 makes two of hole 1; hole 2 is blind; the two of hole 3 are captured, or go to 4 and 5.
        position = board("1 1 x 2 0 0 0", "0 0 0 0 0 0 1")
        seen = play(with_changes(WALAK_PUSSA, {"blind_next": "empty"}), position, begin(0))
        assert (seen.taken, rows(seen.position)[0]) == ((2, 0), "0 2 x 0 0 0 0")
        played = play(WALAK_PUSSA, position, begin(0))
        assert (played.taken, rows(played.position)[0]) == ((0, 0), "0 2 x 0 1 1 0")


class TestMawkarKatiya:
    SECOND_GAME = {"direction": CLOCKWISE, "richer": 1, "excess": 7, "remainder": 3}

    def test_a_group_taken_at_once_or_when_the_other_has_sown(self):
        """ "All the single groups of 3 pieces that may accumulate within one depression … while the former may be
        playing"."""
        # Three from hole 1: hole 0 becomes three, 13 and 12 one; the ten of 11 give one to each hole down to 1.
        position = board("2 3 0 0 0 0 0", "0 0 0 0 10 0 0", **self.SECOND_GAME)
        # Taken at once, hole 0 is vacant then, and the one of 13 is taken.
        at_once = play(MAWKAR_KATIYA, position, begin(1, CLOCKWISE))
        assert (at_once.taken, rows(at_once.position)) == ((1, 3), ("0 1 1 1 1 1 1", "1 1 1 1 0 1 0"))
        # Left there, the three go on: 13, 12, 11; and 10 → 9, 8 → 7, 6 → 5, 4 → 3, 2 → 1; 0 is vacant, 13 holds two.
        later = with_changes(MAWKAR_KATIYA, {"en_passant_when": "after_sowing"})
        played = play(later, position, begin(1, CLOCKWISE))
        assert (played.taken, rows(played.position)) == ((2, 0), ("0 2 0 2 0 2 0", "2 0 2 0 1 2 0"))

    def test_a_group_that_is_new_when_the_other_has_sown_is_taken(self):
        later = with_changes(MAWKAR_KATIYA, {"en_passant_when": "after_sowing"})
        # Two from hole 6 make three of hole 4; the three of hole 0 were there.
        played = play(later, board("3 0 0 0 2 0 2", FOURS, **self.SECOND_GAME), begin(6, CLOCKWISE))
        assert (played.taken, rows(played.position)[0]) == ((0, 3), "3 0 0 0 0 1 0")

    def test_a_lap_does_not_go_on_from_a_hole_that_was_taken(self):
        """With a relay from the last hole: what was taken in passing is no more there to be picked up."""
        changes = {"relay": "last", "capture_next": "off", "palm": "off", "barred_next": "ends"}
        ruleset = with_changes(MAWKAR_KATIYA, changes)
        played = play(ruleset, board("0 0 0 0 2 0 2", FOURS, **self.SECOND_GAME), begin(6, CLOCKWISE))
        assert (played.laps, played.taken, rows(played.position)[0]) == (1, (0, 3), "0 0 0 0 0 1 0")


@pytest.mark.parametrize(
    ("base", "changes", "key"),
    [
        ("puhulmutu-parker", {"short_handed_then": "next"}, "short_handed_then"),
        ("walak-pussa-parker", {"short_handed_then": "next"}, "short_handed_then"),
        ("walak-pussa-parker", {"short_handed_passes_usual": True}, "short_handed_passes_usual"),
        ("puhulmutu-ludii", {"singles_below": 20}, "singles_below"),
        ("daramuti-ludii", {"blind_next": "empty"}, "blind_next"),
        ("mawkar-katiya-das-gupta", {"barred_in_chain": "ends"}, "barred_in_chain"),
        ("mawkar-katiya-dlp", {"relay": "opposite"}, "capture_next"),
        ("kalah-reference", {"en_passant_when": "after_sowing"}, "en_passant_when"),
        ("puhulmutu-dlp", {"holes_per_row": 9}, "short_handed_holes"),
        ("puhulmutu-parker", {"layout_from": "kept", "round_starter": "alternate"}, "round_starter"),
    ],
)
def test_what_never_fires_or_cannot_be_is_refused(base, changes, key):
    with pytest.raises(RulesetProblem) as refused:
        parse({**RULESETS[base].document, **changes})
    assert key in [problem.key for problem in refused.value.problems]
