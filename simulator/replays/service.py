"""The games of batches one by one, told turn by turn.

A game is a function of its batch and its number. One of random players that is soon over is played by the referee at
once; any other is listed by a worker, told by the referee there, and kept for a while. Nothing here imports what plays.
"""

import datetime
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from simulator.batches import dispatch, requests
from simulator.batches.service import is_of_this_engine, name_of
from simulator.engine import replay_slices
from simulator.engine.players.names import KINDS, RANDOM
from simulator.engine.replay import Replay, TooLong, end_text, named_row, replay, rules_text
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch, GameRecord
from simulator.problems import QueueFull
from simulator.whole_numbers import whole_number

# About half a second of each referee: a ply takes 0.1 to 0.3 ms in sowing, 0.2 to 0.5 in race, 0.2 to 1.5 in points.
PLIES_AT_ONCE = {"sowing": 2_000, "race": 1_000, "points": 400}
MOST_TURNS = 2_000  # turns of one game that are told: those of the usual cap
MOST_WAITING, MOST_KEPT = 20, 500
SILENCE = datetime.timedelta(seconds=10)  # before workers are told again
LEASE = datetime.timedelta(minutes=10)
LOOK_AGAIN = 3  # seconds after which a reader may look again
TRIED_AGAIN = datetime.timedelta(minutes=10)  # after a failure


class OlderEngine(Exception):
    """The batch was played by another version of the engine than the one installed here."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A game that can be shown.

    row:        measure -> number
    turns_told: turns that are told; fewer than the row counts if the game is very long
    part:       number of a slice -> the slice, as `simulator.engine.replay_slices` says
    turns:      all told turns without their boards
    """

    ruleset: Ruleset
    row: dict[str, int]
    turns_told: int
    part: Callable[[int], dict[str, Any]]
    turns: Callable[[], Iterator[dict[str, Any]]]

    @property
    def turns_played(self) -> int:
        return self.row["turns"]

    @property
    def outcome(self) -> Replay:
        """The replay without its turns: how the game ended, and who won."""
        return Replay(self.ruleset, (), self.row)

    def document(self) -> dict[str, Any]:
        """The game for programmes, as `manage.py replay --json` prints it."""
        turns = [{key: value for key, value in turn.items() if key not in ("text", "board")} for turn in self.turns()]
        return {"turns": turns, "end": self.outcome.end, "winners": self.outcome.winners, "row": self.row}

    def text(self) -> Iterator[str]:
        """The game for readers, line by line."""
        yield from rules_text(self.ruleset)
        for turn in self.turns():
            yield ""
            yield from turn["text"]
        yield ""
        if self.turns_told < self.turns_played:
            yield f"Turns {self.turns_told + 1:,} to {self.turns_played:,} are not told here."
        yield end_text(self.outcome)


def game_number(batch: Batch, typed: object) -> int:
    """The number of a game of the batch; raises WrongRequest, which names the nearest one."""
    return whole_number("game", typed, 0, batch.games - 1)


def tell(batch: Batch, game: int) -> Telling | GameRecord:
    """The game told, or the record of it that waits for a worker or failed.

    Raises OlderEngine, and QueueFull if too many games wait already. A few queries, and a message to the workers.
    """
    if not is_of_this_engine(batch):
        raise OlderEngine
    request = requests.of_batch(batch)
    record = GameRecord.objects.filter(batch=batch, game=game).first()
    if record is None and set(request.players) == {KINDS[RANDOM]}:
        try:
            return of_replay(_random_game(request, game))
        except TooLong:
            pass
    if record is None:
        record = _written(batch, game)
    if record.state == GameRecord.State.DONE:
        return _of_record(record, request.ruleset)
    _announce(record)
    return record


def facts(batch: Batch, game: int) -> dict[str, Any]:
    """What makes this game the one it is."""
    return {
        "batch": batch.id,
        "ruleset": name_of(batch),
        "ruleset_hash": batch.ruleset_id,
        "engine_version": f"{batch.ruleset.family} {batch.family_version}",
        "players": batch.players,
        "seed": batch.seed,
        "game": game,
        "cap": batch.cap,
        "until": batch.until,
    }


