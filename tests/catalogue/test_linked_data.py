"""Linked data: read by a programme that knows JSON-LD, held against the terms of schema.org and of Web Annotation."""

import json
import warnings
from typing import Any

import pytest
from django.test import RequestFactory
from rdflib import Graph, Literal, URIRef
from rdflib.namespace import OWL, RDF, SDO

from catalogue.identifiers.linked_data import NODES, Writer
from catalogue.identifiers.resolution import ROWS
from catalogue.models import Anchor, Comparison, Evidence, Study
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
        seen = set()
        for kind, rows in ROWS.items():
            for row in rows()[:3]:
                if type(row) not in NODES:
                    continue
                seen.add(type(row))
                graph = graph_of(writer.document(row))
                for _, term, value in graph:
                    for name in (term, value if term == RDF.type else term):
                        assert _is_known(name), (kind, name)
                assert any(str(subject).startswith(f"{SITE}/id/{kind}/") for subject in graph.subjects()), kind
        assert seen == set(NODES) - {type(self.batch.ruleset)}
        assert graph_of(writer.document(self.batch.ruleset))

    def test_a_record_says_what_it_is_about_and_what_it_cites(self):
        graph = graph_of(self.sent("/evidence/DLP.Evidence.692/"))
        record = URIRef(f"{SITE}/id/record/DLP.Evidence.692")
        assert (record, RDF.type, SDO.ArchiveComponent) in graph
        assert (record, SDO.about, URIRef(f"{SITE}/id/game/daramuti")) in graph
        assert (record, SDO.temporalCoverage, Literal("1909")) in graph
        assert (record, SDO.url, URIRef(f"{SITE}/evidence/DLP.Evidence.692/")) in graph
        source = URIRef(f"{SITE}/id/source/parker-1909")
        assert (record, SDO.citation, source) in graph
        assert (source, SDO.pagination, Literal("599")) in graph

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
        body = set(graph.objects(graph.value(annotation, URIRef(f"{OA}hasBody")), None))
        assert body
        target = graph.value(annotation, URIRef(f"{OA}hasTarget"))
        selectors = list(graph.objects(target, URIRef(f"{OA}hasSelector")))
        exact = {graph.value(selector, URIRef(f"{OA}exact")) for selector in selectors} - {None}
        assert exact == {Literal(anchor.exact)}
        assert {graph.value(selector, URIRef(f"{OA}start")) for selector in selectors} - {None} == {
            Literal(anchor.start)
        }

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


def _is_known(term: Any) -> bool:
    if str(term).startswith(str(SDO)):
        return str(term).removeprefix(str(SDO)) in SDO.__annotations__
    return str(term).startswith((OA, str(RDF), "http://purl.org/dc/", str(OWL)))
