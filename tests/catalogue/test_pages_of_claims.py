"""Pages of claims: the list that can be narrowed, one claim with its figures, and what they ask the database."""

from bs4 import BeautifulSoup

from catalogue.analyses import claim_trials
from catalogue.analyses.claim_results import claims_of
from catalogue.models import Anchor, Claim, Evidence, Verdict
from tests.catalogue.claim_world import a_claim, judge, waiting
from tests.catalogue.page_world import CatalogueTestCase, plain

LONG = "/claims/kotu-baendum/very-long/"
BOTH = "/claims/saturankam/bring-both-up/"
CATTLE = "/claims/diviyan-keliya/cattle-always-win/"
WALLING = "a player of the cattle who reckons how a leopard is walled in"
CHANCE = "/claims/hat-diviyan-keliya/little-chance-while-laying/"


def more_claims(like: Claim, number: int) -> None:
    """Claims with words, tests and verdicts of their own, so that a query for each would show."""
    verdicts, anchors = list(like.verdicts.all()), list(like.anchors.all())
    for place in range(number):
        claim = Claim.objects.get(pk=like.pk)
        claim.pk, claim.slug = None, f"copy-{place}"
        claim.save()
        for anchor in anchors:
            anchor.pk, anchor.claim, anchor.key = None, claim, f"{claim.slug}-{anchor.position}"
            anchor.save()
        Verdict.objects.bulk_create(Verdict(**{**_fields(one), "claim": claim}) for one in verdicts)


def _fields(verdict: Verdict) -> dict[str, object]:
    return {field.name: getattr(verdict, field.name) for field in verdict._meta.fields if field.name != "id"}


class ClaimListTests(CatalogueTestCase):
    def shown(self, address: str) -> list[str]:
        page = BeautifulSoup(self.page(address), "lxml")
        return [card.find("a")["href"] for card in page.find_all(class_="claim")]

    def test_every_claim_is_there_with_its_words_and_its_verdict(self) -> None:
        assert len(self.shown("/claims/")) == Claim.objects.count()
        text = plain(self.page("/claims/"))
        assert "the game becomes nearly interminable, and may last for hours" in text
        assert "– cannot be tested by simulation" in text
        assert "? undecided . It has not been judged yet." in text

    def test_narrowed_by_game_and_verdict(self) -> None:
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 2000})
        assert self.shown("/claims/?verdict=supported") == [LONG]
        assert len(self.shown("/claims/?game=kotu-baendum")) == 2
        assert self.shown("/claims/?game=kotu-baendum&verdict=supported") == [LONG]
        assert self.shown("/claims/?game=puhulmutu&verdict=supported") == []

    def test_counted_verdicts_lead_to_their_claims(self) -> None:
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 2000})
        page = BeautifulSoup(self.page("/claims/"), "lxml")
        counts = {link["href"]: int(link.b.text) for link in page.select(".tally a")}
        assert sum(counts.values()) == Claim.objects.count()
        for address, count in counts.items():
            assert len(self.shown(address)) == count
        open_claims = page.find(class_="tally").find(href="/claims/?verdict=undecided").find_next("p").get_text()
        assert sum(int(word) for word in open_claims.split() if word.isdigit()) == counts["/claims/?verdict=undecided"]

    def test_each_claim_stands_with_its_verdict_by_reading(self) -> None:
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 2000})
        page = BeautifulSoup(self.page("/claims/?game=kotu-baendum&verdict=supported"), "lxml")
        _, source, portal, ludii = page.select_one("tr.claim").find_all("td")
        assert [plain(str(cell)) for cell in (source, portal, ludii)] == ["✓ supported Parker", "·", "✓ supported"]
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 10})
        row = BeautifulSoup(self.page("/claims/?game=kotu-baendum&verdict=not_supported"), "lxml").select_one(
            "tr.claim"
        )
        assert "✗ not supported Parker" in plain(str(row))

    def test_counts_of_choices_are_those_of_their_lists(self) -> None:
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 2000})
        page = BeautifulSoup(self.page("/claims/?game=kotu-baendum"), "lxml")
        for option in page.find("select", attrs={"name": "verdict"}).find_all("option")[1:]:
            count = int(option.get_text().rpartition("(")[2].rstrip(")"))
            assert len(self.shown(f"/claims/?game=kotu-baendum&verdict={option['value']}")) == count

    def test_wrong_values_are_refused_with_the_nearest(self) -> None:
        for address, nearest in (
            ("/claims/?verdict=suported", "/claims/?verdict=supported"),
            ("/claims/?game=puhulmut", "/claims/?game=puhulmutu"),
            ("/claims/?verdit=supported", "/claims/?verdict=supported"),
            ("/claims/?page=9", "/claims/?page=1"),
        ):
            page = BeautifulSoup(self.page(address, 400), "lxml")
            assert nearest in [link["href"] for link in page.find("main").find_all("a")], address

    def test_six_queries_with_any_number_of_claims(self) -> None:
        # claims and games; words and records; verdicts; versions and content; readings; batches
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 2000})
        with self.assertNumQueries(6):
            self.client.get("/claims/")
        more_claims(a_claim("kotu-baendum", "very-long"), 20)
        with self.assertNumQueries(6):
            self.client.get("/claims/")


