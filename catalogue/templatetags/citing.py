"""How a page says what it is: how it can be cited, where its history is, and what programs read of it."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django import template
from django.db.models import Model
from django.template import Context
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from catalogue.citations.chicago import EDITION, chicago, chicago_author_date, chicago_note
from catalogue.citations.embedded import tags
from catalogue.citations.formats import FORMATS
from catalogue.citations.items import LICENCE_NAME, NAME, Item, catalogue_item, item_of, release
from catalogue.edition.superseded import PAGES, superseded_at
from catalogue.history.histories import address_of
from catalogue.identifiers.linked_data import Writer
from catalogue.identifiers.resolution import identifier_of
from catalogue.identifiers.signposts import Forms, Signpost, api_address, citation_forms, signposts, whole_forms
from catalogue.models import Clause
from catalogue.web.addresses import page_of, site_address
from catalogue.web.routes import ROUTES

register = template.Library()
OPENING, CLOSING = '<script type="application/ld+json">', "</script>"


@register.inclusion_tag("partials/cite.html", takes_context=True)
def cite_this(context: Context, row: Any, what: str) -> dict[str, Any]:
    """`{% cite_this record "record" %}`: the row in every form, and where it can be had in each."""
    base = site_address(context["request"])
    return {
        **_written(_cited(context, row), citation_forms(row)),
        "what": what,
        "address": f"{base}{page_of(row)}",
        "identifier": f"{base}{identifier_of(row)}",
    }


@register.inclusion_tag("partials/superseded.html", takes_context=True)
def superseded_note(context: Context) -> dict[str, Any]:
    """On the page of what only an earlier edition has: what took its place."""
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    return {"part": superseded_at(match) if getattr(match, "view_name", "") in PAGES.values() else None}


@register.inclusion_tag("partials/cite.html", takes_context=True)
def cite_the_catalogue(context: Context) -> dict[str, Any]:
    return cite_whole(context, "catalogue", _catalogue(context))


@register.inclusion_tag("partials/cite.html", takes_context=True)
def cite_whole(context: Context, of: str, item: Item, *args: str) -> dict[str, Any]:
    """`{% cite_whole "release" item release.version %}`: what is no row, but the catalogue or much of it."""
    return {**_written(item, whole_forms(of, *args)), "what": of, "address": item["URL"], "identifier": ""}


def _catalogue(context: Context) -> Item:
    return catalogue_item(accessed=timezone.now().date(), base=site_address(context["request"]))


def _cited(context: Context, row: Any) -> Item:
    """The item that cites the row, made once for a page."""
    request = context["request"]
    items = vars(request).setdefault("cited_items", {})
    if row not in items:
        items[row] = item_of(row, accessed=timezone.now().date(), base=site_address(request))
    item: Item = items[row]
    return item


def _written(item: Item, addresses: Forms) -> dict[str, Any]:
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
def head_of(context: Context, row: Any, clauses: Sequence[Clause] = ()) -> SafeString:
    """`{% head_of record %}`, `{% head_of version own_clauses %}`: tags and links of a page that can be cited."""
    document = Writer(context["request"]).document(row, clauses)
    return _head(context, page_of(row), _cited(context, row), document, citation_forms(row), api_address(row))


@register.simple_tag(takes_context=True)
def head_of_whole(context: Context, of: str, item: Item, document: Mapping[str, Any], *args: str) -> SafeString:
    """`{% head_of_whole "release" item linked release.version %}`: the same of what is no row."""
    return _head(context, context["request"].path, item, document, whole_forms(of, *args))


@register.simple_tag(takes_context=True)
def head_of_catalogue(context: Context) -> SafeString:
    document = Writer(context["request"]).page()
    return _head(context, context["request"].path, _catalogue(context), document, whole_forms("catalogue"))


def _head(
    context: Context, page: str, item: Item, document: Mapping[str, Any], forms: Forms, api: str = ""
) -> SafeString:
    """The links are left with the request too, for the header of the answer."""
    request = context["request"]
    node, base = document.get("@graph", [document])[0], site_address(request)
    request.signposts = links = list(signposts(base, page, node, forms, api))
    named = tags(item, f"{base}{page}", node.get("license", ""))
    lines = [
        *(format_html('<link rel="schema.{}" href="http://purl.org/dc/{}/">', *one) for one in SCHEMAS),
        *(format_html('<meta name="{}" content="{}">', *tag) for tag in named),
        *(_alternate(link) for link in links if link.title),
        _script(document),
    ]
    return mark_safe("\n  ".join(lines))


def _alternate(link: Signpost) -> SafeString:
    html = '<link rel="alternate" type="{}" title="{}" href="{}">'
    return format_html(html, link.media_type, link.title, link.address)


@register.simple_tag(takes_context=True)
def linked_data_of(context: Context, row: Any) -> SafeString:
    """Linked data of a row that cannot be cited yet."""
    return _script(Writer(context["request"]).document(row))


@register.simple_tag(takes_context=True)
def linked_data_of_page(context: Context) -> SafeString:
    """Linked data of a page about no single row; none of a page of an error, which may have no request."""
    request = context.get("request")
    return _script(Writer(request).page()) if request is not None else mark_safe("")


SCHEMAS = (("DC", "elements/1.1"), ("DCTERMS", "terms"))  # which vocabulary a beginning of a tag stands for
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
DESCRIPTION = re.compile(r'<meta name="description" content="(.*?)"', re.DOTALL)


OF_PICTURES = (("og:image:type", "image/png"), ("og:image:width", "1200"), ("og:image:height", "630"))
# Name of a page's route → what its picture is of, and which parts of the address say which one.
PICTURED = {
    "evidence": ("evidence", "identifier"), "evidence-rules": ("evidence", "identifier"),
    "suggest": ("evidence", "identifier"), "game": ("games", "slug"), "sensitivity": ("sensitivity", "slug"),
    "ruleset": ("rulesets", "name"), "change-ruleset": ("rulesets", "name"), "play-a-game": ("rulesets", "name"),
    "batch": ("batches", "batch_id"), "replay": ("batches", "batch_id"), "comparison": ("comparisons", "comparison_id"),
    "study": ("studies", "study_id"), "wear": ("wear", "study_id"), "source": ("sources", "key"),
    "place": ("places", "slug"), "claim": ("claims", "game", "slug"), "question": ("questions", "game", "slug"),
}  # fmt: skip


@register.simple_tag(takes_context=True)
def share_picture(context: Context) -> str:
    """The path of the picture that stands for this page where it is shared; empty of a page of an error."""
    request = context.get("request")
    match = request.resolver_match if request is not None else None
    if match is None or match.view_name not in ROUTES:
        return ""
    subject, *parts = PICTURED.get(match.view_name, ("pages",))
    name = "/".join(str(match.kwargs[part]) for part in parts)
    if not parts:
        name = match.view_name if ROUTES[match.view_name].sitemap else "home"
    try:
        return reverse("share-picture", args=[subject, name])
    except NoReverseMatch:  # a line ends in a name that nothing has
        return ""


@register.simple_block_tag(takes_context=True)
def shared(context: Context, content: str, picture: str = "") -> SafeString:
    """Say title and description, which stand within, to sites on which the page is shared as well.

    They read Open Graph (https://ogp.me/) and the tags of Twitter. picture: path of one of 1200 × 630 (`share_picture`)
    """
    request = context.get("request")
    title, description = TITLE.search(content), DESCRIPTION.search(content)
    if request is None or title is None or description is None:
        return mark_safe(content)
    base = site_address(request)
    # What was found is escaped already; a quotation mark of a template may still stand in a title.
    words = [mark_safe(" ".join(found[1].split()).replace('"', "&quot;")) for found in (title, description)]
    named = [
        ("og:site_name", NAME),
        ("og:type", "website"),
        ("og:title", mark_safe(words[0].removesuffix(f" – {NAME}"))),
        ("og:description", words[1]),
        ("og:url", f"{base}{request.path}"),
        *([("og:image", f"{base}{picture}"), *OF_PICTURES, ("og:image:alt", words[0])] if picture else []),
    ]
    card = format_html('<meta name="twitter:card" content="{}">', "summary_large_image" if picture else "summary")
    lines = [format_html('<meta property="{}" content="{}">', *one) for one in named]
    return mark_safe("\n  ".join([content.strip(), *lines, card]))


@register.simple_tag
def this_version() -> str:
    """The version of the catalogue that is installed here."""
    return release().version


@register.simple_tag
def licence_of_figures() -> str:
    return LICENCE_NAME


@register.simple_tag(takes_context=True)
def site(context: Context) -> str:
    """The address of the site, for what is used elsewhere."""
    return site_address(context["request"])


@register.simple_tag(takes_context=True)
def oembed_address(context: Context, page: str) -> str:
    """Where it is told how the figure of a page is embedded."""
    base = site_address(context["request"])
    return f"{base}{reverse('oembed')}?{urlencode({'url': f'{base}{page}'})}"


def _script(document: Mapping[str, Any]) -> SafeString:
    """No word of a row can end the script: the three characters that could are written as JSON escapes."""
    text = json.dumps(document, ensure_ascii=False)
    text = text.replace("<", r"\u003C").replace(">", r"\u003E").replace("&", r"\u0026")
    return mark_safe(f"{OPENING}{text}{CLOSING}")
