"""Clauses, questions and annotations in the API, counted in the shipped files; histories, versions and coverage."""

import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import SimpleTestCase
from django.utils import timezone

from catalogue.loading.corner import corner_games
from catalogue.management.commands import coverage as command
from catalogue.models import Anchor, Clause, EditorsNote, Evidence, EvidenceUncertainty, UncertaintyFactor
from simulator.engine.players.wording import NOBODY
from simulator.models import Ruleset, RulesetVersion
from tests.api.api_world import API, ApiTestCase

FILES = [
    json.loads(file.read_text()) for file in sorted((Path(settings.BASE_DIR) / "fixtures" / "apparatus").glob("*.json"))
]
CORNER = [game.apparatus for game in corner_games(Path(settings.BASE_DIR) / "fixtures" / "rulesets")]
READINGS: dict[str, Any] = {slug: reading for file in (*FILES, *CORNER) for slug, reading in file["readings"].items()}
CLAUSES = [clause for reading in READINGS.values() for clause in reading["clauses"]]
QUESTIONS = [question for file in FILES for question in file["questions"]]
RELAY = "clauses/puhulmutu-parker/relay/"
PUHULMUTU = "DLP.Evidence.1386"


def words() -> Iterator[dict[str, Any]]:
    """Every anchor of the files."""
    for reading in READINGS.values():
        yield from reading.get("rests_words", ())
        for clause in reading["clauses"]:
            yield from (*clause.get("words", ()), *clause.get("against", ()))
    for file in FILES:
        for question in file["questions"]:
            for answer in question["answers"]:
                yield from answer.get("words", ())
        for claim in file["claims"]:
            yield from claim["words"]


