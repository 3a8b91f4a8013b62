"""The questions the pages put to the database, each with a constant number of queries however many rows there are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    Case,
    Count,
    Manager,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from catalogue.models import (
    Citation,
    ComparedBatch,
    Comparison,
    EditorsNote,
    Evidence,
    EvidenceUncertainty,
    Game,
    GameName,
    Place,
    Reading,
    Source,
)
from catalogue.models.evidence import heading
from simulator.batches import levels
from simulator.models import Batch, Plot, RulesetVersion


@dataclass(frozen=True, slots=True)
class ReadingWithVersion:
    """A reading as it stands beside a record: the version it names, and the batch that shows how it plays."""

    reading: Reading
    version: RulesetVersion | None
    batch: Batch | None = None


def evidence_rows() -> "QuerySet[Evidence]":
    """Evidence for a list: its game, places and sources."""
    return Evidence.objects.shown().select_related("game").prefetch_related("places", _citations())


def evidence_with_everything() -> "QuerySet[Evidence]":
    return evidence_rows().prefetch_related(
        Prefetch("uncertainties", EvidenceUncertainty.objects.select_related("factor")),
        Prefetch("notes", EditorsNote.objects.order_by("position", "slug")),
    )


def _citations() -> "Prefetch[str, QuerySet[Citation], str]":
    return Prefetch("citations", Citation.objects.select_related("source").order_by("position"))


def game_rows() -> "QuerySet[Game]":
    """Games with their names and the numbers of their records and readings."""
    return (
        Game.objects.prefetch_related(Prefetch("names", GameName.objects.select_related("evidence")))
        .annotate(records=_number_of(Evidence.objects.shown(), "game"), rulesets=_number_of(Reading.objects, "game"))
        .order_by("name")
    )


def executable(games: "QuerySet[Game]", wanted: bool) -> "QuerySet[Game]":
    """The games that have a reading, or those that have none."""
    read = Reading.objects.values("game")
    return games.filter(pk__in=read) if wanted else games.exclude(pk__in=read)


def place_rows() -> "QuerySet[Place]":
    """Places with the number of records that are from there, or from a part of it."""
    own_or_part = Place.objects.filter(Q(pk=OuterRef(OuterRef("pk"))) | Q(part_of=OuterRef(OuterRef("pk"))))
    placed: QuerySet[Any] = Evidence.places.through.objects.filter(place__in=own_or_part.order_by().values("pk"))
    counted = (
        placed.filter(evidence__withdrawn_on=None)
        .order_by()
        .values(every=Value(1))
        .annotate(number=Count("evidence", distinct=True))
        .values("number")
    )
    return Place.objects.select_related("part_of").order_by("name").annotate(records=Coalesce(Subquery(counted), 0))


def of_place(slug: str) -> Q:
    """Records from a place or from a part of it, as from the points that lie in a country."""
    within = Place.objects.filter(Q(slug=slug) | Q(part_of__slug=slug)).order_by().values("pk")
    return Q(pk__in=Evidence.places.through.objects.filter(place__in=within).values("evidence"))


def source_rows() -> "QuerySet[Source]":
    citing = Citation.objects.filter(evidence__withdrawn_on=None)
    return Source.objects.annotate(records=_number_of(citing, "source")).order_by(heading(), "year", "key")


def _number_of(rows: "QuerySet[Any] | Manager[Any]", link: str) -> Coalesce:
    """How many of these rows point to the one that is looked at; asked for those on the page only, not for all."""
    of_this = (
        rows.filter(**{link: OuterRef("pk")}).order_by().values(link).annotate(number=Count("pk")).values("number")
    )
    return Coalesce(Subquery(of_this), 0)


def citations_of(source: Source) -> "QuerySet[Citation]":
    shown = source.citations.filter(evidence__withdrawn_on=None)
    return shown.select_related("evidence__game").prefetch_related("evidence__places").order_by("evidence")


def plots_without_drawings() -> "Prefetch[str, QuerySet[Plot], str]":
    return Prefetch("plots", Plot.objects.defer("svg").order_by("place"))


def newest_versions(slugs: Iterable[str]) -> dict[str, RulesetVersion]:
    """What each bare slug means now."""
    versions = RulesetVersion.objects.filter(slug__in=list(slugs)).select_related("ruleset").order_by("number")
    return {version.slug: version for version in versions}


def with_versions(readings: "QuerySet[Reading]") -> list[ReadingWithVersion]:
    """Readings with the versions they name, without figures: two queries, however many readings."""
    rows = list(readings.select_related("game"))
    versions = newest_versions(reading.slug for reading in rows)
    return [ReadingWithVersion(reading, versions.get(reading.slug)) for reading in rows]


def shown_comparison(readings: Sequence[ReadingWithVersion], level: str) -> Comparison | None:
    """The newest comparison of just these readings by the players of that level, else of any; None if there is none.

    level: "club", or a player who is of none; in every seat
    """
    names = [read.reading.slug for read in readings]
    done = Comparison.objects.filter(state=Comparison.State.DONE, names=names).defer("plot")
    of_level = Case(When(players__regex=levels.in_every_seat(level), then=Value(0)), default=Value(1))
    return done.order_by(of_level, "-closed").first() if len(names) > 1 else None


def comparison_rows() -> "QuerySet[Comparison]":
    """Comparisons for a list, with the rulesets they compare."""
    return Comparison.objects.defer("plot").prefetch_related(compared_rulesets("batch__summary"))


def compared_rulesets(*without: str) -> "Prefetch[str, QuerySet[ComparedBatch], str]":
    """The batches of comparisons in order, with their rulesets."""
    rows = ComparedBatch.objects.select_related("batch__ruleset").order_by("place")
    return Prefetch("compared", rows.defer("batch__tally", *without))


def batch_rows() -> "QuerySet[Batch]":
    """Batches for a list, each with the names of its ruleset."""
    return Batch.objects.defer("tally", "summary").prefetch_related("ruleset__versions")
