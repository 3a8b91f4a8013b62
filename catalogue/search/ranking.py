"""Which entries match a query, in which order, and how many of them have each value of each facet.

First come entries that hold the whole query in their names, those that hold it as it is written before those that
hold synonyms, by kind: games, sources, records, rulesets, questions, claims, rules; reference games stand behind the
others. Then come those that hold it in their headings, then the others. Where a kind of game is looked for,
or a question names what it asks for, that kind of thing comes before all others. The first `RANKED` finds are
ordered within that by how often the words stand in them against their length (BM25, Robertson and Zaragoza 2009,
with k1 = 1.2 and b = 0.75, a mean length that is fixed, and without a word's rarity when only one is asked for); the
finds beyond them keep the order of the catalogue, by kind and by name. So a page costs the same however many finds
there are, and the order is the same on every database.

This is the one module where the two databases are asked differently. The tokens that go into an expression are
letters and digits only (`words.token_of`), so that nothing in them is syntax. What takes longer than `LONG` is kept
in the cache until the index changes.
"""

import hashlib
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import BooleanField, F, Func, QuerySet, Sum

from catalogue.models import SearchAspect, SearchAspectValue, SearchEdition, SearchEntry, SearchTerm
from catalogue.search.documents import REFERENCE, TRADITIONAL
from catalogue.search.indexing import ASPECTS
from catalogue.search.query import Query, Term

LOOKUP = "catalogue_searchlookup"


class Holds(Func):
    """A condition that a column of the index holds an expression, by the database's own index of words."""

    def __init__(self, column: str, groups: tuple[tuple[Term, ...], ...], without: tuple[Term, ...] = ()) -> None:
        super().__init__(F("id"), output_field=BooleanField())
        self.column, self.groups, self.without = column, groups, without

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, tuple[str, ...]]:  # type: ignore[override]
        key, _given = compiler.compile(self.source_expressions[0])
        if connection.vendor == "sqlite":
            return f"{key} IN (SELECT rowid FROM {LOOKUP} WHERE {LOOKUP} MATCH %s)", (self._in_sqlite(),)
        table = key.rpartition(".")[0]  # of the query it stands in, which may be within another
        return f"{table}.{self.column}_lookup @@ %s::tsquery", (self._in_postgresql(),)

    def _in_sqlite(self) -> str:
        wanted = " AND ".join(f"({' OR '.join(map(_for_sqlite, group))})" for group in self.groups)
        unwanted = "".join(f" NOT {_for_sqlite(term)}" for term in self.without)
        return f"{self.column} : (({wanted}){unwanted})"

    def _in_postgresql(self) -> str:
        groups = (" | ".join(map(_for_postgresql, group)) for group in self.groups)
        unwanted = (f"!{_for_postgresql(term)}" for term in self.without)
        return " & ".join([*(f"({group})" for group in groups), *unwanted])


def _for_sqlite(term: Term) -> str:
    return f'"{" ".join(term.tokens)}"{" *" * term.is_prefix}'


def _for_postgresql(term: Term) -> str:
    return f"({' <-> '.join(term.tokens)}{':*' * term.is_prefix})"


@contextmanager
def word_by_word(query: Query) -> Iterator[None]:
    """Makes PostgreSQL look words up in its index: it does not reckon with the cost of reading the tokens of an entry.

    SQLite has no other way anyway.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL work_mem = '32MB'")
        if query:
            cursor.execute("SET LOCAL enable_seqscan = off")
        yield


def entries_with(query: Query) -> "QuerySet[SearchEntry]":
    """Return the entries that match the query; all of them, if it is empty."""
    rows = SearchEntry.objects.order_by()
    return rows.filter(Holds("words", query.groups, query.without)) if query.groups else _without(rows, query)


def _without(rows: "QuerySet[SearchEntry]", query: Query) -> "QuerySet[SearchEntry]":
    """An index finds what is there, not what is absent."""
    return rows.exclude(pk__in=_all_with("words", (query.without,))) if query.without else rows


def _all_with(column: str, groups: tuple[tuple[Term, ...], ...]) -> Any:
    return SearchEntry.objects.order_by().filter(Holds(column, groups)).values("pk")


Entries = QuerySet[SearchEntry]


def by_places(query: Query, narrow: Callable[[Entries], Entries]) -> list[Entries]:
    """Return the matches in the names, in the headings, and only in the text; each is looked up by itself.

    narrow: keeps of some entries those that are wanted
    """
    every = narrow(SearchEntry.objects.order_by())
    in_names = _without(every.filter(Holds("names", query.groups)), query)
    in_heads = _without(every.filter(Holds("heads", query.groups)), query)
    return [
        in_names,
        in_heads.exclude(pk__in=_all_with("names", query.groups)),
        narrow(entries_with(query)).exclude(pk__in=_all_with("heads", query.groups)),
    ]


LONG = 0.05  # seconds: what takes less is not worth keeping
KEPT_SECONDS = 3_600
Kept = TypeVar("Kept")


def cached(of: object, make: Callable[[], Kept]) -> Kept:
    """Return the result of `make`, cached. of: all that it depends on besides the index itself"""
    edition = SearchEdition.objects.values_list("number", flat=True).first() or 0
    key = f"search-{hashlib.sha256(repr((edition, of)).encode()).hexdigest()}"
    known: Kept | None = cache.get(key)
    if known is None:
        begun = time.perf_counter()
        known = make()
        if time.perf_counter() - begun >= LONG:
            cache.set(key, known, KEPT_SECONDS)
    return known


# As the page shows them, from what a thing is to what is known of it.
TITLES = {
    "kind": "Kind",
    "type": "Type of record",
    "place": "Place",
    "region": "Region",
    "period": "Period",
    "game": "Game",
    "family": "Family of games",
    "source": "Source",
    "rulesets": "Has rulesets",
    "claims": "Has claims",
    "uncertainty": "Uncertainty",
}
ASPECT_OF = {facet: aspect for aspect, facets in ASPECTS.items() for facet in facets}
Counts = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Counted:
    """total: of all finds; of: facet → value → finds, a facet's own choice not being counted against its values"""

    total: int
    of: Counts


