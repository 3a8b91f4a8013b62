"""What a message makes a worker do. A message carries nothing that is not in the rows, and is acknowledged at once."""

from celery import Task, shared_task

from simulator.batches import chunks, dispatch, finalize, playing
from simulator.batches.processor_time import end_process_if_left_behind
from simulator.replays import move_lists
from simulator.strength.reply_worker import think_reply, think_waiting_replies


@shared_task(name=dispatch.PLAY, bind=True)
def play_waiting_chunk(task: Task) -> None:
    """Play one chunk, whichever is next, and pass the message on if more wait."""
    node = task.request.hostname or "worker"
    if playing.play_waiting_chunk(meanwhile=think_waiting_replies, worker=node) and chunks.waiting().exists():
        dispatch.notify_of_chunks(1)
    end_process_if_left_behind()


@shared_task(name=dispatch.CLOSE)
def close_batch(batch_id: str) -> None:
    """Close a batch of which nothing is left to play, and draw its plots, unless somebody has."""
    finalize.close_if_complete(batch_id)
    finalize.draw_if_undrawn(batch_id)


@shared_task(name=dispatch.THINK)
def think(key: str) -> None:
    """Think out what a player replies, unless somebody has."""
    think_reply(key=key)
    end_process_if_left_behind()


@shared_task(name=dispatch.LIST)
def list_game(record: int) -> None:
    """List and replay a game of a batch that somebody wants to see, unless somebody has."""
    move_lists.list_game(record)
    end_process_if_left_behind()
