"""Single turns of sowing games worked out by hand from the quotations, played by the referee and by the kernel.

Rows are written from their owner's left. Anticlockwise, a lap runs along the first player's row from his left, then
along the second player's row from the latter's left.
"""

import pytest

from simulator.engine.documents import with_changes
from tests.engine.boards import ANTICLOCKWISE, CLOCKWISE, begin, board, play, rows, starts
from tests.engine.rulesets import RULESETS

PUHULMUTU, PUHULMUTU_DLP = RULESETS["puhulmutu-parker"], RULESETS["puhulmutu-dlp"]
WALAK_PUSSA, WALAK_PUSSA_DLP = RULESETS["walak-pussa-parker"], RULESETS["walak-pussa-dlp"]
MAWKAR_KATIYA, MAWKAR_KATIYA_DLP = RULESETS["mawkar-katiya-das-gupta"], RULESETS["mawkar-katiya-dlp"]
DARAMUTI, KOTU_BAENDUM = RULESETS["daramuti-parker"], RULESETS["kotu-baendum-parker"]
PUHULMUTU_LUDII, WALAK_PUSSA_LUDII = RULESETS["puhulmutu-ludii"], RULESETS["walak-pussa-ludii"]
DARAMUTI_LUDII, KOTU_BAENDUM_LUDII = RULESETS["daramuti-ludii"], RULESETS["kotu-baendum-ludii"]
MAWKAR_KATIYA_LUDII = RULESETS["mawkar-katiya-ludii"]
FOURS = "4 4 4 4 4 4 4"
FIVES = "5 5 5 5 5 5 5"
EMPTY = "0 0 0 0 0 0 0"
SINGLE_LAST = "0 0 0 0 0 0 1"


# Answers that no shipped reading gives.
ORIGIN_PASSED = with_changes(PUHULMUTU, {"origin_passed": "true"})
MARKED_ARE_SOWN = with_changes(PUHULMUTU, {"pass_over_never_marked": "true"})
OWN_SIDE_ONLY = with_changes(DARAMUTI, {"capture_opposite": "own"})
PUTAS_ARE_EATEN = with_changes(DARAMUTI, {"capture_opposite_barred": "true"})
BLIND_IS_NEXT = with_changes(PUHULMUTU, {"blind_next": "empty"})
ACROSS = with_changes(MAWKAR_KATIYA, {"relay": "opposite"})

