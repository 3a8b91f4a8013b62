"""Rows of readings as the shipped files have them: what `loading.apparatus` and `load_fixtures` read, written.

Rulesets, readings and the apparatus of a game are written in one order of keys, so that what is loaded from a file and
written again is the same file, byte for byte.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Prefetch

from catalogue.models import Anchor, Answer, Claim, Clause, Game, Question, Reading
from simulator.engine.family import family
from simulator.models import RulesetVersion

Document = dict[str, Any]
SIDES = ("prefix", "suffix")


def as_file(document: Any) -> str:
    """The text of a file of fixtures."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def ruleset_file(version: RulesetVersion) -> Document:
    document = version.ruleset.document
    keys = family(document["family"]).schema["properties"]
    return {
        "slug": version.slug,
        "number": version.number,
        "parent": str(version.parent) if version.parent else None,
        "date": version.date.isoformat(),
        "document": {key: document[key] for key in keys if key in document},
    }


READING_FIELDS = ("slug", "title", "game", "evidence", "authority", "kind", "summary", "encoded_by", "checked_by")


def reading_row(reading: Reading) -> Document:
    """The row of a reading in `readings.json`; what it rests on stands in the apparatus of its game."""
    of_others = {record.identifier: record.game_id != reading.game_id for record in reading.evidence.all()}
    records = [[name] for name in sorted(of_others, key=lambda name: (of_others[name], len(name), name))]
    fields: Document = {name: getattr(reading, name) for name in READING_FIELDS if name not in ("game", "evidence")}
    fields |= {"game": [reading.game.slug], "evidence": records}
    ordered = {name: fields[name] for name in READING_FIELDS} | {"position": reading.position}
    return {"model": "catalogue.reading", "fields": ordered}


def apparatus_file(game: Game) -> Document:
    """Everything that is read from the records of a game: readings with their clauses, questions, claims. A constant
    number of queries."""
    anchors = Anchor.objects.select_related("evidence").order_by("position", "key")
    words = Prefetch("anchors", anchors)
    clauses = Prefetch("clauses", Clause.objects.order_by("position", "slug").prefetch_related(words))
    resting = Prefetch("anchors_of_resting", anchors)
    readings = Reading.objects.filter(game=game).select_related("rests_on").prefetch_related(clauses, resting)
    answers = Prefetch("answers", Answer.objects.order_by("position", "slug").prefetch_related(words))
    questions = Question.objects.filter(game=game).order_by("position", "slug").prefetch_related(answers)
    claims = Claim.objects.filter(game=game).order_by("position", "slug").prefetch_related(words)
    return {
        "game": game.slug,
        "readings": {one.slug: reading_of(one) for one in readings.order_by("position", "slug")},
        "questions": [question_of(one) for one in questions],
        "claims": [_claim(one) for one in claims],
    }


def reading_of(reading: Reading) -> Document:
    clauses = [clause_of(one) for one in reading.clauses.all()]
    if reading.rests_on is None:
        return {"clauses": clauses}
    return {
        "rests_on": reading.rests_on.slug,
        "rests_basis": reading.rests_basis,
        "rests_text": reading.rests_text,
        "rests_words": words_of(reading.anchors_of_resting.all()),
        "clauses": clauses,
    }


def clause_of(clause: Clause) -> Document:
    anchors = list(clause.anchors.all())
    more = {name: getattr(clause, name) for name in ("source", "not_played") if getattr(clause, name)}
    return {
        **{name: getattr(clause, name) for name in ("slug", "parameters", "basis", "text")},
        **more,
        "words": words_of(one for one in anchors if one.stance == Anchor.Stance.SUPPORTS),
        "against": words_of(one for one in anchors if one.stance == Anchor.Stance.CONTRADICTS),
    }


def question_of(question: Question) -> Document:
    idle = {"idle_because": question.idle_because} if question.idle_because else {}
    return {
        **{name: getattr(question, name) for name in ("slug", "title", "text", "parameters")},
        **idle,
        "answers": [
            {
                "slug": one.slug,
                "text": one.text,
                "values": _ordered(one.values, question.parameters),
                "words": words_of(one.anchors.all()),
            }
            for one in question.answers.all()
        ],
    }


def _claim(claim: Claim) -> Document:
    given = {name: getattr(claim, name) for name in ("about_rules", "tests", "limits", "why_not")}
    return {
        **{name: getattr(claim, name) for name in ("slug", "title", "text")},
        "words": words_of(claim.anchors.all()),
        "judged_by": claim.judged_by,
        **{name: value for name, value in given.items() if value},
    }


def words_of(anchors: Iterable[Anchor]) -> list[Document]:
    return [
        {
            "record": one.evidence.identifier,
            "in": one.field,
            "exact": one.exact,
            **{side: getattr(one, side) for side in SIDES if getattr(one, side)},
        }
        for one in anchors
    ]


def _ordered(values: Mapping[str, Any] | None, keys: Sequence[str]) -> Document | None:
    """In the order of the question's keys: a database may keep an object in any."""
    if values is None:
        return None
    known = [key for key in keys if key in values]
    return {key: values[key] for key in (*known, *sorted(set(values) - set(known)))}
