"""A what-if among the readings: which rules lose their clause, who reads them so, and which questions it answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from catalogue.evidence.clauses import Parameters, ReadingClause, clauses_of, newest_rulesets
from catalogue.evidence.questions import OpenQuestion, answered, inactive_parameters, question_rows
from catalogue.models import Answer, Question, Reading
from catalogue.models.querysets import ReadingWithVersion
from catalogue.texts.words import nearest_word
from catalogue.what_if.changes import Change, changes, what_if
from simulator.engine.documents import write_value
from simulator.engine.family import Family
from simulator.engine.ruleset import Ruleset
from simulator.engine.tables import looked_up
from simulator.rulesets import as_engine


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """A ruleset as a reading: its clauses, the other readings of its game, the game's questions.

    All of it is empty for a ruleset that is no reading.
    """

    reading: Reading | None = None
    clauses: tuple[ReadingClause, ...] = ()
    others: Mapping[Reading, Ruleset] = field(default_factory=dict)
    questions: tuple[OpenQuestion, ...] = ()

    def clause_on(self, key: str) -> ReadingClause | None:
        return looked_up({one: clause for clause in reversed(self.clauses) for one in clause.parameters}, key)


@dataclass(frozen=True, slots=True)
class ChangedRule:
    """A rule that was changed, the clause that no longer holds, and the other readings that have the rule so."""

    change: Change
    clause: ReadingClause | None
    read_so_by: tuple[Reading, ...]


def reading_context(slug: str | None, parent: Ruleset) -> ReadingContext:
    """The context of the ruleset that is the reading of that slug: a few queries, however many readings there are."""
    of_game = Reading.objects.filter(game__readings__slug=slug).select_related("game").order_by("position", "slug")
    by_slug = {other.slug: other for other in of_game} if slug else {}
    reading = by_slug.get(slug or "")
    if reading is None:
        return ReadingContext()
    rulesets = newest_rulesets(by_slug)
    others = {
        other: rulesets[slug]
        for slug, other in by_slug.items()
        if slug in rulesets and other != reading and rulesets[slug].family == parent.family
    }
    clauses = tuple(clauses_of([reading.slug])[reading.slug])
    questions = answered(
        question_rows().filter(game=reading.game_id),
        {reader: ruleset.document for reader, ruleset in {reading: parent, **others}.items()},
    )
    fitting = [question for question in questions if set(question.question.parameters) <= set(parent.parameters)]
    return ReadingContext(reading, clauses, others, tuple(fitting))


def changed_rules(context: ReadingContext, kind: Family, before: Parameters, after: Parameters) -> list[ChangedRule]:
    """Every rule in which a ruleset with the parameters `after` differs from the one with `before`."""
    inactive = {reading: inactive_parameters(ruleset) for reading, ruleset in context.others.items()}
    return [
        ChangedRule(
            change,
            context.clause_on(change.key),
            tuple(
                reading
                for reading, ruleset in context.others.items()
                if ruleset.parameters[change.key] == after[change.key] and change.key not in inactive[reading]
            ),
        )
        for change in changes(kind, before, after)
    ]


class NoSuchAnswer(Exception):
    """The word names no answer that can be played; nearest: the word of one that can, if any is like it."""

    def __init__(self, message: str, nearest: str | None) -> None:
        super().__init__(message)
        self.nearest = nearest


@dataclass(frozen=True, slots=True)
class TakenAnswer:
    """word: "reading.question.answer", as addresses have it."""

    word: str
    read: ReadingWithVersion
    question: Question
    answer: Answer
    ruleset: Ruleset


def taken_answer(word: str, readings: Sequence[ReadingWithVersion], questions: Iterable[OpenQuestion]) -> TakenAnswer:
    """Resolve a word among the readings of a record and the questions of its game. Raises NoSuchAnswer."""
    known = {
        f"{read.reading.slug}.{row.question.slug}.{given.answer.slug}": (read, row.question, given.answer)
        for read in readings
        if read.version
        for row in questions
        for given in row.answers
        if given.answer.values is not None and read.reading not in given.readings
    }
    if word not in known:
        raise NoSuchAnswer(
            f"No question of this record has an answer “{word[:60]}” to take.", nearest_word(word, known)
        )
    read, question, answer = known[word]
    assert read.version is not None
    parent = as_engine(read.version.ruleset)
    changed = what_if(parent, {key: write_value(value) for key, value in (answer.values or {}).items()})
    if changed.ruleset is None:
        why = "; ".join(str(problem) for problem in changed.problems)
        raise NoSuchAnswer(f"With this answer {read.reading.title} cannot be played: {why}.", None)
    return TakenAnswer(word, read, question, answer, changed.ruleset)
