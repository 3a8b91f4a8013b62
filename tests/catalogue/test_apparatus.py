"""The shipped apparatus is whole; what breaks it is named; clauses are inherited where parameters agree."""

import io
import json
import shutil
import tempfile
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, SystemCheckError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.checks import CONJECTURED, check_apparatus
from catalogue.evidence.clauses import HeldClause, clauses_of, gives, held_clauses, resting_in_circles
from catalogue.evidence.questions import open_questions, question_rows
from catalogue.loading.apparatus import ApparatusProblem, plan
from catalogue.loading.corner import corner_games
from catalogue.models import Anchor, Answer, Claim, Clause, Evidence, Question, Reading
from tests.builders import REFERENCE_GAMES
from tests.catalogue.page_world import CatalogueTestCase

FOLDER = Path(settings.BASE_DIR) / "fixtures" / "apparatus"
FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}


class TestInheriting:
    PARAMETERS = {
        "a": {"relay": "last", "pass": 3},
        "b": {"relay": "last", "pass": 4},
        "c": {"relay": "next", "pass": 4},
    }
    STATED = {
        "a": [Clause(slug="one", parameters=["relay", "pass"])],
        "b": [Clause(slug="two", parameters=["pass"])],
        "c": [Clause(slug="three", parameters=["relay"])],
    }
    RESTING = {"a": None, "b": "a", "c": "b"}

    def test_a_clause_is_inherited_where_values_are_the_same(self) -> None:
        own, inherited = held_clauses("b", self.STATED, self.RESTING, self.PARAMETERS)
        assert own == HeldClause(self.STATED["b"][0], ("pass",), False)
        assert inherited == HeldClause(self.STATED["a"][0], ("relay",), True)

    def test_a_restated_parameter_is_not_inherited(self) -> None:
        found = held_clauses("c", self.STATED, self.RESTING, self.PARAMETERS)
        assert [(one.clause.slug, one.parameters) for one in found] == [("three", ("relay",)), ("two", ("pass",))]

    def test_circles_are_found(self) -> None:
        assert resting_in_circles({"a": "b", "b": "a", "c": None, "d": "c"}) == ["a", "b"]

    def test_an_answer_is_given_by_all_its_values(self) -> None:
        assert gives(self.PARAMETERS["a"], {"relay": "last", "pass": 3})
        assert not gives(self.PARAMETERS["b"], {"relay": "last", "pass": 3})
        assert not gives(self.PARAMETERS["a"], None)


def test_every_game_with_a_record_has_its_file() -> None:
    records = json.loads((FOLDER.parent / "evidence.json").read_text(encoding="utf-8"))
    recorded = {row["fields"]["game"][0] for row in records if row["model"] == "catalogue.evidence"}
    assert recorded == set(FILES) - REFERENCE_GAMES


def test_words_that_are_not_there_are_named() -> None:
    document = {
        "game": "x",
        "readings": {
            "x-parker": {
                "clauses": [
                    {
                        "slug": "relay", "parameters": ["relay"], "basis": "stated", "text": "…",
                        "words": [{"record": "R.1", "in": "content", "exact": "the last sead"}],
                    }
                ]
            }
        },
    }  # fmt: skip
    with pytest.raises(ApparatusProblem, match=r"clause/x-parker/relay/supports/1.*the nearest are 'the last seed'"):
        list(plan(document, {("R.1", "content"): ["when the last seed falls"]}))


def test_words_stay_in_the_text_in_which_they_were_set() -> None:
    """In the text as it is now the same words may be others; `manage.py reanchor` asks a person."""
    words = {"record": "R.1", "in": "content", "exact": "the last seed"}
    document = {"game": "x", "readings": {"x-a": {"clauses": [
        {"slug": "relay", "parameters": ["relay"], "basis": "stated", "text": "…", "words": [words]}
    ]}}}  # fmt: skip
    for texts, start in ((["he sows the last seed", "now the last seed"], 8), (["he sows", "now the last seed"], 4)):
        assert [row["fields"].get("start") for row in plan(document, {("R.1", "content"): texts})][-1] == start


