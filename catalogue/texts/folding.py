"""A text as words and signs that are compared without white space and without spelling of signs. Pure Python.

Two texts that differ in white space, in characters that only format (soft hyphens, joiners), in the composition of
letters with marks, in ligatures, or in the shape of quotation marks and dashes have the same tokens. Letters, capitals,
figures and punctuation are kept: who changes these changes the text.
"""

import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

ZERO_WIDTH_SPACE = "\u200b"  # a place where a line may break: white space to the eye of a program
# What is drawn as nothing (Default_Ignorable_Code_Point of Unicode 16) and is no format character (category Cf), and
# format characters that are drawn.
DRAWN_AS_NOTHING = frozenset(
    [0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)]
)
_INTERLINEAR, _HIEROGLYPHIC = range(0xFFF9, 0xFFFC), range(0x13430, 0x13440)
DRAWN = frozenset(
    [*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *_INTERLINEAR, *_HIEROGLYPHIC]
)
SIGNS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛‹›ʼʹ′´`", "'"),
        **dict.fromkeys("“”„‟«»″〝〞", '"'),
        **dict.fromkeys("‐‑‒–—―−﹘﹣", "-"),
    }
)
# Of how a character is made, according to Unicode, what is another character for the same; ½ and ² are more.
ANOTHER_SHAPE = ("<compat>", "<wide>", "<narrow>", "<noBreak>", "<isolated>", "<initial>", "<medial>", "<final>")
VOWELS_AND_ENDS_OF_HANGUL = range(0x1161, 0x1200)
RUN = 3  # tokens side by side by which texts are compared


def is_ignorable(character: str) -> bool:
    """Whether a character is drawn as nothing and parts nothing: it is no part of what is compared."""
    code = ord(character)
    if code < 0xAD or code in DRAWN or character == ZERO_WIDTH_SPACE:
        return False
    return unicodedata.category(character) == "Cf" or code in DRAWN_AS_NOTHING or 0xE0000 <= code < 0xE1000


@cache
def ignorable() -> frozenset[str]:
    """Return every character that is drawn as nothing and parts nothing."""
    codes = (*range(0xAD, 0x20000), *range(0xE0000, 0xE1000))
    return frozenset(filter(is_ignorable, map(chr, codes)))


@dataclass(frozen=True, eq=False)
class Folded:
    """A text as tokens: words, and signs one by one.

    forms:  of the tokens, as they are compared
    begins: the number of the first character of each token, among all characters of the forms
    places: of each of these characters: where in the text what it stands for begins and ends
    """

    forms: tuple[str, ...]
    begins: tuple[int, ...]
    places: tuple[tuple[int, int], ...]

    def characters(self, start: int, end: int) -> range:
        """Return the numbers of the characters that stand for code points `start` to `end` of the text."""
        first = bisect_right(self.places, start, key=lambda place: place[1])
        after = bisect_right(self.places, end - 1, key=lambda place: place[0])
        return range(first, after)

    def token_at(self, character: int) -> int:
        """Return the number of the token that holds a character."""
        return bisect_right(self.begins, character) - 1

    @cached_property
    def runs(self) -> "Counter[tuple[str, ...]]":
        """How often each run of tokens stands in the text."""
        return Counter(self._runs())

    @cached_property
    def places_of_runs(self) -> dict[tuple[str, ...], int]:
        """The token at which each run begins; the last, if there are several."""
        return {run: at for at, run in enumerate(self._runs())}

    def _runs(self) -> Iterator[tuple[str, ...]]:
        return (self.forms[start : start + RUN] for start in range(len(self.forms) - RUN + 1))

    def all_of(self, forms: tuple[str, ...]) -> list[int]:
        """Return the numbers of the tokens at which these stand side by side."""
        found: list[int] = []
        length, at = len(forms), -1
        while True:
            try:
                at = self.forms.index(forms[0], at + 1)
            except ValueError:
                return found
            if self.forms[at : at + length] == forms:
                found.append(at)


@lru_cache(16)
def folded(text: str) -> Folded:
    """Return a text as it is compared."""
    forms: list[str] = []
    begins: list[int] = []
    places: list[tuple[int, int]] = []
    goes_on = False
    for start, end, written in _characters(text):
        for character in _form(written):
            is_word = character.isalnum() or unicodedata.category(character)[0] == "M"
            if character.isspace() or character == ZERO_WIDTH_SPACE:
                goes_on = False
                continue
            if goes_on and is_word:
                forms[-1] += character
            else:
                forms.append(character)
                begins.append(len(places))
            places.append((start, end))
            goes_on = is_word
    return Folded(tuple(forms), tuple(begins), tuple(places))


def _characters(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each character with its marks begins and ends, and both as they are written."""
    start, length = 0, len(text)
    while start < length:
        end = start + 1
        if is_ignorable(text[start]):
            start = end
            continue
        while end < length and _goes_with(text[end]):
            end += 1
        yield start, end, text[start:end]
        start = end


def _goes_with(character: str) -> bool:
    if character.isascii():
        return False
    code = ord(character)
    return unicodedata.category(character)[0] == "M" or code in VOWELS_AND_ENDS_OF_HANGUL or is_ignorable(character)


@lru_cache(4096)
def _form(written: str) -> str:
    kept = "".join(character for character in written if not is_ignorable(character))
    return "".join(map(_shape, unicodedata.normalize("NFC", kept).translate(SIGNS)))


def _shape(character: str) -> str:
    if unicodedata.decomposition(character).startswith(ANOTHER_SHAPE):
        return unicodedata.normalize("NFKC", character)
    return character
