"""Where else a thing is told of: its citation in each form, its linked data, and its row of the API.

Pages name these addresses twice: in their head (`<link rel="alternate">`) and in the header `Link`, as Signposting has
it (https://signposting.org/FAIR/), so that a program need not read the page. Names below /id/ lead to the one whose
media type a request asks for.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import NoReverseMatch, reverse

from catalogue.citations.formats import FORMATS
from catalogue.identifiers.resolution import kind_of
from catalogue.models.lookup import key_of

LINKED_DATA, JSON = "application/ld+json", "application/json"
OF_THE_API = {"record": "evidence", "words": "annotation"}  # kinds that the API calls otherwise
Forms = Mapping[str, str]  # addresses of a citation, by the names of its forms


@dataclass(frozen=True, slots=True)
class Signpost:
    """An absolute address. relation: as IANA registers it; title: empty for what stands in the header only"""

    relation: str
    address: str
    media_type: str = ""
    title: str = ""

    @property
    def field(self) -> str:
        """The link as the header has it (RFC 8288)."""
        kind = f'; type="{self.media_type}"' if self.media_type else ""
        return f'<{self.address}>; rel="{self.relation}"{kind}'


def citation_forms(row: Any) -> Forms:
    kind, key = kind_of(row).name, key_of(row)
    return {name: reverse("citation", args=[kind, key, name]) for name in FORMATS}


def whole_forms(of: str, *args: str) -> Forms:
    """Of the catalogue, its edition, a release or the findings."""
    return {name: reverse(f"citation-of-{of}", args=[*args, name]) for name in FORMATS}


def api_address(row: Any) -> str:
    """The address of the row in the API; empty if it has none."""
    try:
        name = kind_of(row).name
        return reverse(f"v1:{OF_THE_API.get(name, name)}-detail", args=[key_of(row)])
    except (KeyError, NoReverseMatch):  # what only the portal names has no kind of its own
        return ""


def media_type(form: str) -> str:
    """Of a form of a citation, without its character set."""
    return FORMATS[form].media_type.partition(";")[0]


def signposts(base: str, page: str, node: Mapping[str, Any], forms: Forms, api: str = "") -> Iterator[Signpost]:
    """The links of a page. base: address of the site; page: path of the page; node: the thing as linked data."""
    yield Signpost("cite-as", f"{base}{page}")
    for kind in ("AboutPage", *_types(node)):
        yield Signpost("type", f"https://schema.org/{kind}")
    if licence := node.get("license"):
        yield Signpost("license", licence)
    yield Signpost("describedby", f"{base}{page}", LINKED_DATA, "Linked data")
    for name, address in forms.items():
        yield Signpost("describedby", f"{base}{address}", media_type(name), FORMATS[name].title)
    if api:
        yield Signpost("describedby", f"{base}{api}", JSON, "The row in the API")


def _types(node: Mapping[str, Any]) -> Sequence[str]:
    return [node["@type"]] if "@type" in node else []
