"""Replies of engine players: the same question is one row, one worker has it at a time, and visitors are bounded."""

import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import pytest
from django.test import TestCase
from django.utils import timezone

from simulator import rulesets
from simulator.batches import levels
from simulator.batches.versions import of_installed_versions
from simulator.engine.players.names import Expectation, read_expectation
from simulator.engine.session import Session
from simulator.engine.solving.solved import Solved, solve
from simulator.models import Reply, Solution
from simulator.problems import WrongRequest
from simulator.strength import reply_worker
from simulator.strength.replies import KEPT, PERFECT, keep, key_of, request_reply
from simulator.strength.reply_worker import think_reply, think_waiting_replies
from simulator.strength.solutions import SolvingOptions, load_solution_files, solve_and_keep
from tests.builders import SOLUTION_FILES

TWO_CATTLE = {"board": "chequered_8", "second_pieces": "2", "second_array": '["b8", "d8"]'}


@mock.patch("simulator.strength.replies.dispatch.notify_of_reply")
class ReplyTests(TestCase):
    kalah = rulesets.read_file(rulesets.SHIPPED / "kalah-reference.json").ruleset

    def ask(self, player: str = "greedy", **wanted) -> Reply:
        return request_reply(self.kalah, player, 1, wanted.pop("moves", [4]), **wanted)

    def test_the_same_question_is_one_row_and_workers_are_told_once(self, announced: mock.Mock) -> None:
        first, second = self.ask(), self.ask()
        assert first.key == second.key
        assert Reply.objects.count() == 1
        announced.assert_called_once_with(first.key)
        Reply.objects.update(announced=timezone.now() - Reply.SILENCE - datetime.timedelta(seconds=1))
        self.ask()
        assert announced.call_count == 2

    def test_everything_a_reply_depends_on_is_in_its_key(self, announced: mock.Mock) -> None:
        keys = {key_of(self.kalah, *rest) for rest in (("greedy", 1, [4]), ("uct:5", 1, [4]), ("greedy", 2, [4]))}
        keys |= {key_of(self.kalah, "greedy", 1, []), key_of(self.kalah, "greedy", 1, [4, 0])}
        keys.add(key_of(rulesets.read_file(rulesets.SHIPPED / "oware-reference.json").ruleset, "greedy", 1, [4]))
        with mock.patch("simulator.strength.replies.PLAYERS_VERSION", 99):
            keys.add(key_of(self.kalah, "greedy", 1, [4]))
        assert len(keys) == 7

    def test_one_worker_has_it_until_its_lease_runs_out(self, announced: mock.Mock) -> None:
        key = self.ask().key
        assert Reply.claim(key=key) is not None
        assert Reply.claim(key=key) is None
        assert Reply.claim() is None
        Reply.objects.update(lease_until=timezone.now() - datetime.timedelta(seconds=1))
        assert Reply.claim() is not None

    def test_longest_wait_is_computed_first_and_nothing_twice(self, announced: mock.Mock) -> None:
        asked = [self.ask(moves=moves).key for moves in ([4], [], [0])]
        thought = []
        with (
            mock.patch("simulator.strength.reply_worker.compile_players"),
            mock.patch(
                "simulator.strength.reply_worker.think",
                lambda ruleset, name, seed, moves: thought.append(moves) or (7, Expectation(share=0.25)),
            ),
        ):
            think_waiting_replies()
            assert not think_reply(key=asked[0])
        assert thought == [[4], [], [0]]
        assert list(Reply.objects.values_list("state", "move").distinct()) == [("done", 7)]
        assert self.ask().move == 7
        assert read_expectation(self.ask().expected) == Expectation(share=0.25)

    def test_error_is_kept_and_the_reply_is_tried_again(self, announced: mock.Mock) -> None:
        key = self.ask().key
        with (
            mock.patch("simulator.strength.reply_worker.compile_players"),
            mock.patch("simulator.strength.reply_worker.think", side_effect=ValueError("no")),
            self.assertLogs("simulator.models.computations"),
        ):
            think_reply(key=key)
        assert self.ask().error == "ValueError: no"
        assert self.ask().state == Reply.State.FAILED
        Reply.objects.update(announced=timezone.now() - Reply.RETRY - datetime.timedelta(seconds=1))
        assert self.ask().state == Reply.State.WAITING

    def test_a_worker_leaves_what_another_release_was_asked_for(self, announced: mock.Mock) -> None:
        key = self.ask().key
        for other in ({"family_version": 99}, {"players_version": 99}):
            before = Reply.objects.values(*other).get()
            Reply.objects.update(**other)
            assert not think_reply(key=key)
            assert Reply.objects.get().state == Reply.State.WAITING
            Reply.objects.update(**before)
        assert Reply.claim(of_installed_versions(), key=key) is not None

    def test_old_replies_are_thrown_away(self, announced: mock.Mock) -> None:
        old = self.ask(moves=[])
        keep(old, 2)
        Reply.objects.update(created=timezone.now() - KEPT - datetime.timedelta(days=1))
        keep(self.ask(), 2)
        assert not Reply.objects.filter(key=old.key).exists()
        assert Reply.objects.count() == 1

    def test_no_visitor_makes_an_engine_think_too_long(self, announced: mock.Mock) -> None:
        for asked, nearest in (("uct:100001", "uct:100000"), ("alpha_beta:7", "alpha_beta:6"), ("uct:9/300", "uct:9")):
            with pytest.raises(WrongRequest) as caught:
                self.ask(asked, visitor="203.0.113.9")
            assert caught.value.problems[0].nearest == nearest
        assert not Reply.objects.exists()
        assert self.ask("uct:100001").work > self.ask("uct:100000").work > 5000  # an editor's

    @pytest.mark.by_turns
    def test_perfect_player_keeps_the_value_of_a_solved_game(self, announced: mock.Mock) -> None:
        """The herd of Hat diviyan keliya wins against whatever is played: here against the first moves there are."""
        hat = rulesets.find("hat-diviyan-keliya-ludovisi")
        with pytest.raises(WrongRequest) as caught:
            request_reply(hat, PERFECT, 1, [0])
        assert caught.value.problems[0].nearest == levels.player_of(hat, "strong")
        solve_and_keep(hat)
        solved, moves = solve(hat), [0]
        while not solved.is_over(number := _reached(solved, moves)):
            wins = solved.mover(number) == 1
            reply = request_reply(hat, PERFECT, 1, moves, "203.0.113.9")
            assert reply.work > 0
            assert think_reply(key=reply.key)
            thought = Reply.objects.get(key=reply.key)
            chosen, plies = thought.move, solved.value_of(number).plies
            assert chosen in solved.best_moves(number)
            assert read_expectation(thought.expected) == Expectation(value="won" if wins else "lost", plies=plies)
            moves.append(chosen if wins else solved.graph.codes(number)[0])
        assert solved.value_of(number).winner == 1

    @pytest.mark.by_turns
    def test_the_perfect_player_looks_up_a_table_that_was_kept(self, announced: mock.Mock) -> None:
        """Koti keliya on a small board: the leopard wins against whatever is played."""
        koti = rulesets.find("koti-keliya-parker", TWO_CATTLE)
        with TemporaryDirectory() as folder, self.settings(VAR_DIR=Path(folder)):
            solve_and_keep(koti)
            with pytest.raises(WrongRequest):
                request_reply(koti, PERFECT, 1, [])
            solve_and_keep(koti, SolvingOptions(keep_table=True))
            solved, number, moves = solve(koti), 0, list[int]()
            while not solved.is_over(number):
                codes = solved.graph.codes(number)
                if solved.mover(number) == 0:
                    reply = request_reply(koti, PERFECT, 1, moves, "203.0.113.9")
                    assert think_reply(key=reply.key)
                    thought = Reply.objects.get(key=reply.key)
                    assert read_expectation(thought.expected) == Expectation(value="won")
                    moves.append(thought.move or 0)
                else:
                    moves.append(codes[0])
                number = solved.graph.children(number)[codes.index(moves[-1])]
                assert solved.value_of(number).winner == 0
        assert len(moves) > 2

    @pytest.mark.by_turns
    def test_win_found_by_search_is_won_against_any_play(self, announced: mock.Mock) -> None:
        """Niranchy: the aligner wins in seven plies against the best replies, and no later against others."""
        niranchy = rulesets.find("niranchy-dlp")
        rulesets.load_ruleset_files(rulesets.SHIPPED)
        load_solution_files(SOLUTION_FILES[0].parent)
        document = Solution.objects.get(ruleset=niranchy.hash).document or {}
        for game in range(2):
            session = Session(niranchy, game)
            while not session.is_over:
                if session.mover == 0:
                    reply = request_reply(niranchy, PERFECT, game, session.moves, "203.0.113.9")
                    assert think_reply(key=reply.key)
                    thought = Reply.objects.get(key=reply.key)
                    expected = read_expectation(thought.expected)
                    assert expected.value == "won"
                    assert expected.plies <= 7 - len(session.moves)
                    session.play(thought.move or 0)
                else:
                    best = game == 0 and reply_worker.think_within_proof(niranchy, session.moves, document)[0]
                    session.play(session.draw_move(best or None))
            assert session.winners == 1
            assert len(session.moves) == 7 if game == 0 else len(session.moves) <= 7

    @pytest.mark.by_turns
    def test_where_throws_decide_it_makes_the_most_of_them(self, announced: mock.Mock) -> None:
        """Marin's figure with one counter: there is one move for each throw, and a kept table finds it."""
        marin = rulesets.find("pancha-keliya-complex-marin-dice", {"pieces": "1"})
        with TemporaryDirectory() as folder, self.settings(VAR_DIR=Path(folder)):
            solve_and_keep(marin, SolvingOptions(keep_table=True))
            session = Session(marin, 1)
            for _ in range(6):
                reply = request_reply(marin, PERFECT, 1, session.moves, "203.0.113.9")
                assert think_reply(key=reply.key)
                thought = Reply.objects.get(key=reply.key)
                assert 0.2 < read_expectation(thought.expected).share < 0.8, "nobody has won yet"
                session.play(thought.move or 0)
        assert len(session.moves) == 6


def _reached(solved: Solved, moves: list[int]) -> int:
    number = 0
    for move in moves:
        number = solved.graph.children(number)[solved.graph.codes(number).index(move)]
    return number
