"""What is concluded from the cells of a study: within what a figure can be, and no more than the games show."""

import json
import lzma
from math import nextafter, sqrt
from typing import Any

import pytest

from catalogue.analyses import study_figures
from catalogue.analyses.study_figures import FIGURES_VERSION, answer_mean, restated, rounded, with_figures
from catalogue.api.fields import shapes
from catalogue.edition.files import FOLDER
from simulator.statistics.intervals import Interval
from simulator.statistics.variance_shares import DECIDED, DRAWN, OPEN, TURNS, WON, Response
from tests import choice
from tests.proofs.studies import SCATTERED, a_cell, a_study, asked, made_up

SHARES = [Response(WON, "Won by the first player", "share"), Response(DRAWN, "", "share"), Response(OPEN, "", "share")]


def told(questions: list[Any], cells: list[Any], **changes: Any) -> dict[str, Any]:
    """The outcomes of a study, by key."""
    return {one["key"]: one for one in with_figures(a_study(questions, cells, **changes), SHARES)["outcomes"]}


def row(outcome: dict[str, Any], slug: str) -> dict[str, Any]:
    return next(one for one in outcome["questions"] if one["slug"] == slug)


class TestMeans:
    def test_the_mean_of_a_sample_is_of_its_combinations(self) -> None:
        """“yes” was played once, so it scatters as all cells do: by 0.2, and 0.4 ± 1.96 · 0.2 is cut at 0.

        “no” was never drawn, in three cells of 100 games, “a” in two: Wilson’s upper limit is 3.8415 / (n + 3.8415).
        """
        given: list[tuple[float, list[str | None]]] = [
            (0.0, ["no", "a"]), (0.0, ["no", "b"]), (0.0, ["no", "a"]), (0.4, ["yes", None])
        ]  # fmt: skip
        cells = [a_cell(answers, 0.5, draw) for draw, answers in given]
        drawn = told([asked("first", "no", "yes"), asked("second", "a", "b")], cells, complete=False)[DRAWN]
        figures = {
            (one["slug"], answer["slug"]): (answer["mean"], answer["low"], answer["high"], answer["text"])
            for one in drawn["questions"]
            for answer in one["answers"]
        }
        assert figures["first", "no"] == (0, 0, 0.012643, "0 % (0 to 1.26)")
        low, high = 0.4 - 0.391993, 0.4 + 0.391993
        assert figures["first", "yes"] == (
            0.4, pytest.approx(low, abs=1e-6), pytest.approx(high), "40.0 % (0.8 to 79.2)"
        )  # fmt: skip
        assert figures["second", "a"][:3] == (0, 0, 0.0188453)
        assert ("second", None) in figures

    def test_what_happened_in_every_game_is_not_certain(self) -> None:
        """Games of weights 3/4 and 1/4 are known as 160 alike: 100² · 1 / (1/16 + 9/16) = 160."""
        cells = [a_cell(["no"], 1.0), a_cell(["no"], 1.0), a_cell(["yes"], 0.5)]
        document = a_study([asked("q", "no", "yes")], cells)
        for cell, weight in zip(document["cells"], (0.375, 0.125, 0.5), strict=True):
            cell["weight"] = weight
        won = with_figures(document, SHARES)["outcomes"][0]
        assert won["key"] == DECIDED
        assert row(won, "q")["answers"][0]["low"] == pytest.approx(160 / 163.8415, abs=1e-6)

    def test_nothing_that_is_counted_is_below_none(self) -> None:
        assert answer_mean("a", 1.0, Interval(3.0, -1.0, 7.0), "turns", 100)["text"] == "3.0 turns (0 to 7.0)"
        assert answer_mean("a", 1.0, Interval(300.0, 280.0, 320.0), "turns", 100)["high"] == 320

    def test_a_half_goes_one_way_whatever_the_last_bit(self) -> None:
        # a mean of cells is a bit off such a half, one way or the other, by the order of its sum
        for half in (0.9833125, 40.71625, 67.63125):
            assert rounded(nextafter(half, 0)) == rounded(half) == rounded(nextafter(half, 100))