# One turn each: the ruleset, both rows, the hole begun from, both rows afterwards, what each player took, and the laps.
# A row of single digits is written without spaces.
TURNS = {
    # Puhulmutu.
    # "When a hole has three seeds in it, it must be passed over without receiving any seeds". Two counters: holes 1
    # and 2 hold three and get nothing, hole 3 gets one, the last falls into the empty hole 4.
    "three is passed over": (PUHULMUTU, "2330000", FOURS, 0, "0331100", FOURS, (0, 0), 1),
    # "He captures the four … He then takes the seeds of the next hole, if there be any, and sows them as before". The
    # last counter makes four in hole 1. The two of hole 2 then go to 3 and 4; hole 4 was empty.
    "four are captured and the next hole sown": (PUHULMUTU, "1320000", FOURS, 0, "0001100", FOURS, (4, 0), 2),
    # "When this falls into such a hole he captures the four which are now in that hole": either side.
    "four on the other side": (PUHULMUTU, "0000001", "3044444", 6, EMPTY, "0044444", (4, 0), 1),
    # Only three make four: a last counter on four goes on with the five (to 2–6; hole 6 was empty).
    "five are no capture": (PUHULMUTU, "1400000", FOURS, 0, "0011111", FOURS, (0, 0), 2),
    # Whether the starting hole is sown is a question; by default it is, and it is empty: the turn ends there.
    "fourteen sow their own hole": (PUHULMUTU, "14 0 0 0 0 0 0", EMPTY, 0, "1111111", "1111111", (0, 0), 1),
    # Passed over, the last counter makes two of hole 1; the two go to 2 and 3, and so on by twos over 3, 5, … 13,
    # whose two end in holes 0 and 1, both empty by then.
    "fourteen sow their own hole, 2": (ORIGIN_PASSED, "14 0 0 0 0 0 0", EMPTY, 0, "1120202", "0202020", (0, 0), 8),
    # Marked holes.
    # "Seeds are sown as usual, by both players, into these three holes".
    "puta and naga are sown into": (PUHULMUTU, "3 1p 2p 0 0 0 0", FOURS, 0, "0 2p 3p 1 0 0 0", FOURS, (0, 0), 1),
    # They "are also free from capture throughout all that round": a naga grown to three, then four.
    "four in a naga stay": (PUHULMUTU, "1 3p 4 0 0 0 0", FOURS, 0, "0 4p 4 0 0 0 0", FOURS, (0, 0), 1),
    # Conjecture: the rule of threes binds marked holes too; the other reading sows into it.
    "a puta of three": (PUHULMUTU, "2 3p 0 0 0 0 0", FOURS, 0, "0 3p 1 1 0 0 0", FOURS, (0, 0), 1),
    "a puta of three, 2": (MARKED_ARE_SOWN, "2 3p 0 0 0 0 0", FOURS, 0, "0 4p 1 0 0 0 0", FOURS, (0, 0), 1),
    # The next hole's seeds "cannot be taken out and sown": the turn ends with the capture.
    "no lap from a puta": (PUHULMUTU, "1 3 2p 4 0 0 0", FOURS, 0, "0 0 2p 4 0 0 0", FOURS, (4, 0), 1),
    # Walak pussa.
    # "Does not remove and re-sow the seeds out of that hole, but always takes those in the next one". Two from hole 0
    # end in hole 2, which held four and keeps its five; the three of hole 3 then end in hole 6. Hole 7 is empty and so
    # is 8: nothing is eaten.
    "the next hole, never the last": (WALAK_PUSSA, "2043000", "0044444", 0, "0150111", "0044444", (0, 0), 2),
    # "If the following or third hole be empty, the seeds in the one after it are also captured, and so on". Last
    # counter in hole 6 (two now). 7 empty: the five of 8; 9 empty: the four of 10; 11 empty: the two of 12; 13 holds
    # one: two full holes meet.
    "pearls of the necklaces": (WALAK_PUSSA, "0000011", "0504021", 5, "0000002", "0000001", (11, 0), 1),
    "two empty holes end the necklace": (WALAK_PUSSA, "0000011", "0500402", 5, "0000002", "0000402", (5, 0), 1),
    # The paraphrase: "If the final counter falls into an empty hole the turn ends". Parker says no such thing.
    "a last empty hole": (WALAK_PUSSA, "1006001", FOURS, 0, "0100001", FOURS, (6, 0), 1),
    "a last empty hole, 2": (WALAK_PUSSA_DLP, "2000602", FOURS, 0, "0110602", FOURS, (0, 0), 1),
    # Parker speaks of an empty last hole only; the paraphrase of any hole "preceding a puta or naga hole".
    "a puta, the last held some": (WALAK_PUSSA, "2 0 2 1p 5 3 0", FOURS, 0, "0 1 3 1p 5 3 0", FOURS, (0, 0), 1),
    "a puta, the last held some, 2": (
        WALAK_PUSSA_DLP,
        "2 0 2 1p 5 3 0",
        FOURS,
        0,
        "0 1 3 1p 0 3 0",
        FOURS,
        (5, 0),
        1,
    ),
    # It "is considered to be pussa, 'empty'": 8 is eaten over the empty 7, and 10 over the naga in 9.
    "a naga in the necklace": (WALAK_PUSSA, "0000011", "0 5 2p 4 1 0 0", 5, "0000002", "0 0 2p 0 1 0 0", (9, 0), 1),
    # "The seeds in which cannot be captured": the hole beyond the empty one is a puta.
    "a puta is not eaten": (WALAK_PUSSA, "0000011", "0 1p 0 4 4 4 4", 5, "0000002", "0 1p 0 4 4 4 4", (0, 0), 1),
    # Passing over threes is stated for Puhulmutu only (question): off in the shipped readings.
    "threes are sown into": (WALAK_PUSSA, "2300000", FOURS, 0, "0410000", FOURS, (0, 0), 1),
    # Daramuti.
    # "The seeds in the opposite hole on the other side of the board are 'eaten.' The player then stops". The last
    # counter falls into the empty hole 2; opposite is the second player's hole 4 from his left (2 + 11 = 13).
    "the hole opposite": (DARAMUTI, "2000004", "4444644", 0, "0110004", "4444044", (6, 0), 1),
    # Question: on either side (shipped) or on the player's own only. Hole 7 faces the player's own hole 6.
    "from the other side": (DARAMUTI, "4000025", "0044444", 5, "4000000", "1044444", (6, 0), 1),
    "from the other side, 2": (OWN_SIDE_ONLY, "4000025", "0044444", 5, "4000006", "1044444", (0, 0), 1),
    # "If the last seed fall in a hole containing a puta or naga it is treated as an empty one".
    "a last puta is empty": (DARAMUTI, "1 2p 4 0 0 0 0", "4444454", 0, "0 3p 4 0 0 0 0", "4444404", (5, 0), 1),
    # Puhulmutu's putas are "free from capture throughout all that round"; the other reading eats them (question).
    "a puta opposite": (DARAMUTI, "1040000", "4 4 4 4 4 2p 4", 0, "0140000", "4 4 4 4 4 2p 4", (0, 0), 1),
    "a puta opposite, 2": (PUTAS_ARE_EATEN, "1040000", "4 4 4 4 4 2p 4", 0, "0140000", "4 4 4 4 4 0p 4", (2, 0), 1),
    # Threes are passed over and made four, and the lap goes on (by analogy). Hole 1 passed over; hole 2 one; the last
    # makes four of 3: captured. The two of hole 4 end in 6: empty, and the four opposite (the second player's first)
    # are eaten.
    "as Puhulmutu": (DARAMUTI, "2303200", FOURS, 0, "0310011", "0444444", (8, 0), 2),
    # Kotu baendum.
    # "The four now in it are 'eaten,' and the next player then begins": the two of hole 2 stay.
    "four end the turn": (KOTU_BAENDUM, "1320000", FOURS, 0, "0020000", FOURS, (4, 0), 1),
    # Mawkar katiya.
    # "He picks up all the stones lying immediately in front of the depression where the last piece was deposited". Two
    # from hole 6 end in 4, which keeps its six; the one of hole 3 ends in 2. Hole 1 is vacant; hole 0 after it holds
    # four: taken. In the paraphrase the hole opposite the vacant one, the adversary's next to last, is taken: five.
    "goes on from the next hole": (MAWKAR_KATIYA, "4051552", FIVES, 6, "0060660", FIVES, (4, 0), 2),
    "goes on from the next hole, 2": (MAWKAR_KATIYA_DLP, "4051552", FIVES, 6, "4060660", "5555505", (5, 0), 2),
    # "The pieces of stone lying within the depression immediately next to the vacant one": no chain. One from hole 5
    # ends in 4; 3 is vacant, the four of 2 are taken; 1 is vacant too, but the three of 0 stay.
    "only one hole is taken": (MAWKAR_KATIYA, "3040010", FIVES, 5, "3000100", FIVES, (4, 0), 1),
    # Sowing, as the Ludii programme plays it.
    # "Threes are passed over, judged as the board stood before the lap". Sixteen from hole 0, hole 1 holds two: it
    # gets a third and, fourteen later, a fourth; hole 2 gets one and the last: two. Relay 2 → 3, 4 (two); 4 → 6; 6 →
    # 8; 8 → 10; 10 → 12; 12 → 13 and 0 (two: one was sown in going round). 0 → 1 (five) and 2 (one, empty since its
    # relay): the end.
    "threes before the lap": (PUHULMUTU_LUDII, "16 2 0 0 0 0 0", EMPTY, 0, "0512020", "2020202", (0, 0), 8),
    # "Exactly four in the last hole, judged after the lap: captured, and the lap goes on from the next hole". Two from
    # hole 0 make four of hole 2; the two of hole 3 go to 4 and 5, both empty.
    "four, then the next hole": (PUHULMUTU_LUDII, "2032000", FOURS, 0, "0100110", FOURS, (4, 0), 2),
    # "Making four in an end hole captures the four, leaves no mark and ends the turn": the four of hole 7 stay.
    "four in an end hole": (KOTU_BAENDUM_LUDII, "2000203", FOURS, 4, "2000010", FOURS, (4, 0), 1),
    # Elsewhere "as Puhulmutu": the lap goes on from the two of hole 3.
    "four in an ordinary hole": (KOTU_BAENDUM_LUDII, "2032000", FOURS, 0, "0100110", FOURS, (4, 0), 2),
    # "Last hole now holding two or more: relay from it"; threes are not passed over. Two from hole 0: three become
    # four, hole 2's one becomes two: relay to 3 and 4. Hole 5 holds five: eaten, 6 is not empty: the end.
    "relay from the last hole": (WALAK_PUSSA_LUDII, "2310052", FOURS, 0, "0401102", FOURS, (5, 0), 2),
    # "One: capture the first hole after it if occupied, then the third, fifth and seventh while the hole between is
    # empty": four at most. Last counter in the empty hole 2: 3, 5, 7 and 9 are eaten; 11, beyond the empty 10, is a
    # fifth and stays.
    "four holes at most": (WALAK_PUSSA_LUDII, "2104030", "2060502", 0, "0210000", "0000502", (15, 0), 1),
    # "If the first is empty nothing is taken; the turn ends".
    "nothing over an empty hole": (WALAK_PUSSA_LUDII, "2100500", FOURS, 0, "0210500", FOURS, (0, 0), 1),
    # "One, on either side: the hole opposite goes to the mover (his own counter stays), nothing if that is empty".
    "opposite on either side": (DARAMUTI_LUDII, "2304000", "4444644", 0, "0414000", "4444044", (6, 0), 1),
    # Hole 7 faces the first player's own hole 6, which has just become six.
    "opposite on either side, 2": (DARAMUTI_LUDII, "2000025", "0444444", 5, "2000000", "1444444", (6, 0), 1),
    "opposite on either side, 3": (DARAMUTI_LUDII, "2304000", "4444044", 0, "0414000", "4444044", (0, 0), 1),
    # "Lap goes on from the next hole; if that is empty, the hole opposite the empty one is taken". Clockwise, two from
    # hole 6 end in 4; hole 3 is vacant; opposite is the second player's hole 3.
    "opposite the empty one": (MAWKAR_KATIYA_LUDII, "5550552", "5557555", 6, "5550660", "5550555", (7, 0), 1),
    # Unfilled holes, as the Ludii programme plays it.
    # Two from hole 0 make four of hole 2: captured. Hole 3 is unfilled, so that the two of hole 4 stay.
    "unfilled after a capture": (PUHULMUTU_LUDII, "203x200", FOURS, 0, "010x200", FOURS, (4, 0), 1),
    # The last counter in the empty hole 2; the first hole after it is unfilled: nothing is taken.
    "unfilled before a chain": (WALAK_PUSSA_LUDII, "210x500", FOURS, 0, "021x500", FOURS, (0, 0), 1),
    # Hole 3 is eaten, 4 is unfilled, 5 is eaten.
    "unfilled within a chain": (WALAK_PUSSA_LUDII, "2104x52", FOURS, 0, "0210x02", FOURS, (9, 0), 1),
    # Blind hole after the last.
    # Two from hole 0 make four of hole 2. The next hole is blind, the one after it holds two.
    "blind after a capture": (PUHULMUTU, "203x200", FOURS, 0, "010x011", FOURS, (4, 0), 2),
    "blind after a capture, 2": (BLIND_IS_NEXT, "203x200", FOURS, 0, "010x200", FOURS, (4, 0), 1),
    # Mawkar katiya.
    # "All the stones lying immediately in front of the depression where the last piece was deposited": ahead in the
    # row (shipped), or across. Two from hole 6: 5 and 4. Across from 4 lies 9 with one: it falls into 8. Across from 8
    # lies 5, its one falls into 4. Across from 4, 9 is vacant now, and the one in 8, next to it, is taken.
    "in front is across": (ACROSS, "0000002", "0010000", 6, "0000200", EMPTY, (1, 0), 3),
}


