"""Replies of engine players to somebody who plays in the browser: asked for, told to the workers, kept for a while.

A reply is a function of the ruleset, the player, the seed and the moves so far, so whoever comes to the same position
gets the same one. The search is done in `reply_worker`, and nothing here imports what plays.
"""

import datetime
import hashlib
from collections.abc import Sequence
from typing import Any

import rfc8785
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from simulator import rulesets
from simulator.batches import dispatch
from simulator.batches.visitor_limits import admit_reply, keyed
from simulator.engine.family import family
from simulator.engine.players.names import ALPHA_BETA, UCT, Player, player
from simulator.engine.ruleset import Problem, Ruleset
from simulator.models import Reply
from simulator.problems import WrongRequest

SILENCE = datetime.timedelta(seconds=10)  # before workers are told again of a reply that waits, or has failed
LEASE = datetime.timedelta(minutes=5)  # longer than a player whom a visitor may ask thinks, compiling included
KEPT = datetime.timedelta(days=30)
# The most that a visitor's opponent may think, since somebody waits for it.
MOST_DEPTH, MOST_ITERATIONS, MOST_HORIZON = 6, 5_000, 200


def key_of(ruleset: Ruleset, name: str, seed: int, moves: Sequence[int]) -> str:
    """SHA-256 of what was asked for, in canonical JSON (RFC 8785)."""
    content: dict[str, Any] = {
        "ruleset": ruleset.hash,
        "family_version": family(ruleset.family).version,
        "player": name,
        "seed": seed,
        "moves": list(moves),
    }
    return hashlib.sha256(rfc8785.dumps(content)).hexdigest()


def within_bounds(name: str) -> str:
    """The name of the player most like this one that a visitor may play against: itself, as a rule."""
    asked = player(name)
    if asked.kind == ALPHA_BETA:
        return str(Player(ALPHA_BETA, min(asked.budget, MOST_DEPTH)))
    if asked.kind == UCT:
        return str(Player(UCT, min(asked.budget, MOST_ITERATIONS), min(asked.horizon, MOST_HORIZON)))
    return str(asked)


def request_reply(ruleset: Ruleset, name: str, seed: int, moves: Sequence[int], visitor: str = "") -> Reply:
    """The reply of the player of that name after these moves of game 0 of the seed, done or waiting.

    visitor: the address a visitor's request comes from; bounds how much may be asked for
    Raises WrongRequest or QueueFull, and has then written nothing. Workers that cannot be told are no error: whoever
    looks next tells them.
    """
    key = key_of(ruleset, name, seed, moves)
    reply = Reply.objects.filter(key=key).first() or _written(key, ruleset, name, seed, moves, visitor)
    if reply.state != Reply.State.DONE:
        _announce(reply)
    return reply


def _written(key: str, ruleset: Ruleset, name: str, seed: int, moves: Sequence[int], visitor: str) -> Reply:
    work = player(name).turns_per_move
    if visitor:
        nearest = within_bounds(name)
        if nearest != name:
            message = f"{name} thinks longer than a visitor's opponent may"
            raise WrongRequest([Problem("players", message, nearest)])
    try:
        with transaction.atomic():
            if visitor:
                admit_reply(work, visitor)
            return Reply.objects.create(
                key=key,
                ruleset=rulesets.save(ruleset),
                family_version=family(ruleset.family).version,
                player=name,
                seed=seed,
                moves=list(moves),
                work=work,
                visitor=keyed(visitor) if visitor else "",
            )
    except IntegrityError:  # somebody else has asked for it at the same moment
        return Reply.objects.get(key=key)


def _announce(reply: Reply) -> None:
    """Tell a worker, unless one was told a moment ago."""
    now = timezone.now()
    silent = Q(announced__isnull=True) | Q(announced__lt=now - SILENCE)
    waiting = Reply.objects.filter(silent, key=reply.key).exclude(state=Reply.State.DONE)
    if waiting.update(announced=now, state=Reply.State.WAITING):
        reply.state = Reply.State.WAITING
        dispatch.announce_reply(reply.key)


def claim(key: str | None = None) -> Reply | None:
    """A waiting reply that nobody thinks about, with a lease: that of this key, or the one that waits longest."""
    now = timezone.now()
    free = Reply.objects.filter(Q(lease_until__isnull=True) | Q(lease_until__lt=now), state=Reply.State.WAITING)
    if key is not None:
        free = free.filter(key=key)
    for found in free.order_by("created")[:1]:
        if free.filter(key=found.key).update(lease_until=now + LEASE):
            return found
    return None


def keep(reply: Reply, move: int) -> None:
    """What the player does; replies that are old enough to be had again are thrown away."""
    Reply.objects.filter(key=reply.key).update(state=Reply.State.DONE, move=move, lease_until=None, error="")
    Reply.objects.filter(state=Reply.State.DONE, created__lt=timezone.now() - KEPT).delete()


def fail(reply: Reply, error: str) -> None:
    Reply.objects.filter(key=reply.key).update(state=Reply.State.FAILED, error=error, lease_until=None)
