"""How a page says what it is: how it can be cited, where its history is, and what it holds as linked data."""

import json
from collections.abc import Sequence
from typing import Any

from django import template
from django.db.models import Model
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from catalogue.citations.chicago import EDITION, chicago, chicago_author_date, chicago_note
from catalogue.citations.formats import FORMATS
from catalogue.citations.items import Item, catalogue_item, item_of
from catalogue.edition.contents import EditionContents, cited
from catalogue.history.histories import address_of
from catalogue.identifiers.linked_data import Writer
from catalogue.identifiers.resolution import identifier_of, kind_of
from catalogue.models import Clause
from catalogue.models.lookup import key_of
from catalogue.web.addresses import page_of, site_address

register = template.Library()
OPENING, CLOSING = '<script type="application/ld+json">', "</script>"


@register.inclusion_tag("partials/cite.html", takes_context=True)
def cite_this(context: Context, row: Any, what: str) -> dict[str, Any]:
    """`{% cite_this record "record" %}`: the row in every form, and where it can be had in each."""
    base = site_address(context["request"])
    item = item_of(row, accessed=timezone.now().date(), base=base)
    kind, key = kind_of(row).name, key_of(row)
    addresses = {name: reverse("citation", args=[kind, key, name]) for name in FORMATS}
    return {
        **_written(item, addresses),
        "what": what,
        "address": f"{base}{page_of(row)}",
        "identifier": f"{base}{identifier_of(row)}",
    }


@register.inclusion_tag("partials/cite.html", takes_context=True)
def cite_the_catalogue(context: Context) -> dict[str, Any]:
    base = site_address(context["request"])
    item = catalogue_item(accessed=timezone.now().date(), base=base)
    addresses = {name: reverse("citation-of-catalogue", args=[name]) for name in FORMATS}
    return {**_written(item, addresses), "what": "catalogue", "address": f"{base}/", "identifier": ""}


@register.inclusion_tag("partials/cite.html", takes_context=True)
def cite_the_edition(context: Context, edition: EditionContents) -> dict[str, Any]:
    item = cited(edition, context["request"])
    addresses = {name: reverse("citation-of-edition", args=[name]) for name in FORMATS}
    return {**_written(item, addresses), "what": "edition", "address": item["URL"], "identifier": ""}


def _written(item: Item, addresses: dict[str, str]) -> dict[str, Any]:
    in_words = (
        ("Note", chicago_note(item)),
        ("Bibliography", chicago(item)),
        ("Author and date", chicago_author_date(item)),
    )
    return {
        "edition": EDITION,
        "in_words": [(title, mark_safe(text)) for title, text in in_words],
        "forms": [(form.title, form.write([item]), addresses[name]) for name, form in FORMATS.items() if name != "txt"],
        "plain": addresses["txt"],
    }


@register.filter
def history_address(row: Model) -> str:
    """The address of the public history of a row: `{{ clause|history_address }}`."""
    return address_of(row)


@register.simple_tag(takes_context=True)
def linked_data_of(context: Context, row: Any, clauses: Sequence[Clause] = ()) -> SafeString:
    """`{% linked_data_of record %}`, `{% linked_data_of version own_clauses %}`"""
    return _script(Writer(context["request"]).document(row, clauses))


@register.simple_tag(takes_context=True)
def linked_data_of_page(context: Context) -> SafeString:
    """Linked data of a page about no single row; none of a page of an error, which may have no request."""
    request = context.get("request")
    return _script(Writer(request).page()) if request is not None else mark_safe("")


@register.simple_tag
def linked_data_written(node: dict[str, Any]) -> SafeString:
    """Linked data that the view of the page has written itself."""
    return _script(node)


def _script(document: dict[str, Any]) -> SafeString:
    """No word of a row can end the script: the three characters that could are written as JSON escapes."""
    text = json.dumps(document, ensure_ascii=False)
    text = text.replace("<", r"\u003C").replace(">", r"\u003E").replace("&", r"\u0026")
    return mark_safe(f"{OPENING}{text}{CLOSING}")