@pytest.mark.parametrize("name", TURNS)
def test_one_turn(name):
    ruleset, first, second, hole, first_after, second_after, taken, laps = TURNS[name]
    heading = CLOCKWISE if ruleset.parameters["direction"] == "clockwise" else ANTICLOCKWISE
    played = play(ruleset, board(first, second, heading, moved=3), begin(hole, heading))
    assert rows(played.position) == rows(board(first_after, second_after))
    assert (played.taken, played.laps) == (taken, laps)


class TestPuhulmutu:
    def test_opening_lap_by_lap(self):
        """ "Takes the five seeds out of the hole into which the last one fell … until the final seed falls into an
        empty hole"."""
        # Lap 1: hole 0's four make five in 1–4. Lap 2: the five of hole 4 make five in 5–9. Lap 3: the five of hole
        # 9 go to 10–13 and into hole 0, which the first lap left empty: the turn ends.
        played = play(PUHULMUTU, board(FOURS, FOURS, direction=0), begin(0, ANTICLOCKWISE))
        assert rows(played.position) == ("1 5 5 5 0 5 5", "5 5 0 5 5 5 5")
        assert (played.laps, played.position.mover, played.position.direction) == (3, 1, ANTICLOCKWISE)

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

    def test_making_four_before_an_empty_hole_ends_the_turn(self):
        """ "If the next hole to that at which he effected the capture be empty his turn is ended"."""
        played = play(PUHULMUTU, board("1 3 0 5 0 0 0", FOURS), begin(0))
        assert rows(played.position) == ("0 0 0 5 0 0 0", FOURS)
        assert (played.taken, played.laps, played.position.mover) == ((4, 0), 1, 1)

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
    def test_puta_and_naga_are_never_picked_up(self):
        """ "Those in the first two, containing a puta or naga, cannot be taken out and sown"."""
        assert starts(PUHULMUTU, board("4 5p 4 0 0 0 2p", FOURS)) == [0, 2]

    @pytest.mark.parametrize("held", [1, 2, 5])
    def test_a_last_counter_in_one_ends_the_turn(self, held):
        """ "The turn of the player whose last one falls into either of them comes to an end"."""
        played = play(PUHULMUTU, board(f"1 {held}p 4 0 0 0 0", FOURS), begin(0))
        assert rows(played.position) == (f"0 {held + 1}p 4 0 0 0 0", FOURS)
        assert played.position.mover == 1

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
