"""Words that explain themselves where they stand: the first time on a page, and without scripts."""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from catalogue.texts.glossary import Entry
from catalogue.texts.glossary import explained as in_pieces

register = template.Library()
TERM = (
    '<dfn><button type="button" class="term" popovertarget="term-{slug}">{text}</button></dfn>'
    '<span class="meaning" id="term-{slug}" popover>{meaning} <a href="{address}#{slug}">All terms</a></span>'
)


@register.simple_tag(takes_context=True)
def explained(context: dict[str, Any], text: str) -> SafeString:
    """A text with its words explained; where the page is not known, as in a part that is fetched, it stands plain."""
    request = context.get("request")
    if request is None or getattr(request, "htmx", False):
        return conditional_escape(text)
    if not hasattr(request, "explained_words"):
        request.explained_words = set()
    pieces = in_pieces(str(text), request.explained_words)
    return mark_safe(
        "".join(_term(one.text, one.entry) if one.entry else conditional_escape(one.text) for one in pieces)
    )


def _term(text: str, entry: Entry) -> SafeString:
    return format_html(TERM, slug=entry.slug, text=text, meaning=entry.text, address=reverse("term-list"))
