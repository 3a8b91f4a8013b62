"""Open questions that change nothing: whatever their answer, the same games were played."""

from collections.abc import Iterator

from catalogue.evidence.idle_questions import IDLE as SAME
from catalogue.evidence.idle_questions import NOT_ARISING, idle_by_file
from catalogue.evidence.questions import OpenQuestion, open_questions, question_rows
from catalogue.findings.finding import IDLE, Finding
from catalogue.texts.formatting import listed
from catalogue.texts.marking import authority_in_words


def idle_questions() -> Iterator[Finding]:
    """Those that are idle in every reading in which they arise."""
    slugs = idle_by_file()
    rows = question_rows().filter(game__slug__in={game for game, _ in slugs}, slug__in={slug for _, slug in slugs})
    for one in open_questions(rows):
        if one.idle and all(found.state in (SAME, NOT_ARISING) for found in one.found):
            yield _finding(one)


def _finding(one: OpenQuestion) -> Finding:
    question, first = one.question, one.idle[0]
    number = first.games or 0
    names = listed([authority_in_words(found.reading.authority)[0] for found in one.idle])
    return Finding(
        IDLE,
        question.game,
        f"{question.game.name}: it changes nothing. {question.title}",
        f"Under {names} {number:,} games are the same, move by move, whichever of its answers is given.",
        None,
        "no game was different",
        first.players,
        f"{first.players} players",
        number,
        (("The question", question.get_absolute_url()),),
    )
