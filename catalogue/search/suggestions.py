"""What may have been meant by a word that stands nowhere in the catalogue."""

import re
from collections.abc import Iterator

from django.db.models import Q
from rapidfuzz.distance import DamerauLevenshtein

from catalogue.models import SearchTerm
from catalogue.search.backends import entries_with
from catalogue.search.query import NotUnderstood, Query, parse_query
from catalogue.search.words import form_of, stem_of, words_of

COMPARED = 20_000  # words of the catalogue, the most frequent first
MOST_DISTANCE = ((4, 1), (8, 2), (60, 3))  # up to so many letters, so many may be wrong


def did_you_mean(query: Query) -> str | None:
    """The same search with its unknown words put right; None if that finds nothing either."""
    text = query.text
    for word, better in _put_right(query):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", better, text)  # a form holds no backslash
    if text == query.text:
        return None
    try:
        found = entries_with(parse_query(text)).exists()
    except NotUnderstood:
        return None
    return text if found else None


def _put_right(query: Query) -> Iterator[tuple[str, str]]:
    words = {word for term in query.positive for word in words_of(term.written)}
    known = set(SearchTerm.objects.filter(stem__in=[stem_of(word) for word in words]).values_list("stem", flat=True))
    for word in sorted(words):
        if stem_of(word) not in known and (near := nearest_form(form_of(word))):
            yield word, near


def nearest_form(form: str) -> str | None:
    """The word of the catalogue that is fewest letters away: put in, left out, changed, or two changed places."""
    if len(form) < 3:
        return None
    alike = Q(first=form[0]) | Q(second=form[1]) | Q(first=form[1])
    candidates = (
        SearchTerm.objects.filter(alike, length__range=(len(form) - 2, len(form) + 2))
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
