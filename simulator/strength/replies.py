"""Replies of engine players to somebody who plays in the browser: requested, thought out by workers, kept for a while.

A reply is a function of the ruleset, the player, the seed and the moves so far, so whoever comes to the same position
gets the same one. The search is done in `reply_worker`, and nothing here imports what plays.
"""

import datetime
from collections.abc import Sequence
from dataclasses import replace

from django.db import IntegrityError, transaction
from django.utils import timezone

from simulator import rulesets
from simulator.batches import dispatch, levels, prices
from simulator.batches.queueing import admit_reply, hash_address
from simulator.batches.requests import content_hash
from simulator.engine.family import family
from simulator.engine.players.expectations import Expectation
from simulator.engine.players.names import DEEP, KINDS, PLAYERS_VERSION, UCT, player
from simulator.engine.ruleset import Ruleset
from simulator.locks import REPLIES, exclusive
from simulator.models import Reply
from simulator.problems import WrongRequest
from simulator.strength.perfect import PERFECT, seconds_to_solve

KEPT = datetime.timedelta(days=30)
# The most that a visitor's opponent may think, since somebody waits for it: the last in microseconds, as measured.
MOST_DEPTH, MOST_ITERATIONS, MOST_HORIZON, MOST_THOUGHT = 6, 100_000, 200, 2e6


def key_of(ruleset: Ruleset, name: str, seed: int, moves: Sequence[int]) -> str:
    """SHA-256 of what was asked for, in canonical JSON (RFC 8785)."""
    versions = {"family_version": family(ruleset.family).version, "players_version": PLAYERS_VERSION}
    return content_hash(ruleset=ruleset.hash, **versions, player=name, seed=seed, moves=list(moves))


def within_bounds(ruleset: Ruleset, name: str) -> str:
    """The name of the player most like this one that a visitor may play against: itself, as a rule."""
    if name == PERFECT and seconds_to_solve(ruleset) is not None:
        return name
    wanted = player(levels.player_of(ruleset, levels.STRONG) if name == PERFECT else name)
    if KINDS[wanted.kind] in DEEP:
        wanted = replace(wanted, budget=min(wanted.budget, MOST_DEPTH))
    elif wanted.kind == UCT:
        wanted = replace(wanted, budget=min(wanted.budget, MOST_ITERATIONS), horizon=min(wanted.horizon, MOST_HORIZON))
    return prices.within_price(ruleset, str(wanted), MOST_THOUGHT)


def request_reply(ruleset: Ruleset, name: str, seed: int, moves: Sequence[int], visitor: str = "") -> Reply:
    """The reply of the player of that name after these moves of game 0 of the seed, done or waiting.

    visitor: the address a visitor's request comes from; bounds how much may be asked for
    Raises WrongRequest or QueueFull, and has then written nothing. Workers that cannot be notified are no error:
    whoever looks next notifies them.
    """
    key = key_of(ruleset, name, seed, moves)
    reply = Reply.objects.filter(key=key).first() or _written(key, ruleset, name, seed, moves, visitor)
    if reply.state != Reply.State.DONE and reply.mark_announced():
        dispatch.notify_of_reply(reply.key)
    return reply


def _written(key: str, ruleset: Ruleset, name: str, seed: int, moves: Sequence[int], visitor: str) -> Reply:
    if visitor or name == PERFECT:
        check_bounds(ruleset, name)
    work = round(_turn_price(ruleset, name) * prices.UNITS)
    try:
        with transaction.atomic():
            if visitor:
                exclusive(REPLIES)
                admit_reply(work, visitor)
            return Reply.objects.create(
                key=key,
                ruleset=rulesets.save(ruleset),
                family_version=family(ruleset.family).version,
                players_version=PLAYERS_VERSION,
                player=name,
                seed=seed,
                moves=list(moves),
                work=work,
                visitor=hash_address(visitor) if visitor else "",
            )
    except IntegrityError:  # somebody else has asked for it at the same moment
        return Reply.objects.get(key=key)


def check_bounds(ruleset: Ruleset, name: str) -> None:
    """Raises WrongRequest, with the player most like it, for one that a visitor may not play against."""
    nearest = within_bounds(ruleset, name)
    if nearest != name:
        unsolved = "perfect plays only rulesets that are solved, whose table is soon made"
        message = unsolved if name == PERFECT else f"{name} thinks longer than a visitor may ask"
        raise WrongRequest.of("players", message, nearest)


def _turn_price(ruleset: Ruleset, name: str) -> float:
    """Microseconds; those of the perfect player are for its table, which a worker may have to make."""
    if name == PERFECT:
        return 1e6 * (seconds_to_solve(ruleset) or 0.0)
    return prices.turn_price(ruleset, name)


def keep(reply: Reply, move: int, expected: Expectation | None = None) -> None:
    """Keep what the player does and expects; replies that are old enough to be had again are thrown away."""
    reply.keep(move=move, expected=expected and expected.document)
    Reply.objects.filter(state=Reply.State.DONE, created__lt=timezone.now() - KEPT).delete()
