"""What must hold between records, rulesets and the clauses that tie them together. Pure Python.

A reading is a ruleset with a clause for every parameter that is not at its off value. It may rest on another reading:
then it has that reading's clauses wherever both give a parameter the same value, and states the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

BASES = ("stated", "entailed", "by_analogy", "other_source", "conjecture")
IN_WORDS = ("stated", "entailed", "by_analogy")  # bases that need words of a record

Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stated:
    """A clause as far as its parameters matter: whose it is, and what it covers."""

    reading: str
    slug: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """A clause that a reading holds: its own, or one of a reading it rests on. `parameters`: those it covers here."""

    clause: Stated
    parameters: tuple[str, ...]
    inherited: bool


def held(
    reading: str,
    stated: Mapping[str, Sequence[Stated]],
    rests_on: Mapping[str, str | None],
    parameters: Mapping[str, Parameters],
) -> list[Held]:
    """The clauses of a reading, its own first, then those it inherits.

    stated: clauses by reading; rests_on: reading -> the reading it rests on; parameters: every key of each ruleset.
    """
    own = [Held(clause, clause.parameters, False) for clause in stated.get(reading, ())]
    covered = {key for one in own for key in one.parameters}
    base = rests_on.get(reading)
    if base is None:
        return own
    mine, theirs = parameters[reading], parameters[base]
    found = own
    for one in held(base, stated, rests_on, parameters):
        shared = tuple(key for key in one.parameters if key not in covered and mine.get(key) == theirs.get(key))
        if shared:
            found.append(Held(one.clause, shared, True))
            covered.update(shared)
    return found


def gives(parameters: Parameters, values: Parameters | None) -> bool:
    """Whether a ruleset gives the answer that sets those values.

    parameters: those that can fire in it: of a rule that cannot it says nothing
    """
    values = values or {}
    speaks = any(key in parameters for key in values)
    return speaks and all(parameters.get(key, value) == value for key, value in values.items())


def resting_in_circles(rests_on: Mapping[str, str | None]) -> list[str]:
    """Readings that rest on themselves by way of others."""
    found = []
    for reading in rests_on:
        seen, at = {reading}, rests_on[reading]
        while at is not None and at not in seen:
            seen.add(at)
            at = rests_on.get(at)
        if at is not None:
            found.append(reading)
    return found
