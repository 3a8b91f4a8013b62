"""The editors' notes in the API. They stand with their records too; here they are a list of their own."""

from django_filters import ChoiceFilter
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.links import ApiAddress, HistoryAddress
from catalogue.api.viewsets import KeyedViewSet
from catalogue.filters.common import OfRecord
from catalogue.models import EditorsNote, Evidence


class EditorsNoteSerializer(serializers.ModelSerializer[EditorsNote]):
    key = serializers.SerializerMethodField(help_text="Its record’s identifier, a slash, its own name.")
    url = ApiAddress("note", "natural_key")
    history = HistoryAddress()
    evidence = serializers.SlugRelatedField[Evidence](slug_field="identifier", read_only=True)

    class Meta:
        model = EditorsNote
        fields = ("key", "url", "history", "evidence", "about", "text")

    def get_key(self, note: EditorsNote) -> str:
        return "/".join(note.natural_key())


class NoteFilters(OfRecord):
    about = ChoiceFilter(choices=EditorsNote.About.choices)


@resource("notes", name="note", holds="the editors’ notes on records", key="{note}", identifies="note/{key}")
class NoteViewSet(KeyedViewSet):
    """What the editors of this catalogue have to say about records; never part of a record."""

    serializer_class, filterset_class = EditorsNoteSerializer, NoteFilters
    orderings = {"evidence": ("evidence__identifier", "position", "slug")}
    queryset = (
        EditorsNote.objects.filter(evidence__withdrawn_on=None)
        .select_related("evidence")
        .defer("evidence__quotation", "evidence__paraphrase")
    )
