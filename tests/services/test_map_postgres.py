"""The map and the time line say the same on PostgreSQL as on SQLite: sums, divisions and types are the database's."""

import json

import pytest

from tests.services.conftest import OnBoth

pytestmark = pytest.mark.services

ASK = """
import json
import django
django.setup()
from django.test import Client
from catalogue.models import Evidence, Game, Place
game = Game.objects.create(name="A game", slug="a-game")
points = [(-40.5, 0), (-39.5, 31), (-38.5, 62), (None, None), (-36.5, 124)]
places = [
    Place.objects.create(name=f"P {i}", slug=f"p-{i}", latitude=north, longitude=east)
    for i, (north, east) in enumerate(points)
]
def written(year):
    return f"-{-year:04d}" if year < 0 else f"{year:04d}"
for i in range(150):
    first = -1200 + 23 * i
    date = f"{written(first)}/{written(first + i)}"
    if i % 10 == 0:
        date = f"{written(first)}/.." if i % 20 else ""
    kind = ("Éthnography", "Artifact", "artifact")[i % 3]
    record = Evidence.objects.create(identifier=f"X.{i}", game=game, type=kind, quotation="A board.", date_edtf=date)
    record.places.add(*places[i % 6 : i % 6 + 1 + i % 2])
Evidence.objects.filter(identifier="X.7").update(withdrawn_on="2026-01-01", withdrawn_reason="A test.")
ADDRESSES = (
    "/map/", "/map/?z=2&x=5000&y=6000", "/map/?place=p-1&from=-500&to=900", "/map/?type=Artifact", "/timeline/",
    "/timeline/?from=-700&to=-100", "/timeline/?place=p-3", "/api/v1/map/", "/api/v1/map/?undated=yes",
    "/api/v1/timeline/", "/api/v1/timeline/?from=-7&to=1933", "/map/?type=x",
)
print(json.dumps({address: Client().get(address).content.decode() for address in ADDRESSES}))
"""


@pytest.mark.thorough
def test_both_databases_give_the_same_map_and_the_same_time_line(on_both: OnBoth, subtests: pytest.Subtests) -> None:
    expected, found = on_both.sqlite.python("-c", ASK), on_both.postgresql.python("-c", ASK)
    for address, text in expected.items():
        with subtests.test(address):
            assert found[address] == text
    assert "148 records" not in expected["/map/"]
    assert "149 records" in expected["/map/"]
    assert "A board." in expected["/map/"]
    assert json.loads(expected["/api/v1/timeline/"])["bins"]