class ApparatusTests(ApiTestCase):
    @pytest.mark.by_turns
    def test_lists_hold_as_many_clauses_as_the_files(self) -> None:
        def using(record: str) -> int:
            return sum(
                any(one["record"] == record for one in (*clause.get("words", ()), *clause.get("against", ())))
                for clause in CLAUSES
            )

        of_parker = READINGS["puhulmutu-parker"]["clauses"]
        for narrowed, count in (
            ("", len(CLAUSES)),
            ("?reading=puhulmutu-parker", len(of_parker)),
            ("?basis=conjecture", sum(clause["basis"] == "conjecture" for clause in CLAUSES)),
            (f"?evidence={PUHULMUTU}", using(PUHULMUTU)),
            ("?parameter=relay", sum("relay" in clause["parameters"] for clause in CLAUSES)),
            (
                "?reading=puhulmutu-parker&basis=stated",
                sum(clause["basis"] == "stated" for clause in of_parker),
            ),
        ):
            assert self.count(f"clauses/{narrowed}") == count > 0, narrowed

    def test_a_parameter_is_not_found_by_a_part_of_its_name(self) -> None:
        assert self.nearest("clauses/?parameter=rela") == {"parameter": "relay"}

    def test_a_reading_holds_clauses_of_the_one_it_rests_on(self) -> None:
        own = {result["key"] for result in self.read("clauses/?reading=daramuti-parker&page_size=100")["results"]}
        held = {
            result["key"]: result for result in self.read("clauses/?held_by=daramuti-parker&page_size=100")["results"]
        }
        assert own < held.keys()
        assert {key.split("/")[0] for key in held.keys() - own} == {"puhulmutu-parker"}
        document = self.read("rulesets/daramuti-parker/")["document"]
        covered = {parameter for one in held.values() for parameter in one["parameters"]}
        assert document.keys() - {"family"} <= covered

    @pytest.mark.by_turns
    def test_a_clause_says_what_it_rests_on(self) -> None:
        clause = self.read(RELAY)
        given = next(clause for clause in READINGS["puhulmutu-parker"]["clauses"] if clause["slug"] == "relay")
        assert (clause["key"], clause["basis"], clause["parameters"]) == (
            "puhulmutu-parker/relay",
            given["basis"],
            given["parameters"],
        )
        assert [word["exact"] for word in clause["words"] if word["stance"] == "supports"] == [
            word["exact"] for word in given["words"]
        ]
        assert clause["reading"]["ruleset"] == "puhulmutu-parker"
        assert self.client.get(clause["url"]).json() == clause
        for page in ("page", "history"):
            assert self.client.get(clause[page].split("#")[0]).status_code == 200, page
        assert self.client.get(clause["words"][0]["annotation"]).json()["body"][1]["value"] == clause["text"]

    @pytest.mark.by_turns
    def test_mistakes_are_named_with_the_nearest(self) -> None:
        for path, status, nearest in (
            ("clauses/puhulmutu-parker/rely/", 404, {"key": "puhulmutu-parker/relay"}),
            ("clauses/?basis=conjectur", 400, {"basis": "conjecture"}),
            ("clauses/?held_by=daramuti-parkr", 400, {"held_by": "daramuti-parker"}),
            ("clauses/?readin=x", 400, {"readin": "reading"}),
            ("questions/puhulmutu/single-counter/", 404, {"key": "puhulmutu/single-counters"}),
            ("questions/?game=puhulmut", 400, {"game": "puhulmutu"}),
            ("annotations/?stance=contradict", 400, {"stance": "contradicts"}),
            ("annotations/clause/puhulmutu-parker/relay/supports/x/", 404, None),
        ):
            found = self.nearest(path, status)
            assert nearest is None or found == nearest, path
        assert found["key"].startswith("clause/puhulmutu-parker/relay/supports/")

    @pytest.mark.by_turns
    def test_lists_hold_as_many_questions_as_the_files(self) -> None:
        assert self.count("questions/") == len(QUESTIONS)
        puhulmutu = next(file for file in FILES if file["game"] == "puhulmutu")
        found = self.read("questions/?game=puhulmutu&page_size=100")["results"]
        assert [one["key"] for one in found] == [f"puhulmutu/{question['slug']}" for question in puhulmutu["questions"]]
        for one, given in zip(found, puhulmutu["questions"], strict=True):
            assert [answer["slug"] for answer in one["answers"]] == [answer["slug"] for answer in given["answers"]]
            assert [answer["values"] for answer in one["answers"]] == [answer["values"] for answer in given["answers"]]

    def test_each_reading_says_whether_answers_change_its_games(self) -> None:
        found = self.read("questions/puhulmutu/part-holes-from-which-round/")["idle"]
        parker, dlp, ludii = found
        assert [one["reading"]["ruleset"] for one in found] == [
            f"puhulmutu-{name}" for name in ("parker", "dlp", "ludii")
        ]
        assert (parker["state"], parker["first_different"], parker["games"], parker["seed"]) == ("idle", None, 2000, 1)
        assert parker["same"] == [["any-fresh-round", "third-round"]]
        assert "whole fours" in parker["because"]
        said = dlp["text"].replace("random players", f"random players, {NOBODY}")  # a draw may be called after Parker
        assert (dlp["because"], said) == (parker["because"], parker["text"])
        assert (ludii["state"], ludii["because"]) == ("different", "")
        assert ludii["first_different"] in range(2000)

    @pytest.mark.by_turns
    def test_readings_give_the_answers_of_their_rulesets(self) -> None:
        checked = 0
        documents = {result["slug"]: result["document"] for result in self.read("rulesets/?page_size=100")["results"]}
        for question in self.read("questions/?page_size=100")["results"]:
            for answer in question["answers"]:
                for reading in answer["readings"]:
                    for key, value in answer["values"].items():
                        document = documents[reading["ruleset"]]
                        assert key not in document or document[key] == value, (question["key"], reading["ruleset"])
                        checked += key in document
            giving = [reading["ruleset"] for answer in question["answers"] for reading in answer["readings"]]
            silent = [reading["ruleset"] for reading in question["silent"]]
            assert len({*giving, *silent}) == len(giving) + len(silent)
            assert question["disputed"] == (sum(bool(answer["readings"]) for answer in question["answers"]) > 1)
        assert checked > 100

    def test_a_question_leads_to_its_page_its_history_and_its_words(self) -> None:
        question = self.read("questions/puhulmutu/single-counters/")
        assert self.client.get(question["url"]).json() == question
        for page in ("page", "history"):
            assert self.client.get(question[page]).status_code == 200, page
        anchored = [word for answer in question["answers"] for word in answer["words"]]
        assert anchored
        for one in anchored:
            assert one["exact"] in Evidence.objects.get(identifier=one["record"]).text(one["field"])

    def test_lists_hold_as_many_annotations_as_the_files_have_words(self) -> None:
        every = list(words())
        against = [one for clause in CLAUSES for one in clause.get("against", ())]
        parker = READINGS["daramuti-parker"]
        for narrowed, count in (
            ("", len(every)),
            (f"?evidence={PUHULMUTU}", sum(one["record"] == PUHULMUTU for one in every)),
            ("?stance=contradicts", len(against)),
            (
                "?reading=daramuti-parker",
                len(parker.get("rests_words", ()))
                + sum(len(clause.get("words", ())) + len(clause.get("against", ())) for clause in parker["clauses"]),
            ),
        ):
            assert self.count(f"annotations/{narrowed}") == count > 0, narrowed

    def test_the_words_stand_in_the_text_that_the_target_names(self) -> None:
        """Followed as a stranger would: the source, its JSON pointer, the offsets, the digest."""
        rows: dict[str, Any] = {}
        seen = set()
        for result in self.read(f"annotations/?evidence={PUHULMUTU}&page_size=100")["results"]:
            target = result["target"]
            address, pointer = target["source"].split("#/")
            row = rows.setdefault(address, self.client.get(address).json())
            quote, position = target["selector"]
            text = row[pointer]
            assert text[position["start"] : position["end"]] == quote["exact"]
            assert target["state"]["value"] == f"sha-256:{hashlib.sha256(text.encode()).hexdigest()}"
            seen.add(pointer)
        assert seen == {"quotation", "paraphrase"}

    def test_an_annotation_is_a_document_of_the_web_annotation_model(self) -> None:
        anchor = Anchor.objects.get(key="clause/puhulmutu-parker/relay/supports/1")
        found = self.read(f"annotations/{anchor.key}/")
        site = "http://testserver"
        assert found == {
            "@context": "http://www.w3.org/ns/anno.jsonld",
            "id": f"{site}/api/v1/annotations/clause/puhulmutu-parker/relay/supports/1/",
            "type": "Annotation",
            "canonical": f"{site}/id/words/{anchor.key}",
            "creator": found["creator"],
            "rights": "https://creativecommons.org/licenses/by/4.0/",
            "motivation": "linking",
            "body": [
                {
                    "type": "SpecificResource",
                    "purpose": "identifying",
                    "source": f"{site}/rulesets/puhulmutu-parker/#clause-relay",
                },
                {
                    "type": "TextualBody",
                    "purpose": "describing",
                    "format": "text/plain",
                    "language": "en",
                    "value": anchor.clause.text,
                },
                {"type": "TextualBody", "purpose": "classifying", "value": "stated"},
            ],
            "target": {
                "type": "SpecificResource",
                "source": f"{site}/api/v1/evidence/{PUHULMUTU}/#/quotation",
                "scope": f"{site}/evidence/{PUHULMUTU}/",
                "selector": [
                    {"type": "TextQuoteSelector", "exact": anchor.exact, "prefix": "", "suffix": ""},
                    {"type": "TextPositionSelector", "start": anchor.start, "end": anchor.end},
                ],
                "state": {"type": "State", "value": f"sha-256:{anchor.text_sha256}"},
            },
        }

    def test_annotations_are_sent_as_the_protocol_sends_them(self) -> None:
        """One as linked data with the profile; a list as a collection, whose pages lead on to its end."""
        kind = 'application/ld+json; profile="http://www.w3.org/ns/anno.jsonld"'
        one = f"{API}annotations/clause/puhulmutu-parker/relay/supports/1/"
        for accept in ("application/ld+json", kind):
            response = self.client.get(one, headers={"accept": accept})
            assert (response.status_code, response["Content-Type"]) == (200, kind)
            assert response.json() == self.client.get(one).json()
        wanted = self.read(f"annotations/?evidence={PUHULMUTU}&page_size=100")["count"]
        here = f"http://testserver{API}annotations/?evidence={PUHULMUTU}&page_size=20"
        first = self.client.get(here, headers={"accept": kind}).json()
        assert (first["type"], first["id"], first["total"]) == ("AnnotationCollection", here, wanted)
        page, seen = first["first"], list(first["first"]["items"])
        while "next" in page:
            page = self.client.get(page["next"], headers={"accept": kind}).json()
            assert (page["type"], page["partOf"]["id"]) == ("AnnotationPage", here)
            seen += page["items"]
        assert len({item["id"] for item in seen}) == len(seen) == wanted
        assert not any("@context" in item for item in seen)

    def test_words_against_a_rule_question_it(self) -> None:
        found = self.read("annotations/?stance=contradicts&page_size=100")["results"]
        assert {one["motivation"] for one in found} == {"questioning"}

    def test_what_words_are_said_of_has_a_page(self) -> None:
        for owner in ("clause", "answer", "claim", "reading"):
            anchor = Anchor.objects.filter(**{f"{owner}__isnull": False}).first()
            identifying, describing, *_ = self.read(f"annotations/{anchor.key}/")["body"]
            page, _, mark = identifying["source"].partition("#")
            response = self.client.get(page)
            assert response.status_code == 200, owner
            assert not mark or f'id="{mark}"' in response.content.decode(), identifying["source"]
            assert describing["value"]


