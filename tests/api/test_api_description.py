"""The API describes itself: the document is right, the answers keep to it, and no page needs another machine."""

import gzip
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import quote, urlencode

import numpy as np
import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.test import RequestFactory, SimpleTestCase, override_settings
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from openapi_spec_validator import OpenAPIV31SpecValidator

from catalogue.api import description, document
from catalogue.api.description import BATCH, COMPARISON, GAMES, complete
from catalogue.api.fields import shapes
from catalogue.models import Category, Game, Period, PortalGame, PortalRuleset, WearStudy
from simulator.batches import dispatch
from simulator.batches.finalize import close_if_complete
from simulator.batches.requests import DEFAULTS
from simulator.batches.rows import packed
from simulator.batches.service import request_batch
from simulator.engine.family import family
from simulator.engine.tally import tally_rows
from simulator.models import Batch, Chunk, Solution
from tests.api.api_world import ApiTestCase, lists, problems_of, published, strict_document
from tests.api.contract import digests, promised
from tests.catalogue import page_world
from tests.catalogue.comparison_world import a_comparison, no_message
from tests.choice import half_of_the_day
from tests.every_address import a_study, a_wear_study
from tests.simulator.ladder_world import climbed

COMPONENTS = {
    "evidence": "Evidence",
    "games": "Game",
    "places": "Place",
    "sources": "Source",
    "rulesets": "Ruleset",
    "claims": "Claim",
    "clauses": "Clause",
    "questions": "Question",
    "annotations": "Annotation",
    "batches": "Batch",
}


class DescriptionTests(ApiTestCase):
    def test_nothing_that_is_promised_changes_by_accident(self) -> None:
        """What is changed on purpose is written down by `python -m tests.api.contract`."""
        found, kept = digests(json.loads(published())), promised()
        changed = sorted(name for name in found.keys() | kept.keys() if found.get(name) != kept.get(name))
        assert not changed

    def test_every_row_is_as_it_is_described(self) -> None:
        for name, component in half_of_the_day(COMPONENTS.items()):
            page = self.read(f"{name}/")
            self.is_as_described(f"Paginated{component}List", page)
            assert page["results"]
        self.is_as_described("WholeBatch", self.read(f"batches/{self.batch.id}/"))
        self.is_as_described("Refusal", self.read("evidence/?plac=x&place=y", 400))

    def test_a_nearest_value_is_of_the_kind_that_the_field_has(self) -> None:
        """A word, a number, a list, a switch, or none: each as the document says."""
        address = "/api/v1/rulesets/{}/change/"
        race = "saturankam-parker"
        for name, body, nearest in (
            ("daramuti-parker", {"set": {"relay": "lats"}}, {"relay": "last"}),
            ("daramuti-parker", {"set": {"counters_per_hole": -5}}, {"counters_per_hole": 1}),
            (race, {"set": {"die_faces": [1]}}, {"die_faces": [1, 3, 4, 6]}),
            (race, {"set": {"pairs_reenter": True}}, {"pairs_reenter": False}),
            ("daramuti-parker", {"set": {"relay": "last"}, "x": 1}, {"x": None}),
            ("daramuti-parker", [], None),
        ):
            answer = self.client.post(address.format(name), body, content_type="application/json")
            assert answer.status_code == 400, answer.content
            self.is_as_described("Refusal", answer.json())
            found = {problem["field"].removeprefix("set."): problem["nearest"] for problem in answer.json()["problems"]}
            assert nearest is None or nearest.items() <= found.items(), found

    def test_a_list_has_exactly_the_described_parameters(self) -> None:
        document = strict_document()
        for name in lists():
            described = {parameter["name"] for parameter in document["paths"][f"/api/v1/{name}/"]["get"]["parameters"]}
            detail = self.read(f"{name}/?unknown=1", 400)["detail"]
            accepted = set(re.search(r"there are ([\w, ]+)", detail)[1].split(", "))
            assert accepted == described

    @pytest.mark.thorough
    def test_every_link_of_the_documentation_leads_somewhere(self) -> None:
        page = BeautifulSoup(self.page("/about/api/"), "lxml").find("article")
        links = {link["href"] for link in page.find_all("a")}
        assert {f"/api/v1/{name}/" for name in lists()} < links
        for link in links:
            assert self.client.get(link).status_code == 200, link

    def test_the_example_of_a_refusal_is_what_is_answered(self) -> None:
        text = (Path(settings.BASE_DIR) / "templates" / "docs" / "api.md").read_text()
        printed = json.loads(re.search(r"```json\n(.*?)```", text, re.DOTALL)[1])
        assert printed == self.read("evidence/?place=sri-lnka", 400)

    def test_the_documentation_names_every_filter(self) -> None:
        text = self.page("/about/api/")
        for name in lists():
            detail = self.read(f"{name}/?unknown=1", 400)["detail"]
            for parameter in set(re.search(r"there are ([\w, ]+)", detail)[1].split(", ")) - {"format", "page"}:
                assert f"<code>{parameter}</code>" in text, (name, parameter)

    def test_a_browser_gets_pages_that_load_nothing_from_elsewhere(self) -> None:
        for address in ("/api/v1/games/", "/api/v1/batches/"):
            response = self.client.get(address, headers={"accept": "text/html"})
            page = BeautifulSoup(response.content, "lxml")
            loaded = [tag.get("src") or tag.get("href") for tag in page.find_all(["script", "link", "img"])]
            outside = [one for one in loaded if one and not one.startswith(("/", "#"))]
            assert loaded
            assert not outside, address
            assert "django-rest-framework.org" not in str(page)

    def test_the_form_in_a_browser_begins_with_the_defaults(self) -> None:
        begun = {
            "batches": {"ruleset": "", **DEFAULTS, "traffic": False, "set": {}},
            "studies": {"game": "", "seed": DEFAULTS["seed"], "players": DEFAULTS["players"]},
            "ladders": {"ruleset": ""},
        }
        for name, expected in begun.items():
            response = self.client.get(f"/api/v1/{name}/", headers={"accept": "text/html"})
            form = BeautifulSoup(response.content, "lxml").find("textarea", attrs={"name": "_content"})
            assert json.loads(form.get_text()) == expected

    @pytest.mark.thorough
    def test_the_reference_names_all_operations_and_kinds(self) -> None:
        page = BeautifulSoup(self.page("/api/docs/"), "lxml")
        document, marked = json.loads(published()), {element["id"]: element for element in page.find_all(id=True)}
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                assert marked[operation["operationId"]].text == f"{method.upper()} {path}"
        for name, schema in document["components"]["schemas"].items():
            fields = marked[name].find_next("dl").select("dt")
            assert [field.text for field in fields] == list(schema.get("properties", {})), name
        assert page.find("a", href="/api/v1/batches/")
        assert {link["href"][1:] for link in page.select("main a[href^='#']")} <= marked.keys()


