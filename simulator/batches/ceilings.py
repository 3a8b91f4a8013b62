"""The most that one request may ask for, of anybody and of visitors; how often, `visitor_limits` says.

A turn that takes long cannot be interrupted but by ending the process that thinks about it; and nobody, staff or
command, should hold all workers for weeks by a slip of the keyboard.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from simulator.batches import prices
from simulator.engine.ruleset import Problem, Ruleset

MICROSECONDS = 1e6  # in a second
SECOND, HOUR = MICROSECONDS, 3600 * MICROSECONDS


@dataclass(frozen=True, slots=True)
class Ceiling:
    """turn: microseconds that one turn's thought may take; work: of all games together, as `prices.UNITS` counts."""

    who: str
    turn: float
    work: int


ANYBODY = Ceiling("nobody", 60 * SECOND, int(100 * HOUR * prices.UNITS))
VISITOR = Ceiling("no visitor", 1 * SECOND, ANYBODY.work)


def work_of(ruleset: Ruleset, players: Sequence[str], games: int, cap: int) -> int:
    """What the games cost: expected processor time, in units of about a turn of random play."""
    return max(1, min(round(games * prices.game_price(ruleset, players, cap) * prices.UNITS), 2**62))


def exceeded(ruleset: Ruleset, players: Sequence[str], games: int, cap: int, ceiling: Ceiling) -> Iterator[Problem]:
    """What is above the ceiling, with the most that is possible below it."""
    possible = [prices.within_price(ruleset, name, ceiling.turn) for name in players]
    if possible != list(players):
        slow = next(name for name, near in zip(players, possible, strict=True) if name != near)
        near = possible[list(players).index(slow)]
        seconds = prices.turn_price(ruleset, slow) / SECOND
        message = f"{slow} thinks about {span(seconds)} about a turn here, and {ceiling.who} may ask for that"
        yield Problem("players", f"{message}; the most that is possible is {near}", ",".join(possible))
        return
    work = work_of(ruleset, players, games, cap)
    if work <= ceiling.work:
        return
    hours = work / prices.UNITS / HOUR
    message = f"these games would take about {hours:,.0f} hours of a processor, and {ceiling.who} may ask for more than"
    message += f" {ceiling.work / prices.UNITS / HOUR:,.0f}"
    if most := ceiling.work * games // work:
        yield Problem("games", f"{message}: {most} of these games at most", most)
    else:
        shortest = max(1, ceiling.work * cap // work)
        yield Problem("cap", f"{message}: not even one game with this cap", shortest)


def span(seconds: float) -> str:
    """ "2.4 seconds", "3 hours"."""
    for name, long in (("year", 31_557_600), ("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 2 * long:
            return f"{min(seconds / long, 1e6):,.0f} {name}s"
    return f"{seconds:.1f} seconds" if seconds >= 0.1 else "a tenth of a second"
