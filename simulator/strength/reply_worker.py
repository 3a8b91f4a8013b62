"""Thinking out the replies that wait. Only workers import this module: it brings the compiled engine with it."""

import logging

from simulator import rulesets
from simulator.engine.compilation import compile_players
from simulator.engine.family import family
from simulator.engine.players.search import choose
from simulator.strength import replies

logger = logging.getLogger(__name__)


def think(key: str | None = None) -> bool:
    """Think out the reply of that key, or the one that waits longest. False if it waits no more."""
    reply = replies.claim(key)
    if reply is None:
        return False
    try:
        ruleset = rulesets.as_engine(reply.ruleset)
        if reply.family_version != family(ruleset.family).version:
            raise ValueError(f"asked of version {reply.family_version} of the engine, which this worker does not have")
        compile_players(ruleset.family)
        move = choose(ruleset, reply.player, reply.seed, reply.moves)
    except Exception as error:
        logger.exception("reply %s failed", reply)
        replies.fail(reply, f"{type(error).__name__}: {error}")
    else:
        replies.keep(reply, move)
    return True


def think_waiting() -> None:
    """Think out what waits now: for a worker between two blocks of a batch, so that nobody waits for a whole chunk."""
    while think():
        pass