class FileTests(SimpleTestCase):
    def test_the_files_hold_what_is_counted_here(self) -> None:
        assert len(FILES) == 21 + 4  # of the recorded games, and of reference games that are measured
        assert len(CLAUSES) > 400


class HistoryTests(ApiTestCase):
    KEY = "histories/clause/puhulmutu-parker/relay/"

    def test_a_history_tells_what_changed_word_by_word_and_why(self) -> None:
        clause = Clause.objects.get(reading__slug="puhulmutu-parker", slug="relay")
        before = clause.text
        clause.text = f"{before} Always."
        clause._change_reason = "A test of the history"
        clause.save()
        answer = self.read(self.KEY)
        newest, first = answer["results"]
        assert answer["count"] == 2
        assert (newest["reason"], newest["author"]) == ("A test of the history", "a command of the catalogue")
        assert first["author"] == "the fixtures"
        ((row,), (field,)) = newest["rows"], newest["rows"][0]["changed"]
        assert (row["title"], row["action"], row["whole"]) == ("Clause", "changed", False)
        assert [piece["text"].strip() for piece in field["pieces"] if piece["kind"] == "added"] == ["ends. Always."]
        assert self.client.get(answer["page"]).status_code == 200

    def test_it_is_had_in_pages(self) -> None:
        clause = Clause.objects.get(reading__slug="puhulmutu-parker", slug="relay")
        for number in range(2):
            clause._change_reason = f"{number}"
            clause.save()
        first = self.read(f"{self.KEY}?page_size=2")
        second = self.client.get(first["next"]).json()
        assert (len(first["results"]), first["previous"]) == (2, None)
        assert (len(second["results"]), second["next"]) == (first["count"] - 2, None)
        assert self.nearest(f"{self.KEY}?page=9") == {"page": 1}

    def test_names_nearly_right_lead_to_the_right_ones(self) -> None:
        for path, nearest in (
            ("histories/clauze/puhulmutu-parker/relay/", {"kind": "clause"}),
            ("histories/clause/puhulmutu-parker/rely/", {"key": "puhulmutu-parker/relay"}),
            ("histories/evidence/DLP.Evidence.13866/", {"key": PUHULMUTU}),
            ("histories/evidence/", {"": "evidence"}),
        ):
            found = self.nearest(path, 404)
            assert found.keys() == nearest.keys(), path
            assert found == nearest or path.endswith("evidence/"), path

    def test_rows_that_have_one_lead_to_it(self) -> None:
        for path in (f"evidence/{PUHULMUTU}/", "rulesets/puhulmutu-parker/", "notes/DLP.Evidence.692/rules-copied/"):
            row = self.read(path)
            page = (row.get("reading") or row)["history"]
            assert self.client.get(page).status_code == 200

    def test_every_version_of_every_name_is_there(self) -> None:
        first = RulesetVersion.objects.get(slug="daramuti-parker")
        other = Ruleset.objects.exclude(hash=first.ruleset_id).filter(family="sowing").first()
        second = RulesetVersion.objects.create(
            slug=first.slug, number=2, ruleset=other, parent=first, date=timezone.now().date()
        )
        rows = self.read("versions/?slug=daramuti-parker")["results"]
        assert [(row["name"], row["parent"], row["children"]) for row in rows] == [
            ("daramuti-parker@1", None, ["daramuti-parker@2"]),
            ("daramuti-parker@2", "daramuti-parker@1", []),
        ]
        assert self.client.get(rows[0]["ruleset"]).json()["hash"] == first.ruleset_id
        assert self.read("versions/daramuti-parker@2/")["hash"] == second.ruleset_id
        assert str(second) in {row["name"] for row in self.read(f"versions/?hash={other.hash}")["results"]}
        assert self.count("versions/") == RulesetVersion.objects.count()

    def test_others_are_named_with_the_nearest(self) -> None:
        for name in ("daramuti-parkr@1", "daramuti-parker", "daramuti-parker@9", "daramuti-parker@" + "9" * 40):
            assert self.nearest(f"versions/{name}/", 404) == {"name": "daramuti-parker@1"}


