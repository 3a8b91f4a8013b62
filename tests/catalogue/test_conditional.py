"""Kept pages, ETag and Last-Modified: nothing is rendered or sent twice, and every change shows on the next request."""

import email.utils
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import connection, models, transaction
from django.test import RequestFactory, override_settings

from catalogue.findings import kept
from catalogue.models import Comparison, Evidence, Game, GameName, Place, Question, Reading, Source, Suggestion
from catalogue.models.changes import DONE, LIVE, UNSEEN, content_version, table_of, watch_content
from catalogue.web.addresses import address_of
from catalogue.web.conditional import Rendering
from simulator.batches.service import request_batch
from simulator.models import Batch, Chunk, Plot, RulesetVersion
from tests.catalogue.page_world import CatalogueTestCase, finish
from tests.choice import half_of_the_day

IN_MEMORY = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "of the tests"}
AWAY = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
CACHES = {"default": IN_MEMORY | {"LOCATION": "another"}, "pages": IN_MEMORY}
RECORD, GAME, RULESET = "/evidence/DLP.Evidence.692/", "/games/daramuti/", "/rulesets/daramuti-parker/"
SOURCE = "/sources/parker-1909/"


@override_settings(CACHES=CACHES, KEEP_PAGES=True, API_REQUESTS_PER_MINUTE=0, API_REQUESTS_PER_HOUR=0)
class PagesTestCase(CatalogueTestCase):
    def setUp(self) -> None:
        caches["pages"].clear()

    def ask(self, address: str, **headers: str) -> Any:
        return self.client.get(address, headers={name.replace("_", "-"): value for name, value in headers.items()})


