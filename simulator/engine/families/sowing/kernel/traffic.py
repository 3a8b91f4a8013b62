"""The traffic of a sowing game, compiled: what falls into each hole, is begun and taken from it, and where games end.

The rules themselves count it, behind the counts of a game, where they are compiled for rules that say so.
"""

import numpy as np

from simulator.engine.compiled import inlined, words
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing.kernel import by_tables, sowing
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.turns import play_move


def tables(parameters):
    """Return nothing: the rules have all that is needed."""
    return np.zeros(1, dtype=np.int64)


def room(parameters):
    return 0


def more_counts(parameters):
    """Return the words behind the counts of a game; a lap of the table adds to sixteen of them, whatever the board."""
    return 2 * sowing.OF_A_SEAT * parameters["rows"] * parameters["holes_per_row"] + 1 + 16


@inlined
def play_noting(rules, position, move, streams, counts):
    """Play a legal move, settle what follows, and count what is sown."""
    if words(rules)[rule.TABLED]:
        by_tables.play_move(rule.counted_rules(rules), words(position), move, words(counts))
    else:
        play_move(rule.counted_rules(rules), words(position), move, words(counts))


@inlined
def begin_traffic(rules, tables, position, counts, cells):
    """Forget the game before."""
    for place in range(measures.COUNTS, len(counts)):
        counts[place] = 0


@inlined
def keep_traffic(rules, tables, position, counts, seat, before):
    """Nothing is needed of the position before."""


@inlined
def count_traffic(rules, tables, before, position, counts, move, seat, turn, cells):
    """Nothing is left to be counted."""


@inlined
def end_traffic(rules, tables, position, counts, cells):
    """Take over what the rules have counted, and where the last lap ended."""
    _end(rule.counted_rules(rules), words(counts), words(cells))


@inlined
def _end(rules, counts, cells):
    for cell in range(2 * sowing.OF_A_SEAT * rules[rule.AROUND]):
        cells[cell] = counts[measures.COUNTS + cell]
    last = counts[sowing.last_at(rules)]
    if last:
        cells[last - 1] = 1