class TestWhoWins:
    def test_games_that_nobody_won_do_not_count(self) -> None:
        """Of 100 games 40 were won by the first player, 20 by the second: two thirds of those that somebody won."""
        found = with_figures(
            a_study([asked("q", "a", "b")], [a_cell([one], 0.4, 0.2, 0.2) for one in "ab"]), SHARES[:1]
        )
        figure = found["cells"][0]["figures"][DECIDED]
        assert figure == {"mean": 0.666667, "error": pytest.approx(sqrt(2 / 9 / 59), rel=1e-5)}
        (won,) = found["outcomes"]
        assert won["title"] == "Won by the first player, of games that somebody won"
        assert row(won, "q")["answers"][0]["mean"] == 0.666667

    def test_where_hardly_anybody_wins_nothing_is_said(self) -> None:
        won = told([asked("q", "a", "b")], [a_cell(["a"], 0.0, unfinished=0.99), a_cell(["b"], 0.9)])[DECIDED]
        assert won["text"].startswith("In one combination of 2 fewer than two games were won by anybody")
        assert (won["told"], row(won, "q")["apart"]) == (False, None)

    def test_the_cap_makes_no_winner(self) -> None:
        """Kawade: 45.3 % of all games against 52.9 %, but 6.2 % under the first answer were not over."""
        cells = [a_cell(["none"], 0.453, unfinished=0.062, games=3_000), a_cell(["some"], 0.529, games=3_000)]
        found = told([asked("enters", "none", "some")], cells, games=3_000)
        won, unfinished = (row(found[key], "enters") for key in (DECIDED, OPEN))
        assert won["answers"][0]["mean"] == pytest.approx(0.453 / 0.938, abs=1e-4)
        assert (won["apart"], won["note"]) == (None, study_figures.BY_THE_CAP)
        assert unfinished["apart"]["low"] > 0.02
        assert (unfinished["apart"]["lowest"], unfinished["apart"]["highest"]) == ("some", "none")

    def test_as_many_unfinished_leave_the_winner_to_compare(self) -> None:
        cells = [a_cell(["a"], 0.3, unfinished=0.1, games=3_000), a_cell(["b"], 0.6, unfinished=0.1, games=3_000)]
        apart = row(told([asked("q", "a", "b")], cells, games=3_000)[DECIDED], "q")["apart"]
        assert apart["value"] == pytest.approx(1 / 3, abs=1e-5)
        assert apart["low"] > 0.25

    def test_of_first_rounds_it_is_who_owned_more(self) -> None:
        found = told([asked("q", "a", "b")], [a_cell([one], 0.4, 0.2) for one in "ab"], until="round")
        assert found[DECIDED]["title"] == "The first player owned more, of first rounds that did not end equal"
        assert found[DRAWN]["title"] == "Ended equal"


class TestDefinitions:
    def test_what_the_rules_exclude_cannot_happen(self) -> None:
        cells = [{**a_cell(["nothing"], 0.5), "cannot": [DRAWN]}, a_cell(["thrice"], 0.1, 0.8)]
        drawn = row(told([asked("repetition", "nothing", "thrice")], cells)[DRAWN], "repetition")
        assert drawn["answers"][0]["text"] == "cannot happen"
        assert (drawn["answers"][0]["low"], drawn["answers"][0]["high"]) == (0, 0)

    def test_a_rule_of_draws_finds_nothing_by_having_draws(self) -> None:
        cells = [{**a_cell(["nothing"], 0.1, 0.0, 0.8), "cannot": [DRAWN]}, a_cell(["thrice"], 0.1, 0.8)]
        found = told([asked("repetition", "nothing", "thrice")], cells)
        for key in (DRAWN, OPEN):
            assert row(found[key], "repetition")["apart"] is None
            assert study_figures.BY_DEFINITION in row(found[key], "repetition")["note"]
            assert "What matters most" not in found[key]["text"]
        assert found[DRAWN]["told"]

    def test_draws_that_each_answer_allows_may_be_found(self) -> None:
        cells = [a_cell(["twice"], 0.1, 0.2), a_cell(["thrice"], 0.1, 0.8)]
        assert row(told([asked("repetition", "twice", "thrice")], cells)[DRAWN], "repetition")["apart"]["low"] > 0.3


class TestPicking:
    def test_the_interval_holds_for_all_pairs_at_once(self) -> None:
        """Three shares of one pair: 2.394 standard errors instead of 1.96 (Dunn 1961, for three at 5 %)."""
        cells = [a_cell(["a"], 0.5, games=1_601), a_cell(["b"], 0.6, games=1_601)]
        found = with_figures(a_study([asked("q", "a", "b")], cells, games=1_601), SHARES)
        apart = row(found["outcomes"][0], "q")["apart"]
        half = 2.394 * sqrt((0.25 + 0.24) / 1_600)
        assert found["pairs"] == 3
        assert (apart["low"], apart["high"]) == pytest.approx((0.1 - half, 0.1 + half), abs=1e-3)

    def test_two_questions_alike_have_no_first(self) -> None:
        """Additive effects of the same size: each has half of the variance, whichever looks larger."""
        cells = [a_cell([x, y], 0.5 + 0.1 * (x == "b") + 0.1 * (y == "d"), games=1_000) for x in "ab" for y in "cd"]
        won = told([asked("one", "a", "b"), asked("two", "c", "d")], cells, games=1_000)[DECIDED]
        assert won["told"]
        assert not won["leads"]
        assert "Which question matters most is not shown" in won["text"]

    def test_a_question_far_ahead_is_first(self) -> None:
        cells = [a_cell([x, y], 0.2 + 0.5 * (x == "b") + 0.02 * (y == "d"), games=1_000) for x in "ab" for y in "cd"]
        won = told([asked("one", "a", "b"), asked("two", "c", "d")], cells, games=1_000)[DECIDED]
        assert won["leads"]
        assert "What matters most is “one?”" in won["text"]

    @pytest.mark.by_turns
    def test_null_studies_hardly_ever_find_anything(self) -> None:
        """No answer matters: combinations differ by chance, and in a way that goes with no answer."""
        number = 200 if choice.ALL else 40
        found = [null_study(seed) for seed in range(number)]
        assert sum(low > 0 for low in found) <= 0.05 * number


