"""Small pieces of a sentence that stand on many pages, and must not be torn by white space."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def counted(number: int, noun: str) -> str:
    """`{{ 1234|counted:"record" }}` as 1,234 records, and 1 as 1 record."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@register.filter
def links(rows: Iterable[Any], text: str) -> SafeString:
    """A link to each of some rows, with commas between. text: the attribute that says what a row is called"""
    return format_html_join(", ", '<a href="{}">{}</a>', ((row.get_absolute_url(), getattr(row, text)) for row in rows))
