"""What the portal says of games and rules; its texts are searched here and corrected only knowingly."""

from django.contrib import admin

from catalogue import models
from catalogue.admin.choosing import Choosing
from catalogue.admin.verbatim import AS_TYPED


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
