"""Thinking out the replies that wait. Only workers import this module: it brings the compiled engine."""

from functools import partial

from simulator import rulesets
from simulator.batches import prices
from simulator.batches.processor_time import PATIENCE, Allowance
from simulator.batches.versions import playable
from simulator.engine.compilation import compile_players
from simulator.engine.players.search import choose
from simulator.models import Reply
from simulator.strength.replies import keep

MOST_SECONDS = 10.0  # of processor time, beside many times what the turn should take


def think_reply(**which: str) -> bool:
    """Think out the reply of that `key`, or the one that waits longest. False if it waits no more, or not for us."""
    return Reply.work_on_next(_think, playable(), **which)


def _think(reply: Reply) -> None:
    ruleset = rulesets.as_engine(reply.ruleset)
    compile_players(ruleset.family)
    expected = prices.turn_price(ruleset, reply.player) / 1e6
    thought = partial(choose, ruleset, reply.player, reply.seed, reply.moves)
    keep(reply, Allowance(MOST_SECONDS + PATIENCE * expected).run(thought))


def think_waiting_replies() -> None:
    """Think out what waits now: for a worker between two blocks of a batch, so that nobody waits for a whole chunk."""
    while think_reply():
        pass
