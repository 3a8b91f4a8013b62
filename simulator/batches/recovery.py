"""Putting right what a vanished worker or a lost message left behind.

Every worker's main process does this every few seconds. Everything is guarded, so any number of them may. Messages are
only sent into an empty queue: while workers still have some to take, nothing is lost, and the queue cannot grow.
"""

import logging

from django.db import connections
from django.db.models import Exists, OuterRef

from simulator.batches import chunks, dispatch
from simulator.batches.finalize import UNFINISHED
from simulator.models import Batch, Chunk
from simulator.problems import BrokerSilent

logger = logging.getLogger(__name__)


def heal() -> None:
    """Set hopeless chunks aside; announce what waits to be played or closed and that nobody has heard of."""
    chunks.set_aside_vanished()
    waiting = chunks.waiting()[: dispatch.MOST_MESSAGES].count()
    unfinished = Chunk.objects.filter(batch=OuterRef("id"), state__in=UNFINISHED)
    complete = Batch.objects.filter(~Exists(unfinished), state=Batch.State.RUNNING).values_list("id", flat=True)
    to_close = list(complete[: dispatch.MOST_MESSAGES])
    if (waiting or to_close) and dispatch.messages_waiting() == 0:
        for batch_id in to_close:
            dispatch.announce_close(batch_id)
        dispatch.announce_chunks(waiting)


def heal_quietly() -> None:
    """`heal` for a worker's timer: what goes wrong is logged, and no connection stays open for a child to inherit."""
    try:
        heal()
    except BrokerSilent as error:
        logger.warning("the broker is silent: %s", error)
    except Exception:
        logger.exception("healing failed; it is tried again")
    finally:
        connections.close_all()
