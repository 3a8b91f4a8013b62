"""Rows as linked data (JSON-LD): schema.org for what they are, Web Annotation for clauses and the words they rest on.

Every node is named by its identifier below /id/, which leads to its page; the same document is embedded in the page and
is had from the page's own address by `Accept: application/ld+json`. Anchors are documents of the W3C Web Annotation
model (https://www.w3.org/TR/annotation-model/).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.http import HttpRequest
from django.urls import get_script_prefix, reverse

from catalogue.citations.chicago import in_order
from catalogue.citations.items import ITEMS, LICENCE, NAME, OF_PORTAL, THIS_CATALOGUES, release, source_item
from catalogue.history.histories import edited
from catalogue.identifiers.authorities import same_elsewhere
from catalogue.identifiers.resolution import identifier_of, kind_of
from catalogue.models import (
    Anchor,
    Citation,
    Claim,
    Clause,
    Comparison,
    Evidence,
    Game,
    Place,
    Question,
    Source,
    Study,
    WearStudy,
)
from catalogue.models.lookup import key_of
from catalogue.models.querysets import reading_of
from catalogue.texts.dates import iso_year
from catalogue.texts.names import AND_OTHERS, Name, people
from catalogue.web.addresses import host_address, page_of, site_address
from simulator.models import Batch, Ruleset, RulesetVersion

ANNOTATION_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
MOTIVATIONS = {Anchor.Stance.SUPPORTS: "linking", Anchor.Stance.CONTRADICTS: "questioning"}


def annotation(anchor: Anchor, base: str) -> dict[str, Any]:
    """The words of an anchor and what is said of them. base: the address of the site

    `id` is where the annotation is read, and `canonical` its name for good, which leads there. When it was made is not
    known: the times of rows are those at which an installation loaded them. No query for an anchor that was fetched
    with its record and with what it belongs to.
    """
    api = f"{base}{get_script_prefix()}api/v1"
    page, text, basis = _subject(anchor)
    return {
        "@context": ANNOTATION_CONTEXT,
        "id": f"{api}/annotations/{anchor.key}/",
        "type": "Annotation",
        "canonical": f"{base}{identifier_of(anchor)}",
        "creator": _annotators(anchor),
        "rights": LICENCE,
        "motivation": MOTIVATIONS[Anchor.Stance(anchor.stance)],
        "body": list(_bodies(f"{base}{page}", text, basis)),
        "target": {
            "type": "SpecificResource",
            "source": f"{api}/evidence/{anchor.evidence.identifier}/#/{_field_of(anchor)}",
            "scope": f"{base}{anchor.evidence.get_absolute_url()}",
            "selector": anchor.selectors,
            "state": {"type": "State", "value": f"sha-256:{anchor.text_sha256}"},
        },
    }


def _annotators(anchor: Anchor) -> list[dict[str, str]]:
    """Who encoded the reading that the words are of, else who maintains the catalogue."""
    reading = anchor.clause.reading if anchor.clause else anchor.reading
    encoded = people(reading.encoded_by)[1] if reading and reading.encoded_by != THIS_CATALOGUES else []
    return [
        {"type": "Person" if "family" in name else "Organization", "name": in_order(name)}
        for name in encoded or release().authors
        if name != AND_OTHERS
    ]


def collection(items: list[dict[str, Any]], here: str, first: str, total: int | None, following: str) -> dict[str, Any]:
    """A page of annotations, within their collection if it is the first.

    here: the address of this page; first: that of the first page, which is that of the collection too; total: of all
    pages, None where it is not counted; following: the address of the next page, empty on the last one
    """
    counted = {"total": total} if total is not None else {}
    own = {"type": "AnnotationCollection", "id": first, **counted}
    page = {
        "type": "AnnotationPage",
        "id": here if here != first else f"{first}#page",
        **({"next": following} if following else {}),
        "items": [{name: value for name, value in one.items() if name != "@context"} for one in items],
    }
    if here == first:
        return {"@context": ANNOTATION_CONTEXT, **own, "first": page}
    return {"@context": ANNOTATION_CONTEXT, **page, "partOf": own}


def _bodies(page: str, text: str, basis: str) -> Iterator[dict[str, str]]:
    yield {"type": "SpecificResource", "purpose": "identifying", "source": page}
    if text:
        plain = {"format": "text/plain", "language": "en"}
        yield {"type": "TextualBody", "purpose": "describing", **plain, "value": text}
    if basis:
        yield {"type": "TextualBody", "purpose": "classifying", "value": basis}


def _subject(anchor: Anchor) -> tuple[str, str, str]:
    """(page, text, basis) of what the words are said of."""
    if anchor.clause:
        return anchor.clause.get_absolute_url(), anchor.clause.text, anchor.clause.basis
    if anchor.answer:
        return f"{anchor.answer.question.get_absolute_url()}#answer-{anchor.answer.slug}", anchor.answer.text, ""
    if anchor.claim:
        return anchor.claim.get_absolute_url(), anchor.claim.text, ""
    assert anchor.reading is not None
    return anchor.reading.get_absolute_url(), anchor.reading.rests_text, anchor.reading.rests_basis


def _field_of(anchor: Anchor) -> str:
    """Return the field of a record that holds the text."""
    if anchor.field == Anchor.Field.PARAPHRASE:
        return "paraphrase"
    return "quotation" if anchor.evidence.is_quoted else "remark_on_source"


Node = dict[str, Any]
CONTEXT = "https://schema.org"
PORTAL = {"@type": "Organization", "name": "Digital Ludeme Project"}
PAGED = ("ScholarlyArticle", "Chapter")  # kinds of works of which schema.org knows pages
TYPES = {"article-journal": "ScholarlyArticle", "chapter": "Chapter", "book": "Book", "document": "CreativeWork"}


class Writer:
    """Writes nodes for one site. base: its address; host: the same as the request has it"""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.base, self.host = site_address(request), host_address(request)

    def page(self) -> Node:
        """A page that is of no row by itself: a list, a form, a text."""
        address = f"{self.base}{self.request.path}"
        part_of: Node = {"@type": "WebSite", "@id": f"{self.base}/#site", "name": NAME, "url": f"{self.base}/"}
        return {"@context": CONTEXT, "@type": "WebPage", "@id": address, "url": address, "isPartOf": part_of}

    def document(self, row: Any, clauses: Iterable[Clause] = ()) -> Node:
        """Describe a row with its address and the rows that it belongs to.

        clauses: of a version's own reading, with their anchors, which stand beside it as annotations
        """
        own = NODES[type(row)](self, row)
        shared: Node = {"url": self.address(page_of(row)), "mainEntityOfPage": self.address(page_of(row))}
        if not isinstance(row, Source):
            # A place is no work that could be a part of another.
            within = "subjectOf" if isinstance(row, Place) else "isPartOf"
            shared |= {"identifier": key_of(row), within: self.catalogue()}
        if same := same_elsewhere(row):
            shared["sameAs"] = [one.address for one in same]
        main = _without_empty({"@id": self.name(row), **own, **shared})
        if clauses:
            main["hasPart"] = [self.clause(clause) for clause in clauses]
        if annotations := self.annotations(clauses):
            return {"@context": CONTEXT, "@graph": [main, *annotations]}
        return {"@context": CONTEXT, **main}

    def catalogue(self) -> Node:
        node: Node = {"@type": "DataCatalog", "@id": f"{self.base}/#catalogue", "name": NAME, "url": f"{self.base}/"}
        return {**node, "version": release().version, "publisher": self.maintainers()}

    def maintainers(self) -> list[Node]:
        return _people(release().authors)

    def clause(self, clause: Clause) -> Node:
        """A rule of a reading, which is found on the page of its ruleset and has a name of its own."""
        text = {"text": clause.text.replace("*", "")} if clause.text else {}
        return {**self.link(clause, "CreativeWork", clause.slug), "genre": "clause", **text}

    def cited(self, row: Any) -> Node:
        """Who made what is found here under a number, and when, as it is cited."""
        item = ITEMS[type(row)](row)
        day = item.get("issued", {}).get("date-parts", [[]])[0]  # of an installation: none is before the common era
        names = item.get("author") or release().authors
        return {"creator": _people(names), "datePublished": "-".join(f"{part:02d}" for part in day) or None}

    def annotations(self, clauses: Iterable[Clause]) -> list[Node]:
        """The words that clauses rest on, in the order of the clauses."""
        anchors = [(clause.position, anchor) for clause in clauses for anchor in clause.anchors.all()]
        anchors.sort(key=lambda pair: (pair[0], pair[1].position, pair[1].key))
        return [annotation(anchor, self.host) for _, anchor in anchors]

    def address(self, path: str) -> str:
        return f"{self.base}{path}"

    def name(self, row: Any) -> str:
        return self.address(identifier_of(row))

    def link(self, row: Any, kind: str, name: str = "") -> Node:
        """Another row, by its identifier."""
        return {"@type": kind, "@id": self.name(row), "name": name or str(row), "url": self.address(page_of(row))}

    def data(self, path: str, media_type: str) -> Node:
        return {"@type": "DataDownload", "contentUrl": self.address(path), "encodingFormat": media_type}


def _record(writer: Writer, record: Evidence) -> Node:
    cited = [_place_in_source(writer, citation) for citation in record.citations.all()]
    changed = edited(record.history.all()).order_by("-history_date").values_list("history_date", flat=True).first()
    annotations = f"{reverse('v1:annotation-list')}?evidence={record.identifier}"
    return {
        "@type": "ArchiveComponent",
        "name": f"{record.game.name} ({record.identifier})",
        "genre": record.type,
        "about": writer.link(record.game, "Game"),
        "spatialCoverage": [writer.link(place, "Place") for place in record.places.all()],
        "temporalCoverage": record.date_edtf,
        "citation": cited,
        **writer.cited(record),
        "sourceOrganization": PORTAL if record.identifier.startswith(OF_PORTAL) else None,
        "license": writer.address(f"{reverse('document', args=['rights'])}#the-records"),
        "dateModified": changed.isoformat() if changed else None,
        "encoding": writer.data(reverse("v1:evidence-detail", args=[record.identifier]), "application/json"),
        "subjectOf": {"@type": "Dataset", "name": "Its words as annotations", "url": writer.address(annotations)},
    }


def _place_in_source(writer: Writer, citation: Citation) -> Node:
    """Return what a citation points to: pages of an article, or of a book, where they are a part of it."""
    kind = _type(citation.source)
    source = writer.link(citation.source, kind, citation.source.title)
    if not citation.locator:
        return source
    if kind in PAGED:
        return {**source, "pagination": citation.locator}
    return {"@type": "Chapter", "pagination": citation.locator, "isPartOf": source}


def _source(writer: Writer, source: Source) -> Node:
    item = source_item(source)
    publisher = {"@type": "Organization", "name": source.publisher, "location": source.place or None}
    return {
        "@type": _type(source),
        "name": item["title"],
        "author": _people(item.get("author", ())),
        "editor": _people(item.get("editor", ())),
        "datePublished": None if source.year is None else iso_year(source.year),
        "isPartOf": _container(source) if source.container else None,
        "pagination": source.pages if _type(source) in PAGED else None,
        "publisher": _without_empty(publisher) if source.publisher else None,
        "sameAs": source.address,
        "identifier": source.key,
    }


def _container(source: Source) -> Node:
    if _type(source) == "Chapter":
        return {"@type": "Book", "name": source.container}
    periodical = {"@type": "Periodical", "name": source.container}
    if not source.volume:
        return periodical
    return {"@type": "PublicationVolume", "volumeNumber": source.volume, "isPartOf": periodical}


def _type(source: Source) -> str:
    return TYPES[source_item(source)["type"]]


def _people(names: Iterable[Name]) -> list[Node]:
    return [
        {"@type": "Person", "name": in_order(name), "familyName": name["family"], "givenName": name["given"]}
        if "family" in name
        else {"@type": "Organization", "name": name["literal"]}
        for name in names
        if name != AND_OTHERS
    ]


def _game(writer: Writer, game: Game) -> Node:
    names = [name.name for name in game.names.all()]
    return {"@type": "Game", "name": game.name, "alternateName": names, "description": game.description}


def _place(writer: Writer, place: Place) -> Node:
    geo = {"@type": "GeoCoordinates", "latitude": str(place.latitude), "longitude": str(place.longitude)}
    return {
        "@type": "Place",
        "name": place.name,
        "geo": geo if place.latitude is not None else None,
        "containedInPlace": writer.link(place.part_of, "Place") if place.part_of else None,
    }


def _version(writer: Writer, version: RulesetVersion) -> Node:
    reading = reading_of(version)
    node = {**_ruleset(writer, version.ruleset), "name": str(version), "version": str(version.number)}
    node["encoding"] = {"@id": writer.name(version.ruleset), **node["encoding"]}
    node |= {"dateCreated": version.date.isoformat(), **writer.cited(version)}
    # The name without a number is of the ruleset whatever its version.
    node["exampleOfWork"] = {"@type": "CreativeWork", "@id": writer.name(version).rpartition("@")[0]}
    if reading is None:
        return node
    return {
        **node,
        "name": reading.title,
        "abstract": reading.summary.replace("*", ""),
        "about": writer.link(reading.game, "Game"),
        "isBasedOn": [
            writer.link(record, "ArchiveComponent") for record in reading.evidence.all() if not record.withdrawn_on
        ],
    }


def _ruleset(writer: Writer, ruleset: Ruleset) -> Node:
    document = {
        "@type": "MediaObject",
        "contentUrl": writer.address(reverse("v1:ruleset-detail", args=[ruleset.hash])),
        "encodingFormat": "application/json",
        "sha256": ruleset.hash,
    }
    name = f"Ruleset {ruleset.hash[:8]}"
    return {"@type": "CreativeWork", "genre": "ruleset", "name": name, "license": LICENCE, "encoding": document}


def _dataset(writer: Writer, row: Any, name: str, description: str, **others: Node) -> Node:
    """Figures that were worked out here. others: what they are of

    A search engine for data wants a description of 50 to 5,000 characters, a licence, a creator and where to load it.
    """
    document = reverse(f"v1:{kind_of(row).name}-detail", args=[row.id])
    return {
        "@type": "Dataset",
        "name": name,
        "description": description,
        **others,
        **writer.cited(row),
        "license": LICENCE,
        "isAccessibleForFree": True,
        "keywords": ["traditional games", "simulated games"],
        "distribution": [writer.data(document, "application/json")],
    }


def _batch(writer: Writer, batch: Batch) -> Node:
    name = f"{batch.games:,} simulated games of {batch.ruleset.name}"
    description = (
        f"Simulated games, a row each, with how they ended, who won and how long they took: {batch.games:,} games of "
        f"{batch.ruleset.name}, players {batch.players}, seed {batch.seed}, stopped after {batch.cap} turns. The same "
        "ruleset, players and seed give the same games."
    )
    ruleset = writer.link(batch.ruleset, "CreativeWork", batch.ruleset.name)
    node = _dataset(writer, batch, name, description, isBasedOn=ruleset)
    if batch.rows_kept and batch.state == Batch.State.DONE:
        node["distribution"].insert(0, writer.data(reverse("batch-rows", args=[batch.id]), "text/csv"))
    technique = f"simulation, {batch.ruleset.family}, version {batch.family_version}"
    return {**node, "measurementTechnique": technique}


def _comparison(writer: Writer, comparison: Comparison) -> Node:
    played = f" Players: {comparison.asked}." if comparison.asked else ""
    description = (
        f"Differences between {' and '.join(comparison.names)}, readings of a game, in how their simulated games end, "
        f"with intervals.{played}"
    )
    return _dataset(writer, comparison, f"{' and '.join(comparison.names)} compared", description)


def _study(writer: Writer, study: Study) -> Node:
    name = f"Which question about {study.game.name} matters"
    played = f" Players: {study.summary['players']}." if study.summary.get("players") else ""
    description = (
        f"What share of the differences between simulated games of {study.game.name} is due to each question that its "
        f"sources leave open, with intervals.{played}"
    )
    return _dataset(writer, study, name, description, about=writer.link(study.game, "Game"))


def _wear(writer: Writer, study: WearStudy) -> Node:
    description = (
        f"What {len(study.names)} candidate rulesets would leave on the board of {study.record.game.name} "
        f"({study.record.identifier}), by simulated games, and how well each agrees with what was seen on it, with "
        f"intervals. Players: {study.terms['players']}."
    )
    return _dataset(writer, study, study.title, description, about=writer.link(study.record, "ArchiveComponent"))


def _question(writer: Writer, question: Question) -> Node:
    answers = [{"@type": "Answer", "text": answer.text.replace("*", "")} for answer in question.answers.all()]
    return {
        "@type": "Question",
        "name": question.title,
        "text": question.text.replace("*", ""),
        "license": LICENCE,
        "about": writer.link(question.game, "Game"),
        "suggestedAnswer": answers,
    }


def _claim(writer: Writer, claim: Claim) -> Node:
    records = {anchor.evidence.identifier: anchor.evidence for anchor in claim.anchors.all()}
    return {
        "@type": "Claim",
        "name": claim.title,
        "text": claim.text.replace("*", ""),
        "about": writer.link(claim.game, "Game"),
        "appearance": [writer.link(record, "ArchiveComponent") for record in records.values()],
    }


def _without_empty(node: Mapping[str, Any]) -> Node:
    """Return the document without unknown values."""
    return {name: value for name, value in node.items() if value not in (None, "", [])}


NODES: Mapping[type, Callable[[Writer, Any], Node]] = {
    Evidence: _record,
    Source: _source,
    Game: _game,
    Place: _place,
    RulesetVersion: _version,
    Ruleset: _ruleset,
    Batch: _batch,
    Comparison: _comparison,
    Study: _study,
    WearStudy: _wear,
    Question: _question,
    Claim: _claim,
}
