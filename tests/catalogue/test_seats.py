"""Players named seat by seat, by level or by name: in forms, comparisons and studies, and whatever tells of them."""

import io
import json
from importlib import import_module
from typing import Any
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from django.apps import apps
from django.core.management import call_command

from catalogue.analyses import study_plans
from catalogue.analyses.comparisons import COMPARISONS, check_comparison, comparison_id
from catalogue.analyses.study_plans import offers_for
from catalogue.models import Comparison, Game, Question, Study
from catalogue.texts.voices import in_names_of_voices
from simulator.batches import dispatch, levels
from simulator.batches.prices import dearest_game, game_price
from simulator.engine import shipped
from simulator.engine.family import family
from simulator.problems import WrongRequest
from tests.catalogue.comparison_world import PAIR, a_comparison, no_message
from tests.catalogue.page_world import GAMES, CatalogueTestCase, nobody_hears, plain
from tests.catalogue.unheard_messages import UnheardMessages

NIRANCHY = ("niranchy-ludovisi", "niranchy-ludii")
WORDS = "first player club, second player random"
GAME = "saturankam"
OLD = ["0123456789abcdef", "fedcba9876543210"]


def test_a_line_of_players_in_words_says_who_sits_where() -> None:
    for line, words in (
        ("club,random", WORDS),
        ("club,club", "club players, about 1 ms a turn"),
        ("random,random", "random players"),
        ("random,greedy", "first player random; second player greedy, one turn ahead"),
        ("strong,random,random,random",
         "first player strong, second player random, third player random, fourth player random"),
    ):  # fmt: skip
        assert levels.line_in_words(line) == words


def test_a_game_costs_what_its_seats_cost_each() -> None:
    kalah = shipped.load("kalah-reference")
    club = levels.player_of(kalah, "club")
    turns = [game_price(kalah, players, 40) for players in ((club, club), (club, "random"), ("random", "random"))]
    assert turns[0] > turns[1] > turns[2]
    assert turns[1] == pytest.approx(game_price(kalah, ("random", club), 40))
    assert dearest_game("sowing", [club, club], 40) > dearest_game("sowing", [club, "random"], 40)
    assert dearest_game("sowing", ["random"], 40) == dearest_game("sowing", ["random", "random"], 40)


def test_a_comparison_of_before_keeps_its_name() -> None:
    """As it was before players were asked for seat by seat: what it is known by has not changed."""
    with mock.patch("catalogue.analyses.comparisons.COMPARISON_VERSION", 2):
        assert comparison_id(OLD, {"shares": 0.02, "amounts": 0.05}, 1) == "f5bb658c329d6a05"


@mock.patch("simulator.batches.service.dispatch.notify_of_chunks", nobody_hears)
@mock.patch.object(dispatch.current_app, "send_task", no_message)
class ComparisonTests(CatalogueTestCase):
    def asked(self, line: str, names: tuple[str, ...] = PAIR) -> Comparison:
        return COMPARISONS.request(check_comparison(names, games=9, players=line), announce=False)

    def test_a_level_is_the_same_player_in_every_reading_of_a_game(self) -> None:
        asked = check_comparison(PAIR, games=9, players="club,random")
        club = levels.player_of(asked.requests[0].ruleset, "club")
        assert [request.players for request in asked.requests[: len(PAIR)]] == [(club, "random")] * len(PAIR)
        assert asked.players == "club,random"

    def test_a_player_for_all_seats_is_the_same_seat_by_seat(self) -> None:
        requests = [check_comparison(PAIR, games=9, players=line) for line in ("random", "random,random")]
        assert [(request.id, request.players) for request in requests] == [(requests[0].id, "random,random")] * 2

    def test_rulesets_of_other_seats_are_refused_with_the_reason(self) -> None:
        with pytest.raises(WrongRequest) as caught:
            check_comparison(["saturankam-parker", "sokkattan-parker"], games=9, players="club,random")
        assert "their wins are not comparable" in str(caught.value)
        assert "2 players are named for 4 seats" in str(caught.value)

    def test_the_form_takes_a_player_for_each_seat(self) -> None:
        page = BeautifulSoup(self.page("/compare/?game=daramuti&players=club,uct:30/4"), "lxml")
        first, second = page.find_all("select", attrs={"name": "players"})
        assert [one["value"] for one in first.find_all("option", selected=True)] == ["club"]
        assert [one["value"] for one in second.find_all("option", selected=True)] == ["uct:30/4"]
        assert [one.find_parent("label").contents[0].strip() for one in (first, second)] == [
            "First player", "Second player",
        ]  # fmt: skip
        sent = {"rulesets": list(PAIR), "games": "9", "seed": "1", "players": ["club", "random"]}
        address = self.client.post("/compare/", sent)["Location"]
        found = Comparison.objects.get()
        assert (found.players, address) == ("club,random", found.get_absolute_url())
        assert self.client.post("/compare/", {**sent, "players": "random", "other_players": "club,random"})[
            "Location"
        ] == address  # fmt: skip
        refused = self.client.post("/compare/", {**sent, "players": ["club", "randm"]})
        assert refused.status_code == 400
        assert "the nearest is &#x27;random&#x27;" in refused.content.decode()

    def test_page_list_citation_and_api_say_whose_play_it_is(self) -> None:
        row = self.asked("club,random")
        played = [one.batch.players for one in row.compared.select_related("batch")]
        [first, _, second, _] = played  # the same under both rulesets, and again by another player
        text = plain(self.page(row.get_absolute_url()))
        assert "First player club, second player random" in text
        assert f"played by {first}" in text
        assert f"played by {second}" in text
        assert "--players club,random" in text
        assert "stand for other players by now" not in text
        answer = self.client.get(f"/api/v1/comparisons/{row.id}/").json()
        assert (answer["players"], answer["played_by"]) == ("club,random", WORDS)
        assert [one["players"] for one in answer["compared"]] == played == [first, first, second, second]
        assert answer["second_players"] == "club-second,random"
        assert WORDS in self.client.get(f"/cite/comparison/{row.id}.json").content.decode()
        with mock.patch.object(levels, "player_of", return_value="uct:1"):
            text = plain(self.page(row.get_absolute_url()))
            assert text.index("stand for other players by now") < text.index("What was asked for")

    @pytest.mark.by_turns
    def test_a_comparison_of_an_earlier_release_keeps_its_address(self) -> None:
        row = a_comparison()
        address, sentence = row.get_absolute_url(), row.document["pairs"][0]["sentence"]
        document = {**row.document, "rulesets": [_without(side, "players") for side in row.document["rulesets"]]}
        Comparison.objects.filter(id=row.id).update(players="", document=document)
        text = plain(self.page(address))
        assert in_names_of_voices(sentence) in text
        assert "Random players random,random" in text
        assert self.client.get(f"/api/v1/comparisons/{row.id}/").json()["played_by"] == "random players"
        import_module("catalogue.migrations.0009_players_of_comparisons").name_players(apps, None)
        row.refresh_from_db()
        assert (row.players, row.get_absolute_url()) == ("random,random", address)
        assert self.asked("random").id != row.id  # of other games
        again = COMPARISONS.request(check_comparison(PAIR, games=len(GAMES), seed=2), announce=False)
        assert (again.id, again.state) == (row.id, "done")


