"""What is counted of the traffic of a game: kinds of use of the things of its board, apart for each side."""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class Channel:
    """One kind of use of one kind of things, by one side.

    key:    the kind of use, "lines"; its shares are those of all sides together
    seat:   whose use it is; None where no side is told apart
    things: what is used, as it is called: "a1-b1", "a1"
    title:  the kind of use in words
    since:  the version of its family's traffic that first counted it
    """

    key: str
    seat: int | None
    things: tuple[str, ...]
    title: str
    since: int = 1


@dataclass(frozen=True)
class Layout:
    """What is counted in the games of a ruleset, cell after cell, channel after channel.

    lines: the pieces of line, as pairs of points, that channels of lines count
    """

    channels: tuple[Channel, ...]
    lines: tuple[tuple[str, str], ...] = ()

    def of_version(self, version: int) -> "Layout":
        """Return what traffic of that version counted."""
        return Layout(tuple(channel for channel in self.channels if channel.since <= version), self.lines)

    @cached_property
    def firsts(self) -> tuple[int, ...]:
        """The first cell of each channel, and the number of all cells."""
        return (0, *accumulate(len(channel.things) for channel in self.channels))

    @property
    def cells(self) -> int:
        return self.firsts[-1]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The kinds of use, each once, in their order."""
        return tuple(dict.fromkeys(channel.key for channel in self.channels))

    @cached_property
    def spans(self) -> list[tuple[int, int, int]]:
        """The channels by kind of use: the number of the kind, the first cell and the one behind the last."""
        ends = zip(self.channels, self.firsts, self.firsts[1:], strict=False)
        return sorted((self.keys.index(channel.key), first, end) for channel, first, end in ends)

    @cached_property
    def kinds(self) -> list[int]:
        """The number of each cell's kind of use."""
        return [self.keys.index(channel.key) for channel in self.channels for _ in channel.things]

    def cells_of(self, key: str, seat: int | None = None) -> list[slice]:
        """Return where the cells of a kind of use stand: of one seat, or of each that is told apart."""
        return [
            slice(first, first + len(channel.things))
            for channel, first in zip(self.channels, self.firsts, strict=False)
            if channel.key == key and seat in (None, channel.seat)
        ]