class ValidatorTests(PagesTestCase):
    def comparison(self) -> Comparison:
        return Comparison.objects.create(
            id="0123456789abcdef", names=["daramuti-parker", "daramuti-dlp"], bootstrap_seed=1, version=1,
            margins={"shares": 0.02, "amounts": 0.05},
        )  # fmt: skip

    def pages(self) -> list[str]:
        comparison = self.comparison()
        own = [RECORD, SOURCE, GAME, RULESET, f"/batches/{self.batch.id}/", f"/comparisons/{comparison.id}/"]
        return [f"{prefix}{address}" for address in own for prefix in ("", "/api/v1")]

    @pytest.mark.by_turns
    def test_pages_and_api_answers_are_not_sent_twice(self) -> None:
        for address in self.pages():
            with self.subTest(address):
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

    @pytest.mark.by_turns
    def test_unchanged_answers_carry_the_headers_of_the_answer(self) -> None:
        plot = self.batch.plots.all()[0].kind
        embedded = [
            f"/{subject}/{name}/outcomes/" for subject, name in (
                ("evidence", "DLP.Evidence.692"), ("games", "daramuti"), ("rulesets", "daramuti-parker"),
                ("batches", self.batch.id),
            )
        ]  # fmt: skip
        others = [
            RECORD, "/evidence/?place=sri-lanka", f"{GAME}outcomes/?level=random", f"{GAME}outcomes.svg?level=random",
            f"{GAME}outcomes.svg", f"{GAME}outcomes.csv", f"/plots/{self.batch.id}/{plot}.svg", "/data/",
            f"/plots/{self.batch.id}/{plot}.png", "/api/v1/games/", "/api/v1/evidence/?place=sri-lanka",
            f"/batches/{self.batch.id}/rows.csv",
        ]  # fmt: skip
        own = {"Content-Type", "Content-Length", "Content-Encoding", "Content-Disposition", "X-Request-ID", "Link",
               "RateLimit", "Accept-Ranges"}  # fmt: skip
        drawing = "/static/catalogue/mark.svg"
        file, policy = self.ask(drawing), "Content-Security-Policy"
        file.close()
        assert self.ask(drawing, if_none_match=file["ETag"])[policy] == file[policy]
        for address in embedded + others:
            with self.subTest(address):
                first = self.ask(address)
                for again in (self.ask(address), *(self.ask(address, if_none_match=first["ETag"]) for _ in range(2))):
                    said = [{name: value for name, value in one.items() if name not in own} for one in (first, again)]
                    assert said[1] == said[0]
                assert (again.status_code, "Content-Type" in again) == (304, False)
                assert ("frame-ancestors *" in again["Content-Security-Policy"]) == ("/outcomes/" in address)

    @pytest.mark.by_turns
    def test_an_editor_is_sent_his_own_page(self) -> None:
        first = self.ask(RECORD)
        self.client.force_login(User.objects.create_superuser("editor", password=None))
        for_editor = self.ask(RECORD, if_none_match=first["ETag"])
        assert for_editor.status_code == 200
        assert "Edit this record" in for_editor.content.decode()
        assert "Last-Modified" not in for_editor
        self.client.logout()
        assert "Edit this record" not in self.ask(RECORD).content.decode()

    @pytest.mark.by_turns
    def test_a_session_is_sent_tokens_and_its_etag_is_of_its_secret(self) -> None:
        self.client.force_login(User.objects.create_superuser("editor", password=None))
        self.ask(RULESET)
        first, second = self.ask(RULESET), self.ask(RULESET)
        assert first.content != second.content  # the mask of the token is another
        assert first["ETag"] == second["ETag"]
        assert first["ETag"].startswith('W/"')
        assert self.ask(RULESET, if_none_match=first["ETag"]).status_code == 304
        self.client.cookies["csrftoken"] = "another" * 5
        assert self.ask(RULESET, if_none_match=first["ETag"]).status_code == 200

    @pytest.mark.by_turns
    def test_a_page_and_its_linked_data_are_two_things(self) -> None:
        page, data = self.ask(RECORD), self.ask(RECORD, accept="application/ld+json")
        assert page["ETag"] != data["ETag"]
        assert self.ask(RECORD, accept="application/ld+json", if_none_match=page["ETag"]).status_code == 200
        assert self.ask(RECORD, accept="application/ld+json", if_none_match=data["ETag"]).status_code == 304

    def test_refusals_progress_and_the_admin_have_no_etag(self) -> None:
        for address in ("/evidence/DLP.Evidence.1/", f"/batches/{self.batch.id}/progress.json", "/admin/login/"):
            assert "ETag" not in self.ask(address), address

    def test_addresses_with_parameters_leave_nothing_behind(self) -> None:
        listed = self.ask("/evidence/?place=sri-lanka")
        assert "Last-Modified" not in listed
        with self.assertNumQueries(1):
            again = self.ask("/evidence/?place=sri-lanka", if_none_match=listed["ETag"])
        assert (again.status_code, again["Vary"]) == (304, listed["Vary"])
        assert self.ask("/evidence/?undated=yes", if_none_match=listed["ETag"]).status_code == 200
        assert not caches["pages"]._cache  # type: ignore[attr-defined]
        Place.objects.filter(slug="sri-lanka").update(name="Ceylon")
        assert self.ask("/evidence/?place=sri-lanka", if_none_match=listed["ETag"]).status_code == 200

    def test_what_is_forgotten_counts_as_changed(self) -> None:
        first = self.ask(SOURCE)
        caches["pages"].clear()
        with mock.patch("catalogue.web.conditional.time.time", return_value=4_000_000_000):
            assert self.ask(SOURCE, if_modified_since=first["Last-Modified"]).status_code == 200

    @override_settings(CACHES={"default": IN_MEMORY, "pages": AWAY})
    def test_pages_are_sent_where_no_cache_answers(self) -> None:
        response = self.ask(SOURCE)
        assert response.status_code == 200
        assert "Last-Modified" not in response
        assert self.ask(SOURCE, if_none_match=response["ETag"]).status_code == 304

    def test_senseless_headers_are_passed_over(self) -> None:
        for headers in (
            {"if_none_match": 'W/"'}, {"if_none_match": ","}, {"if_modified_since": "yesterday"},
            {"if_modified_since": "Sat, 99 Nov 2026 99:99:99 GMT"}, {"if_none_match": "x" * 5000},
        ):  # fmt: skip
            assert self.ask(SOURCE, **headers).status_code == 200


