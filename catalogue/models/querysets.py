"""Queries of the pages, each a constant number however many rows there are; and what a ruleset is called in words.

A hash says nothing to a reader. Rules that nobody reads from a source are called after the reading that they are
nearest to, and what they have otherwise: "Puhulmutu, after Parker, but: a single counter may not begin a turn".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Case, Count, Manager, OuterRef, Prefetch, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, JSONObject

from catalogue import models
from catalogue.models.analyses import BY_TWO_PLAYERS
from catalogue.models.candidate_names import board_key, boards_of_sets, candidate_name
from catalogue.models.evidence import heading
from catalogue.models.observations import POINTS
from catalogue.models.playability import with_playability
from catalogue.texts.formatting import listed, lowered
from simulator import rulesets
from simulator.batches import levels
from simulator.engine.family import NOT_ARISING, family
from simulator.models import Batch, Plot, Ruleset, RulesetVersion


@dataclass(frozen=True, slots=True)
class ReadingWithVersion:
    """A reading as listed beside a record, with the version it names and the batch that shows how it plays."""

    reading: models.Reading
    version: RulesetVersion | None
    batch: Batch | None = None


def evidence_rows() -> "QuerySet[models.Evidence]":
    """Evidence for a list: its game, places and sources."""
    return evidence_with_game().prefetch_related("places", _citations())


def evidence_with_game() -> "QuerySet[models.Evidence]":
    return models.Evidence.objects.shown().select_related("game")


def evidence_with_everything() -> "QuerySet[models.Evidence]":
    return with_playability(evidence_rows()).prefetch_related(
        Prefetch("uncertainties", models.EvidenceUncertainty.objects.select_related("factor").order_by("factor__name")),
        Prefetch("notes", models.EditorsNote.objects.order_by("position", "slug")),
    )


def _citations() -> "Prefetch[str, QuerySet[models.Citation], str]":
    return Prefetch("citations", models.Citation.objects.select_related("source").order_by("position"))


def cited(records: "QuerySet[models.Evidence]") -> "QuerySet[models.Evidence]":
    """The same records with their sources at hand."""
    return records.prefetch_related(_citations())


def games_with_names() -> "QuerySet[models.Game]":
    return models.Game.objects.prefetch_related(Prefetch("names", models.GameName.objects.select_related("evidence")))


def game_rows() -> "QuerySet[models.Game]":
    """Games with their names and the numbers of their records and readings."""
    return (
        games_with_names()
        .annotate(
            records=_number_of(models.Evidence.objects.shown(), "game"),
            rulesets=_number_of(models.Reading.objects, "game"),
        )
        .order_by("name")
    )


def executable(games: "QuerySet[models.Game]", wanted: bool) -> "QuerySet[models.Game]":
    """The games that have a reading, or those that have none."""
    read = models.Reading.objects.values("game")
    return games.filter(pk__in=read) if wanted else games.exclude(pk__in=read)


def place_rows() -> "QuerySet[models.Place]":
    """Places with the number of records that are from there, or from a part of it."""
    own_or_part = models.Place.objects.filter(Q(pk=OuterRef(OuterRef("pk"))) | Q(part_of=OuterRef(OuterRef("pk"))))
    placed: QuerySet[Any] = models.Evidence.places.through.objects.filter(place__in=own_or_part.order_by().values("pk"))
    counted = (
        placed.filter(evidence__withdrawn_on=None)
        .order_by()
        .values(every=Value(1))
        .annotate(number=Count("evidence", distinct=True))
        .values("number")
    )
    return (
        models.Place.objects.select_related("part_of").order_by("name").annotate(records=Coalesce(Subquery(counted), 0))
    )


def of_place(slug: str) -> Q:
    """Records from a place or from a part of it, as from the points that lie in a country."""
    within = models.Place.objects.filter(Q(slug=slug) | Q(part_of__slug=slug)).order_by().values("pk")
    return Q(pk__in=models.Evidence.places.through.objects.filter(place__in=within).values("evidence"))


def source_rows() -> "QuerySet[models.Source]":
    citing = models.Citation.objects.filter(evidence__withdrawn_on=None)
    return models.Source.objects.annotate(records=_number_of(citing, "source")).order_by(heading(), "year", "key")


def _number_of(rows: "QuerySet[Any] | Manager[Any]", link: str) -> Coalesce:
    """Count the rows that point to the current one; evaluated for the rows of the page only, not for all."""
    of_this = (
        rows.filter(**{link: OuterRef("pk")}).order_by().values(link).annotate(number=Count("pk")).values("number")
    )
    return Coalesce(Subquery(of_this), 0)


def citations_of(source: models.Source) -> "QuerySet[models.Citation]":
    shown = source.citations.filter(evidence__withdrawn_on=None)
    return shown.select_related("evidence__game").prefetch_related("evidence__places").order_by("evidence")


def plots_without_drawings() -> "Prefetch[str, QuerySet[Plot], str]":
    return Prefetch("plots", Plot.objects.defer("svg").order_by("place"))


def newest_versions(slugs: Iterable[str]) -> dict[str, RulesetVersion]:
    """Return the newest version of each slug."""
    versions = RulesetVersion.objects.filter(slug__in=list(slugs)).select_related("ruleset").order_by("number")
    return {version.slug: version for version in versions}


def first_readings(games: Iterable[int]) -> dict[int, str]:
    """Game → the slug of its first reading that can be played."""
    loaded = RulesetVersion.objects.values("slug")
    rows = models.Reading.objects.filter(game__in=list(games), slug__in=loaded).order_by("position", "slug")
    return dict(reversed(list(rows.values_list("game", "slug"))))


def cited_clauses() -> "QuerySet[models.Clause]":
    """Clauses with their readings, and the number of the newest version of these (`version_number`), as cited today."""
    versions = RulesetVersion.objects.filter(slug=OuterRef("reading__slug")).order_by("-number").values("number")[:1]
    return models.Clause.objects.select_related("reading").annotate(version_number=Subquery(versions))


def reading_of(version: RulesetVersion) -> models.Reading | None:
    """The reading whose rules a version holds, with its game and records; looked up once for a row."""
    known: dict[str, Any] = version.__dict__
    if "reading" not in known:
        readings = models.Reading.objects.select_related("game", "rests_on").prefetch_related("evidence")
        known["reading"] = readings.filter(slug=version.slug).order_by("pk").first()
    reading: models.Reading | None = known["reading"]
    return reading


def with_versions(readings: "QuerySet[models.Reading]") -> list[ReadingWithVersion]:
    """Readings with the versions they name, without figures: two queries, however many readings."""
    rows = list(readings.select_related("game"))
    versions = newest_versions(reading.slug for reading in rows)
    return [ReadingWithVersion(reading, versions.get(reading.slug)) for reading in rows]


def shown_comparison(readings: Sequence[ReadingWithVersion], level: str, *without: str) -> models.Comparison | None:
    """The newest comparison of just these readings by the players of that level, else of any; None if there is none.

    Those that are withheld are left out.

    level:   "club", or a player who is of none; in every seat
    without: fields that are not read
    """
    names = [read.reading.slug for read in readings]
    done = models.Comparison.objects.filter(state=models.Comparison.State.DONE, names=names).defer("plot", *without)
    done = done.filter(version__gte=BY_TWO_PLAYERS)
    of_level = Case(When(players__regex=levels.in_every_seat(level), then=Value(0)), default=Value(1))
    # By its id: to bring rows in order, their whole documents would be read.
    newest = done.order_by(of_level, "-closed").values("pk")[:1]
    return done.filter(pk=Subquery(newest)).first() if len(names) > 1 else None


def comparison_rows() -> "QuerySet[models.Comparison]":
    """Comparisons for a list, with the rulesets they compare.

    in_short: {"games", "counted", "players", "sentence"} of the document, which fills a hundred times the memory;
              None for each that it does not have
    """
    told = {name: f"document__{name}" for name in ("games", "counted", "players")}
    in_short = JSONObject(**told, sentence="document__pairs__0__sentence")
    rows = models.Comparison.objects.defer("plot", "document").annotate(in_short=in_short)
    return rows.prefetch_related(compared_rulesets("batch__summary"))


def compared_rulesets(*without: str) -> "Prefetch[str, QuerySet[models.ComparedBatch], str]":
    """The batches of comparisons in order, with their rulesets."""
    rows = models.ComparedBatch.objects.select_related("batch__ruleset").order_by("place")
    return Prefetch("compared", rows.defer("batch__tally", *without))


def batch_rows() -> "QuerySet[Batch]":
    """Batches for a list, each with the names of its ruleset."""
    return Batch.objects.defer("tally", "summary").prefetch_related("ruleset__versions")


MOST_SAID = 2  # rules that are told; more are counted
LONGEST_HEADING = 110  # characters: with a few words before it three lines of a phone


class ReadingName(NamedTuple):
    slug: str
    title: str
    authority: str


@dataclass(frozen=True, slots=True)
class RulesetTitle:
    """base: of what it is, or is nearest to; but: what it has otherwise; near: the first reading that base names."""

    base: str
    but: tuple[str, ...] = ()
    near: ReadingName | None = None

    def __str__(self) -> str:
        if not self.but:
            return self.base
        return self._with_differences(MOST_SAID)

    @property
    def whole(self) -> str:
        """Return the title with every rule that differs."""
        return self._with_differences(len(self.but)) if self.but else self.base

    @property
    def heading(self) -> str:
        """The title as far as the heading of a page has room for it; what is left out is counted."""
        if not self.but:
            return self.base
        number = len(self.but)
        counted = f"with {f'{number} rules' if number > 1 else 'a rule'} changed"
        said = (self._with_differences(most) for most in range(number, 0, -1))
        game = self.base.partition(", ")[0]
        shorter = (*said, f"{self.base}, {counted}", f"{game}, {counted}")
        return next((title for title in shorter if len(title) <= LONGEST_HEADING), shorter[-1])

    def _with_differences(self, most: int) -> str:
        more = len(self.but) - most
        rest = [f"{more} rule{'s' if more > 1 else ''} more"] if more > 0 else []
        return f"{self.base}, but: {'; '.join([*self.but[:most], *rest])}"


class RulesetTitles:
    """Titles of any number of rulesets: two queries in all, a third for rules that nobody reads from a source.

    No query before the first title is asked for.
    """

    def of(self, row: Ruleset, slug: str = "") -> RulesetTitle:
        """slug: which reading is meant, where several have the same content; else all of them are named."""
        if own := self._versions.get(row.hash):
            return _own([version for version in own if version[0].slug == slug] or own)
        of_family = (version for version in self._newest if version[1].family == row.family)
        near = min(of_family, key=lambda version: len(_differing_parameters(row, version[1])), default=None)
        if (near is None or near[1].document.get("board") != row.document.get("board")) and (of := self._worn(row)):
            return RulesetTitle(f"{of}, candidate: {candidate_name(row.document)}")
        if near is None:
            return RulesetTitle(f"ruleset {row.hash[:8]}")
        return RulesetTitle(near[0].title, _differences(row, near[1]), near[0])

    def _worn(self, row: Ruleset) -> str:
        """Return the game whose board rules are for that no reading has; empty where no record has that board."""
        board = board_key(row.document.get("board"))
        if row.family != POINTS:
            return ""
        return boards_of_sets()[board][0] if board in boards_of_sets() else self._boards_of_records.get(board, "")

    @cached_property
    def _boards_of_records(self) -> Mapping[str, str]:
        """The board of a record, as JSON → the game of the record."""
        records = models.Evidence.objects.exclude(board={}).order_by("-identifier").values_list("board", "game__name")
        return {board_key(board.get("board")): name for board, name in records}

    def has_now(self, slug: str, row: Ruleset) -> bool:
        """Return whether this is the content of a reading's newest version."""
        return any(version[0].slug == slug and version[1] == version[2] for version in self._versions.get(row.hash, ()))

    @cached_property
    def _rows(self) -> list[tuple[ReadingName, int, str]]:
        """(reading, number, content) of every version, the oldest first, as readings are ordered."""
        contents: dict[str, list[tuple[int, str]]] = {}
        for slug, number, content in RulesetVersion.objects.order_by("number").values_list("slug", "number", "ruleset"):
            contents.setdefault(slug, []).append((number, content))
        rows = models.Reading.objects.order_by("game__name", "position", "slug")
        readings = map(ReadingName._make, rows.values_list("slug", "title", "authority"))
        return [(reading, *version) for reading in readings for version in contents.get(reading.slug, ())]

    @cached_property
    def _versions(self) -> Mapping[str, list[tuple[ReadingName, int, int]]]:
        """Content → the readings that have or had it: (reading, number, the reading's newest number)."""
        newest = {reading: number for reading, number, _ in self._rows}
        found: dict[str, list[tuple[ReadingName, int, int]]] = {}
        for reading, number, content in self._rows:
            found.setdefault(content, []).append((reading, number, newest[reading]))
        return found

    @cached_property
    def _newest(self) -> list[tuple[ReadingName, Ruleset]]:
        newest = {reading: content for reading, _, content in self._rows}
        rulesets = Ruleset.objects.in_bulk(newest.values())
        return [(reading, rulesets[content]) for reading, content in newest.items()]


