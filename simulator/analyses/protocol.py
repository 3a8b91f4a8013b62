"""The protocol of analyses: requested, waited for, computed, cancelled and shipped, all kinds alike.

A kind of analysis says which batches a request needs, what its row keeps of the request, and how its document is made
of the finished batches; everything else stands here once. The rows are the truth and a message only points at one: a
message that is lost costs time only: an analysis that waits is announced again when somebody looks at it, and by the
workers themselves (`recover`).
"""

import datetime
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from celery import Task, shared_task
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from simulator.batches import dispatch
from simulator.batches.requests import BatchRequest
from simulator.batches.rows import Rows
from simulator.batches.service import request_all, request_together, stop_batch
from simulator.batches.versions import waits_for
from simulator.engine.tally import Tally
from simulator.engine.traffic import Sums
from simulator.locks import BATCHES, exclusive
from simulator.models import Analysis, Batch, Chunk

Document = dict[str, Any]

SILENCE = datetime.timedelta(seconds=10)  # before workers are notified again by somebody who looks
LONG_SILENCE = datetime.timedelta(minutes=5)  # before they are by a worker: computing may take as long
# An analysis whose games are still being played is looked at again: soon at first, then less often.
LOOKS, LONGEST_WAIT = 200, 15.0

CANCELLED = "It was cancelled."  # by who requested it
CANCELLED_BY_EDITORS = "It was cancelled by the editors."
ENDED = (CANCELLED, CANCELLED_BY_EDITORS)  # errors of what was cancelled, which has not failed
STOPPED = {Batch.State.FAILED: "failed", Batch.State.CANCELLED: "was cancelled"}


class CannotConclude(Exception):
    """The analysis cannot be computed any more; the message says why in a sentence for its page."""


class AnalysisRequest(Protocol):
    """A checked request. id: follows from what is requested; requests: of the batches that it needs, each once"""

    @property
    def id(self) -> str: ...

    @property
    def requests(self) -> Sequence[BatchRequest]: ...


class PlayedAgain(Protocol):
    """The games of a batch as they were just played, to verify an edition.

    batch: as its row would be, not kept; rows: int32[games, measures] in parts, only where the kind needs rows
    traffic: what they left on the board, where the request counts it
    """

    @property
    def request(self) -> BatchRequest: ...

    @property
    def tally(self) -> Tally: ...

    @property
    def rows(self) -> tuple[Rows, ...]: ...

    @property
    def batch(self) -> Batch: ...

    @property
    def traffic(self) -> Sums | None: ...


Replays = Mapping[str, PlayedAgain]  # by the id of the batch


class ShippedKind(ABC):
    """A kind of conclusion that an edition ships, as a file for each request.

    plural:     its name and its folder in an edition
    title:      what its parts are, in words
    needs_rows: whether it is computed from single games
    """

    plural: ClassVar[str]
    title: ClassVar[str]
    needs_rows: ClassVar[bool] = False

    @abstractmethod
    def shipped(self, request: Any) -> Document:
        """Return the file of a request whose batches are done, without their digests."""

    @abstractmethod
    def keep(self, key: str, document: Document, moment: datetime.datetime) -> bool:
        """Keep what a file says, as of that moment, unless it is here; True if it was kept."""

    @abstractmethod
    def recomputed(self, request: Any, replays: Replays, document: Document) -> Document | None:
        """Return the keys of the file that follow from its games, made of the games just played.

        None if rows that it rests on are not kept here.
        """

    def as_stated_now(self, document: Document) -> Document:
        """The file as this release would write it from the same figures."""
        return document

    def ids_here(self) -> set[str]:
        """Return the ids of the files that need not be read: what they say is here."""
        return set()


@dataclass(frozen=True, slots=True)
class AnalysisProgress:
    """How far an analysis is: the games of its batches, which of them were stopped, and what one waits for.

    state: of the analysis; it has failed if a batch was stopped or thrown away, as long as that is so
    """

    state: str
    games: int
    games_done: int
    stopped: tuple[Batch, ...]
    waits_for: str = ""

    @property
    def percent(self) -> int:
        return 100 * self.games_done // max(self.games, 1)


