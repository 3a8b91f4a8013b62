"""Where the time line draws what: years from left to right, one bar for each of few records, or columns for many.

All lengths are in the units of the drawing, which is `WIDTH` of them wide. Pure Python, no Django.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from catalogue.geography.spans import Bin

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
        """Where a year begins; one that is not on the line is at its end."""
        share = (min(max(year, self.first), self.last + 1) - self.first) / (self.last + 1 - self.first)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def ticks(self) -> Iterator[tuple[int, float]]:
        """Round years, and where the middle of each is; before the common era they are round as people count them."""
        step = _round_step((self.last + 1 - self.first) / MOST_TICKS)
        for number in range(-(-self.first // step) * step, self.last + 1, step):
            year = number if number > 0 else number + 1
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
    """What the drawing of few records needs; window: the first and the last year, if not those of the records."""
    years = [year for record in records for year in (record.first, record.last) if year is not None]
    if not years:
        return {}
    scale = scale_of(*(window or (min(years), max(years))))
    drawn = bars(records, scale)
    return {"bars": drawn, "scale": scale, "height": max(bar.y for bar in drawn) + LANE}


def columns(bins: list[Bin], scale: Scale) -> list[Column]:
    most = max((one.possible for one in bins), default=0) or 1
    return [
        Column(
            one,
            scale.at(one.first),
            round(scale.at(one.last + 1) - scale.at(one.first), 1),
            *(round(HEIGHT * number / most, 1) for number in (one.certain, one.expected, one.possible)),
        )
        for one in bins
    ]


def heights(bins: list[Bin]) -> Iterator[tuple[int, float]]:
    """Round numbers of records, and how high each is."""
    most = max((one.possible for one in bins), default=0) or 1
    step = _round_step(most / 6)
    for number in range(0, most + 1, step):
        yield number, round(HEIGHT * number / most, 1)


def _round_step(least: float) -> int:
    """The next of 1, 2, 5, 10, 20, …"""
    power = 10 ** math.floor(math.log10(max(least, 1)))
    return int(next(step * power for step in (1, 2, 5, 10) if step * power >= least))
