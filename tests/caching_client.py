"""A test client that renders a page once for all tests that would see the same page."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.conf import UserSettingsHolder, settings
from django.db import connection
from django.test import Client

Answers = dict[Any, Any]
MOST_ANSWERS = 300  # in one store; a response keeps its context, and so its rows


def changes() -> int:
    """How many rows were written through this connection so far; -1 where the database does not count."""
    connection.ensure_connection()
    return connection.connection.total_changes if connection.vendor == "sqlite" else -1


class CachingClient(Client):
    """Answers GET and HEAD from the store that the running test shares with others, see `begin`.

    A response is stored, and a stored one given, only as long as the test wrote no row (logging in apart), overrides no
    setting, counts no queries, and sent nothing but GET and HEAD. A test that patches what a page calls, or writes
    files that it shows, asks within `with self.client.fresh():`.
    """

    _answers: Answers | None = None
    _rows = -1
    _user: Any = None

    def begin(self, answers: Answers) -> None:
        """Use this store from now on; the rows are as they are for all tests that use it."""
        self._answers, self._rows, self._user = answers, changes(), None

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """Within, every request is answered by the site."""
        answers, self._answers = self._answers, None
        try:
            yield
        finally:
            self._answers = answers

    def force_login(self, user: Any, backend: str | None = None) -> None:
        unwritten = self._unwritten()
        super().force_login(user, backend)
        if unwritten:
            self._rows, self._user = changes(), user.pk

    def request(self, **request: Any) -> Any:
        if request["REQUEST_METHOD"] not in ("GET", "HEAD"):
            self._answers = None
        if not self._unwritten():
            return super().request(**request)
        key = self._key(request)
        if key not in self._answers:  # type: ignore[operator]
            response = super().request(**request)
            if response.streaming or response.status_code >= 500 or not self._unwritten():
                return response
            if len(self._answers) >= MOST_ANSWERS:  # type: ignore[arg-type]
                del self._answers[next(iter(self._answers))]  # type: ignore[index,arg-type]
            self._answers[key] = response  # type: ignore[index]
        # A copy, so that nothing a test sets or parses is seen by the next.
        response = copy.copy(self._answers[key])  # type: ignore[index]
        response.headers, response.client = copy.copy(response.headers), self
        response.json = partial(self._parse_json, response)
        response.__dict__.pop("_json", None)
        self.cookies.update(response.cookies)
        return response

    def _unwritten(self) -> bool:
        return (
            self._answers is not None
            and changes() == self._rows != -1
            and not connection.force_debug_cursor
            and not isinstance(settings._wrapped, UserSettingsHolder)
        )

    def _key(self, request: dict[str, Any]) -> Any:
        """Everything that tells one request from another; a session by its user, as its key is drawn at random."""
        told = {**self.defaults, **request}
        cookies = {name: morsel.value for name, morsel in self.cookies.items() if name != settings.SESSION_COOKIE_NAME}
        cookies.pop(settings.CSRF_COOKIE_NAME, None)
        return (
            self._user,
            tuple(sorted(cookies.items())),
            tuple(sorted((name, value) for name, value in told.items() if isinstance(value, str))),
        )
