"""Suggestions: names that begin with the letters typed so far, and words that an unknown word may stand for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse
from rapidfuzz.distance import DamerauLevenshtein

from catalogue.models import SearchEntry, SearchTerm
from catalogue.search.documents import SEARCHED
from catalogue.search.query import LONGEST, MOST_WORDS_ASKED, NotUnderstood, Query, Term, parse_query
from catalogue.search.ranking import Holds, entries_with
from catalogue.search.words import form_of, stem_of, words_of
from catalogue.texts.glossary import beginning_with

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


SHOWN = {"game": 4, "record": 4, "source": 2, "term": 3}  # of each kind at most, in this order

OWN_WORD = "word of this catalogue"


@dataclass(frozen=True, slots=True)
class Beginning:
    """kind: in words; about: a line that says what it is, may be empty"""

    kind: str
    title: str
    about: str
    address: str


def beginnings(text: str) -> list[Beginning]:
    """None of a text without a letter, or of one longer than a search may be."""
    words = [word for word in words_of(text[:LONGEST]) if form_of(word)][:MOST_WORDS_ASKED]
    if not words:
        return []
    groups = tuple((Term(word, (stem_of(word),), is_prefix=True),) for word in words)
    found = []
    for kind, most in SHOWN.items():
        rows = SearchEntry.objects.filter(Holds("names", groups), kind=kind).order_by("standing", "sort_name", "id")
        columns = rows.values_list("title", "about", "address")[:most]
        found += [Beginning(SEARCHED[kind].words[0], *row) for row in columns]
    own = beginning_with(text)[: SHOWN["term"]]
    return [*found, *(Beginning(OWN_WORD, one.word, one.text, f"{reverse('term-list')}#{one.slug}") for one in own)]
