"""Sets of points or steps as words of 64 bits, as positions and compiled rules keep them."""

from collections.abc import Iterable

WORD = (1 << 64) - 1


def bitboard(members: Iterable[int], size: int) -> tuple[int, ...]:
    """Return a set of numbers below `size` as signed words: one up to a size of 64, two up to 128, else four."""
    bits = sum(1 << member for member in members)
    words = [bits >> 64 * place & WORD for place in range(1 if size <= 64 else 2 if size <= 128 else 4)]
    return tuple(word - (1 << 64) if word >> 63 else word for word in words)
