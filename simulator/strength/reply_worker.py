"""Thinking out the replies that wait. Only workers import this module: it brings the compiled engine."""

from collections.abc import Callable
from functools import partial

from simulator import rulesets
from simulator.batches import prices
from simulator.batches.processor_time import PATIENCE, Allowance
from simulator.batches.versions import playable
from simulator.engine.compilation import compile_players
from simulator.engine.players.expectations import Expectation
from simulator.engine.players.search import think
from simulator.models import Reply
from simulator.strength import perfect_player
from simulator.strength.perfect import PERFECT
from simulator.strength.replies import keep
from simulator.strength.solutions import solution_of

MOST_SECONDS = 10.0  # of processor time, beside many times what the turn should take


def think_reply(**which: str) -> bool:
    """Think out the reply of that `key`, or the one that waits longest. False if it waits no more, or not for us."""
    return Reply.work_on_next(_think, playable(), **which)


def _think(reply: Reply) -> None:
    expected = reply.work / prices.UNITS / 1e6
    keep(reply, *Allowance(MOST_SECONDS + PATIENCE * expected).run(_thought(reply)))


def _thought(reply: Reply) -> Callable[[], tuple[int, Expectation | None]]:
    """What is to be computed, once all that is compiled for it is there."""
    ruleset = rulesets.as_engine(reply.ruleset)
    if reply.player == PERFECT:
        kept = solution_of(ruleset, ruleset.hash)
        if kept is None or kept.document is None:
            raise ValueError("the solution that the perfect player goes by is not kept any more")
        perfect_player.prepare(ruleset, kept.document)
        return partial(perfect_player.think, ruleset, reply.seed, reply.moves, kept.document)
    compile_players(ruleset.family)
    return partial(think, ruleset, reply.player, reply.seed, reply.moves)


def think_waiting_replies() -> None:
    """Think out what waits now: for a worker between two blocks of a batch, so that nobody waits for a whole chunk."""
    while think_reply():
        pass
