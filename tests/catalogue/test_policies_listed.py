"""What the sources advise, as the page on figures lists it: words, record, rulesets, and what came of it in games."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.models import Evidence
from simulator import engine
from simulator.batches.service import request_batch
from simulator.engine.players.names import policies, policies_for
from simulator.models import Batch
from tests.catalogue.page_world import CatalogueTestCase, finish

PAGE = "/about/figures/"


class PoliciesTests(CatalogueTestCase):
    def listed(self) -> dict[str, BeautifulSoup]:
        """What stands below the heading of each, by name."""
        page = self.soup(PAGE)
        section = page.find(id="policies").find_parent("section")
        parts = re.split("(?=<h3)", section.decode_contents())[1:]
        soups = [BeautifulSoup(part, "lxml") for part in parts]
        return {soup.h3.code.get_text(): soup for soup in soups}

    def test_every_policy_has_its_words_record_and_rulesets(self) -> None:
        listed = self.listed()
        assert list(listed) == [f"policy:{name}" for name in policies()]
        fitting = {slug: policies_for(engine.load(slug)) for slug in engine.rulesets()}
        for name, policy in policies().items():
            part = listed[f"policy:{name}"]
            assert part.blockquote.get_text() == policy.quotation
            links = [link["href"] for link in part.find_all("a")]
            assert links[0] == f"/evidence/{policy.record}/"
            slugs = {link.split("/")[2] for link in links[1:]}
            assert slugs == {slug for slug, names in fitting.items() if f"policy:{name}" in names}

    @pytest.mark.by_turns
    def test_matches_of_policies_show_their_intervals(self) -> None:
        for players in ("random,policy:eat", "policy:eat", "policy:eat,uct:10"):
            batch = request_batch("daramuti-parker", games=8, players=players, announce=False)
            finish(batch)
        batch = Batch.objects.get(players="random,policy:eat")
        text = " ".join(self.listed()["policy:eat"].get_text(" ").split())
        # The second seat won two of the eight games.
        assert f"Against random it won 25.0 % (7.1 to 59.1) of 8 games: {batch.id}" in text
        assert text.count("it won") == 1

    def test_a_record_that_is_not_here_is_named_and_not_linked(self) -> None:
        Evidence.objects.filter(identifier=policies()["apex"].record).update(
            withdrawn_on="2026-11-01", withdrawn_reason="Asked for."
        )
        part = self.listed()["policy:apex"]
        assert policies()["apex"].source in part.get_text()
        assert all(not link["href"].startswith("/evidence/") for link in part.find_all("a"))

    def test_four_queries(self) -> None:
        with CaptureQueriesContext(connection) as queries:
            self.page(PAGE)
        assert len(queries) <= 4


class HeadingsTests(CatalogueTestCase):
    def test_what_templates_lead_to_within_a_document_is_there(self) -> None:
        templates = Path(settings.BASE_DIR) / "templates"
        leading = re.compile(r"{% url 'document' '(\w+)' %}#([\w-]+)")
        found = {match for file in templates.rglob("*.html") for match in leading.findall(file.read_text("utf-8"))}
        assert len(found) >= 3
        for name, mark in sorted(found):
            page = self.soup(f"/about/{name}/")
            assert page.find(id=mark) is not None, (name, mark)
