"""The nearest thing that exists to a word that names none. Pure Python."""

from collections.abc import Iterable
from dataclasses import dataclass

from simulator.engine.ruleset import alike

LONGEST_REPEATED = 60  # characters of a wrong value that are said again
LONGEST_COMPARED = 100  # characters: no name is longer, and comparing costs time


@dataclass(frozen=True, slots=True)
class Suggested:
    """An address a reader may have meant."""

    text: str
    address: str


def nearest_words(word: str, known: Iterable[str], most: int = 1, least: float = 0.4) -> list[str]:
    """At most so many known words, those most like this one first, whatever their case."""
    by_folded = {name.casefold(): name for name in known}
    return [by_folded[one] for one in alike(word[:LONGEST_COMPARED].casefold(), by_folded, least, most)]


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """The known word most like this one, or None if nothing is like it at all."""
    return next(iter(nearest_words(word, known)), None)
