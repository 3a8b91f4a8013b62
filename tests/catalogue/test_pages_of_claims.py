"""Pages of claims: the list that can be narrowed, one claim with its figures, and what they ask the database."""

import re
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from catalogue.analyses import claim_trials, claims
from catalogue.analyses.claim_results import ClaimTestResult, claims_of, tally
from catalogue.analyses.claim_verdicts import DEPENDS
from catalogue.analyses.claim_words import EACH_SIDE, ONE_EACH, both_seats, seats
from catalogue.models import Anchor, Claim, Evidence, Verdict
from simulator.batches import dispatch
from simulator.models import Batch
from tests.catalogue.claim_world import a_claim, fill, judge, waiting
from tests.catalogue.members import member
from tests.catalogue.page_world import CatalogueTestCase, plain, played_batch

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
        Verdict.objects.bulk_create(Verdict(**{**_fields(verdict), "claim": claim}) for verdict in verdicts)


def _fields(verdict: Verdict) -> dict[str, object]:
    return {field.name: getattr(verdict, field.name) for field in verdict._meta.fields if field.name != "id"}


class JudgedClaimTests(CatalogueTestCase):
    """The catalogue with one claim judged: every game has more laps than it says."""

    verdicts: list[Verdict]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.verdicts = judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 3000})

    def shown(self, address: str) -> list[str]:
        return [card.find("a")["href"] for card in self.soup(address).find_all(class_="claim")]

    def test_every_claim_is_there_with_its_words_and_verdict(self) -> None:
        assert len(self.shown("/claims/")) == Claim.objects.count()
        text = plain(self.page("/claims/"))
        assert "the game becomes nearly interminable, and may last for hours" in text
        assert "– cannot be tested by simulation" in text
        assert "? undecided . It has not been judged yet." in text

    def test_cards_show_board_stamp_and_test_decided_ones_first(self) -> None:
        cards = self.soup("/claims/").select(".claim-card")
        assert len(cards) == Claim.objects.count()
        first = cards[0]
        assert first.find("a")["href"] == LONG
        assert first.img["src"] == "/rulesets/kotu-baendum-parker/board.svg"
        assert first.img["loading"] == "lazy"
        assert plain(str(first.select_one(".stamp"))) == "✓ supported"
        assert "200 games: random players" in plain(str(first))
        assert first.find_all("a")[-1]["href"] == f"/batches/{self.verdicts[0].batches[0]}/"
        assert plain(str(first.select_one(".sure"))) == "●●○ many different games"
        assert all("✓" not in plain(str(card.select_one(".stamp"))) and not card.select(".sure") for card in cards[1:])

    def test_what_is_open_stands_in_a_fold_for_each_game(self) -> None:
        """The wall of all claims was 16,756 pixels on a phone: now a game is a line until it is opened."""
        page = self.soup("/claims/")
        assert len(page.select(".claim-cards:not(details *) > li")) == 1
        folds = page.select(".folds > li")
        names = [fold.b.get_text() for fold in folds]
        assert names == sorted(set(Claim.objects.exclude(slug="very-long").values_list("game__name", flat=True)))
        puhulmutu = folds[names.index("Puhulmutu")]
        assert "that no game can decide" in plain(str(puhulmutu.summary))
        assert len(puhulmutu.select(".claim-card")) == Claim.objects.filter(game__name="Puhulmutu").count()
        assert not self.soup("/claims/?game=puhulmutu").select(".folds")

    def test_a_claim_has_its_board_stamp_and_games_at_its_head(self) -> None:
        page = self.soup(LONG)
        head = page.select_one(".claim-head")
        assert head.select_one(".board svg")
        assert head.select_one("figcaption a[href$='board.svg']")["href"] == "/rulesets/kotu-baendum-parker/board.svg"
        assert plain(str(head.select_one(".stamp"))) == "✓ supported"
        assert head.select_one(".actions a")["href"] == f"/batches/{self.verdicts[0].batches[0]}/"
        assert "The same player on every side." in plain(str(page))

    @pytest.mark.by_turns
    def test_counts_of_verdicts_lead_to_their_claims(self) -> None:
        page = self.soup("/claims/")
        counts = {link["href"]: int(link.b.text) for link in page.select(".tally a")}
        assert sum(counts.values()) == Claim.objects.count()
        for verdict in ("supported", "untestable"):
            address = f"/claims/?verdict={verdict}"
            assert len(self.shown(address)) == counts[address]
        assert self.shown("/claims/?verdict=supported") == [LONG]
        open_claims = page.find(class_="tally").find(href="/claims/?verdict=undecided").find_next("p").get_text()
        assert sum(map(int, re.findall(r":\s+(\d+)", open_claims))) == counts["/claims/?verdict=undecided"]

    @pytest.mark.by_turns
    def test_counts_of_choices_are_those_of_their_lists(self) -> None:
        options = self.soup("/claims/?game=kotu-baendum").find("select", attrs={"name": "verdict"}).find_all("option")
        counts = {option["value"]: int(option.get_text().rpartition("(")[2].rstrip(")")) for option in options[1:]}
        assert counts["supported"] == counts["undecided"] == 1
        for verdict, count in counts.items():
            assert len(self.shown(f"/claims/?game=kotu-baendum&verdict={verdict}")) == count
        assert self.shown("/claims/?game=puhulmutu&verdict=supported") == []

    @pytest.mark.by_turns
    def test_each_claim_stands_with_its_verdict_by_reading(self) -> None:
        page = self.soup("/claims/?game=kotu-baendum&verdict=supported")
        _, source, portal, ludii = page.select_one("tr.claim").find_all("td")
        assert [plain(str(cell)) for cell in (source, portal, ludii)] == ["✓ supported Parker 1909", "·", "✓ supported"]
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 10})
        row = self.soup("/claims/?game=kotu-baendum&verdict=not_supported").select_one("tr.claim")
        assert "✗ not supported Parker" in plain(str(row))

    @pytest.mark.thorough
    def test_as_many_queries_with_any_number_of_claims_and_tests(self) -> None:
        # claims and games; words and records; verdicts; versions and content; readings; batches; first readings; and
        # rules that are not played, of a claim; the game chosen, of a list
        claim = a_claim("kotu-baendum", "very-long")
        queries = {LONG: 9, "/claims/?game=kotu-baendum": 8}
        for page, number in queries.items():
            with self.assertNumQueries(number):
                self.client.get(page)
        more_claims(claim, 20)
        claim.tests = claim.tests * 4
        claim.save()
        judge(claim, columns={"laps": 3000})
        for page, number in queries.items():
            with self.assertNumQueries(number):
                self.client.get(page)

    def test_words_and_figures_with_players_and_batch(self) -> None:
        page, text = self.soup(LONG), plain(self.page(LONG))
        assert page.find(class_="quotation").get_text() == Anchor.objects.get(claim__slug="very-long").exact
        assert page.find("figcaption").find("a")["href"] == "/evidence/DLP.Evidence.691/"
        assert "✓ supported" in text
        assert "the share in which there are at least 2,400 laps is at least 50 %" in text
        assert text.count("100.0 % (96.3 to 100.0) of 100 games.") == 4 + 2 * 2
        assert text.count("100 games · players random,random · seed 1 · cap 5,000 turns") == 2
        assert text.count("100 games · players greedy,greedy · seed 1 · cap 5,000 turns · 100 different games") == 2
        assert text.count("It has no voice in the verdict: the sentence is not the program’s.") == 2
        assert text.count("It has no voice in the verdict: “like the others” compares the games") == 2
        links = [link["href"] for link in page.find_all("a", class_="hash")]
        assert links == [f"/batches/{batch}/" for verdict in self.verdicts for batch in verdict.batches]
        self.page(links[0])
        assert a_claim("kotu-baendum", "very-long").limits in text

    def test_claims_about_play_and_about_rules_are_told_apart(self) -> None:
        said = (
            "about how people play, and judged by random players, who are a base line, and by greedy ones, who look one"
        )
        assert said in plain(self.page(LONG))
        rules = plain(self.page("/claims/kotu-baendum/all-four-ends-tied/"))
        assert "It is about the rules: no player can change it." in rules
        assert "base line" not in plain(self.page(CHANCE))

    @pytest.mark.by_turns
    def test_undecided_tests_say_how_many_more_games_would_do(self) -> None:
        # 54 of 100, at least 50 % claimed: 0.443 to 0.634, half 0.097; (0.097 / 0.04)² = 5.9 times as many
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": [3000] * 54 + [10] * 46})
        text, few = plain(self.page(LONG)), "too few games: about 500 more would decide it"
        assert f"The games played do not decide it: {few}" in text
        assert text.count(f"? undecided : {few}, or show it as good as equal") == 4
        assert text.count("? undecided : one of the two shares that it compares is undecided, or both are") == 2
        tally = self.soup("/claims/?game=kotu-baendum").find(class_="tally")
        assert "Too few games" in plain(str(tally))

    def test_a_purged_batch_is_named_and_not_linked(self) -> None:
        first, second, *others = self.verdicts
        Verdict.objects.filter(pk=second.pk).update(batches=["0123456789abcdef"])
        kept = [f"/batches/{batch}/" for one in (first, *others) for batch in one.batches]
        assert [link["href"] for link in self.soup(LONG).find_all("a", class_="hash")] == kept
        assert "0123456789abcdef (not kept here)" in plain(self.page(LONG))

    def test_a_test_that_cannot_be_run_any_more_says_so(self) -> None:
        claim = a_claim("kotu-baendum", "very-long")
        claim.tests = [{**claim.tests[0], "ruleset": "gone"}]
        claim.save()
        assert "This test cannot be run: ruleset: there is no 'gone' here" in plain(self.page(LONG))

    def test_the_claims_whose_words_stand_in_a_record(self) -> None:
        found = claims_of(Evidence.objects.get(identifier="DLP.Evidence.691"))
        assert [one.claim.slug for one in found] == ["very-long", "all-four-ends-tied"]
        assert claims_of(Evidence.objects.get(identifier="DLP.Evidence.1485")) == []


