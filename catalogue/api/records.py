"""Records in the API, with what they name: sources, places, terms, the editors' notes, and factors of uncertainty.

Quotation, paraphrase and the editors' notes are fields of their own, and are never mixed.
"""

from http import HTTPStatus
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce, Length
from django_filters import CharFilter
from rest_framework import serializers

from catalogue import models
from catalogue.api.endpoints import resource
from catalogue.api.fields import (
    Address,
    ApiAddress,
    Document,
    GameLink,
    HistoryAddress,
    PageAddress,
    PlaceLink,
    ReadingLink,
    SourceLink,
)
from catalogue.api.viewsets import CatalogueViewSet, KeyedViewSet
from catalogue.filters.filter_sets import (
    ChangedSince,
    ChoicesFilter,
    EvidenceFilters,
    KnownValueFilter,
    OfRecord,
    WrittenSince,
    YearFilter,
)
from catalogue.identifiers.authorities import same_elsewhere
from catalogue.models.evidence import UNDATED, heading
from catalogue.models.playability import Playability
from catalogue.models.querysets import evidence_with_everything, place_rows, source_rows
from catalogue.web.problem_document import RefusedRequest

LINKED = frozenset(
    {"places", "citations", "uncertainty", "editors_notes", "readings", "pictures", "observations"}
)  # with queries of their own
LONG = frozenset({"quotation", "remark_on_source", "paraphrase", "reference", "other_fields"})


class DateSerializer(serializers.Serializer[models.Evidence]):
    """The date as the record prints it, and as we read it; the years of an undated record are null."""

    as_printed = serializers.CharField(source="date_words")
    edtf = serializers.CharField(source="date_edtf", help_text="Extended Date/Time Format; empty if undated.")
    earliest = serializers.IntegerField(source="year_earliest", allow_null=True, help_text="Astronomical: 0 is 1 BCE.")
    latest = serializers.IntegerField(source="year_latest", allow_null=True)


class CitationSerializer(serializers.ModelSerializer[models.Citation]):
    source = SourceLink(read_only=True)  # type: ignore[assignment]

    class Meta:
        model = models.Citation
        fields = ("source", "role", "locator", "as_printed")


class UncertaintySerializer(serializers.ModelSerializer[models.EvidenceUncertainty]):
    factor = serializers.SlugRelatedField[models.UncertaintyFactor](slug_field="slug", read_only=True)
    name = serializers.CharField(source="factor.name", read_only=True)
    definition = serializers.CharField(source="factor.definition", read_only=True)

    class Meta:
        model = models.EvidenceUncertainty
        fields = ("factor", "name", "definition", "reason")


class NoteSerializer(serializers.ModelSerializer[models.EditorsNote]):
    class Meta:
        model = models.EditorsNote
        fields = ("about", "text")


class PictureSerializer(serializers.ModelSerializer[models.Picture]):
    """A picture of the source or of the object that everybody may see."""

    file = Address("picture-file", "file", help_text="The whole picture.")
    licence = serializers.CharField(read_only=True, help_text="Address of the licence; empty if it has none.")

    class Meta:
        model = models.Picture
        fields = (
            "number",
            "kind",
            "description",
            "origin",
            "address",
            "rights",
            "licence",
            "credit",
            "file",
            "width",
            "height",
        )


class ObservationSerializer(serializers.ModelSerializer[models.Observation]):
    """What somebody saw on the board: a grade of some lines or points, or that they are more worn than others."""

    source = SourceLink(read_only=True)  # type: ignore[assignment]
    places = serializers.ListField(child=serializers.CharField(), read_only=True)
    than = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = models.Observation
        fields = (
            "number", "of", "places", "grade", "than", "words", "source", "locator", "observer", "means", "certainty",
        )  # fmt: skip


class EvidenceSerializer(serializers.ModelSerializer[models.Evidence]):
    url = ApiAddress("evidence", "identifier")
    page = PageAddress()
    game = GameLink(read_only=True)
    places = PlaceLink(many=True, read_only=True)
    date = DateSerializer(source="*", read_only=True)
    quotation = serializers.SerializerMethodField(help_text="What the record quotes; empty if it quotes nothing.")
    remark_on_source = serializers.SerializerMethodField(
        help_text="What the record says of its source where it does not quote it; else empty."
    )
    paraphrase = serializers.CharField(
        read_only=True, help_text="The Digital Ludeme Project’s own account of the rules. It is not the source."
    )
    confidence_as_printed = serializers.CharField(source="confidence", read_only=True)
    other_fields = serializers.DictField(
        child=serializers.CharField(),
        read_only=True,
        help_text="Further fields of the Ludii portal, by label.",
    )
    citations = CitationSerializer(many=True, read_only=True)
    uncertainty = UncertaintySerializer(source="uncertainties", many=True, read_only=True)
    editors_notes = NoteSerializer(source="notes", many=True, read_only=True)
    readings = ReadingLink(many=True, read_only=True)
    pictures = PictureSerializer(many=True, read_only=True)
    without_words = serializers.BooleanField(
        read_only=True, help_text="Whether it is an artefact whose pictures stand for its text."
    )

    board = Document(
        "RecordBoard",
        read_only=True,
        help_text="The board that its drawing shows, as a ruleset has it, with the family of games; empty if unknown.",
    )
    observations = ObservationSerializer(many=True, read_only=True)

    playability = serializers.ChoiceField(
        choices=Playability.choices, read_only=True, help_text="How what its words tell can be played here."
    )
    history = HistoryAddress()
    coverage = ApiAddress("coverage", "identifier", help_text="How much of its words carries a rule.")

    class Meta:
        model = models.Evidence
        fields = (
            "identifier", "url", "page", "type", "game", "places", "ruleset_name", "date", "quotation",
            "remark_on_source", "paraphrase", "reference", "confidence_as_printed", "ages", "spaces", "other_fields",
            "citations", "uncertainty", "editors_notes", "readings", "history", "coverage",
            "playability", "pictures", "without_words", "board", "observations",
        )  # fmt: skip

    def get_quotation(self, record: models.Evidence) -> str:
        return record.quotation if record.is_quoted else ""

    def get_remark_on_source(self, record: models.Evidence) -> str:
        return "" if record.is_quoted else record.quotation


