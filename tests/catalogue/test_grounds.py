"""On the page of a ruleset each rule stands with what it rests on, and no clause is lost by that."""

import pytest

from catalogue.evidence.clauses import clauses_of, newest_rulesets
from catalogue.models import Reading
from simulator.engine.family import family
from simulator.models import RulesetVersion
from simulator.rulesets import as_engine
from tests.catalogue.page_world import CatalogueTestCase


class GroundTests(CatalogueTestCase):
    @pytest.mark.by_turns
    def test_every_rule_and_every_clause_stands_once(self) -> None:
        for reading in Reading.objects.filter(game__slug__in=("daramuti", "kotu-ellima")):
            page = self.soup(f"/rulesets/{reading.slug}/")
            ruleset = RulesetVersion.objects.filter(slug=reading.slug).latest("number").ruleset
            keys = [key for key, _, _ in family(ruleset.family).words(as_engine(ruleset))]
            assert [rule["id"] for rule in page.select(".grounded > li")] == [f"rule-{key}" for key in keys]
            texts = [one.clause.text for one in clauses_of([reading.slug])[reading.slug]]
            assert len(page.select(".grounded .rules-read > li, summary:has(#clauses) ~ ul > li")) == len(texts)

    def test_every_rule_that_a_page_tells_has_a_clause(self) -> None:
        """What is left out of a document is read too, where that is itself a way to play."""
        slugs = Reading.objects.exclude(kind=Reading.Kind.REFERENCE).values_list("slug", flat=True)
        clauses, bare = clauses_of(slugs), {}
        for slug, ruleset in newest_rulesets(slugs).items():
            covered = {key for held in clauses[slug] for key in held.parameters}
            told = [key for key, _, _ in family(ruleset.family).words(ruleset)]
            if missing := [key for key in told if key not in covered]:
                bare[slug] = missing
        assert bare == {}

    def test_each_rule_leads_to_the_clause_that_covers_it(self) -> None:
        page = self.soup("/rulesets/daramuti-parker/")
        for clause in clauses_of(["daramuti-parker"])["daramuti-parker"]:
            if clause.inherited or page.select_one(f"summary:has(#clauses) ~ ul #clause-{clause.clause.slug}"):
                continue
            under = page.find(id=f"clause-{clause.clause.slug}").find_parent("li", id=True)
            assert under["id"].removeprefix("rule-") in clause.parameters
            for key in set(clause.parameters) - {under["id"].removeprefix("rule-")}:
                if other := page.find(id=f"rule-{key}"):
                    assert other.find("a", href=f"#{under['id']}")
