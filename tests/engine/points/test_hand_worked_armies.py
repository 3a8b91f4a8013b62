"""Games of two armies worked out by hand from the sources, played by the referee: draughts and their kin."""

import pytest

from simulator.engine.documents import with_changes
from simulator.engine.ends import DRAW, WIN
from simulator.engine.families.points.position import CHAIN, PLAY
from simulator.engine.families.points.referee.contract import start
from simulator.engine.ruleset import RulesetProblem
from tests.engine.points.positions import kinds, moves, names, play, play_all, position, rules
from tests.engine.rulesets import RULESETS

PERALI = RULESETS["peralikatuma-dlp"].parameters
KOTU = RULESETS["kotu-ellima-ludovisi"].parameters
DAM = RULESETS["dam-parker"].parameters
DAM_LUDII = RULESETS["dam-ludii"].parameters


def changed(slug, **changes):
    return with_changes(RULESETS[slug], changes).parameters


class TestPeralikatuma:
    def test_a_chain(self):
        """ "Captures are not obligatory. Multiple captures can be made." (the paraphrase)"""
        stand = position(PERALI, "c3 i3", "d4 f6 i5")
        first = play(PERALI, stand, "c3xe5")
        assert (first.turn_over, first.position.phase, first.position.mover) == (False, CHAIN, 0)
        # Only the piece that jumped goes on; i3 could jump over i5, but not now.
        assert moves(PERALI, first.position) == ["e5xg7", "stop"]
        second = play(PERALI, first.position, "e5xg7")
        assert (second.turn_over, second.taken, second.position.mover) == (True, (1, 0), 1)
        assert names(PERALI, second.position.men[1]) == "i5"
        stopped = play(PERALI, first.position, "stop")
        assert (stopped.turn_over, names(PERALI, stopped.position.men[1])) == (True, "i5 f6")
        assert "c3-c4" in moves(PERALI, stand)

    def test_all_taken(self):
        """ "A player wins by capturing all of the opponent's pieces": at once, in the middle of a chain."""
        played = play_all(PERALI, position(PERALI, "c3", "d4 f6"), "c3xe5 e5xg7")
        assert (played.position.end, played.position.winners) == (WIN, 1)


class TestKotuEllima:
    def test_the_first_move_is_a_sacrifice(self):
        """ "The first move made into this point is a sacrifice, for the piece is immediately taken by his opponent"."""
        for opening in moves(KOTU, start(KOTU)):
            after = play(KOTU, start(KOTU), opening).position
            answers = moves(KOTU, after)
            assert answers
            assert all("x" in answer for answer in answers)  # capture is compulsory in this reading


