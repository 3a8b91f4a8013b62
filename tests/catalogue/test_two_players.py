"""What differs only in who plays is told of no ruleset: comparisons by two players, findings, and over the levels."""

import io
import json
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command

from catalogue.analyses.comparison_document import Told, _bounds, sentence
from catalogue.models import Comparison
from simulator.batches import levels
from simulator.engine import shipped
from simulator.engine.ruleset import Ruleset
from tests.catalogue.comparison_world import a_comparison
from tests.catalogue.page_world import CatalogueTestCase, plain

GAME = "daramuti-ludii"
SAME = ("--set", "remainder_from_round=3")  # cannot matter in a first round: one game under two names
SHORT = ("--games", "60", "--cap", "300", "--until", "round")


def unlike(ruleset: Ruleset, level: str) -> str:
    """A search of its own for each ruleset on each level."""
    ours = ruleset.hash == shipped.load(GAME).hash
    return f"uct:{(8 if ours else 20) + (3 if level in levels.FIRSTS else 0)}/2"


def compare(*words: str) -> Any:
    out = io.StringIO()
    call_command("compare", *words, "--inline", "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


@pytest.mark.django_db
def test_one_game_under_two_names_is_told_as_one() -> None:
    with mock.patch.object(levels, "player_of", unlike):
        document = compare(GAME, *SAME, *SHORT, "--players", "club")
    assert document["second_players"] == "club-second,club-second"
    for side, again in ((side, side["again"]) for side in document["rulesets"]):
        assert (side["players"], again["players"]) == ("uct:8/2,uct:8/2", "uct:11/2,uct:11/2")
    [pair] = document["pairs"]
    assert {measure["verdict"] for measure in pair["measures"]} == {"identical"}
    assert all(measure["games_needed"] is None for measure in pair["measures"])
    assert pair["sentence"].endswith("so far as it was played, it is the same game.")


@pytest.mark.django_db
def test_each_by_its_own_search_the_same_game_seems_two() -> None:
    """What such a comparison told before: the two searches differ, and nothing else does."""
    one, other = (compare(GAME, *SAME, *SHORT, "--players", line) for line in ("uct:8/2", "uct:20/2"))
    first, second = (document["rulesets"][place] for document, place in ((one, 0), (other, 1)))
    assert first["digest"] != second["digest"]
    assert [pair["identical"]["count"] for document in (one, other) for pair in document["pairs"]] == [60, 60]


@pytest.mark.django_db
def test_a_player_is_named_in_the_sentence() -> None:
    for line, words in (("greedy", "between greedy players"), ("uct:8/2", "between players by Monte Carlo search")):
        [pair] = compare(GAME, *SAME, *SHORT, "--players", line)["pairs"]
        assert words in pair["sentence"]
        assert "60 first rounds" in pair["sentence"]


def figure(value: float, low: float, high: float) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "text": f"{value:g}"}


def measure(key: str, verdict: str, first: tuple[float, float, float], again: tuple[float, float, float]) -> Any:
    def of(figures: tuple[float, float, float]) -> dict[str, Any]:
        gap = tuple(number - 1 for number in figures) if key == "turns" else figures
        shares = {"first": figure(0, 0, 0), "second": figure(0, 0, 0), "pairing_gain": 1.0}
        return {"key": key, "ratio": figure(*figures), "difference": figure(*gap), "verdict": "", **shares}

    return {**of(first), "again": of(again), "verdict": verdict, "alone": "differs"}


NO, UP = (0.0, -0.01, 0.01), (0.1, 0.05, 0.15)


def said(length: str, advantage: str) -> str:
    keys = ("won_0", "won_1", "unfinished")
    measures = [measure(key, "same", NO, NO) for key in keys]
    measures.append(measure("first_player_advantage", advantage, UP, NO))
    measures.append(measure("turns", length, (3.1, 2.6, 3.7), (1.0, 0.9, 1.1)))
    pair = {"games": 93, "cap": 2000, "identical": {"count": 0}, "kinds": [93, 93], "measures": measures}
    pair["again"] = {"identical": {"count": 0}, "kinds": [93, 93]}
    return sentence(pair, ("Parker’s reading", "the Ludii programme’s rules"),
                    Told("club,club", "club-second,club-second", ("first player", "second player")))  # fmt: skip


def test_where_two_players_disagree_the_sentence_says_so() -> None:
    """Diviyan, as the front page had it: 3.1 times as long with a search for each reading, and with one 230 to 237."""
    text = said("depends on who plays", "shown with one player only")
    assert text.startswith(
        "Under the Ludii programme’s rules, between club players of two kinds, whether games are longer"
    )
    assert "than under Parker’s reading depends on who plays (3.1 times as long [2.6, 3.7] with the first kind" in text
    assert "1.0 times as long [0.9, 1.1] with the second" in text
    assert "whether the first player’s advantage changes is shown with one kind of players only (" in text
    assert "games are longer than under Parker’s reading (3.1" in said("differs", "same")


def test_not_shown_is_not_called_no_change() -> None:
    assert "it is undecided whether the first player’s advantage changes" in said("same", "undecided")
    assert "advantage does not change beyond the margin (" in said("same", "same")


class Page(CatalogueTestCase):
    def test_a_conjectured_bound_is_no_length(self) -> None:
        """Das-Gupta's 28 turns without a capture are ours, and the portal's reading has none."""
        names = ("mawkar-katiya-das-gupta", "mawkar-katiya-dlp")
        assert _bounds(names, [shipped.load(name) for name in names]) == [28, 0]
        same = ("daramuti-parker", "daramuti-ludii")
        assert len(set(_bounds(same, [shipped.load(name) for name in same]))) == 1

    def test_what_each_played_by_its_own_search_is_withheld(self) -> None:
        row = a_comparison()
        told = row.document["pairs"][0]["sentence"]
        Comparison.objects.filter(id=row.id).update(version=3, players="club,club")
        page = plain(self.page(row.get_absolute_url()))
        assert told not in page
        assert "Withheld: each ruleset was played by a search of its own on this level" in page
        assert told not in plain(self.page("/comparisons/"))
        answer = self.client.get(f"/api/v1/comparisons/{row.id}/").json()
        assert (answer["withheld"], answer["document"], answer["sentences"]) == (True, None, [])
        Comparison.objects.filter(id=row.id).update(players="greedy,greedy")  # who had one player then as well
        assert told in plain(self.page(row.get_absolute_url()))
        assert not self.client.get(f"/api/v1/comparisons/{row.id}/").json()["withheld"]
