"""Linked data: read by a programme that knows JSON-LD, held against the terms of schema.org and of Web Annotation."""

import datetime
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import RequestFactory
from rdflib import Graph, Literal, URIRef
from rdflib.namespace import OWL, RDF, SDO

from catalogue.identifiers.authorities import authorities
from catalogue.identifiers.linked_data import NODES, Writer
from catalogue.identifiers.resolution import ROWS
from catalogue.models import Anchor, Comparison, Evidence, Place, Study, WearStudy
from catalogue.pages.identifiers import wants_linked_data
from catalogue.templatetags.citing import CLOSING, OPENING
from tests.catalogue.page_world import CatalogueTestCase
from tests.choice import half_of_the_day

LINKED_DATA = {"accept": "application/ld+json"}
OA = "http://www.w3.org/ns/oa#"
SITE = "http://testserver"

# What the two contexts say of the words used here, so that no test asks another machine. schema.org: a vocabulary, and
# addresses where addresses are meant. Web Annotation: the terms of https://www.w3.org/TR/annotation-model/, A.
SCHEMA_CONTEXT = {
    "@vocab": str(SDO),
    **{name: {"@type": "@id"} for name in ("url", "mainEntityOfPage", "contentUrl")},
}
ANNOTATION_CONTEXT = {
    "oa": OA, "dcterms": "http://purl.org/dc/terms/", "dc": "http://purl.org/dc/elements/1.1/",
    "rdf": str(RDF), "id": {"@id": "@id", "@type": "@id"}, "type": {"@id": "@type", "@type": "@id"},
    "Annotation": "oa:Annotation", "SpecificResource": "oa:SpecificResource", "TextualBody": "oa:TextualBody",
    "TextQuoteSelector": "oa:TextQuoteSelector", "TextPositionSelector": "oa:TextPositionSelector",
    "State": "oa:State", "describing": "oa:describing", "classifying": "oa:classifying",
    "identifying": "oa:identifying", "linking": "oa:linking", "questioning": "oa:questioning",
    "body": {"@id": "oa:hasBody", "@type": "@id"}, "target": {"@id": "oa:hasTarget", "@type": "@id"},
    "source": {"@id": "oa:hasSource", "@type": "@id"}, "selector": {"@id": "oa:hasSelector", "@type": "@id"},
    "state": {"@id": "oa:hasState", "@type": "@id"}, "scope": {"@id": "oa:hasScope", "@type": "@id"},
    "motivation": {"@id": "oa:motivatedBy", "@type": "@vocab"},
    "purpose": {"@id": "oa:hasPurpose", "@type": "@vocab"},
    "exact": "oa:exact", "prefix": "oa:prefix", "suffix": "oa:suffix", "start": "oa:start", "end": "oa:end",
    "canonical": {"@id": "oa:canonical", "@type": "@id"}, "rights": {"@id": "dcterms:rights", "@type": "@id"},
    "creator": {"@id": "dcterms:creator", "@type": "@id"}, "name": "http://xmlns.com/foaf/0.1/name",
    "Person": "http://xmlns.com/foaf/0.1/Person", "Organization": "http://xmlns.com/foaf/0.1/Organization",
    "value": "rdf:value", "format": "dc:format", "language": "dc:language",
}  # fmt: skip
CONTEXTS = {"https://schema.org": SCHEMA_CONTEXT, "http://www.w3.org/ns/anno.jsonld": ANNOTATION_CONTEXT}


def graph_of(document: Any) -> Graph:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the library uses an old class of its own
        return Graph().parse(data=json.dumps(_with_contexts(document)), format="json-ld")


