"""Words of the players in the API: what the records call boards, counters, throws and moves."""

from django_filters import CharFilter
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import ApiAddress, PageAddress
from catalogue.api.viewsets import KeyedViewSet
from catalogue.filters.common import OfRecord
from catalogue.models import Evidence, Term


class TermSerializer(serializers.ModelSerializer[Term]):
    key = serializers.SerializerMethodField(help_text="Its record’s identifier, a slash, its own name.")
    url = ApiAddress("term", "natural_key")
    page = PageAddress()
    evidence = serializers.SlugRelatedField[Evidence](slug_field="identifier", read_only=True)
    found_in = serializers.CharField(source="get_field_display", help_text="The text of the record that gives it.")

    class Meta:
        model = Term
        fields = ("key", "url", "page", "evidence", "word", "language", "meaning", "found_in", "exact")

    def get_key(self, term: Term) -> str:
        return "/".join(term.natural_key())


class TermFilters(OfRecord):
    language = CharFilter(lookup_expr="iexact", label="As the record names it, for example Sinhalese.")


@resource("terms", name="term", holds="words of the players, as the records print them", key="DLP.Evidence.1399/gaeta")
class TermViewSet(KeyedViewSet):
    """Words of the players’ languages, each as one record prints it, with the words of the record that give it."""

    serializer_class, filterset_class = TermSerializer, TermFilters
    orderings = {"evidence": ("evidence__identifier", "slug"), "word": ("word", "evidence__identifier", "slug")}
    queryset = (
        Term.objects.filter(evidence__withdrawn_on=None)
        .select_related("evidence")
        .defer("evidence__quotation", "evidence__paraphrase")
    )