def _own(versions: Sequence[tuple[ReadingName, int, int]]) -> RulesetTitle:
    """Title by the readings that have this content now; if none has, by the first that had it."""
    now = [reading for reading, number, newest in versions if number == newest]
    if not now:
        reading, number, _ = versions[0]
        return RulesetTitle(f"{reading.title}, version {number}", (), reading)
    parts = [reading.title.partition(", ") for reading in now]
    if len({manner for _, _, manner in parts}) > 1:
        return RulesetTitle(" · ".join(reading.title for reading in now), (), now[0])
    games = [game for game, _, _ in parts]
    return RulesetTitle("".join((listed(games), *parts[0][1:])), (), now[0])


def _differing_parameters(row: Ruleset, other: Ruleset) -> set[str]:
    """The parameters that are not alike: what a document leaves out is at its off value."""
    own, others = row.document, other.document
    return {key for key in own.keys() | others.keys() if own.get(key) != others.get(key)}


def as_clauses(sentences: Iterable[str]) -> tuple[str, ...]:
    """Write sentences as they follow "but:"."""
    return tuple(lowered(text.rstrip(".")) for text in sentences)


def _differences(row: Ruleset, other: Ruleset) -> tuple[str, ...]:
    """Return the rules in which a ruleset differs from another, in the order of the schema."""
    said = family(row.family).sentences(rulesets.as_engine(row))
    differing = _differing_parameters(row, other)
    words = [text for key, text in said.items() if key in differing and text != NOT_ARISING]
    return as_clauses(words) or ("some rule that never arises",)