class TestDam:
    def test_men_move_and_capture_backwards_and_forwards(self):
        """ "They can move backwards as well as forwards from the beginning"."""
        stand = position(DAM_LUDII, "f5", "e4 g8")
        assert moves(DAM_LUDII, stand) == ["f5-g4", "f5-e6", "f5-g6", "f5xd3"]
        assert moves(DAM, stand) == ["f5xd3"]  # "in other respects … the same as in English Draughts"

    def test_a_kings_long_capture_that_turns_at_the_edge(self):
        """ "If any of the opponent's pieces be captured on this diagonal and the king can enter the end square, it may
        continue its course in the same manner … at a right angle from the last one, and so on over a third or more"."""
        stand = position(DAM_LUDII, "", "k6 j9 j11 h11 d9", kings=("f1", ""))
        assert [words for words in moves(DAM_LUDII, stand) if "x" in words] == ["f1xl7"]
        played = play(DAM_LUDII, stand, "f1xl7")
        assert moves(DAM_LUDII, played.position) == ["l7xi10", "stop"]  # the end square: it turns
        played = play(DAM_LUDII, played.position, "l7xi10")
        # On i10, which is no end square, it may only go straight on, though j11 stands beside it with k12 vacant.
        assert moves(DAM_LUDII, played.position) == ["i10xg12", "stop"]
        played = play(DAM_LUDII, played.position, "i10xg12")
        assert moves(DAM_LUDII, played.position) == ["g12xc8", "stop"]  # over d9 from three squares away
        played = play(DAM_LUDII, played.position, "g12xc8")
        assert played.turn_over
        assert names(DAM_LUDII, played.position.men[1]) == "j11"
        assert names(DAM_LUDII, played.position.kings[0]) == "c8"

    def test_a_king_may_stop_short(self):
        """ "He has the option of remaining at any empty intermediate square before reaching the end of a diagonal"."""
        # Over d3 from b1: e4, f5, g6 and h7 are vacant, i8 is taken; beyond i8 stands another.
        stand = position(DAM, "", "d3 i8 j9", kings=("b1", ""))
        assert moves(DAM, stand) == ["b1xe4", "b1xf5", "b1xg6", "b1xh7"]
        beside = [words for words in moves(DAM_LUDII, stand) if "x" in words]
        assert beside == ["b1xe4"]  # the Ludii reading: the square just beyond

    def test_a_king_jumps_over_one_opposing_piece_at_a_time(self):
        """ "Cannot pass over Itto or Kings of its own side, and only over opposing ones if the next square to them be
        empty"."""
        assert moves(DAM, position(DAM, "d3", "e4", kings=("b1", "")))[:2] == ["d3xf5"]
        stand = position(DAM, "", "d3 e4", kings=("b1", ""))
        assert moves(DAM, stand) == ["b1-a2", "b1-c2"]

    def test_a_king_steps_to_the_end_of_its_diagonal_at_most(self):
        """ "If the King take no pieces … on the first diagonal, he cannot proceed further than its end at one move"."""
        played = play(DAM, position(DAM, "", "a12", kings=("f1", "")), "f1-l7")
        assert played.turn_over

    def test_a_man_is_crowned_on_the_last_row(self):
        """ "Every Itta which succeeds in reaching the last square on the opponent's side of the board is doubled"."""
        played = play(DAM, position(DAM, "f11", "a2"), "f11-g12")
        assert names(DAM, played.position.kings[0]) == "g12"
        assert kinds(played) == ["step", "crowning"]
        played = play(DAM, position(DAM, "a12", "c2", mover=1), "c2-b1")
        assert names(DAM, played.position.kings[1]) == "b1"

    def test_crowned_only_by_the_first_hop(self):
        first = changed("dam-ludii", crowning="first_hop_only")
        played = play_all(first, position(first, "c8", "d9 f11 a2"), "c8xe10 e10xg12")
        assert (played.turn_over, names(first, played.position.men[0])) == (True, "g12")

    def test_men_must_go_on_and_kings_may_stop(self):
        """ "Taking several consecutively if possible … In other respects … as in English Draughts"; of kings "it may
        continue its course in the same manner, as part of the same move … the option of remaining"."""
        played = play(DAM, position(DAM, "c4", "d5 f7 l11"), "c4xe6")
        assert moves(DAM, played.position) == ["e6xg8"]
        played = play(DAM, position(DAM, "", "d5 g8 l3", kings=("c4", "")), "c4xe6")
        assert moves(DAM, played.position) == ["e6xh9", "e6xi10", "e6xj11", "e6xk12", "stop"]
        assert play(DAM, played.position, "stop").events[-1].keys == ("king_chain",)
        man = play_all(DAM, position(DAM, "c4", "d5 f7 l11"), "c4xe6 e6xg8")
        assert man.events[0].keys == ("chain", "captures")

    def test_men_may_stop_and_kings_must_go_on(self):
        other = changed("dam-ludii", king_chain="must_go_on")
        played = play(other, position(other, "c4", "d5 f7 l11"), "c4xe6")
        assert moves(other, played.position) == ["e6xg8", "stop"]
        played = play(other, position(other, "", "d5 f7 l3", kings=("c4", "")), "c4xe6")
        assert moves(other, played.position) == ["e6xg8"]

    def test_a_man_crowned_on_its_way_goes_on_by_the_rule_of_kings(self):
        other = changed("dam-ludii", chain="must_go_on", king_chain="may_go_on", crowning="goes_on_as_king")
        played = play(other, position(other, "e10", "f11 j9 a2"), "e10xg12")
        assert moves(other, played.position) == ["g12xk8", "stop"]

    @pytest.mark.parametrize(
        ("crowning", "goes_on", "kings"),
        [
            ("ends_turn", [], "g12"),
            ("goes_on_as_king", ["g12xk8", "stop"], "g12"),
            ("on_stopping", [], "g12"),
        ],
    )
    def test_crowned_in_mid_capture(self, crowning, goes_on, kings):
        """A question of this game: j9, two squares off, is out of a man's reach and within a king's."""
        reading = changed("dam-ludii", crowning=crowning)
        played = play(reading, position(reading, "e10", "f11 j9 a2"), "e10xg12")
        assert names(reading, played.position.kings[0]) == kings
        assert (moves(reading, played.position) if played.position.phase == CHAIN else []) == goes_on

    def test_taken_pieces_that_stand_until_the_turn_is_over(self):
        """A question of this game: lifted after the turn, they stand in the way and are not jumped twice."""
        late = changed("dam-ludii", lifted="after_turn", king_turns="anywhere")
        # A man on d3 takes e4, e6, c6 and c4 round a square and comes back to d3.
        ring = position(late, "d3", "e4 e6 c6 c4 l11")
        assert moves(late, ring)[-2:] == ["d3xb5", "d3xf5"]
        played = play_all(late, ring, "d3xf5 f5xd7 d7xb5 b5xd3")
        assert (played.turn_over, names(late, played.position.men[1])) == (True, "l11")
        # A king on b1 takes d3; back over the same square it cannot go, and what stands still blocks its way.
        stand = position(late, "", "d3 f3", kings=("b1", ""))
        first = play(late, stand, "b1xe4")
        assert names(late, first.position.lifted) == "d3"
        assert moves(late, first.position) == ["e4xg2", "stop"]
        assert not play(late, first.position, "stop").position.lifted


