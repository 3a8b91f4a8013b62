"""Records by year, where a year is seldom known: each record is a span, and a span is shared out over what it covers.

Spans are whole years in astronomical counting, from an earliest to a latest one, both included. The database adds up
the spans that begin in the same bin and end in the same bin, so that the work here does not grow with their number.
Pure Python, no Django.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise

EARLIEST_YEAR, LATEST_YEAR = -20_000, 3_000  # that an address can name
MOST_BINS = 60
WIDTHS = (1, 5, 10, 25, 50, 100, 250, 500, 1000)


@dataclass(frozen=True, slots=True)
class KnownYears:
    """Numbers of records by what is known of their years, and the first and last year that any of them names.

    open_ended: only the earliest or only the latest year is known
    """

    all: int
    undated: int
    open_ended: int
    years: tuple[int, int] | None

    @property
    def dated(self) -> int:
        return self.all - self.undated

    def window(self, first: int | None, last: int | None) -> tuple[int, int] | None:
        """The years to show: those asked for, else those named, of which no address can name the remotest."""
        if self.years is None:
            return None
        first = max(self.years[0], EARLIEST_YEAR) if first is None else first
        last = min(self.years[1], LATEST_YEAR) if last is None else last
        return (first, last) if first <= last else None


@dataclass(frozen=True, slots=True)
class Bins:
    """Some years in bins of round years, the outermost of which may be cut short."""

    first: int
    last: int

    @property
    def width(self) -> int:
        """Years in a bin: the fewest with which there are not too many bins."""
        return next((w for w in WIDTHS if self.last // w - self.first // w < MOST_BINS), WIDTHS[-1])

    @property
    def base(self) -> int:
        """The round year from which bins are counted."""
        return self.first // self.width * self.width

    @property
    def edges(self) -> list[int]:
        """The first year of each bin, and the year after the last."""
        return [self.first, *range(self.base + self.width, self.last + 1, self.width), self.last + 1]


@dataclass(frozen=True, slots=True)
class Spans:
    """The spans that begin in the bin `low` and end in the bin `high`; what lies outside of all bins is cut off first.

    inside:      those of which nothing was cut off
    shares:      the sum of 1 / length, where the length is that of the whole span
    from_begins: the sum of first year / length
    to_ends:     the sum of last year / length
    """

    low: int
    high: int
    records: int
    inside: int
    shares: float
    from_begins: float
    to_ends: float


@dataclass(frozen=True, slots=True)
class Bin:
    """What falls into some years.

    certain:  records that are of these years, whichever of its years each record is of
    expected: every record shared out equally among all of its years, what falls into these
    possible: records that may be of these years; the list of them is as long
    """

    first: int
    last: int
    certain: int
    expected: float
    possible: int


def binned(spans: Iterable[Spans], bins: Bins) -> list[Bin]:
    """What falls into each bin. Of a span that reaches over several only what changes at its two ends is added."""
    edges = bins.edges
    number = len(edges) - 1
    certain, expected = [0] * number, [0.0] * number
    possible, a_year = [0] * (number + 1), [0.0] * (number + 1)  # changes from bin to bin, summed up below
    for span in spans:
        possible[span.low] += span.records
        possible[span.high + 1] -= span.records
        if span.low == span.high:
            certain[span.low] += span.inside
            expected[span.low] += span.to_ends - span.from_begins + span.shares
        else:
            expected[span.low] += edges[span.low + 1] * span.shares - span.from_begins
            expected[span.high] += span.to_ends + (1 - edges[span.high]) * span.shares
            a_year[span.low + 1] += span.shares
            a_year[span.high] -= span.shares
    between = accumulate(a_year)
    reaching = accumulate(possible)
    rows = zip(pairwise(edges), certain, expected, between, reaching, strict=False)
    return [
        Bin(first, after - 1, sure, round(here + each * (after - first), 6) + 0.0, at_most)
        for (first, after), sure, here, each, at_most in rows
    ]
