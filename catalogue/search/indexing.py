"""The index is written here: for some things that were changed, or for all of them anew.

Rows that are saved or deleted one by one are followed by signals (`catalogue.search.signals`). Who writes many rows
at once, without signals, calls `index_missing` or `index_changed` when they are written.
"""

import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from catalogue.models import Evidence, SearchAspect, SearchAspectValue, SearchEdition, SearchEntry, SearchTerm
from catalogue.models.fields import insert
from catalogue.search.documents import DOCUMENTS, Document, documents, rows_of
from catalogue.search.words import form_of, sort_key, stem_of, tokens, words_of

# How words are compared and what of a thing is indexed. Whoever changes either raises it by one: `load_fixtures`, which
# ends every upgrade, then makes anew what an earlier release indexed.
WORDS = 2
AT_ONCE = 500  # things that are read, and written, together
# Which facets' values make up which aspect. What is known of the same thing goes together: fewer sets are counted.
ASPECTS = {
    "nature": ("kind", "type", "rulesets", "claims", "uncertainty"),
    "subject": ("game", "family"),
    "whereabouts": ("place", "region"),
    "times": ("period",),
    "origins": ("source",),
}
Values = tuple[tuple[str, str], ...]
COLUMNS = [field.attname for field in SearchEntry._meta.concrete_fields if not field.primary_key]


@dataclass(frozen=True, slots=True)
class Indexed:
    """The numbers of entries of each kind, and of the words in them."""

    entries: dict[str, int]
    terms: int


def rebuild() -> Indexed:
    """Rebuild the index in one transaction, so that nobody sees half of it."""
    with transaction.atomic():
        for model in (SearchEntry, SearchAspectValue, SearchAspect, SearchTerm):
            model.objects.all().delete()
        terms: Counter[str] = Counter()
        entries: Counter[str] = Counter()
        for kind in DOCUMENTS:
            for keys in _in_batches(_keys(kind)):
                entries[kind] += len(_write(kind, keys, terms))
        _write_terms(terms)
        _new_edition(words=WORDS)
    with connection.cursor() as cursor:
        for model in (SearchEntry, SearchAspectValue, SearchTerm):
            cursor.execute(f"ANALYZE {model._meta.db_table}")  # so that the database knows how it is best asked
    return Indexed({kind: entries[kind] for kind in DOCUMENTS}, len(terms))


def index_changed(changed: Mapping[str, Iterable[int]] | None = None) -> None:
    """Brings the index up to date after rows were written without signals.

    changed: kind → primary keys of things that were made, changed or deleted; without it, everything
    """
    if changed is None:
        rebuild()
        return
    with transaction.atomic():
        for kind, keys in changed.items():
            for some in _in_batches(sorted(set(keys))):
                refresh(kind, some)
        _new_edition()


def index_missing(changed_games: Iterable[int] = ()) -> None:
    """Adds what has no entry yet, as after an import that changes nothing that was there before.

    changed_games: primary keys of games of which more is known now
    """
    changed: dict[str, set[int]] = {kind: set() for kind in DOCUMENTS}
    changed["game"].update(changed_games)
    for kind in DOCUMENTS:
        held = SearchEntry.objects.filter(kind=kind, object_id=OuterRef("pk"))
        changed[kind].update(rows_of(kind).filter(~Exists(held)).values_list("pk", flat=True))
    new = changed["record"]
    for some in _in_batches(sorted(new)):  # their games may be of further places now
        changed["game"].update(Evidence.objects.filter(pk__in=some).values_list("game", flat=True))
    index_changed(changed)


def _new_edition(**made: int) -> None:
    """Draw a new number of the index, so that nothing counted before holds; no two databases share one."""
    drawn = {"number": secrets.randbits(62), **made}
    SearchEdition.objects.update_or_create(pk=1, defaults=drawn, create_defaults={**drawn, "words": WORDS})


def is_of_today() -> bool:
    """Return whether the index, if there is one, was made as this release makes it."""
    return not SearchEdition.objects.exclude(words=WORDS).exists()


def refresh(kind: str, keys: Sequence[int]) -> None:
    """The entries of these things as they are now; those that are gone lose theirs."""
    terms: Counter[str] = Counter()
    gone = set(keys) - _write(kind, keys, terms)
    if gone:
        SearchEntry.objects.filter(kind=kind, object_id__in=gone).delete()
    _write_terms(terms)


