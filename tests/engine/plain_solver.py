"""A second solver, to hold the first against: plain Python over the referee, by layers of one ply.

Slow, and written from the definition: a position is won in n plies if its mover can reach one that he has won in n - 1
and no fewer will do, or if every move of his leads to one that the other has won, the slowest in n - 1.
"""

from importlib import import_module

from simulator.engine.ends import DRAW, WIN
from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.kernel.retrograde import ENDLESS_PLAY, RULES_DRAW

Words = tuple[int, ...]


def plain_values(ruleset: Ruleset) -> dict[Words, tuple[int, int | None, bool]]:
    """(value, plies or None, whether it is over) of every position that can be reached, by its identity words."""
    referee = import_module(f"simulator.engine.families.{ruleset.family}.referee.contract")
    start = referee.start(ruleset.parameters)
    positions, children = {start.words(): start}, {}
    waiting = [start]
    for position in waiting:
        children[position.words()] = []
        if position.end >= 0:
            continue
        moves = referee.moves(ruleset.parameters, position)
        for move in moves:
            after = referee.play(ruleset.parameters, position, move, legal=moves).position
            # Nothing remembered but the words: what the rules' bounds look back on is set aside.
            children[position.words()].append(after.words())
            if after.words() not in positions:
                positions[after.words()] = after
                waiting.append(after)
    values = _wins(positions, children)
    endless = _without_end(positions, children, values)
    drawn = {words: (ENDLESS_PLAY if words in endless else RULES_DRAW, None) for words in positions}
    return {words: (*values.get(words, drawn[words]), position.end >= 0) for words, position in positions.items()}


def _wins(positions, children):
    values = {
        words: (position.winners >> 1, 0)
        for words, position in positions.items()
        if position.end == WIN and position.winners in (1, 2)
    }
    plies = 0
    while True:
        plies += 1
        layer = {}
        for words, position in positions.items():
            if words in values or position.end >= 0:
                continue
            known = [values.get(child) for child in children[words]]
            own = [value for value in known if value and value[0] == position.mover]
            if own:
                layer[words] = (position.mover, 1 + min(plies for _, plies in own))
            elif all(known):
                layer[words] = (1 - position.mover, 1 + max(plies for _, plies in known))
        layer = {words: value for words, value in layer.items() if value[1] == plies}
        if not layer:
            return values
        values |= layer


def _without_end(positions, children, values):
    """The drawn positions from which some line, on which nobody gives up his draw, never comes to a drawn end."""
    found = {words for words in positions if words not in values and positions[words].end not in (DRAW, WIN)}
    while True:
        kept = {
            words for words in found if positions[words].end >= 0 or any(child in found for child in children[words])
        }
        if kept == found:
            return found
        found = kept
