"""The shipped apparatus as rows, and into the database: clauses, questions with answers, claims, and their anchors.

One file a game, `fixtures/apparatus/<game>.json`, written so that a person can read it: words stand under the clause
they carry, and offsets are found here, in the records as they are shipped. What ships no longer is deleted, unless
somebody has changed it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from catalogue.history.histories import LOADED
from catalogue.loading.rows import Key, Loaded, Row, existing_rows, key_of, load_rows, model_of, row
from catalogue.models import LoadedRow
from catalogue.texts.anchors import AnchorProblem, Span, digest_of, locate
from simulator.engine.documents import schema_errors

SCHEMA = json.loads(Path(__file__).with_name("apparatus.schema.json").read_text(encoding="utf-8"))
Texts = Mapping[tuple[str, str], Sequence[str]]  # (record, field) -> texts: the one that words stand in comes first


class ApparatusProblem(ValueError):
    """A file of the apparatus cannot be taken as it is; the message says where and what."""


def check(document: object) -> None:
    """Check a document against `apparatus.schema.json`. Raises ApparatusProblem with every problem."""
    if wrong := schema_errors(document, SCHEMA):
        raise ApparatusProblem("; ".join(wrong))


def plan(document: Mapping[str, Any], texts: Texts) -> Iterator[Row]:
    """The rows of one game's file, owners before their anchors; raises ApparatusProblem."""
    game = document["game"]
    for slug, reading in document["readings"].items():
        yield from _reading(slug, reading, texts)
    for position, question in enumerate(document.get("questions", ()), start=1):
        yield from _question(game, position, question, texts)
    for position, claim in enumerate(document.get("claims", ()), start=1):
        yield from _claim(game, position, claim, texts)


def with_resting(rows: Iterable[Row], documents: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Return rows of readings with the readings that they rest on, each behind the one that it rests on."""
    readings = {slug: one for document in documents for slug, one in document["readings"].items()}
    bases = {slug: one.get("rests_on") for slug, one in readings.items()}

    def completed(given: Row) -> Row:
        slug = given["fields"]["slug"]
        if slug not in readings:
            return given
        resting = {name: readings[slug].get(name, "") for name in ("rests_basis", "rests_text")}
        base = [bases[slug]] if bases[slug] else None
        return {**given, "fields": {**given["fields"], "rests_on": base, **resting}}

    def depth(slug: str) -> int:
        base = bases.get(slug)
        return 1 + depth(base) if base else 0

    return sorted(map(completed, rows), key=lambda given: depth(given["fields"]["slug"]))


def records_named(documents: Iterable[Mapping[str, Any]]) -> set[str]:
    """Identifiers of the records whose words the files use."""
    return {str(node["record"]) for document in documents for node in _objects(document) if "record" in node}


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
    for item in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _objects(item)


def _reading(slug: str, reading: Mapping[str, Any], texts: Texts) -> Iterator[Row]:
    yield from _anchors("reading", (slug,), reading.get("rests_words", ()), "supports", texts)
    for position, clause in enumerate(reading.get("clauses", ()), start=1):
        key = (slug, clause["slug"])
        fields = {
            "source": "",
            "not_played": "",
            **{name: clause[name] for name in clause if name not in ("slug", "words", "against")},
        }
        yield row("clause", **fields, reading=[slug], slug=clause["slug"], position=position)
        yield from _anchors("clause", key, clause.get("words", ()), "supports", texts)
        yield from _anchors("clause", key, clause.get("against", ()), "contradicts", texts)


def _question(game: str, position: int, question: Mapping[str, Any], texts: Texts) -> Iterator[Row]:
    key = (game, question["slug"])
    fields = {"idle_because": {}, **{name: question[name] for name in question if name != "answers"}}
    yield row("question", **fields, game=[game], position=position)
    for place, answer in enumerate(question["answers"], start=1):
        fields = {name: answer[name] for name in ("slug", "text", "values")}
        yield row("answer", **fields, question=list(key), position=place)
        yield from _anchors("answer", (*key, answer["slug"]), answer.get("words", ()), "supports", texts)


def _claim(game: str, position: int, claim: Mapping[str, Any], texts: Texts) -> Iterator[Row]:
    key = (game, claim["slug"])
    fields = {
        "about_rules": False,
        "why_not": "",
        "limits": "",
        "tests": [],
        **{name: claim[name] for name in claim if name != "words"},
    }
    yield row("claim", **fields, game=[game], position=position)
    yield from _anchors("claim", key, claim.get("words", ()), "supports", texts)


def _anchors(owner: str, key: Key, words: Any, stance: str, texts: Texts) -> Iterator[Row]:
    for position, anchor in enumerate(words, start=1):
        name = "/".join((owner, *key, stance, str(position)))
        record, place = anchor["record"], anchor["in"]
        if (record, place) not in texts:
            raise ApparatusProblem(
                f"{name}: there is no text {place!r} of a record {record!r}, neither shipped nor in the database"
            )
        quoted = {"exact": anchor["exact"], **{name: anchor.get(name, "") for name in ("prefix", "suffix")}}
        try:
            text, span = _place(texts[record, place], quoted)
        except AnchorProblem as problem:
            raise ApparatusProblem(f"{name}: {problem}") from problem
        yield row(
            "anchor",
            key=name,
            evidence=[record],
            stance=stance,
            field=place,
            **quoted,
            start=span.start,
            end=span.end,
            text_sha256=digest_of(text),
            position=position,
            **{owner: list(key)},
        )


def _place(texts: Sequence[str], quoted: Mapping[str, str]) -> tuple[str, Span]:
    """Return the first text that the words stand in, and where. Raises AnchorProblem, about the last of them."""
    for text in texts[:-1]:
        with suppress(AnchorProblem):
            return text, locate(text, **quoted)
    return texts[-1], locate(texts[-1], **quoted)


# In the order in which they name each other.
ORDER = ("catalogue.clause", "catalogue.question", "catalogue.answer", "catalogue.claim", "catalogue.anchor")


def ordered(rows: Iterable[Row]) -> list[Row]:
    """The rows of files, each after those that it names."""
    return sorted(rows, key=lambda row: ORDER.index(row["model"]))


GONE = "No longer among the shipped fixtures"


def sync(rows: Iterable[Row], loaded: Loaded) -> None:
    """Write the rows, and delete rows that ship no longer, within a transaction of the caller's.

    Adds to `loaded`; raises RowProblem.
    """
    every = list(rows)
    planned = {name: [row for row in every if row["model"] == name] for name in ORDER}
    for name in reversed(ORDER):
        _delete_unknown(name, {key_of(row) for row in planned[name]})
    for name in ORDER:
        load_rows(planned[name], loaded, bring_up_to_date=True)


def _delete_unknown(name: str, wanted: set[Key]) -> None:
    """Delete rows that an earlier load wrote, that this one does not know, and that nobody has changed since."""
    model: Any = model_of(name)
    gone = {tuple(mark.natural_key.split(" ")): mark for mark in LoadedRow.objects.filter(model=name)}
    for key, instance in existing_rows(model, set(gone) - wanted).items():
        if instance.history.latest().history_change_reason == LOADED:
            instance._change_reason = GONE
            instance.delete()
            gone[key].delete()
