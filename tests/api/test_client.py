"""The client in clients/python: it says what the OpenAPI document says, and is patient only where that is safe."""

import ast
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import catalogue_client
import pytest
from catalogue_client import Catalogue, CatalogueError, RefusedRequest, Unreachable, client, frame, rows
from catalogue_client.rows import Row

from tests.api.api_world import published

WHOLE = {rows.Batch: "WholeBatch", rows.Comparison: "WholeComparison", rows.Study: "WholeStudy"}
UNLISTED = (rows.RequestedStudy, rows.RequestedLadder)
LISTED = (
    rows.Evidence, rows.Game, rows.Ruleset, rows.Measurement, rows.Claim, rows.Clause, rows.Question, rows.Annotation,
    rows.Finding, rows.Ladder, *WHOLE,
)  # fmt: skip
KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def schemas() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(published())["components"]["schemas"]
    return found


def kinds_of(schema: dict[str, Any]) -> set[str]:
    """JSON types that a schema allows: "string", "null", a component's name, or "list of …"."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return {name} if "properties" in schemas()[name] else kinds_of(schemas()[name])
    for parts in ("allOf", "oneOf", "anyOf"):
        if parts in schema:
            return set().union(*map(kinds_of, schema[parts]))
    if schema.get("type") == "array":
        return {f"list of {one}" for one in kinds_of(schema["items"])}
    kinds = schema.get("type", "string" if "enum" in schema else "anything")
    return set(kinds if isinstance(kinds, list) else [kinds])


def disagreements(hint: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    hints = set(get_args(hint)) if get_origin(hint) is UnionType else {hint}
    said = kinds_of(schema)
    for one in hints:
        if is_dataclass(one):
            name = next(iter(said - {"null"}))
            yield from of_row(one, name, where)
            said.discard(name)
        elif get_origin(one) is list and is_dataclass(get_args(one)[0]):
            name = next(iter(said)).removeprefix("list of ")
            yield from of_row(get_args(one)[0], name, where)
            said.clear()
        elif get_origin(one) is list:
            said.discard(_list_of(get_args(one)[0]))
        elif get_origin(one) is dict:
            said = {kind for kind in said if kind != "object" and kind not in schemas()}
        elif KINDS[one] not in said:
            yield f"{where}: never {KINDS[one]}"
        else:
            said.discard(KINDS[one])
    if said:
        yield f"{where}: may be {', '.join(sorted(said))} too"


def _list_of(hint: Any) -> str:
    return f"list of {_list_of(get_args(hint)[0]) if get_origin(hint) is list else KINDS[hint]}"


def of_row(kind: type[Row], component: str, where: str, *, listed: bool = False) -> Iterator[str]:
    """listed: only what every row of a list has"""
    hints = get_type_hints(kind)
    properties = schemas()[component]["properties"]
    for field in fields(kind):
        is_needed = field.default is field.default_factory
        if field.name == "raw" or (listed and not is_needed):
            continue
        place = f"{where}.{field.name}"
        if field.name not in properties:
            yield f"{place}: {component} has no such field"
            continue
        hint = hints[field.name]
        if not is_needed and get_origin(hint) is UnionType and "null" not in kinds_of(properties[field.name]):
            (hint,) = (part for part in get_args(hint) if part is not type(None))
        yield from disagreements(hint, properties[field.name], place)


@pytest.mark.parametrize("kind", [*LISTED, *UNLISTED], ids=lambda kind: kind.__name__)
def test_its_types_are_those_of_the_document(kind: type[Row]) -> None:
    assert not list(of_row(kind, kind.__name__, kind.__name__, listed=True))
    assert not list(of_row(kind, WHOLE.get(kind, kind.__name__), kind.__name__))


def test_what_does_not_agree_is_seen() -> None:
    assert list(of_row(rows.Game, "Evidence", "Game"))
    assert list(disagreements(int, {"type": ["integer", "null"]}, "a"))
    assert list(disagreements(str, {"type": "integer"}, "a"))


def asked_paths() -> set[str]:
    """The paths that stand in the client's code, with {} for what is filled in; `{}cancel/` is below a row."""
    tree = ast.parse(Path(client.__file__).read_text(encoding="utf-8"))
    joined = [node.values for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    within = {id(part) for parts in joined for part in parts}
    whole = [[node] for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in within]
    texts = (
        "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
        for parts in [*joined, *whole]
    )
    return {text for text in texts if re.fullmatch(r"({}|[a-z]+/)([\w{}]+/)+|[a-z]+/", text)}


def test_every_path_it_asks_is_in_the_document() -> None:
    described = {re.sub(r"{\w+}", "{}", path) for path in json.loads(published())["paths"]}
    waited = ("batches/{}/", "comparisons/{}/", "studies/{}/", "ladders/{}/")
    asked = {f"/api/v1/{path.replace('{}cancel', f'{row}cancel')}" for path in asked_paths() for row in waited}
    assert {
        "/api/v1/batches/{}/rows/",
        "/api/v1/comparisons/{}/cancel/",
        "/api/v1/studies/{}/cancel/",
        "/api/v1/ladders/{}/cancel/",
        "/api/v1/measurements/",
        "/api/v1/claims/{}/",
    } <= asked
    assert asked <= described


def test_it_keeps_to_its_size_and_version() -> None:
    folder = Path(catalogue_client.__file__).parent
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in folder.glob("*.py")) < 1_050
    assert (folder / "py.typed").exists()


