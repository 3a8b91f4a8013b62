"""Operators see workers and queues on one page, and stop or forget workers; who may only look changes nothing."""

import datetime
from typing import Any

import pytest
from celery import current_app
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from simulator import health
from simulator.batches.service import request_batch
from simulator.models import Batch, Chunk, Worker
from simulator.rulesets import SHIPPED, read_file

pytestmark = pytest.mark.django_db
PAGE = "/admin/simulator/worker/"


def signed_in(*permissions: str) -> Client:
    member, _ = User.objects.get_or_create(username="_".join(permissions) or "nobody", is_staff=True)
    member.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(member)
    return client


@pytest.fixture(autouse=True)
def some_workers() -> None:
    health.beat("one@here", ["celery"], 2, timezone.now())
    health.beat("gone@there", ["interactive"], 1, timezone.now())
    Worker.objects.filter(pk="gone@there").update(heartbeat=timezone.now() - 2 * Worker.silence())


def test_one_page_shows_workers_queues_batches_and_parts():
    batch = request_batch(read_file(SHIPPED / "daramuti-parker.json").ruleset, games=3, announce=False)
    later = timezone.now() + datetime.timedelta(minutes=1)
    Chunk.objects.update(state=Chunk.State.CLAIMED, lease_until=later, attempts=1)
    answer = signed_in("view_worker", "view_batch").get(PAGE)
    text = answer.content.decode()
    assert answer.status_code == 200
    for words in ("one@here", "gone@there", "icon-yes", "icon-no", f"{batch.id}/0", "MB are free", "REDIS_URL"):
        assert words in text, words
    assert answer.context["counts"] == {"running": 1, "failed": 0}
    assert next((one.kind, one.waiting, one.taken) for one in answer.context["queues"]) == ("chunks", 0, 1)
    assert list(dict(answer.context["shown"])["running"]) == [batch]
    Batch.objects.update(state=Batch.State.FAILED)
    assert list(dict(signed_in("view_worker", "view_batch").get(PAGE).context["shown"])["failed"]) == [batch]


def send(client: Client, action: str) -> Any:
    chosen = {"action": action, "_selected_action": ["one@here", "gone@there"]}
    return client.post(PAGE, chosen, follow=True)


def test_an_operator_stops_workers_and_forgets_silent_ones(monkeypatch: Any):
    said: list[Any] = []
    monkeypatch.setattr(current_app.control, "shutdown", lambda destination: said.append(destination))
    client = signed_in("view_worker", "operate_worker")
    assert "1 of 2 forgotten" in send(client, "forget").content.decode()
    assert list(Worker.objects.values_list("pk", flat=True)) == ["one@here"]
    send(client, "stop")
    assert said == [["one@here"]]


def test_who_may_only_look_changes_nothing(monkeypatch: Any):
    monkeypatch.setattr(current_app.control, "shutdown", lambda destination: pytest.fail("it was told to stop"))
    client = signed_in("view_worker")
    for action in ("forget", "stop"):
        send(client, action)
    assert Worker.objects.count() == 2
    assert signed_in().get(PAGE).status_code == 403
