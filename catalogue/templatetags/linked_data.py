"""Linked data within a page."""

import json
from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString, mark_safe

from catalogue.identifiers.linked_data import Writer

register = template.Library()

OPENING, CLOSING = '<script type="application/ld+json">', "</script>"
WITHIN_A_PAGE = {ord("<"): r"\u003C", ord(">"): r"\u003E", ord("&"): r"\u0026"}


@register.simple_tag(takes_context=True)
def linked_data_of(context: Context, row: Any) -> SafeString:
    """`{% linked_data_of record %}`"""
    return _script(Writer(context["request"]).document(row))


@register.simple_tag(takes_context=True)
def linked_data_of_page(context: Context) -> SafeString:
    """Of a page that is about no single row. A page of an error tells nothing: it has no request at times."""
    request = context.get("request")
    return _script(Writer(request).page()) if request is not None else mark_safe("")


@register.simple_tag
def linked_data_written(node: dict[str, Any]) -> SafeString:
    """Of a page whose view has written the node itself."""
    return _script(node)


def _script(document: dict[str, Any]) -> SafeString:
    """No word of a row can end the script: the three characters that could are written as JSON escapes."""
    text = json.dumps(document, ensure_ascii=False).translate(WITHIN_A_PAGE)
    return mark_safe(f"{OPENING}{text}{CLOSING}")
