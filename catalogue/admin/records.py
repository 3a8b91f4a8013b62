"""Games, places, sources and records, what records are worth, what the portal says, and what readers suggest.

Words of readers are shown as they came; an editor decides, and the decision is signed and dated.
"""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from catalogue import models
from catalogue.admin.forms import AS_TYPED, Choosing, DeletedForAReason, Inline, ReasonedAdmin
from catalogue.evidence.reanchoring import carry_along
from catalogue.models.evidence import TEXTS


class GameNameInline(Inline, admin.TabularInline):
    model = models.GameName
    autocomplete_fields = ("evidence",)


@admin.register(models.Game)
class GameAdmin(DeletedForAReason, admin.ModelAdmin):
    list_display = ("name", "slug", "is_reference")
    list_filter = ("is_reference",)
    search_fields = ("name", "slug", "names__name", "names__gloss")
    prepopulated_fields = {"slug": ("name",)}
    inlines = (GameNameInline,)


@admin.register(models.GameName)
class GameNameAdmin(Choosing, admin.ModelAdmin):
    list_display = ("name", "gloss", "game", "kind", "language", "evidence")
    list_filter = ("kind", "language")
    list_select_related = ("game", "evidence")
    search_fields = ("name", "gloss", "game__name")
    autocomplete_fields = ("game", "evidence")


@admin.register(models.Term)
class TermAdmin(Choosing, admin.ModelAdmin):
    list_display = ("word", "language", "meaning", "evidence")
    list_filter = ("language",)
    list_select_related = ("evidence",)
    search_fields = ("word", "meaning", "evidence__identifier")
    autocomplete_fields = ("evidence",)


@admin.register(models.Place)
class PlaceAdmin(DeletedForAReason, Choosing, admin.ModelAdmin):
    list_display = ("name", "kind", "latitude", "longitude", "part_of")
    list_filter = ("kind",)
    list_select_related = ("part_of",)
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("part_of",)


@admin.register(models.Source)
class SourceAdmin(DeletedForAReason, admin.ModelAdmin):
    list_display = ("key", "authors", "year", "title", "container")
    list_filter = ("year",)
    search_fields = ("key", "authors", "title", "container", "as_printed")


class CitationInline(Inline, admin.TabularInline):
    model = models.Citation
    autocomplete_fields = ("source",)


class UncertaintyInline(Inline, admin.TabularInline):
    model = models.EvidenceUncertainty
    autocomplete_fields = ("factor",)


class NoteInline(Inline, admin.StackedInline):
    model = models.EditorsNote
    formfield_overrides = AS_TYPED


@admin.register(models.Evidence)
class EvidenceAdmin(ReasonedAdmin):
    list_display = ("identifier", "game", "type", "date_words", "year_earliest", "year_latest", "withdrawn_on")
    list_filter = ("type", ("withdrawn_on", admin.EmptyFieldListFilter), "places", "sources", "uncertainty_factors")
    search_fields = ("identifier", "game__name", "paraphrase", "quotation", "notes__text")
    autocomplete_fields = ("game", "places")
    readonly_fields = ("year_earliest", "year_latest")
    inlines = (CitationInline, UncertaintyInline, NoteInline)

    def save_model(self, request: HttpRequest, obj: models.Evidence, form: Any, change: bool) -> None:
        """Anchors follow their words, in the preview as in the saving."""
        super().save_model(request, obj, form, change)
        if not any(field in form.changed_data for field in TEXTS.values()):
            return
        carried = carry_along(obj)
        if carried.words:
            self.message_user(request, carried.words, messages.WARNING if carried.left else messages.SUCCESS)


@admin.register(models.Citation)
class CitationAdmin(Choosing, admin.ModelAdmin):
    list_display = ("evidence", "source", "role", "locator", "as_printed")
    list_filter = ("role", "source")
    search_fields = ("evidence__identifier", "source__key", "as_printed")
    autocomplete_fields = ("evidence", "source")


@admin.register(models.UncertaintyFactor)
class UncertaintyFactorAdmin(admin.ModelAdmin):
    list_display = ("name", "definition")
    search_fields = ("name", "slug", "definition")
    prepopulated_fields = {"slug": ("name",)}


@admin.register(models.EvidenceUncertainty)
class EvidenceUncertaintyAdmin(Choosing, admin.ModelAdmin):
    list_display = ("evidence", "factor", "reason")
    list_filter = ("factor",)
    search_fields = ("evidence__identifier", "factor__name", "reason")
    autocomplete_fields = ("evidence", "factor")


@admin.register(models.EditorsNote)
class EditorsNoteAdmin(ReasonedAdmin):
    list_display = ("evidence", "slug", "about", "text")
    list_filter = ("about",)
    search_fields = ("evidence__identifier", "slug", "text")
    autocomplete_fields = ("evidence",)


@admin.register(models.Period, models.Category)
class NamedAdmin(admin.ModelAdmin):
    list_display = ("name", "slug")
    search_fields = ("name", "slug")


@admin.register(models.PortalGame)
class PortalGameAdmin(Choosing, admin.ModelAdmin):
    list_display = ("number", "game")
    list_filter = ("periods", "categories")
    search_fields = ("game__name", "description")
    autocomplete_fields = ("game", "regions", "periods", "categories")
    formfield_overrides = AS_TYPED


@admin.register(models.PortalRuleset)
class PortalRulesetAdmin(Choosing, admin.ModelAdmin):
    list_display = ("number", "name", "game", "type", "is_main")
    list_filter = ("type", "is_main")
    search_fields = ("name", "game__name", "summary", "rules")
    autocomplete_fields = ("game", "evidence")
    formfield_overrides = AS_TYPED


@admin.register(models.Suggestion)
class SuggestionAdmin(admin.ModelAdmin):
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
    """Sign the decision with name and time; a suggestion that is put back to new is unsigned again."""
    undecided = suggestion.state == models.Suggestion.State.NEW
    suggestion.reviewed = None if undecided else timezone.now()
    suggestion.reviewed_by = None if undecided or request.user.is_anonymous else request.user
