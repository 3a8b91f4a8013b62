"""What a worker does beside its tasks: load the engine before it forks, and recover what was lost.

The engine is loaded from its cache once in the parent: its children share that memory and start at once. What is not
in the cache is compiled before, in processes of its own.
Recovery, and saying that this worker lives, run on the parent's own timer, between two events and in the thread that
forks, so that no child is ever forked while a database connection is in use.
"""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from celery import bootsteps, current_app
from celery.signals import worker_init
from django.conf import settings
from django.db import connections
from django.utils import timezone

from simulator.engine.compilation import begin_compiling_players, compile_missing, forget_compiled
from simulator.engine.family import FAMILY_NAMES
from simulator.problems import is_disk_full

logger = logging.getLogger(__name__)


@worker_init.connect
def load_engine(**_: Any) -> None:
    """A worker whose engine does not load does not start: it would fail whatever it is asked for."""
    started = time.perf_counter()
    try:
        _load_families()
    except Exception:
        logger.exception("the compiled engine does not load: it is thrown away and compiled again")
        forget_compiled()
        try:
            _load_families()
        except Exception as error:
            raise SystemExit(f"the engine does not load: {error!r}") from error
    begin_compiling_players()
    logger.info("engine loaded in %.1f s", time.perf_counter() - started)


def _load_families() -> None:
    from simulator.engine import playout  # here, so that a process that is no worker never imports numba

    compile_missing()
    for name in FAMILY_NAMES:
        playout.load(name)


class Recovery(bootsteps.StartStopStep):
    """Recovers what was lost, and says that the worker lives, from the moment the worker's timer runs."""

    requires = frozenset({"celery.worker.components:Timer"})

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self.entries: list[Any] = []

    def start(self, parent: Any) -> None:
        from simulator.analyses import protocol
        from simulator.batches.chunks import recover_quietly
        from simulator.health import heartbeats

        queues = list(parent.app.amqp.queues.consume_from)
        beat = partial(heartbeats.beat, parent.hostname, queues, parent.concurrency, timezone.now())
        _quietly(beat)
        self.entries = [
            parent.timer.call_repeatedly(settings.RECOVERY_SECONDS, work, priority=10)
            for work in (recover_quietly, partial(_quietly, protocol.recover), partial(_quietly, beat))
        ]

    def stop(self, parent: Any) -> None:
        from simulator.health import heartbeats

        for entry in self.entries:
            entry.cancel()
        self.entries = []
        _quietly(partial(heartbeats.stopped, parent.hostname))


def _quietly(work: Callable[[], None]) -> None:
    """What goes wrong is logged, and no connection stays open for a child to inherit."""
    try:
        work()
    except Exception as error:
        if is_disk_full(error):
            logger.error("the disk is full: the worker cannot say how it is")
        else:
            logger.exception("the worker could not say how it is; it is tried again")
    finally:
        connections.close_all()


current_app.steps["worker"].add(Recovery)