def narrowed(rows: "QuerySet[SearchEntry]", chosen: Mapping[str, str]) -> "QuerySet[SearchEntry]":
    """The rows that have all the chosen values."""
    for facet, value in chosen.items():
        having = SearchAspectValue.objects.filter(facet=facet, value=value).values("aspect")
        rows = rows.filter(**{f"{ASPECT_OF[facet]}__in": having})
    return rows


def counted(rows: "QuerySet[SearchEntry]", chosen: Mapping[str, str]) -> Counted:
    """Count facets. rows: the entries that match the query"""
    statement, parameters = _statement(rows, chosen)
    return cached((statement, parameters), lambda: _counted(statement, parameters, chosen))


def _counted(statement: str, parameters: list[str], chosen: Mapping[str, str]) -> Counted:
    found: Counts = {facet: {} for facet in TITLES}
    total = 0
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        for own, facet, value, number in cursor.fetchall():
            if own == (facet if facet in chosen else ""):
                found[facet][value] = int(number)
            if own == "" and facet == "kind":
                total += int(number)  # everything is of one kind
    return Counted(total, found)


def _statement(rows: "QuerySet[SearchEntry]", chosen: Mapping[str, str]) -> tuple[str, list[str]]:
    """SQL for rows of (own, facet, value, number): `own` names the facet whose own choice is not counted, if any."""
    inner, given = rows.values(*(f"{aspect}_id" for aspect in ASPECTS)).query.sql_with_params()
    values = SearchAspectValue._meta.db_table
    parts, parameters = [], list(map(str, given))
    tables = [f"found AS MATERIALIZED ({inner})"]
    for number, own in enumerate(("", *chosen)):
        others = {facet: value for facet, value in chosen.items() if facet != own}
        conditions = [
            f"{ASPECT_OF[facet]}_id IN (SELECT aspect_id FROM {values} WHERE facet = %s AND value = %s)"
            for facet in others
        ]
        parameters += [word for choice in others.items() for word in choice]
        table = "found"
        if conditions:
            table = f"found_{number}"
            tables.append(f"{table} AS MATERIALIZED (SELECT * FROM found WHERE {' AND '.join(conditions)})")
        parts += [
            f"SELECT '{own}' AS own, {aspect}_id AS aspect, COUNT(*) AS number FROM {table} GROUP BY {aspect}_id"
            for aspect in ([ASPECT_OF[own]] if own else ASPECTS)
        ]
    statement = (
        f"WITH {', '.join(tables)}, counts AS MATERIALIZED ({' UNION ALL '.join(parts)}) "
        f"SELECT c.own, v.facet, v.value, SUM(c.number) FROM counts c JOIN {values} v ON v.aspect_id = c.aspect "
        "GROUP BY c.own, v.facet, v.value"
    )
    return statement, parameters


def values_of(facet: str) -> "QuerySet[Any]":
    """Return the values that entries have."""
    held = SearchAspect.objects.filter(pk__in=SearchEntry.objects.values(ASPECT_OF[facet])).values("pk")
    known = SearchAspectValue.objects.filter(facet=facet, aspect__in=held).order_by("value")
    return known.values_list("value", flat=True).distinct()


