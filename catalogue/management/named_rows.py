"""Rows that a command names."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from catalogue.models import Evidence
from catalogue.texts.words import nearest_word
from simulator.engine.ruleset import Problem
from simulator.management.command_line import WrongUsage
from simulator.problems import WrongRequest

NamedRow = TypeVar("NamedRow")


def named_records(rows: Iterable[Evidence], identifiers: Sequence[str]) -> list[Evidence]:
    """The records of these names, or all rows if none is named; raises WrongUsage for a name that none has."""
    by_name = {record.identifier: record for record in rows}
    for name in identifiers:
        if name not in by_name:
            near = nearest_word(name, by_name)
            raise WrongUsage(f"there is no record {name!r}" + (f" (nearest valid value: {near})" if near else ""))
    return [by_name[name] for name in dict.fromkeys(identifiers or by_name)]


def named_games(known: Mapping[str, NamedRow], slugs: Sequence[str], kind: str = "game") -> list[NamedRow]:
    """Return the findings on the games of these slugs, or on all. Raises WrongRequest that names every wrong slug."""
    wrong = [slug for slug in slugs if slug not in known]
    if wrong:
        raise WrongRequest(
            Problem("game", f"no {kind} is called {slug!r}", nearest_word(slug, known)) for slug in wrong
        )
    return [known[slug] for slug in slugs or known]
