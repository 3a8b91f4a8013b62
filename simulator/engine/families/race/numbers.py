"""A race as numbers, for programs that learn to play: its moves, its throws, and what a position shows."""

from simulator.engine.families.race import position as code
from simulator.engine.families.race.chances import Listed, every_cast
from simulator.engine.families.race.chances import kind_of_cast as kind_of_cast
from simulator.engine.families.race.notation import lots_in_words
from simulator.engine.families.race.position import Position, Rules
from simulator.engine.families.race.referee.contract import start_array
from simulator.engine.families.race.referee.throws import every_throw, kinds
from simulator.engine.families.race.referee.way import course
from simulator.engine.family import MoveBlock

MOST_SHARES = (code.EXTRA_OF - code.FREE) // code.STRIDE  # into which a throw can be divided, by the codes of moves


def move_blocks(rules: Rules) -> tuple[MoveBlock, ...]:
    """Return where the codes of a ruleset's moves lie: pieces by their step and the part that they play."""
    steps, parts = course(rules).home, len(kinds(rules))
    by_part = (code.STRIDE, parts, steps)
    blocks = [(0, *by_part), (code.TOTAL, 1, 1, steps), (code.TOGETHER, 1, 3, 1)]
    if rules["division"] == "free":
        most = max(throw.score for throw in every_throw(rules)) * rules["series_limit"]
        blocks.append((code.FREE, code.STRIDE, min(most + 1, MOST_SHARES), steps))
    if rules["extra_spent"] == "added":
        blocks += [(code.EXTRA_OF, *by_part), (code.REST_OF, *by_part)]
    if rules["pairs_apart"]:
        blocks += [(code.ALONE_OF, code.STRIDE, parts, 1), (code.ALONE_OF + code.TOTAL, 1, 1, 1)]
    return tuple(blocks)


def casts(rules: Rules) -> tuple[Listed, ...]:
    """Return what one cast of the lots can bring."""
    return every_cast(rules)


def cast_in_words(rules: Rules, cast: Listed) -> str:
    return lots_in_words(rules, cast.lots)


def before_throw(rules: Rules) -> Position:
    """Return where the pieces stand before anything is thrown."""
    return start_array(rules)


def observed(rules: Rules, position: Position) -> list[int]:
    """Return the whole position as numbers: what is played next, then each seat's pieces by the step they stand on."""
    steps = range(course(rules).home + 1)
    return [
        *(position.mover, position.again, position.pool, position.double, position.divided, position.opened),
        *(position.entered, position.faces, position.for_partner),
        *position.hand[: len(kinds(rules))],
        *position.pairs[: rules["seats"]],
        *(row.count(step) for row in position.pieces for step in steps),
    ]
