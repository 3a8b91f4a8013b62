"""A reader of the heads of pages, as reference managers and link checkers are, and what it must find there.

It knows the tags by their published names, and nothing of the code that writes them.
"""

import re
from typing import Any
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from django.http import HttpResponse

DATE = "citation_publication_date"
LINK = re.compile(r'<(?P<address>[^>]*)>; rel="(?P<relation>[^"]*)"(?:; type="(?P<kind>[^"]*)")?')


def values(page: BeautifulSoup, name: str) -> list[str]:
    return [str(tag["content"]) for tag in page.find_all("meta", attrs={"name": name})]


def printed(name: dict[str, str]) -> str:
    return name.get("literal") or f"{name['family']}, {name['given']}"


def path_of(address: str) -> str:
    return urlsplit(address)._replace(scheme="", netloc="").geturl()


def assert_told(client: Any, response: HttpResponse, page: BeautifulSoup) -> dict[str, Any]:
    """Hold the head of a page against the citation that its own link leads to, and return that as CSL-JSON."""
    tags = page.find_all("link", rel="alternate", type=lambda kind: kind and not kind.endswith(("oembed", "atom+xml")))
    links = {str(tag["type"]): str(tag["href"]) for tag in tags}
    (item,) = client.get(path_of(links["application/vnd.citationstyles.csl+json"])).json()
    assert values(page, "citation_title") == values(page, "DC.title") == [item["title"]]
    names = [printed(name) for name in item.get("author", []) if name != {"literal": "et al."}]
    assert [name.replace(". ", ".") for name in values(page, "citation_author")] == [
        n.replace(". ", ".") for n in names
    ]
    assert values(page, "DC.creator") == values(page, "citation_author")
    day = "-".join(f"{part:02d}" for part in item.get("issued", {}).get("date-parts", [[]])[0])  # of our own era
    assert "".join(values(page, "DC.date")) == day
    assert "".join(values(page, DATE)) == day.replace("-", "/")
    number = item.get("archive_location")
    assert values(page, "citation_technical_report_number") == ([number] if number else [])
    if number:
        assert number in values(page, "DC.identifier")
    assert values(page, "citation_public_url") == ([item["URL"]] if "URL" in item else [])
    sent = [found.groupdict() for found in LINK.finditer(response["Link"])]
    described = {one["kind"]: one["address"] for one in sent if one["relation"] == "describedby"}
    assert described == links
    assert {"application/ld+json", "application/x-bibtex", "application/x-research-info-systems"} <= described.keys()
    assert [one["relation"] for one in sent][:2] == ["cite-as", "type"]
    shared = {str(tag["property"]): str(tag["content"]) for tag in page.find_all("meta", property=True)}
    assert shared["og:title"] == " ".join(page.title.get_text().split()).removesuffix(
        " – Evidence of Traditional Games"
    )
    assert shared["og:site_name"] == "Evidence of Traditional Games"
    assert (
        " ".join(str(page.find("meta", attrs={"name": "description"})["content"]).split()) == shared["og:description"]
    )
    return {**item, "shared": shared, "links": links}