class PlayersOfClaimsTests(CatalogueTestCase):
    def test_random_games_leave_a_claim_of_good_play_undecided(self) -> None:
        claim = waiting(a_claim("diviyan-keliya", "cattle-always-win"), WALLING)
        assert judge(claim, columns={"winners": 1}) == []
        text = plain(self.page(CATTLE))
        assert f"? undecided . It needs {WALLING}" in text
        assert text.count(f"not run: it needs {WALLING}") == len(claim.tests)
        judge(claim, columns={"end": 0, "winners": 2}, which=claim_trials.every)
        text = plain(self.page(CATTLE))
        assert f"? undecided . It needs {WALLING}" in text
        assert "✓" not in text
        assert "The figures below are those of random players." in text
        assert "100.0 % (96.3 to 100.0) of 100 games." in text

    def test_a_claim_not_tested_yet_says_what_it_waits_for(self) -> None:
        """It said “Not played yet”, though there are games of these readings."""
        played_batch("diviyan-keliya-parker")
        text = plain(self.page(CATTLE))
        assert "Not tested yet. It waits for 640 games of random, greedy, club and strong players." in text
        assert "What the games so far show" in text
        assert "They do not decide the claim: its tests ask for other games." in text

    def test_a_claim_of_good_play_without_players_says_so(self) -> None:
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
        assert "100 games with the players so, and as many with them exchanged" in text
        assert "players policy:up_together,random · seed 1" in text
        assert "players policy:up_together_greedy,greedy · seed 1" in text
        policy = "A policy that brings the counters up to the centre together (Parker 1909: 605–607), against random"
        assert policy in text

    @pytest.mark.by_turns
    def test_a_claim_that_waits_for_games_can_be_asked_for(self) -> None:
        """Nine boxes "not played yet" were a dead end, for editors too: now a table, a button, the queue."""
        page = self.soup(CATTLE)
        assert len(page.select("tr[id^=test-]")) == 9
        assert not page.select("article")
        assert "more than a visitor may ask for. The editors can have them played." in plain(str(page))
        assert not page.select("#tests ~ form")
        assert self.client.post(CATTLE).status_code == 400
        assert not Batch.objects.filter(origin=Batch.Origin.EDITOR).exists()
        self.client.force_login(member("editor"))
        button = self.soup(CATTLE).select_one("section[aria-labelledby=tests] form")
        assert "720 games in 9 batches, about" in plain(str(button))
        with mock.patch.object(dispatch, "_send", return_value=True) as sent:
            assert self.client.post(CATTLE).status_code == 302
        assert sent.call_args.args[0] == claims.JUDGE
        batches = Batch.objects.filter(origin=Batch.Origin.EDITOR)
        assert len(batches) == 9
        assert "The games are being played: 0 of 720." in plain(self.page(CATTLE))
        for batch in batches:
            fill(batch, {"winners": 1})
        with mock.patch.object(dispatch, "_send", return_value=True) as sent:
            assert "the claim is being judged" in plain(self.page(CATTLE))
        claims.judge_when_played(*sent.call_args.args[1])
        page = plain(self.page(CATTLE))
        assert "✗ not supported" in page
        assert "not played yet" not in page

    @pytest.mark.by_turns
    def test_a_verdict_of_players_of_before_is_withheld(self) -> None:
        assert "? undecided . It has not been judged yet." in plain(self.page(CHANCE))
        claim = a_claim("hat-diviyan-keliya", "little-chance-while-laying")
        judge(claim, columns={"first_capture_ended": 1})
        text = plain(self.page(CHANCE))
        assert "✗ not supported" in text
        assert "The verdict is one on the players that each test names" in text
        of_club = sum(test["players"] == "club" for test in claim.tests)
        assert text.count("Club players, about 1 ms a turn") == of_club == 5
        assert "not played yet" not in text
        claim.verdicts.filter(number=1).update(players="uct:77,uct:77")  # as the level was before
        text = plain(self.page(CHANCE))
        assert "77 iterations" not in text
        assert text.count("not played yet") == 2  # in the table of readings, and in the test

    def test_what_cannot_be_tested_says_why(self) -> None:
        claim = a_claim("puhulmutu", "usually-to-the-right")
        text = plain(self.page(claim.get_absolute_url()))
        assert "– cannot be tested by simulation" in text
        assert claim.why_not in text


