"""Hostile requests by number: each is a function of surface, seed and number, and of what the site offers.

They are those that its visitors send, spoilt: names, values, paths, headers, methods and bodies of every bad sort.
"""

import json
import random
from typing import Any
from urllib.parse import parse_qsl, quote_from_bytes, urlsplit

from tests.api.hostile import ACCEPTED, HEADERS, NASTY, PARAMETERS
from tests.proofs.operation_http import Form, HttpRequest, Offer

HOSTILE: tuple[Any, ...] = (
    *(
        None,
        "",
        "\0",
        "\x1a\\",
        "';--",
        "\ud7ff\U0010ffff",
        "<p>" * 3000,
        "&#0;&#1114112;&#xD800;",
        "Ã¼ â€œ",
        "é" * 5000,
    ),
    *(0, -1, 2**63, 10**30, "1e400", "-0", "0000-00-00", "99999-99-99", "-0001-01-01", "1909-12-31", "9999-12-31"),
    *("91°N 181°E", "1,2,3", "-90, -180", "1°" * 500, ",,,", "Serendip, Serendip", "\u202e", "a" * 300, "12.5.5, 3"),
)
PUT = (b"'", b"(", b")", b";", b"\\", b"/*", b"`", b"\xff", b"\0", b"-- ", b"\n", b"<", b"&#0;", b"\xed\xa0\x80")
MARKUP = (
    "<hostile-mark onclick=hostile()>", "\"><hostile-mark>", "' hostile-attr='", '" hostile-attr="',
    "--><hostile-mark>",
    "</script><hostile-mark>", "<img src=x onerror=hostile-mark()>", "javascript:hostile()", "&lt;hostile-mark&gt;",
    "</textarea><hostile-mark>", "</title><hostile-mark>", "]]><hostile-mark>", "{% hostile-mark %}<hostile-mark>",
)  # fmt: skip
TEXTS = (*NASTY, *MARKUP, *(one for one in HOSTILE if isinstance(one, str)))
NUMBERS: tuple[Any, ...] = (
    0,
    -1,
    1,
    2,
    7,
    2**31,
    2**63,
    2**64,
    10**30,
    -(10**400),
    1e308,
    float("nan"),
    float("inf"),
    0.5,
)
METHODS = ("HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get", "G<T")
MORE_HEADERS = (*HEADERS, "x-forwarded-proto", "x-forwarded-host", "forwarded", "host", "cookie", "authorization",
    "content-type", "referer", "user-agent", "hx-request", "hx-current-url", "connection", "expect",
    "accept-encoding", "if-unmodified-since", "if-range", "if-match")  # fmt: skip
TYPES = ("application/json", "text/plain", "multipart/form-data; boundary=x", "multipart/form-data", "a/b;c", "",
    "application/x-www-form-urlencoded; charset=utf-16", "application/json; charset=nothing")  # fmt: skip
MADE_AS = b"application/x-www-form-urlencoded"
BODIES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("batches", {"ruleset": "puhulmutu-parker", "games": 10, "seed": 1, "players": "random", "cap": 200,
                 "until": "game", "set": {"counters_per_hole": 5}}),
    ("comparisons", {"rulesets": ["daramuti-parker", "daramuti-dlp"], "games": 10, "seed": 1, "cap": 100,
                     "margins": {"shares": 0.1}, "bootstrap_seed": 3}),
    ("rulesets/puhulmutu-parker/change", {"set": {"counters_per_hole": 5, "relay": "off"}}),
)  # fmt: skip


def hostile_api(chance: random.Random, offer: Offer) -> HttpRequest:
    """A list, a thing or a search of the API with parameters of every bad sort; or something sent to it."""
    if chance.random() < 0.25:
        name, body = chance.choice(BODIES)
        spoilt = _spoilt_json(chance, body)
        kind = chance.choice(TYPES) if chance.random() < 0.1 else "application/json"
        headers = (*_headers(chance), (b"Content-Type", kind.encode()))
        return HttpRequest("POST", f"/api/v1/{name}/".encode(), headers, spoilt)
    return _address(chance, offer.addresses, (*PARAMETERS, *offer.names))


def hostile_addresses(chance: random.Random, offer: Offer) -> HttpRequest:
    return _address(chance, offer.addresses, tuple(offer.names))


