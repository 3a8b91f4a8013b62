"""The ends of rounds and the layouts between them, worked out by hand from the quotations.

Fifty-six counters in the four Kandyan games, seventy in Mawkar katiya. Rows are written from their owner's left.
"""

import pytest

from simulator.engine.documents import with_changes
from simulator.engine.ends import DRAW, WIN
from simulator.engine.families.sowing.position import BORROW, CALL_DRAW, LAY, SHIFT_ONE, SHIFT_TWO
from simulator.engine.families.sowing.referee import contract
from tests.engine.boards import ANTICLOCKWISE, CLOCKWISE, begin, board, lay, lay_fours, play, rows, starts
from tests.engine.rulesets import RULESETS

PUHULMUTU = RULESETS["puhulmutu-parker"]
PUHULMUTU_DLP = RULESETS["puhulmutu-dlp"]
KOTU_BAENDUM = RULESETS["kotu-baendum-parker"]
MAWKAR_KATIYA, MAWKAR_KATIYA_DLP = RULESETS["mawkar-katiya-das-gupta"], RULESETS["mawkar-katiya-dlp"]
FOURS = "4 4 4 4 4 4 4"
FIVES = "5 5 5 5 5 5 5"
EMPTY = "0 0 0 0 0 0 0"


def laying(owned, mover=0, **fields):
    """The richer player has laid seven fours; the mover, who owns `owned`, is to lay."""
    stores = [28 - owned, 28 - owned]
    stores[mover] = owned
    laid = (EMPTY, FOURS) if mover == 0 else (FOURS, EMPTY)
    return board(*laid, phase=LAY, mover=mover, stores=stores, **fields)


class TestEndOfARound:
    # The first player's last counter goes over to the other side: his row is empty, but it is not his turn.
    LEFT_WITHOUT = board("0 0 0 0 0 0 1", "0 0 2 0 0 0 0", stores=(33, 20))

    def test_when_the_turn_of_a_player_without_seeds_comes(self):
        """Parker: "more correctly when a player is left without seeds in his row of holes on his turn's coming to
        play"."""
        played = play(PUHULMUTU, self.LEFT_WITHOUT, begin(6))
        assert (played.rounds_ended, rows(played.position)) == (0, (EMPTY, "1 0 2 0 0 0 0"))
        # The second player's two end on his own side; now it is the first player's turn, and he has nothing: the round
        # is over. The second player takes what is left on his side: 20 + 3 = 23 against 33, and lays out what he owns.
        played = play(PUHULMUTU, played.position, begin(2))
        assert (played.rounds_ended, played.round_winner) == (1, 0)
        assert (played.position.stores, played.position.mover) == ([33 - 28, 23], 1)
        assert rows(played.position) == (FOURS, EMPTY)

    def test_as_soon_as_either_row_is_empty(self):
        """The paraphrase: "The round ends when one player's holes are empty": the three left are the second
        player's."""
        played = play(PUHULMUTU_DLP, self.LEFT_WITHOUT, begin(6))
        assert (played.rounds_ended, played.position.stores) == (1, [33 - 28, 23])

    def test_only_barred_holes_hold_counters(self):
        """Question: the round ends (shipped, conjecture) or the player passes. The puta's counters are its owner's."""
        position = board("0 0 1 0 0 0 0", "0 0 0 0 0 6p 0", stores=(29, 20))
        played = play(PUHULMUTU, position, begin(2))
        assert (played.rounds_ended, played.position.stores) == (1, [30 - 28, 26])
        played = play(with_changes(PUHULMUTU, {"stuck": "passes"}), position, begin(2))
        assert (played.rounds_ended, rows(played.position)) == (0, ("0 0 0 1 0 0 0", "0 0 0 0 0 6p 0"))

    def test_a_player_with_nothing_has_lost(self):
        """ "Play continues until one player has no counters"."""
        position = board("0 0 1 0 0 0 0", EMPTY, stores=(55, 0))
        played = play(PUHULMUTU, position, begin(2))
        assert (played.position.end, played.position.winners, played.position.stores) == (WIN, 0b01, [56, 0])

    def test_one_counter_is_enough_to_go_on(self):
        """He "often regains his lost seeds, even when he has been reduced to one seed at the beginning of a round"."""
        played = play(PUHULMUTU, board("0 0 1 0 0 0 0", EMPTY, stores=(54, 1)), begin(2))
        assert (played.position.end, played.position.phase, played.position.stores[1]) == (-1, LAY, 1)

    def test_tied_holes_belong_to_who_tied_them(self):
        """ "Whether they be on his own or his opponent's side of the board": like putas, they accumulate for their
        owner."""
        # The first player tied hole 7 on the other side (six in it), the second player hole 6 (five).
        position = board("0 0 1 0 0 0 5t1", "6t0 0 0 0 0 0 0", stores=(24, 20), moved=3)
        played = play(KOTU_BAENDUM, position, begin(2))
        assert played.rounds_ended == 1
        assert (played.position.stores, played.position.mover) == ([24 + 1 + 6 - 28, 20 + 5], 1)
        assert rows(played.position) == (FOURS, EMPTY)  # no tie is left in the next round (conjecture)
        kept = play(with_changes(KOTU_BAENDUM, {"ties_kept": "true"}), position, begin(2))
        assert rows(kept.position) == ("4 4 4 4 4 4 4t1", "0t0 0 0 0 0 0 0")


