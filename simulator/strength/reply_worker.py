"""Thinking out the replies that wait. Only workers import this module: it brings the compiled engine."""

from simulator import rulesets
from simulator.engine.compilation import compile_players
from simulator.engine.family import family
from simulator.engine.players.search import choose
from simulator.models import Reply
from simulator.strength.replies import keep


def think_reply(**which: str) -> bool:
    """Think out the reply of that `key`, or the one that waits longest. False if it waits no more."""
    return Reply.work_on_next(_think, **which)


def _think(reply: Reply) -> None:
    ruleset = rulesets.as_engine(reply.ruleset)
    if reply.family_version != family(ruleset.family).version:
        raise ValueError(f"asked of version {reply.family_version} of the engine, which this worker does not have")
    compile_players(ruleset.family)
    keep(reply, choose(ruleset, reply.player, reply.seed, reply.moves))


def think_waiting_replies() -> None:
    """Think out what waits now: for a worker between two blocks of a batch, so that nobody waits for a whole chunk."""
    while think_reply():
        pass
