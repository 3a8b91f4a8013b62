"""The process of a worker: its tasks, and what it does beside them.

A message carries nothing that is not in the rows, and is acknowledged at once.

The engine is loaded from its cache once in the parent: its children share that memory and start at once. What is not
in the cache is compiled first, in processes of its own. Recovery, and the report that this worker lives, run on the
parent's own timer, between two events and in the thread that forks, so that no child is ever forked while a database
connection is in use.
"""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from celery import Task, bootsteps, current_app, shared_task
from celery.signals import worker_init
from django.conf import settings
from django.db import connections
from django.utils import timezone

from simulator import health, replays
from simulator.analyses import protocol
from simulator.batches import chunks, dispatch, finalize, playing
from simulator.batches.playing import end_process_if_left_behind
from simulator.engine import compilation, playout
from simulator.engine.family import FAMILY_NAMES
from simulator.problems import BrokerSilent, is_disk_full
from simulator.strength.reply_worker import think_reply, think_waiting_replies

logger = logging.getLogger(__name__)


@shared_task(name=dispatch.PLAY, bind=True)
def play_waiting_chunk(task: Task) -> None:
    """Play one chunk, whichever is next, and pass the message on if more wait."""
    node = task.request.hostname or "worker"
    if playing.play_waiting_chunk(meanwhile=think_waiting_replies, worker=node) and chunks.waiting().exists():
        dispatch.notify_of_chunks(1)
    end_process_if_left_behind()


@shared_task(name=dispatch.CLOSE)
def close_batch(batch_id: str) -> None:
    """Close a batch of which nothing is left to play, and draw its plots, unless that is done."""
    finalize.close_if_complete(batch_id)
    finalize.draw_if_undrawn(batch_id)


@shared_task(name=dispatch.THINK)
def think(key: str) -> None:
    """Compute what a player replies, unless that is done."""
    think_reply(key=key)
    end_process_if_left_behind()


@shared_task(name=dispatch.LIST)
def list_game(record: int) -> None:
    """List and replay a game of a batch that a reader wants to see, unless that is done."""
    replays.list_game(record)
    end_process_if_left_behind()


@worker_init.connect
def load_engine(**_: Any) -> None:
    """Load all families. A worker whose engine does not load does not start: every task of it would fail."""
    started = time.perf_counter()
    try:
        _load_families()
    except Exception:
        logger.exception("the compiled engine does not load: it is thrown away and compiled again")
        compilation.forget_compiled()
        try:
            _load_families()
        except Exception as error:
            raise SystemExit(f"the engine does not load: {error!r}") from error
    compilation.begin_compiling_players()
    logger.info("engine loaded in %.1f s", time.perf_counter() - started)


def _load_families() -> None:
    compilation.compile_missing()
    for name in FAMILY_NAMES:
        playout.load(name)


class Recovery(bootsteps.StartStopStep):
    """Recovers what was lost, and reports that the worker lives, from the moment the worker's timer runs."""

    requires = frozenset({"celery.worker.components:Timer"})

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self.entries: list[Any] = []

    def start(self, parent: Any) -> None:
        queues = list(parent.app.amqp.queues.consume_from)
        beat = partial(health.beat, parent.hostname, queues, parent.concurrency, timezone.now())
        _quietly(beat)
        self.entries = [
            parent.timer.call_repeatedly(settings.RECOVERY_SECONDS, partial(_quietly, work), priority=10)
            for work in (chunks.recover, protocol.recover, beat)
        ]

    def stop(self, parent: Any) -> None:
        for entry in self.entries:
            entry.cancel()
        self.entries = []
        _quietly(partial(health.forget_worker, parent.hostname))


def _quietly(work: Callable[[], None]) -> None:
    """Do the work; log what goes wrong, and leave no connection open for a child to inherit."""
    try:
        work()
    except BrokerSilent as error:
        logger.warning("the broker is silent: %s", error)
    except Exception as error:
        if is_disk_full(error):
            logger.error("the disk is full: nothing can be recovered or reported before there is room")
        else:
            logger.exception("recovery or the worker's report failed; it is tried again")
    finally:
        connections.close_all()


current_app.steps["worker"].add(Recovery)
