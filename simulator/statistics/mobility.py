"""How much there is to choose from: options over decisions, of all players and of each seat."""

from collections.abc import Sequence

from simulator.engine.family import Measure
from simulator.engine.naming import Naming
from simulator.engine.tally import Tally, ratios
from simulator.statistics.intervals import ratio
from simulator.statistics.rows import NO_GAMES, Row, row
from simulator.statistics.wording import amount_text

FORCED = "a forced move is no decision."


def mobility_rows(tally: Tally, measures: Sequence[Measure], naming: Naming) -> list[Row]:
    """The branching of the game, and of each seat if the family counts options by seat."""
    rows = []
    for above, below in ratios(measures):
        seat = next(measure.seat for measure in measures if measure.name == above)
        key, title, whose = "branching", "Branching", "all options over all decisions of all games"
        if seat is not None:
            key, title = f"branching_{seat}", f"Branching, {naming.seat(seat)}"
            whose = "this player’s options over this player’s decisions, of all games"
        rows.append(_ratio_row(tally, above, below, key, title, f"{whose.capitalize()}; {FORCED}"))
    return rows


def _ratio_row(tally: Tally, above: str, below: str, key: str, title: str, note: str) -> Row:
    sums = tally.products
    figure = ratio(
        sums[above], sums[below],
        sums[f"{above}*{above}"], sums[f"{above}*{below}"], sums[f"{below}*{below}"], tally.games,
    )  # fmt: skip
    text = amount_text(figure, "options a decision") if figure else NO_GAMES
    return row(key, title, figure, unit="options", n=tally.games, text=text, note=note)