def null_study(seed: int) -> float:
    """The largest lower limit by which answers of a study lie apart where none of eight questions matters."""
    document = made_up(seed, SCATTERED)
    document["cells"] = [study_figures._with_decided(cell, 100) for cell in document["cells"]]
    levels = [len(question["answers"]) for question in document["questions"]]
    figures = study_figures._Figures(document, 3 * sum(number * (number - 1) // 2 for number in levels))
    lows = [-1.0]
    for key in (DECIDED, OPEN):
        given = [one["figures"][key] for one in document["cells"]]
        means, errors = [one["mean"] for one in given], [one["error"] ** 2 for one in given]
        for place in range(len(levels)):
            _, apart, _ = figures._answers(place, Response(key, "", "share"), means, errors)
            lows.append(apart["low"] if apart else -1.0)
    return max(lows)


class TestRestated:
    """Studies that were made before."""

    def before(self, **changes: Any) -> dict[str, Any]:
        cells = [
            a_cell([players, rule, later], 0.5 if players == "two" else 0.25)
            for players in ("two", "four")
            for rule in ("a", "b")
            for later in ("x", "y")
        ]
        questions = [asked("players", "two", "four"), asked("rule", "a", "b"), asked("later", "x", "y")]
        outcomes = [{"key": one.key, "title": one.title, "unit": one.unit} for one in SHARES]
        rounds = {"key": "rounds", "title": "Rounds begun", "unit": "rounds"}
        for cell in cells:
            cell["figures"]["rounds"] = {"mean": 2.0, "error": 0.1}
        return a_study(questions, cells, outcomes=[*outcomes, rounds], figures_version=3, **changes)

    def test_how_many_play_is_held_at_the_base(self) -> None:
        found = restated(self.before(), held={"players": "it is chosen"})
        assert [one["slug"] for one in found["questions"]] == ["rule", "later"]
        assert [cell["answers"] for cell in found["cells"]] == [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
        assert {cell["figures"][WON]["mean"] for cell in found["cells"]} == {0.5}
        assert sum(cell["weight"] for cell in found["cells"]) == pytest.approx(1)
        assert found["not_varied"] == [{"slug": "players", "title": "players?", "why": "it is chosen"}]
        assert (found["combinations"], found["size"]) == (4, 4)
        assert found["outcomes"][-1]["title"] == "Rounds begun"
        assert found["varied_then"] == ["players", "rule", "later"]

    def test_what_changes_no_first_round_is_left_out(self) -> None:
        found = restated(self.before(until="round"), cannot_act={"later": "only whole games can tell"})
        assert [one["slug"] for one in found["questions"]] == ["players", "rule"]
        assert len(found["cells"]) == 8
        assert "rounds" not in [one["key"] for one in found["outcomes"]]
        assert [one["why"] for one in found["not_varied"]] == ["only whole games can tell"]
        assert row(found["outcomes"][0], "players")["apart"]["low"] > 0.1

    def test_with_too_few_combinations_left_nothing_is_told(self) -> None:
        found = restated(self.before(complete=False), held={"players": "it is chosen"})
        assert found["withheld"].startswith("Of the combinations played, 4 are left, too few")
        assert not any(one["told"] for one in found["outcomes"])

    def test_responses_are_called_what_they_are_called_now(self) -> None:
        found = restated(self.before(), titles={WON: "Won by the owner of the leopard (first player)"})
        assert found["outcomes"][0]["title"] == (
            "Won by the owner of the leopard (first player), of games that somebody won"
        )

    def test_figures_of_now_stay_as_they_are(self) -> None:
        found = restated(self.before())
        assert found["figures_version"] == FIGURES_VERSION
        assert restated(found) is found


def test_the_api_tells_every_version_of_these_figures() -> None:
    description = shapes()["StudyDocument"]["properties"]["figures_version"]["description"]
    assert all(f"{version} since" in description for version in range(2, FIGURES_VERSION + 1))


@pytest.mark.thorough
def test_every_study_that_ships_has_figures_that_can_be() -> None:
    files = sorted((FOLDER / "studies").glob("*.json.xz"))
    assert files
    for file in files:
        document = restated(json.loads(lzma.decompress(file.read_bytes()))["document"])
        for outcome in document["outcomes"]:
            most = 1 if outcome["unit"] == "share" else float("inf")
            for one in (answer for row in outcome["questions"] for answer in row["answers"]):
                assert 0 <= one["low"] <= one["mean"] <= one["high"] <= most, (file.name, outcome["key"], one)
                assert "−" not in one["text"]
                assert outcome["key"] != TURNS or one["high"] <= document["cap"] * 1.01
