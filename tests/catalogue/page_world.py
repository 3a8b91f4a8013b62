"""What the tests of the pages stand on: the shipped records and readings, and a batch of eight known games."""

import io
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any, ClassVar
from unittest import mock

import numpy as np
from bs4 import BeautifulSoup
from django.apps import apps
from django.core.management import call_command
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpResponse
from django.test import TestCase

from simulator.batches import finalize
from simulator.batches.finalize import close_if_complete, draw_if_undrawn
from simulator.batches.rows import packed
from simulator.batches.service import request_batch
from simulator.engine.family import family
from simulator.engine.tally import tally_rows
from simulator.models import Batch, Chunk
from tests.caching_client import Answers, CachingClient, changes
from tests.databases import FILLED, has_filled

# turns, kind of end (0 win, 1 draw), winning seats as a bit mask: the first seat wins five of eight, the second two
GAMES = ((10, 0, 1), (12, 0, 1), (14, 0, 1), (16, 0, 1), (18, 0, 1), (20, 0, 2), (22, 0, 2), (24, 1, 0))


def rows_of(games: tuple[tuple[int, int, int], ...], columns: tuple[str, ...]) -> np.ndarray:
    """One row a game; what is not given is the number of the column, so that no column is mistaken for another."""
    rows = np.tile(np.arange(len(columns), dtype=np.int32), (len(games), 1))
    for name, place in (("turns", 0), ("end", 1), ("winners", 2)):
        rows[:, columns.index(name)] = [game[place] for game in games]
    for name, value in (("first_round_ended", 1), ("first_round_winner", 0)):  # of games with rounds
        rows[:, [place for place, column in enumerate(columns) if column == name]] = value
    return rows


def played_batch(ruleset: str, drawn: bool = False, **terms: Any) -> Batch:
    """A batch of the eight games, closed by the code that closes every batch; only playing is left out.

    drawn: with its plots, which take longer than all else
    """
    batch = request_batch(ruleset, announce=False, **{"games": len(GAMES), "origin": Batch.Origin.DEMO, **terms})
    finish(batch)
    if drawn:
        draw_if_undrawn(batch.id)
    return batch


def finish(batch: Batch, games: tuple[tuple[int, int, int], ...] | None = None) -> None:
    """Give a requested batch these games, the eight if none are given, and close it without plots."""
    measures = family(batch.ruleset.family).measures
    rows = rows_of(games or GAMES, tuple(measure.name for measure in measures))
    batch.chunks.update(
        state=Chunk.State.DONE, rows=packed(rows), tally=tally_rows(rows, measures).to_json(), digest="-"
    )
    assert close_if_complete(batch.id)
    batch.refresh_from_db()


def load_catalogue() -> None:
    """The shipped catalogue with one finished batch of `daramuti-parker`.

    It is there in a class of tests that `holds` it. Else it is copied from the file that stands beside the database of
    the tests; where none does, it is loaded and played.
    """
    if Batch.objects.exists():
        return
    with transaction.atomic(), connection.cursor() as cursor:
        if not has_filled(connection):
            call_command("load_fixtures", no_edition=True, stdout=io.StringIO())
            play()
            return
        for model in apps.get_models(include_auto_created=True):
            if model._meta.app_label in ("catalogue", "simulator"):
                table = model._meta.db_table
                cursor.execute(f'INSERT INTO "{table}" SELECT * FROM {FILLED}."{table}"')


def play() -> None:
    """The batch that comes with the catalogue of the tests."""
    played_batch("daramuti-parker", drawn=True)


def with_plots() -> AbstractContextManager[Any]:
    """Batches that are played to the end within have their plots drawn, as workers do and other tests do not."""
    return mock.patch.object(finalize, "draw_if_undrawn", draw_if_undrawn)


def nobody_hears(waiting: int) -> bool:
    """Stands for the broker, the edge of the world: no worker hears of a batch."""
    return True


class CatalogueTestCase(TestCase):
    """The shipped catalogue, and one batch of `daramuti-parker` that is done.

    Each page is rendered once for the tests of a class that change nothing, and once for all classes that have these
    rows and no others; see `CachingClient`.
    """

    holds = "played"
    client_class = CachingClient
    client: CachingClient
    batch: ClassVar[Batch]
    _rows_before: ClassVar[int]
    _answers_of_the_class: ClassVar[Answers]
    _answers_of_all: ClassVar[Answers] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls._rows_before = changes()
        super().setUpClass()
        cls._answers_of_the_class = {}

    @classmethod
    def tearDownClass(cls) -> None:
        del cls._answers_of_the_class
        super().tearDownClass()

    def run(self, result: Any = None) -> Any:
        same = all(
            getattr(type(self), name).__func__ is getattr(CatalogueTestCase, name).__func__  # type: ignore[attr-defined]
            for name in ("setUpClass", "setUpTestData")
        )
        if hasattr(self, "client"):  # Hypothesis makes it for each example
            self.client.begin(self._answers_of_all if same else self._answers_of_the_class)
        return super().run(result)

    @classmethod
    def setUpTestData(cls) -> None:
        load_catalogue()
        cls.batch = Batch.objects.get()

    def _should_check_constraints(self, connection: BaseDatabaseWrapper) -> bool:
        """Only where the class or the test wrote rows: the check reads every table."""
        return changes() != self._rows_before and super()._should_check_constraints(connection)

    def page(self, address: str, status: int = 200) -> str:
        response = self.client.get(address)
        assert response.status_code == status, address
        return text_of(response)

    def soup(self, address: str, status: int = 200) -> BeautifulSoup:
        """The page, to be read and not to be changed: the tests share it."""
        return parsed(self.page(address, status))


def text_of(response: HttpResponse) -> str:
    return response.content.decode()


@lru_cache(maxsize=32)
def parsed(html: str) -> BeautifulSoup:
    """A page, parsed once for all tests that read it: nothing of it may be changed."""
    return BeautifulSoup(html, "lxml")


@lru_cache(maxsize=32)
def plain(html: str) -> str:
    """What is read, without the explanations that open beside some words."""
    page = BeautifulSoup(html, "lxml")
    for meaning in page.select("[popover]"):
        meaning.decompose()
    for term in page.select("dfn"):
        term.replace_with(term.get_text())
    page.smooth()
    return " ".join(page.get_text(" ").split())
