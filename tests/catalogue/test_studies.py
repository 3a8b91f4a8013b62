"""A study of a real game, from the command to its pages and the API: played once, never twice."""

import hashlib
import io
import json
from collections.abc import Iterator
from datetime import timedelta
from math import prod
from typing import Any, ClassVar
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.analyses import factorial, study_plans
from catalogue.analyses.studies import STUDIES
from catalogue.analyses.study_words import BY_DEFINITION, answer_of, combinations_in_words, doubts_of
from catalogue.evidence.questions import OpenQuestion, rank_studies, ranked_studies
from catalogue.models import Game, Question, Study
from catalogue.pages.studies import best_sentence
from catalogue.texts.voices import in_names_of_voices
from simulator.batches import playing
from simulator.management.command_line import CommandFailed, WrongUsage
from simulator.models import Batch, Ruleset
from tests.catalogue.embedded_reader import assert_told
from tests.catalogue.page_world import CatalogueTestCase

GAME, GAMES, QUESTIONS = "saturankam", 100, "passing-over,fall-of-the-dice"  # of five; four rulesets
STUDY = (GAME, "--games", str(GAMES), "--cap", "400", "--questions", QUESTIONS)


def sensitivity(*words: str) -> Any:
    out = io.StringIO()
    call_command("sensitivity", *words, "--inline", "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


def answers_of(study: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any], list[float]]]:
    """(outcome, answer, the means of the cells with that answer) of every answer to every question."""
    places = {one["slug"]: place for place, one in enumerate(study["questions"])}
    for outcome in study["outcomes"]:
        for row in outcome["questions"]:
            for answer in row["answers"]:
                cells = [one for one in study["cells"] if one["answers"][places[row["slug"]]] == answer["slug"]]
                yield outcome, answer, [cell["figures"][outcome["key"]]["mean"] for cell in cells]