class KeptPageTests(PagesTestCase):
    def test_a_page_is_rendered_once_and_then_costs_one_query(self) -> None:
        first = self.ask(RECORD)
        for headers, status in (({}, 200), ({"if_none_match": first["ETag"]}, 304)):
            with self.assertNumQueries(1):
                again = self.ask(RECORD, **headers)
            assert again.status_code == status
            assert "csrftoken" not in again.cookies
        assert self.ask(RECORD).content == first.content
        compressed = self.ask(RECORD, accept_encoding="gzip")
        assert (compressed["Content-Encoding"], compressed["ETag"]) == ("gzip", f"W/{first['ETag']}")
        assert int(compressed["Content-Length"]) == len(compressed.content) < len(first.content)

    @pytest.mark.by_turns
    def test_kept_headers_are_those_of_the_rendered_page(self) -> None:
        first, again = self.ask(RECORD), self.ask(RECORD)
        both = [{name: value for name, value in one.items() if name != "X-Request-ID"} for one in (first, again)]
        assert both[0] == both[1]

    def test_what_reads_live_tables_or_writes_is_rendered_every_time(self) -> None:
        running = request_batch("daramuti-dlp", announce=False, games=300, seed=7)
        address = f"/batches/{running.id}/"
        before = self.ask(address).content
        Chunk.objects.filter(batch=running).update(state=Chunk.State.DONE)
        assert self.ask(address).content != before

    @pytest.mark.thorough
    def test_a_change_that_is_undone_leaves_nothing_behind(self) -> None:
        first = self.ask(RECORD)
        try:
            with transaction.atomic():
                Evidence.objects.filter(identifier="DLP.Evidence.692").update(ages="Ages of a draft")
                assert "Ages of a draft" in self.page(RECORD)
                raise ValueError
        except ValueError:
            assert self.ask(RECORD).content == first.content

    def test_whatever_a_page_shows_changes_it(self) -> None:
        """Written past the models, as loaders and workers write: neither signals nor histories know of it."""
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        version = RulesetVersion.objects.get(slug="daramuti-parker", number=1)
        daramuti = Game.objects.get(slug="daramuti")
        batch_page, batches = f"/batches/{self.batch.id}/", Batch.objects.filter(pk=self.batch.pk)
        records, parker = Evidence.objects.filter(pk=record.pk), Source.objects.filter(key="parker-1909")
        another = Evidence(identifier="A.1", type="t", game=daramuti, quotation="x")
        changes: list[tuple[list[str], Callable[[], object]]] = [
            ([RECORD, f"/api/v1{RECORD}"], lambda: records.update(ages="All")),
            ([RECORD, GAME], lambda: Game.objects.filter(pk=daramuti.pk).update(name="Daramutti")),
            ([RECORD, SOURCE, f"/api/v1{SOURCE}"], lambda: parker.update(as_printed="Printed anew")),
            ([RECORD, RULESET], lambda: Reading.objects.filter(slug="daramuti-parker").update(title="x")),
            ([RECORD, batch_page, f"/api/v1{batch_page}"], lambda: batches.update(summary={"sections": []})),
            ([RECORD, SOURCE, f"/api/v1{RECORD}"], lambda: record.citations.all().delete()),
            ([GAME], lambda: GameName.objects.bulk_create([GameName(game=daramuti, name="Puhul")])),
            ([GAME], lambda: Evidence.objects.bulk_create([another])),
            ([RULESET], lambda: RulesetVersion.objects.filter(pk=version.pk).update(date="2020-01-01")),
            ([batch_page], lambda: Plot.objects.filter(batch=self.batch).update(caption="Drawn anew")),
            ([batch_page, f"/api/v1{batch_page}"], lambda: batches.update(state=Batch.State.FAILED)),
        ]
        latest: dict[str, Any] = {}  # what was answered since the last change
        for number, (addresses, change) in enumerate(half_of_the_day(changes)):
            before = {address: latest.get(address) or self.ask(address) for address in addresses}
            latest = {}
            change()
            for address, first in before.items():
                with self.subTest(address, number=number):
                    # Not even within the second in which the page was sent.
                    latest[address] = again = self.ask(address, if_modified_since=first["Last-Modified"])
                    assert (again.status_code, again["ETag"] == first["ETag"]) == (200, False)
                    assert email.utils.parsedate(again["Last-Modified"]) > email.utils.parsedate(first["Last-Modified"])

    @pytest.mark.by_turns
    def test_a_batch_that_closes_shows_on_the_next_request(self) -> None:
        address = "/rulesets/daramuti-dlp/"
        running = request_batch("daramuti-dlp", announce=False, origin=Batch.Origin.DEMO)
        before = {page: self.ask(page).content for page in (address, "/batches/", "/findings/", "/")}
        finish(running, games=((10, 0, 1),) * running.games)
        for page, content in before.items():
            assert self.ask(page).content != content, page

    def test_an_edit_in_the_admin_shows_on_the_next_request(self) -> None:
        question = Question.objects.select_related("game").first()
        assert question
        address = question.get_absolute_url()
        assert "A title of the editors" not in self.page(address)
        question.title = "A title of the editors"
        question.save()
        assert "A title of the editors" in self.page(address)
        question.delete()
        assert self.ask(address).status_code in (404, 410)

    def test_an_answer_by_the_visitors_address_is_not_kept(self) -> None:
        rendering = Rendering()
        with rendering:
            address_of(RequestFactory().get("/"))
        assert not rendering.may_be_kept
        address_of(RequestFactory().get("/"))  # nor is anything wrong where nothing is rendered

    def test_a_suggestion_changes_no_page(self) -> None:
        before = content_version()
        Suggestion.objects.create(evidence=Evidence.objects.all()[0], kind="problem", text="Ten letters and more.")
        assert content_version() == before


