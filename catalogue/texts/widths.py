"""How wide words are in a drawing, and where their lines break so that nothing is cut. Pure Python.

The widths are those of DejaVu Sans, in which drawings become pictures; the typefaces of browsers are narrower.
"""

from collections.abc import Iterator

# Signs by their width, in thousandths of the size of the type; what stands in none of these is as wide as a letter.
_WIDTHS = {
    280: "ijlI'’‘|",
    330: " .,:;·!/\\",
    410: 'frt()[]-“”"',
    640: "0123456789acesvxyzkgL?$…",
    700: "ABCEFJKPRSTVXYZ",
    790: "DGHNOQU<>+=−&w—",
    980: "mMW%@",
}
_BY_SIGN = {sign: width for width, signs in _WIDTHS.items() for sign in signs}
LETTER, BOLD = 650, 1.13


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return the pixels of a text. size: of its type, in pixels"""
    ems: int = sum(_BY_SIGN.get(sign, LETTER if ord(sign) < 0x2E80 else 1_000) for sign in text)
    return ems * size / 1_000 * (BOLD if bold else 1)


def wrapped(text: str, room: float, size: float, *, bold: bool = False) -> list[str]:
    """Break a text into lines that have room; a word that has none by itself is broken as well."""
    lines = [""]
    for word in text.split():
        for piece in _pieces(word, room, size, bold):
            longer = f"{lines[-1]} {piece}".strip()
            if width_of(longer, size, bold=bold) <= room:
                lines[-1] = longer
            else:
                lines.append(piece)
    return [line for line in lines if line] or [""]


def _pieces(word: str, room: float, size: float, bold: bool) -> Iterator[str]:
    start = 0
    for end in range(1, len(word)):
        if width_of(word[start : end + 1], size, bold=bold) > room:
            yield word[start:end]
            start = end
    yield word[start:]