@resource(
    "evidence",
    name="evidence",
    holds="records: quotation, paraphrase, date, citations, uncertainty",
    key="DLP.Evidence.692",
    identifies="record/{identifier}",
)
class EvidenceViewSet(CatalogueViewSet):
    """Records of games: what was quoted, what the portal made of it, and what was read from it."""

    serializer_class, filterset_class, lookup_field = EvidenceSerializer, EvidenceFilters, "identifier"
    orderings = {
        "identifier": (Length("identifier"), "identifier"),  # so that 690 stands before 1194
        "year": (Coalesce("year_earliest", UNDATED), "identifier"),
    }
    queryset = evidence_with_everything().prefetch_related(
        Prefetch("readings", models.Reading.objects.order_by("game", "position", "slug")),
        Prefetch("pictures", models.Picture.objects.shown().order_by("number")),
        Prefetch("observations", models.Observation.objects.select_related("source").order_by("number")),
    )

    def get_queryset(self) -> "QuerySet[models.Evidence]":
        """Leave out what no requested field needs, so that a long table of names and dates is read at once."""
        rows: QuerySet[models.Evidence] = super().get_queryset()
        if not self.chosen:
            return rows
        if not self.chosen & LINKED:
            rows = rows.prefetch_related(None)
        return rows if self.chosen & LONG else rows.defer("quotation", "paraphrase", "reference", "other_fields")

    def get_object(self) -> Any:
        """A record that was withdrawn is refused with the day and the reason, not as one that never was."""
        try:
            return super().get_object()
        except RefusedRequest:
            withdrawn = (
                models.Evidence.objects.filter(identifier=self.kwargs["identifier"]).exclude(withdrawn_on=None).first()
            )
            if withdrawn is None:
                raise
        message = f"the record was withdrawn on {withdrawn.withdrawn_on}: {withdrawn.withdrawn_reason}"
        raise RefusedRequest.of("identifier", message, status=HTTPStatus.GONE)


UNDATED = 9_999  # where a source without a year stands among the years


class SourceSerializer(serializers.ModelSerializer[models.Source]):
    url = ApiAddress("source", "key")
    page = PageAddress()
    authors = serializers.SerializerMethodField(help_text="One by one, surname first.")
    address = serializers.CharField(
        read_only=True, help_text="Where the Ludii portal says it can be read; mostly empty."
    )
    records = serializers.IntegerField(read_only=True, help_text="How many records cite it.")

    class Meta:
        model = models.Source
        fields = (
            "key", "url", "page", "authors", "year", "title", "container", "volume", "pages", "place", "publisher",
            "as_printed", "address", "note", "records",
        )  # fmt: skip

    def get_authors(self, source: models.Source) -> list[str]:
        return [author.strip() for author in source.authors.split(";") if author.strip()]


class SourceFilters(WrittenSince):
    from_ = YearFilter(field_name="year", lookup_expr="gte", label="published in this year or later")
    to = YearFilter(field_name="year", lookup_expr="lte", label="published in this year or before")


@resource(
    "sources",
    name="source",
    holds="references as printed, and their parts",
    key="parker-1909",
    identifies="source/{key}",
)
class SourceViewSet(CatalogueViewSet):
    """Publications that the records were taken from."""

    serializer_class, filterset_class, lookup_field = SourceSerializer, SourceFilters, "key"
    orderings = {
        "authors": (heading(), Coalesce("year", UNDATED), "key"),
        "year": (Coalesce("year", UNDATED), "key"),
        "key": ("key",),
    }
    queryset = source_rows()


