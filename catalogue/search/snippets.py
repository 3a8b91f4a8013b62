"""The words of a text around what was found in it, as they are written there, with what was found marked.

Pure Python, no Django: whoever shows the pieces has to escape them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalogue.search.words import Found, found_in

AROUND = 32  # words
LONGEST_LOOKED_AT = 40_000  # characters of a text; what was found beyond them is found, but not shown


@dataclass(frozen=True, slots=True)
class SnippetPiece:
    text: str
    is_found: bool = False


@dataclass(frozen=True, slots=True)
class Snippet:
    """label: what the words are of"""

    label: str
    pieces: tuple[SnippetPiece, ...]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


Terms = Sequence[tuple[str, ...]]  # stems that stand side by side


def best_snippet(passages: Iterable[Sequence[str]], terms: Terms) -> Snippet | None:
    """Of the passage that has most of the terms; of the first, if none has any; None if there is no passage."""
    best: Snippet | None = None
    most = -1
    for label, text in ((label, text[:LONGEST_LOOKED_AT]) for label, text in passages if text.strip()):
        words = list(found_in(text))
        hits = _hits(words, terms)
        kinds = len({term for _, _, term in hits})
        if kinds > most:
            best, most = Snippet(label, tuple(_cut(text, words, hits))), kinds
        if kinds == len(terms):
            break
    return best


def marked(text: str, terms: Terms) -> list[SnippetPiece]:
    """The whole text, with what was found marked."""
    words = list(found_in(text))
    return list(_pieces(text, 0, len(text), words, _hits(words, terms)))


Hit = tuple[int, int, int]  # first word, word after the last, number of the term


def _hits(words: Sequence[Found], terms: Terms) -> list[Hit]:
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        places.setdefault(word.stem, []).append(place)
    hits = []
    for number, stems in enumerate(terms):
        for place in places.get(stems[0], ()):
            if tuple(word.stem for word in words[place : place + len(stems)]) == stems:
                hits.append((place, place + len(stems), number))
    return sorted(hits)


def _cut(text: str, words: Sequence[Found], hits: Sequence[Hit]) -> Iterable[SnippetPiece]:
    """The stretch of AROUND words that holds most different terms, beginning a little before the first of them."""
    if len(words) <= AROUND:
        yield from _pieces(text, 0, len(text), words, hits)
        return
    first, most = 0, 0
    for number, (place, _, _) in enumerate(hits):
        within = {term for begin, end, term in hits[number : number + AROUND] if end <= place + AROUND}
        if len(within) > most:
            first, most = place, len(within)
    begin = max(0, min(first - AROUND // 4, len(words) - AROUND))
    end = min(len(words), begin + AROUND)
    start = 0 if begin == 0 else words[begin].start
    stop = len(text) if end == len(words) else words[end - 1].end
    if start:
        yield SnippetPiece("… ")
    yield from _pieces(text, start, stop, words, hits)
    if stop < len(text):
        yield SnippetPiece(" …")


def _pieces(text: str, start: int, stop: int, words: Sequence[Found], hits: Sequence[Hit]) -> Iterable[SnippetPiece]:
    at = start
    for first, after, _ in hits:
        begin, end = max(words[first].start, at), words[after - 1].end
        if begin < start or end > stop or end <= at:
            continue
        if begin > at:
            yield SnippetPiece(text[at:begin])
        yield SnippetPiece(text[begin:end], is_found=True)
        at = end
    if at < stop:
        yield SnippetPiece(text[at:stop])