class Answers(BaseHTTPRequestHandler):
    """Answers one after the other: (status, headers, body), or None for a connection that breaks off."""

    queue: list[Any]
    heard: list[tuple[str, str, dict[str, str]]]

    def do_GET(self) -> None:
        self.heard.append((self.command, self.path, dict(self.headers)))
        answer = self.queue.pop(0)
        if answer is None:
            self.close_connection = True
            return
        status, headers, body = answer
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def answering(*answers: Any) -> Iterator[tuple[str, list[Any]]]:
    handler = type("Queue", (Answers,), {"queue": list(answers), "heard": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", handler.heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


REFUSED = json.dumps({"problems": [{"field": "place", "message": "no place is called so", "nearest": "sri-lanka"}]})


def test_it_comes_again_when_it_is_told_to() -> None:
    busy = (503, {"Retry-After": "0"}, "")
    with answering(busy, None, (200, {}, "{}")) as (site, heard), Catalogue(site) as catalogue:
        assert catalogue.get("games/") == {}
    assert [path for _, path, _ in heard] == ["/api/v1/games/"] * 3
    assert heard[0][2]["User-Agent"] == f"catalogue-client/{catalogue_client.__version__}"


def test_waiting_ends_and_wrong_requests_are_not_repeated() -> None:
    later, wrong = (429, {"Retry-After": "3000"}, REFUSED), (400, {}, REFUSED)
    with answering(later, wrong) as (site, heard), Catalogue(site) as catalogue:
        with pytest.raises(RefusedRequest) as much:
            catalogue.request_batch("daramuti-parker")
        with pytest.raises(
            RefusedRequest, match=r"place: no place is called so \(nearest valid value: 'sri-lanka'\)"
        ) as bad:
            list(catalogue.records(place="sri-lnka"))
    assert str(bad.value) == "place: no place is called so (nearest valid value: 'sri-lanka')"
    assert (much.value.status, much.value.retry_after, bad.value.retry_after) == (429, 3000, None)
    assert [method for method, _, _ in heard] == ["POST", "GET"]


LINK = {"slug": "dam", "name": "Dam"}
STUDY: dict[str, Any] = {
    "id": "ab", "url": "/api/v1/studies/ab/", "page": "/studies/ab/", "game": LINK, "base": "dam-parker",
    "questions": [], "combinations": 2, "complete": True, "games": 9, "players": "random", "sentences": {},
    "document": {},
}  # fmt: skip
PROGRESS = {"games": 18, "games_done": 9, "percent": 50, "waits_for": ""}
REQUESTED = {**STUDY, "state": "waiting", "progress": PROGRESS, "takes": "2 minutes", "error": ""}


def test_a_study_is_waited_for_until_it_is_there() -> None:
    waits, done = (202, {"Retry-After": "0"}, json.dumps(REQUESTED)), (200, {}, json.dumps(STUDY))
    with answering(waits, waits, done, done) as (site, heard), Catalogue(site) as catalogue:
        asked = catalogue.request_study("dam", games=9)
        assert isinstance(asked, rows.RequestedStudy)
        assert (asked.state, asked.progress.percent) == ("waiting", 50)
        found = catalogue.wait(asked)
        assert isinstance(found, rows.Study)
        assert catalogue.wait(catalogue.request_study("dam", games=9)) == found
    assert [method for method, _, _ in heard] == ["POST", "GET", "GET", "POST"]
    stopped = (202, {}, json.dumps({**REQUESTED, "state": "cancelled", "error": "It was cancelled."}))
    with answering(waits, stopped) as (site, _), Catalogue(site) as catalogue:
        asked = catalogue.request_study("dam")
        with pytest.raises(catalogue_client.NotDone, match=r"is cancelled. It was cancelled."):
            catalogue.wait(asked)


def test_who_does_not_answer_is_named() -> None:
    with answering(None) as (site, _), Catalogue(site, tries=1) as catalogue, pytest.raises(Unreachable, match=site):
        catalogue.get("games/")
    broken = pytest.raises(RefusedRequest, match="502 Bad Gateway")
    with answering((502, {}, "<html>")) as (site, _), Catalogue(site, tries=1) as catalogue, broken:
        catalogue.get("games/")


@pytest.mark.by_turns
def test_a_token_goes_to_nobody_else() -> None:
    page = json.dumps({"results": [], "next": "http://elsewhere.example/api/v1/games/?cursor=x"})
    last = json.dumps({"results": [{"slug": "dam"}], "next": None})
    with answering((200, {}, page), (200, {}, last)) as (site, heard), Catalogue(site, token="t") as catalogue:
        found = list(catalogue.every("games/", place=["a", "b"], reference=False, from_=1900))
    assert frame(found).to_dict("list") == {"slug": ["dam"]}
    assert heard[1][1] == "/api/v1/games/?cursor=x"
    assert heard[0][2]["Authorization"] == "Bearer t"
    assert "place=a%2Cb&reference=no&from=1900" in heard[0][1]


def test_a_frame_has_a_column_for_each_field() -> None:
    """Names in place of what is linked to; a date by its words and its first and last year."""
    game, places = (
        rows.GameLink(slug="dam", name="Dam"),
        [rows.PlaceLink(slug=one, name=one.title(), kind="") for one in "ab"],
    )
    date = rows.Date(as_printed="c. 1909", earliest=1904, latest=1914)
    row = rows.Evidence(
        identifier="E", page="p", type="t", game=game, places=places, date=date, quotation="q", remark_on_source="",
        paraphrase="", readings=[],
    )  # fmt: skip
    [cells] = frame([row]).to_dict("records")
    assert (cells["game"], cells["places"]) == ("Dam", "A; B")
    assert [cells[name] for name in ("date", "date_earliest", "date_latest")] == ["c. 1909", 1904, 1914]
    assert cells["readings"] == []


def test_what_a_rule_rests_on_has_types_too() -> None:
    link = {"ruleset": "dam-parker", "title": "Dam", "authority": "Parker", "kind": "record"}
    words = {"annotation": "http://h/api/v1/annotations/a/", "record": "E", "field": "quotation", "stance": "supports",
             "exact": "six"}  # fmt: skip
    clause = {"key": "dam-parker/a", "page": "p", "reading": link, "parameters": ["a"], "basis": "record", "text": "t",
              "source": "", "words": [words]}  # fmt: skip
    idle = {"reading": link, "state": "idle", "text": "t", "because": "", "same": [["yes", "no"]], "impossible": [],
            "first_different": None, "games": 9, "seed": 1, "players": "random"}  # fmt: skip
    answer = {"slug": "yes", "text": "t", "values": None, "readings": [link], "words": [words]}
    question = {"key": "dam/a", "page": "p", "game": LINK, "title": "A", "text": "t", "parameters": ["a"],
                "answers": [answer], "disputed": False, "silent": [], "idle": [idle]}  # fmt: skip
    said = {"id": "i", "type": "Annotation", "canonical": "c", "creator": [{"type": "Person", "name": "A B"}],
            "rights": "r", "motivation": "linking", "body": [{"type": "TextualBody", "purpose": "describing"}],
            "target": {"type": "SpecificResource", "source": "s", "scope": "p", "state": {"type": "S", "value": "v"},
                       "selector": [{"type": "Quote", "exact": "six"}, {"type": "T", "start": 0, "end": 3}]},
            "@context": "x"}  # fmt: skip
    answers = ((200, {}, json.dumps(one)) for one in (clause, question, said))
    with answering(*answers) as (site, heard), Catalogue(site) as catalogue:
        rule, doubt = catalogue.clause("dam-parker/a"), catalogue.question("dam/a")
        found = catalogue.annotation(rule.words[0].annotation)
    assert (rule.reading.ruleset, rule.words[0].exact) == ("dam-parker", "six")
    assert (doubt.answers[0].words[0].record, doubt.idle[0].same) == ("E", [["yes", "no"]])
    assert (found.target.selector[0].exact, found.target.selector[1].start, found.creator[0].name) == ("six", 0, "A B")
    assert found.raw["@context"] == "x"
    assert [path for _, path, _ in heard][-1] == "/api/v1/annotations/a/"


def moved(to: str, status: int = 301) -> tuple[int, dict[str, str], str]:
    return status, {"Location": to}, "<html>moved</html>"


def test_what_is_read_is_read_where_it_has_moved() -> None:
    row = (200, {}, '{"slug": "dam"}')
    with answering(moved("/now/games/dam/"), row) as (site, heard), Catalogue(site, token="t") as catalogue:
        assert catalogue.get("games/dam/") == {"slug": "dam"}
    assert [(path, headers["Authorization"]) for _, path, headers in heard] == [
        ("/api/v1/games/dam/", "Bearer t"), ("/now/games/dam/", "Bearer t"),
    ]  # fmt: skip


def test_a_token_does_not_go_to_where_it_has_moved() -> None:
    with (
        answering((200, {}, "{}")) as (there, heard),
        answering(moved(f"{there}/games/", 308)) as (site, _),
        Catalogue(site, token="t") as catalogue,
    ):
        assert catalogue.get("games/") == {}
    ((_, path, headers),) = heard
    assert path == "/games/"
    assert "Authorization" not in headers


def test_a_request_for_games_is_not_sent_on() -> None:
    with (
        answering() as (there, heard),
        answering(moved(f"{there}/api/v1/batches/", 308)) as (site, asked),
        Catalogue(site) as catalogue,
        pytest.raises(Unreachable, match=f"has moved to {there}/api/v1/batches/"),
    ):
        catalogue.request_batch("daramuti-parker")
    assert ([method for method, _, _ in asked], heard) == (["POST"], [])


def test_a_circle_of_addresses_is_named_and_not_tried_again() -> None:
    circle = [moved("/api/v1/games/")] * 50
    with answering(*circle) as (site, heard), Catalogue(site) as catalogue, pytest.raises(Unreachable, match="circle"):
        catalogue.get("games/")
    assert len(heard) < len(circle) / 2


@pytest.mark.by_turns
@pytest.mark.parametrize(
    "answer",
    [
        (200, {"Content-Type": "text/html; charset=utf-8"}, "<!DOCTYPE html><title>Log in</title>"),
        (200, {}, ""),
        (200, {}, "[]"),
        (304, {}, ""),
        (200, {"Content-Encoding": "gzip"}, "this was never packed"),
    ],
    ids=["page", "nothing", "list", "unchanged", "packed"],
)
def test_what_no_catalogue_answers_is_named(answer: Any) -> None:
    reads = (
        lambda one: one.record("DLP.Evidence.692"),
        lambda one: list(one.games()),
        lambda one: one.request_study("dam"),
    )
    for read in reads:
        with answering(answer) as (site, _), Catalogue(site) as catalogue, pytest.raises(CatalogueError) as error:
            read(catalogue)
        assert site in str(error.value)
        if "Content-Type" in answer[1]:
            assert "answered 200 with text/html; charset=utf-8" in str(error.value)


def test_rows_of_games_that_are_none_are_named() -> None:
    page = (200, {"Content-Type": "text/html"}, "<html>\n</html>")
    raised = pytest.raises(Unreachable, match=r"/batches/ab/rows/\?format=jsonl answered 200 with text/html")
    with answering(page) as (site, _), Catalogue(site) as catalogue, raised:
        list(catalogue.games_of("ab"))


FINDING = {
    "rank": 1, "kind": "proved", "game": LINK, "headline": "…", "sentence": "…", "value": None, "low": None,
    "high": None, "level": "perfect", "players": "perfect players", "games": None, "counted": "games",
    "batches": [], "links": [{"text": "…", "page": "/"}],
}  # fmt: skip


def test_lists_with_numbered_pages_are_read_to_their_end() -> None:
    second = json.dumps({"results": [{**FINDING, "rank": 2}], "next": None})
    with answering() as (nowhere, _):
        first = json.dumps({"results": [FINDING], "next": f"{nowhere}/api/v1/findings/?page=2&page_size=100"})
    refused = json.dumps({"problems": [{"field": "cursor", "message": "there is no such parameter", "nearest": None}]})
    pages = [(200, {}, first), (200, {}, second)]
    with answering(*pages, (400, {}, refused), *pages) as (site, heard), Catalogue(site) as catalogue:
        found = list(catalogue.findings(level="strong"))
        assert [one.rank for one in found] == [1, 2]
        assert (found[0].game.slug, found[0].links[0].page) == ("dam", "/")
        assert len(list(catalogue.every("findings/"))) == 2
    assert [path.partition("findings/")[2] for _, path, _ in heard] == [
        "?page_size=100&level=strong",
        "?page=2&page_size=100",
        "?cursor=%2A&page_size=100",
        "?page_size=100",
        "?page=2&page_size=100",
    ]


def test_a_cursor_that_was_given_is_not_left_out() -> None:
    refused = json.dumps({"problems": [{"field": "cursor", "message": "no cursor reads so", "nearest": "*"}]})
    raised = pytest.raises(RefusedRequest, match="no cursor reads so")
    with answering((400, {}, refused)) as (site, _), Catalogue(site) as catalogue, raised:
        list(catalogue.every("games/", cursor="x"))