class TestEqualPearls:
    # The second player's turn ends the round; each owns 28. The first player began this round.
    EQUAL = board(EMPTY, "0 0 0 0 0 1 0", mover=1, stores=(28, 27), starter=0)

    def test_the_game_may_be_called_a_draw(self):
        """ "If they have equal numbers (termed hari mutu …), it is optional to consider the game ended in a 'draw'"."""
        after = play(PUHULMUTU, self.EQUAL, begin(5)).position
        assert contract.moves(PUHULMUTU.parameters, after) == [lay_fours(0), lay_fours(1), CALL_DRAW]
        assert after.mover == 1  # the one who did not begin the last round (conjecture)
        drawn = play(PUHULMUTU, after, CALL_DRAW).position
        assert (drawn.end, drawn.winners) == (DRAW, 0)

    def test_played_on_the_end_he_lays_from_sets_the_direction(self):
        after = play(PUHULMUTU, self.EQUAL, begin(5)).position
        for end, direction in ((0, ANTICLOCKWISE), (1, CLOCKWISE)):
            laid = play(PUHULMUTU, after, lay_fours(end)).position
            assert (rows(laid), laid.direction, laid.mover) == ((FOURS, FOURS), direction, 1)


class TestPutaNagaWala:
    """ "Thus, if the latter player have a puta, his opponent must end with a wala, or vice versa"; naga faces naga."""

    @pytest.mark.parametrize(
        ("owned", "poorer", "richer"),
        [
            (25, "4 4 4 4 4 4 1p", "4 4 4 4 4 4 3"),
            (26, "4 4 4 4 4 4 2p", "4 4 4 4 4 4 2p"),
            (27, "4 4 4 4 4 4 3", "4 4 4 4 4 4 1p"),
            (24, "4 4 4 4 4 4 x", "4 4 4 4 4 4 4"),
            (17, "4 4 4 4 1p x x", "4 4 4 4 4 4 3"),
            (8, "4 4 x x x x x", "4 4 4 4 4 4 4"),
        ],
    )
    def test_the_two_holes_make_four(self, owned, poorer, richer):
        """ "The opponent removes one, two, or three seeds respectively from his last hole … so as to make up the
        sum of four"."""
        after = play(PUHULMUTU, laying(owned), lay_fours(0)).position
        assert rows(after) == (poorer, richer)
        removed = owned % 4
        assert after.stores == [0, 28 - owned + removed]
        assert (after.mover, after.direction) == (
            0,
            ANTICLOCKWISE,
        )  # "sowing the seeds in the direction of his empty holes"

    def test_laid_from_the_other_end_everything_is_mirrored(self):
        """The layout's end is his choice; the opponent's last hole is then the one on his left."""
        after = play(PUHULMUTU, laying(25), lay_fours(1)).position
        assert rows(after) == ("1p 4 4 4 4 4 4", "3 4 4 4 4 4 4")
        assert after.direction == CLOCKWISE

    def test_the_paraphrase_removes_from_the_hole_opposite(self):
        """ "The opponent removes one counter from their hole opposite": the other end of the opponent's row."""
        after = play(PUHULMUTU_DLP, laying(25, round=3), lay_fours(0)).position
        assert rows(after) == ("4 4 4 4 4 4 1p", "3 4 4 4 4 4 4")
        after = play(PUHULMUTU_DLP, laying(19, round=3), lay_fours(0)).position
        assert rows(after) == ("4 4 4 4 3 x x", "4 4 1 4 4 4 4")  # no mark on the opponent's side

    def test_a_second_rounds_remainder_stays_in_the_store(self):
        """ "Places four counters into as many holes as possible, leaving any extra in the store"; "rounds three and
        above"."""
        after = play(PUHULMUTU_DLP, laying(25, round=2), lay_fours(0)).position
        assert (rows(after), after.stores) == (("4 4 4 4 4 4 x", FOURS), [1, 3])

    def test_removing_what_the_hole_lacks(self):
        """The other reading of the matching removal: 3, 2, 1, so that the two holes together make 2, 4 or 6."""
        deficit = with_changes(PUHULMUTU, {"matching": "deficit"})
        assert rows(play(deficit, laying(25), lay_fours(0)).position) == ("4 4 4 4 4 4 1p", "4 4 4 4 4 4 1p")
        assert rows(play(deficit, laying(27), lay_fours(0)).position) == ("4 4 4 4 4 4 3", "4 4 4 4 4 4 3")

    def test_a_wala_is_sown_and_captured_as_usual(self):
        """ "Those in the wala hole have not this privilege": its three may start a lap, and be made four and
        captured."""
        after = play(PUHULMUTU, laying(27), lay_fours(0)).position
        assert starts(PUHULMUTU, after) == [0, 1, 2, 3, 4, 5, 6]
        # Facing a puta, the opponent's last hole is a wala: a last counter in it makes four.
        position = board("0 0 0 0 0 0 7", "4 4 4 4 4 4 3")
        assert play(PUHULMUTU, position, begin(6)).taken == (4, 0)

    def test_a_lone_puta_cannot_begin(self):
        """One counter laid in the usual way is a puta: it "cannot be taken out and sown", so the other player
        begins."""
        after = play(PUHULMUTU, laying(1), lay_fours(0)).position
        assert (rows(after), after.mover) == (("1p x x x x x x", "4 4 4 4 4 4 3"), 1)


