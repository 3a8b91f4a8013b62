"""Draws that are a pure function of (seed, game, stream, number of the draw).

The generator is SplitMix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators"): draw i of a
stream is the finaliser applied to the stream's key plus i times the golden gamma, so any draw can be had without the
ones before it. A stream's key is
mixed from seed, game and stream number. Bounded draws follow Lemire 2019 ("Fast random integer generation in an
interval"): multiply, and reject what would be biased. The compiled kernels have the same generator in
`randomness_kernel`; known-answer vectors test both.
"""

from dataclasses import dataclass

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15

# Stream numbers: one `chance` and one `choice` stream for each of up to eight seats, then searches.
CHANCE, CHOICE, SEARCH = 0, 8, 16
STREAMS = 16  # those that a playout draws from
NOTES = 256  # words behind the streams, in which a family's kernel keeps what it can work out again; at first zeros


def mix(value: int) -> int:
    """Return the finaliser of SplitMix64 of a value, on 64 bits."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def stream_key(seed: int, game: int, stream: int) -> int:
    """Return the key of one stream of one game."""
    key = mix((seed + GAMMA) & MASK)
    key = mix((key ^ game) + GAMMA & MASK)
    return mix((key ^ stream) + GAMMA & MASK)


@dataclass(slots=True)
class Draws:
    """The draws of one stream, in order."""

    key: int
    drawn: int = 0

    def word(self) -> int:
        """Return the next 64 bits."""
        self.drawn += 1
        return mix((self.key + self.drawn * GAMMA) & MASK)

    def below(self, bound: int) -> int:
        """Return a whole number below `bound`, each equally likely; a single option draws nothing. bound < 2**32."""
        if bound < 2:
            return 0
        product = (self.word() >> 32) * bound
        low = product & 0xFFFFFFFF
        if low < bound:
            least = (1 << 32) % bound
            while low < least:
                product = (self.word() >> 32) * bound
                low = product & 0xFFFFFFFF
        return product >> 32