@dataclass(frozen=True, slots=True)
class AnalysisStatus:
    """The status of an analysis. state: one of the five below; why: the reason why it failed"""

    state: str
    why: str = ""

    DONE: ClassVar[str] = "done"
    PLAYED: ClassVar[str] = "being played"
    COMPUTED: ClassVar[str] = "being computed"
    FAILED: ClassVar[str] = "failed"
    CANCELLED: ClassVar[str] = "cancelled"


Request = TypeVar("Request", bound=AnalysisRequest)
Row = TypeVar("Row", bound=Analysis)
Kind = TypeVar("Kind", bound="AnalysisKind[Any, Any]")


class AnalysisKind(ShippedKind, Generic[Request, Row]):
    """A kind of analysis with a row that is requested, waited for and kept.

    name:    what one is called: "the comparison 3f2a…"
    task:    the name of the Celery task that computes one, `conclude_task`
    related: what `find` fetches with a row
    """

    name: ClassVar[str]
    task: ClassVar[str]
    conclude_task: Task
    model: type[Row]
    related: ClassVar[tuple[str, ...]] = ()

    # What a kind says of itself.

    @abstractmethod
    def columns(self, request: Request) -> dict[str, Any]:
        """Return what its row keeps of a request."""

    @abstractmethod
    def batch_ids(self, row: Row) -> list[str]:
        """Return the ids of its batches; empty for one that was thrown away, where its id went with it."""

    @abstractmethod
    def computed(self, row: Row, batches: Mapping[str, Batch], request: Request | None) -> dict[str, Any]:
        """Return what its row keeps of the finished analysis, the document first.

        batches: by their ids, all done; request: where it is at hand, else what the row says is checked again
        Raises CannotConclude if the same request would be another analysis by now.
        """

    def ask_for_games(self, request: Request, origin: str, visitor: str) -> None:
        """Request the batches, which a visitor may be refused; raises WrongRequest or QueueFull."""
        request_together(request.requests, origin=origin, visitor=visitor)

    def written(self, request: Request) -> Row:
        """Write the row of a request, which waits, and return it."""
        waiting = {"state": Analysis.State.WAITING, "error": "", **self.columns(request)}
        row, _ = self.rows().update_or_create(id=request.id, defaults=waiting)
        return row

    def is_settled(self, row: Row) -> bool:
        """Return whether nothing is to be played or computed when it is requested again."""
        return row.state == Analysis.State.DONE

    def is_current(self, row: Row) -> bool:
        """Return whether what the row says would be requested under the same id now."""
        return True

    def needing(self, batches: Collection[Batch]) -> dict[str, str]:
        """Return which of these batches an analysis of this kind waits for: its id, by that of the batch."""
        ids, needed = {batch.id for batch in batches}, dict[str, str]()
        for row in self.waiting_near(batches):
            needed |= dict.fromkeys(ids.intersection(self.batch_ids(row)), row.pk)
        return needed

    def waiting_near(self, batches: Collection[Batch]) -> "QuerySet[Row]":
        """Return those that wait, without some that need none of these batches."""
        return self.waiting()

    # What all kinds have.

    def rows(self) -> "QuerySet[Row]":
        """Return the analyses that wait, are done or have failed."""
        every = self.model._base_manager.all()
        return every.select_related(*self.related) if self.related else every

    def waiting(self) -> "QuerySet[Row]":
        return self.rows().filter(state=Analysis.State.WAITING)

    def finished(self) -> "QuerySet[Row]":
        return self.rows().filter(state=Analysis.State.DONE)

    def ids_here(self) -> set[str]:
        return set(self.finished().order_by().values_list("pk", flat=True))

    def find(self, key: str) -> Row | None:
        return self.rows().filter(pk=key).first()

    def kept(self, key: str) -> Row | None:
        """Return the analysis of that id if it is done."""
        return self.finished().filter(pk=key).first()

    def unfinished(self, key: str) -> Row | None:
        """Return the analysis of that id if it is waited for, or has failed."""
        return self.rows().filter(pk=key).exclude(state=Analysis.State.DONE).first()

    def request(
        self, request: Request, *, origin: str = Batch.Origin.COMMAND, visitor: str = "", announce: bool = True
    ) -> Row:
        """Request an analysis and return it, done or waited for: requested twice, it is one.

        origin, visitor: on whose behalf its games are played, as `request_checked` takes them
        announce:        whether workers are notified
        Raises WrongRequest or QueueFull, and has then written nothing.
        """
        with transaction.atomic():
            exclusive(BATCHES)
            # Under the lock: nothing can cancel its batches between this look and the request for them.
            row = self.find(request.id)
            if row is not None and self.is_settled(row):
                return row
            if row is not None and self._is_waited_for(row):
                # Nothing is played for it, but games of somebody else are theirs alone no longer.
                request_all(request.requests, origin=origin, visitor=visitor, announce=False)
            else:
                self.ask_for_games(request, origin, visitor)
                row = self.written(request)
        if announce:
            queued = Chunk.objects.filter(batch__in=[one.id for one in request.requests], state=Chunk.State.QUEUED)
            if waiting := queued.count():
                dispatch.notify_of_chunks(waiting)
            self.announce(row)
        return row

    def _is_waited_for(self, row: Row) -> bool:
        """Return whether its games are being played, or done and about to be looked at."""
        ids = set(self.batch_ids(row))
        well = Batch.objects.filter(id__in=ids, state__in=(Batch.State.RUNNING, Batch.State.DONE))
        return row.state == Analysis.State.WAITING and self.is_current(row) and well.count() == len(ids)

    def announce(self, row: Row, silence: datetime.timedelta = SILENCE) -> bool:
        """Notify a worker that it waits, unless one was a moment ago. True if a message was sent."""
        now = timezone.now()
        silent = Q(announced__isnull=True) | Q(announced__lt=now - silence)
        # The UPDATE is the guard: of several processes that look at the same moment one sends the message.
        if not self.waiting().filter(silent, pk=row.pk).update(announced=now):
            return False
        return dispatch.notify_of_analysis(self.task, row.pk)

    def batches_of(self, row: Row) -> list[Batch]:
        """Return its batches that are still here, each once, without their figures."""
        return _batches(self.batch_ids(row))

    def progress(self, row: Row) -> AnalysisProgress:
        """Return how far an analysis is, and notify workers if only the computing is left.

        Two queries, two more while games are open.
        """
        ids = self.batch_ids(row)
        batches = _batches(ids)
        whole = self.is_current(row) and len(batches) == len(set(ids))
        stopped = tuple(batch for batch in batches if batch.state in STOPPED)
        state = row.state
        if state == Analysis.State.WAITING:
            if stopped or not whole:
                state = Analysis.State.FAILED
            elif all(batch.state == Batch.State.DONE for batch in batches):
                self.announce(row)
        done = Chunk.objects.filter(batch__in=batches, state=Chunk.State.DONE).values_list("games", flat=True)
        return AnalysisProgress(state, sum(batch.games for batch in batches), sum(done), stopped, waits_for(*batches))

    def conclude(self, row: Row, request: Request | None = None) -> bool:
        """Compute and keep it if all its batches are done. True if it is done now, by this call or another.

        Raises what `computed` does, and whatever goes wrong there.
        """
        if row.state == Analysis.State.DONE:
            return True
        if not self.is_current(row):
            raise CannotConclude("the engine has changed since it was asked for")
        ids = set(self.batch_ids(row))
        batches = {one.id: one for one in Batch.objects.filter(id__in=ids).select_related("ruleset")}
        if len(batches) < len(ids) or any(batch.state != Batch.State.DONE for batch in batches.values()):
            return False
        columns = self.computed(row, batches, request)
        # A worker that was quicker has computed the same; what is done stays as it is.
        undone = self.model._base_manager.filter(pk=row.pk).exclude(state=Analysis.State.DONE)
        undone.update(state=Analysis.State.DONE, error="", **columns)
        row.refresh_from_db(from_queryset=self.rows())
        return True

    def concluded(self, request: Request) -> Row:
        """Return the analysis of a request whose batches are done."""
        row = self.find(request.id)
        if row is None or row.state != Analysis.State.DONE:
            row = self.written(request)
            self.conclude(row, request)
        return row

    def conclude_waiting(self, key: str) -> bool:
        """Conclude the one of that id if it waits, for a worker; False if its games are still being played.

        One that cannot be computed has failed and says why; what went wrong is raised for the worker's log.
        """
        row = self.waiting().filter(pk=key).first()
        if row is None:
            return True
        try:
            if self.conclude(row):
                return True
        except CannotConclude as error:
            self.waiting().filter(pk=key).update(state=Analysis.State.FAILED, error=str(error))
            return True
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            self.waiting().filter(pk=key).update(state=Analysis.State.FAILED, error=text)
            raise
        return not Batch.objects.filter(id__in=self.batch_ids(row), state=Batch.State.RUNNING).exists()

    def cancel(self, row: Row, why: str = CANCELLED) -> int:
        """Wait for it no longer, and stop those of its batches that nothing and nobody else waits for; how many."""
        with transaction.atomic():
            exclusive(BATCHES)
            self.waiting().filter(pk=row.pk).update(state=Analysis.State.FAILED, error=why)
            running = [one for one in self.batches_of(row) if one.state == Batch.State.RUNNING]
            needed = waiting_for(running)  # this row waits no longer, so it does not count
            return sum(stop_batch(one) for one in running if not one.shared and one.id not in needed)

    def statuses(self, rows: Iterable[Row]) -> dict[str, AnalysisStatus]:
        """Return their statuses by their ids, in one query and what `batch_ids` needs for each."""
        ids = {row.pk: self.batch_ids(row) for row in rows}
        every = {batch for batches in ids.values() for batch in batches}
        states = dict(Batch.objects.filter(id__in=every).order_by().values_list("id", "state"))
        return {row.pk: _status(row, {batch: states.get(batch, "") for batch in ids[row.pk]}) for row in rows}


