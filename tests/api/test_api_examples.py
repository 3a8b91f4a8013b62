"""Every example of the OpenAPI document is asked, and every answer is held to what is described."""

import json
from collections.abc import Iterator
from typing import Any
from unittest import mock
from urllib.parse import quote, urlencode

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from catalogue.api.description import BATCH, COMPARISON, GAMES
from catalogue.models import Category, Game, Period, PortalGame, PortalRuleset
from simulator.batches import dispatch
from simulator.batches.finalize import close_if_complete
from simulator.batches.rows import packed
from simulator.batches.service import request_batch
from simulator.engine.family import family
from simulator.engine.tally import tally_rows
from simulator.models import Batch, Chunk, Solution
from tests.api.api_world import ApiTestCase
from tests.api.test_api_description import strict_document
from tests.catalogue import page_world
from tests.catalogue.comparison_world import a_comparison, no_message
from tests.every_address import a_study
from tests.simulator.ladder_world import climbed

MATCHES = {("random", "uct:16"): [(0, 1)], ("uct:16", "random"): [(0, 2)]}
CREATED_FIRST = ("post", "get")  # what is asked for by one example is read by another


def demo_batch() -> Batch:
    """The batch that the demo plays, of games that nobody played."""
    batch = request_batch("daramuti-parker", announce=False, origin=Batch.Origin.DEMO, **GAMES)
    measures = family("sowing").measures
    names = tuple(measure.name for measure in measures)
    for chunk in batch.chunks.all():
        rows = page_world.rows_of(page_world.GAMES, names)
        rows = np.resize(rows, (chunk.games, len(names)))
        tally = tally_rows(rows, measures).to_json()
        Chunk.objects.filter(pk=chunk.pk).update(state="done", rows=packed(rows), tally=tally, digest="-")
    assert close_if_complete(batch.id)
    return batch


class ExampleTests(ApiTestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        assert demo_batch().id == BATCH
        game = Game.objects.get(slug="daramuti")
        PortalRuleset.objects.create(number=57, game=game, name="Described", rules="Seeds are sown.")
        portal_game = PortalGame.objects.create(number=57, game=game, description="A game of holes.")
        portal_game.categories.add(Category.objects.create(slug="sow", name="Sow"))
        portal_game.periods.add(Period.objects.create(slug="modern", name="Modern"))
        cls.made = {
            "/api/v1/portal-rulesets/{number}/": {"number": "57"},
            "/api/v1/ladders/{id}/": {"id": climbed("daramuti-parker", MATCHES).id},
            "/api/v1/solutions/{hash}/": {"hash": Solution.objects.values_list("ruleset_id", flat=True)[0]},
            "/api/v1/studies/{id}/": {"id": a_study().id},
        }

    def addresses(self, path: str, operation: dict[str, Any]) -> Iterator[str]:
        """The address with the examples of its parts, alone and with each parameter for which there is one."""
        parameters = operation.get("parameters", [])
        parts = {one["name"]: one.get("example") for one in parameters if one["in"] == "path"} | self.made.get(path, {})
        assert all(parts.values()), f"{path} has no example"
        address = path.format(**{name: quote(str(value), safe="/@") for name, value in parts.items()})
        yield address
        for one in parameters:
            if one["in"] == "query" and "example" in one:
                few = {"page_size": 2} if "page_size" in {other["name"] for other in parameters} else {}
                yield f"{address}?{urlencode({**few, one['name']: one['example']})}"

    def check(self, document: dict[str, Any], operation: dict[str, Any], address: str, response: Any) -> None:
        described = operation["responses"].get(str(response.status_code))
        assert described, (address, response.status_code, response.content[:500])
        assert response.status_code < 400, (address, response.content)
        schema = {**described["content"]["application/json"]["schema"], "components": document["components"]}
        problems = [
            f"{one.json_path}: {one.message}" for one in Draft202012Validator(schema).iter_errors(response.json())
        ]
        assert not problems, (address, problems[:3])

    @pytest.mark.thorough
    def test_every_example_is_answered_as_it_is_described(self) -> None:
        document, asked = strict_document(), 0
        no_news = mock.patch("simulator.batches.service.dispatch.notify_of_chunks", page_world.nobody_hears)
        with no_news, mock.patch.object(dispatch.current_app, "send_task", no_message):
            for method in CREATED_FIRST:
                for path, operations in document["paths"].items():
                    if method not in operations:
                        continue
                    operation = operations[method]
                    if path.endswith("/cancel/"):
                        continue  # what is done cannot be: test_api_cancelling
                    for address in self.addresses(path, operation):
                        if method == "get":
                            response = self.client.get(address)
                        else:
                            body = operation["requestBody"]["content"]["application/json"]["example"]
                            response = self.client.post(address, json.dumps(body), content_type="application/json")
                        if "fields=" not in address:
                            self.check(document, operation, address, response)
                        assert response.status_code < 400, (address, response.content)
                        asked += 1
        assert asked > 100
        assert self.read(f"comparisons/{COMPARISON}/")["id"] == COMPARISON

    @pytest.mark.thorough
    def test_what_is_done_is_described_to_the_last_field(self) -> None:
        document = strict_document()
        compared = a_comparison().id
        played = [request_batch(name, games=2, cap=12, announce=False) for name in ("dam-parker", "sokkattan-dlp")]
        for path, key in (
            ("comparisons/{id}/", compared),
            *(("batches/{id}/games/{game}/", f"{batch.id}/games/0") for batch in played),
            *(("rulesets/{name}/", row.ruleset_id) for row in Solution.objects.all()),
        ):
            response = self.client.get(f"/api/v1/{path.partition('/')[0]}/{key}/")
            assert response.status_code == 200, key
            self.check(document, document["paths"][f"/api/v1/{path}"]["get"], path, response)
        assert self.read(f"comparisons/{compared}/")["document"]["pairs"]
