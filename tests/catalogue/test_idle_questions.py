"""Idle questions: what was played is what is shipped, what is shipped is told, and what has changed since is not."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from catalogue.analyses.idle_questions import Played, finding
from catalogue.evidence.questions import (
    DIFFERENT,
    IDLE,
    NOT_ARISING,
    NOT_PLAYED,
    OUT_OF_DATE,
    OpenQuestion,
    kept_findings,
    kept_first_rounds,
    open_questions,
    question_rows,
    why_not_in_first_rounds,
)
from catalogue.models import Answer, Question
from simulator.batches.requests import DEFAULTS
from simulator.engine.documents import parse
from simulator.engine.players.wording import NOBODY
from simulator.engine.playout import play_block
from tests.catalogue.page_world import CatalogueTestCase
from tests.engine.rulesets import RULESETS

PARKER = RULESETS["puhulmutu-parker"]
TERMS = {**DEFAULTS, "games": 300}
REMAINDER = {"second": {"remainder_from_round": 2}, "third": {"remainder_from_round": 3}}
IDLE_WORDS = "Not told apart in this reading: 2,000 games of random players (seed 1) are the same under every answer."
BY_CHOICE = f"random players, {NOBODY}"  # where a draw may be called


def found(answers: dict[str, dict[str, Any]], ruleset: str = "puhulmutu-parker") -> dict[str, Any]:
    return finding(RULESETS[ruleset], answers, Played(TERMS), 300)


class TestPlaying:
    def test_answers_that_never_give_different_games_are_one_group(self) -> None:
        said = found(REMAINDER)
        assert (said["same"], said["first_different"], said["rulesets"]) == ([["second", "third"]], None, 2)

    def test_the_first_game_that_differs_is_named(self) -> None:
        said = found({"last": {"singles": "last_hole_alone"}, "off": {"singles": "off"}})
        plain = parse({key: value for key, value in PARKER.document.items() if key != "singles"})
        games = [play_block(ruleset, ("random",) * 2, 1, 0, 50, 2000, "game") for ruleset in (PARKER, plain)]
        first = next(game for game in range(50) if (games[0][game] != games[1][game]).any())
        assert (said["same"], said["first_different"]) == ([["last"], ["off"]], first)

    def test_of_three_answers_two_may_be_the_same(self) -> None:
        """Both ways to read "from which round" are one, where no remainder is laid out at all is another."""
        plain = {"remainder": "next", "matching": "same", "matching_barred": True, "remainder_barred": [1, 2]}
        answers = {name: {**plain, **values} for name, values in REMAINDER.items()}
        kept = {"remainder": "kept", "matching": "off", "matching_barred": False, "remainder_barred": []}
        answers["never"] = {**kept, "remainder_from_round": 2}
        assert found(answers)["same"] == [["second", "third"], ["never"]]

    def test_an_answer_that_makes_no_ruleset_is_named(self) -> None:
        answers = {
            "chosen": {"layout_from": "chosen"},
            "kept": {"layout_from": "kept"},
            "left": {"layout_from": "left"},
        }
        said = found(answers)
        assert (said["impossible"], len(said["same"])) == (["left"], 2)

    def test_a_question_about_what_cannot_fire_does_not_arise(self) -> None:
        answers = {"last": {"matching_hole": "last"}, "opposite": {"matching_hole": "opposite"}}
        assert found(answers)["rulesets"] == 2
        assert found(answers, "puhulmutu-ludii")["rulesets"] == 1

    def test_parameters_that_all_answers_set_alike_stay(self) -> None:
        answers = {
            "free": {"tied_ends": True, "ties_kept": False},
            "kept": {"tied_ends": True, "ties_kept": True},
        }
        assert found(answers, "kotu-baendum-parker")["first_different"] is not None
        assert found(answers, "kotu-baendum-ludii")["rulesets"] == 1


ONLY_LATER = {  # by digests of first rounds, of all that is sown from the second round on
    "mawkar-katiya": (
        "covered-hole-next", "part-hole-where", "unfilled-holes", "whose-number", "when-a-group-is-taken",
        "covered-hole", "part-hole-to-the-winner", "lap-at-the-part-hole", "who-begins-the-next-game", "equal-halves",
    ),
    "puhulmutu": ("how-many-answer", "short-handed-layout", "short-handed-holes", "ruin", "equal-numbers"),
}  # fmt: skip


class TestFirstRounds:
    @pytest.mark.parametrize("game", ONLY_LATER)
    def test_what_acts_only_later_changes_no_first_round(self, game: str) -> None:
        for question in ONLY_LATER[game]:
            assert "only whole games can tell" in why_not_in_first_rounds(game, question), question
        asked = kept_first_rounds()[game]["questions"]
        assert sum(bool(why_not_in_first_rounds(game, one)) for one in asked) >= {"mawkar-katiya": 10}.get(game, 16)

    def test_what_acts_at_once_changes_first_rounds(self) -> None:
        acting = [("puhulmutu", "single-counters"), ("puhulmutu", "end-of-a-round"), ("mawkar-katiya", "empty-row")]
        assert {why_not_in_first_rounds(*one) for one in acting} == {""}
        assert why_not_in_first_rounds("puhulmutu", "nobody-asked") == (
            "it is not known whether it can change a first round"
        )

    def test_first_rounds_are_played_anew_where_whole_games_are(self) -> None:
        """If not: `manage.py idle_questions GAME`."""
        whole = kept_findings()
        for game, kept in kept_first_rounds().items():
            assert (kept["until"], kept["games"]) == ("round", whole[game]["games"])
            for question, of_readings in kept["questions"].items():
                for reading, entry in of_readings.items():
                    assert entry["asked"] == whole[game]["questions"][question][reading]["asked"], (game, question)
            assert kept["questions"].keys() == whole[game]["questions"].keys()


class ShippedTests(CatalogueTestCase):
    def doubt(self, game: str, slug: str) -> OpenQuestion:
        return open_questions(question_rows().filter(game__slug=game, slug=slug))[0]

    def state(self, reading: str) -> str:
        doubt = self.doubt("puhulmutu", "part-holes-from-which-round")
        return next(one.state for one in doubt.found if one.reading.slug == reading)

    def test_every_question_of_every_reading_was_played(self) -> None:
        """If not: `manage.py idle_questions GAME`, and read what has changed."""
        states = {
            f"{doubt.question} in {one.reading.slug}": one.state
            for doubt in open_questions(question_rows())
            for one in doubt.found
        }
        assert {name: state for name, state in states.items() if state in (OUT_OF_DATE, NOT_PLAYED)} == {}
        assert len(states) > 500
        assert {IDLE, DIFFERENT, NOT_ARISING} == set(states.values())
        assert {kept["games"] for kept in kept_findings().values()} == {2000}

    def test_reasons_are_given_for_what_is_idle_and_for_nothing_else(self) -> None:
        for doubt in open_questions(question_rows()):
            idle = {one.reading.slug for one in doubt.idle}
            assert set(doubt.question.idle_because) <= idle, doubt.question

    def test_the_law_of_fours_makes_a_question_idle(self) -> None:
        states = [self.state(f"puhulmutu-{authority}") for authority in ("parker", "dlp", "ludii")]
        assert states[:2] == [IDLE, IDLE]
        assert all("whole fours" in one.because for one in self.doubt("puhulmutu", "part-holes-from-which-round").idle)

    def test_what_has_changed_since_is_out_of_date(self) -> None:
        answers = Answer.objects.filter(question__slug="part-holes-from-which-round", question__game__slug="puhulmutu")
        answers.filter(slug="third-round").update(values={"remainder_from_round": 4})
        assert self.state("puhulmutu-parker") == OUT_OF_DATE
        page = self.page("/questions/puhulmutu/part-holes-from-which-round/")
        assert "Not told apart in this reading" not in page
        assert "have changed since its answers were played against each other" in page

    def test_a_question_that_nobody_played_says_so(self) -> None:
        Question.objects.filter(slug="part-holes-from-which-round", game__slug="puhulmutu").update(slug="another")
        assert "have not been played against each other" in self.page("/questions/puhulmutu/another/")

    def test_pages_of_the_question_and_of_the_record_say_so_and_why(self) -> None:
        for address in ("/questions/puhulmutu/part-holes-from-which-round/", "/evidence/DLP.Evidence.1386/"):
            text = " ".join(self.soup(address).get_text().split())
            for words in (IDLE_WORDS, IDLE_WORDS.replace("random players", BY_CHOICE)):
                assert text.count(f"{words} Proved: Captures take four counters") == 1, address
        assert "By these rules, Parker’s and the paraphrase’s alike, no puta, naga or wala can arise" in text

    def test_a_question_that_is_not_idle_names_a_game(self) -> None:
        said = next(one for one in self.doubt("puhulmutu", "single-counters").found)
        text = f"Its answers give different games: number {said.first_different} of seed 1 is the first."
        assert text in self.page("/questions/puhulmutu/single-counters/")


class CommandTests(CatalogueTestCase):
    def run_for(self, file: Path, *games: str, **options: Any) -> dict[str, Any]:
        out = io.StringIO()
        call_command("idle_questions", *games, to=file, json=True, stdout=out, stderr=io.StringIO(), **options)
        return json.loads(out.getvalue())["found"]

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.file = tmp_path / "idle.json"

    def test_it_writes_what_it_found_and_leaves_other_games_alone(self) -> None:
        first = self.run_for(self.file, "hat-diviyan-keliya", games=40)
        second = self.run_for(self.file, "koti-keliya", games=20, seed=2)
        kept = json.loads(self.file.read_text(encoding="utf-8"))["found"]
        assert kept == {**first, **second}
        assert (kept["koti-keliya"]["seed"], kept["koti-keliya"]["games"]) == (2, 20)
        assert (
            kept["hat-diviyan-keliya"]["questions"].keys() == kept_findings()["hat-diviyan-keliya"]["questions"].keys()
        )

    @pytest.mark.by_turns
    def test_of_games_with_rounds_first_rounds_are_played_too(self) -> None:
        self.run_for(self.file, "koti-keliya", "mawkar-katiya", games=20)
        rounds = json.loads(self.file.read_text(encoding="utf-8"))["first_rounds"]
        assert list(rounds) == ["mawkar-katiya"]
        found = rounds["mawkar-katiya"]["questions"]["equal-halves"]
        assert {entry["first_different"] for entry in found.values()} == {None}

    def test_the_shipped_findings_are_found_again(self) -> None:
        assert self.run_for(self.file, "koti-keliya")["koti-keliya"] == kept_findings()["koti-keliya"]

    def test_mistakes_are_named_with_the_nearest(self) -> None:
        with pytest.raises(CommandError, match=r"'puhulmut'.*nearest valid value: \"puhulmutu\"") as refused:
            self.run_for(self.file, "puhulmut")
        assert refused.value.returncode == 2
        with pytest.raises(CommandError, match="games: must be a whole number from 1"):
            self.run_for(self.file, "puhulmutu", games=0)
        assert not self.file.exists()
