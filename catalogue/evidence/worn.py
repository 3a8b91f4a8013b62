"""The board of a record as it is drawn with what was seen on it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from catalogue.models import Evidence, Observation, WearStudy
from catalogue.models.observations import Grade, board_of
from simulator.engine.board_sheet import Weight
from simulator.engine.boards.figures import read_board
from simulator.engine.families.points.drawing import draw_weights

SHARES = {Grade.NONE: 0.0, Grade.SLIGHT: 0.3, Grade.CLEAR: 0.65, Grade.STRONG: 1.0}
MORE, LESS = 0.65, 0.15  # of places that are only said to be more, or less, worn than others
MOST_STUDIES = 8  # that the page of a record names
SURELY = {"certain": 1.0, "likely": 0.7, "doubtful": 0.4}


def observed(record: Evidence) -> dict[str, Any]:
    """Return what a page shows of the board of a record, if it has one: the drawing, the observations on it, and the
    wear studies of it."""
    if not record.board:
        return {}
    seen = list(record.observations.select_related("source"))
    done = record.wear_studies.filter(state=WearStudy.State.DONE).defer("document").order_by("-created", "id")
    return {"worn_board": draw_observed(record, seen), "observations": seen, "wear_studies": done[:MOST_STUDIES]}


def draw_observed(record: Evidence, observations: Sequence[Observation]) -> SafeString | None:
    """Draw the board of a record with its lines and points as worn as they are said to be; None if it has no board.

    Where several observations speak of one place, the surest is drawn, of equally sure ones the last.
    """
    board = board_of(record)
    if board is None:
        return None
    weights: dict[str, Weight] = {}
    words: dict[str, list[str]] = defaultdict(list)
    for seen in sorted(observations, key=lambda one: (SURELY[one.certainty], one.number)):
        graded = SHARES[Grade(seen.grade)] if seen.grade else MORE
        for share, places in ((graded, seen.places), (LESS, seen.than)):
            for place in places:
                words[place].append(f"observation {seen.number}")
                weights[place] = Weight(share, ", ".join(words[place]), SURELY[seen.certainty])
    seen_of = " ".join(f"{one.number}: {one.sentence}" for one in observations)
    description = f"{board.title}. What is seen on it. {seen_of}" if observations else f"{board.title}."
    return mark_safe(draw_weights(board, weights, f"The board of {record}", description))


def draw_shares(board: Any, shares: Mapping[str, Sequence[float]], name: str, of: str) -> SafeString:
    """Draw a board with the shares of its lines or points: the widest has the largest, the palest the least sure.

    board: as a document has it; shares: value, low and high of each line or point
    """
    most = max((value for value, _, _ in shares.values()), default=0.0) or 1.0
    weights = {
        place: Weight(
            value / most,
            f"{value:.1%} of the moves ({low:.1%} to {high:.1%})",
            1 - min(1.0, (high - low) / most),
        )
        for place, (value, low, high) in shares.items()
    }
    ranked = sorted(shares.items(), key=lambda one: -one[1][0])[:3]
    told = ", ".join(f"{place} {share[0]:.1%}" for place, share in ranked)
    description = f"Of all moves, shares by {of}; the most: {told}."
    return mark_safe(
        draw_weights(read_board(board)[0], weights, f"What play by “{name}” leaves on the board", description)
    )
