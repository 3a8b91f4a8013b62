"""What differs only in who plays is told of no ruleset: comparisons by two players, findings, and over the levels."""

import contextlib
import io
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command

from catalogue.analyses.comparison_document import Told, _bounds, sentence
from catalogue.findings import compared as findings_compared
from catalogue.findings import over_levels as findings_over_levels
from catalogue.findings.compared import Played, compared
from catalogue.findings.over_levels import over_levels, same_games
from catalogue.models import Comparison
from catalogue.outcomes.figure import Bar, FigureLevel, FigureRow
from catalogue.outcomes.played import bars_by_level
from catalogue.texts.voices import in_names_of_voices
from simulator import rulesets
from simulator.batches import levels, playing
from simulator.batches.service import request_batch
from simulator.engine import shipped
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch
from simulator.rulesets import as_engine
from tests.catalogue.comparison_world import a_comparison
from tests.catalogue.page_world import CatalogueTestCase, plain
from tests.catalogue.planted_bars import GAME, RANDOM, read, sides

GAME_SLUG = "daramuti-ludii"
SAME = ("--set", "remainder_from_round=3")  # cannot matter in a first round: one game under two names
SHORT = ("--games", "60", "--cap", "300", "--until", "round")


def unlike(ruleset: Ruleset, level: str) -> str:
    """A search of its own for each ruleset on each level."""
    ours = ruleset.hash == shipped.load(GAME_SLUG).hash
    return f"uct:{(8 if ours else 20) + (3 if level in levels.FIRSTS else 0)}/2"


