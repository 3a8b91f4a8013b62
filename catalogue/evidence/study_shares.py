"""What studies say of questions, for the pages that list questions. Pages import this, so it needs no statistics."""

from collections.abc import Iterable

from catalogue.models import Question, Study


def newest_studies(games: Iterable[int]) -> dict[int, Study]:
    """The newest study of each of these games that has one, without its document and plots: one query."""
    rows = Study.objects.filter(game__in=set(games)).defer("document", "plots").order_by("created", "id")
    return {study.game_id: study for study in rows}


def shares_of(question: Question, study: Study | None) -> dict[str, str]:
    """Outcome -> the share of the variance that the question has on its own; empty if it was not varied."""
    found: dict[str, str] = study.summary["shares"].get(question.slug, {}) if study else {}
    return found