def missing() -> dict[str, tuple[int, int]]:
    """Kind → (entries, things), where the two differ in number."""
    counts = {kind: (SearchEntry.objects.filter(kind=kind).count(), rows_of(kind).count()) for kind in DOCUMENTS}
    return {kind: (entries, things) for kind, (entries, things) in counts.items() if entries != things}


def _keys(kind: str) -> Iterator[int]:
    return iter(rows_of(kind).order_by("pk").values_list("pk", flat=True).iterator(chunk_size=10_000))


def _in_batches(keys: Iterable[int]) -> Iterator[list[int]]:
    rest = iter(keys)
    while some := list(islice(rest, AT_ONCE)):
        yield some


def _write(kind: str, keys: Sequence[int], terms: "Counter[str]") -> set[int]:
    """The keys of the things that are there."""
    found = [(document, _values(kind, document)) for document in documents(kind, keys)]
    aspects = _aspects({values for _, of_aspects in found for values in of_aspects.values()})
    rows = []
    for document, of_aspects in found:
        columns = _columns(kind, document, terms)
        columns |= {f"{name}_id": aspects[values] for name, values in of_aspects.items()}
        rows.append([columns[name] for name in COLUMNS])
    insert(SearchEntry, COLUMNS, rows, same=("kind", "object_id"))
    return {document.object_id for document, _ in found}


def _columns(kind: str, document: Document, terms: "Counter[str]") -> dict[str, Any]:
    """The entry without its aspects; its words are counted in `terms`."""
    passages = [(label, text) for label, text in document.passages if text]
    names = [words_of(text) for text in document.names]
    heads = [*names, *(words_of(text) for text in document.heads)]
    every = [*heads, *(words_of(text) for _, text in passages)]
    words = tokens(every)
    terms.update({*map(form_of, set(chain.from_iterable(every)))} - {""})
    undated = SearchEntry.UNDATED
    earliest, latest = document.earliest, document.latest
    return {
        "kind": kind,
        "object_id": document.object_id,
        "standing": list(DOCUMENTS).index(kind) + 1 if document.standing is None else document.standing,
        "sort_name": sort_key(document.sorted_by or document.title),
        "oldest": _first(earliest, latest, undated),
        "newest": -_first(latest, earliest, -undated),
        "length": words.count(" ") + 1,
        "title": document.title[:400],
        "address": document.address[:400],
        "about": document.about,
        "names": tokens(names),
        "heads": tokens(heads),
        "words": words,
        "passages": passages,
    }


def _first(*years: int | None) -> int:
    return next(year for year in years if year is not None)


def _values(kind: str, document: Document) -> dict[str, Values]:
    """Aspect → the values it is made of."""
    facets = {**document.facets, "kind": {kind}}
    return {
        name: tuple((facet, value[:100]) for facet in members for value in sorted(facets.get(facet, ())))
        for name, members in ASPECTS.items()
    }


def _aspects(wanted: Iterable[Values]) -> dict[Values, int]:
    """Primary keys of these aspects; those that are new are made."""
    digests = {_digest(values): values for values in wanted}
    known = dict(SearchAspect.objects.filter(digest__in=digests).values_list("digest", "pk"))
    new = sorted(digests.keys() - known.keys())  # in one order, so that two who write never wait for each other
    if new:
        insert(SearchAspect, ["digest"], ([digest] for digest in new), ignore_conflicts=True)
        made = dict(SearchAspect.objects.filter(digest__in=new).values_list("digest", "pk"))
        rows = ((made[digest], facet, value) for digest in new for facet, value in digests[digest])
        insert(SearchAspectValue, ["aspect_id", "facet", "value"], rows, ignore_conflicts=True)
        known |= made
    return {values: known[digest] for digest, values in digests.items()}


def _digest(values: Values) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def _write_terms(terms: "Counter[str]") -> None:
    """New words; those that are known keep their count."""
    columns = ["form", "stem", "first", "second", "length", "entries"]
    rows = ((form, stem_of(form), form[0], form[1:2], len(form), times) for form, times in sorted(terms.items()))
    insert(SearchTerm, columns, rows, ignore_conflicts=True)
