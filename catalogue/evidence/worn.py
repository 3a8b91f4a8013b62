"""The board of a record as it is drawn with what was seen on it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from catalogue.models import Evidence, Observation, WearStudy
from catalogue.models.observations import Grade, board_of, contradictions, unused
from simulator.engine.board_sheet import Weight
from simulator.engine.boards.figures import read_board
from simulator.engine.families.points.drawing import draw_weights

SHARES = {Grade.NONE: 0.0, Grade.SLIGHT: 0.3, Grade.CLEAR: 0.65, Grade.STRONG: 1.0}
ABOVE = 0.2  # how much more a place is drawn that is more worn than a strongly worn one
DISPUTED = 0.2  # how surely a place is drawn of which observations disagree
MOST_STUDIES = 8  # that the page of a record names
SURELY = {"certain": 1.0, "likely": 0.7, "doubtful": 0.4}


@dataclass(frozen=True, slots=True)
class Told:
    """An observation as a page tells it. contrary: the numbers of those that say the contrary; unused: why no wear
    study can use it, empty if one can"""

    seen: Observation
    contrary: Sequence[int] = ()
    unused: str = ""


def told(observations: Sequence[Observation]) -> list[Told]:
    """Return observations with what a reader has to know of each besides."""
    contrary = contradictions(observations)
    alone = {one.number: why for of in Observation.Of.values for one, why in unused(observations, of) if one.of == of}
    return [Told(one, contrary.get(one.number, ()), alone.get(one.number, "")) for one in observations]


def observed(record: Evidence) -> dict[str, Any]:
    """Return what a page shows of the board of a record, if it has one: the drawing, the observations on it, and the
    wear studies of it."""
    if not record.board:
        return {}
    seen = list(record.observations.select_related("source"))
    done = record.wear_studies.filter(state=WearStudy.State.DONE).defer("document").order_by("-created", "id")
    return {"worn_board": draw_observed(record, seen), "observations": told(seen), "wear_studies": done[:MOST_STUDIES]}


def draw_observed(record: Evidence, observations: Sequence[Observation]) -> SafeString | None:
    """Draw the board of a record with its lines and points as worn as they are said to be; None if it has no board.

    What is said to be more worn is drawn wider, whatever else is said of it. Where observations contradict each other
    the surest is drawn; of those of which none is surer, none is, and their places are pale.
    """
    board = board_of(record)
    if board is None:
        return None
    shares, disputed = heights(observations)
    sure: dict[str, float] = {}
    words: dict[str, list[str]] = defaultdict(list)
    for seen in sorted(observations, key=_surest_last):
        for place in (*seen.places, *seen.than):
            words[place].append(f"observation {seen.number}")
            sure[place] = SURELY[seen.certainty]
    weights = {
        place: Weight(
            shares[place],
            ", ".join(said) + (": these disagree" if place in disputed else ""),
            DISPUTED if place in disputed else sure[place],
        )
        for place, said in words.items()
    }
    seen_of = " ".join(f"{one.number}: {one.sentence}" for one in observations)
    description = f"{board.title}. What is seen on it. {seen_of}" if observations else f"{board.title}."
    return mark_safe(draw_weights(board, weights, f"The board of {record}", description))


def _surest_last(one: Observation) -> tuple[float, int]:
    return SURELY[one.certainty], one.number


def heights(observations: Sequence[Observation]) -> tuple[dict[str, float], set[str]]:
    """Return how worn places are drawn, from 0 to 1, so that every order is kept that nothing contradicts; and the
    places of which observations that are equally sure say the contrary.

    A place with a grade is as worn as the surest grade says. Others lie between the graded ones that are less and more
    worn, the higher the more places are less worn than they.
    """
    graded: dict[str, float] = {}
    surely: dict[str, float] = {}
    disputed: set[str] = set()
    for seen in sorted(observations, key=_surest_last):
        for place in seen.places if seen.grade else ():
            share, sure = SHARES[Grade(seen.grade)], SURELY[seen.certainty]
            if surely.get(place) == sure and graded[place] != share:
                disputed.add(place)
            graded[place], surely[place] = share, sure
    below, undecided = _kept_orders(observations, graded)
    disputed |= undecided
    above: dict[str, set[str]] = defaultdict(set)
    for more, less in below.items():
        for one in less:
            above[one].add(more)
    shares = dict(graded)
    for place in {place for seen in observations for place in (*seen.places, *seen.than)} - graded.keys():
        down, up = below.get(place, set()), above.get(place, set())
        low = max((graded[one] for one in down & graded.keys()), default=0.0)
        high = min((graded[one] for one in up & graded.keys()), default=max(1.0, low + ABOVE))
        shares[place] = low + (high - low) * (_depth(place, below) + 0.5) / (
            _depth(place, below) + _depth(place, above) + 1
        )
    return shares, disputed


def _depth(place: str, reached: Mapping[str, set[str]]) -> int:
    """Return the length of the longest chain down, or up, from a place; reached: all places on such chains."""
    return max((1 + _depth(one, reached) for one in reached.get(place, ())), default=0)


def _kept_orders(
    observations: Sequence[Observation], graded: Mapping[str, float]
) -> tuple[dict[str, set[str]], set[str]]:
    """Return all places that are less worn than each, as the surest say; and the places that nobody decides about."""
    below: dict[str, set[str]] = defaultdict(set)
    for more, less in product(graded, graded):
        if graded[more] > graded[less]:
            below[more].add(less)
    undecided: set[str] = set()
    for _, alike in groupby(sorted(observations, key=lambda one: -SURELY[one.certainty]), lambda one: one.certainty):
        said = {pair for one in alike for pair in product(one.places, one.than)}
        both = {(more, less) for more, less in said if (less, more) in said}
        undecided |= {place for pair in both if pair[0] not in below[pair[1]] for place in pair}
        for more, less in sorted(said - both):
            if more in below[less]:
                continue  # what is surer says the contrary
            if more in graded and less in graded and graded[more] <= graded[less]:
                undecided |= {more, less}
                continue
            lower = {less, *below[less]}
            for one in [more, *(place for place in below if more in below[place])]:
                below[one] |= lower
    return below, undecided


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
