"""An open question of a record answered otherwise: the reading it is asked of, and the ruleset that comes of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalogue.evidence.open_questions import OpenQuestion
from catalogue.models import Answer, Question
from catalogue.models.querysets import ReadBeside
from catalogue.texts.errors import nearest_word
from catalogue.what_if.changes import what_if
from simulator.engine.ruleset import Ruleset
from simulator.engine.values import value_written
from simulator.rulesets import as_engine


class NoSuchAnswer(Exception):
    """The word names no answer that can be played; nearest: the word of one that can, if any is like it."""

    def __init__(self, message: str, nearest: str | None) -> None:
        super().__init__(message)
        self.nearest = nearest


@dataclass(frozen=True, slots=True)
class TakenAnswer:
    """word: "reading.question.answer", as addresses have it."""

    word: str
    read: ReadBeside
    question: Question
    answer: Answer
    ruleset: Ruleset


def taken_answer(word: str, readings: Sequence[ReadBeside], questions: Iterable[OpenQuestion]) -> TakenAnswer:
    """What a word means among the readings of a record and the questions of its game; raises NoSuchAnswer."""
    known = {
        f"{read.reading.slug}.{one.question.slug}.{given.answer.slug}": (read, one.question, given.answer)
        for read in readings
        if read.version
        for one in questions
        for given in one.answers
        if given.answer.values is not None and read.reading not in given.readings
    }
    if word not in known:
        raise NoSuchAnswer(
            f"No question of this record has an answer “{word[:60]}” to take.", nearest_word(word, known)
        )
    read, question, answer = known[word]
    assert read.version is not None
    parent = as_engine(read.version.ruleset)
    changed = what_if(parent, {key: value_written(value) for key, value in (answer.values or {}).items()})
    if changed.ruleset is None:
        why = "; ".join(str(problem) for problem in changed.problems)
        raise NoSuchAnswer(f"With this answer {read.reading.title} cannot be played: {why}.", None)
    return TakenAnswer(word, read, question, answer, changed.ruleset)