class TestTheHuff:
    """ "In other respects the play is the same as in English Draughts", where a player who overlooked a capture could
    be made to lose the piece that should have captured: a question of Dam."""

    RULES = changed("dam-ludii", huff="true")

    def test_a_piece_that_could_have_jumped_is_huffed_first(self):
        # c4 could have taken d5, and g4 h5; a2 stepped. Either of the two may go, then the move is made all the same.
        stand = position(self.RULES, "c4 g4 a2", "d5 h5 l11")
        after = play(self.RULES, stand, "a2-b3").position
        assert (after.mover, moves(self.RULES, after)) == (1, ["xc4", "xg4", "leave"])
        huffed = play(self.RULES, after, "xc4")
        assert (kinds(huffed), huffed.taken, huffed.turn_over) == (["huff"], (0, 1), False)
        assert names(self.RULES, huffed.position.men[0]) == "b3 g4"
        assert moves(self.RULES, huffed.position)[:2] == ["d5-c4", "d5-e4"]
        moved = play(self.RULES, huffed.position, "d5-e4")
        assert (moved.turn_over, moved.position.mover) == (True, 0)

    def test_or_leaves_them(self):
        after = play_all(self.RULES, position(self.RULES, "c4 a2", "d5 l11"), "a2-b3 leave").position
        assert (after.mover, names(self.RULES, after.men[0])) == (1, "b3 c4")
        assert "d5xb3" not in moves(self.RULES, after)

    def test_a_piece_that_stepped_is_huffed_where_it_stands_now(self):
        after = play(self.RULES, position(self.RULES, "c4", "d5 l11"), "c4-b5").position
        assert moves(self.RULES, after) == ["xb5", "leave"]
        ended = play(self.RULES, after, "xb5").position
        assert (ended.end, ended.winners) == (WIN, 2)

    def test_nobody_is_huffed_who_captured_or_could_not(self):
        for stand, line in (("c4 g4", "c4xe6"), ("a2", "a2-b3")):
            after = play(self.RULES, position(self.RULES, stand, "d5 h5 l11"), line).position
            assert (after.phase, after.huffable) == (PLAY, set())

    def test_who_has_no_move_after_the_huff_has_lost(self):
        """Men that go forward only: e5 is held by d4 and f4 with c3 and g3 behind them. Both could have taken it."""
        draughts = changed("english-draughts-reference", capture_compulsory="false", huff="true")
        after = play(draughts, position(draughts, "a1 c3 g3 d4 f4", "e5"), "a1-b2").position
        assert (after.end, moves(draughts, after)) == (-1, ["xd4", "xf4", "leave"])
        left = play(draughts, after, "leave").position
        assert (left.end, left.winners) == (WIN, 1)
        assert moves(draughts, play(draughts, after, "xd4").position) == ["e5-d4"]

    def test_it_is_not_beside_a_duty_to_capture(self):
        with pytest.raises(RulesetProblem, match="huff: never fires unless capture_compulsory is false"):
            with_changes(RULESETS["dam-parker"], {"huff": "true"})


