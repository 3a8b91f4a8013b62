"""The system check of the apparatus: every rule has a clause, every clause a basis, every anchor its words.

It reads the database, because editors work there; where there is none yet it has nothing to say.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.checks import CheckMessage, Error, Warning
from django.db import DatabaseError

from catalogue.analyses.claim_checks import problems_of_test
from catalogue.evidence.clauses import (
    BASES_IN_WORDS,
    ReadingClause,
    clauses_of,
    newest_documents,
    newest_rulesets,
    readings_rested_on,
    resting_in_circles,
)
from catalogue.evidence.reanchoring import broken_anchors
from catalogue.models import Basis, Claim, Clause, Evidence, Question, Reading, Term
from catalogue.models.evidence import TEXTS
from simulator.engine.family import family
from simulator.engine.tables import is_there, is_within, read_place
from simulator.problems import WrongRequest
from simulator.rulesets import SHIPPED, read_file

TOLD = (Basis.STATED, Basis.ENTAILED)
# What a conjecture says that no question puts to the reader; why stands behind it.
NOT_ASKED = "is not asked"
# What only an editor says of a rule. A clause that rests on words of a record says nothing of the kind.
CONJECTURED = re.compile(
    r"conjectur\w*|\bours\b|\bour (?:choice|reading)\b|\bwe (?:put|take|read|let|go)\b"
    r"|\b(?:is|are) read as\b|\b(?:is|are) taken to (?:agree|be|bind|exclude|hold|include|mean|stand)\b"
    r"|\b(?:do|does) not (?:speak|think) of\b|\bsays? only\b|\bis not told\b|\bnothing is told\b",
    re.IGNORECASE,
)


def check_apparatus(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """E001 no basis, E002 words that are not there, E003 a parameter without a clause, E004 a basis without words,
    E005 readings that rest on each other in a circle, E006 a question about parameters there are not, E007 a claim
    with a test that cannot be run, E008 a clause that is told and conjectured at once, E009 a ruleset file that cannot
    be read, E010 a term whose words its record does not print, E011 a conjecture that no question asks, E012 a rule
    that is not played and covers parameters, or a place of a table that its ruleset does not have. W001 a
    reading without a ruleset, W002 a ruleset file without a reading, W003 a reading from a record of another game that
    it does not rest on."""
    try:
        circles: list[CheckMessage] = list(_circles())
        return circles or [
            *_bases(),
            *_anchors(),
            *_uncovered(),
            *_questions(),
            *_unasked(),
            *_claims(),
            *_terms(),
            *_files(),
            *_records(),
        ]
    except DatabaseError:
        return []


def _circles() -> Iterator[Error]:
    for slug in resting_in_circles(readings_rested_on()):
        yield Error(f"reading {slug} rests on itself by way of others", id="catalogue.E005")


def _bases() -> Iterator[Error]:
    for clause in Clause.objects.select_related("reading").prefetch_related("anchors"):
        words = [anchor for anchor in clause.anchors.all() if anchor.stance == anchor.Stance.SUPPORTS]
        if clause.basis not in Basis.values:
            hint = f"One of {', '.join(Basis.values)}."
            yield Error(f"clause {clause} has no basis ({clause.basis!r})", hint=hint, id="catalogue.E001")
        elif clause.basis in BASES_IN_WORDS and not words:
            message = f"clause {clause} is {clause.get_basis_display()}, but no words of a record carry it"
            yield Error(message, hint="Anchor the words, or call it conjecture.", id="catalogue.E004")
        elif clause.basis in TOLD and (ours := CONJECTURED.search(clause.text)):
            message = f"clause {clause} is {clause.get_basis_display()}, and says {ours[0]!r}: two clauses in one"
            yield Error(message, hint="Make it two clauses, each with its basis.", id="catalogue.E008")
        elif clause.basis == Basis.OTHER_SOURCE and not words and not clause.source:
            yield Error(f"clause {clause} is from another source, and names none", id="catalogue.E004")
        if clause.not_played and clause.parameters:
            message = f"clause {clause} is not played, and covers {', '.join(clause.parameters)}"
            yield Error(message, hint="Let it cover nothing, or say that it is played.", id="catalogue.E012")


def _anchors() -> Iterator[Error]:
    for anchor, problem in broken_anchors(Evidence.objects.all()):
        hint = "`manage.py reanchor` proposes where the words stand now."
        yield Error(f"anchor {anchor}: {problem}", hint=hint, id="catalogue.E002")


def _uncovered() -> Iterator[Error]:
    readings = Reading.objects.exclude(kind=Reading.Kind.REFERENCE)
    slugs = list(readings.values_list("slug", flat=True))
    documents = newest_documents(slugs)
    for slug, clauses in clauses_of(slugs).items():
        covered = {key for clause in clauses for key in clause.parameters}
        document = documents.get(slug, {})
        yield from _places(slug, (held for held in clauses if not held.inherited), document)
        missing = [key for key in _rules_of(document) if not any(is_within(key, one) for one in covered)]
        if missing:
            message = f"reading {slug}: no clause says what {', '.join(missing)} rest{'s' * (len(missing) == 1)} on"
            yield Error(message, id="catalogue.E003")


def _places(slug: str, clauses: Iterable[ReadingClause], document: dict[str, Any]) -> Iterator[Error]:
    """Places of tables that clauses cover and the ruleset does not have."""
    for held in clauses:
        for key in held.parameters:
            if len(place := read_place(key)) > 1 and document and not is_there(document, place):
                message = f"clause {held.clause} covers {key}, and {slug} has no such row"
                yield Error(message, hint="Name a row that is there, or the table.", id="catalogue.E012")


def _rules_of(document: dict[str, Any]) -> Iterator[str]:
    """What clauses have to cover: every parameter, and of a table every row."""
    kind = family(document["family"]) if document else None
    for key in document:
        if key != "family" and kind:
            yield from [place for place, _ in kind.rows(key, document)] or [key]


def _questions() -> Iterator[Error]:
    documents = newest_documents(Reading.objects.values_list("slug", flat=True))
    rows = Reading.objects.filter(slug__in=documents).values_list("slug", "game")
    families = {game: family(documents[slug]["family"]) for slug, game in rows}
    for question in Question.objects.select_related("game").prefetch_related("answers"):
        if question.game_id not in families:
            continue
        known = families[question.game_id].schema["properties"]
        for key in question.parameters:
            if key not in known:
                yield Error(f"question {question}: no parameter is called {key!r}", id="catalogue.E006")
        for answer in question.answers.all():
            if answer.values is not None and set(answer.values) != set(question.parameters):
                message = f"answer {answer} must set exactly {', '.join(question.parameters)}"
                yield Error(message, id="catalogue.E006")


def _unasked() -> Iterator[Error]:
    """Conjectures about rules that no question of the game is about, and that do not say why."""
    asked: dict[int, set[str]] = {}
    for game, parameters in Question.objects.values_list("game", "parameters"):
        asked.setdefault(game, set()).update(parameters)
    conjectures = Clause.objects.filter(basis=Basis.CONJECTURE).exclude(reading__kind=Reading.Kind.REFERENCE)
    for clause in conjectures.select_related("reading"):
        is_asked = asked.get(clause.reading.game_id, set()) & set(clause.parameters)
        if clause.parameters and not is_asked and NOT_ASKED not in clause.text:
            message = f"clause {clause} is conjecture, and no question asks it"
            hint = f"Ask it, or say in its text why it {NOT_ASKED}."
            yield Error(message, hint=hint, id="catalogue.E011")


def _claims() -> Iterator[Error]:
    rulesets = newest_rulesets(Reading.objects.values_list("slug", flat=True))
    for claim in Claim.objects.select_related("game"):
        for number, test in enumerate(claim.tests, start=1):
            for problem in problems_of_test(test, rulesets):
                yield Error(f"claim {claim}, test {number}: {problem}", id="catalogue.E007")


def _terms() -> Iterator[Error]:
    for term in Term.objects.select_related("evidence"):
        text = getattr(term.evidence, TEXTS[term.field])
        if term.exact not in text or term.word.casefold() not in term.exact.casefold():
            message = f"term {term}: {term.get_field_display()} of its record does not print {term.word!r} so"
            yield Error(message, hint="Give the words of the record in which it stands.", id="catalogue.E010")


def _files() -> Iterator[CheckMessage]:
    """The ruleset files, and the readings they belong to."""
    readings = set(Reading.objects.values_list("slug", flat=True))
    for path in sorted([*SHIPPED.glob("*.json"), *SHIPPED.glob("reference/*.json")]):
        try:
            slug = read_file(path).slug
        except WrongRequest as problem:
            yield Error(f"ruleset file {path.name}: {problem}", id="catalogue.E009")
        else:
            if readings and slug not in readings:
                hint = "Say in fixtures/readings.json whose reading it is, then load_fixtures."
                yield Warning(f"ruleset {slug}: no reading is called so", hint=hint, id="catalogue.W002")
    for slug in sorted(readings - set(newest_documents(readings))):
        hint = f"Write fixtures/rulesets/{slug}.json, then load_fixtures."
        yield Warning(f"reading {slug} has no ruleset", hint=hint, id="catalogue.W001")


def _records() -> Iterator[CheckMessage]:
    """A reading takes its words from records of its own game, or of a game whose reading it rests on."""
    games = dict(Reading.objects.values_list("slug", "game__slug"))
    above = readings_rested_on()
    cited = Reading.evidence.through.objects.values_list(
        "reading__slug", "evidence__identifier", "evidence__game__slug"
    ).order_by("reading__slug", "evidence__identifier")
    for slug, record, game in cited:
        base: str | None = slug
        resting = set()
        while base is not None:
            resting.add(games.get(base))
            base = above.get(base)
        if game not in resting:
            message = f"reading {slug} is of {games[slug]}, but cites {record}, a record of {game}"
            hint = "Name a record of its game, or say which reading it rests on."
            yield Warning(message, hint=hint, id="catalogue.W003")
