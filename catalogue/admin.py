"""The editors' room: records, readings and what readers suggest.

A record's texts are quotations: they can be looked at and searched here, and corrected only knowingly.
"""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from catalogue import models


class GameNameInline(admin.TabularInline):
    model = models.GameName
    extra = 0
    autocomplete_fields = ("evidence",)


@admin.register(models.Game)
class GameAdmin(admin.ModelAdmin):
    list_display = ("name", "slug", "is_reference")
    list_filter = ("is_reference",)
    search_fields = ("name", "slug", "names__name", "names__gloss")
    prepopulated_fields = {"slug": ("name",)}
    inlines = (GameNameInline,)


@admin.register(models.GameName)
class GameNameAdmin(admin.ModelAdmin):
    list_display = ("name", "gloss", "game", "kind", "language", "evidence")
    list_filter = ("kind", "language")
    list_select_related = ("game", "evidence")
    search_fields = ("name", "gloss", "game__name")
    autocomplete_fields = ("game", "evidence")


@admin.register(models.Place)
class PlaceAdmin(admin.ModelAdmin):
    list_display = ("name", "kind", "latitude", "longitude", "part_of")
    list_filter = ("kind",)
    list_select_related = ("part_of",)
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("part_of",)


@admin.register(models.Source)
class SourceAdmin(admin.ModelAdmin):
    list_display = ("key", "authors", "year", "title", "container")
    list_filter = ("year",)
    search_fields = ("key", "authors", "title", "container", "as_printed")


class CitationInline(admin.TabularInline):
    model = models.Citation
    extra = 0
    autocomplete_fields = ("source",)


class UncertaintyInline(admin.TabularInline):
    model = models.EvidenceUncertainty
    extra = 0
    autocomplete_fields = ("factor",)


class NoteInline(admin.StackedInline):
    model = models.EditorsNote
    extra = 0


@admin.register(models.Evidence)
class EvidenceAdmin(admin.ModelAdmin):
    list_display = ("identifier", "game", "type", "date_words", "year_earliest", "year_latest")
    list_filter = ("type", "places", "sources", "uncertainty_factors")
    list_select_related = ("game",)
    search_fields = ("identifier", "game__name", "rules", "content", "notes__text")
    autocomplete_fields = ("game", "places")
    readonly_fields = ("year_earliest", "year_latest")
    inlines = (CitationInline, UncertaintyInline, NoteInline)


@admin.register(models.Citation)
class CitationAdmin(admin.ModelAdmin):
    list_display = ("evidence", "source", "role", "locator", "as_printed")
    list_filter = ("role", "source")
    list_select_related = ("evidence", "source")
    search_fields = ("evidence__identifier", "source__key", "as_printed")
    autocomplete_fields = ("evidence", "source")


@admin.register(models.UncertaintyFactor)
class UncertaintyFactorAdmin(admin.ModelAdmin):
    list_display = ("name", "definition")
    search_fields = ("name", "slug", "definition")
    prepopulated_fields = {"slug": ("name",)}


@admin.register(models.EvidenceUncertainty)
class EvidenceUncertaintyAdmin(admin.ModelAdmin):
    list_display = ("evidence", "factor", "reason")
    list_filter = ("factor",)
    list_select_related = ("evidence", "factor")
    search_fields = ("evidence__identifier", "factor__name", "reason")
    autocomplete_fields = ("evidence", "factor")


@admin.register(models.EditorsNote)
class EditorsNoteAdmin(admin.ModelAdmin):
    list_display = ("evidence", "slug", "about", "text")
    list_filter = ("about",)
    list_select_related = ("evidence",)
    search_fields = ("evidence__identifier", "slug", "text")
    autocomplete_fields = ("evidence",)


@admin.register(models.Reading)
class ReadingAdmin(admin.ModelAdmin):
    list_display = ("title", "slug", "game", "authority", "kind", "checked_by")
    list_filter = ("kind", "authority", "game")
    list_select_related = ("game",)
    search_fields = ("slug", "title", "summary", "basis")
    autocomplete_fields = ("game", "evidence")


@admin.register(models.Suggestion)
class SuggestionAdmin(admin.ModelAdmin):
    """Readers' words are shown as they came; an editor decides, and the decision is signed and dated."""

    list_display = ("created", "kind", "evidence", "state", "name", "reviewed_by", "reviewed")
    list_filter = ("state", "kind", "created")
    list_select_related = ("evidence", "reviewed_by")
    search_fields = ("text", "name", "email", "evidence__identifier", "evidence__game__name")
    readonly_fields = ("kind", "evidence", "text", "name", "email", "created", "reviewed", "reviewed_by")
    actions = ("accept", "decline")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: models.Suggestion, form: object, change: bool) -> None:
        if "state" in getattr(form, "changed_data", ()):
            _sign(request, obj)
        obj.save()

    @admin.action(description="Accept the chosen suggestions", permissions=["change"])
    def accept(self, request: HttpRequest, chosen: "QuerySet[models.Suggestion]") -> None:
        self._decide(request, chosen, models.Suggestion.State.ACCEPTED)

    @admin.action(description="Decline the chosen suggestions", permissions=["change"])
    def decline(self, request: HttpRequest, chosen: "QuerySet[models.Suggestion]") -> None:
        self._decide(request, chosen, models.Suggestion.State.DECLINED)

    def _decide(
        self, request: HttpRequest, chosen: "QuerySet[models.Suggestion]", state: models.Suggestion.State
    ) -> None:
        for suggestion in chosen:
            suggestion.state = state
            _sign(request, suggestion)
            suggestion.save()
            self.log_change(request, suggestion, f"{state.label} from the list")
        self.message_user(request, f"{len(chosen)} {state.label}.")


def _sign(request: HttpRequest, suggestion: models.Suggestion) -> None:
    """Who decided and when; a suggestion put back to new is unsigned again."""
    undecided = suggestion.state == models.Suggestion.State.NEW
    suggestion.reviewed = None if undecided else timezone.now()
    suggestion.reviewed_by = None if undecided or request.user.is_anonymous else request.user
