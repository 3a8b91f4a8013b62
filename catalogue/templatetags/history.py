"""The way from a row to its public history."""

from django import template
from django.db.models import Model

from catalogue.history.histories import address_of

register = template.Library()


@register.filter
def history_address(row: Model) -> str:
    """Of a record, reading, clause, question, claim or note: `{{ clause|history_address }}`."""
    return address_of(row)
