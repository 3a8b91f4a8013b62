"""Testing claims: which batches are asked for, what is written down, and what the command says."""

import io
import json
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command
from django.test import TestCase

from catalogue.analyses import claim_trials, claims
from catalogue.analyses.claim_results import OF_A_PROGRAMME, claim_results, claim_rows
from catalogue.analyses.claim_verdicts import DEPENDS, DISAGREE, NEEDS, NOT_YET
from catalogue.demo.content import request_findings
from catalogue.models import Claim, Comparison, Study, Verdict
from simulator.batches import levels
from simulator.batches.service import request_batch
from simulator.engine.family import family
from simulator.management import command_line
from simulator.management.command_line import WrongUsage
from simulator.models import Batch, Measurement, Solution
from simulator.problems import WrongRequest
from simulator.rulesets import find
from simulator.statistics.verdicts import UndecidedReason
from tests.catalogue.claim_world import GAMES, a_claim, fill, judge, waiting

ENDLESS = ("walak-pussa", "almost-interminable")
LONG = ("kotu-baendum", "very-long")
FEWER = ("puhulmutu", "one-has-fewer")
ENDED = {"first_round_ended": 1}


class ClaimTestCase(TestCase):
    holds = "played"

    def the(self, name: tuple[str, str]) -> Any:
        (found,) = claim_results(claim_rows().filter(game__slug=name[0], slug=name[1]))
        return found


