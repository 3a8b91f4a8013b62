"""Which rulesets a test looks at, or pages in a browser: a few that change from day to day in `make test`, all of them
in `make test-all`.

TESTS=all stands for all. ROTATION is the number that a choice is made by: today's, unless the environment gives it,
so that `ROTATION=739947 make test` looks at the same rulesets on any day.
"""

import datetime
import os
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

ALL = os.environ.get("TESTS") == "all"
# Kept in the environment, so that every process of a run makes the same choice, at midnight too.
ROTATION = int(os.environ.setdefault("ROTATION", str(datetime.date.today().toordinal())))


def family_of(slug: str) -> str:
    """The family of a shipped ruleset, or of an example among the cases of conformance, by its name."""
    from tests.engine.cases import CASES  # here: tests of no ruleset need not parse them

    return CASES[slug].family


def of_the_day(things: Iterable[Any], most: int, shift: int = 0) -> list[Any]:
    """At most so many of them, in order, another choice each day; all of them if all tests run.

    shift: a number that makes two tests look at different things on the same day.
    """
    things = list(things)
    if ALL:
        return things
    start = (ROTATION + shift) * most
    chosen = {(start + place) % len(things) for place in range(min(most, len(things)))}
    return [thing for place, thing in enumerate(things) if place in chosen]


def half_of_the_day(things: Iterable[Any]) -> list[Any]:
    """Every second of them, the others on the next day; all of them if all tests run."""
    things = list(things)
    return things if ALL else things[ROTATION % 2 :: 2]


def third_of_the_day(things: Iterable[Any]) -> list[Any]:
    """Every third of them, the next ones on the next day; all of them if all tests run."""
    things = list(things)
    return things if ALL else things[ROTATION % 3 :: 3]


def rulesets_of_the_day(
    slugs: Iterable[str], of_each: int = 2, group: Callable[[Any], Any] = family_of, shift: int = 0
) -> list[Any]:
    """`of_each` of the slugs of every family, see `of_the_day`.

    group: what stands for the family, where the slugs are something else.
    """
    slugs = list(slugs)
    if ALL:
        return slugs
    families = groupby(sorted(slugs, key=group), group)
    chosen = {slug for _, members in families for slug in of_the_day(members, of_each, shift)}
    return [slug for slug in slugs if slug in chosen]