def _batches(ids: Iterable[str]) -> list[Batch]:
    rows = Batch.objects.filter(id__in=set(ids)).select_related("ruleset").order_by("id")
    return list(rows.defer("tally", "summary"))


def _status(row: Analysis, states: Mapping[str, str]) -> AnalysisStatus:
    if row.state == Analysis.State.DONE:
        return AnalysisStatus(AnalysisStatus.DONE)
    if row.error in ENDED:
        return AnalysisStatus(AnalysisStatus.CANCELLED)
    if row.state == Analysis.State.FAILED:
        return AnalysisStatus(AnalysisStatus.FAILED, row.error)
    for wrong, words in (*STOPPED.items(), ("", "was thrown away")):
        for batch, state in states.items():
            if state == wrong:
                which = f"Batch {batch}" if batch else "A batch"
                return AnalysisStatus(AnalysisStatus.FAILED, f"{which} {words}.")
    played = all(state == Batch.State.DONE for state in states.values())
    return AnalysisStatus(AnalysisStatus.COMPUTED if played else AnalysisStatus.PLAYED)


KINDS: dict[str, AnalysisKind[Any, Any]] = {}


def register(kind: Kind) -> Kind:
    """Make a kind known to the workers, and to `waiting_for`. Each application registers its kinds when it is ready."""
    KINDS[kind.plural] = kind

    @shared_task(name=kind.task, bind=True)
    def conclude_waiting(task: Task, key: str, looks: int = 0) -> None:
        if not kind.conclude_waiting(key) and looks < LOOKS:
            wait = min(1 + looks / 4, LONGEST_WAIT)
            task.apply_async((key, looks + 1), countdown=wait, retry=False, ignore_result=True)

    kind.conclude_task = conclude_waiting
    return kind


def waiting_for(batches: Collection[Batch]) -> dict[str, str]:
    """Return what waits for these batches, by their ids: "the study 3f2a…". At most a query for each kind."""
    waiting: dict[str, str] = {}
    for kind in KINDS.values():
        waiting |= {batch: f"the {kind.name} {key}" for batch, key in kind.needing(batches).items()}
    return waiting


def recover() -> None:
    """Announce what is only to be computed, and of which no worker has heard for a while."""
    for kind in KINDS.values():
        rows = list(kind.waiting().exclude(announced__gt=timezone.now() - LONG_SILENCE))
        statuses = kind.statuses(rows) if rows else {}
        for row in rows:
            if statuses[row.pk].state == AnalysisStatus.COMPUTED:
                kind.announce(row, LONG_SILENCE)
