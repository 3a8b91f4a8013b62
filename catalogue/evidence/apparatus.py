"""A record as an apparatus: its texts with the anchored words marked, the rules read from them, and coverage.

The column of rules beside the words shows the rule of each word, where paraphrase and quotation differ, and which
questions stay open.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any

from django.db.models import QuerySet

from catalogue.evidence.clauses import ReadingClause, clauses_of
from catalogue.evidence.questions import GivenAnswer, OpenQuestion
from catalogue.models import Anchor, Answer, Clause, Evidence, Reading
from catalogue.models.querysets import ReadingWithVersion
from catalogue.texts.anchors import (
    ASKED,
    CLAIMED,
    RESTED_ON,
    Coverage,
    Mark,
    MarkedPiece,
    Span,
    coverage,
    marked,
    sigla,
)
from catalogue.texts.formatting import shortened
from catalogue.texts.voices import Voice, voice_of
from simulator.engine.family import NOT_ARISING, family
from simulator.engine.tables import read_place, write_place
from simulator.rulesets import as_engine

LONGEST_LINK = 60  # characters of an anchor that a link back shows


@dataclass(frozen=True, slots=True)
class BackLink:
    """A link from a rule to words of this record that support or contradict it. exact: the words, uncut; text: whose"""

    mark: Mark
    words: str
    text: str
    exact: str

    @property
    def quoted(self) -> str:
        """The words as they are quoted: from their beginning, cut between two words where they are long."""
        return shortened(self.exact, LONGEST_QUOTED)


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """A rule beside the record.

    voice:     who says it; holders: who else has taken it over, by label
    rules:     what the ruleset says for it, in words
    here:      its words in this record; elsewhere: those in other records
    """

    label: str
    style: int
    clause: Clause
    voice: Voice
    holders: tuple[str, ...]
    rules: tuple[str, ...]
    here: tuple[BackLink, ...]
    elsewhere: tuple[Anchor, ...]
    is_of_this_game: bool


@dataclass(frozen=True, slots=True)
class Apparatus:
    """The apparatus of a record: texts in pieces, rules in groups, and the coverage of the texts."""

    quotation: list[MarkedPiece]
    paraphrase: list[MarkedPiece]
    read_here: list[RuleEntry]
    read_elsewhere: list[RuleEntry]
    without_words: list[RuleEntry]
    sigla: list[tuple[str, ReadingWithVersion, int]]
    voices: tuple[Voice, ...]
    quotation_coverage: Coverage
    paraphrase_coverage: Coverage


def apparatus_of(
    record: Evidence, readings: list[ReadingWithVersion], others: Iterable[Anchor] = (), first: int = 0
) -> Apparatus:
    """The apparatus of a record over these readings; the same few queries however many rules there are.

    others: words of claims, of answers, and of readings that take over the rules of others, in this record and others
    first:  the style of the voice whose rules come first where words carry several
    """
    letters = sigla(read.reading.authority for read in readings)
    voices = {read.reading.slug: voice_of(read.reading.authority, read.reading.title) for read in readings}
    documents = {read.reading.slug: read.version.ruleset.document for read in readings if read.version}
    held = clauses_of(voices, documents, at_hand=[read.reading for read in readings])
    entries = _entries(record, readings, held, letters, voices)
    marks = [(link.mark, link.text) for entry in entries for link in entry.here]
    in_quotation = [mark for mark, name in marks if name == Anchor.Field.QUOTATION]
    in_paraphrase = [mark for mark, name in marks if name == Anchor.Field.PARAPHRASE]
    words = [*(anchor for entry in entries for anchor in entry.clause.anchors.all()), *others]
    used = [anchor for anchor in words if anchor.evidence_id == record.pk]
    otherwise = {
        field: sorted(
            ((anchor.span, _use(anchor)) for anchor in used if anchor.field == field and not anchor.clause_id),
            key=lambda pair: USES.index(pair[1]),
        )
        for field in Anchor.Field
    }
    return Apparatus(
        quotation=marked(record.quotation, in_quotation, otherwise[Anchor.Field.QUOTATION], first),
        paraphrase=marked(record.paraphrase, in_paraphrase, otherwise[Anchor.Field.PARAPHRASE], first),
        read_here=[entry for entry in entries if entry.here],
        read_elsewhere=[entry for entry in entries if not entry.here and entry.elsewhere],
        without_words=[entry for entry in entries if not entry.here and not entry.elsewhere],
        sigla=[(letters[read.reading.authority], read, voices[read.reading.slug].kind.style) for read in readings],
        voices=tuple(voices.values()),
        quotation_coverage=coverage_of_text(record.quotation, Anchor.Field.QUOTATION, used),
        paraphrase_coverage=coverage_of_text(record.paraphrase, Anchor.Field.PARAPHRASE, used),
    )


USES = (CLAIMED, ASKED, RESTED_ON)  # of several uses of words under no rule the first is told


def _use(anchor: Anchor) -> str:
    """What words are used for that carry no rule."""
    return CLAIMED if anchor.claim_id else ASKED if anchor.answer_id else RESTED_ON


def _entries(
    record: Evidence,
    readings: list[ReadingWithVersion],
    held: dict[str, list[ReadingClause]],
    letters: dict[str, str],
    voices: dict[str, Voice],
) -> list[RuleEntry]:
    sentences = {read.reading.slug: _sentences(read) for read in readings}
    first: dict[int, tuple[ReadingWithVersion, ReadingClause]] = {}
    holders: dict[int, list[str]] = {}
    for read in readings:
        for clause in held[read.reading.slug]:
            first.setdefault(clause.clause.pk, (read, clause))
            holders.setdefault(clause.clause.pk, []).append(voices[read.reading.slug].label)
    numbers = {letter: count(1) for letter in letters.values()}
    entries = []
    for read, one in sorted(first.values(), key=lambda pair: _place(pair[1].clause, record)):
        letter, voice = letters[read.reading.authority], voices[read.reading.slug]
        style = voice.kind.style
        label = f"{letter}{next(numbers[letter])}"
        words = sentences[read.reading.slug]
        anchors = list(one.clause.anchors.all())
        entries.append(
            RuleEntry(
                label=label,
                style=style,
                clause=one.clause,
                voice=voice,
                holders=tuple(holders[one.clause.pk][1:]),
                rules=tuple(said for key in one.parameters if (said := _said(words, key))),
                here=tuple(_links([a for a in anchors if a.evidence_id == record.pk], label, style, one.clause)),
                elsewhere=tuple(anchor for anchor in anchors if anchor.evidence_id != record.pk),
                is_of_this_game=one.clause.reading.game_id == record.game_id,
            )
        )
    return entries


def _place(clause: Clause, record: Evidence) -> tuple[int, int, int, int]:
    """The key that sorts rules by their first words in this record; those without words come last."""
    places = [
        (int(anchor.stance == Anchor.Stance.CONTRADICTS), int(anchor.field == Anchor.Field.PARAPHRASE), anchor.start)
        for anchor in clause.anchors.all()
        if anchor.evidence_id == record.pk
    ]
    return (0, *min(places)) if places else (1, 0, 0, clause.position)


def _links(anchors: Iterable[Anchor], label: str, style: int, clause: Clause) -> Iterable[BackLink]:
    for place, anchor in enumerate(anchors, start=1):
        against = anchor.stance == Anchor.Stance.CONTRADICTS
        words = anchor.exact if len(anchor.exact) <= LONGEST_LINK else f"{anchor.exact[:LONGEST_LINK].rstrip()}…"
        mark = Mark(anchor.span, label, place, style, against, clause.text, anchor.place_on_page)
        yield BackLink(mark, words, anchor.field, anchor.exact)


def _sentences(read: ReadingWithVersion) -> dict[str, str]:
    """Each rule that can fire in a reading's ruleset, in words, by its parameter."""
    if read.version is None:
        return {}
    ruleset = as_engine(read.version.ruleset)
    kind = family(ruleset.family)
    said = {key: words for key, words in kind.sentences(ruleset).items() if words != NOT_ARISING}
    for key in kind.tables(ruleset.document):
        said |= dict(kind.rows(key, ruleset.parameters))
    return said


