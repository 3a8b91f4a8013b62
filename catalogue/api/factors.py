"""Reasons for doubt in the API: why a record may not tell how a game was played."""

from typing import ClassVar

from django.db.models import Count, Q
from rest_framework import serializers
from rest_framework.reverse import reverse

from catalogue.api.cursors import Orderings
from catalogue.api.links import ApiAddress
from catalogue.api.viewsets import CatalogueViewSet
from catalogue.models import UncertaintyFactor


class FactorSerializer(serializers.ModelSerializer[UncertaintyFactor]):
    url = ApiAddress("uncertainty-factor")
    records = serializers.IntegerField(read_only=True, help_text="How many records it weighs on.")
    evidence = serializers.SerializerMethodField(help_text="The list of these records, each with the reason.")

    class Meta:
        model = UncertaintyFactor
        fields = ("slug", "url", "name", "definition", "records", "evidence")

    def get_evidence(self, factor: UncertaintyFactor) -> str:
        return f"{reverse('v1:evidence-list', request=self.context['request'])}?uncertainty={factor.slug}"


class FactorViewSet(CatalogueViewSet):
    """Reasons why a record may not tell how a game was played, with the records they weigh on."""

    serializer_class, lookup_field = FactorSerializer, "slug"
    orderings: ClassVar[Orderings] = {"name": ("name",), "slug": ("slug",)}
    usual_ordering = "name"
    queryset = UncertaintyFactor.objects.annotate(
        records=Count("uncertainties", filter=Q(uncertainties__evidence__withdrawn_on=None))
    )