CONTENT = sorted(
    (
        model
        for label in ("catalogue", "simulator")
        for model in apps.get_app_config(label).get_models(include_auto_created=True)
        if table_of(model) not in LIVE | UNSEEN
    ),
    key=lambda model: model._meta.label,
)


class ContentVersionTests(CatalogueTestCase):
    """Every table of content tells of every kind of write, in whatever way it is made."""

    def changes(self, model: type[models.Model], sql: str) -> bool:
        before = content_version([table_of(model)])
        with connection.cursor() as cursor:
            cursor.execute(sql)
            assert cursor.rowcount, sql
        return content_version([table_of(model)]) != before

    def test_every_table_tells_of_updates_new_rows_and_deletions(self) -> None:
        for model in CONTENT:
            table, key = table_of(model), model._meta.pk.column
            first = f'"{key}" = (SELECT "{key}" FROM "{table}" LIMIT 1)'
            if not model._base_manager.exists():
                continue
            with self.subTest(table):
                point = transaction.savepoint()
                assert self.changes(model, f'UPDATE "{table}" SET "{key}" = "{key}" WHERE {first}')
                assert self.changes(model, f'INSERT OR REPLACE INTO "{table}" SELECT * FROM "{table}" WHERE {first}')
                assert self.changes(model, f'DELETE FROM "{table}" WHERE {first}')
                transaction.savepoint_rollback(point)

    def test_every_table_of_content_has_its_triggers(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT tbl_name, count(*) FROM sqlite_master WHERE type = 'trigger' GROUP BY tbl_name")
            triggers = dict(cursor.fetchall())
        assert {table_of(model) for model in CONTENT} <= triggers.keys()
        assert all(number >= 3 for number in triggers.values())

    def test_every_table_that_is_named_is_there(self) -> None:
        tables = set(connection.introspection.table_names())
        assert LIVE | UNSEEN | DONE.keys() | kept.WITHOUT <= tables

    def test_triggers_come_back_after_a_table_was_made_anew(self) -> None:
        table = table_of(Game)
        with connection.cursor() as cursor:
            cursor.execute(f'DROP TRIGGER "content_changed_{table}_update"')
        assert not self.changes(Game, f"UPDATE {table} SET name = name")
        watch_content()
        assert self.changes(Game, f"UPDATE {table} SET name = name")

    def test_only_batches_that_are_done_count_for_findings(self) -> None:
        before = content_version(DONE.values())
        running = request_batch("daramuti-dlp", announce=False)
        assert content_version(DONE.values()) == before
        finish(running)
        closed = content_version(DONE.values())
        assert closed != before
        Batch.objects.filter(pk=running.pk).update(state=Batch.State.FAILED)
        assert content_version(DONE.values()) != closed


@pytest.mark.parametrize("model", ["Batch", "Solution", "Plot", "RulesetVersion", "Ladder"])
def test_rows_of_the_simulator_are_content(model: str) -> None:
    assert apps.get_model("simulator", model) in CONTENT