def _said(words: Mapping[str, str], key: str) -> str:
    """What a parameter says; of a place in a table what its row says."""
    return words.get(key) or words.get(write_place(read_place(key)[:2])) or ""


def coverage_of(records: Sequence[Evidence]) -> list[dict[str, Any]]:
    """Return for each record the words and anchored words of its texts, and the clauses of its readings.

    Six queries, however many records there are.
    """
    anchors: dict[int, list[Anchor]] = defaultdict(list)
    for anchor in Anchor.objects.filter(evidence__in=records).order_by():
        anchors[anchor.evidence_id].append(anchor)
    readings: dict[tuple[int, int], list[str]] = defaultdict(list)
    rows = Reading.objects.filter(evidence__in=records).order_by("pk").values_list("evidence", "game", "slug")
    for number, game, slug in rows:
        readings[number, game].append(slug)
    clauses = clauses_of({slug for slugs in readings.values() for slug in slugs}) if readings else {}
    rows_of_records = []
    for record in records:
        own = {held.clause.pk: held.clause for slug in readings[record.pk, record.game_id] for held in clauses[slug]}
        rows_of_records.append(
            {
                "record": record.identifier,
                "game": record.game.slug,
                "quotation": _share(record.quotation, Anchor.Field.QUOTATION, anchors[record.pk]),
                "paraphrase": _share(record.paraphrase, Anchor.Field.PARAPHRASE, anchors[record.pk]),
                "clauses": len(own),
                "clauses_without_words": sorted(str(clause) for clause in own.values() if not clause.anchors.all()),
            }
        )
    return rows_of_records


