"""Ladders that a page was asked for: offered within bounds, waited for, handed to a worker. No figure is computed here.

The rows are the truth and a message only points at one: whoever looks at a page that waits tells the workers again.
"""

from dataclasses import dataclass, replace

from django.conf import settings
from django.db import transaction

from simulator import rulesets
from simulator.batches import dispatch, together
from simulator.batches.prices import MICROSECONDS, UNITS, span
from simulator.batches.service import request_together
from simulator.batches.together import BatchSetProgress, progress_together
from simulator.engine.ruleset import Ruleset
from simulator.locks import BATCHES, exclusive
from simulator.models import Batch, Chunk, Ladder
from simulator.problems import QueueFull, WrongRequest
from simulator.strength.ladder_requests import (
    DEFAULT_MOST,
    FIRST_BUDGET,
    LadderRequest,
    check_ladder,
    doubling,
    sides_of,
)

CONCLUDE = "simulator.conclude_ladder"
GAMES, FEWEST_GAMES = 120, 24  # of each match; both can be divided among two, three and four sides
SHARE = 2  # a ladder that is offered takes at most this part of what a visitor may ask for in an hour


@dataclass(frozen=True, slots=True)
class LadderOffer:
    """most: iterations of its highest rung; fits: whether a visitor may ask for it; work: as `prices.UNITS` counts"""

    most: int
    rungs: int
    games: int
    work: int
    fits: bool

    @property
    def time(self) -> str:
        """ "24.0 seconds" of a processor."""
        return span(self.work / UNITS / MICROSECONDS)


def offer_for(ruleset: Ruleset) -> LadderOffer:
    """The highest ladder with games enough in its share of an hour, with as many as that has room for; else the lowest
    there is with the fewest games, which may be too much."""
    room = settings.VISITOR_WORK_PER_HOUR // SHARE
    most = DEFAULT_MOST
    while True:
        request = check_ladder("", doubling(most=most), games=GAMES, ruleset=ruleset)
        of_luck = request.luck.work if request.luck else 0
        of_a_game = (work_of(request) - of_luck) / GAMES
        games = min(GAMES, int((room - of_luck) / of_a_game) // FEWEST_GAMES * FEWEST_GAMES)
        if games >= FEWEST_GAMES or most <= FIRST_BUDGET:
            games = max(games, FEWEST_GAMES)
            work = round(of_luck + games * of_a_game)
            return LadderOffer(most, len(request.rungs), games, work, work <= settings.VISITOR_WORK_PER_HOUR)
        most //= 2


def work_of(request: LadderRequest) -> int:
    return sum(one.work for one in request.requests.values())


def request_ladder(request: LadderRequest, *, origin: str, visitor: str = "", announce: bool = True) -> Ladder:
    """The ladder, climbed or waited for: asked for twice, it is one.

    origin, visitor: on whose behalf its games are played, as `request_batch` takes them
    Raises WrongRequest or QueueFull, and has then written nothing.
    """
    with transaction.atomic():
        exclusive(BATCHES)
        row = Ladder.objects.filter(id=request.id).select_related("ruleset").first()
        if row is not None and (row.state == Ladder.State.DONE or _is_waited_for(row, request)):
            return row
        if visitor:
            _refuse_too_high(request)
        _ask_for_games(request, origin, visitor)
        row, _ = Ladder.objects.update_or_create(
            id=request.id,
            defaults={
                "ruleset": rulesets.save(request.ruleset),
                "request": request.content,
                "state": Ladder.State.WAITING,
                "error": "",
            },
        )
    if announce:
        if waiting := Chunk.objects.filter(batch__in=list(request.requests), state=Chunk.State.QUEUED).count():
            dispatch.notify_of_chunks(waiting)
        announce_waiting(row)
    return row


def _refuse_too_high(request: LadderRequest) -> None:
    """Raises WrongRequest for a ladder that no visitor may ask for, with what would fit."""
    room, work = settings.VISITOR_WORK_PER_HOUR, work_of(request)
    if work <= room:
        return
    sides = len(sides_of(request.ruleset))
    if most := room * request.games // work // sides * sides:
        message = f"visitors may ask for {most} games of each match of this ladder, not for {request.games}"
        raise WrongRequest.of("games", message, most)
    fitting = offer_for(request.ruleset)
    message = f"one game of each match would take {span(work / request.games * sides / UNITS / MICROSECONDS)}"
    raise WrongRequest.of("most", f"{message}, and visitors may ask for less", fitting.most if fitting.fits else None)


def _ask_for_games(request: LadderRequest, origin: str, visitor: str) -> None:
    try:
        request_together(list(request.requests.values()), origin=origin, visitor=visitor)
    except QueueFull as error:
        minutes = (error.retry_after or 60) // 60 + 1
        raise QueueFull(f"There is no room for so many games just now; please try again in {minutes} minutes.",
                        error.retry_after) from error  # fmt: skip


def _is_waited_for(row: Ladder, request: LadderRequest) -> bool:
    """Whether its games are being played, or done and about to be looked at."""
    if row.state != Ladder.State.WAITING:
        return False
    well = Batch.objects.filter(id__in=request.requests, state__in=(Batch.State.RUNNING, Batch.State.DONE))
    return well.count() == len(request.requests)


def waiting_ladder(ruleset_hash: str) -> Ladder | None:
    """The one of a ruleset that was asked for last and is not done; one query."""
    waiting = Ladder.objects.filter(ruleset=ruleset_hash).exclude(state=Ladder.State.DONE).select_related("ruleset")
    found: Ladder | None = waiting.first()
    return found


def request_of(row: Ladder) -> LadderRequest:
    """What was asked for. Its id is another one if the engine has changed since."""
    content = row.request
    terms = {name: content[name] for name in ("games", "seed", "cap", "until")}
    return check_ladder(row.ruleset.versioned_name, content["rungs"], ruleset=rulesets.as_engine(row.ruleset), **terms)


def announce_waiting(row: Ladder) -> bool:
    """Tell a worker that the ladder waits, unless one was told a moment ago. True if a message was sent."""
    return together.announce_waiting(Ladder.objects.filter(id=row.id, state=Ladder.State.WAITING), CONCLUDE, row.id)


def progress(row: Ladder) -> BatchSetProgress:
    """Two queries, two more while games are open, and a message to the workers if only the computing is left."""
    wanted = request_of(row)
    batches = list(Batch.objects.filter(id__in=wanted.requests).select_related("ruleset").defer("tally", "summary"))
    whole = wanted.id == row.id and len(batches) == len(wanted.requests)
    if row.state == Ladder.State.WAITING and whole and all(one.state == Batch.State.DONE for one in batches):
        announce_waiting(row)
    found = progress_together(row.state, batches)
    failed = row.state == Ladder.State.WAITING and (found.stopped or not whole)
    return replace(found, state=Ladder.State.FAILED) if failed else found
