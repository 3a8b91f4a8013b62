"""The order of finds, the same on every database.

First come entries that hold all that was asked for in their names, by kind: games, sources, records, rulesets, points
of doubt, claims, rules. Then come those that hold it in their headings, then the others. Where a kind of game is looked
for, or a question names what it asks for, that kind of thing comes before all others. The first `RANKED` finds are
ordered within that by how often the words stand in them against their length (BM25, Robertson and Zaragoza 2009, with
k1 = 1.2 and b = 0.75, a mean length that is fixed, and without a word's rarity when only one is asked for); the finds
beyond them keep the order of the catalogue, by kind and by name. So a page costs the same however many finds there are.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, QuerySet, Sum

from catalogue.models import SearchEntry, SearchTerm
from catalogue.search.backends import by_places, entries_with
from catalogue.search.cache import cached
from catalogue.search.facets import narrowed
from catalogue.search.query import Query, Term

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
    return found + [one.pk for one in _slice(parts, max(start, RANKED), stop)]


def _sorted(rows: "QuerySet[SearchEntry]", query: Query, columns: Sequence[str]) -> "QuerySet[SearchEntry]":
    """Where words were asked for they are looked up first, and what was found is sorted: the entries one after another
    in an order that an index has would each have to be read to see whether it holds the words."""
    return rows.order_by(F("length") * 0, *columns) if query else rows.order_by(*columns)


@dataclass(frozen=True, slots=True)
class _Place:
    pk: int
    part: int
    number: int


def _slice(parts: "Sequence[QuerySet[SearchEntry]]", start: int, stop: int) -> list[_Place]:
    """Of the parts one after another, as if they were one list."""
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
    columns = ("pk", "standing", "words", "length")
    rows = SearchEntry.objects.filter(pk__in=[one.pk for one in places]).values_list(*columns)
    rarities = _rarities(query.positive)
    known = {pk: (standing, _score(query, f" {words} ", length, rarities)) for pk, standing, words, length in rows}

    def rank(one: _Place) -> tuple[int, int, float, int]:
        standing, score = known.get(one.pk, (0, 0.0))
        return one.part, standing if one.part % PLACES == 0 else 0, -score, one.number

    return [one.pk for one in sorted(places, key=rank)]


def _score(query: Query, words: str, length: int, rarities: Mapping[str, float]) -> float:
    bound = K1 * (1 - B + B * length / MEAN_LENGTH)
    score = 0.0
    for group in query.groups:
        for term in group:
            times = words.count(f" {' '.join(term.tokens)} ")
            score += max(rarities[stem] for stem in term.stems) * times * (K1 + 1) / (times + bound)
    return round(score, 9)


def _rarities(terms: Sequence[Term]) -> dict[str, float]:
    """What a word's standing in an entry counts: the fewer entries hold it, the more."""
    stems = {stem for term in terms for stem in term.stems}
    if len(stems) == 1:
        return dict.fromkeys(stems, 1.0)
    known = SearchTerm.objects.filter(stem__in=stems).order_by().values_list("stem").annotate(held=Sum("entries"))
    held = dict(known)
    return {stem: 1 + math.log1p(1_000_000 / (1 + held.get(stem, 0))) for stem in stems}