class WritingTests(ClaimTestCase):
    @pytest.mark.by_turns
    def test_a_verdict_rests_on_its_games_and_is_written_once(self) -> None:
        columns = {**ENDED, "first_round_winner": 1}
        before = judge(a_claim(*FEWER), columns=columns)
        first, *others = before
        assert (
            [other.players for other in others]
            == [
                *["random,random"] * 2,  # of three readings
                *["greedy,greedy"] * 3,
                *(
                    ",".join(levels.players_for(find(test["ruleset"]), test["players"]))
                    for test in a_claim(*FEWER).tests[6:]
                ),
            ]
        )
        played = (first.players, first.games, first.seed, first.cap, first.until)
        assert played == ("random,random", 100, 1, 5000, "round")
        batch = Batch.objects.select_related("ruleset").get(id=first.batches[0])
        assert (batch.games, batch.until, batch.cap) == (GAMES, "round", 5000)
        assert [version.slug for version in batch.ruleset.versions.all()] == ["puhulmutu-parker"]
        assert (first.verdict, first.figure, first.n) == ("supported", 1.0, GAMES)
        # Wilson for 100 of 100: 1 / (1 + 1.96² / 100).
        assert first.low == pytest.approx(0.96301, abs=1e-5)
        assert self.the(FEWER).verdict.kind == Verdict.Kind.SUPPORTED
        batches = set(Batch.objects.values_list("id", flat=True))
        after = judge(a_claim(*FEWER), columns=columns)
        assert [(row.pk, row.computed) for row in after] == [(row.pk, row.computed) for row in before]
        assert set(Batch.objects.values_list("id", flat=True)) == batches
        judge(a_claim(*FEWER), columns={**ENDED, "first_round_winner": -1}, seed=2)
        assert self.the(FEWER).verdict.kind == Verdict.Kind.NOT_SUPPORTED

    def judged_by_length(self, name: tuple[str, str], *short: str) -> Any:
        """The claim with games of more laps than it asks for, but under readings that end so, where there are few."""
        wanted = claim_trials.trials([a_claim(*name)], games=GAMES)
        for batch in claims.request_batches(wanted, announce=False):
            slug = batch.ruleset.versions.first().slug
            fill(batch, {"laps": 10 if slug.endswith(short) else 3000})
        claims.write_verdicts(wanted)
        return self.the(name)

    def test_readings_may_disagree(self) -> None:
        one = self.judged_by_length(ENDLESS, "parker")
        assert (one.verdict.kind, one.verdict.reason) == (Verdict.Kind.UNDECIDED, DEPENDS)
        yes, no = Verdict.Kind.SUPPORTED, Verdict.Kind.NOT_SUPPORTED
        assert [outcome for _, _, outcome in one.by_reading] == [no, yes, yes]

    @pytest.mark.by_turns
    def test_a_programme_has_no_voice_on_the_sentence_of_a_source(self) -> None:
        one = self.judged_by_length(ENDLESS, "ludii")
        yes, no = Verdict.Kind.SUPPORTED, Verdict.Kind.NOT_SUPPORTED
        assert (one.verdict.kind, [kind for _, _, kind in one.by_reading]) == (yes, [yes, yes, no])
        assert [row.beside for row in one.rows] == ["", "", OF_A_PROGRAMME]
        assert self.judged_by_length(LONG, "parker").verdict.kind == no  # whatever Ludii's games are like

    @pytest.mark.by_turns
    def test_games_of_few_kinds_decide_nothing_but_of_the_rules(self) -> None:
        """A thousand times one game is one observation of how people play."""
        columns = {"laps": 3000, "options": [0, 1] * (GAMES // 2)}
        judge(a_claim(*ENDLESS), columns=columns)
        one = self.the(ENDLESS)
        greedy = [test for test in one.tests if test.test.get("players") == "greedy" and not test.beside]
        assert {test.kinds for test in greedy} == {2}
        assert {test.kind for test in greedy} == {Verdict.Kind.UNDECIDED}
        assert {test.why.because for test in greedy if test.why} == {UndecidedReason.KINDS}
        at_random = [test for test in one.tests if "players" not in test.test]
        assert {(test.kind, test.kinds) for test in at_random if not test.beside} == {(Verdict.Kind.SUPPORTED, None)}
        assert one.verdict.because == UndecidedReason.KINDS
        Claim.objects.filter(pk=one.claim.pk).update(about_rules=True)
        judge(a_claim(*ENDLESS), columns=columns)
        assert self.the(ENDLESS).verdict.kind == Verdict.Kind.SUPPORTED

    @pytest.mark.by_turns
    def test_players_who_go_to_and_fro_are_said_to(self) -> None:
        """The games in which a position stood three times are those of any batch of the ruleset and the players."""
        name = ("niranchy", "short-game")
        judge(a_claim(*name), columns={"end": 3, "turns": 5})
        greedy = next(test for test in self.the(name).tests if test.test.get("players") == "greedy")
        assert greedy.why
        assert "the cap leaves it open" in greedy.why.text
        seen = {"title": "Threefold", "unit": "%", "censored": 1.0, "place": 0, "value": 0.97, "n": 100}
        for batch in (greedy.batches[0], self.the(name).tests[0].batches[0]):
            Measurement.objects.create(batch_id=batch, measure="threefold", **seen)
        at_random, *_, greedy = [test for test in self.the(name).tests if test.number in (1, greedy.number)]
        assert greedy.why
        assert "a position stood three times in 97 of 100 games looked at" in greedy.why.text
        assert at_random.why
        assert "standstill" not in at_random.why.text  # who draws lots leaves again what he came back to

    @pytest.mark.by_turns
    def test_players_of_a_level_are_not_waited_for(self) -> None:
        columns = {**ENDED, "first_round_winner": 1}
        judge(a_claim(*FEWER), columns=columns, which=claim_trials.soon_decided)
        one = self.the(FEWER)
        assert [bool(test.verdict) for test in one.tests] == [True] * 6 + [False] * 5
        assert one.verdict.kind == Verdict.Kind.SUPPORTED
        judge(a_claim(*FEWER), columns=columns)
        assert all(test.verdict for test in self.the(FEWER).tests)
        Verdict.objects.filter(number=7).update(players="uct:77,uct:77")  # the level was another player then
        assert [test.number for test in self.the(FEWER).tests if not test.verdict] == [7]

    def test_a_batch_that_is_not_done_gives_no_verdict(self) -> None:
        wanted = claim_trials.trials([a_claim(*LONG)], games=GAMES)
        first, *_ = claims.request_batches(wanted, announce=False)
        fill(first, {"laps": 10})
        assert [row.number for row in claims.write_verdicts(wanted)] == [1]
        assert self.the(LONG).verdict.reason == NOT_YET

    def test_a_verdict_of_a_test_that_was_changed_is_not_shown(self) -> None:
        claim = a_claim(*LONG)
        judge(claim, columns={"laps": 3000})
        claim.tests = [{**claim.tests[0], "at_least": 0.9}, claim.tests[1]]
        claim.save()
        one = self.the(LONG)
        assert [bool(test.verdict) for test in one.tests] == [False, True]
        assert one.verdict.reason == NOT_YET
        claim.tests = claim.tests[1:]
        claim.save()
        judge(claim, columns={"laps": 3000})
        assert list(claim.verdicts.values_list("number", flat=True)) == [1]  # those of tests that are gone go with them

    def test_random_games_decide_nothing_of_good_play(self) -> None:
        claim = waiting(a_claim("diviyan-keliya", "eight-taken"), "somebody who sees further")
        assert claim_trials.trials([claim]) == []
        judge(claim, columns={"end": 0, "winners": 1, "taken_0": 8}, which=claim_trials.every)
        one = self.the(("diviyan-keliya", "eight-taken"))
        assert {(row.verdict, row.figure) for row in claim.verdicts.all()} == {("undecided", 1.0)}
        reason = NEEDS.format(claim.tests[0]["needs"])
        assert (one.verdict.kind, one.verdict.reason) == (Verdict.Kind.UNDECIDED, reason)

    def test_an_advice_is_judged_by_who_follows_it_in_both_seats(self) -> None:
        claim = a_claim("saturankam", "bring-both-up")
        soon = claim_trials.trials([claim], which=claim_trials.soon_decided)
        assert [one.number for one in soon] == [trial.number for trial in claim_trials.trials([claim])]
        lines = [[",".join(request.players) for request in one.requests] for one in soon]
        assert lines == 2 * [
            ["policy:up_together,random", "random,policy:up_together"],
            ["policy:up_together_greedy,greedy", "greedy,policy:up_together_greedy"],
        ]
        assert len({one.ruleset.hash for one in soon}) == 2
        judge(claim, columns={"end": 0, "winners": 1})  # whoever begins wins, whether he is advised or not
        assert {row.figure for row in claim.verdicts.all()} == {0.5}
        assert self.the(("saturankam", "bring-both-up")).verdict.kind == Verdict.Kind.UNDECIDED

    @pytest.mark.by_turns
    def test_searching_players_decide_claims_about_good_play(self) -> None:
        claim = a_claim("daramuti", "experience-wins")
        most = claim.tests[0]["games"]
        for wanted, played in ((20_000, most), (10, 10)):  # a test of searching players bounds its games
            requests = claim_trials.trials([claim], games=wanted)[0].requests
            assert [request.games for request in requests] == [played, played]
            assert requests[0].players == requests[1].players[::-1]
        assert claim_trials.trials([claim], which=claim_trials.played_by_random) == []
        name = ("daramuti", "experience-wins")
        names = [levels.players_for(find(test["ruleset"]), test["players"]) for test in claim.tests]
        for wins, seed, kind in ((0, 1, Verdict.Kind.SUPPORTED), (1, 2, Verdict.Kind.NOT_SUPPORTED)):
            trials = claim_trials.trials([claim], games=GAMES, seed=seed)
            for batch in claims.request_batches(trials, announce=False):
                at_random = batch.players.split(",").index("random")
                fill(batch, {"end": 0, "winners": 1 << (at_random if wins else 1 - at_random)})
            rows = claims.write_verdicts(trials)
            assert [row.players for row in rows] == list(map(",".join, names))
            assert {(row.figure, len(row.batches)) for row in rows} == {(wins, 2)}
            assert self.the(name).verdict.kind == kind
        assert self.the(name).tests[0].players == "club, against random"
        assert self.the(name).tests[-1].players == "club of the second kind, against random"
        judge(claim, columns={"end": 0, "winners": 1}, seed=3)  # whoever begins wins, so that each loses half
        assert {row.figure for row in claim.verdicts.all()} == {0.5}

    def test_faultless_play_is_judged_by_a_solution_without_any_game(self) -> None:
        claim, batches = a_claim("hat-diviyan-keliya", "apex-best"), Batch.objects.count()
        wanted = claim_trials.trials([claim])
        assert claims.write_verdicts(wanted) == []  # nobody has solved it
        engine = wanted[0].ruleset
        lost = {"value": "second_wins", "plies": 13}
        moves = [{"name": name, **lost, "against_random": chance} for name, chance in (("+b4", 0.9), ("+a1", 0.8))]
        document = {"method": "retrograde", "start": {"mover": 0}, "first_moves": moves}
        version = family(engine.family).rules_version
        Solution.objects.create(ruleset_id=engine.hash, state="done", family_version=version, document=document)
        row, by_chance = claims.run_tests(wanted[:2], lambda batches: None, announce=False)
        assert (row.verdict, row.games, row.batches) == ("not_supported", 0, [])
        assert row.text == "+b4 loses within 13 plies, and so does every one of the other 1."
        assert (by_chance.verdict, by_chance.games) == ("supported", 0)
        assert by_chance.text == "+b4 wins 90.00 % of games; the best of the others, +a1, 80.00 %."
        one = self.the(("hat-diviyan-keliya", "apex-best"))
        assert (one.verdict.kind, one.why) == (Verdict.Kind.UNDECIDED, DISAGREE)
        assert one.tests[0].players.startswith("both sides without fault")
        assert one.tests[1].players.startswith("the mover for the best chance, the other at random")
        assert Batch.objects.count() == batches

    def test_what_cannot_be_run_is_refused_before_any_request(self) -> None:
        claim, batches = a_claim(*LONG), Batch.objects.count()
        claim.tests = [{**claim.tests[0], "ruleset": "kotu-baendum-parkr"}]
        with pytest.raises(WrongRequest, match=r'very-long, test 1: .* "kotu-baendum-parker"'):
            claim_trials.trials([claim])
        with pytest.raises(WrongRequest, match="at most 1,000,000"):
            claim_trials.trials([a_claim(*LONG)], games=2_000_000)
        assert Batch.objects.count() == batches

    @pytest.mark.by_turns
    def test_verdicts_of_earlier_versions_and_other_tests_are_none(self) -> None:
        claim = a_claim(*FEWER)
        wanted = claim_trials.trials([claim], games=claim_trials.DEMO_GAMES)
        assert claims.not_judged(wanted) == wanted
        judge(claim, columns={**ENDED, "first_round_winner": 1})  # by fewer games, as some of the edition are
        assert claims.not_judged(wanted) == []
        rows = claim.verdicts.all()
        rows.filter(number=1).update(version=claim_trials.BEFORE_KINDS - 1)
        rows.filter(number=4).update(
            version=claim_trials.BEFORE_KINDS
        )  # of greedy players: their kinds were not counted
        rows.filter(number=3).update(version=claim_trials.BEFORE_KINDS)  # of random ones, which are of all kinds
        rows.filter(number=2).update(test={})
        assert claims.not_judged(wanted) == [*wanted[:2], wanted[3]]
        assert [test.number for test in self.the(FEWER).tests if not test.verdict] == [1, 2, 4]

    @pytest.mark.thorough
    def test_the_demo_asks_for_what_is_not_concluded_yet(self) -> None:
        """It compares readings of which it has the games; a judged claim and a kept study are left alone."""
        names = ["daramuti-dlp", "daramuti-ludii", "saturankam-dlp"]
        chosen = [request_batch(name, games=GAMES, seed=7, announce=False) for name in names]
        first = request_findings(chosen, announce=False)
        [found] = Comparison.objects.filter(id__in=first.comparisons)
        assert sorted(found.names) == names[:2]
        assert {one.batch_id for one in found.compared.all()} == {one.id for one in chosen[:2]}
        cells = {request.id for request in first.study.requests}
        assert len(cells) > 1
        assert cells <= {batch.id for batch in first.batches}
        Study.objects.create(id=first.study.id, state="done", game=first.study.study.game, document={}, summary={})
        claim = a_claim(*FEWER)
        wanted = claim_trials.trials([claim], games=claim_trials.DEMO_GAMES)
        assert claim in {trial.claim for trial in first.trials}
        judge(claim, columns={**ENDED, "first_round_winner": 1})
        again = request_findings(chosen, announce=False)
        requested = {batch.id for batch in again.batches}
        assert again.study is None
        assert not cells & requested
        assert claim not in {trial.claim for trial in again.trials}
        assert again.judged_before == len(
            [one for one in wanted if claim_trials.soon_decided(claim, claim.tests[one.number - 1])]
        )
        assert not {request.id for trial in wanted for request in trial.requests} & requested


class CommandTests(ClaimTestCase):
    def printed(self, *words: str) -> str:
        out = io.StringIO()
        call_command("judge_claims", *words, stdout=out, stderr=io.StringIO())
        return out.getvalue()

    def filled(self) -> None:
        for batch in claims.request_batches(claim_trials.trials([a_claim(*LONG)], games=GAMES), announce=False):
            fill(batch, {"laps": 3000})

    @pytest.mark.by_turns
    def test_a_document_for_programmes_and_words_for_people(self) -> None:
        self.filled()
        long, tied = json.loads(self.printed("kotu-baendum", "--games", "100", "--json"))["claims"]
        assert (long["claim"], long["verdict"], long["reason"]) == ("kotu-baendum/very-long", "supported", "")
        assert long["readings"] == {"kotu-baendum-parker": "supported", "kotu-baendum-ludii": "supported"}
        (witness,) = tied["tests"]
        assert (tied["verdict"], witness["batches"], witness["games"]) == ("supported", [], 1)
        assert witness["moves"].startswith("aa.ga.")
        test = long["tests"][0]
        assert (test["figure"], test["n"], test["players"], test["cap"]) == (1.0, 100, "random,random", 5000)
        assert test["counts"] == {"yes": 100, "no": 0, "open": 0, "outside": 0}
        Claim.objects.filter(slug="all-four-ends-tied").update(judged_by="nothing", tests=[])
        printed = self.printed("kotu-baendum", "--games", "100")
        assert "✓ kotu-baendum/very-long: supported." in printed
        assert "100.0 % (96.3 to 100.0) of 100 games." in printed
        assert "– kotu-baendum/all-four-ends-tied: cannot be tested by simulation." in printed

    def test_wrong_requests_name_the_mistake_and_write_nothing(self) -> None:
        for words, printed in (
            (("kotu-baendm",), "no game is called 'kotu-baendm' (nearest valid value: \"kotu-baendum\")"),
            (("kotu-baendum", "--games", "0"), "games: "),
            (("kotu-baendum", "--games", "many"), "games: "),
            (("kotu-baendum", "--seed", "-1"), "seed: "),
            (("kotu-baendum", "--games", "1000001"), "nearest valid value: 1000000"),
        ):
            batches = Batch.objects.count()
            with pytest.raises(WrongUsage) as refused:
                self.printed(*words)
            assert refused.value.returncode == 2
            assert printed in str(refused.value)
            assert (Batch.objects.count(), Verdict.objects.count()) == (batches, 0)

    def test_in_an_empty_database_the_tables_are_made_first(self) -> None:
        printed = io.StringIO()
        with (
            mock.patch.object(command_line, "_has_tables", return_value=False),
            mock.patch.object(command_line, "call_command") as called,
        ):
            call_command("judge_claims", "asi-keliya", stdout=io.StringIO(), stderr=printed)
        assert called.call_args.args == ("migrate",)
        assert "its tables are made first" in printed.getvalue()

    def test_a_game_without_claims_is_no_mistake(self) -> None:
        assert not Claim.objects.filter(game__slug="asi-keliya").exists()
        assert self.printed("asi-keliya") == "There are no claims.\n"
        assert json.loads(self.printed("asi-keliya", "--json")) == {"claims": []}
