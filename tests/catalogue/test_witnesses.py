"""Claims of existence: the game that is named is played anew, and what is named in vain decides nothing."""

from typing import Any

from bs4 import BeautifulSoup
from django.test import TestCase

from catalogue.analyses import claim_checks, claim_definitions
from catalogue.analyses.claim_proofs import judged_by_witness, replayed
from catalogue.analyses.claim_results import claim_results, claim_rows
from catalogue.models import Claim, Verdict
from simulator.engine.families.sowing.position import TIED
from simulator.engine.family import family
from simulator.engine.referee_playout import row
from simulator.engine.session import Session, play_moves
from tests.catalogue.claim_world import a_claim, judge
from tests.engine.rulesets import RULESETS

KOTU = RULESETS["kotu-baendum-parker"]
ALL_TIED = ("kotu-baendum", "all-four-ends-tied")
TEST: dict[str, Any] = {
    "kind": "witness",
    "ruleset": "kotu-baendum-parker",
    "until": "round",
    "of": [["ties", ">=", 4]],
    "seed": 1,
    "game": 14,
}
ENDS = (0, 6, 7, 13)  # the end holes of both rows


def witness(**changed: Any) -> claim_definitions.ClaimTest:
    test = {**TEST, **changed}
    assert claim_checks.problems_of_test(test, RULESETS) == []
    return claim_definitions.read(test)


class TestReplaying:
    def test_the_game_is_played_up_to_where_it_is_so(self) -> None:
        """Just then all four end holes are tied, and nothing else is; one turn before they are not."""
        seen = replayed(witness(), KOTU)
        session = Session(KOTU, 1)
        assert play_moves(session, seen.moves) == seen.moves
        assert sum(ply.played.turn_over for ply in session.plies) == seen.turns
        tied = [hole for hole, mark in enumerate(session.position.marks) if mark in (TIED, TIED + 1)]
        assert (tuple(tied), session.position.rounds) == (ENDS, 1)
        before = session.plies[-1].before.marks
        assert sum(mark >= TIED for mark in before) == 3

    def test_a_game_in_which_it_never_is_so_decides_nothing(self) -> None:
        """Game 0 of seed 1 ties three ends in its first round; it may be so in another game."""
        columns = dict(
            zip((measure.name for measure in family(KOTU.family).measures), row(KOTU, 1, 0, 5000, "round"), strict=True)
        )
        assert columns["ties"] < 4
        found, moves = judged_by_witness(witness(game=0), KOTU)
        assert (found.kind, moves) == (Verdict.Kind.UNDECIDED, "")
        assert found.text == "It is not so in game 0 of seed 1: another may be a witness."

    def test_what_may_still_change_is_not_yet_so(self) -> None:
        """That four are tied and no more is sure only when the round is over."""
        assert replayed(witness(), KOTU).turns < replayed(witness(of=[["ties", "=", 4]]), KOTU).turns

    def test_a_game_that_the_cap_stops_before_is_none(self) -> None:
        turns = replayed(witness(), KOTU).turns
        assert replayed(witness(cap=turns), KOTU).turns == turns
        assert replayed(witness(cap=turns - 1), KOTU).turns is None

    def test_of_a_whole_game_ties_of_several_rounds_count(self) -> None:
        assert claim_definitions.sentence(witness(), RULESETS) == (
            "There is a game in whose first round there are at least 4 holes tied."
        )
        assert claim_definitions.sentence(witness(until="game"), RULESETS) == (
            "There is a game in which there are at least 4 holes tied."
        )


class TestMistakes:
    def test_each_is_named(self) -> None:
        for wrong, found in (
            ({"game": -1}, "game: must be a whole number from 0, not -1 (nearest valid value: 0)"),
            ({"seed": "one"}, "seed: must be a whole number from 0, not 'one'"),
            ({"of": [["tie", ">=", 4]]}, "measure: there is no 'tie' here (nearest valid value: \"ties\")"),
            ({"at_least": 0.5}, "key: there is no 'at_least' here"),
            (
                {"ruleset": "saturankam-parker", "of": [["turns", ">", 9]], "until": "game"},
                "game: where lots are thrown only game 0 of a seed can be played through (nearest valid value: 0)",
            ),
        ):
            assert found in "; ".join(claim_checks.problems_of_test({**TEST, **wrong}, RULESETS))
        assert "game: a test of the kind witness needs this" in "; ".join(
            claim_checks.problems_of_test({key: value for key, value in TEST.items() if key != "game"}, RULESETS)
        )


class JudgingTests(TestCase):
    holds = "played"

    def test_the_shipped_claim_is_supported_by_its_game_and_no_batch(self) -> None:
        (verdict,) = judge(a_claim(*ALL_TIED), columns={})
        assert (verdict.verdict, verdict.batches, verdict.games, verdict.figure) == ("supported", [], 1, None)
        (one,) = claim_results(claim_rows().filter(slug=ALL_TIED[1]))
        assert one.verdict.kind == Verdict.Kind.SUPPORTED
        assert judge(a_claim(*ALL_TIED), columns={})[0].computed == verdict.computed

    def test_a_game_that_is_none_leaves_the_claim_undecided(self) -> None:
        Claim.objects.filter(slug=ALL_TIED[1]).update(tests=[{**TEST, "game": 0}])
        judge(a_claim(*ALL_TIED), columns={})
        (one,) = claim_results(claim_rows().filter(slug=ALL_TIED[1]))
        assert (one.verdict.kind, one.tests[0].game) == (Verdict.Kind.UNDECIDED, "")

    def test_its_page_and_the_api_lead_to_the_position(self) -> None:
        judge(a_claim(*ALL_TIED), columns={})
        page = BeautifulSoup(self.client.get("/claims/kotu-baendum/all-four-ends-tied/").content, "lxml")
        address = page.find("a", string="play it through")["href"]
        board = BeautifulSoup(self.client.get(address).content, "lxml").get_text()
        assert board.count("tied, the ") == 4
        (test,) = self.client.get("/api/v1/claims/kotu-baendum/all-four-ends-tied/").json()["tests"]
        assert test["game_page"] == f"http://testserver{address}"
        assert test["verdict"]["moves"] in address