class TestShortHandedLayout:
    """ "When a player finds himself left with less than twelve seeds … he has the option of arranging them"
    otherwise."""

    def layouts(self, ruleset, owned):
        position = laying(owned, round=3)
        moves = contract.moves(ruleset.parameters, position)
        found = [rows(play(ruleset, position, move).position)[0].replace("x", "0") for move in moves if move % 4096]
        return sorted(found[: len(found) // 2], reverse=True)  # the first half from the left end, the second mirrored

    def test_nine_seeds(self):
        """ "If he have nine seeds … two in each of the four holes on the left …; and the ninth … in the last hole"."""
        # Twos: 9 - 2f in the last hole, at most four: f = 4 leaves 1, f = 3 leaves 3 (f = 2 would leave 5). Ones: f = 6
        # leaves 3, f = 5 leaves 4.
        assert self.layouts(PUHULMUTU, 9) == [
            "2 2 2 2 0 0 1",
            "2 2 2 0 0 0 3",
            "1 1 1 1 1 1 3",
            "1 1 1 1 1 0 4",
        ]
        after = play(PUHULMUTU, laying(9), lay(2, 2, 2, 2, 0, 0, 1)).position
        assert rows(after) == ("2 2 2 2 x x 1", FOURS)  # "The opponent's distribution is unaffected by this"
        assert (after.short, after.short_number, after.direction) == (1, 2, ANTICLOCKWISE)

    def test_as_many_holes_as_his_seeds_fill(self):
        """ "Two seeds … in each hole, beginning from one end": nine fill four with twos and six with ones.

        "Any surplus seeds, not exceeding four": eleven fill six with ones and five are over, which is too many.
        """
        as_many = with_changes(PUHULMUTU, {"short_handed_holes": "as_many_as_fit"})
        assert self.layouts(as_many, 9) == ["2 2 2 2 0 0 1", "1 1 1 1 1 1 3"]
        assert self.layouts(as_many, 11) == ["2 2 2 2 2 0 1"]
        assert self.layouts(as_many, 8) == ["2 2 2 2 0 0 0", "1 1 1 1 1 1 2"]
        assert self.layouts(as_many, 1) == ["1 0 0 0 0 0 0"]

    def test_of_the_paraphrase_ones_and_twos_may_be_mixed(self):
        """ "One or two counters in one end hole …, and one or two counters in the intermediate holes": the end hole
        counts. Here without gaps, which the paraphrase allows."""
        # Three counters, all in the first holes or at most two left for the last: 3 = 1+2 = 2+1 = 1+1+1, surplus 0 … 2.
        without_gaps = with_changes(PUHULMUTU_DLP, {"short_handed_holes": "from_one_end"})
        assert self.layouts(without_gaps, 3) == [
            "2 1 0 0 0 0 0",
            "2 0 0 0 0 0 1",
            "1 2 0 0 0 0 0",
            "1 1 1 0 0 0 0",
            "1 1 0 0 0 0 1",
            "1 0 0 0 0 0 2",
        ]
        after = play(without_gaps, laying(3, round=3), lay(1, 2, 0, 0, 0, 0, 0)).position
        assert (after.short, after.short_number) == (1, 1)

    def test_twelve_seeds_are_not_short(self):
        assert contract.moves(PUHULMUTU.parameters, laying(12)) == [lay_fours(0), lay_fours(1)]
        assert len(contract.moves(PUHULMUTU.parameters, laying(11))) > 2

    def test_no_puta_in_such_a_round(self):
        """ "There are no puta, naga, or wala holes in this round": nothing is removed, nothing barred."""
        after = play(PUHULMUTU, laying(1), lay(1, 0, 0, 0, 0, 0, 0)).position
        assert rows(after) == ("1 x x x x x x", FOURS)
        assert starts(PUHULMUTU, after) == [0]


class TestCuttingAshPumpkins:
    BORROWING = with_changes(PUHULMUTU, {"loan": "borrow"})
    SHIFTING = with_changes(PUHULMUTU, {"loan": "shift"})

    def test_borrowed_played_and_returned(self):
        """ "Borrows a seed out of each of the last two holes on his opponent's side, and places these in the
        adjoining two"."""
        # He owns 16 and lays four fours. Borrowed: the opponent's last two become three, his own first two five.
        # "He must then begin his play at the next or third hole."
        laid = play(self.BORROWING, laying(16), lay_fours(0)).position
        assert BORROW in contract.moves(self.BORROWING.parameters, laid)
        borrowed = play(self.BORROWING, laid, BORROW)
        assert not borrowed.turn_over
        assert rows(borrowed.position) == ("5 5 4 4 x x x", "4 4 4 4 4 3 3")
        assert starts(self.BORROWING, borrowed.position) == [2]
        # The four of hole 2: hole 3 five, and over the blind holes 7, 8, 9 five each; the five of 9 go to 10, 11
        # (five), over the threes of 12 and 13 to 0 and 1 (six), and the last to 2: empty. Then one from hole 0 and
        # one from hole 1 go back "when his opponent is about to commence sowing".
        played = play(self.BORROWING, borrowed.position, begin(2))
        assert rows(played.position) == ("5 5 1 5 x x x", "5 5 0 5 5 4 4")
        assert (played.position.mover, played.position.loan) == (1, 0)

    def test_a_lender_without_seeds_lends_nothing(self):
        """Conjecture: unless both of the opponent's last two holes hold counters there is nothing to borrow."""
        position = board("4 4 4 4 0 0 0", "4 4 4 4 4 0 4", loan=1)
        assert BORROW not in contract.moves(self.BORROWING.parameters, position)

    def test_the_second_method(self):
        """ "A player's moving a seed, or two, on the opponent's side, and then commencing … from other holes than
        the first three"."""
        laid = play(self.SHIFTING, laying(16), lay_fours(0)).position
        assert contract.moves(self.SHIFTING.parameters, laid)[-2:] == [SHIFT_ONE, SHIFT_TWO]
        shifted = play(self.SHIFTING, laid, SHIFT_TWO).position
        assert rows(shifted) == ("4 4 4 4 x x x", "4 4 4 4 4 2 6")
        assert starts(self.SHIFTING, shifted) == [3]

    def test_offered_in_the_first_turn_of_the_round_or_in_each(self):
        for when, after in (("round_start", 0), ("each_turn", 1)):
            ruleset = with_changes(self.BORROWING, {"loan_when": when})
            laid = play(ruleset, laying(16), lay_fours(0)).position
            assert play(ruleset, laid, begin(0)).position.loan == after


class TestSecondGameOfMawkarKatiya:
    def ended(self, first, second, ruleset=MAWKAR_KATIYA):
        """The position after a first game that leaves the players with these stones."""
        # The 28th turn without a capture ends the round: one stone moves from hole 3 to 2, and 1 and 0 are empty.
        position = board("0 0 0 1 0 0 0", EMPTY, direction=CLOCKWISE, idle=27, stores=(first - 1, second))
        return play(ruleset, position, begin(3, CLOCKWISE))

    def test_37_against_33(self):
        """ "35 pieces in the usual way, while two … will remain to his credit"; the other places "3 within the
        depression … to the extreme left along his line, while the other six will contain 5 pieces each"."""
        played = self.ended(37, 33)
        after = played.position
        assert (played.rounds_ended, played.round_winner) == (1, 0)
        assert rows(after) == ("5h 5 5 5 5 5 5", "3w 5 5 5 5 5 5")
        assert (after.stores, after.excess, after.remainder) == ([2, 0], 2, 3)

    def test_rounds_are_started_by_turns(self):
        """The first player began the first game, so the second begins the second, whoever won."""
        assert self.ended(37, 33).position.mover == 1
        assert self.ended(33, 37).position.mover == 1

    def test_47_against_23_covers_two_holes(self):
        """ "Two depressions beginning from the right of his adversary … will be kept covered over and none will be
        allowed to place any piece inside these": 23 = 3 + 4 x 5."""
        after = self.ended(47, 23).position
        assert rows(after) == ("5h 5 5 5 5 5 5", "3w 5 5 5 5 x x")
        assert (after.stores, after.excess, after.remainder) == ([12, 0], 12, 3)

    def test_35_against_35_is_a_first_game_again(self):
        after = self.ended(35, 35).position
        assert (rows(after), after.excess, after.mover) == ((FIVES, FIVES), 0, 1)

    def test_the_paraphrase_fills_from_the_left_remainder_last(self):
        """ "Fill their holes with five counters in each, starting from the left … places the remainder in the next
        empty hole"."""
        dlp = with_changes(MAWKAR_KATIYA_DLP, {"idle_turns": "28"})
        assert rows(self.ended(37, 33, dlp).position) == ("5h 5 5 5 5 5 5", "5 5 5 5 5 5 3w")
        assert rows(self.ended(47, 23, dlp).position) == ("5h 5 5 5 5 5 5", "5 5 5 5 3w 0 0")

    SECOND_GAME = {"direction": CLOCKWISE, "richer": 1, "excess": 2, "remainder": 3}

    def test_groups_are_taken_while_the_adversary_plays(self):
        """ "(a) The person that has got two pieces extra will have all the single groups of two pieces that may
        accumulate … while his adversary is playing … the latter … groups of 3 pieces … while the former may be
        playing"."""
        # Second player sows two from his hole 3: one makes two of hole 2: taken by the first player at once; the
        # other makes three of hole 1, which is the sower's own number and stays. Hole 0 is the part hole and counts
        # as empty: the hole after it, the first player's hole 6, is taken: five.
        position = board(FIVES, "1w 2 1 2 0 0 5", mover=1, **self.SECOND_GAME)
        played = play(MAWKAR_KATIYA, position, begin(3, CLOCKWISE))
        assert (played.taken, rows(played.position)) == ((2, 5), ("5 5 5 5 5 5 0", "1w 3 0 0 0 0 5"))
        # First player sows two from his hole 5: hole 4 becomes three: the second player's. Hole 3 becomes two: the
        # sower's own number, and stays. Hole 2 is vacant; the four of hole 1 are his.
        position = board("0 4 0 1 2 2 0", "1w 5 5 5 5 5 5", **self.SECOND_GAME)
        played = play(MAWKAR_KATIYA, position, begin(5, CLOCKWISE))
        assert (played.taken, rows(played.position)) == ((4, 3), ("0 0 0 2 0 0 0", "1w 5 5 5 5 5 5"))

    def test_the_other_reading_of_the_numbers(self):
        """Question: "whose number is which". The same first turn, with each player taking the other's number."""
        other = with_changes(MAWKAR_KATIYA, {"en_passant": "other_number"})
        position = board(FIVES, "1w 2 1 2 0 0 5", mover=1, **self.SECOND_GAME)
        played = play(other, position, begin(3, CLOCKWISE))
        assert (played.taken, rows(played.position)) == ((3, 5), ("5 5 5 5 5 5 0", "1w 0 2 0 0 0 5"))

    def test_the_covered_hole_gains_one_for_its_owner(self):
        """ "(b) … gain one piece every time he passes round this depression, while his adversary will not be
        allowed to drop any piece in it"."""
        # First player sows three from hole 1: the covered hole 0 gains him one; 13 and 12 become six. Hole 11 is
        # vacant, and the six after it are taken: 1 + 6.
        position = board("5h 3 0 0 0 0 0", "1w 5 5 6 0 5 5", **self.SECOND_GAME)
        played = play(MAWKAR_KATIYA, position, begin(1, CLOCKWISE))
        assert (played.taken, rows(played.position)) == ((7, 0), ("5h 0 0 0 0 0 0", "1w 5 5 0 0 6 6"))
        # The adversary's counters pass it by: three from hole 1 fall into 0 (the part hole), 6, and 5.
        position = board("5h 4 0 0 0 3 4", "1w 3 5 6 0 5 5", mover=1, **self.SECOND_GAME)
        played = play(MAWKAR_KATIYA, position, begin(1, CLOCKWISE))
        assert rows(played.position) == ("5h 4 0 0 0 4 5", "2w 0 5 6 0 5 5")
        # And nobody starts from it, or picks it up.
        assert 0 in starts(MAWKAR_KATIYA, board("5 1 0 0 0 0 0", FIVES, direction=CLOCKWISE))
        assert 0 not in starts(MAWKAR_KATIYA, board("5h 1 0 0 0 0 0", FIVES, direction=CLOCKWISE))

    def test_from_the_pile_under_the_palm(self):
        """Question: the one he gains comes from his hand (shipped) or from the five under the palm."""
        pile = with_changes(MAWKAR_KATIYA, {"palm": "from_pile"})
        # Three from hole 1 pass over hole 0, which loses one to him, and fall into 13, 12 and 11; 10 is vacant, 9
        # is taken.
        position = board("5h 3 0 0 0 0 0", "1w 5 5 0 5 5 5", **self.SECOND_GAME)
        played = play(pile, position, begin(1, CLOCKWISE))
        assert (played.taken, rows(played.position)) == ((1 + 5, 0), ("4h 0 0 0 0 0 0", "1w 5 0 0 6 6 6"))

    def test_what_gathers_in_the_part_hole_is_the_winners(self):
        """ "(c) The pieces that will be gathered in the depression where the three pieces were placed will always
        come to the possession of the winner"."""
        position = board("5h 0 0 1 0 0 0", "4w 2 0 0 0 0 0", idle=27, stores=(30, 28), **self.SECOND_GAME)
        played = play(MAWKAR_KATIYA, position, begin(3, CLOCKWISE))
        # First player: 30 + 5 under the palm + 1 in his row + 4 in the part hole = 40; second player: 28 + 2 = 30.
        assert (played.rounds_ended, played.position.excess, played.position.stores) == (1, 5, [5, 0])

    def test_who_takes_everything_is_victorious(self):
        """ "The person who succeeds in capturing all the pieces of his opponent will be victorious"."""
        after = self.ended(70, 0).position
        assert (after.end, after.winners) == (WIN, 0b01)
        assert self.ended(69, 1).position.end == -1

    def test_a_first_game_of_das_gupta_never_empties_the_plank(self):
        """ "Till all the pieces have been removed from the plank": but the hole after the vacant one is never the
        last one, so the last piece dropped stays. A bound ends the round: turns in succession without a
        capture, 28 as shipped."""
        unbounded = with_changes(MAWKAR_KATIYA, {"idle_turns": "0"})
        two_left = board("0 0 1 0 0 0 0", "0 0 0 0 0 0 1", direction=CLOCKWISE, stores=(34, 34))
        # One stone at hole 2 moves to 1; hole 0 is vacant and the one after it is taken: one stone is left for ever.
        one_left = play(unbounded, two_left, begin(2, CLOCKWISE))
        assert (one_left.taken, rows(one_left.position)) == ((1, 0), ("0 1 0 0 0 0 0", EMPTY))
        position = one_left.position
        for _ in range(60):
            position = play(unbounded, position, contract.moves(unbounded.parameters, position)[0]).position
            assert sum(position.holes) == 1
        # Opposite the vacant hole (the paraphrase), the corner takes itself: from hole 8 to 7, hole 6 is vacant, and
        # opposite hole 6 is hole 7.
        corner = board(EMPTY, "0 1 0 0 0 0 0", direction=CLOCKWISE, mover=1, stores=(34, 35))
        emptied = play(MAWKAR_KATIYA_DLP, corner, begin(1, CLOCKWISE))
        assert (emptied.taken, emptied.rounds_ended) == ((0, 1), 1)