class CoverageTests(ApiTestCase):
    @pytest.mark.by_turns
    def test_coverage_is_that_of_the_command(self) -> None:
        out = io.StringIO()
        command.Command(stdout=out).handle(records=[], json=True)
        answer = {row["record"]: row for row in json.loads(out.getvalue())["records"]}
        rows = self.read("coverage/?page_size=100")["results"]
        assert {row["record"]: row for row in rows} == answer
        assert self.read(f"coverage/{PUHULMUTU}/") == answer[PUHULMUTU]
        assert answer[PUHULMUTU]["paraphrase"]["anchored"] > 500
        assert self.client.get(self.read(f"evidence/{PUHULMUTU}/")["coverage"]).json() == answer[PUHULMUTU]

    @pytest.mark.by_turns
    def test_notes_and_reasons_for_doubt(self) -> None:
        assert self.count("notes/") == EditorsNote.objects.count()
        of_daramuti = self.read("notes/?evidence=DLP.Evidence.692")["results"]
        answer = self.read("evidence/DLP.Evidence.692/")["editors_notes"]
        assert [note["text"] for note in of_daramuti] == [note["text"] for note in answer]
        factors = {row["slug"]: row for row in self.read("uncertainty-factors/?page_size=100")["results"]}
        assert len(factors) == UncertaintyFactor.objects.count()
        for slug, row in factors.items():
            records = EvidenceUncertainty.objects.filter(factor__slug=slug).count()
            assert row["records"] == self.client.get(row["evidence"]).json()["count"] == records

    def test_a_ruleset_has_its_reading_and_its_board(self) -> None:
        whole = self.read("rulesets/daramuti-parker/")
        reading = whole["reading"]
        assert (reading["rests_on"], bool(reading["rests_text"])) == ("puhulmutu-parker", True)
        assert self.client.get(reading["clauses"]).json()["count"] > 5
        assert whole["board"].startswith("<svg")
        assert len(whole["seats"]) == 2

    @pytest.mark.by_turns
    def test_withdrawn_records_are_gone_from_them(self) -> None:
        Evidence.objects.filter(identifier="DLP.Evidence.692").update(withdrawn_on="2026-01-01", withdrawn_reason="x")
        assert self.read("evidence/DLP.Evidence.692/", 410)["type"].endswith("#gone")
        assert self.count("notes/?evidence=DLP.Evidence.692") == 0
        assert "DLP.Evidence.692" not in {row["record"] for row in self.read("coverage/?page_size=100")["results"]}
