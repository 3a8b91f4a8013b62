"""Kept pages on PostgreSQL and SQLite: a change shows on the next request, and writers do not wait for each other."""

import pytest

from tests.services.conftest import OnBoth

pytestmark = pytest.mark.services

ASK = """
import json, threading
import django
from django.conf import settings
settings.CACHES["pages"] = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}  # nobody serves the shared one
django.setup()
from django.db import connection, connections, transaction
from django.test import Client
from catalogue.models import ContentVersion, Evidence, Game
from catalogue.models.changes import content_version
found = {}
game = Game.objects.create(name="A game", slug="a-game")
client = Client()

def shows(text):
    client.get("/games/a-game/")
    return text in client.get("/games/a-game/").content.decode()

found["new"] = shows("A game")
Game.objects.filter(pk=game.pk).update(name="Renamed at once")
found["updated"] = shows("Renamed at once")
Evidence.objects.bulk_create([Evidence(identifier="X.1", game=game, type="t", quotation="A new quotation.")])
found["inserted"] = shows("X.1")
with connection.cursor() as cursor:
    cursor.execute("DELETE FROM catalogue_evidence")
found["deleted"] = shows("X.1")
before = content_version()
try:
    with transaction.atomic():
        Game.objects.update(name="Undone")
        found["within"] = content_version() != before
        raise ValueError
except ValueError:
    found["undone"] = content_version() == before

versions = {content_version()}
for number in range(50):
    Game.objects.update(name=f"Name {number}")
    versions.add(content_version())
found["different"] = len(versions)
ContentVersion.objects.update(changed="2020-01-01T00:00:00Z")
for number in range(20):
    Game.objects.update(name=f"Another {number}")
found["rows"] = ContentVersion.objects.filter(key="catalogue_game").count()

if connection.vendor == "postgresql":
    # Another transaction has written, and is still open: a writer of other rows of the table does not wait for it.
    other = Game.objects.create(name="Another game", slug="another-game")
    begun, end = threading.Event(), threading.Event()
    def long():
        with transaction.atomic():
            Game.objects.filter(pk=game.pk).update(name="Long")
            begun.set()
            end.wait(20)
        connections.close_all()
    thread = threading.Thread(target=long)
    thread.start()
    begun.wait(20)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '3s'")
    Game.objects.filter(pk=other.pk).update(name="Short")
    between = content_version()
    end.set()
    thread.join()
    found["late commit"] = content_version() != between
print(json.dumps(found))
"""


@pytest.mark.thorough
def test_a_change_shows_on_the_next_request(on_both: OnBoth) -> None:
    expected = {
        "new": True, "updated": True, "inserted": True, "deleted": False, "within": True, "undone": True,
        "different": 51,
    }  # fmt: skip
    for machine in (on_both.sqlite, on_both.postgresql):
        found = machine.python("-c", ASK)
        late, rows = found.pop("late commit", True), found.pop("rows")
        assert found == expected
        assert late, "what is committed late shows too"
        assert rows <= 21, "old numbers are removed"
