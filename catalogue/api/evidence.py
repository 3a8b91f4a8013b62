"""Evidence in the API. Quotation, paraphrase and the editors' notes are fields of their own, and never mixed."""

from http import HTTPStatus
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.db.models.functions import Coalesce, Length
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import ApiAddress, GameLink, HistoryAddress, PageAddress, PlaceLink, ReadingLink, SourceLink
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.filters.evidence import EvidenceFilters
from catalogue.models import Citation, EditorsNote, Evidence, EvidenceUncertainty, Reading, UncertaintyFactor
from catalogue.models.evidence import UNDATED
from catalogue.models.querysets import evidence_with_everything
from catalogue.web.problem_document import RefusedRequest

LINKED = frozenset({"places", "citations", "uncertainty", "editors_notes", "readings"})  # with queries of their own
LONG = frozenset({"quotation", "remark_on_source", "paraphrase", "reference", "other_fields"})


class DateSerializer(serializers.Serializer[Evidence]):
    """The date as the record prints it, and as we read it; the years of an undated record are null."""

    as_printed = serializers.CharField(source="date_words")
    edtf = serializers.CharField(source="date_edtf", help_text="Extended Date/Time Format; empty if undated.")
    earliest = serializers.IntegerField(source="year_earliest", allow_null=True, help_text="Astronomical: 0 is 1 BCE.")
    latest = serializers.IntegerField(source="year_latest", allow_null=True)


class CitationSerializer(serializers.ModelSerializer[Citation]):
    source = SourceLink(read_only=True)  # type: ignore[assignment]

    class Meta:
        model = Citation
        fields = ("source", "role", "locator", "as_printed")


class UncertaintySerializer(serializers.ModelSerializer[EvidenceUncertainty]):
    factor = serializers.SlugRelatedField[UncertaintyFactor](slug_field="slug", read_only=True)
    name = serializers.CharField(source="factor.name", read_only=True)
    definition = serializers.CharField(source="factor.definition", read_only=True)

    class Meta:
        model = EvidenceUncertainty
        fields = ("factor", "name", "definition", "reason")


class NoteSerializer(serializers.ModelSerializer[EditorsNote]):
    class Meta:
        model = EditorsNote
        fields = ("about", "text")


class EvidenceSerializer(serializers.ModelSerializer[Evidence]):
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
        read_only=True, help_text="The portal's own account of the rules. It is not the source."
    )
    confidence_as_printed = serializers.CharField(source="confidence", read_only=True)
    other_fields = serializers.DictField(
        child=serializers.CharField(), read_only=True, help_text="Further fields of the portal, by label."
    )
    citations = CitationSerializer(many=True, read_only=True)
    uncertainty = UncertaintySerializer(source="uncertainties", many=True, read_only=True)
    editors_notes = NoteSerializer(source="notes", many=True, read_only=True)
    readings = ReadingLink(many=True, read_only=True)

    history = HistoryAddress()
    coverage = ApiAddress("coverage", "identifier", help_text="How much of its words carries a rule.")

    class Meta:
        model = Evidence
        fields = (
            "identifier", "url", "page", "type", "game", "places", "ruleset_name", "date", "quotation",
            "remark_on_source", "paraphrase", "reference", "confidence_as_printed", "ages", "spaces", "other_fields",
            "citations", "uncertainty", "editors_notes", "readings", "history", "coverage",
        )  # fmt: skip

    def get_quotation(self, record: Evidence) -> str:
        return record.quotation if record.is_quoted else ""

    def get_remark_on_source(self, record: Evidence) -> str:
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
        Prefetch("readings", Reading.objects.order_by("game", "position", "slug"))
    )

    def get_queryset(self) -> "QuerySet[Evidence]":
        """Without what no field that was asked for needs: a long table of names and dates is read at once."""
        rows: QuerySet[Evidence] = super().get_queryset()
        if not self.wanted:
            return rows
        if not self.wanted & LINKED:
            rows = rows.prefetch_related(None)
        return rows if self.wanted & LONG else rows.defer("quotation", "paraphrase", "reference", "other_fields")

    def get_object(self) -> Any:
        """A record that was withdrawn is refused with the day and the reason, not as one that never was."""
        try:
            return super().get_object()
        except RefusedRequest:
            withdrawn = Evidence.objects.filter(identifier=self.kwargs["identifier"]).exclude(withdrawn_on=None).first()
            if withdrawn is None:
                raise
        message = f"the record was withdrawn on {withdrawn.withdrawn_on}: {withdrawn.withdrawn_reason}"
        raise RefusedRequest.of("identifier", message, status=HTTPStatus.GONE)
