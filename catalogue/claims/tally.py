"""Claims at a glance: how many have which verdict, and each under the source, the portal and the Ludii programme."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from catalogue.claims.results import ClaimResult
from catalogue.models import Reading
from catalogue.texts.outcomes import Outcome

# Whose readings stand in the columns: of sources any, then those of these two.
COLUMNS = ("Under its source", "Under the portal", "Under Ludii")
AUTHORITIES = ("", "dlp", "ludii")
Cell = tuple[tuple[str, Reading | None, Outcome], ...]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """How many claims have an outcome. reasons: why, with how many, where it is undecided"""

    outcome: Outcome
    number: int
    reasons: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """cells: what the tests say under the readings of each column; none if nothing was tested"""

    one: ClaimResult
    cells: tuple[Cell, ...]


def tally(claims: Sequence[ClaimResult]) -> list[Verdicts]:
    """One of each outcome that some claim has."""
    counts = Counter(one.verdict.outcome for one in claims)
    why = Counter(one.verdict.because.words for one in claims if one.verdict.because)
    return [
        Verdicts(outcome, counts[outcome], tuple(why.most_common()) if outcome == Outcome.UNDECIDED else ())
        for outcome in Outcome
        if counts[outcome]
    ]


def row_of(one: ClaimResult) -> ClaimRow:
    cells: list[list[tuple[str, Reading | None, Outcome]]] = [[] for _ in COLUMNS]
    for name, reading, outcome in one.by_reading if one.has_figures else ():
        authority = reading.authority if reading else ""
        cells[AUTHORITIES.index(authority) if authority in AUTHORITIES else 0].append((name, reading, outcome))
    return ClaimRow(one, tuple(map(tuple, cells)))