class PlaceSerializer(serializers.ModelSerializer[models.Place]):
    url = ApiAddress("place")
    page = PageAddress()
    part_of = PlaceLink(read_only=True, allow_null=True)
    records = serializers.IntegerField(
        read_only=True, help_text="How many records are from there, or from a part of it."
    )
    same_as = serializers.SerializerMethodField(
        help_text="The same place in GeoNames or Wikidata, where somebody looked it up."
    )

    class Meta:
        model = models.Place
        fields = (
            "slug", "url", "page", "name", "kind", "latitude", "longitude", "coordinates_note", "part_of",
            "part_of_is_derived", "records", "same_as",
        )  # fmt: skip

    def get_same_as(self, place: models.Place) -> list[str]:
        return [one.address for one in same_elsewhere(place)]


class PlaceFilters(WrittenSince):
    kind = ChoicesFilter(choices=models.Place.Kind.choices)
    part_of = KnownValueFilter(field_name="part_of__slug", model=models.Place, column="slug", label="slug of a place")


@resource(
    "places", name="place", holds="countries, peoples, regions, towns", key="sri-lanka", identifies="place/{slug}"
)
class PlaceViewSet(CatalogueViewSet):
    """Places that records are from: countries, peoples, regions, towns."""

    serializer_class, filterset_class, lookup_field = PlaceSerializer, PlaceFilters, "slug"
    orderings = {"name": ("name",), "slug": ("slug",)}
    queryset = place_rows()


class TermSerializer(serializers.ModelSerializer[models.Term]):
    key = serializers.SerializerMethodField(help_text="Its record’s identifier, a slash, its own name.")
    url = ApiAddress("term", "natural_key")
    page = PageAddress()
    evidence = serializers.SlugRelatedField[models.Evidence](slug_field="identifier", read_only=True)
    found_in = serializers.CharField(source="get_field_display", help_text="The text of the record that gives it.")

    class Meta:
        model = models.Term
        fields = ("key", "url", "page", "evidence", "word", "language", "meaning", "found_in", "exact")

    def get_key(self, term: models.Term) -> str:
        return "/".join(term.natural_key())


class TermFilters(OfRecord, WrittenSince):
    language = CharFilter(lookup_expr="iexact", label="As the record names it, for example Sinhalese.")


@resource("terms", name="term", holds="words of the players, as the records print them", key="DLP.Evidence.1399/gaeta")
class TermViewSet(KeyedViewSet):
    """Words of the players’ languages, each as one record prints it, with the words of the record that give it."""

    serializer_class, filterset_class = TermSerializer, TermFilters
    orderings = {"evidence": ("evidence__identifier", "slug"), "word": ("word", "evidence__identifier", "slug")}
    queryset = (
        models.Term.objects.filter(evidence__withdrawn_on=None)
        .select_related("evidence")
        .defer("evidence__quotation", "evidence__paraphrase")
    )


class EditorsNoteSerializer(serializers.ModelSerializer[models.EditorsNote]):
    key = serializers.SerializerMethodField(help_text="Its record’s identifier, a slash, its own name.")
    url = ApiAddress("note", "natural_key")
    history = HistoryAddress()
    evidence = serializers.SlugRelatedField[models.Evidence](slug_field="identifier", read_only=True)

    class Meta:
        model = models.EditorsNote
        fields = ("key", "url", "history", "evidence", "about", "text")

    def get_key(self, note: models.EditorsNote) -> str:
        return "/".join(note.natural_key())


class NoteFilters(OfRecord, ChangedSince):
    dates, recorded = (), {models.EditorsNote: "id"}
    about = ChoicesFilter(choices=models.EditorsNote.About.choices)


@resource(
    "notes",
    name="note",
    holds="the editors’ notes on records",
    key="DLP.Evidence.692/rules-copied",
    identifies="note/{key}",
)
class NoteViewSet(KeyedViewSet):
    """What the editors of this catalogue have to say about records; never part of a record."""

    serializer_class, filterset_class = EditorsNoteSerializer, NoteFilters
    orderings = {"evidence": ("evidence__identifier", "position", "slug")}
    queryset = (
        models.EditorsNote.objects.filter(evidence__withdrawn_on=None)
        .select_related("evidence")
        .defer("evidence__quotation", "evidence__paraphrase")
    )


class FactorSerializer(serializers.ModelSerializer[models.UncertaintyFactor]):
    url = ApiAddress("uncertainty-factor")
    records = serializers.IntegerField(read_only=True, help_text="How many records it weighs on.")
    evidence = Address(
        "v1:evidence-list",
        "slug",
        narrowed_by="uncertainty",
        help_text="The list of these records, each with the reason.",
    )

    class Meta:
        model = models.UncertaintyFactor
        fields = ("slug", "url", "name", "definition", "records", "evidence")


@resource(
    "uncertainty-factors",
    name="uncertainty-factor",
    holds="reasons why a record may not tell how a game was played",
    key="no-paraphrase",
)
class FactorViewSet(CatalogueViewSet):
    """Reasons why a record may not tell how a game was played, with the records they weigh on."""

    serializer_class, filterset_class, lookup_field = FactorSerializer, WrittenSince, "slug"
    orderings = {"name": ("name",), "slug": ("slug",)}
    queryset = models.UncertaintyFactor.objects.annotate(
        records=Count("uncertainties", filter=Q(uncertainties__evidence__withdrawn_on=None))
    )
