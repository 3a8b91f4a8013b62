"""Records by year, and where the time line draws them: a bar for each of few records, or columns for many.

A year is seldom known: each record is a span, and a span is shared out over the years that it covers. All lengths
are in the units of the drawing, which is `WIDTH` of them wide. Pure Python, no Django.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

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
        """Return the years to show: those requested, else those named, but none that no address can name."""
        if self.years is None:
            return None
        first = max(self.years[0], EARLIEST_YEAR) if first is None else first
        last = min(self.years[1], LATEST_YEAR) if last is None else last
        return (first, last) if first <= last else None


@dataclass(frozen=True, slots=True)
class Bins:
    """Some years in bins of round years, the outermost of which may be cut short.

    Before the common era years are round as people count them, 700–601 BCE, and no bin lies on both sides of 1 BCE | 1:
    bins are laid out along the numbers that years are called by, -1 for 1 BCE, of which there is no 0.
    """

    first: int
    last: int

    @property
    def width(self) -> int:
        """Years in a bin: the fewest with which there are not too many bins."""
        first, last = self.first - (self.first <= 0), self.last - (self.last <= 0)
        return next((w for w in WIDTHS if last // w - first // w < MOST_BINS), WIDTHS[-1])

    @property
    def base(self) -> int:
        """The round number from which bins are counted."""
        return (self.first - self.shift * (self.first <= 0)) // self.width * self.width

    @property
    def shift(self) -> int:
        """The number to take from a year before the common era, so that its bin is found by division.

        Single years need none: every year is a bin.
        """
        return 0 if self.width == 1 else 1

    @property
    def edges(self) -> list[int]:
        """The first year of each bin, and the year after the last."""
        numbers = range(self.base + self.width, self.last + 1, self.width)
        begins = (number + self.shift * (number <= 0) for number in numbers)
        return [self.first, *(year for year in begins if year <= self.last), self.last + 1]


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
    """The number of records that fall into some years.

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
    """Count the records of each bin; a span over several bins is added at its two ends only."""
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


WIDTH = 1_000
LEFT, RIGHT = 48, 16  # margins; the numbers of the records stand in the left one
LANE, BAR = 30, 12  # from one lane to the next; the height of a bar
NARROWEST = 5  # of a bar that can be seen and hit
LETTER = 7.2  # the width of a letter of a label, on average
HEIGHT = 260  # of the columns
MOST_TICKS = 9


@dataclass(frozen=True, slots=True)
class Scale:
    """The years from the left margin to the right one; a year is as wide as it is long."""

    first: int
    last: int

    def at(self, year: float) -> float:
        """Return the position at which a year begins; for a year beyond the line, that of its end."""
        share = (min(max(year, self.first), self.last + 1) - self.first) / (self.last + 1 - self.first)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def ticks(self) -> Iterator[tuple[int, float]]:
        """Round years, and where the middle of each is; before the common era they are round as people count them."""
        step = _round_step((self.last + 1 - self.first) / MOST_TICKS)
        shift = 0 if step == 1 else 1
        for number in range(-(-(self.first - shift) // step) * step, self.last + 1, step):
            year = number if number > 0 else number + shift
            if self.first <= year <= self.last:
                yield year, round(self.at(year + 0.5), 1)


@dataclass(frozen=True, slots=True)
class DatedRecord:
    """A record of which at least one end is known, with its label."""

    identifier: str
    address: str
    words: str
    first: int | None
    last: int | None


@dataclass(frozen=True, slots=True)
class Bar:
    """A record's years in its lane.

    goes_on: ` before`, ` after` or both: there an end is open, or further away than the line goes
    label_ends: the label stands before the bar, and ends at `label`
    """

    record: DatedRecord
    x: float
    y: int
    width: float
    label: float
    label_ends: bool
    goes_on: str


@dataclass(frozen=True, slots=True)
class Column:
    """A bin of years: three heights in one place, each at least as high as the one before."""

    bin: Bin
    x: float
    width: float
    certain: float
    expected: float
    possible: float


def scale_of(first: int, last: int) -> Scale:
    """A little air on both sides, so that a bar at the edge is seen as one that ends there."""
    air = max(1, (last - first) // 30)
    return Scale(first - air, last + air)


def bars(records: Iterable[DatedRecord], scale: Scale) -> list[Bar]:
    """Bars in as few lanes as their labels allow, the earliest first."""
    lanes: list[float] = []  # where each of them is taken up to
    found = []
    for record in sorted(records, key=_begins):
        begin = LEFT if record.first is None else scale.at(record.first)
        end = WIDTH - RIGHT if record.last is None else scale.at(record.last + 1)
        width = max(end - begin, NARROWEST)
        length = LETTER * len(record.words) + 14
        before = begin + width + length > WIDTH and begin > length
        taken_from = begin - length if before else begin
        lane = next((i for i, taken in enumerate(lanes) if taken < taken_from), len(lanes))
        lanes[lane : lane + 1] = [begin + width if before else begin + width + length]
        label = begin - 6 if before else min(begin + width + 6, max(WIDTH - length, LEFT))
        goes_on = _goes_on(record, scale)
        found.append(Bar(record, begin, lane * LANE + 16, round(width, 1), round(label, 1), before, goes_on))
    return found


def _goes_on(record: DatedRecord, scale: Scale) -> str:
    before = record.first is None or record.first < scale.first
    after = record.last is None or record.last > scale.last
    return " before" * before + " after" * after


def _begins(record: DatedRecord) -> tuple[float, float, int, str]:
    first = -math.inf if record.first is None else record.first
    last = math.inf if record.last is None else record.last
    return first, last, len(record.identifier), record.identifier


def laid_out(records: list[DatedRecord], window: tuple[int, int] | None = None) -> dict[str, Any]:
    """Lay out the drawing of few records. window: the first and last year, if not those of the records"""
    years = [year for record in records for year in (record.first, record.last) if year is not None]
    if not years:
        return {}
    scale = scale_of(*(window or (min(years), max(years))))
    drawn = bars(records, scale)
    return {"bars": drawn, "scale": scale, "height": max(bar.y for bar in drawn) + LANE}


def columns(bins: list[Bin], scale: Scale) -> list[Column]:
    most = max((period.possible for period in bins), default=0) or 1
    return [
        Column(
            period,
            scale.at(period.first),
            round(scale.at(period.last + 1) - scale.at(period.first), 1),
            *(round(HEIGHT * number / most, 1) for number in (period.certain, period.expected, period.possible)),
        )
        for period in bins
    ]


def heights(bins: list[Bin]) -> Iterator[tuple[int, float]]:
    """Round numbers of records, and how high each is."""
    most = max((period.possible for period in bins), default=0) or 1
    step = _round_step(most / 6)
    for number in range(0, most + 1, step):
        yield number, round(HEIGHT * number / most, 1)


def _round_step(least: float) -> int:
    """The next of 1, 2, 5, 10, 20, …"""
    power = 10 ** math.floor(math.log10(max(least, 1)))
    return int(next(step * power for step in (1, 2, 5, 10) if step * power >= least))