def test_what_depends_on_the_reading_is_counted_by_itself() -> None:
    """It stands under "What the games have decided", and was counted among what is undecided."""

    def one(kind: Verdict.Kind, reason: str = "") -> Any:
        return SimpleNamespace(verdict=SimpleNamespace(kind=kind, reason=reason, because=None))

    kinds = Verdict.Kind
    found = tally([one(kinds.SUPPORTED), one(kinds.UNDECIDED, DEPENDS), one(kinds.UNDECIDED), one(kinds.UNDECIDED)])
    assert [(row.kind, row.number) for row in found] == [("supported", 1), ("depends", 1), ("undecided", 2)]


def test_who_sat_where_is_said_and_counted_for_both_seats() -> None:
    """A practised player who always begins shows nothing of whether it is the seat that wins."""
    both = result({"players": "club,random", "both_seats": True}, ("b1", "b2", "gone"))
    batches: Any = {
        name: SimpleNamespace(id=name, players=line, games=50, summary={"counts": {"won_by_seat": won}})
        for name, line, won in (("b1", "club,random", [49, 1]), ("b2", "random,club", [4, 46]))
    }
    assert seats(both) == EACH_SIDE
    assert [(half.batch, half.said) for half in both_seats(both, batches)] == [
        ("b1", "the first to move won 49 of 50 games, the second 1"),
        ("b2", "the first to move won 4 of 50 games, the second 46"),
    ]
    assert seats(result({"players": "club,random"}, ())) == ONE_EACH
    assert both_seats(result({"players": "club,random"}, ("b1",)), batches) == []
    assert seats(result({"kind": "solution"}, ())) == ""


def result(test: dict[str, Any], batches: tuple[str, ...]) -> ClaimTestResult:
    return ClaimTestResult(1, "", (), "some players", (), None, batches, test)
