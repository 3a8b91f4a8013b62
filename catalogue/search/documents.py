"""What can be found of each kind of thing: its names, what stands above its text, the text, and its facets' values.

Each kind has one function from primary keys to documents, with a constant number of queries for each batch of keys.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db.models import Prefetch, QuerySet

from catalogue import models
from catalogue.geography.old_names import old_names
from catalogue.models.evidence import LONGEST_HEADING, source_words
from catalogue.models.lookup import KINDS, TERM, shown_rows
from catalogue.texts.dates import centuries_of
from simulator.models import RulesetVersion

TRADITIONAL, REFERENCE = 0, 1  # the standing of games; of what is no game its kind's, from 2
LONGEST_SPAN = 250  # centuries: an open or careless date must not stand in thousands of lists


@dataclass(slots=True)
class Document:
    """sorted_by: text that lists by name go by; facets: facet → values, without repetition

    standing: where nothing else tells two finds apart; None for that of its kind
    """

    object_id: int
    title: str
    address: str
    about: str = ""
    sorted_by: str = ""
    names: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    passages: list[tuple[str, str]] = field(default_factory=list)
    earliest: int | None = None
    latest: int | None = None
    facets: dict[str, set[str]] = field(default_factory=dict)
    standing: int | None = None


def _yes(found: bool) -> set[str]:
    return {"yes" if found else "no"}


def _centuries(first: int | None, last: int | None) -> set[str]:
    """The first years of the centuries that may be meant, or the word for none; an open end counts as the other one."""
    start, end = (first if first is not None else last), (last if last is not None else first)
    if start is None or end is None:
        return {"undated"}
    return {str(first_year) for first_year, _ in islice(centuries_of(start, end), LONGEST_SPAN + 1)}


def _about(*parts: object) -> str:
    return " · ".join(str(part) for part in parts if part)[:400]


class _GamesAndPlaces:
    """The families of games and the regions of places that a batch of entries shares."""

    def __init__(self, games: Iterable[int]) -> None:
        slugs: dict[str, int] = dict(models.Reading.objects.filter(game__in=set(games)).values_list("slug", "game"))
        versions = RulesetVersion.objects.filter(slug__in=slugs).order_by("number")
        newest = dict(versions.values_list("slug", "ruleset__family"))
        self.readings, self.families = set(slugs.values()), defaultdict(set)
        for slug, family in newest.items():
            self.families[slugs[slug]].add(family)
        self.places: dict[int, tuple[str, str, int | None, bool]] = {}

    def learn(self, places: Iterable[int]) -> None:
        """These places and all they are part of; a query for each step up."""
        wanted = set(places) - self.places.keys()
        while wanted:
            columns = ("pk", "slug", "name", "part_of", "part_of_is_derived")
            for pk, *place in models.Place.objects.filter(pk__in=wanted).values_list(*columns):
                self.places[pk] = tuple(place)
            above = {self.places[pk][2] for pk in wanted if pk in self.places}
            wanted = {pk for pk in above if pk is not None} - self.places.keys()

    def where(self, places: Iterable[int]) -> tuple[dict[str, set[str]], list[str]]:
        """The facets `place` and `region`, and the names of all of them; a point is found as its country."""
        own, regions, names = set(), set(), []
        for place in places:
            slug, name, above, is_derived = self.places[place]
            own.add(self.places[above][0] if is_derived and above is not None else slug)
            names += [name, *old_names().get(slug, ())]
            seen = {place}
            while above is not None and above not in seen:
                seen.add(above)
                slug, name, next_one, _ = self.places[above]
                regions.add(slug)
                names += [name, *old_names().get(slug, ())]
                above = next_one
        return {"place": own or {"unknown"}, "region": regions}, names

    def of_game(self, game: models.Game) -> dict[str, set[str]]:
        return {"game": {game.slug}, "family": set(self.families.get(game.pk, ()))}


def _games(pks: Sequence[int]) -> Iterator[Document]:
    rows = models.Game.objects.filter(pk__in=pks).select_related("portal").prefetch_related("names", "portal_rulesets")
    near = _GamesAndPlaces(pks)
    places: defaultdict[int, list[int]] = defaultdict(list)
    pairs = (
        models.Evidence.objects.shown()
        .filter(game__in=pks, places__isnull=False)
        .order_by()
        .values_list("game", "places")
    )
    for game_id, place in pairs.distinct():
        places[game_id].append(place)
    near.learn({place for every in places.values() for place in every})
    claimed = set(models.Claim.objects.filter(game__in=pks).values_list("game", flat=True))
    for game in rows:
        where, regions = near.where(sorted(places[game.pk])) if places[game.pk] else ({}, [])
        names = list(game.names.all())
        yield Document(
            game.pk,
            game.name,
            game.get_absolute_url(),
            _about(*(str(name) for name in names)),
            names=[game.name, *(name.name for name in names), *(name.gloss for name in names)],
            heads=[*regions, *near.families.get(game.pk, ())],
            passages=[("about", game.description), *_portal_words(game)],
            facets={
                **near.of_game(game),
                **where,
                "rulesets": _yes(game.pk in near.readings),
                "claims": _yes(game.pk in claimed),
            },
            standing=REFERENCE if game.is_reference else TRADITIONAL,
        )


def _portal_words(game: models.Game) -> Iterator[tuple[str, str]]:
    if hasattr(game, "portal"):
        yield "the Digital Ludeme Project on the game", _sentences(game.portal.description, game.portal.origin)
    for ruleset in game.portal_rulesets.all():
        words = _sentences(ruleset.name, ruleset.native_name, ruleset.summary, ruleset.description, ruleset.rules)
        yield "the Digital Ludeme Project’s rules", words


def _sentences(*texts: str) -> str:
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in texts if text)


def _records(pks: Sequence[int]) -> Iterator[Document]:
    """Return entries of records; what belongs to them is fetched as plain values, being a dozen rows to each."""
    rows = list(models.Evidence.objects.shown().filter(pk__in=pks).select_related("game"))
    games = {row.game_id for row in rows}
    near = _GamesAndPlaces(games)
    placed = models.Evidence.places.through.objects.filter(evidence__in=pks).order_by("place__name")
    places = _grouped(placed.values_list("evidence", "place", "place__name"))
    near.learn({place for some in places.values() for place, _ in some})
    cited = models.Citation.objects.filter(evidence__in=pks).order_by("position")
    citations = _grouped(
        cited.values_list("evidence", "source__key", "source__authors", "source__year", "source__as_printed")
    )
    uncertain = models.EvidenceUncertainty.objects.filter(evidence__in=pks).order_by("factor")
    uncertainties = _grouped(uncertain.values_list("evidence", "factor__slug", "factor__name", "reason"))
    noted = models.EditorsNote.objects.filter(evidence__in=pks).order_by("position", "slug")
    notes = _grouped(noted.values_list("evidence", "text"))
    called = models.GameName.objects.filter(game__in=games).order_by("kind", "name")
    names = _grouped(called.values_list("game", "name"))
    read = set(models.Reading.evidence.through.objects.filter(evidence__in=pks).values_list("evidence", flat=True))
    claimed = set(
        models.Anchor.objects.filter(evidence__in=pks, claim__isnull=False).values_list("evidence", flat=True)
    )
    for row in rows:
        where, place_names = near.where([place for place, _ in places[row.pk]])
        sources = [source_words(*words) for _, *words in citations[row.pk]]
        reasons = [reason for _, _, reason in uncertainties[row.pk]]
        yield Document(
            row.pk,
            f"{row.identifier} · {row.game.name}",
            row.get_absolute_url(),
            _about(
                row.type,
                row.years_in_words,
                *[name for _, name in places[row.pk]],
                *sources,
            ),
            sorted_by=row.identifier,
            names=[row.identifier, row.game.name, *sources],
            heads=[
                *(name for (name,) in names[row.game_id]),
                row.ruleset_name,
                row.type,
                *place_names,
                *sources,
                *(name for _, name, _ in uncertainties[row.pk]),
            ],
            passages=_texts_of(row, reasons, [text for (text,) in notes[row.pk]]),
            earliest=row.year_earliest,
            latest=row.year_latest,
            facets={
                **near.of_game(row.game),
                **where,
                "type": {row.type},
                "period": _centuries(row.year_earliest, row.year_latest),
                "source": {key for key, *_ in citations[row.pk]},
                "uncertainty": {slug for slug, _, _ in uncertainties[row.pk]},
                "rulesets": _yes(row.pk in read),
                "claims": _yes(row.pk in claimed),
            },
        )


def _grouped(rows: Iterable[tuple[Any, ...]]) -> defaultdict[int, list[tuple[Any, ...]]]:
    """First value → the others of each row."""
    found: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for first, *others in rows:
        found[first].append(tuple(others))
    return found


def _texts_of(row: models.Evidence, reasons: Iterable[str], notes: Iterable[str]) -> list[tuple[str, str]]:
    fields = "; ".join(f"{label}: {value}" for label, value in row.other_fields.items() if isinstance(value, str))
    spaces = "; ".join(words for words in (row.ages, row.spaces) if words)
    return [
        ("quotation" if row.is_quoted else "remark on the source", row.quotation),
        ("paraphrase", row.paraphrase),
        *(("why uncertain", reason) for reason in reasons),
        *(("editors’ note", text) for text in notes),
        ("reference", row.reference),
        ("other fields", "; ".join(part for part in (spaces, fields) if part)),
    ]


def _sources(pks: Sequence[int]) -> Iterator[Document]:
    read = models.Citation.objects.filter(source__in=pks, evidence__readings__isnull=False, evidence__withdrawn_on=None)
    with_rulesets = set(read.order_by().values_list("source", flat=True).distinct())
    for row in models.Source.objects.filter(pk__in=pks):
        yield Document(
            row.pk,
            _about(row, row.title),
            row.get_absolute_url(),
            _about(row.container, row.place, row.publisher),
            sorted_by=f"{row.authors or row.as_printed[:LONGEST_HEADING]} {row.year or ''} {row.title}",
            names=[str(row), row.title, row.authors],
            heads=[row.container, row.publisher, row.place],
            passages=[("as printed", row.as_printed), ("editors’ note", row.note)],
            earliest=row.year,
            latest=row.year,
            facets={
                "source": {row.key},
                "period": _centuries(row.year, row.year),
                "rulesets": _yes(row.pk in with_rulesets),
            },
        )


def _rulesets(pks: Sequence[int]) -> Iterator[Document]:
    cited = models.Citation.objects.select_related("source").order_by("position")
    visible = models.Evidence.objects.shown().prefetch_related("places", Prefetch("citations", cited))
    rows = list(
        models.Reading.objects.filter(pk__in=pks).select_related("game").prefetch_related(Prefetch("evidence", visible))
    )
    near = _GamesAndPlaces(row.game_id for row in rows)
    near.learn({place.pk for row in rows for record in row.evidence.all() for place in record.places.all()})
    for row in rows:
        records = list(row.evidence.all())
        places = {place.pk for record in records for place in record.places.all()}
        where, names = near.where(sorted(places)) if places else ({}, [])
        sources = {citation.source for record in records for citation in record.citations.all()}
        facets = {**near.of_game(row.game), **where, "source": {source.key for source in sources}}
        yield Document(
            row.pk,
            row.title,
            row.get_absolute_url(),
            _about(row.get_kind_display(), row.slug),
            names=[row.title, row.slug],
            heads=[row.game.name, row.authority, row.get_kind_display(), *names, *sorted(map(str, sources))],
            passages=[("about", row.summary), ("why it rests on another", row.rests_text)],
            facets=facets,
        )


def _rules(pks: Sequence[int]) -> Iterator[Document]:
    rows = list(models.Clause.objects.filter(pk__in=pks).select_related("reading__game"))
    near = _GamesAndPlaces(row.reading.game_id for row in rows)
    for row in rows:
        yield Document(
            row.pk,
            f"{row.reading.title}: {row.slug.replace('-', ' ')}",
            row.get_absolute_url(),
            _about("a rule", row.get_basis_display()),
            names=[row.slug],
            heads=[row.reading.title, row.reading.game.name, row.source, row.get_basis_display()],
            passages=[("rule", row.text.replace("*", "")), ("parameters", ", ".join(row.parameters))],
            facets=near.of_game(row.reading.game),
        )


def _questions(pks: Sequence[int]) -> Iterator[Document]:
    rows = list(models.Question.objects.filter(pk__in=pks).select_related("game").prefetch_related("answers"))
    near = _GamesAndPlaces(row.game_id for row in rows)
    for row in rows:
        yield Document(
            row.pk,
            row.title.replace("*", ""),
            row.get_absolute_url(),
            _about("an open question", row.game.name),
            names=[row.title],
            heads=[row.game.name],
            passages=[
                ("question", row.text.replace("*", "")),
                *(("answer", answer.text.replace("*", "")) for answer in row.answers.all()),
            ],
            facets=near.of_game(row.game),
        )


def _claims(pks: Sequence[int]) -> Iterator[Document]:
    rows = list(models.Claim.objects.filter(pk__in=pks).select_related("game"))
    near = _GamesAndPlaces(row.game_id for row in rows)
    for row in rows:
        yield Document(
            row.pk,
            row.title.replace("*", ""),
            row.get_absolute_url(),
            _about("a claim", row.game.name, row.get_judged_by_display()),
            names=[row.title],
            heads=[row.game.name],
            passages=[
                ("claim", row.text.replace("*", "")),
                ("why it cannot be tested", row.why_not),
                ("limits", row.limits),
            ],
            facets=near.of_game(row.game),
        )


def _terms(pks: Sequence[int]) -> Iterator[Document]:
    rows = list(models.Term.objects.shown().filter(pk__in=pks).select_related("evidence__game"))
    near = _GamesAndPlaces(row.evidence.game_id for row in rows)
    for row in rows:
        yield Document(
            row.pk,
            row.word,
            row.get_absolute_url(),
            _about(row.meaning, row.language, row.evidence.identifier),
            names=[row.word],
            heads=[row.language, row.evidence.game.name],
            passages=[("meaning", row.meaning), ("words of the record", row.exact)],
            facets=near.of_game(row.evidence.game),
        )


# By the word that a search calls a kind by; in this order where nothing else tells two finds apart.
DOCUMENTS: dict[str, Callable[[Sequence[int]], Iterator[Document]]] = {
    "game": _games,
    "source": _sources,
    "record": _records,
    "ruleset": _rulesets,
    "question": _questions,
    "claim": _claims,
    "rule": _rules,
    "term": _terms,
}
OWN_KINDS = {**KINDS, "ruleset": KINDS["reading"], "rule": KINDS["clause"], "term": TERM}
SEARCHED = {word: OWN_KINDS[word] for word in DOCUMENTS}


def documents(kind: str, pks: Sequence[int]) -> Iterator[Document]:
    """The documents of those rows that exist."""
    return DOCUMENTS[kind](pks)


def rows_of(kind: str) -> "QuerySet[Any]":
    """Return the rows of a kind that are shown."""
    return shown_rows(SEARCHED[kind].model)
