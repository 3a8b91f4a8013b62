"""One request and its answer: with a name of our own, with patience, and repeated only where that is safe."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import httpx

from catalogue_client.errors import Unreachable, refusal, seconds_to_wait

API = "/api/v1/"
PASSING = frozenset({429, 502, 503, 504})  # what may be otherwise in a moment
SAFE = frozenset({"GET", "HEAD"})  # what may be sent on to where an address has moved
try:
    __version__ = version("catalogue-client")
except PackageNotFoundError:  # read from a checkout
    __version__ = "0"

Values = Mapping[str, Any]


def written(values: Values) -> dict[str, str]:
    """Parameters as the API takes them: `from_` is `from`; yes and no; several with commas; None is left out."""
    said = {True: "yes", False: "no"}
    return {
        name.removesuffix("_"): said[one] if isinstance(one, bool) else ",".join(map(str, _several(one)))
        for name, one in values.items()
        if one is not None
    }


def _several(one: Any) -> Any:
    return one if isinstance(one, (list, tuple, set, frozenset)) else (one,)


class Asking:
    """tries: how often a request is made at most; patience: the longest wait, in seconds, before it is made again.

    What is repeated can be: reading changes nothing, and the same request for games is always the same batch.
    """

    def __init__(self, site: str, *, token: str, timeout: float, tries: int, patience: float) -> None:
        headers = {"User-Agent": f"catalogue-client/{__version__}", "Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self.http = httpx.Client(base_url=site.rstrip("/"), headers=headers, timeout=timeout)
        self.tries, self.patience = max(1, tries), patience

    def answer(self, method: str, path: str, parameters: Values | None = None, body: Any = None) -> httpx.Response:
        """path: below /api/v1/, or an address that the catalogue gave. Raises RefusedRequest and Unreachable.

        Where an address has moved, what is read is read there; of another host without the token, as httpx does it.
        """
        with self.opened(method, path, parameters, body) as found:
            found.read()
        return found

    @contextmanager
    def opened(
        self, method: str, path: str, parameters: Values | None = None, body: Any = None
    ) -> Iterator[httpx.Response]:
        """The same while its body still comes."""
        request = self.http.build_request(
            method, _path_of(path), params=written(parameters) if parameters else None, json=body
        )
        found = self._sent(request)
        try:
            if found.is_error:
                found.read()
                raise refusal(found)
            if not found.is_success:
                raise Unreachable(_redirect_problem(request, found))
            yield found
        except httpx.RequestError as error:
            raise Unreachable(f"the answer of {request.url} broke off: {error}") from error
        finally:
            found.close()

    def _sent(self, request: httpx.Request) -> httpx.Response:
        for left in range(self.tries - 1, -1, -1):
            pause = 2.0 ** (self.tries - left - 2)  # half a second, one, two
            try:
                found = self.http.send(request, stream=True, follow_redirects=request.method in SAFE)
            except httpx.TooManyRedirects as error:
                raise Unreachable(f"{request.url} leads in a circle: {error}") from error
            except httpx.TransportError as error:
                if not left:
                    raise Unreachable(f"no answer from {request.url}: {error}") from error
            else:
                told = seconds_to_wait(found)
                pause = pause if told is None else told
                if found.status_code not in PASSING or not left or pause > self.patience:
                    return found
                found.close()
            time.sleep(pause)
        raise AssertionError("the last try returns or raises")


def document(answer: httpx.Response) -> dict[str, Any]:
    """Return the document of an answer. Raises Unreachable for any other, such as a page for people."""
    return _as_document(answer, answer.content)


def lines(answer: httpx.Response) -> Iterator[dict[str, Any]]:
    """The same of an answer of many lines, while it still comes."""
    return (_as_document(answer, line) for line in answer.iter_lines() if line)


def _as_document(answer: httpx.Response, text: str | bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if isinstance(found, dict):
        return found
    kind = answer.headers.get("Content-Type", "no content type")
    raise Unreachable(
        f"{answer.url} answered {answer.status_code} with {kind}, and with no JSON that a catalogue gives"
    )


def _redirect_problem(request: httpx.Request, answer: httpx.Response) -> str:
    """Say where the catalogue has moved; no redirect is followed: the caller decides which host gets the request."""
    if answer.next_request is None:
        return f"{request.url} answered {answer.status_code} {answer.reason_phrase}, and nothing else"
    return f"{request.url} has moved to {answer.next_request.url}: give the address of the catalogue there"


def _path_of(path: str) -> str:
    """Return an address of the catalogue without its host: the token goes to no other."""
    if path.startswith(("http://", "https://")):
        return httpx.URL(path).raw_path.decode("ascii")
    return path if path.startswith("/") else API + path
