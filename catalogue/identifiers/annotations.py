"""Anchors as documents of the W3C Web Annotation model (https://www.w3.org/TR/annotation-model/)."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from catalogue.models import Anchor

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
MOTIVATIONS = {Anchor.Stance.SUPPORTS: "linking", Anchor.Stance.CONTRADICTS: "questioning"}


def annotation(anchor: Anchor, request: HttpRequest) -> dict[str, Any]:
    """The words of an anchor and what is said of them; `request` tells where this site is.

    No query for an anchor that was fetched with its record and with what it belongs to.
    """
    address = request.build_absolute_uri
    page, text, basis = _subject(anchor)
    row = address(reverse("v1:evidence-detail", args=[anchor.evidence.identifier]))
    return {
        "@context": CONTEXT,
        "id": address(reverse("v1:annotation-detail", args=[anchor.key])),
        "type": "Annotation",
        "motivation": MOTIVATIONS[Anchor.Stance(anchor.stance)],
        "body": list(_bodies(address(page), text, basis)),
        "target": {
            "type": "SpecificResource",
            "source": f"{row}#/{_field_of(anchor)}",
            "scope": address(anchor.evidence.get_absolute_url()),
            "selector": anchor.selectors,
            "state": {"type": "State", "value": f"sha-256:{anchor.text_sha256}"},
        },
    }


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
    """What the row of a record calls the text."""
    if anchor.field == Anchor.Field.PARAPHRASE:
        return "paraphrase"
    return "quotation" if anchor.evidence.is_quoted else "remark_on_source"
