"""Mistakes in what is asked for, each with the nearest thing that exists. Pure Python."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

LONGEST_REPEATED = 60  # characters of a wrong value that are said again
LONGEST_COMPARED = 100  # characters: no name is longer, and comparing costs time


@dataclass(frozen=True, slots=True)
class Suggested:
    """An address a reader may have meant."""

    text: str
    address: str


class WrongAddress(Exception):
    """The part of an address after the question mark asks for something that does not exist."""

    def __init__(self, message: str, nearest: Suggested | None = None) -> None:
        super().__init__(message)
        self.nearest = nearest


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """The known word most like this one, or None if nothing is like it at all."""
    word = word[:LONGEST_COMPARED]
    by_folded = {name.casefold(): name for name in known}
    found = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.4)
    return by_folded[found[0]] if found else None
