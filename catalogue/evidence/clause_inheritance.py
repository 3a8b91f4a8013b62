"""What must hold between records, rulesets and the clauses that tie them together. Pure Python.

A reading is a ruleset with a clause for every parameter that is not at its off value. It may rest on another reading:
then it has that reading's clauses wherever both give a parameter the same value, and states the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

IN_WORDS = ("stated", "entailed", "by_analogy")  # bases that need words of a record

Parameters = Mapping[str, Any]


class StatedClause(Protocol):
    """A clause as far as inheriting it matters: the parameters that it covers."""

    parameters: Any


C = TypeVar("C", bound=StatedClause)


@dataclass(frozen=True, slots=True)
class HeldClause(Generic[C]):
    """A clause that a reading holds: its own, or one of a reading it rests on. `parameters`: those it covers here."""

    clause: C
    parameters: tuple[str, ...]
    inherited: bool


def held_clauses(
    reading: str,
    stated: Mapping[str, Sequence[C]],
    rests_on: Mapping[str, str | None],
    parameters: Mapping[str, Parameters],
) -> list[HeldClause[C]]:
    """The clauses of a reading, its own first, then those it inherits.

    stated: clauses by reading; rests_on: reading -> the reading it rests on; parameters: every key of each ruleset.
    """
    found = [HeldClause(clause, tuple(clause.parameters), False) for clause in stated.get(reading, ())]
    base = rests_on.get(reading)
    if base is None:
        return found
    covered = {key for one in found for key in one.parameters}
    mine, theirs = parameters[reading], parameters[base]
    for one in held_clauses(base, stated, rests_on, parameters):
        shared = tuple(key for key in one.parameters if key not in covered and mine.get(key) == theirs.get(key))
        if shared:
            found.append(HeldClause(one.clause, shared, True))
    return found


def gives(parameters: Parameters, values: Parameters | None) -> bool:
    """Whether a ruleset gives the answer that sets those values.

    parameters: those that can fire in it: of a rule that cannot it says nothing
    """
    values = values or {}
    speaks = any(key in parameters for key in values)
    return speaks and all(parameters.get(key, value) == value for key, value in values.items())


def foundations(reading: str, rests_on: Mapping[str, str | None]) -> list[str]:
    """A reading and those it rests on; a circle ends where it closes."""
    found: list[str] = []
    at: str | None = reading
    while at is not None and at not in found:
        found.append(at)
        at = rests_on.get(at)
    return found


def resting_in_circles(rests_on: Mapping[str, str | None]) -> list[str]:
    """Readings that rest on themselves by way of others."""
    return [reading for reading in rests_on if rests_on.get(foundations(reading, rests_on)[-1]) is not None]
