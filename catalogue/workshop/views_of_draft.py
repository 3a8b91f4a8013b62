"""What the page of a draft shows: texts with marks, offered rules, rules so far, what the words do not say."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField

from catalogue.evidence.clauses import newest_rulesets
from catalogue.models import Anchor, Basis, Draft, Evidence, Reading
from catalogue.pages.what_if import TableWidget, field_of
from catalogue.texts.anchors import AnchorProblem, Coverage, Span, coverage, locate, segments
from catalogue.what_if import changes
from catalogue.workshop.checking import Checked, at_off, blank, kind_of, missing_of, said
from catalogue.workshop.drafting import Words, clause_on, is_covered, is_in_rows, rule_of
from catalogue.workshop.ranking import OFFERED, Example, Offer, parameters_of, ranking
from simulator.engine.documents import read_value, write_value
from simulator.engine.family import Family
from simulator.engine.tables import read_place


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text. slug: of the clause it is chosen for first, empty where none; chosen: of the words now"""

    text: str
    slug: str
    title: str
    against: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text of a record with the words that the draft has chosen."""

    record: Evidence
    name: str
    title: str
    pieces: tuple[Piece, ...]
    coverage: Coverage


def texts_of(draft: Draft, records: list[Evidence], chosen: Words | None) -> list[ShownText]:
    """Every text of the draft's records: the quotation, then today's summary."""
    return [
        _shown(draft, record, name, chosen)
        for record in records
        for name in (Anchor.Field.QUOTATION, Anchor.Field.PARAPHRASE)
        if record.text(name).strip()
    ]


def _shown(draft: Draft, record: Evidence, name: str, chosen: Words | None) -> ShownText:
    text = record.text(name)
    marks: list[tuple[Span, Mapping[str, Any], bool]] = []
    for clause in draft.clauses:
        for words, against in ((clause["words"], False), (clause["against"], True)):
            marks += [(span, clause, against) for one in words if (span := span_of(one, record, name, text))]
    now = span_of(chosen, record, name, text) if chosen else None
    spans = [*(span for span, _, _ in marks), *([now] if now else [])]
    pieces = []
    for segment in segments(text, spans):
        over = sorted((marks[k] for k in segment.over if k < len(marks)), key=lambda one: one[0].end - one[0].start)
        clause, against = (over[0][1], over[0][2]) if over else ({}, False)
        title = " · ".join(rule_of(one[1]) for one in over)
        pieces.append(Piece(segment.text, clause.get("slug", ""), title, against, len(marks) in segment.over))
    supporting = [span for span, _, against in marks if not against]
    opposing = [span for span, _, against in marks if against]
    title = "The quotation" if name == Anchor.Field.QUOTATION else "Today’s summary"
    return ShownText(record, name, title, tuple(pieces), coverage(text, supporting, opposing))


def span_of(words: Words | None, record: Evidence, name: str, text: str) -> Span | None:
    if not words or words["record"] != record.identifier or words["in"] != name:
        return None
    try:
        return locate(text, words["exact"], words.get("prefix", ""), words.get("suffix", ""))
    except AnchorProblem:
        return None


class RuleForm(forms.Form):
    """One parameter: as the what-if page has it."""

    def __init__(self, key: str, spec: Mapping[str, Any], words: str, said_by_row: list[str], id: str) -> None:
        super().__init__({changes.PREFIX + key: words}, auto_id=f"{id}-%s", label_suffix="")
        self.fields[key] = field_of(spec, words, key)
        if isinstance(widget := self.fields[key].widget, TableWidget):
            widget.said = said_by_row

    def add_prefix(self, field_name: str) -> str:
        return changes.PREFIX + field_name


@dataclass(frozen=True, slots=True)
class OfferedRule:
    """A rule that words may be about.

    choices: (what its button sets, its sentence, whether it is so now), the likeliest first; of a number those in the
             words, of a table words that stand for all of it and rows to be added; no two say the same
    field:   of one that is typed; now: what the draft says; has_clause: whether it says so by a clause
    like:    words of another game that it was read from
    """

    key: str
    title: str
    description: str
    choices: tuple[tuple[str, str, bool], ...]
    field: BoundField | None
    now: str
    has_clause: bool
    like: Example | None


MOST_CHOICES = 3  # values that are offered at once; the others are behind a fold


def offers_of(draft: Draft, words: str, wanted: str = "") -> list[OfferedRule]:
    """The rules that words may be about, five and what is missing of the next five, or the one that is wanted."""
    if not words and not wanted:
        return []
    ranked = ranking(draft.document["family"])
    offers = ranked.offers(words, list(_own_words(draft)), draft.document)
    if wanted:
        found = next((one for one in offers if one.key == wanted), None)
        return [_offered(draft, found, words)] if found else []
    missing = missing_of(draft.document)  # no game is without them: they are offered where they are but likely
    behind = [one for one in offers[OFFERED : 2 * OFFERED] if one.key in missing]
    return [_offered(draft, one, words) for one in (*offers[:OFFERED], *behind)]


def _own_words(draft: Draft) -> Iterator[Example]:
    """Words that carry rules in the draft by now."""
    for clause in draft.clauses:
        keys = frozenset(str(read_place(place)[0]) for place in clause["parameters"])
        for words in clause["words"] if keys else ():
            yield Example(draft.game.slug, draft.document["family"], words["exact"], keys, {}, str(draft))


def _offered(draft: Draft, offer: Offer, words: str) -> OfferedRule:
    kind = kind_of(draft)
    spec = changes.parameters_of(kind)[offer.key]
    clause = clause_on(draft, offer.key)
    value = draft.document.get(offer.key, spec.get("default"))
    choices = dict(changes.choices(spec))
    likely = ranking(kind.name).values(offer.key, words)
    shown, bound, in_rows = value, None, is_in_rows(kind, offer.key)
    if choices:
        places = {write_value(one): place for place, one in enumerate(likely)}
        typed = sorted(choices, key=lambda word: places.get(word, len(places)))
    else:
        typed = [write_value(one) for place, one in enumerate(likely) if one not in likely[:place]][:MOST_CHOICES]
        shown = value if clause or not likely or spec.get("type") != "integer" else likely[0]
    ordered = [
        (f"{offer.key}={word}", said(kind, {**draft.document, offer.key: read_value(word, spec)}, offer.key)
         or choices.get(word, word), clause is not None and word == write_value(value))
        for word in typed
    ]  # fmt: skip
    if in_rows:
        ordered = [*_rows_to_add(draft, kind, offer.key, words), *ordered]
    if in_rows or not choices:
        bound = field_for(kind, draft.document, offer.key, "" if shown is None else write_value(shown), "offer")
    now = said(kind, draft.document, offer.key) if clause else ""
    return OfferedRule(
        offer.key, spec["title"], spec["description"], _once(ordered), bound, now, clause is not None, offer.like
    )  # fmt: skip


def _once(choices: Iterable[tuple[str, str, bool]]) -> tuple[tuple[str, str, bool], ...]:
    """Choices without those that say what another says; of these the one that is so now stays."""
    kept: dict[str, tuple[str, str, bool]] = {}
    for one in choices:
        if one[1] not in kept or one[2]:
            kept[one[1]] = one
    return tuple(kept.values())


def _rows_to_add(draft: Draft, kind: Family, key: str, words: str) -> Iterator[tuple[str, str, bool]]:
    """Rows that other games have, each to be added by a button."""
    rows = draft.document.get(key, [])
    rows = rows if isinstance(rows, list) else []
    for row in ranking(kind.name).rows(key, words)[:MOST_CHOICES]:
        place = f"{key}[{len(rows)}]"
        if sentence := said(kind, {**draft.document, key: [*rows, row]}, place):
            yield f"{key}+={json.dumps(row, ensure_ascii=False)}", sentence, False


def field_for(kind: Family, document: Mapping[str, Any], key: str, words: str, id: str) -> BoundField:
    spec = changes.parameters_of(kind)[key]
    parameters = {**blank(kind).parameters, **document, key: read_value(words, spec)}
    try:
        rows = changes.said_by_row(kind, key, parameters)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        rows = []
    form = RuleForm(key, spec, words, rows, f"{id}-{key}")
    return form[key]


@dataclass(frozen=True, slots=True)
class RuleSoFar:
    """A clause of the draft with what its parameters say now. asked: the slug of the question about it"""

    clause: Mapping[str, Any]
    title: str
    sentence: str
    basis: str
    is_in_words: bool
    asked: str
    off: bool

    @property
    def slug(self) -> str:
        return str(self.clause["slug"])

    @property
    def remark(self) -> str:
        return str(self.clause["text"]).partition("\n\n")[2]

    @property
    def key(self) -> str:
        return str(next(iter(self.clause["parameters"]), ""))


def rules_so_far(draft: Draft) -> list[RuleSoFar]:
    kind, names = kind_of(draft), dict(Basis.choices)
    order = {key: place for place, key in enumerate(parameters_of(kind.name))}
    asked = {key: one["slug"] for one in draft.questions for key in one["parameters"]}
    found = []
    for clause in draft.clauses:
        keys = clause["parameters"]
        title = ", ".join(kind.title_of(key) for key in keys) or "Not played here"
        sentence = " ".join(said(kind, draft.document, key) for key in keys) or rule_of(clause)
        doubt = next((asked[key] for key in keys if key in asked), "")
        off = bool(keys) and all(key not in draft.document for key in keys)
        in_words = bool(clause["words"])
        basis = names.get(clause["basis"], clause["basis"])
        found.append(RuleSoFar(clause, title, sentence, basis, in_words, doubt, off))
    last = len(order)
    return sorted(found, key=lambda one: (not one.key, order.get(str(read_place(one.key or "?")[0]), last)))


@dataclass(frozen=True, slots=True)
class SilentRule:
    """A rule that can fire and that no clause covers. there: what the reading says that is compared; must: whether the
    draft sets it, so that it needs a clause"""

    key: str
    title: str
    sentence: str
    there: str
    must: bool


def silent_rules(draft: Draft, found: Checked, like: Reading | None = None) -> list[SilentRule]:
    """The parameters that can fire, that no clause covers, and that are not held by the reading the draft rests on."""
    kind = kind_of(draft)
    ruleset = found.ruleset or found.near
    if ruleset is None:
        return []
    inactive = kind.inactive(ruleset.parameters)
    base = newest_rulesets([draft.rests_on.slug]).get(draft.rests_on.slug) if draft.rests_on else None
    other = newest_rulesets([like.slug]).get(like.slug) if like else None
    rules = []
    for key in parameters_of(kind.name):
        value = draft.document.get(key, kind.schema["properties"][key].get("default"))
        is_held = base is not None and base.family == kind.name and base.parameters.get(key) == value
        if (key in inactive and key not in draft.document) or is_covered(draft, key) or is_held or value is None:
            continue
        there = ""
        if other is not None and other.family == kind.name and other.parameters[key] != value:
            there = kind.sentence(key, other.parameters)
        must = key in draft.document and not at_off(kind, key, value)
        sentence = said(kind, ruleset.parameters if key not in draft.document else draft.document, key)
        rules.append(SilentRule(key, kind.title_of(key), sentence, there, must))
    return sorted(rules, key=lambda one: not one.must)


def readings_to_compare(draft: Draft) -> list[Reading]:
    """Readings of the family that can be played: those of the draft's own game first, then those whose rules are most
    like what it says so far."""
    rulesets = newest_rulesets(Reading.objects.values_list("slug", flat=True))
    rows = Reading.objects.select_related("game").order_by("title")
    fitting = [one for one in rows if one.slug in rulesets and rulesets[one.slug].family == draft.document["family"]]

    def place(one: Reading) -> tuple[bool, int, str]:
        there = rulesets[one.slug].parameters
        alike = sum(there.get(key) == value for key, value in draft.document.items())
        return one.game_id != draft.game_id, -alike, one.title

    return sorted(fitting, key=place)