class TestBounds:
    def test_the_third_repetition_is_a_draw(self):
        """Tiger and leopard go to and fro: the position of the start stands again after turns 4 and 8."""
        ruled = rules(
            board="triangle_10", first_pieces=1, second_pieces=1, first_array=["b4"], second_array=["b1"], repetition=3
        )
        line = "b4-a3 b1-a1 a3-b4 a1-b1 b4-a3 b1-a1 a3-b4"
        played = play_all(ruled, start(ruled), line)
        assert (played.position.end, played.position.turns) == (-1, 7)
        played = play(ruled, played.position, "a1-b1")
        assert (played.position.end, played.position.winners) == (DRAW, 0)
        assert played.events[-1].keys == ("repetition",)

    def test_idle_turns_count_from_the_last_laying_or_capture(self):
        ruled = changed("diviyan-keliya-ludii", idle_turns="3")
        stand = position(ruled, "e5 a3", "f5 c7 d7", idle=1)
        assert play(ruled, stand, "e5-e6").position.idle == 2
        played = play(ruled, stand, "e5xg5")
        assert played.position.idle == 0
        played = play_all(ruled, played.position, "c7-c6 g5-f5 c6-c7")
        assert (played.position.end, played.events[-1].keys) == (DRAW, ("idle_turns",))

    def test_a_win_goes_before_a_draw(self):
        ruled = changed("hat-diviyan-keliya-ludovisi", turn_limit="1")
        played = play(ruled, position(ruled, "b4", "a3 a2 b3 b2 c3 c1 a1", mover=1), "c1-c2")
        assert played.position.end == WIN
        played = play(ruled, position(ruled, "b4", "a3 a2 b3 b2 c3 c1 a1", mover=1), "a1-b1")
        assert (played.position.end, played.events[-1].keys) == (DRAW, ("turn_limit",))


class TestTheLastPiece:
    """A move is made to its end before the game is judged, whatever ends it."""

    @pytest.mark.parametrize(
        "crowning", ["on_stopping", "ends_turn", "goes_on_as_king", "first_hop_only", "if_it_cannot_jump_on"]
    )
    @pytest.mark.parametrize("beside", ["", "h2"])
    def test_a_man_that_takes_it_is_crowned_all_the_same(self, crowning: str, beside: str) -> None:
        ruled = changed("english-draughts-reference", crowning=crowning)
        played = play(ruled, position(ruled, "a5 b6", f"c7 {beside}"), "b6xd8")
        assert (played.position.end == WIN) is (beside == "")
        assert names(ruled, played.position.kings[0]) == "d8"
        assert kinds(played)[:3] == ["jump", "capture", "crowning"]

    @pytest.mark.parametrize(
        ("crowning", "king"), [("on_stopping", "d8"), ("if_it_cannot_jump_on", ""), ("goes_on_as_king", "d8")]
    )
    def test_one_that_could_jump_on_is_crowned_as_words_say(self, crowning: str, king: str) -> None:
        """The other has lost with one piece left, which the man on d8 could jump over."""
        ruled = changed("english-draughts-reference", crowning=crowning, second_loses_below="2", captures="any")
        played = play(ruled, position(ruled, "b6", "c7 e7"), "b6xd8")
        assert played.position.end == WIN
        assert names(ruled, played.position.kings[0]) == king

    def test_one_that_passes_the_line_amid_its_jumps_is_crowned(self) -> None:
        """It stands on d8, behind both others, and could jump back over e7: the game is over, and so it stops there."""
        ruled = changed("english-draughts-reference", crowning="on_stopping", line_passed="behind", captures="any")
        played = play(ruled, position(ruled, "b6", "c7 e7"), "b6xd8")
        assert (played.position.end, played.position.winners) == (WIN, 1)
        assert names(ruled, played.position.kings[0]) == "d8"