class ApparatusTests(CatalogueTestCase):
    def problems(self) -> list[tuple[str, str]]:
        return [(str(message.id), message.msg) for message in check_apparatus(None)]

    @pytest.mark.by_turns
    def test_the_shipped_apparatus_is_whole(self) -> None:
        assert self.problems() == []

    def test_every_row_of_the_files_is_there(self) -> None:
        every = [*FILES.values(), *(one.apparatus for one in corner_games(FOLDER.parent / "rulesets"))]
        clauses = sum(len(reading.get("clauses", [])) for file in every for reading in file["readings"].values())
        assert Clause.objects.count() == clauses
        assert Question.objects.count() == sum(len(file.get("questions", [])) for file in FILES.values())
        assert Claim.objects.count() == sum(len(file.get("claims", [])) for file in FILES.values())

    @pytest.mark.thorough
    def test_what_ships_no_longer_goes_unless_somebody_changed_it(self) -> None:
        kept, gone, *_ = Claim.objects.filter(game__slug="puhulmutu").order_by("slug")
        kept.title, kept._change_reason = "Another title", "An editor’s"
        kept.save()
        with tempfile.TemporaryDirectory() as folder:
            fixtures = Path(folder) / "fixtures"
            shutil.copytree(FOLDER.parent, fixtures, ignore=shutil.ignore_patterns("edition"))
            file = fixtures / "apparatus" / "puhulmutu.json"
            claims = [claim for claim in FILES["puhulmutu"]["claims"] if claim["slug"] not in (kept.slug, gone.slug)]
            file.write_text(json.dumps({**FILES["puhulmutu"], "claims": claims}), encoding="utf-8")
            call_command("load_fixtures", folder=fixtures, no_edition=True, stdout=io.StringIO())
        left = Claim.objects.filter(game__slug="puhulmutu")
        assert {one.slug for one in left} == {kept.slug, *(claim["slug"] for claim in claims)}
        assert Claim.history.filter(slug=gone.slug).latest().history_type == "-"

    @pytest.mark.by_turns
    def test_what_is_wrong_with_clauses_and_questions_is_named(self) -> None:
        stated = list(Clause.objects.filter(basis="stated", reading__game__slug="saturankam")[:2])
        without_basis = Clause.objects.filter(reading__slug="puhulmutu-parker").first()
        Clause.objects.filter(pk=without_basis.pk).update(basis="hearsay")
        Clause.objects.filter(pk=stated[0].pk).update(text=f"{stated[0].text} That it holds for both is our choice.")
        stated[1].anchors.all().delete()
        clauses = Clause.objects.filter(reading__slug="koti-keliya-parker")
        next(clause for clause in clauses if clause.parameters == ["second_array"]).delete()
        question = Question.objects.filter(game__slug="koti-keliya").first()
        Question.objects.filter(pk=question.pk).update(parameters=[*question.parameters, "colour"])
        question.answers.all().delete()
        reason = Clause.objects.get(reading__slug="hat-diviyan-keliya-ludovisi", slug="every-direction")
        Clause.objects.filter(pk=reason.pk).update(text=reason.text.partition(" It is not asked")[0])
        Question.objects.get(game__slug="pahada-keliya", slug="begins-again").delete()
        problems = self.problems()
        for problem in (
            ("catalogue.E001", f"clause {without_basis} has no basis ('hearsay')"),
            ("catalogue.E003", "reading koti-keliya-parker: no clause says what second_array rests on"),
            ("catalogue.E006", f"question {question}: no parameter is called 'colour'"),
            ("catalogue.E008", f"clause {stated[0]} is stated, and says 'our choice': two clauses in one"),
            ("catalogue.E011", f"clause {reason} is conjecture, and no question asks it"),
            ("catalogue.E011", "clause pahada-keliya-dlp/begins-again is conjecture, and no question asks it"),
        ):
            assert problem in problems
        assert [code for code, message in problems if str(stated[1]) in message] == ["catalogue.E004"]
        assert len(problems) == 7, problems

    @pytest.mark.by_turns
    def test_an_edited_text_breaks_its_anchors_loudly(self) -> None:
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        before = Anchor.objects.filter(evidence=record, field="content").count()
        Evidence.objects.filter(pk=record.pk).update(quotation=record.quotation + " More.")
        assert [one for one, _ in self.problems()] == ["catalogue.E002"] * before
        assert before > 5

    @pytest.mark.thorough
    def test_only_the_check_refuses_a_broken_anchor(self) -> None:
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        Evidence.objects.filter(pk=record.pk).update(quotation=record.quotation + " More.")
        with pytest.raises(SystemCheckError, match=r"catalogue\.E002"):
            call_command("check")
        call_command("load_fixtures", skip_checks=False, no_edition=True, stdout=io.StringIO())

    def test_a_circle_of_readings_is_refused(self) -> None:
        first, second = Reading.objects.filter(game__slug="puhulmutu")[:2]
        Reading.objects.filter(pk=first.pk).update(rests_on=second)
        Reading.objects.filter(pk=second.pk).update(rests_on=first)
        assert {one for one, _ in self.problems()} == {"catalogue.E005"}

    def test_daramuti_rests_on_puhulmutu_in_other_respects(self) -> None:
        reading = Reading.objects.get(slug="daramuti-parker")
        assert (reading.rests_on.slug, reading.rests_basis) == ("puhulmutu-parker", "by_analogy")
        assert any("n other respects" in anchor.exact for anchor in reading.anchors_of_resting.all())
        inherited = {
            key for one in clauses_of(["daramuti-parker"])["daramuti-parker"] if one.inherited for key in one.parameters
        }
        assert {"counters_per_hole", "next_round"} <= inherited

    def test_queries_do_not_grow_with_the_readings(self) -> None:
        with self.assertNumQueries(4):
            clauses_of(["puhulmutu-parker"])
        with self.assertNumQueries(5):  # some of them rest on others, whose documents are compared
            clauses_of(SIX)

    def test_no_reading_gives_two_answers(self) -> None:
        for doubt in open_questions(question_rows()):
            givers = [reading.slug for answer in doubt.answers for reading in answer.readings]
            assert len(givers) == len(set(givers)), doubt.question

    def test_parker_and_paraphrase_answer_the_singles_differently(self) -> None:
        (found,) = [
            question
            for question in open_questions(question_rows().filter(game__slug="puhulmutu"))
            if question.question.parameters == ["singles", "singles_below"]
        ]
        givers = {
            answer.answer.values["singles"]: [r.authority for r in answer.readings]
            for answer in found.answers
            if answer.answer.values
        }
        assert givers["last_hole_alone"] == ["parker"]
        assert givers["only_without_larger"] == ["dlp"]
        assert found.is_disputed


