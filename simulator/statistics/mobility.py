"""How much there is to choose from: options over decisions, of all players and of each seat."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from simulator.engine.family import Measure
from simulator.engine.naming import Naming
from simulator.engine.tally import Tally, ratios
from simulator.statistics.intervals import ratio
from simulator.statistics.rows import NO_GAMES, Row, row
from simulator.statistics.wording import amount_text

FORCED = "a forced move is no decision."
UNIT = "options a decision"


class Branching(NamedTuple):
    """The names of the measures whose ratio it is. seat: None if it is that of all seats"""

    options: str
    decisions: str
    seat: int | None
    key: str
    title: str


def branchings(measures: Sequence[Measure], naming: Naming) -> Iterator[Branching]:
    """That of the game, and of each seat if the family counts options by seat."""
    seats = {measure.name: measure.seat for measure in measures}
    for above, below in ratios(measures):
        seat = seats[above]
        if seat is None:
            yield Branching(above, below, None, "branching", "Branching")
        else:
            yield Branching(above, below, seat, f"branching_{seat}", f"Branching, {naming.seat(seat)}")


def mobility_rows(tally: Tally, measures: Sequence[Measure], naming: Naming) -> list[Row]:
    """The branching of the game, and of each seat if the family counts options by seat."""
    return [_branching_row(tally, one) for one in branchings(measures, naming)]


def _branching_row(tally: Tally, found: Branching) -> Row:
    sums, above, below = tally.products, found.options, found.decisions
    figure = ratio(
        sums[above], sums[below],
        sums[f"{above}*{above}"], sums[f"{above}*{below}"], sums[f"{below}*{below}"], tally.games,
    )  # fmt: skip
    text = amount_text(figure, UNIT) if figure else NO_GAMES
    whose = "All options over all decisions of all games"
    if found.seat is not None:
        whose = "This player’s options over this player’s decisions, of all games"
    return row(found.key, found.title, figure, unit="options", n=tally.games, text=text, note=f"{whose}; {FORCED}")
