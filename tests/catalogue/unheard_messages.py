"""Requests that workers would be told of: the edge of the world is the broker, and nobody hears its messages."""

from typing import Any, ClassVar
from unittest import mock

from simulator.batches import dispatch
from tests.catalogue.page_world import CatalogueTestCase


class UnheardMessages(CatalogueTestCase):
    """form: the address that is asked; wanted: what is typed there; sent: the messages so far"""

    form: ClassVar[str]
    wanted: ClassVar[dict[str, str]]

    def setUp(self) -> None:
        self.sent: list[Any] = []
        sender = mock.patch.object(dispatch.current_app, "send_task", lambda *task, **_: self.sent.append(task))
        sender.start()
        self.addCleanup(sender.stop)

    def ask(self, client: Any = None, **sent: str) -> Any:
        return (client or self.client).post(self.form, {**self.wanted, **sent})
