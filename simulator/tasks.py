"""What a message makes a worker do. A message carries nothing that is not in the rows, and is acknowledged at once."""

from celery import shared_task

from simulator import announcements, chunks, closing, listing, playing, thinking


@shared_task(name=announcements.PLAY)
def play_waiting_chunk() -> None:
    """Play one chunk, whichever is next, and pass the message on if more wait."""
    if playing.play_waiting_chunk() and chunks.waiting().exists():
        announcements.announce_chunks(1)


@shared_task(name=announcements.CLOSE)
def close_batch(batch_id: str) -> None:
    closing.close_if_complete(batch_id)


@shared_task(name=announcements.THINK)
def think_reply(key: str) -> None:
    """Think out what a player replies, unless somebody has."""
    thinking.think(key)


@shared_task(name=announcements.LIST)
def list_game(record: int) -> None:
    """List and tell a game of a batch that somebody wants to see, unless somebody has."""
    listing.list_game(record)
