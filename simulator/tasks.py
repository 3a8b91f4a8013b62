"""What a message makes a worker do. A message carries nothing that is not in the rows, and is acknowledged at once."""

from celery import shared_task

from simulator import announcements, chunks, closing, playing


@shared_task(name=announcements.PLAY)
def play_waiting_chunk() -> None:
    """Play one chunk, whichever is next, and pass the message on if more wait."""
    if playing.play_waiting_chunk() and chunks.waiting().exists():
        announcements.announce_chunks(1)


@shared_task(name=announcements.CLOSE)
def close_batch(batch_id: str) -> None:
    closing.close_if_complete(batch_id)
