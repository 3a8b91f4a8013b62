"""The field in which an editor chooses a row by typing its name, whatever is sent in its place."""

from collections.abc import Sequence
from typing import Any

from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.widgets import AutocompleteMixin, AutocompleteSelect, AutocompleteSelectMultiple
from django.db.models import ForeignKey, ManyToManyField
from django.forms import ModelChoiceField, ModelMultipleChoiceField
from django.http import HttpRequest


class _Known(AutocompleteMixin):
    """Django's own looks up what was sent to show the form again, and fails where that is no key."""

    def optgroups(self, name: str, value: Sequence[str], attr: Any = None) -> list[Any]:
        try:
            return super().optgroups(name, value, attr)
        except (ValueError, OverflowError):
            return super().optgroups(name, [], attr)


class _One(_Known, AutocompleteSelect):
    pass


class _Several(_Known, AutocompleteSelectMultiple):
    pass


class _Rows(ModelMultipleChoiceField):
    """Asks the database for keys only: it does not take numbers that are too great for one."""

    def clean(self, value: Any) -> Any:
        assert self.queryset is not None
        for one in value or ():
            self.queryset.model._meta.pk.clean(one, None)
        return super().clean(value)


class Choosing(BaseModelAdmin):
    """For whatever has `autocomplete_fields`, before the class of Django's."""

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any]", request: HttpRequest, **kwargs: Any
    ) -> "ModelChoiceField[Any] | None":
        return super().formfield_for_foreignkey(db_field, request, **self._widget(_One, db_field, request, kwargs))

    def formfield_for_manytomany(
        self, db_field: "ManyToManyField[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> "ModelMultipleChoiceField[Any] | None":
        kwargs = {"form_class": _Rows} | self._widget(_Several, db_field, request, kwargs)
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def _widget(
        self, kind: type[AutocompleteMixin], db_field: Any, request: HttpRequest, kwargs: dict[str, Any]
    ) -> dict[str, Any]:
        if db_field.name not in self.get_autocomplete_fields(request):
            return kwargs
        return {"widget": kind(db_field, self.admin_site, using=kwargs.get("using"))} | kwargs