SIX = ("puhulmutu-parker", "puhulmutu-dlp", "puhulmutu-ludii", "daramuti-parker", "daramuti-dlp", "walak-pussa-parker")


class PageTests(CatalogueTestCase):
    @pytest.mark.by_turns
    def test_every_marked_word_leads_to_a_rule_and_back(self) -> None:
        page = self.soup("/evidence/DLP.Evidence.1386/")
        places = {tag["id"] for tag in page.find_all(id=True)}
        words = page.select(".quotation a, .paraphrase a")
        assert len(words) > 100
        assert {word["href"][1:] for word in words} <= places
        back = page.select(".rules-read .back a[href^='#']")
        assert len(back) > 50
        assert {one["href"][1:] for one in back} <= places

    @pytest.mark.thorough
    def test_the_marked_text_is_the_stored_text(self) -> None:
        for record in Evidence.objects.all():
            page = self.soup(record.get_absolute_url())
            if record.quotation:
                assert page.find(class_="quotation").get_text() == record.quotation
            if record.paraphrase:
                assert page.find(class_="paraphrase").get_text() == record.paraphrase

    def test_a_contrary_rule_is_headed_by_whose_it_is(self) -> None:
        """The words "are 'eaten'" open the book's rule, and the summary's stands below it with a "But"."""
        page = self.soup("/evidence/DLP.Evidence.692/")
        word = page.select_one(".quotation a.words[data-followed~=book][data-against~=summary]")
        note = page.select_one(word["href"])
        assert note["data-voice"] == "book"
        assert note.select_one(".voice").get_text() == "Parker 1909"
        buts = [" ".join(one.get_text(" ").split()) for one in note.select(".but")]
        assert any(said.startswith("But today’s summary says: A last counter in an empty hole") for said in buts)
        assert [one["data-rule"] for one in page.select(".rules-read > .opening")] == [note["data-rule"]]
        assert not page.select("sup, .ref, [data-sign]")

    def test_one_voice_is_underlined_and_the_address_says_which(self) -> None:
        page = self.soup("/evidence/DLP.Evidence.692/")
        assert page.select_one(".words-column")["data-shown"] == "book"
        links = {tag["data-show"]: tag["href"] for tag in page.select(".voices [data-show]")}
        assert list(links) == ["book", "summary", "program", "apart"]
        other = self.soup(f"/evidence/DLP.Evidence.692/{links['summary']}")
        assert other.select_one(".words-column")["data-shown"] == "summary"
        assert [tag["data-show"] for tag in other.select(".voices [aria-current]")] == ["summary"]
        assert other.select_one("#answers [name=show]")["value"] == "summary"  # what a reader asks keeps it
        asked = {"take": other.select_one("[name=take]")["value"], "show": "summary"}
        kept = self.client.post("/evidence/DLP.Evidence.692/answers/", asked)
        assert kept["Location"].endswith("&show=summary#outcomes")
        wrong = self.client.get("/evidence/DLP.Evidence.692/?show=sumary")
        assert wrong.status_code == 400
        assert "?show=summary" in wrong.content.decode()

    def test_words_of_the_players_are_explained_where_they_stand(self) -> None:
        page = self.soup("/evidence/DLP.Evidence.692/")
        assert {tag.get_text() for tag in page.select(".quotation .gloss[title]")} == {"puta", "naga"}
        assert "younger sister" in page.select_one(".terms").get_text()

    @pytest.mark.by_turns
    def test_rules_without_words_and_words_without_rules_are_shown(self) -> None:
        page = self.soup("/evidence/DLP.Evidence.690/")
        every = self.soup(page.find("a", string="All rules")["href"])
        assert "Rules that rest on no words" in [tag.get_text() for tag in every.find_all("h2")]
        held = {tag["id"] for tag in every.select(".rules-read > li")}
        assert {tag["id"] for tag in page.select(".rules-read > li[data-rule]")} < held
        assert any("Walak-pussa" in tag.get_text() for tag in page.select(".quotation .unused"))

    @pytest.mark.by_turns
    def test_the_register_has_every_question(self) -> None:
        shown: set[str] = set()
        for number in range(1, 2 + Question.objects.count() // 40):
            shown |= {tag["href"] for tag in self.soup(f"/questions/?page={number}").select(".entries h3 a")}
        assert shown == {question.get_absolute_url() for question in Question.objects.select_related("game")}

    def test_a_question_shows_its_answers_with_their_words(self) -> None:
        answer = Answer.objects.filter(anchors__isnull=False, question__game__slug="walak-pussa").first()
        page = self.soup(answer.question.get_absolute_url())
        assert answer.text in [tag.get_text() for tag in page.find_all("h2")]
        assert any(answer.anchors.first().exact in tag.get_text() for tag in page.find_all("blockquote"))

    def test_an_answer_that_no_ruleset_can_give_says_so(self) -> None:
        answer = Answer.objects.get(question__game__slug="dam", slug="greatest")
        page = self.soup(answer.question.get_absolute_url()).find(id="answer-greatest").find_parent("section")
        assert answer.values is None
        assert "No ruleset can say this yet, so that it cannot be played here." in " ".join(page.get_text().split())

    def test_the_register_takes_few_queries_for_a_game_and_for_all(self) -> None:
        counts = []
        for address in ("/questions/?game=koti-keliya", "/questions/"):
            with CaptureQueriesContext(connection) as queries:
                self.client.get(address)
            counts.append(len(queries))
        assert counts[0] == counts[1] + 1 <= 10


class CoverageTests(CatalogueTestCase):
    def printed(self, *words: str) -> dict:
        out = io.StringIO()
        call_command("coverage", *words, json=True, stdout=out)
        return json.loads(out.getvalue())

    def test_all_records_and_most_of_their_words(self) -> None:
        records = self.printed()["records"]
        assert len(records) == 22
        slab = next(record for record in records if record["record"] == "ETG.Artefact.04433")
        assert (slab["quotation"]["words"], slab["paraphrase"]["words"], slab["clauses"]) == (0, 0, 0)
        records.remove(slab)
        assert all(record["paraphrase"]["share"] >= 0.8 for record in records if record["paraphrase"]["words"])
        assert all(record["clauses"] > 10 for record in records)

    def test_what_is_counted_is_what_the_page_shows(self) -> None:
        (one,) = self.printed("DLP.Evidence.741")["records"]
        text = " ".join(self.page("/evidence/DLP.Evidence.741/").split())
        assert f"{one['quotation']['anchored']:,} of {one['quotation']['words']:,} words" in text
        assert f"{one['quotation']['opposing']:,} speak against one; {one['quotation']['claimed']:,} say how" in text

    @pytest.mark.by_turns
    def test_words_by_which_a_reading_takes_over_rules_are_used(self) -> None:
        """691: "begun and played like Puhulmutu" carries all that the game has of Puhulmutu."""
        unused = " ".join(
            tag.get_text() for tag in self.soup("/evidence/DLP.Evidence.691/").select("blockquote .unused")
        )
        assert "begun and played like Puhulmutu" not in unused
        assert "borrows a seed" not in " ".join(
            tag.get_text() for tag in self.soup("/evidence/DLP.Evidence.1386/").select("blockquote .unused")
        )
        (one,) = self.printed("DLP.Evidence.1386")["records"]
        assert one["quotation"]["asked"] > 0

    def test_no_rule_in_force_is_said_not_to_arise(self) -> None:
        """828: "No counter stops another"; 1399: "Each plays for himself"."""
        for number in (828, 1399):
            assert "This does not arise here" not in self.page(f"/evidence/DLP.Evidence.{number}/"), number

    def test_a_sentence_that_no_reading_follows_supports_none(self) -> None:
        """1486: "The total is played" is anchored only against the reading that moves one piece by the whole throw,
        "may both reenter" only against the one in which a pair has to."""
        (one,) = self.printed("DLP.Evidence.1486")["records"]
        used = one["paraphrase"]
        assert (used["words"], used["anchored"] < 429, used["opposing"]) == (429, True, 18 + 3)

    def test_an_unknown_record_is_refused_with_the_nearest(self) -> None:
        with pytest.raises(CommandError, match=r"nearest valid value: DLP\.Evidence\.692") as refused:
            self.printed("DLP.Evidence.6922")
        assert refused.value.returncode == 2


@pytest.mark.parametrize(
    ("text", "is_conjecture"),
    [
        ("We take a piece to be passed when the leopard stands behind it.", True),
        ("“Allowed” is read as: the piece may also stop.", True),
        ("The limit is taken to bind both players.", True),
        ("Two rows count as one occasion; the words do not speak of the case.", True),
        ("The text says only whose it is.", True),
        ("A struck piece is taken to the central square.", False),
        ("The leopards win when all cows are taken.", False),
    ],
)
def test_what_only_an_editor_says_is_recognised(text: str, is_conjecture: bool) -> None:
    assert bool(CONJECTURED.search(text)) is is_conjecture
