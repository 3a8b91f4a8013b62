"""ETag and Last-Modified: who has a page already is told so, and nobody is told so after anything has changed."""

import email.utils
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import override_settings

from catalogue.models import Comparison, Evidence, Game, GameName, Reading, Source
from simulator.models import Batch, Plot, RulesetVersion
from tests.catalogue.page_world import CatalogueTestCase

IN_MEMORY = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "of the tests"}
AWAY = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
CACHES = {"default": IN_MEMORY, "pages": IN_MEMORY}


@override_settings(CACHES=CACHES, API_REQUESTS_PER_MINUTE=0, API_REQUESTS_PER_HOUR=0)
class ConditionalTests(CatalogueTestCase):
    def setUp(self) -> None:
        caches["pages"].clear()
        self.comparison = Comparison.objects.create(
            id="0123456789abcdef", names=["daramuti-parker", "daramuti-dlp"], bootstrap_seed=1, version=1,
            margins={"shares": 0.02, "amounts": 0.05},
        )  # fmt: skip

    def pages(self) -> list[str]:
        own = [
            "evidence/DLP.Evidence.692/", "sources/parker-1909/", "games/daramuti/", "rulesets/daramuti-parker/",
            f"batches/{self.batch.id}/", f"comparisons/{self.comparison.id}/",
        ]  # fmt: skip
        return [f"{prefix}{one}" for one in own for prefix in ("/", "/api/v1/")]

    def ask(self, address: str, **headers: str) -> Any:
        return self.client.get(address, headers={name.replace("_", "-"): value for name, value in headers.items()})

    @pytest.mark.thorough
    def test_pages_and_their_twins_in_the_api_are_not_sent_twice(self):
        for address in self.pages():
            with self.subTest(address):
                self.ask(address)
                first = self.ask(address)
                by_tag = self.ask(address, if_none_match=first["ETag"])
                assert (by_tag.status_code, by_tag.content) == (304, b"")
                assert (by_tag["ETag"], by_tag["Vary"]) == (first["ETag"], first["Vary"])
                assert self.ask(address, if_modified_since=first["Last-Modified"]).status_code == 304
                assert self.ask(address, if_none_match='"another"').status_code == 200
                # The tag decides where there are both.
                both = {"if_none_match": '"another"', "if_modified_since": first["Last-Modified"]}
                assert self.ask(address, **both).status_code == 200
                assert self.client.head(address, headers={"if-none-match": first["ETag"]}).status_code == 304
                assert first["Cache-Control"] == "no-cache"

    @pytest.mark.thorough
    def test_whatever_a_page_shows_changes_it(self):
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        version = RulesetVersion.objects.get(slug="daramuti-parker", number=1)
        daramuti = Game.objects.get(slug="daramuti")
        record_page, game_page = "/evidence/DLP.Evidence.692/", "/games/daramuti/"
        ruleset_page, batch_page = "/rulesets/daramuti-parker/", f"/batches/{self.batch.id}/"
        source_page, parker = "/sources/parker-1909/", Source.objects.filter(key="parker-1909")
        records, batches = Evidence.objects.filter(pk=record.pk), Batch.objects.filter(pk=self.batch.pk)
        another = Evidence(identifier="A.1", type="t", game=daramuti, quotation="x")
        # Written past the models, as loaders and workers write: no signal and no history tells of it.
        changes = [
            ([record_page, f"/api/v1{record_page}"], lambda: records.update(ages="All")),
            ([record_page, game_page], lambda: Game.objects.filter(pk=daramuti.pk).update(name="Daramutti")),
            ([record_page, source_page, f"/api/v1{source_page}"], lambda: parker.update(as_printed="Printed anew")),
            ([record_page, ruleset_page], lambda: Reading.objects.filter(slug="daramuti-parker").update(title="x")),
            ([record_page, batch_page, f"/api/v1{batch_page}"], lambda: batches.update(summary={"sections": []})),
            ([record_page, source_page, f"/api/v1{record_page}"], lambda: record.citations.all().delete()),
            ([game_page], lambda: GameName.objects.bulk_create([GameName(game=daramuti, name="Puhul")])),
            ([game_page], lambda: Evidence.objects.bulk_create([another])),
            ([ruleset_page], lambda: RulesetVersion.objects.filter(pk=version.pk).update(date="2020-01-01")),
            ([batch_page], lambda: Plot.objects.filter(batch=self.batch).update(caption="Drawn anew")),
            ([batch_page, f"/api/v1{batch_page}"], lambda: batches.update(state=Batch.State.FAILED)),
        ]
        for number, (addresses, change) in enumerate(changes):
            before = {address: self.ask(address) for address in addresses}
            change()
            for address, first in before.items():
                with self.subTest(address, number=number):
                    # Not even within the second in which the page was sent.
                    again = self.ask(address, if_modified_since=first["Last-Modified"])
                    assert (again.status_code, again["ETag"] == first["ETag"]) == (200, False)
                    assert email.utils.parsedate(again["Last-Modified"]) > email.utils.parsedate(first["Last-Modified"])

    def test_the_mask_of_a_form_is_no_change_and_another_secret_is(self):
        address = "/rulesets/daramuti-parker/"
        stranger = self.ask(address)
        first, second = self.ask(address), self.ask(address)
        assert first.content != second.content
        assert first["ETag"] == second["ETag"] == stranger["ETag"]  # made for him and kept by him
        assert first["ETag"].startswith('W/"')
        assert self.ask(address, if_none_match=first["ETag"]).status_code == 304
        self.client.cookies["csrftoken"] = "another" * 5
        assert self.ask(address, if_none_match=first["ETag"]).status_code == 200
        # Who has thrown the cookies away and kept the page would send its form without the secret.
        self.client.cookies.clear()
        assert self.ask(address, if_none_match=stranger["ETag"]).status_code == 200
        # A programme that keeps neither has the time.
        self.client.cookies.clear()
        assert self.ask(address, if_modified_since=stranger["Last-Modified"]).status_code == 304

    def test_an_editor_is_sent_the_page_of_an_editor(self):
        address = "/evidence/DLP.Evidence.692/"
        first = self.ask(address)
        self.client.force_login(User.objects.create_superuser("editor", password=None))
        for_editor = self.ask(address, if_none_match=first["ETag"])
        assert for_editor.status_code == 200
        assert "Edit this record" in for_editor.content.decode()
        assert "Last-Modified" not in for_editor

    def test_a_page_and_its_linked_data_are_two_things(self):
        address = "/evidence/DLP.Evidence.692/"
        page, data = self.ask(address), self.ask(address, accept="application/ld+json")
        assert page["ETag"] != data["ETag"]
        assert self.ask(address, accept="application/ld+json", if_none_match=page["ETag"]).status_code == 200
        assert self.ask(address, accept="application/ld+json", if_none_match=data["ETag"]).status_code == 304

    def test_refusals_progress_and_the_admin_are_always_sent(self):
        for address in ("/evidence/DLP.Evidence.1/", f"/batches/{self.batch.id}/progress.json", "/admin/login/"):
            assert "ETag" not in self.ask(address), address

    def test_nothing_is_remembered_of_addresses_without_number(self):
        listed = self.ask("/evidence/?place=sri-lanka")
        assert "Last-Modified" not in listed
        assert self.ask("/evidence/?place=sri-lanka", if_none_match=listed["ETag"]).status_code == 304

    def test_what_is_forgotten_counts_as_changed(self):
        address = "/sources/parker-1909/"
        first = self.ask(address)
        caches["pages"].clear()
        with mock.patch("catalogue.pages.conditional.time.time", return_value=4_000_000_000):
            assert self.ask(address, if_modified_since=first["Last-Modified"]).status_code == 200

    @override_settings(CACHES={"default": IN_MEMORY, "pages": AWAY})
    def test_a_page_is_sent_even_if_nothing_can_be_remembered(self):
        response = self.ask("/sources/parker-1909/")
        assert response.status_code == 200
        assert "Last-Modified" not in response
        assert self.ask("/sources/parker-1909/", if_none_match=response["ETag"]).status_code == 304

    def test_headers_that_make_no_sense_are_passed_over(self):
        for headers in (
            {"if_none_match": 'W/"'}, {"if_none_match": ","}, {"if_modified_since": "yesterday"},
            {"if_modified_since": "Sat, 99 Nov 2026 99:99:99 GMT"}, {"if_none_match": "x" * 5000},
        ):  # fmt: skip
            assert self.ask("/sources/parker-1909/", **headers).status_code == 200
