"""Identifiers, citations, lists with numbers and the sitemap say the same on PostgreSQL as on SQLite."""

import pytest

from tests.services.conftest import OnBoth

pytestmark = pytest.mark.services

ASK = """
import json
import django
django.setup()
from django.db import IntegrityError, transaction
from django.test import Client
from catalogue.models import Claim, Evidence, Game, Place, Question, Source
from simulator.models import Ruleset, RulesetVersion
games = [Game.objects.create(name=f"Game {i}", slug=f"game-{i}") for i in range(3)]
places = [Place.objects.create(name=f"Place {i}", slug=f"place-{i}") for i in range(3)]
sources = [
    Source.objects.create(key=f"doe-19{i:02}", authors="Doe, J.", year=1900 + i, title=f"Böard {i}", as_printed=f"{i}")
    for i in range(3)
]
for i in range(40):
    record = Evidence.objects.create(identifier=f"X.{i}", type="Text", game=games[i % 2], quotation="A board.")
    record.places.add(*places[: i % 3])
    record.citations.create(source=sources[i % 3], role="quoted", locator=f"{i}-{i + 1}")
    record.history.update(history_date=f"2026-01-{1 + i % 28:02}T00:00Z")
Evidence.objects.filter(identifier="X.7").update(withdrawn_on="2026-01-01", withdrawn_reason="A test.")
try:
    with transaction.atomic():
        Evidence.objects.filter(identifier="X.8").update(withdrawn_on="2026-01-01")
    raise AssertionError("a record was withdrawn without a reason")
except IntegrityError:
    pass
Question.objects.create(game=games[0], slug="who-begins", title="Who begins?", text="x")
Claim.objects.create(game=games[0], slug="it-is-long", title="It is long", text="x", judged_by="nothing")
ruleset = Ruleset.objects.create(hash="0123456789abcdef" * 4, family="sowing", document={})
RulesetVersion.objects.create(slug="game-0-doe", number=1, ruleset=ruleset, date="2026-01-01")
PAGES = (
    "/games/", "/places/", "/sources/", "/places/place-1/", "/sources/doe-1901/", "/evidence/X.7/", "/evidence/X.700/",
    "/sitemap-games.xml", "/sitemap-evidence.xml", "/cite/record/X.1.ris", "/cite/source/doe-1902.bib",
    "/api/v1/evidence/X.7/", "/api/v1/games/", "/api/v1/sources/",
)
NAMES = (
    "X.1", "X.7", "X.99", "doe-1901", "doe-1991", "game-1", "game-9", "place-2", "game-0-doe@1", "game-0-doe",
    "01234567", "game-0/who-begins", "game-0/it-is-longer", "clause/a/b", "question/game-0/who-began", "ÿ", "0" * 16,
)
answers = {address: Client().get(address) for address in (*PAGES, *(f"/id/{name}" for name in NAMES))}
pages = {address: [one.status_code, one.get("Location", ""), one.content.decode()] for address, one in answers.items()}
print(json.dumps(pages))
"""


@pytest.mark.thorough
def test_both_databases_give_the_same_answers(on_both: OnBoth, subtests: pytest.Subtests) -> None:
    expected, found = on_both.sqlite.python("-c", ASK), on_both.postgresql.python("-c", ASK)
    for address, answer in expected.items():
        with subtests.test(address):
            assert found[address] == answer
    assert {address: status for address, (status, *_) in expected.items() if status not in (200, 303)} == {
        "/evidence/X.7/": 410, "/api/v1/evidence/X.7/": 410, "/id/X.7": 410, "/evidence/X.700/": 404, "/id/X.99": 404,
        "/id/doe-1991": 404, "/id/game-9": 404, "/id/game-0/it-is-longer": 404, "/id/clause/a/b": 404,
        "/id/question/game-0/who-began": 404, "/id/ÿ": 404, f"/id/{'0' * 16}": 404,
    }  # fmt: skip
    assert expected["/id/01234567"][1] == f"/rulesets/{'0123456789abcdef' * 4}/"
    assert "/id/claim/game-0/it-is-long" in expected["/id/game-0/it-is-longer"][2]
    # Of 40 records 26 have the first place, X.7 among them, and 13 the second.
    assert "25 records" in expected["/places/"][2]
    assert "13 records" in expected["/places/"][2]
