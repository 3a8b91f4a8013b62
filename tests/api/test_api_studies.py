"""Studies in the API: the list, one of them whole, and how a wrong one is refused."""

from typing import Any, ClassVar

from jsonschema import Draft202012Validator

from catalogue.analyses.study_document import summary_of
from catalogue.models import Game, Study
from tests.api.api_world import ApiTestCase
from tests.api.test_api_description import strict_document
from tests.every_address import a_study

OUTCOME: dict[str, Any] = {"key": "turns", "title": "Turns", "unit": "turns", "text": "All is one.", "questions": []}
DOCUMENT = {
    "id": "00112233445566aa", "game": "daramuti", "base": "daramuti-parker", "complete": False, "combinations": 128,
    "size": 500,
    "games": 100, "seed": 1, "players": "random", "questions": [{"slug": "opposite-puta"}], "outcomes": [OUTCOME],
    "cells": [],
}  # fmt: skip
PLOT = {"kind": "doubts-turns", "title": "T", "description": "D", "svg": "<svg/>", "table": {"columns": [], "rows": []}}


class StudyTests(ApiTestCase):
    study: ClassVar[Study]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        game = Game.objects.get(slug="daramuti")
        summary = summary_of(DOCUMENT)
        cls.study = Study.objects.create(
            id=DOCUMENT["id"], state="done", game=game, document=DOCUMENT, summary=summary, plots=[PLOT]
        )

    def test_the_list_says_what_was_varied_and_found(self) -> None:
        (row,) = self.read("studies/")["results"]
        assert row["id"] == "00112233445566aa"
        assert row["game"]["slug"] == "daramuti"
        assert row["questions"] == ["opposite-puta"]
        assert row["sentences"] == {"Turns": "All is one."}
        assert row["page"] == "http://testserver/studies/00112233445566aa/"
        assert "document" not in row
        assert "in 70 to 100 of 100 samples" in row["limits"]
        Study.objects.update(summary={**self.study.summary, "complete": True})
        assert self.read("studies/")["results"][0]["limits"] == ""
        assert self.queries("studies/") == 2

    def test_one_study_is_whole_with_the_addresses_of_its_plots(self) -> None:
        answer = self.read("studies/00112233445566aa/")
        assert answer["document"] == DOCUMENT
        (plot,) = answer["plots"]
        assert self.client.get(plot["url"]).content == b"<svg/>"

    def test_rows_are_as_they_are_described(self) -> None:
        document = strict_document()
        for component, answer in (
            ("PaginatedStudyList", self.read("studies/")),
            ("WholeStudy", self.read(f"studies/{a_study().id}/")),
        ):
            schema = {"$ref": f"#/components/schemas/{component}", "components": document["components"]}
            assert not list(Draft202012Validator(schema).iter_errors(answer)), component

    def test_studies_of_a_game(self) -> None:
        assert self.count("studies/?game=daramuti") == 1
        assert self.count("studies/?game=puhulmutu") == 0
        assert self.nearest("studies/?game=daramutti") == {"game": "daramuti"}
        assert self.nearest("studies/00112233445566ab/", 404) == {"id": "00112233445566aa"}
