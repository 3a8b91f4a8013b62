"""The catalogue's own words, and what they mean: for the page of all terms, and beside the words where they stand."""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ENTRIES = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, slots=True)
class Entry:
    """forms: as the word stands in texts; text: what it means, in a sentence or two."""

    word: str
    forms: tuple[str, ...]
    text: str

    @property
    def slug(self) -> str:
        return self.word.replace(" ", "-")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A stretch of a text; entry: of the word that it is, if it is one that is explained."""

    text: str
    entry: Entry | None = None


@cache
def glossary() -> tuple[Entry, ...]:
    """All entries, in alphabetical order."""
    found = json.loads(ENTRIES.read_text(encoding="utf-8"))
    return tuple(Entry(word, tuple(one["forms"]), one["text"]) for word, one in sorted(found.items()))


@cache
def _forms() -> tuple[re.Pattern[str], dict[str, Entry]]:
    by_form = {form: entry for entry in glossary() for form in entry.forms}
    longest = sorted(by_form, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])", re.IGNORECASE), by_form


def explained(text: str, known: set[str]) -> list[TextPiece]:
    """The text in pieces; each word is explained where it stands first, unless its slug is among those that are known.

    known: slugs of words that were explained before; those of this text are added
    """
    pattern, by_form = _forms()
    pieces, end = [], 0
    for match in pattern.finditer(text):
        entry = by_form[match.group().lower()]
        if entry.slug not in known:
            known.add(entry.slug)
            pieces += [TextPiece(text[end : match.start()]), TextPiece(match.group(), entry)]
            end = match.end()
    return [piece for piece in (*pieces, TextPiece(text[end:])) if piece.text]


def entry_called(text: str) -> Entry | None:
    """The entry of this word in any of its forms."""
    return _forms()[1].get(" ".join(text.lower().split()))


def beginning_with(text: str) -> list[Entry]:
    begun = " ".join(text.lower().split())
    return [entry for entry in glossary() if begun and any(form.startswith(begun) for form in entry.forms)]
