"""Whoever watches the site sees whether it lives, is ready, and its figures; nobody else sees the last two."""

import datetime
import json
import logging
import re
import sys
from ipaddress import ip_network
from typing import Any

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from catalogue.web import metrics
from simulator import health
from simulator.batches.service import request_batch
from simulator.logs import JSONLine, Line, log_context
from simulator.models import Batch, Chunk
from simulator.rulesets import SHIPPED, read_file

WELL = health.Condition("part", "well")
NETWORKS = [ip_network("203.0.113.0/24"), ip_network("2001:db8::/32")]
FOREIGN = {"REMOTE_ADDR": "203.0.113.9"}


@pytest.fixture
def client() -> Client:
    return Client()


def figures(client: Client) -> dict[tuple[str, ...], float]:
    """Every sample by its name and the values of its labels."""
    text = client.get("/metrics").content.decode()
    families = text_string_to_metric_families(text)
    return {(sample.name, *sample.labels.values()): sample.value for family in families for sample in family.samples}


def test_the_site_lives_whatever_else_does_not(client: Client, monkeypatch: Any):
    monkeypatch.setattr(connection, "cursor", None)
    for address in ("/livez", "/healthz"):
        answer = client.get(address, **FOREIGN)
        assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_it_is_ready_when_every_part_is_and_says_which_is_not(client: Client):
    def parts(answer: Any) -> set[str]:
        return {name for name, part in answer.json()["parts"].items() if not part["ready"]}

    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        missing = client.get("/readyz")
        assert (missing.status_code, parts(missing)) == (503, {"broker", "workers"})
        assert missing.json()["parts"]["workers"]["remedy"] == "Start a worker; see its log."
        assert missing["Cache-Control"] == "no-store"
        health.beat("one@here", ["celery"], 2, timezone.now())
        assert parts(client.get("/readyz")) == {"broker"}


@pytest.mark.django_db
def test_it_is_ready_when_every_part_is(client: Client, monkeypatch: Any):
    health.beat("one@here", ["celery"], 2, timezone.now())
    monkeypatch.setattr(health, "answers", lambda url: None)  # as if a broker stood there
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        assert (client.get("/readyz").status_code, client.get("/readyz").json()["ready"]) == (200, True)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("settings", "sent", "status"),
    [
        ({}, {}, 200),
        ({}, FOREIGN, 403),
        ({}, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 403),
        ({"TRUSTED_PROXIES": 1}, {"HTTP_X_FORWARDED_FOR": "203.0.113.9"}, 403),
        ({"TRUSTED_PROXIES": 1}, {"HTTP_X_FORWARDED_FOR": "127.0.0.1, 203.0.113.9"}, 403),
        ({"WATCH_ADDRESSES": NETWORKS}, FOREIGN, 200),
        ({"WATCH_ADDRESSES": NETWORKS}, {"REMOTE_ADDR": "2001:db8::5"}, 200),
        ({"WATCH_ADDRESSES": []}, {}, 403),
        ({"WATCH_TOKEN": "open sesame"}, {**FOREIGN, "HTTP_AUTHORIZATION": "Bearer open sesame"}, 200),
        ({"WATCH_TOKEN": "open sesame"}, {**FOREIGN, "HTTP_AUTHORIZATION": "Bearer else"}, 403),
        ({}, {**FOREIGN, "HTTP_AUTHORIZATION": "Bearer "}, 403),
    ],
)
@pytest.mark.by_turns
def test_figures_are_shown_to_those_whom_the_settings_name(
    client: Client, settings: dict[str, Any], sent: dict[str, str], status: int
):
    with override_settings(**settings):
        assert client.get("/metrics", **sent).status_code == status


@pytest.mark.by_turns
@pytest.mark.django_db
def test_figures_say_what_waits_what_was_played_and_who_plays(client: Client):
    batch = request_batch(read_file(SHIPPED / "daramuti-parker.json").ruleset, games=3, announce=False)
    hour = datetime.timedelta(hours=1)
    Batch.objects.filter(pk=batch.pk).update(created=timezone.now() - hour)
    health.beat("one@here", ["celery"], 2, timezone.now())
    found = figures(client)
    assert found["queue_waiting", "chunks"] == 1
    assert 3600 <= found["queue_oldest_seconds", "chunks"] < 3660
    assert (found["batches", "running"], found["batches", "failed"]) == (1, 0)
    assert (found["workers",], found["worker_processes",]) == (1, 2)
    Chunk.objects.update(state="done", finished=timezone.now(), games=600, seconds=4.0)
    Chunk.objects.create(batch=batch, number=1, first_game=3, games=9, state="done", finished=timezone.now() - hour)
    found = figures(client)
    assert (found["queue_waiting", "chunks"], found["chunks_finished",]) == (0, 1)
    assert found["games_per_second",] == 2
    assert (found["chunk_seconds", "mean"], found["chunk_seconds", "longest"]) == (4, 4)


