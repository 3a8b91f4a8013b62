"""Whose chunk is next: start-time fair queuing, so that nobody's many batches hold up another's small one.

A chunk gets a turn when its batch is written, and the lowest turn is claimed first. Turns are counted in expected work:
an asker's chunks stand one after the other, from where the queue is now or from where the asker's last one ends. So
whoever comes anew stands beside the first of each other asker. A visitor is one asker by address; all of the staff are
one. What the site itself asks for (the demo, commands, editions) has a lane of its own, behind that of people.
(Goyal, Vin, Cheng: Start-time fair queueing, SIGCOMM 1996.)
"""

from django.db.models import F, Max, Min, Q

from simulator.batches.versions import playable
from simulator.models import Batch, Chunk

LAST = 2**60  # turns end here: with the work of any one batch they still fit the database’s integers
PEOPLE = (Batch.Origin.VISITOR, Batch.Origin.EDITOR)


def lane_of(origin: str) -> int:
    return Chunk.Lane.PEOPLE if origin in PEOPLE else Chunk.Lane.SITE


def first_turn(origin: str, visitor: str) -> int:
    """The turn from which on an asker's next batch stands. visitor: the keyed address, as a batch has it

    The queue is where its first chunk is that can be played here: what waits for another version does not hold it.
    """
    claimed, queued = Q(state=Chunk.State.CLAIMED), Q(state=Chunk.State.QUEUED)
    waiting = Chunk.objects.filter(playable("batch__"), lane=lane_of(origin), batch__state=Batch.State.RUNNING)
    now = waiting.filter(queued).aggregate(turn=Min("turn"))["turn"]
    if now is None:
        now = waiting.filter(claimed).aggregate(turn=Max("turn"))["turn"] or 0
    own = waiting.filter(claimed | queued, batch__origin=origin, batch__visitor=visitor)
    end = F("turn") + F("games") * (F("batch__work") / F("batch__games"))
    return min(LAST, int(max(now, own.aggregate(end=Max(end))["end"] or 0)))
