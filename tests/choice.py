"""Which rulesets a test looks at: a few that change from day to day in `make test`, all of them in `make test-all`.

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


def rulesets_of_the_day(
    slugs: Iterable[str], of_each: int = 2, group: Callable[[Any], Any] = family_of, shift: int = 0
) -> list[Any]:
    """`of_each` of the slugs of every family, in order, another choice each day; all of them if all tests run.

    group: what stands for the family, where the slugs are something else. shift: a number that makes two tests look at
    different rulesets on the same day.
    """
    slugs = list(slugs)
    if ALL:
        return slugs
    chosen = set()
    for _, members in groupby(sorted(slugs, key=group), group):
        several = list(members)
        start = (ROTATION + shift) * of_each
        chosen |= {several[(start + place) % len(several)] for place in range(min(of_each, len(several)))}
    return [slug for slug in slugs if slug in chosen]
