"""Traffic: how often the parts of a board are used in games, counted apart for each side, and summed exactly.

A game weighs one, however long: of each kind of use (moves along lines, points entered, …) a game leaves the shares of
the things it used, as whole numbers of SCALE, rounded to the nearest. The shares are summed in BLOCKS blocks, a game in
the block of its number modulo BLOCKS, apart for games that ended and games that the cap stopped. All of it is whole
numbers: a batch played in parts has the same sums, bit for bit, in whatever order the parts are added.
"""

import hashlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCKS = 256
# Of a share, which is rounded to about a millionth. A game takes one reciprocal for each kind of use, in SCALE squared.
SCALE = 1 << 20
ENDED, STOPPED = 0, 1  # games by how they ended: by their rules, or by the cap

Integers = NDArray[np.int64]


class TrafficProblem(ValueError):
    """Sums that do not fit together."""


@dataclass(frozen=True)
class Sums:
    """The traffic of some games.

    shares: int64[2, BLOCKS, cells], sums of shares by how games ended and by block; games: int64[2, BLOCKS]
    counts: int64[2, cells], sums of what was counted, by how games ended
    """

    shares: Integers
    games: Integers
    counts: Integers

    @classmethod
    def none(cls, cells: int) -> "Sums":
        return cls(
            np.zeros((2, BLOCKS, cells), dtype=np.int64),
            np.zeros((2, BLOCKS), dtype=np.int64),
            np.zeros((2, cells), dtype=np.int64),
        )

    def packed(self) -> bytes:
        """Return the sums as bytes; equal sums give equal bytes."""
        parts = (self.shares, self.games, self.counts)
        return zlib.compress(b"".join(np.ascontiguousarray(part, dtype="<i8").tobytes() for part in parts), level=4)

    @classmethod
    def unpacked(cls, data: bytes, cells: int) -> "Sums":
        """Return the sums that `packed` made these bytes of; raises TrafficProblem if they are of other cells."""
        numbers = np.frombuffer(zlib.decompress(data), dtype="<i8").astype(np.int64)
        sizes = [2 * BLOCKS * cells, 2 * BLOCKS, 2 * cells]
        if len(numbers) != sum(sizes):
            raise TrafficProblem(f"traffic of {cells} cells was expected, not {len(numbers)} numbers")
        shares, games, counts = np.split(numbers, np.cumsum(sizes)[:-1])
        return cls(shares.reshape(2, BLOCKS, cells), games.reshape(2, BLOCKS), counts.reshape(2, cells))

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as lists."""
        return {name: getattr(self, name).tolist() for name in ("shares", "games", "counts")}

    @classmethod
    def from_json(cls, document: Mapping[str, Any], cells: int) -> "Sums":
        """Return the sums of such lists; raises TrafficProblem if they are of other cells."""
        parts = [np.array(document[name], dtype=np.int64) for name in ("shares", "games", "counts")]
        shapes = [(2, BLOCKS, cells), (2, BLOCKS), (2, cells)]
        if [part.shape for part in parts] != shapes:
            raise TrafficProblem(f"traffic of {cells} cells was expected, not numbers of {parts[0].shape}")
        return cls(*parts)

    def hexdigest(self) -> str:
        """Return the SHA-256 of the numbers, little-endian."""
        found = hashlib.sha256()
        for part in (self.shares, self.games, self.counts):
            found.update(np.ascontiguousarray(part, dtype="<i8").tobytes())
        return found.hexdigest()

    def add(self, game: int, counted: Sequence[int] | Integers, kinds: Sequence[int], stopped: bool) -> None:
        """Add what one game left in each cell."""
        own, of_kind = np.asarray(counted, dtype=np.int64), np.asarray(kinds, dtype=np.int64)
        totals = np.zeros(max(kinds, default=0) + 1, dtype=np.int64)
        np.add.at(totals, of_kind, own)
        reciprocals = SCALE * SCALE // np.maximum(totals, 1)
        self.shares[int(stopped), game % BLOCKS] += (own * reciprocals[of_kind] + SCALE // 2) // SCALE
        self.games[int(stopped), game % BLOCKS] += 1
        self.counts[int(stopped)] += own


def merged(parts: Iterable[Sums]) -> Sums:
    """Return the sums over all games of all parts."""
    first, *others = parts
    total = Sums(first.shares.copy(), first.games.copy(), first.counts.copy())
    for part in others:
        if part.shares.shape != total.shares.shape:
            raise TrafficProblem("the sums are of different boards")
        for name in ("shares", "games", "counts"):
            getattr(total, name).__iadd__(getattr(part, name))
    return total
