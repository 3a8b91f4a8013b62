"""Notifying the workers that something waits. The rows say what; a message that is lost costs time only."""

import logging
from pathlib import Path

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

from simulator.problems import BrokerSilent

MOST_MESSAGES = 16  # a worker that finishes a chunk notifies of the next one, so a few are enough
PLAY, CLOSE = "simulator.play_waiting_chunk", "simulator.close_batch"
THINK = "simulator.think_reply"  # by way of the interactive queue: see CELERY_TASK_ROUTES
LIST = "simulator.list_game"  # likewise
PATIENCE = 2.0  # seconds to wait for a broker

logger = logging.getLogger(__name__)


def notify_of_chunks(waiting: int) -> bool:
    """Notify workers that so many chunks wait. False if no broker answered, here and below."""
    return _send(PLAY, (), min(waiting, MOST_MESSAGES))


def notify_of_close(batch_id: str) -> bool:
    """Notify workers that a batch has nothing left to play."""
    return _send(CLOSE, (batch_id,))


def notify_of_reply(key: str) -> bool:
    """Notify workers that a reader waits for a player's reply."""
    return _send(THINK, (key,))


def notify_of_game(record: int) -> bool:
    """Notify workers that a reader waits to see a game."""
    return _send(LIST, (record,))


def notify_of_analysis(task: str, key: str) -> bool:
    """Notify workers that an analysis waits, of the kind with this task."""
    return _send(task, (key,))


def _send(task: str, arguments: tuple[str | int, ...], times: int = 1) -> bool:
    find_broker()
    try:
        for _ in range(times):
            current_app.send_task(task, arguments, retry=False, ignore_result=True)
    except (OperationalError, OSError) as error:
        logger.warning("no broker heard that work waits (%s); the workers find it by themselves", error)
        return False
    return True


def messages_waiting() -> int:
    """Return how many messages no worker has taken yet; raises BrokerSilent."""
    find_broker()
    try:
        with current_app.connection_for_write(connect_timeout=PATIENCE) as connection:
            declared = connection.default_channel.queue_declare(queue=current_app.conf.task_default_queue)
            return int(declared.message_count)
    except (OperationalError, OSError) as error:
        raise BrokerSilent(str(error)) from error


def require_broker() -> None:
    """Raises BrokerSilent with what to do about it."""
    try:
        messages_waiting()
    except BrokerSilent as error:
        raise BrokerSilent(
            f"No broker answers ({error}). Start `make demo` in another terminal, or set REDIS_URL to the address of a "
            "Valkey or Redis server that has workers, or add --inline to play the games in this process."
        ) from error


def broker_note() -> Path:
    """Return the file in which a running demo keeps the address of its broker, for commands in another terminal."""
    return Path(settings.VAR_DIR) / "broker_url"


def find_broker() -> None:
    """Use the running demo's broker unless REDIS_URL names one."""
    if not settings.REDIS_URL and broker_note().exists():
        current_app.conf.broker_url = broker_note().read_text().strip()