RANKED = 500
PLACES = 3  # names, headings, texts
K1, B, MEAN_LENGTH = 1.2, 0.75, 400
IN_CATALOGUE = ("standing", "sort_name", "id")
SORTS = {
    "relevance": IN_CATALOGUE,
    "name": ("sort_name", "standing", "id"),
    "year": ("oldest", "standing", "sort_name", "id"),
    "newest": ("newest", "standing", "sort_name", "id"),
}


def in_order(query: Query, chosen: Mapping[str, str], sort: str, start: int, stop: int) -> list[int]:
    """The primary keys of the finds from `start` to before `stop`."""
    if sort != "relevance" or not query.groups:
        rows = _sorted(narrowed(entries_with(query), chosen), query, SORTS[sort]).values_list("pk", flat=True)
        return cached((query.groups, query.without, chosen, sort, start, stop), lambda: list(rows[start:stop]))
    parts = [_sorted(part, query, IN_CATALOGUE) for part in by_places(query, lambda rows: narrowed(rows, chosen))]
    if query.kind and "kind" not in chosen:
        parts = [part.filter(kind=query.kind) for part in parts] + [part.exclude(kind=query.kind) for part in parts]
    found: list[int] = []
    if start < RANKED:
        key = query.groups, query.without, query.kind, chosen, RANKED
        first = cached(key, lambda: _by_score(query, _slice(parts, 0, RANKED)))
        found = first[start:stop]
        if len(first) < RANKED:
            return found
    return found + [entry.pk for entry in _slice(parts, max(start, RANKED), stop)]


def _sorted(rows: "QuerySet[SearchEntry]", query: Query, columns: Sequence[str]) -> "QuerySet[SearchEntry]":
    """Sort entries; with words these are looked up first, and the matches sorted: the entries one after another
    in an order that an index has would each have to be read to see whether it holds the words."""
    return rows.order_by(F("length") * 0, *columns) if query else rows.order_by(*columns)


@dataclass(frozen=True, slots=True)
class _Place:
    pk: int
    part: int
    number: int


def _slice(parts: "Sequence[QuerySet[SearchEntry]]", start: int, stop: int) -> list[_Place]:
    """A slice of the parts one after another, as if they were one list."""
    found: list[_Place] = []
    for part, rows in enumerate(parts):
        if start >= stop:
            break
        keys = list(rows.values_list("pk", flat=True)[start:stop])
        found += [_Place(pk, part, len(found) + place) for place, pk in enumerate(keys)]
        passed = start + len(keys) if keys or not start else rows.count()
        start, stop = max(start - passed, 0), stop - passed
    return found


def _by_score(query: Query, places: Sequence[_Place]) -> list[int]:
    columns = ("pk", "standing", "names", "words", "length")
    rows = SearchEntry.objects.filter(pk__in=[place.pk for place in places]).values_list(*columns)
    rarities = _rarities(query.positive)
    known = {
        pk: (standing, not _is_named(query, f" {names} "), _score(query, f" {words} ", length, rarities))
        for pk, standing, names, words, length in rows
    }

    def rank(one: _Place) -> tuple[int, bool, int, float, int]:
        standing, otherwise, score = known.get(one.pk, (0, True, 0.0))
        in_names = one.part % PLACES == 0
        kind = standing if in_names or standing == REFERENCE else TRADITIONAL
        return one.part, in_names and otherwise, kind, -score, one.number

    return [place.pk for place in sorted(places, key=rank)]


def _is_named(query: Query, names: str) -> bool:
    """Return whether names hold the query as it is written, without synonyms."""
    return all(any(_times(term, names) for term in group if not term.is_synonym) for group in query.groups)


def _times(term: Term, words: str) -> int:
    return words.count(f" {' '.join(term.tokens)}{'' if term.is_prefix else ' '}")


def _score(query: Query, words: str, length: int, rarities: Mapping[str, float]) -> float:
    bound = K1 * (1 - B + B * length / MEAN_LENGTH)
    score = 0.0
    for group in query.groups:
        for term in group:
            times = _times(term, words)
            score += max(rarities[stem] for stem in term.stems) * times * (K1 + 1) / (times + bound)
    return round(score, 9)


def _rarities(terms: Sequence[Term]) -> dict[str, float]:
    """Return the weight of each word: the fewer entries hold it, the more."""
    stems = {stem for term in terms for stem in term.stems}
    if len(stems) == 1:
        return dict.fromkeys(stems, 1.0)
    known = SearchTerm.objects.filter(stem__in=stems).order_by().values_list("stem").annotate(held=Sum("entries"))
    held = dict(known)
    return {stem: 1 + math.log1p(1_000_000 / (1 + held.get(stem, 0))) for stem in stems}
