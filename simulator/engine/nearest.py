"""The name that was meant by one that means nothing: every refusal, of engine, simulator and catalogue, suggests so."""

import difflib
from collections.abc import Iterable


def nearest(name: object, known: Iterable[str]) -> str:
    """The known name most like this one, however little that is; at least one must be known."""
    return alike(name, known, least=0)[0]


def alike(name: object, known: Iterable[str], least: float, most: int = 1) -> list[str]:
    """At most so many of the known names, the most alike first.

    least: how alike they are at least, from 0 (in nothing) to 1 (the same name)
    """
    return difflib.get_close_matches(str(name), list(known), most, least)
