"""Claims as the API gives them: words, tests, verdicts, and lists that can be narrowed."""

from catalogue.models import Anchor, Claim
from tests.api.api_world import ApiTestCase
from tests.catalogue.claim_world import a_claim, judge

LONG = "claims/kotu-baendum/very-long/"


class ClaimTests(ApiTestCase):
    def test_a_claim_has_its_words_its_test_and_its_verdict(self) -> None:
        claim = a_claim("kotu-baendum", "very-long")
        judge(claim, columns={"laps": 2000})
        answer = self.read(LONG)
        assert (answer["key"], answer["verdict"], answer["reason"]) == ("kotu-baendum/very-long", "supported", "")
        assert answer["readings"] == [
            {"ruleset": "kotu-baendum-parker", "verdict": "supported"},
            {"ruleset": "kotu-baendum-ludii", "verdict": "supported"},
        ]
        (words,) = answer["words"]
        anchor = Anchor.objects.get(claim=claim)
        assert (words["record"], words["exact"]) == ("DLP.Evidence.691", anchor.exact)
        assert self.client.get(words["annotation"]).status_code == 200
        assert [one["test"] for one in answer["tests"]] == claim.tests
        verdict = answer["tests"][0]["verdict"]
        assert (verdict["figure"], verdict["n"], verdict["players"], verdict["seed"]) == (1.0, 100, "random,random", 1)
        assert self.client.get(f"/api/v1/batches/{verdict['batches'][0]}/").status_code == 200

    def test_a_claim_that_was_not_judged_has_no_figures(self) -> None:
        answer = self.read(LONG)
        assert (answer["verdict"], answer["reason"]) == ("undecided", "It has not been judged yet.")
        assert [one["verdict"] for one in answer["tests"]] == [None] * 4
        assert "at least 1,200 laps" in answer["tests"][0]["sentence"]

    def test_an_undecided_claim_has_one_of_a_few_reasons(self) -> None:
        claim = a_claim("kotu-baendum", "very-long")
        assert self.read(LONG)["undecided_because"] == "not_judged"
        judge(claim, columns={"laps": [2000] * 54 + [10] * 46})
        answer = self.read(LONG)
        assert answer["undecided_because"] == "too_few_games"
        assert [(one["undecided_because"], one["games_wanted"]) for one in answer["tests"]] == [
            ("too_few_games", 500)
        ] * 4
        judge(claim, columns={"laps": 2000})
        answer = self.read(LONG)
        assert (answer["undecided_because"], answer["tests"][0]["undecided_because"]) == (None, None)

    def test_a_claim_is_about_rules_play_or_nothing(self) -> None:
        for key, about in (
            ("kotu-baendum/all-four-ends-tied", "rules"),  # a game in which it happens is one, whoever plays
            ("kotu-baendum/very-long", "play"),  # judged by random players, who are no people
            ("diviyan-keliya/cattle-always-win", "play"),
            ("puhulmutu/usually-to-the-right", "nothing"),
        ):
            assert self.read(f"claims/{key}/")["about_what"] == about, key

    def test_addresses_lead_to_the_claim_and_its_page(self) -> None:
        answer = self.read(LONG)
        assert self.client.get(answer["url"]).json() == answer
        assert "<h1" in self.client.get(answer["page"]).content.decode()
        assert self.client.get(answer["game"]["url"]).json()["slug"] == "kotu-baendum"

    def test_narrowed_lists(self) -> None:
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 2000})
        for narrowed, slugs in (
            ("?game=kotu-baendum", ["very-long", "all-four-ends-tied"]),
            ("?evidence=DLP.Evidence.691", ["very-long", "all-four-ends-tied"]),
            ("?game=puhulmutu&judged_by=nothing", ["usually-to-the-right"]),
            ("?verdict=supported", ["very-long"]),
            ("?game=puhulmutu&verdict=supported", []),
        ):
            assert [one["key"].split("/")[1] for one in self.read(f"claims/{narrowed}")["results"]] == slugs
        assert self.count("claims/") == Claim.objects.count()

    def test_wrong_values_are_refused_with_the_nearest(self) -> None:
        assert self.nearest("claims/?verdict=suported") == {"verdict": "supported"}
        assert self.nearest("claims/?game=puhulmut") == {"game": "puhulmutu"}
        assert self.nearest("claims/kotu-baendum/very-lon/", 404) == {"key": "kotu-baendum/very-long"}
