"""What squares and the parts of a throw are called."""

from simulator.engine.boards.race import BOARDS
from simulator.engine.families.race.position import Position, Rules
from simulator.engine.families.race.referee.course import course
from simulator.engine.families.race.referee.parts import EXTRA, JOINED, NAMED, ONE, THROW

SECOND_TIME = "'"  # behind a square that is trodden for the second time
PART_NAMES = {THROW: "{}", NAMED: "{} by name", ONE: "one", EXTRA: "extra {}", JOINED: "{} with its extra point"}


def part_name(value: int, label: int) -> str:
    """A part of a throw as it is written in a move."""
    return PART_NAMES[label].format(value)


def square_name(position: Position, seat: int, step: int) -> str:
    """The square that is a seat's step, with a mark if that seat treads it for the second time."""
    return step_name(position.rules, seat, step)


def step_name(rules: Rules, seat: int, step: int) -> str:
    """The same without a position."""
    way = course(rules)
    if step in (0, way.home):
        return "off the board" if step == 0 else "home"
    again = SECOND_TIME if way.treads_again(seat, step) else ""
    return BOARDS[rules["board"]].squares[way.tracks[seat][step]].name + again
