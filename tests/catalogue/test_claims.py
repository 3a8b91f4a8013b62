"""Claims as data: what is refused, what a demand asks, how tests become a verdict, and how a test is put into words."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from catalogue.analyses import claim_checks, claim_definitions
from catalogue.analyses import claim_definitions as claim_words
from catalogue.analyses.claim_definitions import Demand, Side
from catalogue.analyses.claim_verdicts import (
    ANSWERS,
    DEPENDS,
    DISAGREE,
    NEEDS,
    NEEDS_PLAYERS,
    NOT_CERTAIN,
    NOT_YET,
    WHO_PLAYS,
    Voice,
    of_claim,
)
from catalogue.models import Verdict
from simulator.batches import levels
from simulator.engine.families.points.measures import FEWER, MORE, kind_of_game
from simulator.engine.weights import weigh
from simulator.statistics.verdicts import Explanation, UndecidedReason
from tests.engine.rulesets import RULESETS

FILES = sorted((Path(settings.BASE_DIR) / "fixtures" / "apparatus").glob("*.json"))
SHIPPED = [claim for path in FILES for claim in json.loads(path.read_text(encoding="utf-8")).get("claims", ())]
SHARE: dict[str, Any] = {
    "kind": "share",
    "ruleset": "puhulmutu-parker",
    "of": [["laps", ">=", 2400]],
    "among": [["end", "!=", 2]],
    "at_least": 0.1,
}
DIFFERENCE: dict[str, Any] = {
    "kind": "difference",
    "ruleset": "puhulmutu-parker",
    "against": "puhulmutu-dlp",
    "measure": "turns",
    "direction": "less",
}
SOLVED: dict[str, Any] = {"kind": "solution", "ruleset": "niranchy-dlp", "first_move": "+b2"}
RULED: dict[str, Any] = {
    "kind": "rule",
    "ruleset": "mawkar-katiya-das-gupta",
    "parameter": "capture_next",
    "value": "beyond_empty",
    "holds": False,
    "because": "So it is not so.",
}
YES, NO, OPEN = Verdict.Kind.SUPPORTED, Verdict.Kind.NOT_SUPPORTED, Verdict.Kind.UNDECIDED


def words_of(test: dict[str, Any]) -> str:
    assert claim_checks.problems_of_test(test, RULESETS) == []
    return claim_words.sentence(claim_definitions.read(test), RULESETS)


def without(test: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in test.items() if key not in keys}


class TestProblems:
    def test_nothing_is_wrong_with_what_is_right(self) -> None:
        assert claim_checks.problems_of_test(SHARE, RULESETS) == []
        assert claim_checks.problems_of_test(DIFFERENCE, RULESETS) == []
        assert claim_checks.problems_of_test(SOLVED, RULESETS) == []
        assert words_of(SOLVED) == ("If both sides play without fault, +b2 is better than every other first move.")

    @pytest.mark.parametrize(
        ("test", "found"),
        [
            ({**SHARE, "kind": "shre"}, "kind: there is no 'shre' here (nearest valid value: \"share\")"),
            ({**SHARE, "ruleset": "puhulmutu-parkr"}, 'nearest valid value: "puhulmutu-parker"'),
            ({**SHARE, "of": [["lap", ">=", 1]]}, "measure: there is no 'lap' here (nearest valid value: \"laps\")"),
            ({**SHARE, "of": [["laps", "=>", 1]]}, "comparison: there is no '=>' here"),
            ({**SHARE, "of": [["laps", ">", "turnz"]]}, '(nearest valid value: "turns")'),
            ({**SHARE, "of": [["laps", ">"]]}, "a condition is [measure, comparison, value]"),
            ({**SHARE, "of": "laps"}, "of: must be a list of conditions"),
            ({**SHARE, "among": [["end", "=", 4]]}, "end: has the values 0 to 3, not 4"),
            ({**SHARE, "among": [["winners", "=", 4]]}, "winners: has the values 0 to 3, not 4"),
            ({**SHARE, "at_least": 90}, "at_least: a share is from 0 to 1, not 90 (nearest valid value: 1)"),
            ({**SHARE, "at_most": 0.5}, "needs one of at_least and at_most, not 2 of them"),
            (without(SHARE, "at_least"), "needs one of at_least and at_most, not 0 of them"),
            (without(SHARE, "of"), "of: a test of the kind share needs this"),
            ({**SHARE, "amongst": []}, "key: there is no 'amongst' here (nearest valid value: \"among\")"),
            ({**SHARE, "cap": 0}, "cap: must be a whole number of turns, not 0"),
            ({**SHARE, "until": "rounds"}, 'nearest valid value: "round"'),
            ({**SHARE, "set": {"counters_per_hole": 0}}, "set: counters_per_hole: must be at least 1, not 0"),
            ({**SHARE, "set": {"loan": "borow"}}, 'nearest valid value: "borrow"'),
            ({**SHARE, "set": [1]}, "set: must be a JSON object"),
            ({**SOLVED, "ruleset": "saturankam-dlp"}, "kind: race games are decided by throws"),
            ({**SHARE, "both_seats": True}, "both_seats: two players that differ are exchanged; name two"),
            ({**SHARE, "both_seats": True, "players": "random,greedy"}, "only winners and end are exchanged"),
            ({**SHARE, "beside": ""}, "beside: must say in words why the test has no voice, not ''"),
            (
                {"kind": "throws", "ruleset": "dam-dlp", "up_to": 4},
                "kind: in hunting, leaping and alignment games nothing is thrown",
            ),
            ({"kind": "throws", "ruleset": "saturankam-dlp", "up_to": 0}, "up_to: must be a whole number of squares"),
            ({"kind": "first_moves", "ruleset": "saturankam-dlp", "of": []}, "race games depend on a throw"),
            ({**RULED, "parameter": "capture_nex"}, 'nearest valid value: "capture_next"'),
            ({**RULED, "value": "beyond_emty"}, 'nearest valid value: "beyond_empty"'),
            (
                {"kind": "solution", "ruleset": "saturankam-dlp", "chooses": True, "first_move": "a"},
                "at_least: of a player who chooses a share is asked for, from 0 to 1",
            ),
            (without(RULED, "because"), "because: a test of the kind rule needs this"),
            ({**without(SOLVED, "first_move"), "chooses": True, "at_least": 0.5}, "have a value and no chance"),
            (without(SOLVED, "first_move"), "a test of the kind solution needs one of first_move and at_least, not 0"),
            ({**SOLVED, "at_least": 15}, "needs one of first_move and at_least, not 2 of them"),
            ({**SOLVED, "by": "luck"}, "by: there is no 'luck' here"),
            ({**SHARE, "needs": ""}, "needs: must say in words what player is needed, not ''"),
            ({**SOLVED, "first_move": 3}, "must be a move as it is written, not 3"),
            ({**SOLVED, "cap": 9}, "key: there is no 'cap' here"),
            ({**SHARE, "players": "uct"}, "no player is called 'uct'; the nearest is 'uct:1000'"),
            ({**SHARE, "players": "strnog,random"}, "no player is called 'strnog'; the nearest is 'strong'"),
            ({**SHARE, "players": "random,random,random"}, "players: 3 players are named for 2 seats; name one, or 2"),
            ({**SHARE, "players": "uct:0"}, "must be from 1 to 1,000,000; the nearest is 1"),
            ({**SHARE, "players": 5}, "players: must be names with commas between them, not 5"),
            ({**SHARE, "players": "uct:9", "games": 0}, "games: must be a whole number from 1, not 0"),
            ({**SHARE, "games": 100}, "games: only a test whose players think has a number of its own"),
            ({**DIFFERENCE, "direction": "fewer"}, "direction: there is no 'fewer' here"),
            ({**DIFFERENCE, "measure": "winners"}, "winners is a label, not an amount"),
            ({**DIFFERENCE, "against": "puhulmutu-parker"}, "both sides are the same ruleset"),
            ({**DIFFERENCE, "against": "dam-dlp", "measure": "laps"}, "measure: there is no 'laps' here"),
            ({**DIFFERENCE, "at_least": 1}, "key: there is no 'at_least' here"),
            ([], "a test is a JSON object, not list"),
        ],
    )
    def test_a_mistake_is_named(self, test: Any, found: str) -> None:
        assert found in "; ".join(claim_checks.problems_of_test(test, RULESETS))

    def test_games_without_rounds_are_not_played_to_the_first_one(self) -> None:
        test = {**SHARE, "ruleset": "dam-dlp", "of": [["turns", ">", 9]], "until": "round"}
        assert "have no rounds (nearest valid value: game)" in "; ".join(claim_checks.problems_of_test(test, RULESETS))

    def test_what_stood_at_a_turn_beyond_the_cap_is_no_amount(self) -> None:
        test = {"kind": "mean", "ruleset": "dam-dlp", "measure": "taken_0_at_1000", "cap": 500, "at_most": 3}
        assert "beyond the cap of 500" in "; ".join(claim_checks.problems_of_test(test, RULESETS))

    def test_players_are_those_of_the_game(self) -> None:
        race = {**SHARE, "ruleset": "saturankam-parker", "of": [["turns", ">", 9]], "among": []}
        assert claim_checks.problems_of_test({**race, "players": "uct:50,random"}, RULESETS) == []
        found = "; ".join(claim_checks.problems_of_test({**race, "players": "alpha_beta:2"}, RULESETS))
        assert found == (
            "players: alpha_beta plays games of two without chance, and none where lots are thrown; "
            "the nearest is 'uct:1000'"
        )
        assert claim_checks.problems_of_test({**race, "players": "club,strong"}, RULESETS) == []
        four = {**race, "ruleset": "tayam-sonalu-dlp", "players": "greedy,random,random,random"}
        assert claim_checks.problems_of_test(four, RULESETS) == []
        (found,) = claim_checks.problems_of_test({**four, "set": {"seats": 2, "teams": "off"}}, RULESETS)
        assert found == "players: 4 players are named for 2 seats; name one, or 2"
        differing = {**DIFFERENCE, "players": "uct:50", "games": 20}
        assert claim_checks.problems_of_test(differing, RULESETS) == []
        read = claim_definitions.read(differing)
        assert (read.players, read.games(1000), read.games(10)) == ("uct:50", 20, 10)
        assert claim_definitions.read(SHARE).games(1000) == 1000

    def test_odd_types_are_told_and_raise_nothing(self) -> None:
        odd: tuple[Any, ...] = (None, True, [], {}, 1.5, "x")
        for key in (*SHARE, "set", "until", "cap", "players", "games"):
            for value in odd:
                if (key, value) not in (("of", []), ("among", []), ("set", {}), ("at_least", True)):
                    assert claim_checks.problems_of_test({**SHARE, key: value}, RULESETS), (key, value)
        for value in odd:
            assert claim_checks.problems_of_test({**SHARE, "of": [[value, value, value]]}, RULESETS)


class TestShippedClaims:
    def test_each_says_how_it_is_judged(self) -> None:
        assert len(SHIPPED) > 20
        for claim in SHIPPED:
            assert bool(claim.get("why_not")) == (claim["judged_by"] == "nothing"), claim["slug"]
            assert bool(claim.get("tests")) == (claim["judged_by"] != "nothing"), claim["slug"]

    def test_what_is_about_the_rules_is_what_no_player_can_change(self) -> None:
        """That something can happen, and that with one counter there is nothing to choose. How often, how long and by
        what a game is won are about play, though random players are the base line of it."""
        about_rules = {claim["slug"] for claim in SHIPPED if claim.get("about_rules")}
        assert about_rules == {
            *("all-four-ends-tied", "one-counter-pure-chance", "may-outlast-laying", "lasts-for-hours"),
            *("first-move-sacrifice", "both-as-easily-as-one"),
        }

    @pytest.mark.parametrize("claim", SHIPPED, ids=[claim["slug"] for claim in SHIPPED])
    def test_each_test_can_be_run_and_put_into_words(self, claim: dict[str, Any]) -> None:
        for test in claim.get("tests", ()):
            assert claim_checks.problems_of_test(test, RULESETS) == []
            assert words_of(test).endswith(".")

    def test_claims_about_good_play_name_searching_players(self) -> None:
        strong = {claim["slug"]: claim["tests"] for claim in SHIPPED if claim["judged_by"] == "strong"}
        assert len(strong) > 8
        assert all(claim_definitions.is_played_by_thinkers(test) for tests in strong.values() for test in tests)
        assert not any(claim_definitions.needs(test) for claim in SHIPPED for test in claim.get("tests", ()))

    def test_how_leopards_are_walled_in_is_judged_by_strong_play(self) -> None:
        for claim in (one for one in SHIPPED if one["slug"] in ("eight-taken", "cattle-always-win")):
            for test in (one for one in claim["tests"] if not claim_definitions.beside(one)):
                ruleset = RULESETS[test["ruleset"]]
                careful = levels.players_for(ruleset, test["players"])[1]  # the cattle
                assert careful == levels.player_of(ruleset, "strong")
                weights = weigh("points")
                kind = kind_of_game(ruleset.parameters)
                assert weights(kind, FEWER)["room"] > 0  # of the leopards
                assert weights(kind, MORE).get("others", 1)  # and so what the cattle would take from them

    def test_claims_of_random_play_are_judged_by_greedy_play_too(self) -> None:
        """A quarter of such verdicts changes as soon as somebody looks one turn ahead."""
        for claim in (one for one in SHIPPED if one["judged_by"] == "random" and not one.get("about_rules")):
            by_players: dict[str, list[dict[str, Any]]] = {}
            for test in (one for one in claim["tests"] if not claim_definitions.is_exact(one)):
                rest = {key: value for key, value in test.items() if key not in ("players", "games")}
                by_players.setdefault(test.get("players", "random"), []).append(rest)
            assert by_players["greedy"] == by_players["random"], claim["slug"]

    def test_sentences_that_refer_to_each_other_have_one_measure(self) -> None:
        """Puhulmutu is nearly interminable, Walak-pussa is so like it, Kotu-baendum is long like the others."""
        linked = [
            claim for claim in SHIPPED if claim["slug"] in ("nearly-interminable", "almost-interminable", "very-long")
        ]
        assert len(linked) == 3
        shares = [test for claim in linked for test in claim["tests"] if test["kind"] in ("share", "alike")]
        assert {json.dumps([test["of"], test["at_least"]]) for test in shares} == {'[[["laps", ">=", 2400]], 0.5]'}
        assert {claim["slug"] for claim in linked if any(test["kind"] == "alike" for test in claim["tests"])} == {
            *("almost-interminable", "very-long")
        }

    def test_policies_look_no_further_than_one_turn(self) -> None:
        for players in ("random", "greedy", "policy:together, random", "greedy,policy:chop"):
            assert claim_definitions.is_of_quick_players({"players": players}), players
        for players in ("uct:9", "policy:together,uct:9", "alpha_beta:2"):
            assert not claim_definitions.is_of_quick_players({"players": players}), players


class TestDemands:
    @pytest.mark.parametrize(
        ("demand", "low", "high", "met"),
        [
            (Demand("at_least", 0.9), 0.90, 0.95, True),
            (Demand("at_least", 0.9), 0.85, 0.90, None),
            (Demand("at_least", 0.9), 0.80, 0.89, False),
            (Demand("at_least", 9), 9, None, True),  # nothing bounds it from above
            (Demand("at_least", 9), 8, None, None),
            (Demand("at_most", 0.1), 0.05, 0.10, True),
            (Demand("at_most", 0.1), 0.10, 0.15, None),
            (Demand("at_most", 0.1), 0.11, 0.15, False),
            (Demand("at_most", 9), 10, None, False),
            (Demand("more"), 0.1, 0.3, True),
            (Demand("more"), -0.1, 0.3, None),
            (Demand("more"), -0.3, -0.1, False),
            (Demand("more"), 0, 0, False),  # the same in every pair is not more
            (Demand("less"), -0.3, -0.1, True),
            (Demand("less"), 0, 0, False),
            (Demand("less"), 0.1, 0.3, False),
            (Demand("at_least", 0.9), None, None, None),
        ],
    )
    def test_the_whole_interval_decides(
        self, demand: Demand, low: float | None, high: float | None, met: bool | None
    ) -> None:
        assert demand.met(low, high) is met


FEW = Explanation(UndecidedReason.FEW, "too few games")
BOTH = [Voice("a", YES), Voice("b", YES)]
RANDOM, GREEDY = Voice("a", YES, players="random"), Voice("a", NO, players="greedy")
UNHEARD = Voice("b", NO, counts=False)  # a programme's, or a test that stands beside
NOT_PLAYED = Voice("a", None, waits=False)  # of players of a level
CHANGED = Voice("a", YES, changed=True)  # another answer to an open question
THINKING = {"are_played_by_thinkers": True}


class TestVerdicts:
    @pytest.mark.parametrize(
        ("judged_by", "tests", "more", "kind", "reason", "because"),
        [
            ("random", BOTH, {}, YES, "", None),
            ("random", [Voice("a", NO), Voice("a", NO)], {}, NO, "", None),
            ("random", [*BOTH, Voice("c", NO)], {}, OPEN, DEPENDS, UndecidedReason.READINGS),
            ("random", [Voice("a", YES), Voice("a", NO)], {}, OPEN, DISAGREE, UndecidedReason.TESTS),
            ("random", [Voice("a", YES), UNHEARD], {}, YES, "", None),
            ("random", [UNHEARD], {}, NO, "", None),  # where there is no other, it is heard
            ("random", [Voice("a", NO), CHANGED], {}, OPEN, ANSWERS, UndecidedReason.READINGS),
            ("random", [RANDOM, GREEDY], {}, OPEN, WHO_PLAYS, UndecidedReason.TESTS),
            ("random", [RANDOM, GREEDY, Voice("a", NO, players="random")], {}, OPEN, DISAGREE, UndecidedReason.TESTS),
            ("random", [Voice("a", YES), NOT_PLAYED], {}, YES, "", None),
            ("random", [NOT_PLAYED], {}, OPEN, NOT_YET, UndecidedReason.NOT_JUDGED),
            (
                *("random", [Voice("a", YES), Voice("b", OPEN)], {"whys": [FEW]}),
                *(OPEN, NOT_CERTAIN.format(FEW.text), FEW.because),
            ),
            ("random", [Voice("a", YES), Voice("b", None)], {}, OPEN, NOT_YET, UndecidedReason.NOT_JUDGED),
            ("random", [], {}, OPEN, NOT_YET, UndecidedReason.NOT_JUDGED),
            ("strong", BOTH, THINKING, YES, "", None),
            ("strong", BOTH, {**THINKING, "needs": "a king"}, OPEN, NEEDS.format("a king"), UndecidedReason.PLAYERS),
            ("strong", [Voice("a", None), Voice("b", YES)], THINKING, OPEN, NOT_YET, UndecidedReason.NOT_JUDGED),
            ("strong", BOTH, {}, OPEN, NEEDS_PLAYERS, UndecidedReason.PLAYERS),  # random play does not judge it
            ("nothing", [], {}, Verdict.Kind.UNTESTABLE, "", None),
        ],
    )
    def test_a_claim_is_what_all_its_tests_say(
        self, judged_by: str, tests: Any, more: Any, kind: Any, reason: str, because: Any
    ) -> None:
        found = of_claim(judged_by, tests, **more)
        assert (found.kind, found.reason, found.because) == (kind, reason, because)

    def test_each_reading_has_a_verdict_of_its_own(self) -> None:
        assert of_claim("random", [BOTH[0], BOTH[0], Voice("b", NO)]).readings == {"a": YES, "b": NO}
        assert of_claim("random", [BOTH[0], Voice("a", NO)]).readings == {"a": OPEN}
        assert of_claim("random", [BOTH[0], UNHEARD]).readings == {"a": YES, "b": NO}  # what it says stands beside
        assert of_claim("strong", BOTH).readings == {"a": OPEN, "b": OPEN}
        assert of_claim("strong", BOTH, are_played_by_thinkers=True, needs="x").readings == {"a": OPEN, "b": OPEN}

    def test_signs_differ_as_words_do(self) -> None:
        assert len({kind.sign for kind in Verdict.Kind}) == len({kind.label for kind in Verdict.Kind}) == 4


class TestWords:
    def test_a_share(self) -> None:
        assert words_of(SHARE) == (
            "Among games in which no turn was endless, "
            "the share in which there are at least 2,400 laps is at least 10 %."
        )

    def test_who_won_needs_no_somebody(self) -> None:
        test = {**SHARE, "of": [["end", "=", 0], ["winners", "=", 2]], "among": [], "at_least": 0.995}
        assert words_of(test) == "Of all games, the share in which the second player won is at least 99.5 %."
        assert "somebody won" in words_of({**test, "of": [["end", "=", 0]]})

    def test_seats_are_called_by_their_roles(self) -> None:
        test = {**SHARE, "ruleset": "diviyan-keliya-parker", "of": [["winners", "=", 2]], "among": []}
        assert "the owner of the cattle (second player) won" in words_of(test)

    def test_parts_of_the_game(self) -> None:
        among = [["first_round_ended", "=", 1]]
        for of, words in (
            (["first_round_winner", "!=", -1], "somebody was ahead after the first round"),
            (["first_round_winner", "=", -1], "the players were equal after the first round"),
            (["first_round_winner", "=", 0], "the first player was ahead after the first round"),
            (["first_round_winner", "!=", 1], "the second player was not ahead after the first round"),
            (["first_round_turns", "<", 20], "there are fewer than 20 turns in the first round"),
        ):
            sentence = words_of({**SHARE, "of": [of], "among": among})
            assert sentence.startswith("Among games in which the first round ended, the share in which")
            assert words in sentence

    def test_a_number_that_counts_nothing_and_a_measure_as_bound(self) -> None:
        test = {**SHARE, "ruleset": "dam-dlp", "among": [], "of": [["first_capture_turns", "<=", 9]]}
        assert "the turn of the first capture is at most 9" in words_of(test)
        test["of"] = [["taken_0", ">", "taken_1"]]
        assert "more pieces taken by the first player than pieces taken by the second player" in words_of(test)

    def test_means_and_differences(self) -> None:
        mean = {"kind": "mean", "ruleset": "niranchy-dlp", "measure": "turns", "at_most": 60}
        assert words_of(mean) == "The mean of “turns” is at most 60 turns."
        assert words_of(DIFFERENCE) == (
            "Game by game, there are on average fewer turns under the first ruleset than under the second."
        )

    def test_a_changed_ruleset_says_what_was_changed(self) -> None:
        assert claim_words.under(Side("puhulmutu-parker"), RULESETS) == "puhulmutu-parker"
        off = claim_words.under(Side("puhulmutu-parker", {"short_handed": []}), RULESETS)
        assert off == "puhulmutu-parker, changed: No short-handed layout is offered."
        # What cannot fire any more is set to its off value too, and needs no words.
        alone = {"short_handed": [], "short_handed_mixed": False}
        assert claim_words.under(Side("puhulmutu-parker", alone), RULESETS) == off
        on = claim_words.under(Side("puhulmutu-parker", {"loan": "shift"}), RULESETS)
        assert on.startswith("puhulmutu-parker, changed: The player who is short may move one counter")
