"""Putting right what a vanished worker or a lost message left behind.

Every worker's main process does this every few seconds. Everything is guarded, so any number of them may. Messages are
only sent into an empty queue: while workers still have some to take, nothing is lost, and the queue cannot grow.
"""

import logging

from django.db import connections

from simulator.batches import chunks, dispatch
from simulator.batches.finalize import complete_batches, forgotten_batches
from simulator.problems import BrokerSilent, is_disk_full

logger = logging.getLogger(__name__)


def recover() -> None:
    """Set hopeless chunks aside; notify workers of what nobody has heard of: to play, close or draw."""
    chunks.set_aside_vanished()
    waiting = chunks.waiting()[: dispatch.MOST_MESSAGES].count()
    unfinished = complete_batches() | forgotten_batches()
    to_close = list(unfinished.values_list("id", flat=True)[: dispatch.MOST_MESSAGES])
    if (waiting or to_close) and dispatch.messages_waiting() == 0:
        for batch_id in to_close:
            dispatch.notify_of_close(batch_id)
        dispatch.notify_of_chunks(waiting)


def recover_quietly() -> None:
    """For a worker's timer: what goes wrong is logged, and no connection stays open for a child to inherit."""
    try:
        recover()
    except BrokerSilent as error:
        logger.warning("the broker is silent: %s", error)
    except Exception as error:
        if is_disk_full(error):
            logger.error("the disk is full: nothing can be recovered before there is room")
        else:
            logger.exception("recovery failed; it is tried again")
    finally:
        connections.close_all()
