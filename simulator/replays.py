"""The games of batches one by one, replayed turn by turn.

A game is a function of its batch and its number. One of random players that is soon over is played by the referee at
once. Any other is listed by a worker: the compiled engine lists what its players did, the referee plays it and says
which rule fired, and the result is kept for a while. If the referee reaches another row than the compiled engine, the
two engines differ: that is an error, and nothing is kept. What plays is imported only where a worker or command needs
it.
"""

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import transaction

from simulator.batches import dispatch, requests, versions
from simulator.engine import replay as replay_module
from simulator.engine.compilation import compile_players
from simulator.engine.family import family
from simulator.engine.players.names import KINDS, RANDOM
from simulator.engine.replay import Replay, TooLong, end_text, named_row, replay, replay_beginning, rules_text
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch, GameRecord
from simulator.problems import QueueFull, whole_number
from simulator.rulesets import as_engine, lasting_name

if TYPE_CHECKING:
    from simulator.batches.playing import Allowance

MOST_TURNS = 2_000  # turns of one game that are replayed: those of the usual cap
MOST_WAITING, MOST_KEPT = 20, 500
LOOK_AGAIN = 3  # seconds after which a reader may look again


class OlderEngine(Exception):
    """The batch was played by another version of the engine than the one installed here."""


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A game that can be shown.

    row:        measure -> number
    turns_told: turns that are described; fewer than the row counts if the game is very long
    part:       number of a slice -> the slice, as `simulator.engine.replay` says
    turns:      all described turns without their boards
    until:      the end of the game, or of its first round
    """

    ruleset: Ruleset
    row: dict[str, int]
    turns_told: int
    part: Callable[[int], dict[str, Any]]
    turns: Callable[[], Iterator[dict[str, Any]]]
    until: str = "game"

    @property
    def turns_played(self) -> int:
        return self.row["turns"]

    @property
    def outcome(self) -> Replay:
        """The replay without its turns: how the game ended, and who won."""
        return Replay(self.ruleset, (), self.row, self.until)

    def document(self) -> dict[str, Any]:
        """Return the game for programs, as `manage.py replay --json` prints it."""
        turns = [{key: value for key, value in turn.items() if key not in ("text", "board")} for turn in self.turns()]
        ended = {"end": self.outcome.end, "end_in_words": end_text(self.outcome), "winners": self.outcome.winners}
        return {"turns": turns, **ended, "row": self.row}

    def text(self) -> Iterator[str]:
        """Yield the game for readers, line by line."""
        yield from rules_text(self.ruleset)
        for turn in self.turns():
            yield ""
            yield from turn["text"]
        yield ""
        if self.turns_told < self.turns_played:
            yield f"Turns {self.turns_told + 1:,} to {self.turns_played:,} are not told here."
        yield end_text(self.outcome)


def game_number(batch: Batch, typed: object) -> int:
    """Return the number of a game of the batch; raises WrongRequest, which names the nearest one."""
    return whole_number("game", typed, 0, batch.games - 1)


def request_replay(batch: Batch, game: int) -> ReplayView | GameRecord:
    """Return the game, or the record of it that waits for a worker or failed.

    Raises OlderEngine, and QueueFull if too many games wait already. A few queries, and a message to the workers.
    """
    if not versions.is_of_this_engine(batch):
        raise OlderEngine
    request = requests.request_of_batch(batch)
    record = GameRecord.objects.filter(batch=batch, game=game).first()
    if record is None and set(request.players) == {KINDS[RANDOM]}:
        try:
            most, terms = family(request.ruleset.family).quick_plies, (request.seed, game, request.cap, request.until)
            return view_of_replay(replay(request.ruleset, *terms, most_plies=most))
        except TooLong:
            pass
    if record is None:
        record = _written(batch, game)
    if record.state == GameRecord.State.DONE:
        return _of_record(record, request.ruleset, request.until)
    if record.mark_announced():
        dispatch.notify_of_game(record.id)
    return record


def replay_facts(batch: Batch, game: int) -> dict[str, Any]:
    """Return the facts that determine this game."""
    return {"batch": batch.id, **facts_of_game(batch, batch.ruleset.versioned_name, batch.ruleset_id, game)}


def facts_of_game(source: Batch | requests.BatchRequest, ruleset: str, ruleset_hash: str, game: int) -> dict[str, Any]:
    """Return the facts of a game of a request, which may be no batch. ruleset: its name"""
    terms = source.terms
    return {
        "ruleset": ruleset,
        "ruleset_hash": ruleset_hash,
        "engine_version": source.engine_version,
        "players": terms["players"],
        "seed": terms["seed"],
        "game": game,
        "cap": terms["cap"],
        "until": terms["until"],
    }


def replay_command(batch: Batch, game: int) -> str:
    """Return the command that replays exactly this game, on any machine."""
    terms = {key: value for key, value in batch.terms.items() if key not in ("games", "traffic")}
    name = lasting_name(as_engine(batch.ruleset), batch.ruleset.versioned_name)
    return f"manage.py replay {name.options} {requests.as_options(game=game, **terms)}"


def view_of_replay(played: Replay) -> ReplayView:
    """View a game that the referee has just played: only the slices that are looked at are drawn."""

    def turns() -> Iterator[dict[str, Any]]:
        return (replay_module.turn_summary(played, turn) for turn in played.turns)

    part = partial(replay_module.slice_of, played)
    return ReplayView(played.ruleset, played.row, len(played.turns), part, turns, played.until)


def _of_record(record: GameRecord, ruleset: Ruleset, until: str) -> ReplayView:
    parts: list[dict[str, Any]] = json.loads(zlib.decompress(bytes(record.telling or b"")))

    def turns() -> Iterator[dict[str, Any]]:
        return (turn for part in parts for turn in part["turns"])

    row = named_row(ruleset, record.row or ())
    return ReplayView(ruleset, row, record.turns_told, parts.__getitem__, turns, until)


def _written(batch: Batch, game: int) -> GameRecord:
    with transaction.atomic():
        if GameRecord.objects.filter(state=GameRecord.State.WAITING).count() >= MOST_WAITING:
            raise QueueFull("Many games are waiting to be told. Please try again in a minute.", 60)
        record, _ = GameRecord.objects.get_or_create(batch=batch, game=game)
    return record


def keep_replay(record: GameRecord, moves: list[int], played: Replay) -> None:
    """Keep what a worker has listed and replayed; of many records the oldest are thrown away."""
    record.keep(
        moves=moves,
        row=list(played.row.values()),
        telling=zlib.compress(json.dumps(replay_module.slices(played), ensure_ascii=False).encode()),
        turns_told=len(played.turns),
    )
    done = GameRecord.objects.filter(state=GameRecord.State.DONE).order_by("-created", "-id")
    old = list(done.values_list("id", flat=True)[MOST_KEPT : 2 * MOST_KEPT])
    if old:
        GameRecord.objects.filter(id__in=old).delete()


class EnginesDiffer(Exception):
    """The referee and the compiled engine have played one game otherwise, which must never happen."""


def list_game(record_id: int) -> bool:
    """List and replay the game of that record. False if it waits no more, or not for us."""
    return GameRecord.work_on_next(_list, versions.playable("batch__"), id=record_id)


def _list(record: GameRecord) -> None:
    from simulator.batches.playing import allowance_for

    request = requests.request_of_batch(record.batch)
    keep_replay(record, *replay_listed(request, record.game, MOST_TURNS, allowance_for(request, games=1)))


def replay_listed(
    request: requests.BatchRequest, game: int, most_turns: int, allowance: "Allowance | None" = None
) -> tuple[list[int], Replay]:
    """(the moves of a game between any players, as codes; the game, or its first turns if it has more than so many).

    Raises EnginesDiffer, and TookTooLong if there is an allowance of processor time and it is spent.
    """
    from simulator.batches.playing import Allowance
    from simulator.engine.playout import list_moves

    compile_players(request.ruleset.family)
    line = (request.ruleset, request.players, request.seed, game, request.cap, request.until)
    moves, row = (allowance or Allowance()).run(lambda: list_moves(*line))
    counted = named_row(request.ruleset, row)
    if counted["turns"] > most_turns:
        return moves, replay_beginning(request.ruleset, request.seed, game, moves, row, most_turns)
    played = replay(request.ruleset, request.seed, game, request.cap, request.until, moves)
    if played.row != counted:
        rows = f"{played.row} by the referee, {counted} by the compiled engine"
        raise EnginesDiffer(f"game {game} of {request.id}: {rows}")
    return moves, played
