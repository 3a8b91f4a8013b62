"""Small pieces of a sentence that stand on many pages, and must not be torn by white space."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
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


@register.filter
def highlighted(pieces: Iterable[Any]) -> SafeString:
    """The pieces of a text in which something was found, with a mark on those that were looked for."""
    marked = (format_html("<mark>{}</mark>", piece.text) if piece.is_found else piece.text for piece in pieces)
    return format_html_join("", "{}", ((piece,) for piece in marked))
