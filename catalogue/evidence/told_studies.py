"""Which of a game's studies is told first: of the strongest players of the scale, and of several of these the newest.

Studies that were made together, as those of the edition are, have the same date, which says nothing between them.
"""

from collections.abc import Iterable

from catalogue.models import Study
from simulator.batches.scale import LEVELS, rank


def level_of(players: str) -> str:
    """The level that every seat was asked to be played on; empty if there is none."""
    (first, *others) = set(players.split(","))
    return first if not others and first in LEVELS else ""


def told_first(studies: Iterable[Study]) -> list[Study]:
    """Their summaries are looked at, and no more of them. Those of players of no level come last."""
    newest_first = sorted(sorted(studies, key=lambda one: one.pk), key=lambda one: one.created, reverse=True)
    return sorted(newest_first, key=_strength, reverse=True)


def _strength(study: Study) -> int:
    return rank(level_of(study.summary["players"]))


def told_studies(games: Iterable[int]) -> dict[int, Study]:
    """Of each of these games that was studied the one that is told, without its document and plots: one query."""
    rows = Study.objects.filter(game__in=set(games)).defer("document", "plots")
    return {study.game_id: study for study in reversed(told_first(rows))}