def words_asked_or_rested_on(record: Evidence) -> QuerySet[Anchor]:
    """Anchors in a record of answers, and of readings that take over the rules of others."""
    return Anchor.objects.filter(evidence=record, clause=None, claim=None)


def coverage_of_text(text: str, field: str, anchors: Iterable[Anchor]) -> Coverage:
    """The coverage of one text of a record by anchors of all kinds."""
    supporting: list[Span] = []
    opposing: list[Span] = []
    others: dict[str, list[Span]] = {CLAIMED: [], ASKED: [], RESTED_ON: supporting}
    for anchor in anchors:
        if anchor.field != field:
            continue
        if anchor.clause_id:
            against = anchor.stance == Anchor.Stance.CONTRADICTS
            (opposing if against else supporting).append(anchor.span)
        else:
            others[_use(anchor)].append(anchor.span)
    return coverage(text, supporting, opposing, others[CLAIMED], others[ASKED])


def _share(text: str, field: str, anchors: list[Anchor]) -> dict[str, Any]:
    covered = coverage_of_text(text, field, anchors)
    share = covered.share
    return {**asdict(covered), "share": None if share is None else round(share, 4)}


PORTAL = "dlp"  # whose reading is that of the paraphrase
STATED = "stated"  # the basis of a rule that the words say
PARTING = "paraphrase-contradicts"  # the factor of uncertainty whose reason tells where the two texts part
LONGEST_QUOTED = 320


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
    """A rule with the questions about it, as a note beside the words.

    opening:  it is shown before anybody has pointed at a word
    contrary: the rules that these words speak against; likewise: those of other voices that follow the words too
    """

    entry: RuleEntry
    questions: tuple[OpenQuestion, ...]
    opening: bool
    contrary: tuple[RuleEntry, ...] = ()
    likewise: tuple[RuleEntry, ...] = ()

    @property
    def is_contrary(self) -> bool:
        """Whether no word of the quotation follows it, and some speak against it."""
        quoted = [link.mark.against for link in self.entry.here if link.text == Anchor.Field.QUOTATION]
        return bool(quoted) and all(quoted)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A rule that one text states and the other speaks against, with the words of both."""

    entry: RuleEntry
    quoted: BackLink
    portal: BackLink


@dataclass(frozen=True, slots=True)
class RuleColumn:
    rules: tuple[RuleLeaf, ...]
    questions: tuple[QuestionLeaf, ...]
    contradictions: tuple[Contradiction, ...]


def rule_column(
    apparatus: Apparatus, readings: Sequence[ReadingWithVersion], questions: Sequence[OpenQuestion], parting: str = ""
) -> RuleColumn:
    """The column of rules beside the words. No query is made.

    parting: why the record is flagged as one whose texts contradict each other; what it tells of comes first
    """
    against = tuple(_contradictions(apparatus.read_here, parting))
    opening = _opening(apparatus, against)
    own = [
        entry for entry in apparatus.read_here if against and entry.label in opening and entry is not against[0].entry
    ]
    if own and against[0].entry in _beside(own[0], apparatus.read_here)[0]:
        opening = frozenset({own[0].label})  # its note names the other as contrary to it
    rules = tuple(
        RuleLeaf(entry, tuple(_about(entry, questions)), entry.label in opening, *_beside(entry, apparatus.read_here))
        for entry in apparatus.read_here
    )
    leaves = tuple(_leaf(question, [read.reading for read in readings]) for question in questions)
    return RuleColumn(rules, leaves, against)


def _contradictions(entries: Sequence[RuleEntry], parting: str) -> list[Contradiction]:
    """One for each rule that one text of this record states and the other speaks against, that of the flag first.

    The rules that the paraphrase states come from the portal's reading; of the quotation's are taken those whose words
    against them no rule of the paraphrase has. Silence contradicts nothing, and no more does what is only concluded
    from a text. Of several words of a text those are quoted that share most with the reason of the flag.
    """
    flagged = _stems(parting)

    def shared(text: str) -> int:
        return len(flagged & _stems(text))

    def parted(entry: RuleEntry, stating: str, opposing: str) -> tuple[BackLink, BackLink] | None:
        for_it = [link for link in entry.here if not link.mark.against and link.text == stating]
        against = [link for link in entry.here if link.mark.against and link.text == opposing]
        if entry.clause.basis != STATED or not for_it or not against:
            return None
        best, worst = (max(links, key=lambda link: shared(link.exact)) for links in (for_it, against))
        return best, worst

    quotation, paraphrase = Anchor.Field.QUOTATION, Anchor.Field.PARAPHRASE
    of_portal = [entry for entry in entries if entry.clause.reading.authority == PORTAL]
    found = [
        Contradiction(entry, both[1], both[0]) for entry in of_portal if (both := parted(entry, paraphrase, quotation))
    ]
    said = [one.portal.mark.span for one in found]
    for entry in entries:
        both = None if entry in of_portal else parted(entry, quotation, paraphrase)
        if both and not any(_overlap(both[1].mark.span, span) for span in said):
            found.append(Contradiction(entry, *both))
    texts = {one.entry.label: f"{one.entry.clause.text} {one.quoted.exact} {one.portal.exact}" for one in found}
    return sorted(found, key=lambda one: -shared(texts[one.entry.label]))


MOST_BESIDE = 3  # other rules that a note names


def _beside(entry: RuleEntry, entries: Sequence[RuleEntry]) -> tuple[tuple[RuleEntry, ...], tuple[RuleEntry, ...]]:
    """The rules against which the words of a rule speak, and those of other voices that follow the same words."""
    mine = [(link.text, link.mark.span) for link in entry.here if not link.mark.against]
    contrary: list[RuleEntry] = []
    likewise: list[RuleEntry] = []
    for other in entries if mine else ():
        if other.style == entry.style:
            continue
        shared = {link.mark.against for link in other.here if _touches(link, mine)}
        if shared:
            (contrary if True in shared else likewise).append(other)
    return tuple(contrary[:MOST_BESIDE]), tuple(likewise[:MOST_BESIDE])


def _touches(link: BackLink, words: Iterable[tuple[str, Span]]) -> bool:
    """Return whether a link leads to some of these words, of texts by their names."""
    text, span = link.text, link.mark.span
    return any(name == text and _overlap(span, other) for name, other in words)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _stems(text: str) -> set[str]:
    """How the words of at least four letters begin."""
    return set(re.findall(r"\b[^\W\d_]{4}", text.lower()))


def parting_of(record: Evidence) -> str:
    """Why the record is flagged as one whose texts contradict each other; empty where it is not. No query is made."""
    return next((one.reason for one in record.uncertainties.all() if one.factor.slug == PARTING), "")


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