def hostile_forms(chance: random.Random, offer: Offer) -> HttpRequest:
    """A form that the site offers, filled in badly, sent badly, or sent somewhere else."""
    form = chance.choice(offer.forms)
    fields = list(form.fields)
    for _ in range(chance.choice((1, 1, 2, 3))):
        _spoil_fields(chance, form, fields)
    token = "csrfmiddlewaretoken"
    if form.method == "POST" and chance.random() < 0.9:  # a wrong one shows only that it is refused
        right = [value for name, value in form.fields if name == token][:1]
        fields = [(token, value) for value in right] + [field for field in fields if field[0] != token]
    encoded = b"&".join(_escaped(chance, name) + b"=" + _escaped(chance, value) for name, value in fields)
    if form.method == "GET":
        return HttpRequest("GET", urlsplit(form.action).path.encode() + b"?" + encoded[:8000], _headers(chance))
    target = form.action if chance.random() < 0.95 else chance.choice(offer.addresses)
    kind = chance.choice(TYPES).encode() if chance.random() < 0.05 else MADE_AS
    if chance.random() < 0.1:
        kind, encoded = b"multipart/form-data; boundary=x", _multipart(chance, fields)
    if chance.random() < 0.05:
        encoded = _bytes_spoilt(chance, encoded)
    return HttpRequest("POST", target.encode(), (*_headers(chance), (b"Content-Type", kind)), encoded)


def _address(chance: random.Random, addresses: list[str], names: tuple[str, ...]) -> HttpRequest:
    parts = urlsplit(chance.choice(addresses))
    path = parts.path.encode().split(b"/")
    query = [(name.encode(), value.encode()) for name, value in parse_qsl(parts.query, keep_blank_values=True)]
    for _ in range(chance.choice((1, 1, 2, 3))):
        what = chance.random()
        if what < 0.3 and len(path) > 2:
            path[chance.randrange(1, len(path))] = _escaped(chance, hostile_text(chance))
        elif what < 0.36:
            path.insert(chance.randrange(1, len(path) + 1), chance.choice((b"..", b".", b"", b"%2e%2e", b"%2F", b"x")))
        elif what < 0.42 and len(path) > 2:
            del path[chance.randrange(1, len(path))]
        elif what < 0.6 and query:
            place = chance.randrange(len(query))
            query[place] = (query[place][0], _escaped(chance, hostile_text(chance)))
        else:
            name = chance.choice(names) if names and chance.random() < 0.9 else hostile_text(chance)
            query.append((_escaped(chance, name), _escaped(chance, hostile_text(chance))))
    target = b"/".join(path) or b"/"
    if query:
        target += b"?" + b"&".join(name + b"=" + value for name, value in query)
    if chance.random() < 0.05:
        target = b"/" + _bytes_spoilt(chance, target).translate(None, b" \t\r\n\0\v\f").lstrip(b"/")
    method = chance.choice(METHODS) if chance.random() < 0.08 else "GET"
    body = b"x=1" if method in ("POST", "PUT", "PATCH") else None
    return HttpRequest(method, target[:8000], _headers(chance), body)


def hostile_text(chance: random.Random) -> str:
    what = chance.random()
    if what < 0.6:
        return chance.choice(TEXTS)
    if what < 0.7:
        return str(chance.choice(NUMBERS))
    if what < 0.8:
        return chance.choice(TEXTS) + chance.choice(TEXTS)
    return "".join(chr(chance.choice((chance.randrange(128), chance.randrange(0x500), chance.randrange(0x110000))))
        for _ in range(chance.randrange(1, 12)))  # fmt: skip


def _escaped(chance: random.Random, text: str) -> bytes:
    """As part of an address; some of it raw, as careless programmes send it."""
    raw = text.encode("utf-8", "surrogatepass")
    if chance.random() < 0.1:
        return raw.translate(None, b" \t\r\n\0\v\f#")
    return quote_from_bytes(raw, safe="").encode()


def _headers(chance: random.Random) -> tuple[tuple[bytes, bytes], ...]:
    if chance.random() < 0.7:
        return ()
    found = []
    for name in chance.sample(MORE_HEADERS, chance.randint(1, 2)):
        value = chance.choice(ACCEPTED) if chance.random() < 0.3 else hostile_text(chance)
        raw = value.encode("utf-8", "surrogatepass").translate(None, b"\r\n\0")[:4000].strip()
        found.append((name.encode(), raw))
    return tuple(found)


def _spoil_fields(chance: random.Random, form: Form, fields: list[tuple[str, str]]) -> None:
    what = chance.random()
    place = chance.randrange(len(fields)) if fields else None
    if place is None or what < 0.1:
        fields.append((hostile_text(chance), hostile_text(chance)))
    elif what < 0.2:
        del fields[place]
    elif what < 0.3:
        fields.append((fields[place][0], hostile_text(chance)))
    elif what < 0.4:
        fields[place] = (fields[place][0], chance.choice(form.choices.get(fields[place][0]) or ("",)))
    elif what < 0.45:
        fields[place] = (fields[place][0], "word " * chance.choice((100, 10_000)))
    else:
        fields[place] = (fields[place][0], hostile_text(chance))