def command_line(batch: Batch, game: int) -> str:
    """The command that tells exactly this game, on any machine."""
    return (
        f"manage.py replay {name_of(batch)} --game {game} --seed {batch.seed} --players {batch.players}"
        f" --cap {batch.cap} --until {batch.until}"
    )


def _random_game(request: requests.BatchRequest, game: int) -> Replay:
    most = PLIES_AT_ONCE[request.ruleset.family]
    return replay(request.ruleset, request.seed, game, request.cap, request.until, most_plies=most)


def of_replay(told: Replay) -> Telling:
    """Of a game the referee has just played: only the slices that are asked for are drawn."""

    def turns() -> Iterator[dict[str, Any]]:
        return (replay_slices.turn_summary(told, turn) for turn in told.turns)

    return Telling(told.ruleset, told.row, len(told.turns), lambda number: replay_slices.slice_of(told, number), turns)


def _of_record(record: GameRecord, ruleset: Ruleset) -> Telling:
    parts: list[dict[str, Any]] = json.loads(zlib.decompress(bytes(record.telling or b"")))

    def turns() -> Iterator[dict[str, Any]]:
        return (turn for part in parts for turn in part["turns"])

    return Telling(
        ruleset, named_row(ruleset, record.row or ()), record.turns_told, lambda number: parts[number], turns
    )


def _written(batch: Batch, game: int) -> GameRecord:
    with transaction.atomic():
        if GameRecord.objects.filter(state=GameRecord.State.WAITING).count() >= MOST_WAITING:
            raise QueueFull("Many games are waiting to be told. Please try again in a minute.", 60)
        record, _ = GameRecord.objects.get_or_create(batch=batch, game=game)
    return record


def _announce(record: GameRecord) -> None:
    """Tell a worker, unless one was told a moment ago, or has failed at it not long ago."""
    now = timezone.now()
    waiting = Q(state=GameRecord.State.WAITING) & (Q(announced__isnull=True) | Q(announced__lt=now - SILENCE))
    failed = Q(state=GameRecord.State.FAILED, announced__lt=now - TRIED_AGAIN)
    if GameRecord.objects.filter(waiting | failed, id=record.id).update(announced=now, state=GameRecord.State.WAITING):
        record.state = GameRecord.State.WAITING
        dispatch.announce_game(record.id)


def claim(record_id: int) -> GameRecord | None:
    """The waiting record of that number, with a lease; None if it waits no more or somebody has it."""
    now = timezone.now()
    free = GameRecord.objects.filter(
        Q(lease_until__isnull=True) | Q(lease_until__lt=now), id=record_id, state=GameRecord.State.WAITING
    )
    if not free.update(lease_until=now + LEASE):
        return None
    return GameRecord.objects.select_related("batch__ruleset").get(id=record_id)


def keep(record: GameRecord, moves: list[int], told: Replay) -> None:
    """Keep what a worker has listed and told; of many records the oldest are thrown away."""
    GameRecord.objects.filter(id=record.id).update(
        state=GameRecord.State.DONE,
        moves=moves,
        row=list(told.row.values()),
        telling=zlib.compress(json.dumps(replay_slices.slices(told), ensure_ascii=False).encode()),
        turns_told=len(told.turns),
        lease_until=None,
        error="",
    )
    done = GameRecord.objects.filter(state=GameRecord.State.DONE).order_by("-created", "-id")
    old = list(done.values_list("id", flat=True)[MOST_KEPT : 2 * MOST_KEPT])
    if old:
        GameRecord.objects.filter(id__in=old).delete()


def fail(record: GameRecord, error: str) -> None:
    GameRecord.objects.filter(id=record.id).update(state=GameRecord.State.FAILED, error=error, lease_until=None)