def _without(document: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != key}


@pytest.mark.by_turns
@pytest.mark.django_db
def test_the_command_plays_it_and_every_figure_names_its_players() -> None:
    out = io.StringIO()
    words = ("compare", *NIRANCHY, "--games", "3", "--cap", "60", "--players", "greedy,random", "--inline")
    call_command(*words, "--json", stdout=out, stderr=io.StringIO())
    document = json.loads(out.getvalue())
    assert document["players"] == "greedy,random"
    assert [side["players"] for side in document["rulesets"]] == ["greedy,random"] * 2
    row = Comparison.objects.get()
    assert "first player greedy, one turn ahead; second player random" in row.plot["caption"] + row.plot["svg"]
    call_command(*words, stdout=out, stderr=io.StringIO())
    assert "Players: first player greedy, one turn ahead; second player random" in out.getvalue()


class StudyTests(UnheardMessages):
    form, wanted = f"/games/{GAME}/sensitivity/", {"games": "4", "seed": "1"}

    def test_one_player_of_a_level_plays_all_combinations(self) -> None:
        planned = study_plans.plan(GAME, questions=["passing-over"], games=4, players="club,random")
        club = levels.player_of(planned.study.request.ruleset, "club")
        assert {request.players for request in planned.requests} == {(club, "random")}
        assert (planned.study.asked, planned.study.players) == ("club,random", f"{club},random")
        by_name = study_plans.plan(GAME, questions=["passing-over"], games=4, players=f"{club},random")
        assert by_name.id == planned.id
        assert study_plans.plan(GAME, questions=["passing-over"], games=4).study.players == "random"

    def test_how_many_play_is_fixed_by_the_base(self) -> None:
        with pytest.raises(WrongRequest, match="players cannot be varied: it changes how many players"):
            study_plans.plan(GAME, questions=["players"], games=4)
        planned = study_plans.plan(GAME, games=4, players="club,random")
        assert {family(one.family).seats(one.parameters) for one in planned.space.cells} == {2}

    def test_every_seat_is_offered_a_player(self) -> None:
        for slug in (GAME, "niranchy"):
            page = BeautifulSoup(self.page(f"/games/{slug}/sensitivity/"), "lxml")
            assert len(page.find_all("select", attrs={"name": "players"})) == 2

    def test_a_study_of_a_level_says_whose_play_it_is(self) -> None:
        Question.objects.filter(game__slug=GAME).exclude(slug="passing-over").delete()
        address = self.client.post(self.form, {**self.wanted, "players": ["greedy", "random"]})["Location"]
        found = Study.every.exclude(state="done").get()
        assert found.terms["players"] == "greedy,random"
        text = plain(self.page(address))
        assert "First player greedy, one turn ahead; second player random" in text
        assert study_plans.plan(GAME, **found.terms).id == found.id

    def test_an_estimate_counts_the_player_of_each_seat(self) -> None:
        offer = offers_for([Game.objects.get(slug="niranchy")])[0]
        price = {line: offer.played_by(line).price for line in ("club", "club,random", "random")}
        assert price["club"] > price["club,random"] > price["random"] == offer.price
        sent = {**self.wanted, "players": ["club", "random"], "estimate": "yes"}
        part = self.client.post("/games/niranchy/sensitivity/", sent, headers={"HX-Request": "true"})
        assert offer.played_by("club,random").time_of(4) in " ".join(part.content.decode().split())
        wrong = self.client.post("/games/niranchy/sensitivity/", {**self.wanted, "other_players": "clubb"})
        assert wrong.status_code == 400
        assert "the nearest is &#x27;club&#x27;" in wrong.content.decode()
