"""Bounds of visitors hold when sixteen ask at the same moment, on both databases: as many get it as may, in turn."""

import pytest

from tests.services.conftest import OnBoth
from tests.services.machine import Machine

pytestmark = pytest.mark.services

ASK = """
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import django
django.setup()
from django.conf import settings
from django.db import connection
from django.test import Client
from catalogue.models import Evidence, Game, Suggestion
from simulator.batches import chunks
from simulator.batches.requests import check_request
from simulator.batches.service import request_batch
from simulator.models import Batch, Reply
from simulator.problems import QueueFull
from simulator.rulesets import find
from simulator.strength.replies import request_reply

THREADS, ALLOWED = 16, 4
barrier = Barrier(THREADS)
Evidence.objects.create(identifier="X.1", game=Game.objects.create(name="A", slug="a"), type="A", quotation="b")
kalah, oware = find("kalah-reference"), find("oware-reference")
request_batch(kalah, announce=False)
request_batch(oware, announce=False)
settings.CELERY_BROKER_URL = "memory://"

def together(ask):
    def one(number):
        barrier.wait(600)
        try:
            return ask(number)
        finally:
            connection.close()
    with ThreadPoolExecutor(THREADS) as pool:
        return sorted(pool.map(one, range(THREADS)))

def batch(number):
    sent = {"ruleset": "kalah-reference", "games": 10, "cap": 100, "seed": number + 1}
    address = f"[2001:db8:0:1::{number:x}]:{4000 + number}"
    return Client(REMOTE_ADDR=address).post("/api/v1/batches/", sent, content_type="application/json").status_code

def batch_of_many(number, seed=0):
    sent = {"ruleset": "oware-reference", "games": 10, "cap": 100, "seed": seed or number + 1}
    address = f"192.0.2.{number}"
    return Client(REMOTE_ADDR=address).post("/api/v1/batches/", sent, content_type="application/json").status_code

def suggestion(number):
    sent = {"kind": "problem", "text": f"Reader {number} says so."}
    return Client(REMOTE_ADDR=f"198.51.100.{number % WAYS}").post("/evidence/X.1/suggest/", sent).status_code

def reply(number):
    try:
        return request_reply(kalah, "uct:100", number, [], "203.0.113.9") and 201
    except QueueFull:
        return 429

found = {}
works = [check_request(one, games=10, cap=100).work for one in (kalah, oware)]
settings.VISITOR_WORK_PER_HOUR = ALLOWED * works[0]
found["batches of one network"] = together(batch)
assert Batch.objects.filter(origin="visitor").count() == found["batches of one network"].count(201)
Batch.objects.filter(origin="visitor").delete()
settings.VISITOR_WORK_PER_HOUR, settings.VISITOR_WORK_QUEUED = 10**9, ALLOWED * works[1]
found["batches of all"] = together(batch_of_many)
Batch.objects.filter(origin="visitor").delete()
found["refusals of the same batch"] = [one for one in together(lambda number: batch_of_many(number, 99)) if one > 201]
assert Batch.objects.filter(origin="visitor").count() == 1
settings.VISITOR_WORK_QUEUED = 10**9
Batch.objects.all().delete()
for visitor, seed in ((1, 1), (1, 2), (1, 3), (2, 4)):
    batch_of_many(visitor, seed)
found["seeds in the order of claims"] = [chunks.claim().batch.seed for _ in range(4)]
settings.SUGGESTIONS_PER_HOUR, settings.ALL_SUGGESTIONS_PER_HOUR, WAYS = ALLOWED, 1000, 1
found["suggestions of one address"] = together(suggestion)
settings.SUGGESTIONS_PER_HOUR, settings.ALL_SUGGESTIONS_PER_HOUR, WAYS = 1000, 2 * ALLOWED, 16
found["suggestions of all"] = together(suggestion)
assert Suggestion.objects.count() == 2 * ALLOWED
thought = request_reply(kalah, "uct:100", 1000, []).work
settings.VISITOR_WORK_PER_HOUR = ALLOWED * thought
found["replies"] = together(reply)
assert Reply.objects.exclude(visitor="").count() == found["replies"].count(201)
print(json.dumps(found))
"""


def admitted(machine: Machine) -> dict[str, list[int]]:
    machine.environment |= {"API_REQUESTS_PER_MINUTE": "0", "API_REQUESTS_PER_HOUR": "0", "REDIS_URL": "memory://"}
    answers: dict[str, list[int]] = machine.python("-c", ASK)
    return answers


EXPECTED = {
    "batches of one network": [201] * 4 + [429] * 12,
    "batches of all": [201] * 4 + [429] * 12,
    "refusals of the same batch": [],
    "seeds in the order of claims": [1, 4, 2, 3],
    "suggestions of one address": [302] * 4 + [429] * 12,
    "suggestions of all": [302] * 4 + [429] * 12,
    "replies": [201] * 4 + [429] * 12,
}


@pytest.mark.thorough
def test_sixteen_at_once_are_bounded_on_sqlite(on_both: OnBoth) -> None:
    assert admitted(on_both.sqlite) == EXPECTED


@pytest.mark.thorough
def test_sixteen_at_once_are_bounded_on_postgresql(on_both: OnBoth) -> None:
    assert admitted(on_both.postgresql) == EXPECTED
