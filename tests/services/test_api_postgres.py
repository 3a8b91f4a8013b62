"""Lists of the API on PostgreSQL: a cursor compares several columns at once, as each database does in its own way."""

import pytest

from tests.services.conftest import OnBoth
from tests.services.machine import Machine

pytestmark = pytest.mark.services

ASK = """
import json, random
import django
django.setup()
from django.test import Client
from tests.api.api_world import lists
from catalogue.models import Evidence, Game, Source
from simulator.models import Batch, Ruleset
random.seed(3)
games = [Game.objects.create(name=f"{letter} game", slug=f"{letter}-game") for letter in "bcadzy"]
for number in random.sample(range(5, 2000, 61), 30):
    date = f"{random.choice((1700, 1800, 1909)):04d}" if number % 3 else ""
    values = {"game": random.choice(games), "type": "A", "quotation": "b", "date_edtf": date}
    Evidence.objects.create(identifier=f"X.{number}", **values)
    author, year = random.choice("ab"), number % 4 or None
    Source.objects.create(key=f"k-{number}", as_printed=str(number), authors=author, year=year)
ruleset = Ruleset.objects.create(hash="0" * 64, family="sowing", document={"family": "sowing"})
for number in range(9):
    Batch.objects.create(id=f"{number:016x}", ruleset=ruleset, family_version=1, players="random", seed=1,
                         games=number // 3 + 1, cap=9, work=9)
found = {}
for name in ("evidence", "sources", "games", "batches"):
    view = lists()[name]
    for order in (way + order for order in view.orderings for way in ("", "-")):
        seen, address = [], f"/api/v1/{name}/?cursor=*&page_size=11&fields=url&ordering={order}"
        while address:
            answer = Client().get(address)
            assert answer.status_code == 200, (address, answer.content)
            seen += [row["url"] for row in answer.json()["results"]]
            address = answer.json()["next"]
        assert len(seen) == len(set(seen)) == Client().get(f"/api/v1/{name}/").json()["count"], (name, order)
        found[f"{name} {order}"] = seen
for path in ("evidence/?cursor=WzFd:x", "evidence/x.1/", "evidence/?ordering=yaer", "evidence/?type=B", "games/x/"):
    found[path] = Client().get(f"/api/v1/{path}").json()
print(json.dumps(found))
"""


def answers(machine: Machine) -> dict[str, object]:
    machine.environment |= {"API_REQUESTS_PER_MINUTE": "0", "API_REQUESTS_PER_HOUR": "0", "REDIS_URL": ""}
    contents: dict[str, object] = machine.python("-c", ASK)
    return contents


@pytest.mark.thorough
def test_lists_by_cursor_are_the_same_on_both_databases(on_both: OnBoth) -> None:
    expected, found = answers(on_both.sqlite), answers(on_both.postgresql)
    for name, rows in expected.items():
        assert found[name] == rows, name
    assert len(expected["evidence year"]) == 30  # type: ignore[arg-type]
