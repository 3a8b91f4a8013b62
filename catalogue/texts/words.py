"""Words compared: the known word nearest to a wrong one, and what was changed in a text. Pure Python.

Changes of white space alone are none. A word goes with the white space behind it, so that the pieces joined are the
text again.
"""

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from simulator.engine.ruleset import alike

WORD = re.compile(r"\s*\S+\s*|\s+")
SAME, ADDED, REMOVED, LEFT_OUT = "same", "added", "removed", "left out"
CONTEXT = 12  # words on either side of a change that are repeated
LONGEST_REPEATED = 60  # characters of a wrong value that are said again
LONGEST_COMPARED = 100  # characters: no name is longer, and comparing costs time


@dataclass(frozen=True, slots=True)
class WordRun:
    """A run of words. `kind`: the same in both texts, added, removed; or left out, since nothing near it changed."""

    kind: str
    text: str


def changed_words(before: str, after: str) -> list[WordRun]:
    """The pieces of both texts in order. Joining same and removed gives `before`, same and added gives `after`."""
    old, new = _words(before), _words(after)
    first = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    rest = list(zip(reversed(old[first:]), reversed(new[first:]), strict=False))
    last = next((k for k, (a, b) in enumerate(rest) if a != b), len(rest))
    middle = _pieces(old[first : len(old) - last], new[first : len(new) - last])
    whole = [(SAME, old[:first]), *middle, (SAME, old[len(old) - last :])]
    return [WordRun(kind, "".join(words)) for kind, words in whole if words]


def in_short(pieces: list[WordRun], context: int = CONTEXT) -> list[WordRun]:
    """The changes with some words round them; the rest is left out, and said to be so."""
    return [piece for place, one in enumerate(pieces) for piece in _shortened(pieces, place, one, context)]


def _words(text: str) -> list[str]:
    return WORD.findall(text)


def _pieces(old: list[str], new: list[str]) -> Iterator[tuple[str, list[str]]]:
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield SAME, old[a:b]
        else:
            yield REMOVED, old[a:b]
            yield ADDED, new[c:d]


def _shortened(pieces: list[WordRun], place: int, one: WordRun, context: int) -> Iterator[WordRun]:
    words = _words(one.text)
    start, stop = context * (place > 0), len(words) - context * (place < len(pieces) - 1)
    if one.kind != SAME or stop - start <= 1:
        yield one
        return
    for kind, run in ((SAME, words[:start]), (LEFT_OUT, words[start:stop]), (SAME, words[stop:])):
        if run:
            yield WordRun(kind, "".join(run))


def same(one: Any, other: Any) -> bool:
    """Equal but for white space, at any depth of lists and dictionaries."""
    return bool(_folded(one) == _folded(other))


def _folded(value: Any) -> Any:
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, (list, tuple)):
        return [_folded(item) for item in value]
    if isinstance(value, dict):
        return {key: _folded(item) for key, item in value.items()}
    return value


@dataclass(frozen=True, slots=True)
class Suggested:
    """An address a reader may have meant."""

    text: str
    address: str


def nearest_words(word: str, known: Iterable[str], most: int = 1, least: float = 0.4) -> list[str]:
    """Return at most so many known words, those most like this one first, whatever their case."""
    by_folded = {name.casefold(): name for name in known}
    return [by_folded[one] for one in alike(word[:LONGEST_COMPARED].casefold(), by_folded, least, most)]


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """The known word most like this one, or None if nothing is like it at all."""
    return next(iter(nearest_words(word, known)), None)