class StudyTests(CatalogueTestCase):
    """One class, so that the study is played once."""

    printed: ClassVar[dict[str, Any]]
    study: ClassVar[Study]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.printed = sensitivity(*STUDY)
        cls.study = Study.objects.get()

    def test_every_combination_is_a_batch_with_an_independent_seed(self) -> None:
        printed = self.printed
        levels = [len(one["answers"]) for one in printed["questions"]]
        assert len(levels) == 2
        assert levels[0] * levels[1] == printed["size"] == len(printed["cells"]) == 4
        assert printed["complete"] is True
        assert sum(cell["weight"] for cell in printed["cells"]) == pytest.approx(1, abs=1e-5)
        for cell in printed["cells"]:
            batch = Batch.objects.get(id=cell["batch"])
            assert (batch.state, batch.games, batch.ruleset_id) == ("done", GAMES, cell["hash"])
            digits = hashlib.sha256(f"1 {cell['hash']}".encode()).hexdigest()
            assert batch.seed == cell["seed"] == int(digits[:13], 16)
        assert len({cell["seed"] for cell in printed["cells"]}) == 4
        assert printed["base"] == "saturankam-parker"
        assert ["saturankam-parker@1"] in [cell["names"] for cell in printed["cells"]]

    def test_without_names_all_questions_are_varied(self) -> None:
        answers = [
            [answer for answer in row.answers.all() if answer.values is not None]
            for row in Question.objects.filter(game__slug=GAME)
        ]
        levels = [len(some) for some in answers if len(some) > 1]
        assert len(levels) > 2
        planned = study_plans.plan(GAME, games=GAMES, cap=400)
        assert planned.study.aside == {"players": factorial.OF_PLAYERS}
        assert len(planned.requests) == prod(levels) / 3

    def test_its_figures_are_those_of_the_batches(self) -> None:
        for cell in self.printed["cells"]:
            summary = Batch.objects.get(id=cell["batch"]).summary
            rows = {row["key"]: row for section in summary["sections"] for row in section["rows"]}
            turns = rows.get("turns_mean") or rows["turns_restricted_mean"]
            assert cell["figures"]["turns"]["mean"] == pytest.approx(turns["value"], rel=1e-5)
            half = 1.984217 * cell["figures"]["turns"]["error"]  # Student's t with 99 degrees of freedom
            assert turns["high"] - turns["value"] == pytest.approx(half, rel=1e-4)
            assert cell["figures"]["won_0"]["mean"] == pytest.approx(rows["won_0"]["value"], rel=1e-5)
            assert cell["kinds"] == summary["variety"]["different"]
            assert cell["cannot"] == ["draw"]  # no rule of a race draws a game
        for outcome, answer, means in answers_of(self.printed):
            assert answer["mean"] == pytest.approx(sum(means) / len(means), rel=1e-4), outcome["key"]

    def test_figures_of_a_sample_stay_within_what_they_can_be(self) -> None:
        """Three of the four combinations, fitted, would give other means; the batches, and the id, are the same."""
        Study.objects.all().delete()
        with mock.patch.object(factorial, "MOST_CELLS", 3):
            sampled = sensitivity(*STUDY)
        assert (sampled["complete"], len(sampled["cells"]), sampled["id"]) == (False, 3, self.printed["id"])
        for outcome, answer, means in answers_of(sampled):
            assert answer["mean"] == pytest.approx(sum(means) / len(means), rel=1e-4)
            assert 0 <= answer["low"] <= answer["mean"] <= answer["high"]
            assert outcome["unit"] != "share" or answer["high"] <= 1

    def test_asked_again_it_plays_nothing(self) -> None:
        with mock.patch.object(playing, "play_waiting_chunk", side_effect=AssertionError):
            assert sensitivity(*STUDY) == self.printed
            Study.objects.all().delete()
            assert sensitivity(*STUDY) == self.printed
        assert Study.objects.get().plots == self.study.plots

    @pytest.mark.by_turns
    def test_interrupted_it_plays_what_is_missing(self) -> None:
        Study.objects.all().delete()
        Batch.objects.get(id=self.printed["cells"][3]["batch"]).delete()
        with mock.patch.object(playing, "play_waiting_chunk", side_effect=playing.play_waiting_chunk) as played:
            assert sensitivity(*STUDY) == self.printed
        assert played.call_count == 1

    def test_other_weights_are_another_study_of_the_same_games(self) -> None:
        slug, answers = self.printed["questions"][0]["slug"], self.printed["questions"][0]["answers"]
        batches = Batch.objects.count()
        weight = f"{slug}:{answers[0]['slug']}=3"
        other = sensitivity(*STUDY, "--weights", weight)
        assert Batch.objects.count() == batches
        assert other["id"] != self.printed["id"]
        assert {cell["batch"] for cell in other["cells"]} == {cell["batch"] for cell in self.printed["cells"]}
        assert max(cell["weight"] for cell in other["cells"]) > max(cell["weight"] for cell in self.printed["cells"])

    @pytest.mark.by_turns
    def test_a_cancelled_batch_stops_it(self) -> None:
        Study.objects.all().delete()
        Batch.objects.get(id=self.printed["cells"][3]["batch"]).delete()

        def cancelled(batch: Batch) -> bool:
            return bool(Batch.objects.filter(id=batch.id).update(state=Batch.State.CANCELLED))

        with mock.patch.object(playing, "play_waiting_chunk", side_effect=cancelled), pytest.raises(CommandFailed):
            sensitivity(*STUDY)
        assert not Study.objects.exists()

    def test_wrong_requests_name_the_nearest_and_write_nothing(self) -> None:
        slug = self.printed["questions"][0]["slug"]
        before = Batch.objects.count(), Ruleset.objects.count()
        for words, printed in (
            (("saturankm",), 'nearest valid value: "saturankam"'),
            ((GAME, "--questions", slug[:-1]), f'nearest valid value: "{slug}"'),
            ((GAME, "--weights", f"{slug}=2"), "a weight is written QUESTION:ANSWER=NUMBER"),
            ((GAME, "--weights", f"{slug}:{self.printed['questions'][0]['answers'][0]['slug']}=-1"), "from 0 to"),
            ((GAME, "--weights", f"{slug}:nothing-of-the-kind=1"), "no answer that can be played is called"),
            ((GAME, "--base", "saturankam-parkr"), 'nearest valid value: "saturankam-parker"'),
            ((GAME, "--games", "0"), "games: must be"),
            ((GAME, "--until", "round"), "race games have no rounds"),
            ((GAME, "--questions", "players"), "players cannot be varied: it changes how many players"),
            (("oware",), "has no question with two answers"),
        ):
            with pytest.raises(WrongUsage) as refused:
                sensitivity(*words)
            assert printed in str(refused.value), words
            assert refused.value.returncode == 2
        assert (Batch.objects.count(), Ruleset.objects.count()) == before

    def test_it_is_kept_whole_with_a_summary_for_lists(self) -> None:
        study = STUDIES.kept(study_plans.plan(GAME, games=GAMES, cap=400, questions=QUESTIONS.split(",")).id)
        assert study is not None
        assert study.document == self.printed
        shares = self.study.summary["shares"]
        assert list(shares) == [one["slug"] for one in self.printed["questions"]]
        for outcome in self.printed["outcomes"]:
            for row in outcome["questions"] if outcome["told"] else ():
                assert shares[row["slug"]][outcome["title"]] == row["first"]["text"]
        question = Question.objects.get(game__slug=GAME, slug=self.printed["questions"][0]["slug"])
        with self.assertNumQueries(1):
            found = ranked_studies([question.game_id])
            printed = OpenQuestion(question, (), (), found[question.game_id][0])
            assert printed.matters == shares[question.slug]
        assert OpenQuestion(question, (), (), None).matters == {}

    def test_what_matters_most_to_an_outcome_stands_first(self) -> None:
        as_asked, orders = [one["slug"] for one in self.printed["questions"]], []
        for outcome in self.printed["outcomes"]:
            if outcome["told"]:
                shares = [(row["total"] or row["first"])["value"] for row in outcome["questions"]]
                assert shares == sorted(shares, reverse=True)
                orders.append([row["slug"] for row in outcome["questions"]])
        assert as_asked[::-1] in orders

    def test_as_text(self) -> None:
        out = io.StringIO()
        call_command("sensitivity", *STUDY, "--inline", stdout=out)
        assert f"study {self.study.id}: 2 questions of saturankam, 4 of 4 combinations" in out.getvalue()
        assert self.printed["outcomes"][0]["text"] in out.getvalue()

    def test_a_study_tells_what_matters_and_what_it_rests_on(self) -> None:
        page = self.soup("/games/saturankam/sensitivity/")
        text = " ".join(page.get_text().split())
        for outcome in self.printed["outcomes"]:
            assert in_names_of_voices(outcome["text"]) in text
            for row in outcome["questions"] if outcome["told"] else ():
                assert row["first"]["text"] in text
        for word in (
            "all 4 combinations of their answers",
            "Random players show what the rules allow",
            "not a finding",
        ):
            assert word in text
        links = {link["href"] for link in page.find_all("a", href=True)}
        for cell in self.printed["cells"]:
            assert f"/batches/{cell['batch']}/" in links
        for one in self.printed["questions"]:
            assert f"/questions/saturankam/{one['slug']}/" in links
        assert f"/studies/{self.study.id}/" in links
        told = assert_told(self.client, self.client.get(f"/studies/{self.study.id}/"), page)
        assert told["archive_location"] == self.study.id

    def test_every_drawing_is_described_and_repeated_as_a_table(self) -> None:
        page = self.soup(f"/studies/{self.study.id}/")
        names = [tag["id"] for tag in page.find_all(id=True)]
        assert len(names) == len(set(names))
        labels = {name for tag in page.find_all(True) for name in str(tag.get("aria-labelledby", "")).split()}
        assert labels <= set(names)
        told = [outcome for outcome in self.printed["outcomes"] if outcome["told"]]
        drawn = [(svg["aria-label"], svg.circle["cx"]) for svg in page.select(".lollipops svg")]
        firsts = [row["first"] for outcome in told for row in outcome["questions"]]
        assert sorted(drawn) == sorted((one["text"], f"{100 * min(one['value'], 1):.1f}%") for one in firsts)
        drawings = [link["href"] for link in page.find_all("a", string="As a drawing of its own")]
        assert len(drawings) == len(self.study.plots) == len(told)
        for drawing in drawings:
            response = self.client.get(drawing)
            assert response["Content-Type"].startswith("image/svg+xml")
            assert response.content.startswith(b"<svg")
        assert len(page.find_all("table")) >= 2 * len(drawings)

    def test_the_command_on_the_page_gives_the_same_study(self) -> None:
        command = self.soup(f"/studies/{self.study.id}/").find("pre").get_text().replace("\\\n", "")
        words = command.split()[2:]
        with mock.patch.object(playing, "play_waiting_chunk", side_effect=AssertionError):
            assert sensitivity(*(word for word in words if word not in ("--inline", "--json")))["id"] == self.study.id

    def test_a_game_without_a_study_says_how_to_have_one(self) -> None:
        assert "manage.py sensitivity daramuti" in self.page("/games/daramuti/sensitivity/")
        assert "knows no open question" in self.page("/games/oware/sensitivity/")
        game = Game.objects.get(slug="oware")
        question = Question.objects.create(game=game, slug="one", title="One?", text="x", parameters=["stuck"])
        question.answers.create(slug="a", text="A.", values={"stuck": "passes"})
        assert "there is nothing to compare" in self.page("/games/oware/sensitivity/")
        question.answers.create(slug="b", text="B.", values={"stuck": "round_ends"})
        assert "how far its answers lie apart" in self.page("/games/oware/sensitivity/")

    @pytest.mark.by_turns
    def test_first_rounds_leave_out_what_acts_only_later(self) -> None:
        planned = study_plans.plan("mawkar-katiya", games=1, until="round")
        varied = {one.slug for one in planned.study.varied}
        assert {"empty-row", "in-front-of"} <= varied
        assert not varied & {"covered-hole", "unfilled-holes", "equal-halves", "whose-number"}
        assert "only whole games can tell" in planned.study.aside["covered-hole"]
        assert not study_plans.plan("mawkar-katiya", games=1).study.aside
        with pytest.raises(WrongUsage, match="covered-hole cannot be varied: in each reading 2,000 first rounds"):
            sensitivity("mawkar-katiya", "--until", "round", "--questions", "covered-hole")

    def test_a_name_is_no_doubt(self) -> None:
        assert study_plans.plan("nerenchi-keliya", games=1).study.aside == {"who-begins": factorial.OF_NAMES}
        assert not study_plans.plan("koti-keliya", games=1).study.aside

    def test_a_question_is_told_by_the_best_study_that_measured_it(self) -> None:
        """The first rounds of greedy players tell of one question, whole games of random ones of another."""
        asked = Question.objects.filter(game__slug=GAME).order_by("position").values_list("slug", flat=True)
        early, later, neither = asked[0], asked[8], asked[1]
        reasons = {later: "only whole games can tell", neither: "it changes how many players"}
        shares = {"shares": {early: {"Turns": "9 %"}}, "questions": [early], "not_varied": reasons}
        first = self.another(1, "greedy", until="round", **shares)
        whole = self.another(2, "random", shares={later: {"Turns": "7 %"}}, questions=[later], until="game")
        for slug, study, said in (
            (early, first, "differences between the first rounds that the answers give, played by greedy players"),
            (later, whole, "differences between the games that the answers give, played by random players: Turns: 7 %"),
        ):
            page = self.soup(f"/questions/{GAME}/{slug}/")
            assert said in " ".join(page.get_text().split())
            assert page.find("a", href=f"/studies/{study.id}/")
        words = " ".join(self.soup(f"/questions/{GAME}/{neither}/").get_text().split())
        assert "How much it matters has not been measured: it changes how many players." in words

    def test_a_page_says_what_is_left_out_and_why(self) -> None:
        left = [{"slug": "x", "title": "How many?", "why": "it is chosen"}]
        study = self.another(1, "greedy", not_varied=left, withheld="", varied_then=["x"])
        page = " ".join(self.soup(f"/studies/{study.id}/").get_text().split())
        assert "1 question is left out, for the reasons given below." in page
        assert "“How many?”: it is chosen." in page
        assert "When it was played 1 question were varied." not in page
        Study.objects.filter(id=study.id).update(document={**study.document, "withheld": "Too few are left."})
        assert "Withheld. Too few are left." in " ".join(self.soup(f"/studies/{study.id}/").get_text().split())

    def test_a_study_of_one_thinking_player_says_so(self) -> None:
        said = "Shown with one player only."
        assert said in self.page(f"/studies/{self.another(1, 'club').id}/")
        assert said not in self.page(f"/studies/{self.study.id}/")

    def test_what_is_set_aside_is_said_before_it_is_studied(self) -> None:
        Study.objects.all().delete()
        page = " ".join(self.soup("/games/saturankam/sensitivity/").get_text().split())
        assert "4 questions about Saturankam can be answered in more than one way." in page
        assert f"How many play? (not varied: {factorial.OF_PLAYERS})" in page

    def test_the_answer_says_how_many_questions_matter(self) -> None:
        def outcome(*shares: tuple[float, float]) -> dict[str, Any]:
            rows = [
                {"slug": f"q{at}", "title": "?", "first": {"value": value, "low": low}, "note": ""}
                for at, (value, low) in enumerate(shares)
            ]
            return {"told": True, "questions": rows}

        two, none = outcome((0.6, 0.5), (0.2, 0.1), (0.3, 0.0), (0.04, 0.03)), outcome((0.3, 0.0))
        assert answer_of([two, none], 4) == (
            "Of 4 open questions that were varied two matter; "
            "the other two make hardly any difference, or none that is sure."
        )
        assert answer_of([none], 4).startswith("Of 4 open questions that were varied none stands out")
        assert answer_of([{**two, "told": False}], 4) == ""
        assert (
            best_sentence({"Turns": "What matters most is A.", "Won by the first": "What matters most is B."})[1][-2:]
            == "B."
        )

    def test_doubts_are_told_so_and_otherwise(self) -> None:
        """The first doubt of a game and what its study says come from one study, level and outcome."""

        def row(slug: str, value: float, low: float, means: tuple[float, float], note: str = "") -> dict[str, Any]:
            given = [{"slug": answer, "mean": mean} for answer, mean in zip("ab", means, strict=True)]
            first = {"value": value, "low": low, "text": f"{value:.0%}"}
            return {"slug": slug, "title": f"{slug}?", "first": first, "note": note, "answers": given}

        answers = [{"slug": "a", "text": "As before. And more."}, {"slug": "b", "text": "Not"}]
        outcomes = [
            {"key": "turns", "title": "Turns of a game, up to 9", "unit": "turns", "told": True,
             "questions": [row("q", 0.4, 0.2, (412.4, 25.2)), row("r", 0.3, 0.0, (1, 2))]},
            {"key": "draw", "title": "Drawn by the rules", "unit": "share", "told": True,
             "questions": [row("s", 0.7, 0.6, (0, 0.5), BY_DEFINITION), row("q", 0.1, 0.05, (0.2, 0.3))]},
            {"key": "open", "title": "Endless or unfinished", "unit": "share", "told": True,
             "questions": [row("r", 0.5, 0.3, (0.1, 0.9))]},
        ]  # fmt: skip
        questions = [{"slug": slug, "answers": answers} for slug in "qrs"]
        document = {"withheld": "", "until": "game", "players": "greedy", "outcomes": outcomes, "questions": questions}
        assert [(one.slug, one.said) for one in doubts_of(document)] == [
            ("r", "Read as “As before”, 10 of 100 games are endless or unfinished; read as “Not”, 90 of 100."),
            ("q", "Read as “Not”, games last 25 turns; read as “As before”, 412."),
        ]
        assert {one.players for one in doubts_of(document)} == {"greedy players, one turn ahead"}
        assert doubts_of({**document, "withheld": "Too few."}) == []

    def test_the_combinations_of_a_study_add_up(self) -> None:
        questions = [{"answers": [{}] * 2}, {"answers": [{}] * 3}]
        study = {
            "questions": questions,
            "until": "round",
            "games": 100,
            "complete": False,
            "combinations": 4,
            "size": 6,
        }
        assert combinations_in_words(study) == (
            "2 open questions were varied together: a balanced sample of 4 of the 6 combinations of their answers, "
            "100 first rounds of each."
        )
        assert combinations_in_words({**study, "size": 96, "varied_then": ["q"] * 6}) == (
            "A balanced sample of 4 of the 96 combinations of the answers to 6 questions was played, 100 first rounds "
            "of each. Of these 6 questions 4 are left out here, and 2 remain."
        )

    def test_few_kinds_of_games_are_told(self) -> None:
        cells = [{**cell, "kinds": number} for number, cell in enumerate(self.printed["cells"], start=3)]
        study = self.another(1, "greedy", cells=cells)
        page = " ".join(self.soup(f"/studies/{study.id}/").get_text().split())
        assert "In 4 of the 4 combinations only few games are different (3 to 6 of 100)" in page
        assert "only few games are different" not in self.page(f"/studies/{self.study.id}/")

    def test_an_unknown_plot_of_a_study(self) -> None:
        assert "There is no plot" in self.page(f"/studies/{self.study.id}/nothing.svg", 404)
        answer = self.client.get("/games/saturankam/doubts/")  # as it was before
        assert (answer.status_code, answer["Location"]) == (301, "/games/saturankam/sensitivity/")

    @pytest.mark.by_turns
    def test_the_list_of_studies(self) -> None:
        assert in_names_of_voices(self.printed["outcomes"][0]["text"]) in " ".join(
            self.soup("/studies/").get_text().split()
        )
        with self.assertNumQueries(8):  # six of them for the games that are not studied, one for boards
            self.client.get("/studies/")

    def another(self, number: int, players: str, days: int = 0, **summary: Any) -> Study:
        """A study as ours, of other players; days: by how many it is younger."""
        key = f"{number:016x}"
        changed = {"players": players, **summary}
        study = Study.objects.create(
            state="done",
            id=key,
            game=self.study.game,
            document={**self.study.document, **changed},
            summary={**self.study.summary, **changed},
            plots=self.study.plots,
        )
        Study.objects.filter(id=key).update(created=self.study.created + timedelta(days=days))
        return study

    def test_the_strongest_players_come_first_then_the_newest(self) -> None:
        """As where all studies of an edition are of the same day: their ids say nothing."""
        order = [
            self.another(7, "strong,strong", -9),
            self.another(9, "club", 1),
            self.another(5, "club"),
            self.another(6, "club,club"),
            self.another(8, "greedy"),
            self.study,
            self.another(1, "club,random", 3),
            self.another(2, "uct:1000"),
        ]
        assert rank_studies(Study.objects.all()) == order
        assert ranked_studies([self.study.game_id]) == {self.study.game_id: order}
        page = self.soup("/games/saturankam/sensitivity/")
        assert page.find("dt", string="Study").find_next("a").get_text() == order[0].id
        others = page.find(id="others").parent
        assert [link["href"].split("/")[-2] for link in others.find_all("a")] == [one.id for one in order[1:]]

    def test_who_played_is_said_with_how_many_games(self) -> None:
        self.another(1, "greedy", games=20, until="round")
        page = self.soup("/games/saturankam/sensitivity/")
        lead = " ".join(page.select_one("h1 ~ p:not(.lead)").get_text().split())
        assert "20 first rounds of each. The games were played by greedy players, one turn ahead. What differs" in lead
        assert "There is 1 other study of this game." in lead
        others = " ".join(page.find(id="others").parent.get_text().split())
        assert f"Random players, {GAMES} games of each of 4 combinations · 2 questions" in others
        with CaptureQueriesContext(connection) as of_two:
            self.client.get("/games/saturankam/sensitivity/")
        for number, players in enumerate(("club", "strong"), start=2):
            self.another(number, players)
        with self.assertNumQueries(len(of_two)):
            self.client.get("/games/saturankam/sensitivity/")

    def test_an_older_study_stays_where_it_was(self) -> None:
        newer = sensitivity(GAME, "--games", str(GAMES), "--cap", "400", "--questions", QUESTIONS.partition(",")[0])
        page = self.page("/games/saturankam/sensitivity/")
        assert newer["id"] in page
        assert "Only one question is varied" in page
        assert in_names_of_voices(self.printed["outcomes"][0]["text"]) in " ".join(
            self.soup(f"/studies/{self.study.id}/").get_text().split()
        )