def _with_contexts(node: Any) -> Any:
    if isinstance(node, list):
        return [_with_contexts(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        name: [{"@base": SITE}, CONTEXTS[value]] if name == "@context" else _with_contexts(value)
        for name, value in node.items()
    }


class LinkedDataTests(CatalogueTestCase):
    def embedded(self, address: str) -> Any:
        page = self.page(address)
        assert page.count(OPENING) == 1, address
        return json.loads(page.partition(OPENING)[2].partition(CLOSING)[0])

    def sent(self, address: str) -> Any:
        response = self.client.get(address, headers=LINKED_DATA)
        assert (response.status_code, response["Content-Type"]) == (200, "application/ld+json"), address
        assert "Accept" in response["Vary"]
        return response.json()

    def test_every_page_has_it_and_sends_the_same_to_whoever_asks(self):
        addresses = (
            "/", "/evidence/", "/evidence/DLP.Evidence.692/", "/games/daramuti/", "/places/sri-lanka/", "/claims/",
            "/sources/marin-1942/", "/rulesets/daramuti-parker/", f"/batches/{self.batch.id}/", "/about/rights/",
        )  # fmt: skip
        for address in half_of_the_day(addresses):
            with self.subTest(address):
                assert self.sent(address) == self.embedded(address)

    def test_every_term_is_one_of_schema_org_or_of_web_annotation(self):
        """And every row has the identifier that leads to it."""
        writer = Writer(RequestFactory().get("/"))
        Comparison.objects.create(id="0123456789abcdef", names=["a", "b"], margins={}, bootstrap_seed=1, version=1)
        Study.objects.create(
            id="0123456789abcdee", state="done", game=Evidence.objects.first().game, document={}, summary={}
        )
        slab = Evidence.objects.get(identifier="ETG.Artefact.04433")
        terms = {"players": "random,random", "games": 100, "seed": 1}
        WearStudy.objects.create(id="0123456789abcded", state="done", record=slab, of="lines", names=["a"], terms=terms)
        seen, datasets = set(), 0
        for kind, rows in ROWS.items():
            for row in rows()[:3]:
                if type(row) not in NODES:
                    continue
                seen.add(type(row))
                document = writer.document(row)
                assert not list(outside_their_domain(document)), (kind, row)
                if document["@type"] == "Dataset":
                    datasets += 1
                    assert 50 <= len(document["description"]) <= 5_000, document["description"]
                    assert {"license", "creator", "distribution", "keywords"} <= document.keys()
                assert not {"dateModified", "dateCreated"} & document.keys() or kind == "ruleset", "of the installation"
                graph = graph_of(document)
                for _, term, value in graph:
                    for name in (term, value if term == RDF.type else term):
                        assert _is_known(name), (kind, name)
                assert any(str(subject).startswith(f"{SITE}/id/{kind}/") for subject in graph.subjects()), kind
        assert seen == set(NODES) - {type(self.batch.ruleset)}
        assert datasets >= 4
        assert graph_of(writer.document(self.batch.ruleset))

    def test_a_record_says_what_it_is_about_and_what_it_cites(self):
        graph = graph_of(self.sent("/evidence/DLP.Evidence.692/"))
        record = URIRef(f"{SITE}/id/record/DLP.Evidence.692")
        assert (record, RDF.type, SDO.ArchiveComponent) in graph
        assert (record, SDO.about, URIRef(f"{SITE}/id/game/daramuti")) in graph
        assert (record, SDO.temporalCoverage, Literal("1909")) in graph
        assert (record, SDO.url, URIRef(f"{SITE}/evidence/DLP.Evidence.692/")) in graph
        source = URIRef(f"{SITE}/id/source/parker-1909")
        (pages,) = {part for part in graph.objects(record, SDO.citation) if (part, SDO.isPartOf, source) in graph}
        assert (pages, RDF.type, SDO.Chapter) in graph, "a book has no pagination of its own"
        assert (pages, SDO.pagination, Literal("599")) in graph
        assert graph.value(graph.value(record, SDO.creator), SDO.name) == Literal("Digital Ludeme Project")

    def test_an_article_and_a_book_are_told_apart(self):
        article = graph_of(self.sent("/sources/marin-1942/"))
        marin = URIRef(f"{SITE}/id/source/marin-1942")
        assert (marin, RDF.type, SDO.ScholarlyArticle) in article
        volume = article.value(marin, SDO.isPartOf)
        assert article.value(volume, SDO.volumeNumber) == Literal("42")
        assert article.value(article.value(volume, SDO.isPartOf), SDO.name) == Literal("Man")
        assert article.value(article.value(marin, SDO.author), SDO.familyName) == Literal("Marin")
        book = graph_of(self.sent("/sources/parker-1909/"))
        assert (URIRef(f"{SITE}/id/source/parker-1909"), RDF.type, SDO.Book) in book

    def test_a_ruleset_has_the_words_of_its_clauses_as_annotations(self):
        graph = graph_of(self.sent("/rulesets/daramuti-parker/"))
        anchors = Anchor.objects.filter(clause__reading__slug="daramuti-parker")
        assert len(set(graph.subjects(RDF.type, URIRef(f"{OA}Annotation")))) == anchors.count() > 5
        anchor = anchors.select_related("clause__reading", "evidence").first()
        annotation = URIRef(f"{SITE}/api/v1/annotations/{anchor.key}/")
        assert (annotation, URIRef(f"{OA}canonical"), URIRef(f"{SITE}/id/words/{anchor.key}")) in graph
        body = set(graph.objects(graph.value(annotation, URIRef(f"{OA}hasBody")), None))
        assert body
        target = graph.value(annotation, URIRef(f"{OA}hasTarget"))
        selectors = list(graph.objects(target, URIRef(f"{OA}hasSelector")))
        exact = {graph.value(selector, URIRef(f"{OA}exact")) for selector in selectors} - {None}
        assert exact == {Literal(anchor.exact)}
        assert {graph.value(selector, URIRef(f"{OA}start")) for selector in selectors} - {None} == {
            Literal(anchor.start)
        }

    def test_a_name_is_in_the_document_to_which_it_leads(self):
        """Of clauses, words, versions, documents of rules and rulesets whatever their version."""
        digest = self.batch.ruleset_id
        for name in (
            "clause/daramuti-parker/any-own-hole", "words/clause/daramuti-parker/any-own-hole/supports/1",
            "ruleset/daramuti-parker", "ruleset/daramuti-parker@1", f"ruleset/{digest}", "place/sri-lanka",
        ):  # fmt: skip
            with self.subTest(name):
                response = self.client.get(f"/id/{name}", headers=LINKED_DATA)
                assert response.status_code == 303
                answer = self.client.get(response["Location"].partition("#")[0], headers=LINKED_DATA)
                assert answer.status_code == 200
                graph = graph_of(answer.json())
                assert URIRef(f"{SITE}/id/{name}") in {*graph.subjects(), *graph.objects()}

    def test_the_time_of_an_installation_is_no_change(self):
        assert "dateModified" not in self.sent("/evidence/DLP.Evidence.692/")
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        record._change_reason = "A slip of the pen"
        record.save()
        changed = record.history.latest().history_date
        assert self.sent("/evidence/DLP.Evidence.692/")["dateModified"] == changed.isoformat()

    @pytest.mark.by_turns
    def test_no_word_of_a_row_ends_the_script(self):
        record = Evidence.objects.select_related("game").get(identifier="DLP.Evidence.692")
        record.game.name = "</script><script>alert(1)</script>&amp;<!--"
        record.game.save()
        page = self.page("/evidence/DLP.Evidence.692/")
        assert "<script>alert" not in page
        assert self.embedded("/evidence/DLP.Evidence.692/")["about"]["name"] == record.game.name

    def test_a_page_is_what_everybody_gets_who_does_not_ask_for_more(self):
        for accept, wanted in {
            "*/*": False,
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": False,
            "application/ld+json": True,
            "application/ld+json, text/html;q=0.5": True,
            "text/html, application/ld+json;q=0.9": False,
            'application/ld+json;profile="http://www.w3.org/ns/json-ld#expanded"': True,
            "application/json": False,
            "": False,
            ';;;q=x,,"': False,
        }.items():
            with self.subTest(accept):
                assert wants_linked_data(RequestFactory().get("/", headers={"accept": accept})) is wanted

    def test_a_refusal_stays_a_refusal(self):
        response = self.client.get("/evidence/DLP.Evidence.0/", headers=LINKED_DATA)
        assert (response.status_code, response["Content-Type"].partition(";")[0]) == (404, "text/html")


SCHEMA = json.loads((Path(__file__).parent / "schema_org.json").read_text())


def properties_of(kind: str) -> set[str]:
    """What schema.org says a thing of this type may have: `schema_org.json` holds the vocabulary of these types."""
    return {*SCHEMA[kind]["has"].split(), *(name for parent in SCHEMA[kind]["is"] for name in properties_of(parent))}


def outside_their_domain(node: Any) -> Iterator[tuple[str, str]]:
    """(type, property) of each property that is none of its type."""
    for one in node if isinstance(node, list) else [node]:
        if isinstance(one, dict) and one.get("@context") != "http://www.w3.org/ns/anno.jsonld":
            if kind := one.get("@type"):
                yield from ((kind, name) for name in one if name[0] != "@" and name not in properties_of(kind))
            for value in one.values():
                yield from outside_their_domain(value)


def _is_known(term: Any) -> bool:
    if str(term).startswith(str(SDO)):
        return str(term).removeprefix(str(SDO)) in SDO.__annotations__
    return str(term).startswith((OA, str(RDF), "http://purl.org/dc/", str(OWL)))


class AuthorityTests(CatalogueTestCase):
    def test_every_link_says_who_looked_it_up_when_and_in_what(self) -> None:
        addresses = [one for same in authorities().values() for one in same]
        assert len(addresses) > 200
        for one in addresses:
            assert re.fullmatch(r"https?://(sws\.geonames\.org/\d+/|www\.wikidata\.org/entity/Q\d+)", one.address)
            assert datetime.date.fromisoformat(one.checked_on)
            assert one.checked_by
            assert one.checked_in
        assert len({one.address for one in addresses}) == len(addresses)

    def test_a_place_is_the_same_elsewhere_in_page_and_documents(self) -> None:
        same = ["https://sws.geonames.org/1227603/", "http://www.wikidata.org/entity/Q854"]
        page = self.client.get("/places/sri-lanka/")
        assert [tag["href"] for tag in BeautifulSoup(page.text, "lxml").find_all("a", rel="external")] == same
        assert "looked up on 2026-11-28 by the maintainers" in page.text
        assert self.client.get("/places/sri-lanka/", headers=LINKED_DATA).json()["sameAs"] == same
        assert self.client.get("/api/v1/places/sri-lanka/").json()["same_as"] == same
        assert self.client.get("/api/v1/places/khasi/").json()["same_as"] == []  # nobody has looked
        Place.objects.filter(slug="sri-lanka").update(kind=Place.Kind.REGION)
        assert self.client.get("/api/v1/places/sri-lanka/").json()["same_as"] == []

    def test_places_are_linked_places(self) -> None:
        island = Place.objects.get(slug="sri-lanka")
        Place.objects.create(name="A point", slug="a-point", kind="point", part_of=island, part_of_is_derived=True)
        answer = self.client.get("/places/linked-places.json")
        assert answer["Content-Type"] == "application/geo+json"
        document = answer.json()
        features = {feature["properties"]["title"]: feature for feature in document["features"]}
        assert document["type"] == "FeatureCollection"
        assert set(features) == {"A point", "Heerlen", "Khasi", "Sri Lanka"}
        for feature in features.values():
            assert feature["@id"].startswith("http://testserver/id/place/")
            assert feature["names"][0]["citations"][0]["@id"].startswith("http://testserver/places/")
        point, town, khasi, country = (features[name] for name in sorted(features))
        assert [name["toponym"] for name in town["names"]] == ["Heerlen", "Coriovallum"]
        assert (point["geometry"], point["properties"]["fclasses"]) == (None, [])
        assert (point["relations"][0]["relationTo"], point["relations"][0]["certainty"]) == (
            country["@id"],
            "less-certain",
        )
        assert khasi["geometry"] == {"type": "Point", "coordinates": [91.73, 25.28]}
        assert country["properties"]["fclasses"] == ["A"]
        assert [link["type"] for link in country["links"]] == ["exactMatch", "exactMatch", "primaryTopicOf"]
