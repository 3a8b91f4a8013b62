"""Reasons for doubt in the API: why a record may not tell how a game was played."""

from django.db.models import Count, Q
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import Address, ApiAddress
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.models import UncertaintyFactor


class FactorSerializer(serializers.ModelSerializer[UncertaintyFactor]):
    url = ApiAddress("uncertainty-factor")
    records = serializers.IntegerField(read_only=True, help_text="How many records it weighs on.")
    evidence = Address(
        "v1:evidence-list",
        "slug",
        narrowed_by="uncertainty",
        help_text="The list of these records, each with the reason.",
    )

    class Meta:
        model = UncertaintyFactor
        fields = ("slug", "url", "name", "definition", "records", "evidence")


@resource(
    "uncertainty-factors",
    name="uncertainty-factor",
    holds="reasons why a record may not tell how a game was played",
    key="{factor}",
)
class FactorViewSet(CatalogueViewSet):
    """Reasons why a record may not tell how a game was played, with the records they weigh on."""

    serializer_class, lookup_field = FactorSerializer, "slug"
    orderings = {"name": ("name",), "slug": ("slug",)}
    queryset = UncertaintyFactor.objects.annotate(
        records=Count("uncertainties", filter=Q(uncertainties__evidence__withdrawn_on=None))
    )
