"""The contract every family of games fulfils, and the register of the families.

A family is a set of parameters with a schema, two engines that play them (a referee anyone can read and a compiled
kernel), a notation and a drawing. This module names what the rest of the project may ask of it; it never imports numba.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulator.engine.ruleset import Ruleset

# How a game ended. The last two are no draws: "endless" is a turn that never releases the mover, "unfinished" our cap.
WIN, DRAW, ENDLESS, UNFINISHED = range(4)
END_NAMES = ("win", "draw", "endless", "unfinished")


@dataclass(frozen=True, slots=True)
class Measure:
    """One column of a game's row.

    unit:  what one of it is ("turns", "counters"; "code" for a label)
    scope: "game" (grows until the game ends, so the cap makes it a lower bound), "first_round" (known once the first
           round has ended) or "code" (a label, never averaged)
    seat:  the seat it is counted for, or None
    """

    name: str
    title: str
    unit: str
    scope: str
    seat: int | None = None


# The columns that every family's row begins with.
COMMON_MEASURES = (
    Measure("end", "Kind of end", "code", "code"),
    Measure("winners", "Winning seats", "code", "code"),
    Measure("turns", "Turns", "turns", "game"),
    Measure("decisions", "Decisions", "decisions", "game"),
    Measure("options", "Options over all decisions", "options", "game"),
    Measure("lead_changes", "Changes of the lead", "changes", "game"),
)


@dataclass(frozen=True, slots=True)
class Family:
    """What the project may ask of a family.

    version:    changes only when some game of some ruleset would be played differently
    seats:      parameters -> number of seats
    words:      ruleset -> (key, title, the rule in plain words) for every parameter that is not at its off value
    draw_start: ruleset -> SVG of the board in its start position
    check:      parameters -> (key, message, nearest) for every impossible combination
    """

    name: str
    title: str
    version: int
    measures: tuple[Measure, ...]
    schema: dict[str, Any]
    seats: Callable[[Mapping[str, Any]], int]
    words: Callable[["Ruleset"], list[tuple[str, str, str]]]
    draw_start: Callable[["Ruleset"], str]
    check: Callable[[Mapping[str, Any]], list[tuple[str, str, Any]]]


class FamilyProblem(ValueError):
    """No family has this name."""


FAMILY_NAMES = ("sowing",)


@cache
def family(name: str) -> Family:
    """The family of that name; raises FamilyProblem, naming the nearest one."""
    if name not in FAMILY_NAMES:
        near = difflib.get_close_matches(str(name), FAMILY_NAMES, n=1, cutoff=0) or FAMILY_NAMES[:1]
        raise FamilyProblem(f"no family of games is called {name!r}; the nearest is {near[0]!r}")
    found = import_module(f"simulator.engine.families.{name}.definition").FAMILY
    assert isinstance(found, Family)
    return found
