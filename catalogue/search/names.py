"""Games, places, sources and records by their names alone: for tables of others that are held against the catalogue."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz, process

from catalogue.geography.old_names import old_names
from catalogue.models import Evidence, Game, GameName, Place, Source
from catalogue.models.changes import content_version, table_of
from catalogue.models.lookup import KIND_OF
from catalogue.search.words import form_of, words_of

RECONCILED = ("game", "place", "source", "record")  # kinds of rows
READ = (Evidence, Game, GameName, Place, Source)
LEAST = 60.0  # of 100: what is less alike is no candidate


@dataclass(frozen=True, slots=True)
class Named:
    """A row under one of its names. kind, key: its identifier; about: in a line, what it is"""

    kind: str
    key: str
    name: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """score: how alike the names are, of 100; is_match: the same words, and no other row is called so"""

    named: Named
    score: float
    is_match: bool


def as_words(text: str) -> str:
    """Return the words of a name as searches compare them: without accents, capitals and signs."""
    return " ".join(form_of(word) for word in words_of(text))


def candidates(name: str, kinds: Iterable[str], most: int) -> list[Candidate]:
    """Return the rows whose names are most like this one, in whatever order its words stand, the most alike first."""
    wanted, sought = _in_any_order(as_words(name)), set(kinds)
    every, _, sorted_words = _by_name(content_version(map(table_of, READ)))
    best: dict[tuple[str, str], tuple[float, Named]] = {}
    for _, score, place in process.extract(wanted, sorted_words, scorer=fuzz.ratio, limit=None, score_cutoff=LEAST):
        one = every[place]
        if one.kind in sought:
            best.setdefault((one.kind, one.key), (score, one))
    same = sum(score == 100 for score, _ in best.values())
    ordered = sorted(best.values(), key=lambda pair: (-pair[0], pair[1].kind, pair[1].key))
    return [Candidate(one, round(score, 1), score == 100 and same == 1) for score, one in ordered[:most]]


def beginning_with(prefix: str, kinds: Iterable[str], most: int) -> list[Named]:
    """Return the rows one of whose names has a word that begins so, each once."""
    wanted, sought = as_words(prefix), set(kinds)
    every, words, _ = _by_name(content_version(map(table_of, READ)))
    found: dict[tuple[str, str], Named] = {}
    for one, form in zip(every, words, strict=True):
        if one.kind in sought and f" {wanted}" in f" {form}":
            found.setdefault((one.kind, one.key), one)
    return sorted(found.values(), key=lambda one: (RECONCILED.index(one.kind), one.title, one.key))[:most]


def _in_any_order(words: str) -> str:
    return " ".join(sorted(words.split()))


@lru_cache(1)
def _by_name(state: str) -> tuple[list[Named], list[str], list[str]]:
    """Return all names, the words of each, and these sorted, which is compared a fifth as long as by the library.

    state: of the tables that the names stand in
    """
    every = [*_games(), *_places(), *_sources(), *_records()]
    words = [as_words(one.name) for one in every]
    return every, words, list(map(_in_any_order, words))


def _games() -> Iterator[Named]:
    for game in Game.objects.prefetch_related("names").order_by("slug"):
        about = "Game of published rules" if game.is_reference else "Game"
        for name in dict.fromkeys([game.name, *(other.name for other in game.names.all())]):
            yield Named(KIND_OF[Game].name, game.slug, name, game.name, about)


def _places() -> Iterator[Named]:
    for place in Place.objects.order_by("slug"):
        for name in (place.name, *old_names().get(place.slug, ())):
            yield Named(KIND_OF[Place].name, place.slug, name, place.name, place.get_kind_display())


def _sources() -> Iterator[Named]:
    for source in Source.objects.order_by("key"):
        for name in filter(None, (str(source), source.title, source.as_printed, source.key)):
            yield Named(KIND_OF[Source].name, source.key, name, str(source), source.title)


def _records() -> Iterator[Named]:
    for record in (
        Evidence.objects.shown().select_related("game").order_by("pk").only("identifier", "type", "game__name")
    ):
        for name in (record.identifier, f"{record.game.name} {record.identifier}"):
            yield Named(KIND_OF[Evidence].name, record.identifier, name, record.identifier, record.game.name)
