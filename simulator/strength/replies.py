"""Replies of engine players to somebody who plays in the browser: requested, computed by workers, kept for a while.

A reply is a function of the ruleset, the player, the seed and the moves so far, so readers who come to the same
position get the same reply. The search is done in `reply_worker`, and nothing here imports what plays.

The perfect player of solved rulesets keeps the value of every position. It is used for replies only, and plays no
batches. A worker makes the table of the ruleset again, so that only those are offered whose table is soon made and
small enough to keep, or stands on the disk; or the worker searches where a search found a win.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from simulator import rulesets
from simulator.batches import dispatch, levels, prices, queueing, requests
from simulator.engine.family import family
from simulator.engine.players.names import DEEP, KINDS, PLAYERS_VERSION, UCT, Expectation, player
from simulator.engine.ruleset import Ruleset
from simulator.locks import REPLIES, exclusive
from simulator.models import Reply
from simulator.problems import WrongRequest
from simulator.strength.solutions import SolutionView, has_table, solution_of, solve_command

PERFECT = "perfect"
MOST_TABLE_SECONDS, MOST_BYTES = 2.0, 2**26  # of a table that somebody waits for
MOST_SEARCH_SECONDS = 60.0  # of the search that found a win: the turns after the first take much less
OPENED_SECONDS = 0.1  # about what a table on the disk takes to be opened and looked up

KEPT_METHODS = ("sweep", "value_iteration")  # whose tables are too large to be made while somebody waits

PROMISES = {
    "search": "misses no win that is as short as the one that was proved",
    "value_iteration": "makes the most of every throw (the chances are known)",
}
KEPT = datetime.timedelta(days=30)
# The most that a visitor's opponent may think, since somebody waits for it: the last in microseconds, as measured.
MOST_DEPTH, MOST_ITERATIONS, MOST_HORIZON, MOST_THOUGHT = 6, 100_000, 200, 2e6


def seconds_to_solve(ruleset: Ruleset) -> float | None:
    """Return what the table of a ruleset takes to make; None where nobody plays it perfectly.

    One query; none for games with lots or of more than two.
    """
    return table_seconds(ruleset, solution_of(ruleset, ruleset.hash))


def table_seconds(ruleset: Ruleset, kept: SolutionView | None) -> float | None:
    """Return what the table takes to make, by the solution that is kept; None where nobody plays it perfectly."""
    if kept is None or kept.document is None or kept.is_outdated:
        return None
    seconds = float(kept.document["seconds"])
    if kept.document["method"] == "search":
        return MOST_TABLE_SECONDS if seconds <= MOST_SEARCH_SECONDS else None
    if kept.document["method"] in KEPT_METHODS:
        return OPENED_SECONDS if has_table(ruleset) else None
    return seconds if seconds <= MOST_TABLE_SECONDS and kept.document["table_bytes"] <= MOST_BYTES else None


@dataclass(frozen=True, slots=True)
class MissingTable:
    """A table that is not kept here, for want of which nobody plays a solved ruleset perfectly.

    command:       makes it and leaves it on the disk, and says beforehand what it takes
    seconds, peak_bytes: what solving took where it was done; table_bytes: the most that the table takes on the disk
    """

    command: str
    seconds: float
    peak_bytes: int
    table_bytes: int


def missing_table(ruleset: Ruleset, name: str, kept: SolutionView | None) -> MissingTable | None:
    """Return the table that a perfect player would look up; None if there is one, or if there is none to be kept.

    name: of the ruleset, for the command; kept: its solution
    """
    if kept is None or kept.document is None or kept.is_outdated:
        return None
    if kept.document["method"] not in KEPT_METHODS or has_table(ruleset):
        return None
    took = {key: kept.document[key] for key in ("seconds", "peak_bytes", "table_bytes")}
    return MissingTable(solve_command(ruleset, name, "--keep-table"), **took)


def proved_value(document: dict[str, Any]) -> str:
    """Return what can be said of the perfect player by this solution."""
    return PROMISES.get(document["method"], "never errs (this game is solved)")


def key_of(ruleset: Ruleset, name: str, seed: int, moves: Sequence[int]) -> str:
    """Return the SHA-256 of the request for a reply, in canonical JSON (RFC 8785)."""
    versions = {"family_version": family(ruleset.family).rules_version, "players_version": PLAYERS_VERSION}
    return requests.content_hash(ruleset=ruleset.hash, **versions, player=name, seed=seed, moves=list(moves))


def within_bounds(ruleset: Ruleset, name: str) -> str:
    """Return the name of the player most like this one that a visitor may play against: itself, as a rule."""
    if name == PERFECT and seconds_to_solve(ruleset) is not None:
        return name
    opponent = player(levels.player_of(ruleset, levels.STRONG) if name == PERFECT else name)
    if KINDS[opponent.kind] in DEEP:
        opponent = replace(opponent, budget=min(opponent.budget, MOST_DEPTH))
    elif opponent.kind == UCT:
        opponent = replace(
            opponent, budget=min(opponent.budget, MOST_ITERATIONS), horizon=min(opponent.horizon, MOST_HORIZON)
        )
    return prices.within_price(ruleset, str(opponent), MOST_THOUGHT)


def request_reply(ruleset: Ruleset, name: str, seed: int, moves: Sequence[int], visitor: str = "") -> Reply:
    """Return the reply of the player of that name after these moves of game 0 of the seed, done or waiting.

    visitor: the address a visitor's request comes from; bounds how much may be requested
    Raises WrongRequest or QueueFull, and has then written nothing. Workers that cannot be notified are no error:
    they are notified when somebody looks next.
    """
    # Content-addressed: readers who come to the same position share one row.
    key = key_of(ruleset, name, seed, moves)
    reply = Reply.objects.filter(key=key).first() or _written(key, ruleset, name, seed, moves, visitor)
    if reply.state != Reply.State.DONE and reply.mark_announced():
        dispatch.notify_of_reply(reply.key)
    return reply


def _written(key: str, ruleset: Ruleset, name: str, seed: int, moves: Sequence[int], visitor: str) -> Reply:
    if visitor or name == PERFECT:
        check_bounds(ruleset, name)
    # The perfect player costs its table, which a worker may have to make.
    price = 1e6 * (seconds_to_solve(ruleset) or 0.0) if name == PERFECT else prices.turn_price(ruleset, name)
    work = round(price * prices.UNITS)
    try:
        with transaction.atomic():
            if visitor:
                exclusive(REPLIES)
                queueing.admit_reply(work, visitor)
            return Reply.objects.create(
                key=key,
                ruleset=rulesets.save(ruleset),
                family_version=family(ruleset.family).rules_version,
                players_version=PLAYERS_VERSION,
                player=name,
                seed=seed,
                moves=list(moves),
                work=work,
                visitor=queueing.hash_address(visitor) if visitor else "",
            )
    except IntegrityError:  # another process has written it at the same moment
        return Reply.objects.get(key=key)


def check_bounds(ruleset: Ruleset, name: str) -> None:
    """Raises WrongRequest, with the player most like it, for one that a visitor may not play against."""
    nearest = within_bounds(ruleset, name)
    if nearest != name:
        unsolved = "perfect plays only rulesets that are solved, whose table is soon made"
        message = unsolved if name == PERFECT else f"{name} thinks longer than a visitor may ask"
        raise WrongRequest.of("players", message, nearest)


def keep(reply: Reply, move: int, expected: Expectation | None = None) -> None:
    """Keep what the player does and expects; replies that are old enough to be had again are thrown away."""
    reply.keep(move=move, expected=expected and expected.document)
    Reply.objects.filter(state=Reply.State.DONE, created__lt=timezone.now() - KEPT).delete()
