"""The column beside a record's words: their rule, where paraphrase and quotation part, and what stays open."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalogue.evidence.apparatus import Apparatus, BackLink, RuleEntry
from catalogue.evidence.clauses import BASES_IN_WORDS
from catalogue.evidence.questions import GivenAnswer, OpenQuestion
from catalogue.models import Anchor, Answer, Reading
from catalogue.models.querysets import ReadingWithVersion

PORTAL = "dlp"  # whose reading is that of the paraphrase
LONGEST_SENTENCE = 200


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to an open question. take: "reading.question.answer" if it can be played instead, else empty."""

    given: GivenAnswer
    take: str

    @property
    def answer(self) -> Answer:
        return self.given.answer


@dataclass(frozen=True, slots=True)
class QuestionLeaf:
    """An open question with its answers. base: the reading in which another answer would be played."""

    open_question: OpenQuestion
    base: Reading | None
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class RuleLeaf:
    """A rule with the questions about it. opening: it is shown before anybody has pointed at a word."""

    entry: RuleEntry
    questions: tuple[OpenQuestion, ...]
    opening: bool


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Quoted words that speak against a rule of the portal's paraphrase, and that rule."""

    entry: RuleEntry
    link: BackLink

    @property
    def rule(self) -> str:
        """The first sentence of the rule: the column says the rest."""
        sentence = self.entry.clause.text.split(". ")[0].rstrip(".")
        return sentence if len(sentence) <= LONGEST_SENTENCE else f"{sentence[:LONGEST_SENTENCE].rsplit(' ', 1)[0]} …"


@dataclass(frozen=True, slots=True)
class RuleColumn:
    rules: tuple[RuleLeaf, ...]
    questions: tuple[QuestionLeaf, ...]
    contradictions: tuple[Contradiction, ...]


def rule_column(
    apparatus: Apparatus, readings: Sequence[ReadingWithVersion], questions: Sequence[OpenQuestion]
) -> RuleColumn:
    """What stands beside the words. No query is made."""
    against = tuple(_contradictions(apparatus.read_here))
    opening = _opening(apparatus, against)
    rules = tuple(
        RuleLeaf(entry, tuple(_about(entry, questions)), entry.label in opening) for entry in apparatus.read_here
    )
    leaves = tuple(_leaf(question, [read.reading for read in readings]) for question in questions)
    return RuleColumn(rules, leaves, against)


def _contradictions(entries: Iterable[RuleEntry]) -> Iterable[Contradiction]:
    """One for each rule that the paraphrase says, with the first words against it; silence contradicts nothing."""
    for entry in entries:
        words = [link for link in entry.here if link.mark.against and link.text == Anchor.Field.QUOTATION]
        if words and entry.clause.reading.authority == PORTAL and entry.clause.basis in BASES_IN_WORDS:
            yield Contradiction(entry, words[0])


def _opening(apparatus: Apparatus, against: Sequence[Contradiction]) -> frozenset[str]:
    """The rules of the words that matter most: those the paraphrase departs from, else the first that carry a rule."""
    pieces = [piece for piece in (*apparatus.quotation, *apparatus.paraphrase) if piece.marks]
    first = against[0].entry.label if against else ""
    chosen = next((piece for piece in pieces if first in piece.labels.split()), None) if first else None
    chosen = chosen or next(iter(pieces), None)
    own = next((mark.label for mark in chosen.marks if not mark.against), "") if chosen else ""
    return frozenset({own, first} - {""})


def _about(entry: RuleEntry, questions: Iterable[OpenQuestion]) -> Iterable[OpenQuestion]:
    keys = set(entry.clause.parameters)
    return (question for question in questions if keys & set(question.question.parameters))


def _leaf(question: OpenQuestion, readings: Sequence[Reading]) -> QuestionLeaf:
    """The base is the first reading of this record that answers the question, and so is played with another answer."""
    answering = {reading for given in question.answers for reading in given.readings}
    base = next((reading for reading in readings if reading in answering), None)
    choices = tuple(Choice(given, _take(question, given, base)) for given in question.answers)
    return QuestionLeaf(question, base, choices)


def _take(question: OpenQuestion, given: GivenAnswer, base: Reading | None) -> str:
    if base is None or base in given.readings or given.answer.values is None:
        return ""
    return f"{base.slug}.{question.question.slug}.{given.answer.slug}"