def untyped(schema: Any, where: str) -> Iterator[str]:
    """The places of a schema at which anything at all may stand."""
    kinds = schema.get("type", ())
    inner = schema.get("additionalProperties")
    said = {"type", "$ref", "oneOf", "anyOf", "allOf", "enum", "const"} & schema.keys()
    if not said or ("object" in kinds and "properties" not in schema and not inner):
        yield where
    parts = schema.get("properties", {}) | {
        key: schema[key] for key in ("items", "additionalProperties") if key in schema
    }
    for name, part in [
        *parts.items(),
        *((key, one) for key in ("oneOf", "anyOf", "allOf") for one in schema.get(key, ())),
    ]:
        if isinstance(part, dict):
            yield from untyped(part, f"{where}.{name}")


class DocumentTests(SimpleTestCase):
    @pytest.mark.by_turns
    def test_every_field_has_a_type(self) -> None:
        schemas = json.loads(published())["components"]["schemas"]
        found = {place for name, schema in schemas.items() for place in untyped(schema, name)}
        assert not found
        assert set(untyped({"type": "object", "additionalProperties": {}}, "A")) == {"A", "A.additionalProperties"}

    def test_every_shape_is_used(self) -> None:
        assert not [name for name in shapes() if f'schemas/{name}"' not in published()]

    @pytest.mark.thorough
    def test_the_document_is_one_of_openapi_3_1(self) -> None:
        document = json.loads(published())
        assert document["openapi"].startswith("3.1")
        OpenAPIV31SpecValidator(document).validate()

    def test_the_short_address_leads_to_the_documentation(self) -> None:
        assert self.client.get("/api/").headers["Location"] == "/about/api/"
        assert reverse("document", args=["api"]) == "/about/api/"

    def test_the_document_names_the_site_and_its_terms(self) -> None:
        document = json.loads(published())
        complete(document, RequestFactory().get("/"))
        assert document["servers"][0]["url"] == "http://testserver"
        with override_settings(SITE_URL="https://games.example.org/"):
            complete(document, RequestFactory().get("/"))
        assert document["servers"][0]["url"] == "https://games.example.org"
        assert document["info"]["termsOfService"] == "https://games.example.org/about/rights/"
        citation = (settings.BASE_DIR / "CITATION.cff").read_text(encoding="utf-8")
        assert f"license: {document['info']['license']['identifier']}\n" in citation
        assert json.loads(published())["servers"][0]["url"] == "/"

    def test_the_document_is_made_once_and_its_tag_is_asked_first(self) -> None:
        description._made_documents.cache_clear()
        document._document_at.cache_clear()
        ask = partial(self.client.get, "/api/schema/")
        with mock.patch.object(description, "SchemaGenerator", wraps=SchemaGenerator) as generator:
            with ThreadPoolExecutor(8) as pool:
                sites = [f"https://{number}.example.org" for number in range(8)]
                for site, kept in zip(sites, pool.map(document._document_at, sites, ["json"] * 8), strict=True):
                    assert f'"url": "{site}"'.encode() in gzip.decompress(kept.compressed) == kept.plain
            tags = [ask({"format": form})["ETag"] for form in ("json", "yaml")]
        assert (generator.call_count, len(set(tags))) == (1, 2)
        short = ask({"format": "json"}, headers={"accept-encoding": "br, GZIP;q=0.5"})
        assert (short["Content-Encoding"], len(short.content) < 150_000) == ("gzip", True)
        expected = json.loads(published())
        expected["servers"][0]["url"] = "http://testserver"
        expected["info"]["termsOfService"] = "http://testserver/about/rights/"
        assert json.loads(gzip.decompress(short.content)) == expected
        with mock.patch.object(document, "_document_at", side_effect=AssertionError("made before the tag was asked")):
            for form, tag in zip(("json", "yaml"), tags, strict=True):
                assert ask({"format": form}, headers={"if-none-match": tag}).status_code == 304

    def test_what_is_being_played_says_when_to_ask_again(self) -> None:
        paths = json.loads(published())["paths"]
        for path, method, status in (
            ("/api/v1/batches/", "post", "201"),
            ("/api/v1/batches/{id}/", "get", "200"),
            ("/api/v1/comparisons/{id}/", "get", "200"),
            *((f"/api/v1/{kind}/", "post", "202") for kind in ("studies", "ladders")),
            *((f"/api/v1/{kind}/{{id}}/", "get", "202") for kind in ("studies", "ladders")),
        ):
            headers = paths[path][method]["responses"][status]["headers"]
            assert {"Retry-After", "RateLimit"} <= headers.keys(), path

    def test_every_operation_says_how_it_refuses(self) -> None:
        for path, operations in strict_document()["paths"].items():
            for method, operation in operations.items():
                assert {} in operation["security"], "nobody needs a key"
                assert {"400", "401", "406", "429"} <= operation["responses"].keys(), (path, method)
                assert ("404" in operation["responses"]) == ("{" in path), (path, method)


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
            "/api/v1/wear/{id}/": {"id": (wear := a_wear_study()["wear"])},
            "/api/v1/batches/{id}/traffic/": {"id": WearStudy.objects.get(id=wear).batches[0]},
        }

    def addresses(self, path: str, operation: dict[str, Any]) -> Iterator[str]:
        """The address with the examples of its parts, alone and with each parameter for which there is one."""
        parameters = operation.get("parameters", [])
        parts = {
            parameter["name"]: parameter.get("example") for parameter in parameters if parameter["in"] == "path"
        } | self.made.get(path, {})
        assert all(parts.values()), f"{path} has no example"
        address = path.format(**{name: quote(str(value), safe="/@") for name, value in parts.items()})
        yield address
        for parameter in parameters:
            if parameter["in"] == "query" and "example" in parameter:
                few = {"page_size": 2} if "page_size" in {other["name"] for other in parameters} else {}
                yield f"{address}?{urlencode({**few, parameter['name']: parameter['example']})}"

    def check(self, operation: dict[str, Any], address: str, response: Any) -> None:
        described = operation["responses"].get(str(response.status_code))
        assert described, (address, response.status_code, response.content[:500])
        assert response.status_code < 400, (address, response.content)
        problems = problems_of(response.json(), described["content"]["application/json"]["schema"])
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
                        continue  # what is done cannot be
                    for address in self.addresses(path, operation):
                        if method == "get":
                            response = self.client.get(address)
                        else:
                            body = operation["requestBody"]["content"]["application/json"]["example"]
                            response = self.client.post(address, json.dumps(body), content_type="application/json")
                        if "fields=" not in address:
                            self.check(operation, address, response)
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
            self.check(document["paths"][f"/api/v1/{path}"]["get"], path, response)
        assert self.read(f"comparisons/{compared}/")["document"]["pairs"]