def compare(*words: str) -> Any:
    out = io.StringIO()
    call_command("compare", *words, "--inline", "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


@pytest.mark.by_turns
@pytest.mark.django_db
def test_one_game_under_two_names_is_told_as_one() -> None:
    with mock.patch.object(levels, "player_of", unlike):
        document = compare(GAME_SLUG, *SAME, *SHORT, "--players", "club")
    assert document["second_players"] == "club-second,club-second"
    for side, again in ((side, side["again"]) for side in document["rulesets"]):
        assert (side["players"], again["players"]) == ("uct:8/2,uct:8/2", "uct:11/2,uct:11/2")
    [pair] = document["pairs"]
    assert {measure["verdict"] for measure in pair["measures"]} == {"identical"}
    assert all(measure["games_needed"] is None for measure in pair["measures"])
    assert pair["sentence"].endswith("so far as it was played, it is the same game.")


@pytest.mark.by_turns
@pytest.mark.django_db
def test_each_by_its_own_search_the_same_game_seems_two() -> None:
    """What such a comparison told before: the two searches differ, and nothing else does."""
    one, other = (compare(GAME_SLUG, *SAME, *SHORT, "--players", line) for line in ("uct:8/2", "uct:20/2"))
    first, second = (document["rulesets"][place] for document, place in ((one, 0), (other, 1)))
    assert first["digest"] != second["digest"]
    assert [pair["identical"]["count"] for document in (one, other) for pair in document["pairs"]] == [60, 60]


@pytest.mark.by_turns
@pytest.mark.django_db
def test_a_player_is_named_in_the_sentence() -> None:
    for line, words in (("greedy", "between greedy players"), ("uct:8/2", "between players by Monte Carlo search")):
        [pair] = compare(GAME_SLUG, *SAME, *SHORT, "--players", line)["pairs"]
        assert words in pair["sentence"]
        assert "60 first rounds" in pair["sentence"]


CLUB, SECOND = (FigureLevel(level, level, level) for level in ("club", "club-second"))


def by(players: str, slug: str, share: float, digest: str = "", games: int = 400) -> Bar:
    """Games of a reading of which the first player won that share, played by these players."""
    found = read(slug, *sides("a", "b", share), games=games)
    batch = {**vars(found.batch), "players": players, "digest": digest or slug, "games": games}
    return replace(found, batch=SimpleNamespace(**batch, seed=1, until="game"))  # type: ignore[arg-type]


ONE, OTHER, THIRD = "uct:8/2,uct:8/2", "uct:20/2,uct:20/2", "uct:11/2,uct:11/2"


def test_readings_played_by_unlike_players_are_not_compared() -> None:
    """The same game under two names, and a search of its own for each: won by the first in 90 %, and in 20 %."""
    alike = [by("random,random", slug, 0.5, "the same") for slug in ("x", "y")]
    club = [by(ONE, "x", 0.9), by(OTHER, "y", 0.2)]
    again = [by(OTHER, "x", 0.9), by(ONE, "y", 0.2)]
    assert compared(GAME, Played(club, again), CLUB) is None
    levels = [(RANDOM, {7: tuple(alike)}), (CLUB, {7: tuple(club)}), (SECOND, {7: tuple(again)})]
    assert over_levels(levels)[7] == ()
    assert [[row.slug for row in pair] for pair in same_games(levels)[7]] == [["x", "y"]]
    with contextlib.ExitStack() as as_it_was:
        for module in (findings_compared, findings_over_levels):
            as_it_was.enter_context(mock.patch.object(module, "by_same_players", return_value=True))
        assert compared(GAME, Played(club, again), CLUB) is not None
        assert over_levels(levels)[7]


@pytest.mark.parametrize(
    ("again", "is_found"),
    [
        ((by(THIRD, "x", 0.8), by(THIRD, "y", 0.3)), True),
        ((by(THIRD, "x", 0.2), by(THIRD, "y", 0.9)), False),  # the contrary
        ((by(THIRD, "x", 0.5), by(THIRD, "y", 0.5)), False),
        ((), False),  # he has not played
    ],
)
def test_a_finding_needs_both_players(again: tuple[Bar, ...], is_found: bool) -> None:
    found = compared(GAME, Played((by(ONE, "x", 0.9), by(ONE, "y", 0.2)), again), CLUB)
    assert (found is not None) == is_found
    if found:
        assert found.by_two_players
        assert found.points == "50"  # the smaller of 70 and 50
        assert "; between players of the second kind 80.0 % (75.8 to 83.6) and 30.0 %" in found.sentence
        assert [(one.batch, one.players) for one in found.shares][::2] == [("x", ONE), ("x", THIRD)]


def test_games_that_the_cap_stopped_make_no_finding_of_who_wins() -> None:
    """Pahada: a side wins 25 % where half of the games are stopped and 50 % where none are: of those that end, half."""
    shares = {"x": (0.5, 0.5, 0.0), "y": (0.25, 0.25, 0.5)}
    bars = []
    for slug, (first, second, open_) in shares.items():
        parts = [*sides("a", "b", first)[:1], ("won-1", "won by the b (second player)", second)]
        found = read(slug, *parts, ("open", "endless or unfinished", open_), games=2_000)
        assert found.outcomes
        bars.append(replace(found, outcomes=replace(found.outcomes, unfinished=open_)))
    found_ = compared(GAME, Played(bars), RANDOM)
    assert found_ is not None
    assert "of games have not ended after 2,000 turns" in found_.sentence
    with mock.patch.object(findings_compared, "NOT_OVER", "something else"):  # nothing is left but who wins
        parts_only = [replace(one, outcomes=replace(one.outcomes, segments=one.outcomes.segments[:2])) for one in bars]
        assert compared(GAME, Played(parts_only), RANDOM) is None


def test_what_the_rules_make_impossible_is_no_finding() -> None:
    """Dam: nothing is drawn where no rule draws, and 89 % where one does: it is so by definition."""
    drawn = read("y", ("draw", "drawn", 0.89), ("won-0", "won by the a", 0.11), games=2_000)
    never = read("x", ("draw", "drawn", 0.0), ("won-0", "won by the a", 0.11), games=2_000)
    assert compared(GAME, Played([never, drawn]), RANDOM) is not None
    assert never.outcomes
    first, second = never.outcomes.segments
    impossible = replace(never, outcomes=replace(never.outcomes, segments=(replace(first, possible=False), second)))
    assert compared(GAME, Played([impossible, drawn]), RANDOM) is None


@pytest.mark.by_turns
@pytest.mark.django_db
def test_one_game_under_two_names_has_no_verdict_over_the_levels() -> None:
    """Played indeed: random games, and two levels of players who are others for each name."""
    same = rulesets.save(rulesets.find(GAME_SLUG, {"remainder_from_round": "3"}))
    named = {"x": rulesets.save(rulesets.find(GAME_SLUG)), "y": same}
    terms = {"games": 60, "cap": 300, "until": "round", "announce": False, "origin": Batch.Origin.DEMO}
    digests = {}
    for slug, row in named.items():
        content = as_engine(row)
        for level in ("random", "club", "club-second"):
            line = unlike(content, level) if level in levels.SEARCHES else level
            batch = request_batch(content.hash, players=line, **terms)
            playing.play_waiting_chunk(batch)
            while not Batch.objects.filter(id=batch.id, state=Batch.State.DONE).exists():
                playing.play_waiting_chunk(batch)
            digests[slug, level] = Batch.objects.get(id=batch.id).digest
    assert digests["x", "random"] == digests["y", "random"]
    assert digests["x", "club"] != digests["y", "club"]
    rows = [FigureRow(slug, slug, slug, "/", 0, row, slug=slug) for slug, row in named.items()]
    with mock.patch.object(levels, "player_of", unlike):
        shown = [(level, {7: bars}) for level, bars in bars_by_level(rows)]
    assert [level.key for level, _ in shown] == ["random", "club", "club-second"]
    assert over_levels(shown)[7] == ()
    assert [[row.slug for row in pair] for pair in same_games(shown)[7]] == [["x", "y"]]
    by_level = {level.key: by_game[7] for level, by_game in shown}
    assert compared(GAME, Played(by_level["club"], by_level["club-second"]), CLUB) is None
    assert compared(GAME, Played(by_level["random"]), RANDOM) is None


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


def test_a_player_of_few_kinds_of_games_is_named() -> None:
    """Daramuti: the first kind of club players play six kinds of first rounds, whatever the number of games."""
    measures = [measure(key, "shown with one player only", UP, UP) for key in ("first_player_advantage", "unfinished")]
    measures.append(measure("turns", "shown with one player only", (13.6, 11.4, 16.3), (30.2, 23.9, 38.2)))
    for one in measures:
        one["alone"], one["again"]["verdict"] = "few kinds", "differs"
    pair = {"games": 42, "cap": 2000, "identical": {"count": 0}, "kinds": [6, 25], "measures": measures}
    pair["again"] = {"identical": {"count": 0}, "kinds": [40, 42]}
    told = Told("club,club", "club-second,club-second", ("first player", "second player"), until_round=True)
    assert sentence(pair, ("A", "B"), told).endswith(
        "; what the first kind of players do counts for nothing here, their games being of few kinds "
        "(6 under A and 25 under B)."
    )


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

    @pytest.mark.by_turns
    def test_pieces_that_are_laid_under_one_reading_only_are_told(self) -> None:
        """Hat diviyan: the tiger is laid in the first turn, or stands on its point when the game begins."""
        row = a_comparison(("hat-diviyan-keliya-ludovisi", "hat-diviyan-keliya-dlp"))
        said = row.document["pairs"][0]["sentence"]
        assert ", with the turn in which a piece is laid under Ludovisi’s reading;" in said
        assert " laid under" not in a_comparison().document["pairs"][0]["sentence"]

    @pytest.mark.by_turns
    def test_a_comparison_by_two_players_has_a_page(self) -> None:
        with mock.patch.object(
            levels, "player_of", lambda ruleset, level: f"uct:{9 if level in levels.FIRSTS else 6}/2"
        ):
            document = compare("daramuti-parker", "daramuti-ludii", *SHORT[2:], "--games", "8", "--players", "club")
            page = plain(self.page(f"/comparisons/{document['comparison']}/"))
        assert "Players of the second kind Club players of the second kind" in page
        assert "A verdict is that of both." in page
        assert "Between club players" in page
        assert in_names_of_voices(document["pairs"][0]["sentence"]) in page
        said = self.client.get(f"/api/v1/comparisons/{document['comparison']}/").json()
        assert [one["name"] for one in said["compared"]] == ["daramuti-parker", "daramuti-ludii"] * 2

    @pytest.mark.by_turns
    def test_what_each_played_by_its_own_search_is_withheld(self) -> None:
        row = a_comparison()
        told = in_names_of_voices(row.document["pairs"][0]["sentence"])
        Comparison.objects.filter(id=row.id).update(version=3, players="club,club")
        page = plain(self.page(row.get_absolute_url()))
        assert told not in page
        assert "Withheld: each ruleset was played by a search of its own on this level" in page
        assert told not in plain(self.page("/comparisons/"))
        answer = self.client.get(f"/api/v1/comparisons/{row.id}/").json()
        assert (answer["withheld"], answer["document"], answer["sentences"]) == (True, None, [])
        Comparison.objects.filter(id=row.id).update(players="greedy,greedy")
        page = plain(self.page(row.get_absolute_url()))
        assert told not in page
        assert "from too few different games, from games that the cap stopped" in page
        Comparison.objects.filter(id=row.id).update(version=4)
        assert told in plain(self.page(row.get_absolute_url()))
        assert not self.client.get(f"/api/v1/comparisons/{row.id}/").json()["withheld"]
