"""What may be meant while it is typed: names that begin with the letters so far, a few of each kind; a query a kind."""

from dataclasses import dataclass

from django.urls import reverse

from catalogue.models import SearchEntry
from catalogue.search.backends import Holds
from catalogue.search.documents import SEARCHED
from catalogue.search.query import LONGEST, MOST_WORDS_ASKED, Term
from catalogue.search.words import form_of, stem_of, words_of
from catalogue.texts.glossary import beginning_with

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
