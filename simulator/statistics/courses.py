"""What had been reached after so many turns, such as the pieces each side had taken: a mean with its interval each.

A game that was over before counts with what stood at its end, so every game of the batch has a value at every turn up
to the cap, and beyond the cap nothing is known.
"""

from collections.abc import Sequence

from simulator.engine.family import COURSE, Measure
from simulator.engine.tally import Tally
from simulator.statistics.distributions import distribution
from simulator.statistics.rows import Row, mean_row


def course_rows(tally: Tally, measures: Sequence[Measure], cap: int) -> list[Row]:
    """The means, turn by turn; none if nothing of the kind ever happened."""
    within_cap = [measure for measure in measures if measure.scope == COURSE and measure.turn <= cap]
    longest = max(int(turns[-1]) for turns, _ in tally.histograms["turns"].values())
    # After the longest game nothing changes any more: the first such turn says it all.
    last = next((measure.turn for measure in within_cap if measure.turn >= longest), cap)
    rows = []
    for measure in within_cap:
        if measure.turn <= last:
            rows.append(mean_row(measure, distribution(measure, tally.histograms[measure.name], cap)))
    return rows if any(row["value"] for row in rows) else []