class ClaimPageTests(CatalogueTestCase):
    def test_words_in_their_record(self) -> None:
        page = BeautifulSoup(self.page(LONG), "lxml")
        anchor = Anchor.objects.get(claim__slug="very-long")
        assert page.find(class_="quotation").get_text() == anchor.exact
        assert page.find("figcaption").find("a")["href"] == "/evidence/DLP.Evidence.691/"

    def test_figures_have_interval_players_and_batch(self) -> None:
        verdicts = judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 2000})
        text = plain(self.page(LONG))
        assert "✓ supported" in text
        assert "the share in which there are at least 1,200 laps is at least 50 %" in text
        assert text.count("100.0 % (96.3 to 100.0) of 100 games.") == 4
        for players in ("random,random", "greedy,greedy"):
            assert text.count(f"100 games · players {players} · seed 1 · cap 5,000 turns") == 2
        links = [link["href"] for link in BeautifulSoup(self.page(LONG), "lxml").find_all("a", class_="hash")]
        assert links == [f"/batches/{one.batches[0]}/" for one in verdicts]
        for link in links:
            self.page(link)

    def test_claims_about_play_and_about_rules_are_told_apart(self) -> None:
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 2000})
        said = (
            "about how people play, and judged by random players, who are a base line, and by greedy ones, who look one"
        )
        assert said in plain(self.page(LONG))
        assert "It is about the rules: no player can change it." in plain(
            self.page("/claims/kotu-baendum/all-four-ends-tied/")
        )
        assert "base line" not in plain(self.page(CHANCE))

    def test_undecided_tests_say_how_many_more_games_would_do(self) -> None:
        # 54 of 100, at least 50 % claimed: 0.443 to 0.634, half 0.097; (0.097 / 0.04)² = 5.9 times as many
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": [2000] * 54 + [10] * 46})
        text = plain(self.page(LONG))
        assert "The games played do not decide it: too few games: about 500 more would decide it" in text
        assert (
            text.count("? undecided : too few games: about 500 more would decide it, or show it as good as equal") == 4
        )
        assert "too few games" in plain(str(BeautifulSoup(self.page("/claims/"), "lxml").find(class_="tally")))

    def test_a_batch_that_was_thrown_away_is_named_but_not_linked(self) -> None:
        first, second, *others = judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 2000})
        Verdict.objects.filter(pk=second.pk).update(batches=["0123456789abcdef"])
        page = BeautifulSoup(self.page(LONG), "lxml")
        kept = [f"/batches/{one.batches[0]}/" for one in (first, *others)]
        assert [link["href"] for link in page.find_all("a", class_="hash")] == kept
        assert "0123456789abcdef (not kept here)" in plain(self.page(LONG))

    def test_random_figures_leave_a_claim_of_good_play_undecided(self) -> None:
        claim = waiting(a_claim("diviyan-keliya", "cattle-always-win"), WALLING)
        judge(claim, columns={"end": 0, "winners": 2}, which=claim_trials.every)
        text = plain(self.page(CATTLE))
        assert f"? undecided . It needs {WALLING}" in text
        assert "✓" not in text
        assert "The figures below are those of random players." in text
        assert "100.0 % (96.3 to 100.0) of 100 games." in text

    def test_a_claim_about_good_play_that_names_no_players_says_so(self) -> None:
        claim = a_claim("saturankam", "bring-both-up")
        assert "It speaks of players that play well, or follow an advice" not in plain(self.page(BOTH))
        claim.tests = [{key: value for key, value in test.items() if key != "players"} for test in claim.tests]
        claim.save()
        text = plain(self.page(BOTH))
        assert "? undecided . It speaks of players that play well, or follow an advice" in text
        assert "not run: it needs players that play well" in text

    def test_the_players_who_follow_an_advice_are_named(self) -> None:
        judge(a_claim("saturankam", "bring-both-up"), columns={"winners": [1, 2] * 50})
        text = plain(self.page(BOTH))
        assert "The verdict is one on the players that each test names" in text
        assert "players policy:together,random · seed 1" in text
        assert "players greedy,policy:together · seed 1" in text
        assert "A policy that brings the counters up together (Parker 1909: 605–607), against random" in text

    def test_players_of_a_verdict_are_named_with_their_budget(self) -> None:
        assert "? undecided . It has not been judged yet." in plain(self.page(CHANCE))
        judge(a_claim("hat-diviyan-keliya", "little-chance-while-laying"), columns={"first_capture_ended": 1})
        text = plain(self.page(CHANCE))
        assert "✗ not supported" in text
        assert "The verdict is one on the players that each test names" in text
        assert "Club players, about 1 ms a turn" in text

    def test_a_claim_that_needs_another_player_is_not_judged(self) -> None:
        claim = waiting(a_claim("diviyan-keliya", "cattle-always-win"), WALLING)
        assert judge(claim, columns={"winners": 1}) == []
        text = plain(self.page(CATTLE))
        assert f"? undecided . It needs {WALLING}" in text
        assert text.count(f"not run: it needs {WALLING}") == len(claim.tests)

    def test_a_verdict_of_players_that_a_level_had_before_names_them(self) -> None:
        claim = a_claim("hat-diviyan-keliya", "little-chance-while-laying")
        judge(claim, columns={"first_capture_ended": 1})
        claim.verdicts.filter(number=1).update(players="uct:77,uct:77")
        text = plain(self.page(CHANCE))
        assert text.count("Monte Carlo search, 77 iterations, in every seat") == 1
        assert text.count("Club players, about 1 ms a turn") == len(claim.tests) - 1

    def test_what_cannot_be_tested_says_why(self) -> None:
        claim = a_claim("puhulmutu", "usually-to-the-right")
        text = plain(self.page(claim.get_absolute_url()))
        assert "– cannot be tested by simulation" in text
        assert claim.why_not in text

    def test_what_a_verdict_does_not_show_stands_beside_it(self) -> None:
        assert a_claim("kotu-baendum", "very-long").limits in plain(self.page(LONG))

    def test_an_unknown_claim_names_the_nearest(self) -> None:
        for address in ("/claims/kotu-baendum/very-lon/", "/claims/kotu-baendm/very-long/"):
            page = BeautifulSoup(self.page(address, 404), "lxml")
            assert LONG in [link["href"] for link in page.find("main").find_all("a")]

    def test_a_test_that_cannot_be_run_any_more_says_so(self) -> None:
        claim = a_claim("kotu-baendum", "very-long")
        claim.tests = [{**claim.tests[0], "ruleset": "gone"}]
        claim.save()
        assert "This test cannot be run: ruleset: there is no 'gone' here" in plain(self.page(LONG))

    def test_six_queries_with_any_number_of_tests(self) -> None:
        claim = a_claim("kotu-baendum", "very-long")
        judge(claim, columns={"laps": 2000})
        with self.assertNumQueries(6):
            self.client.get(LONG)
        claim.tests = claim.tests * 4
        claim.save()
        judge(claim, columns={"laps": 2000})
        with self.assertNumQueries(6):
            self.client.get(LONG)


class ClaimsOfARecordTests(CatalogueTestCase):
    def test_the_claims_whose_words_stand_in_it(self) -> None:
        found = claims_of(Evidence.objects.get(identifier="DLP.Evidence.691"))
        assert [one.claim.slug for one in found] == ["very-long", "all-four-ends-tied"]
        assert claims_of(Evidence.objects.get(identifier="DLP.Evidence.1485")) == []
