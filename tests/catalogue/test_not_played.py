"""Rules that the words tell and that are not played: said of rulesets, records and figures, and counted as wishes."""

import csv
import json
from io import StringIO

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command

from catalogue.models import Clause, Evidence, Reading
from catalogue.models.playability import in_part_in_words, unplayed_rules, wishes, with_playability
from tests.catalogue.page_world import CatalogueTestCase, plain

READING = "pancha-keliya-complex-marin-dice"
RECORD = "DLP.Evidence.1760"


class NotPlayed(CatalogueTestCase):
    def test_a_ruleset_lists_what_is_not_played(self) -> None:
        page = self.client.get(f"/rulesets/{READING}/").content.decode()
        assert 'id="not-played"' in page
        assert "The words tell 1 rule that no parameter has yet." in plain(page)
        assert "Played in part: one rule of" in plain(page), "beside the figure too"
        assert 'id="not-played"' not in self.client.get("/rulesets/daramuti-parker/").content.decode()

    def test_a_record_says_what_it_is(self) -> None:
        rows = with_playability(Evidence.objects.all())
        found = dict(rows.values_list("identifier", "playability"))
        assert (found[RECORD], found["DLP.Evidence.692"]) == ("playable_in_part", "playable")
        long, short = Evidence.objects.get(identifier="DLP.Evidence.692"), Evidence.objects.get(identifier=RECORD)
        for record in (long, short):
            record.readings.clear()
        Evidence.objects.filter(pk=short.pk).update(quotation="A board.", paraphrase="")
        found = dict(rows.values_list("identifier", "playability"))
        assert (found["DLP.Evidence.692"], found[RECORD]) == ("rules_unread", "without_rules")

    def test_its_words_count_as_read(self) -> None:
        answer = self.client.get(f"/api/v1/coverage/{RECORD}/").json()
        assert answer["quotation"]["unused"] >= 0
        words = Clause.objects.get(reading__slug=READING, not_played="effects-of-marked-squares").anchors.get()
        assert words.exact in Evidence.objects.get(identifier=RECORD).quotation

    def test_the_api_has_it_and_narrows_by_it(self) -> None:
        clauses = self.client.get(f"/api/v1/clauses/?not_played=yes&reading={READING}").json()["results"]
        assert {one["not_played"] for one in clauses} == {"effects-of-marked-squares"}
        ruleset = self.client.get(f"/api/v1/rulesets/{READING}/").json()
        (rule,) = ruleset["reading"]["not_played"]
        assert (rule["clause"], rule["missing"]) == ("other-special-squares", "effects-of-marked-squares")
        assert self.client.get(f"/api/v1/evidence/{RECORD}/").json()["playability"] == "playable_in_part"

    def test_wishes_are_counted(self) -> None:
        (wish,) = (wish for wish in wishes() if wish.tag == "effects-of-marked-squares")
        assert (wish.games, wish.readings) == (1, 2)
        out = StringIO()
        call_command("wishes", "--json", stdout=out)
        told = json.loads(out.getvalue())
        assert next(one for one in told["wishes"] if one["wish"] == wish.tag)["readings"] == 2
        assert told["answers_without_ruleset"]

    def test_figures_carry_it(self) -> None:
        words = in_part_in_words(unplayed_rules([READING])[READING])
        assert words.startswith("Played in part: one rule of ")
        reading = Reading.objects.get(slug="daramuti-parker")
        Clause.objects.create(reading=reading, slug="x", not_played="dice", basis="stated", text="They throw.")
        table = self.client.get("/rulesets/daramuti-parker/outcomes.csv").content.decode()
        rows = list(csv.DictReader(StringIO(table)))
        assert {row["not_played"] for row in rows} == {"1"}

    def test_a_rule_is_played_or_it_is_not(self) -> None:
        clause = Clause.objects.get(reading__slug=READING, slug="die")
        clause.clean()
        for fields in ({"not_played": "dice"}, {"parameters": []}):
            with pytest.raises(ValidationError):
                Clause(reading=clause.reading, slug="x", **{"parameters": clause.parameters, **fields}).clean()
