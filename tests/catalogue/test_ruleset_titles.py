"""Rulesets in words: by their reading, else by the one they are nearest to and what they have otherwise."""

from typing import Any

import pytest

from catalogue.models import Reading
from catalogue.models.querysets import RulesetTitle, RulesetTitles
from simulator import rulesets
from simulator.models import Ruleset
from tests.catalogue.page_world import CatalogueTestCase, played_batch

CHANGED = "Daramuti, after Parker 1909, but: a hole with 5 is passed over while sowing, except by the last counter"


def plain(text: str) -> str:
    return " ".join(text.split())


def changed(name: str, **values: Any) -> Ruleset:
    return rulesets.save(rulesets.find(name, {key: str(value) for key, value in values.items()}))


class Titles(CatalogueTestCase):
    def title(self, row: Ruleset, slug: str = "") -> str:
        return str(RulesetTitles().of(row, slug))

    def test_a_reading_has_its_title_and_names_an_earlier_version(self) -> None:
        now, before = (rulesets.save(rulesets.find(name)) for name in ("nerenchi-keliya-parker", "dam-ludii@1"))
        assert self.title(now) == Reading.objects.get(slug="nerenchi-keliya-parker").title
        assert self.title(before) == f"{Reading.objects.get(slug='dam-ludii').title}, version 1"

    def test_other_rules_are_named_by_the_nearest_reading(self) -> None:
        row = changed("daramuti-parker", pass_over=5)
        assert self.title(row) == CHANGED
        more = changed("daramuti-parker", pass_over=5, counters_per_hole=5, holes_per_row=9)
        assert self.title(more).startswith("Daramuti, after Parker 1909, but: ")
        assert self.title(more).endswith("; 1 rule more")

    def test_a_heading_is_short_and_the_rest_follows(self) -> None:
        one, two = "no relay", "a hole with 5 is passed over while sowing, except by the last counter"
        longer = "counters that are taken go out of the game for good, whoever took them"
        game, long = (
            "Daramuti, after Parker 1909",
            "Pancha keliya (complex), Marin’s board with the rules of Pancha keliya",
        )
        for title, heading in (
            (RulesetTitle(game), game),
            (RulesetTitle(game, (one, one, one)), f"{game}, but: no relay; no relay; no relay"),
            (RulesetTitle(game, (two,)), f"{game}, but: {two}"),
            (RulesetTitle(game, (one, two, one)), f"{game}, but: no relay; 2 rules more"),
            (RulesetTitle(game, (two, longer)), f"{game}, with 2 rules changed"),
            (RulesetTitle(long, (two,)), f"{long}, with a rule changed"),
            (RulesetTitle(long + " played by four on it", (two,)), "Pancha keliya (complex), with a rule changed"),
        ):
            assert title.heading == heading
            assert len(heading) <= 110
            assert all(rule in title.whole for rule in title.but)

    def test_readings_of_the_same_content_are_all_named(self) -> None:
        row = rulesets.save(rulesets.find("puhulmutu-dlp"))
        assert self.title(row, "puhulmutu-dlp") == "Puhulmutu, after today’s summary (DLP)"
        assert self.title(row) == "Daramuti and Puhulmutu, after today’s summary (DLP)"

    def test_pages_and_api_say_it_and_keep_the_hash_for_the_foot(self) -> None:
        row = changed("daramuti-parker", pass_over=5)
        batch = played_batch(row.hash)
        said = f"8 games of {CHANGED}"
        page = self.soup(f"/batches/{batch.id}/")
        assert plain(page.h1.get_text()) == said
        assert said in page.title.get_text()
        assert row.hash in page.main.get_text()
        assert self.client.get(f"/api/v1/batches/{batch.id}/").json()["title"] == said
        listed = self.soup("/batches/").select("tbody th a")
        assert any(said.partition(" of ")[2] in plain(one.get_text()) for one in listed)
        assert said.partition(" of ")[2] in self.page(f"/rulesets/{row.hash}/play-a-game/")

    @pytest.mark.by_turns
    def test_an_unplayed_change_has_the_same_title(self) -> None:
        page = self.soup("/rulesets/daramuti-parker/change/?set.pass_over=5")
        assert plain(page.h1.get_text()) == f"What if? {CHANGED}"

    def test_a_list_of_many_takes_as_many_queries_as_one_of_few(self) -> None:
        for value in (4, 5):
            played_batch(changed("daramuti-parker", pass_over=value).hash)
        with self.assertNumQueries(7):  # how many; batches, rulesets, names; readings, their versions, their rulesets
            self.page("/batches/")
