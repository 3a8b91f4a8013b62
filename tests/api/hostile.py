"""Requests that mean no good, or come from a programme that went wrong: for the tests and, in number, for the proof."""

from typing import Any
from urllib.parse import quote_plus, urlencode

from django.test import Client
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from catalogue.api.fields import shapes
from catalogue.api.urls import words
from tests.api.api_world import lists

NEAREST = Draft202012Validator(shapes()["NearestValue"])
ALLOWED = {200, 304, 400, 404, 406, 410, 414}
PARAMETERS = sorted(
    {"page", "page_size", "cursor", "ordering", "fields", "format"}
    | {
        name
        for view in lists().values()
        for name in getattr(getattr(view, "filterset_class", None), "base_filters", ())
    }
)
NASTY = (
    "\0", "%00", "%", "%s%n", "'", '"; DROP TABLE catalogue_evidence; --', "1 OR 1=1", "{{7*7}}", "${7*7}",
    "../../etc/passwd", "\ud800", "\udfff\ud800", "\u202e", "\ufeff", "é" * 400, "x" * 10_000, "9" * 10_000,
    "-" + "9" * 400, "1e999", "NaN", "-0", "٣", "0x10", "True", "null", "[]", "{}", "*", "**", ",", ",,,",
    "identifier,,", "__class__", "evidence__id", "-", "--year", "a\r\nb", "WzFd:x", "WzFd", ":", "eyJhIjoxfQ:x:y", " ",
    "\t1", "1 ", "+1", "١٢",
)  # fmt: skip
values = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.characters(exclude_categories=()), max_size=60),
    st.integers().map(str),
    st.floats().map(str),
)
names = st.one_of(st.sampled_from(PARAMETERS), values)
queries = st.lists(st.tuples(names, values), max_size=4)
paths = st.one_of(
    st.sampled_from(words).map(lambda name: f"{name}/"),
    st.tuples(st.sampled_from((*words, "histories/clause", "nothing")), values).map("{0[0]}/{0[1]}/".format),
)
HEADERS = ("accept", "origin", "if-none-match", "if-modified-since", "x-forwarded-for", "range", "accept-language")
ACCEPTED = ("*/*", "text/csv", "a/b;q=x", "text/html;q=,", "*", "x" * 5_000)
headers = st.dictionaries(
    st.sampled_from(HEADERS),
    st.one_of(st.sampled_from(ACCEPTED), st.text(st.characters(max_codepoint=255))),
    max_size=2,
)
requests = st.tuples(paths, queries, headers)


def sent(client: Client, request: tuple[str, list[tuple[str, str]], dict[str, str]]) -> Any:
    """The answer to it. Surrogates are sent as the bytes that would have made them."""
    path, query, sent_headers = request
    text = urlencode([(_bytes(name), _bytes(value)) for name, value in query], quote_via=quote_plus)
    environment = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in sent_headers.items()}
    target = _bytes(f"/api/v1/{path}").decode("latin-1")
    return client.generic("GET", "/api/v1/", QUERY_STRING=text, PATH_INFO=target, **environment)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def wrong(response: Any) -> str:
    """What is wrong with the answer; empty if nothing is."""
    if response.status_code not in ALLOWED:
        return f"status {response.status_code}"
    if response.status_code >= 400 and response["Content-Type"].startswith("application/"):
        document = response.json()
        if document["status"] != response.status_code or not document["detail"]:
            return f"no problem document: {document}"
        if untyped := [one for one in document["problems"] if not NEAREST.is_valid(one["nearest"])]:
            return f"a nearest value of another kind than is described: {untyped}"
        if len(response.content) > 20_000:
            return f"{len(response.content)} bytes to say that it is refused"
    return ""
