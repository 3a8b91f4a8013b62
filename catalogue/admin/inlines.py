"""Rows that are edited below the row they belong to."""

from typing import Any

from django.contrib.admin.options import InlineModelAdmin
from django.http import HttpRequest

from catalogue.admin.choosing import Choosing

MOST_ROWS = 100  # a form that says that it has millions is refused, and drawn again with no more than these


class Inline(Choosing, InlineModelAdmin):
    """Before the class of Django's."""

    extra = 0
    max_num = MOST_ROWS

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        return super().get_formset(request, obj, **{"absolute_max": MOST_ROWS, **kwargs})