def _multipart(chance: random.Random, fields: list[tuple[str, str]]) -> bytes:
    parts = []
    for name, value in fields:
        file = chance.choice((b"", b"", b'; filename="x"', b'; filename="../\xff"', b"; filename*=utf-16''%ff"))
        said = name.encode("utf-8", "surrogatepass")
        parts.append(b'--x\r\nContent-Disposition: form-data; name="' + said + b'"' + file + b"\r\n\r\n"
            + value.encode("utf-8", "surrogatepass") + b"\r\n")  # fmt: skip
    whole = b"".join(parts) + b"--x--\r\n"
    return _bytes_spoilt(chance, whole) if chance.random() < 0.5 else whole


def _spoilt_json(chance: random.Random, body: dict[str, Any]) -> bytes:
    changed = dict(body)
    for _ in range(chance.choice((1, 1, 2, 3))):
        what, key = chance.random(), chance.choice(list(changed) or ["x"])
        if what < 0.15:
            changed.pop(key, None)
        elif what < 0.25:
            changed[hostile_text(chance)] = hostile_value(chance)
        elif what < 0.5 and isinstance(changed.get(key), dict):
            changed[key] = {**changed[key], hostile_text(chance): hostile_value(chance)}
        else:
            changed[key] = hostile_value(chance)
    raw = json.dumps(changed if chance.random() < 0.97 else hostile_value(chance)).encode()
    return _bytes_spoilt(chance, raw) if chance.random() < 0.15 else raw


def hostile_value(chance: random.Random, depth: int = 0) -> Any:
    """Anything that JSON can say, and what only Python's can."""
    what = chance.random()
    if what < 0.5:
        return hostile_text(chance)
    if what < 0.75:
        return chance.choice((*NUMBERS, None, True, False))
    if depth > 3:
        return []
    if what < 0.78:
        deep: Any = 1
        for _ in range(chance.choice((10, 500, 900))):
            deep = [deep]
        return deep
    if what < 0.9:
        return [hostile_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {hostile_text(chance): hostile_value(chance, depth + 1) for _ in range(chance.randrange(4))}


def _bytes_spoilt(chance: random.Random, content: bytes) -> bytes:
    content = content or b"x"
    for _ in range(chance.choice((1, 2, 5))):
        start = chance.randrange(len(content))
        end = start + chance.choice((0, 1, 1, 5, 50))
        put = chance.choice(
            (b"", content[start:end] * 2, b"%", b"%ff", b"\xff", b"\xed\xa0\x80", b"&", b"=", b"<", b"'")
        )
        content = content[:start] + put + content[end:] or b"x"
    return content


def hostile_fields(chance: random.Random) -> dict[str, Any]:
    columns = (
        *("TypeId", "GameId", "RulesetId", "DateStart", "DateStartBC", "DateEnd", "DateEndBC", "Location", "Rules"),
        *("Misc", "ConfidenceMultiplier"),
    )
    return {name: chance.choice(HOSTILE) for name in chance.sample(columns, chance.randint(0, 3))}


def mutated(chance: random.Random, content: bytes, times: int) -> bytes:
    """So many times some bytes changed, a part doubled or taken away."""
    for _ in range(times):
        start = chance.randrange(len(content))
        end = min(len(content), start + chance.choice((0, 1, 1, 5, 50, 2000)))
        content = content[:start] + chance.choice((b"", content[start:end] * 2, *PUT)) + content[end:] or b" "
    return content


def spoilt(chance: random.Random, document: Any, depth: int = 0) -> Any:
    """A document of JSON with one of its values, names or parts another one."""
    if isinstance(document, dict) and document and chance.random() < 0.9:
        changed = dict(document)
        key = chance.choice(list(changed))
        what = chance.random()
        if what < 0.15:
            del changed[key]
        elif what < 0.3:
            changed[str(hostile_value(chance))[:200]] = hostile_value(chance)
        else:
            changed[key] = spoilt(chance, changed[key], depth + 1)
        return changed
    if isinstance(document, list) and document and chance.random() < 0.8:
        changed_list = list(document)
        place = chance.randrange(len(changed_list))
        what = chance.random()
        if what < 0.2:
            del changed_list[place]
        elif what < 0.3:
            changed_list.insert(place, hostile_value(chance))
        else:
            changed_list[place] = spoilt(chance, changed_list[place], depth + 1)
        return changed_list
    if isinstance(document, int) and not isinstance(document, bool) and chance.random() < 0.7:
        return document + chance.choice((-2, -1, 1, 2, 10, 1000))
    return hostile_value(chance)
