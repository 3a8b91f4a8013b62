"""Rows that are edited below the row they belong to."""

from typing import Any

from django.contrib.admin.options import InlineModelAdmin
from django.http import HttpRequest

from catalogue.admin.choosing import Choosing
from catalogue.texts.formatting import capitalised

MOST_ROWS = 100  # a form that says that it has millions is refused, and drawn again with no more than these


class Inline(Choosing, InlineModelAdmin):
    """Before the class of Django's."""

    extra = 0
    max_num = MOST_ROWS

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """In a table a field has a heading and no label: its name is told to who cannot see that."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.widget.attrs.setdefault("aria-label", capitalised(str(field.label)))
        return field

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        return super().get_formset(request, obj, **{"absolute_max": MOST_ROWS, **kwargs})