@pytest.mark.by_turns
@pytest.mark.django_db
def test_requests_are_counted_by_route_and_status_only(client: Client):
    before = figures(client)
    client.get("/games/no-such-game/")
    client.get("/no/such/address/")
    client.generic("BREW", "/games/")
    after = figures(client)

    def more(route: str, method: str, status: str) -> float:
        key = ("http_requests_total", method, route, status)
        return after.get(key, 0) - before.get(key, 0)

    assert more("game", "GET", "404") == 1
    assert more("other", "GET", "404") == 1
    assert more("game-list", "other", "405") + more("game-list", "other", "200") == 1
    assert not any("no/such" in part for key in after for part in key)


@pytest.mark.django_db
def test_no_figure_reads_a_whole_table_of_what_grows():
    with CaptureQueriesContext(connection) as queries:
        list(metrics.Rows().collect())
    assert len(queries) <= 8
    with connection.cursor() as cursor:
        for query in queries:
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
            scanned = re.findall(r"SCAN (simulator_\w+)", " ".join(row[3] for row in cursor.fetchall()))
            assert set(scanned) <= {"simulator_worker"}, query["sql"]


@pytest.mark.parametrize(
    ("given", "taken"),
    [("0af7651916cd43dd8448eb211c80319c", True), ("short", False), ('x" y\nz-------', False), ("", False)],
)
def test_an_answer_says_the_name_of_its_request(client: Client, given: str, taken: bool):
    named = client.get("/livez", headers={"X-Request-ID": given})["X-Request-ID"]
    assert (named == given) is taken
    assert re.fullmatch("[0-9a-f]{32}", named)


def test_a_line_of_the_log_says_when_and_what_it_belongs_to():
    record = logging.LogRecord("some.module", logging.WARNING, "", 1, "%s failed", ("it",), None)
    record.created, record.msecs = 1_790_000_000.25, 250.0
    with log_context(request="abcdefgh"), log_context(batch="00ff", chunk="3"):
        line, document = Line().format(record), json.loads(JSONLine().format(record))
    assert line == "2026-09-21T14:13:20.250Z WARNING some.module [request=abcdefgh batch=00ff chunk=3] it failed"
    assert document == {
        "time": "2026-09-21T14:13:20.250Z",
        "level": "WARNING",
        "logger": "some.module",
        "message": "it failed",
        "request": "abcdefgh",
        "batch": "00ff",
        "chunk": "3",
    }
    assert Line().format(record).endswith("some.module it failed")


FORGED = "\n2026-09-21T14:13:20.250Z ERROR catalogue.backups restored by admin"
UNSEEN = "".join(
    map(chr, (*range(32), *range(127, 160), 0x61C, 0x200E, 0x2028, 0x2029, 0x202E, 0x2066, 0x2069, 0xD800))
)


def test_nobody_forges_a_line_of_the_log():
    """By a message, what is known of it, or the words of an error; what is seen stays as it is."""
    seen = "ක්\u200dරීඩා “Kõt\u0303i” \\n 𝕏"
    try:
        raise ValueError(f"{FORGED}{UNSEEN}{FORGED}\r{FORGED}")
    except ValueError:
        error = sys.exc_info()
    record = logging.LogRecord("some.module", logging.WARNING, "", 1, "%s", (f"/x{FORGED}{UNSEEN}{seen}",), error)
    record.stack_info = f"Stack:{FORGED}"
    with log_context(batch=f"0{FORGED}{UNSEEN}"):
        line, written = Line().format(record), JSONLine().format(record)
    first, *below = line.split("\n")
    assert first.endswith(seen)
    assert [one for one in below if not one.startswith("    ")] == []
    assert "ValueError" in line
    assert r"\u000a2026-09-21" in first
    assert not set(UNSEEN) & set(line.replace("\n", "") + written)
    document = json.loads(written)
    assert document["message"] == f"/x{FORGED}{UNSEEN}{seen}"
    assert "ValueError" in document["trace"]
    assert f"Stack:{FORGED}" in document["trace"]


def test_what_strangers_send_wrongly_is_one_line(client: Client, caplog: pytest.LogCaptureFixture):
    """A made-up host in a request of any method, a form that is none, and a refusal: no traceback."""
    caplog.handler.setFormatter(Line())
    for method in (client.get, client.post, client.put, client.delete, client.options):
        for path in ("/", "/api/v1/batches/", "/no/such/page/"):
            assert method(path, headers={"host": "evil.example\x1b[31m"}).status_code == 400
    form = "multipart/form-data; boundary=\xff"
    client.generic("POST", "/suggest/", b"x", content_type=form, headers={"sec-fetch-site": "same-origin"})
    assert "evil.example" in caplog.text
    assert not [line for line in caplog.text.splitlines() if line.startswith("    ")]
    with pytest.raises(ZeroDivisionError) as told:
        1 / 0  # noqa: B018
    logging.getLogger("django.request").error("Internal Server Error", exc_info=told.value, extra={"status_code": 500})
    assert "ZeroDivisionError" in caplog.text
