"""Words of a query as the catalogue writes them: put right, made one or two, and gone on from how they begin."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise

from django.db.models import Q
from rapidfuzz.distance import DamerauLevenshtein

from catalogue import models
from catalogue.search import ranking
from catalogue.search.query import NotUnderstood, Query, Term, parse_query
from catalogue.search.words import form_of, stem_of, words_of

FEW = 25  # finds
MOST_ENDINGS = 50  # words in which a beginning goes on otherwise than the stems that are compared


def with_endings(query: Query) -> Query:
    """The same with the words that begin as a term asks but whose stems do not, as of `country*` the stem `countri`."""
    if not any(term.is_prefix for term in (*query.positive, *query.without)):
        return query
    groups = tuple((*group, *(one for term in group for one in _endings(term))) for group in query.groups)
    without = (*query.without, *(one for term in query.without for one in _endings(term)))
    return replace(query, groups=groups, without=without)


def _endings(term: Term) -> Iterator[Term]:
    """Yield the words that a beginning leads to only by what they are written as; a phrase is taken as it is."""
    if not term.is_prefix or len(term.stems) > 1:
        return
    (form,) = term.stems
    rows = models.SearchTerm.objects.filter(form__startswith=form).exclude(stem__startswith=form)
    for stem in rows.order_by("stem").values_list("stem", flat=True).distinct()[:MOST_ENDINGS]:
        yield Term(stem, (stem,), is_besides=True)


COMPARED = 20_000  # words of the catalogue, the most frequent first
SHORTEST_HALF = 2  # letters, of a word that may be two
MOST_SPACINGS = 6  # of a query that are tried
MOST_DISTANCE = ((4, 1), (8, 2), (60, 3))  # up to so many letters, so many may be wrong


def did_you_mean(query: Query, found: int = 0) -> str | None:
    """The same search with its unknown words put right; None if that finds nothing either.

    found: how many it finds; of few the words are looked at that could be one, of some nothing
    """
    if found:
        few = found < FEW and len(query.groups) > 1 and not query.kind
        return next(filter(_finds_something, _as_one(query)), None) if few else None
    corrected = query.text
    for word, better in _corrections(query):
        corrected = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", better, corrected)  # a form holds no backslash
    return next(
        (text for text in (*_spaced_otherwise(query), corrected) if text != query.text and _finds_something(text)), None
    )


def _finds_something(text: str) -> bool:
    try:
        return ranking.entries_with(parse_query(text)).exists()
    except NotUnderstood:
        return False


def _spaced_otherwise(query: Query) -> Iterator[str]:
    """Yield the same with two words made one, or one made two, as the catalogue writes them."""
    yield from _as_one(query)
    halves = [
        (word, form[:at], form[at:])
        for word, form in ((word, form_of(word)) for word in _words(query))
        for at in range(SHORTEST_HALF, len(form) - SHORTEST_HALF + 1)
    ]
    there = _known({half for _, *pair in halves for half in pair})
    pairs = ((word, f"{first}-{second}") for word, first, second in halves if {first, second} <= there)
    yield from (_written(query, word, better) for word, better in islice(pairs, MOST_SPACINGS))


def _as_one(query: Query) -> Iterator[str]:
    """Yield the same with two words made one that the catalogue knows."""
    joined = [(f"{first} {second}", form_of(first + second)) for first, second in pairwise(_words(query))]
    there = _known({form for _, form in joined})
    yield from islice((_written(query, pair, form) for pair, form in joined if form in there), MOST_SPACINGS)


def _words(query: Query) -> list[str]:
    return [word for group in query.groups for word in words_of(group[0].written)]


def _known(forms: set[str]) -> set[str]:
    """Return those of the words that are in the catalogue."""
    return set(models.SearchTerm.objects.filter(form__in=forms).values_list("form", flat=True)) if forms else set()


def _written(query: Query, words: str, better: str) -> str:
    """Return the query with words put otherwise; what stands between two of them is any sign."""
    pattern = r"\W+".join(map(re.escape, words.split(" ")))
    return re.sub(rf"(?<!\w){pattern}(?!\w)", better, query.text)


def _corrections(query: Query) -> Iterator[tuple[str, str]]:
    words = {word for term in query.positive if not term.is_prefix for word in words_of(term.written)}
    known = set(
        models.SearchTerm.objects.filter(stem__in=[stem_of(word) for word in words]).values_list("stem", flat=True)
    )
    for word in sorted(words):
        if stem_of(word) not in known and (near := nearest_form(form_of(word))):
            yield word, near


def nearest_form(form: str) -> str | None:
    """The word of the catalogue that is fewest letters away: put in, left out, changed, or two changed places."""
    if len(form) < 3:
        return None
    alike = Q(first=form[0]) | Q(second=form[1]) | Q(first=form[1])
    candidates = (
        models.SearchTerm.objects.filter(alike, length__range=(len(form) - 2, len(form) + 2))
        .order_by("-entries", "id")
        .values_list("form", "entries")[:COMPARED]
    )
    most = next(distance for letters, distance in MOST_DISTANCE if len(form) <= letters)
    near = []
    for other, entries in candidates:
        distance = DamerauLevenshtein.distance(form, other, score_cutoff=most)
        if distance <= most:
            near.append((distance, -entries, other))
    return min(near)[2] if near else None
