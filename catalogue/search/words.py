"""Words as the search compares them, and the words of a text around a find, with what was found marked.

Words are folded and stemmed once, for a text and for a query alike. Pure Python, no Django.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from itertools import groupby
from typing import NamedTuple

import snowballstemmer

from catalogue.texts.folding import ignorable, is_ignorable

LONGEST_WORD = 60  # letters; what is longer is cut
MOST_WORDS = 16_000  # of one column of an entry: PostgreSQL keeps no place beyond 16,383
MOST_TIMES = 250  # that one word is found in one column: PostgreSQL keeps no more than 255 places
OWN = "zq"  # begins what the index writes for itself
GAP = f"{OWN}gap"  # stands where no phrase may run on
REMEMBERED = 10_000  # words; the shipped catalogue has 2,500
BEYOND_ALL_MARKS = 0x1F000  # but for selectors of variants, which are no part of a word

LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "ŋ": "ng", "ħ": "h", "ə": "e"}
    | dict(zip("ɓƀƈɖɗɛǝɠǥɣɦɨȷƙɔƥŧƭʉʋƴƶ", "bbcddeeggghijkopttuvyz", strict=True))
    # Letters that keyboards of Persian and Urdu have for those of Arabic, and endings that are written in two ways;
    # Malayalam's and Bengali's letters without a vowel.
    | dict(zip("یىےکڪہھۀةٱ", "يييككهههها", strict=True))
    | {"ൺ": "ണ്", "ൻ": "ന്", "ർ": "ര്", "ൽ": "ല്", "ൾ": "ള്", "ൿ": "ക്", "ৎ": "ত্"}
)
# Within a word they part nothing, and are not compared: the last are letters to Unicode, as the ʻokina is.
APOSTROPHES = "'’‘‛′`´＇՚׳״ꞌꞋʹʻʼʽʾʿˈ"
# Letters to Unicode as well, which readers leave out: stress and length, clicks, Egypt's alef and ayin, a Greek iota.
LEFT_OUT = frozenset("ˌːˑǀǁǂǃꜢꜣꜤꜥ\u0345")
TATWEEL = "ـ"  # draws an Arabic word out
FRACTION = "⁄"
# Scripts that put no space between words: each letter is one, so that a word is found as letters side by side.
UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0ece\u1000-\u103f\u1050-\u108f\u1780-\u17d3\u3005\u3007\u3041-\u3096\u309d\u309e"
    "\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003fffd"
)


@cache
def marks() -> frozenset[str]:
    """Return every combining mark, and the two of narrow Japanese letters, which are called letters."""
    every = (chr(code) for code in range(0x300, BEYOND_ALL_MARKS))
    return frozenset(sign for sign in every if unicodedata.category(sign)[0] == "M" or sign in "ﾞﾟ")


@cache
def numerals() -> frozenset[str]:
    """Return figures that are made of others, as ½, ² and ①: they are no part of the word or number before them."""
    codes = (*range(0xB2, 0x3400), *range(0x1F100, 0x1F10D))
    every = (chr(code) for code in codes if unicodedata.category(chr(code)) == "No")
    return frozenset(figure for figure in every if unicodedata.decomposition(figure))


def _as_class(characters: Iterable[str]) -> str:
    """Return characters as they stand within the brackets of a pattern."""
    numbered = enumerate(sorted(map(ord, characters)))
    runs = [[code for _, code in run] for _, run in groupby(numbered, key=lambda pair: pair[1] - pair[0])]
    return "".join(rf"\U{run[0]:08x}-\U{run[-1]:08x}" for run in runs)


@cache
def any_word() -> re.Pattern[str]:
    """A word of any letters with their marks, and with what is drawn as nothing. It is compiled when a text first needs
    it, which takes a while."""
    ignored, single = _as_class(ignorable()), _as_class(numerals())
    inside = f"[{_as_class(marks() | ignorable())}]*"
    letter = rf"(?:[^\W_{single}{UNSPACED}{ignored}]{inside})"
    within = rf"(?:[{APOSTROPHES}][{ignored}]*|(?<=\d)[×{FRACTION}](?=\d)|(?<=[lL])·(?=[lL]))"
    return re.compile(rf"[{single}]|[{UNSPACED}]{inside}|{letter}+(?:{within}{letter}+)*")


@cache
def unusual() -> frozenset[str]:
    """Return what only the thorough pattern knows."""
    return marks() | ignorable() | numerals() | {"×", FRACTION, "·"}


# The same for a text without them, and for one that is ASCII, in a third of the time and in a sixth.
BEYOND_ASCII = re.compile("[^\x00-\x7f]+")
PLAIN_WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+(?:[{APOSTROPHES}][^\W_{UNSPACED}]+)*")
ASCII_WORD = re.compile("[A-Za-z0-9]+(?:['`][A-Za-z0-9]+)*")

_stemmer = snowballstemmer.stemmer("english")


class Found(NamedTuple):
    """A word of a text: its position, and the form that is compared."""

    start: int
    end: int
    stem: str


def words_of(text: str) -> list[str]:
    """The words of a text as they are written."""
    if text.isascii():
        return ASCII_WORD.findall(text)
    is_plain = unusual().isdisjoint("".join(BEYOND_ASCII.findall(text)))
    return (PLAIN_WORD if is_plain else any_word()).findall(text)


def found_in(text: str) -> Iterator[Found]:
    """Return the words that are compared; offsets count code points of the text as it is."""
    for match in any_word().finditer(text):
        if stem := stem_of(match.group()):
            yield Found(match.start(), match.end(), stem)


def _cached(of_word: Callable[[str], str]) -> Callable[[str], str]:
    """The answers to words of a usual length are kept: strangers send long ones, each another, to fill the memory."""
    kept = lru_cache(REMEMBERED)(of_word)

    @wraps(of_word)
    def answer(word: str) -> str:
        return kept(word) if len(word) <= LONGEST_WORD else of_word(word)

    return answer


@_cached
def form_of(word: str) -> str:
    """Empty if nothing of the word is left to compare."""
    drawn = "".join(letter for letter in word.replace("×", "x") if letter.isascii() or not is_ignorable(letter))
    letters = (letter for letter in unicodedata.normalize("NFKD", drawn) if letter not in LEFT_OUT)
    folded = "".join(letters).casefold().translate(LETTERS)
    if len(folded) > 1 and folded[-2] in APOSTROPHES and folded.endswith("s"):
        folded = folded[:-2]
    kept = (_figure(letter) for letter in folded if _is_compared(letter))
    return unicodedata.normalize("NFC", "".join(kept))[:LONGEST_WORD]


def _is_compared(letter: str) -> bool:
    if letter in APOSTROPHES or letter == TATWEEL:
        return False
    return letter.isalnum() or letter == FRACTION or _is_letter(letter)


def _figure(letter: str) -> str:
    """Figures of every script are those of this one."""
    return letter if letter.isascii() or not letter.isdecimal() else str(unicodedata.decimal(letter))


def _is_letter(mark: str) -> bool:
    """Vowel signs and viramas have low combining classes; accents, points and strokes have others."""
    return unicodedata.category(mark) in ("Mn", "Mc") and (
        unicodedata.combining(mark) in (0, 7, 8, 9) or 83 < unicodedata.combining(mark) < 200
    )


@_cached
def stem_of(word: str) -> str:
    form = form_of(word)
    if form.isascii() and form.isalpha():
        return str(_stemmer.stemWord(form))
    return form


@_cached
def token_of(stem: str) -> str:
    """The stem as both databases keep it: a letter first and nothing but ASCII, or digits alone."""
    if stem.isascii() and (stem[0].isalpha() or stem.isdigit()):
        return stem
    return f"{OWN}{stem.encode().hex()}"


@_cached
def _token(word: str) -> str:
    stem = stem_of(word)
    return token_of(stem) if stem else GAP


def tokens(texts: Iterable[Sequence[str]]) -> str:
    """Texts, each as its words, as one column of tokens with gaps between them; what exceeds the bounds of either
    database is left out, so that both find the same."""
    column: list[str] = []
    for words in texts:
        if words:
            column.append(GAP)
            column += map(_token, words)
    return " ".join(_within_bounds(column[:MOST_WORDS]))


def _within_bounds(column: Sequence[str]) -> Sequence[str]:
    if len(column) <= MOST_TIMES:
        return column
    times = Counter(column)
    if max(times.values(), default=0) <= MOST_TIMES:
        return column
    times.clear()
    kept = []
    for token in column:
        times[token] += 1
        kept.append(token if times[token] <= MOST_TIMES else GAP)
    return kept


def sort_key(text: str) -> str:
    """Return a key that sorts names: folded, numbers by value, with only signs that every database sorts alike."""
    forms = (form_of(word) for word in words_of(text))
    numbered = " ".join(re.sub(r"\d{1,8}", lambda digits: digits.group().zfill(8), form) for form in forms)
    return numbered[:120]


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


GOES_ON = "*"  # behind the last stem of a term: the word may go on
Terms = Sequence[tuple[str, ...]]  # stems that stand side by side


def best_snippet(passages: Iterable[Sequence[str]], terms: Terms) -> Snippet | None:
    """The snippet of the passage that has most of the terms, or of the first; None if there is no passage."""
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
        *whole, last = stems
        beginning = last.removesuffix(GOES_ON)
        firsts = places.get(stems[0], ()) if whole or beginning == last else range(len(words))
        for place in firsts:
            found = [word.stem for word in words[place : place + len(stems)]]
            if found[:-1] == whole and (found[-1] == last or (beginning != last and found[-1].startswith(beginning))):
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
