"""How the pages write names, numbers, years, the figures of a batch, and words that explain themselves."""

import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any

import rfc8785
from django import template
from django.template import Context
from django.template.defaultfilters import stringfilter
from django.urls import reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from catalogue.evidence.apparatus import RuleEntry, RuleLeaf
from catalogue.models import Anchor, Basis, Comparison, Evidence, Reading, Term
from catalogue.models.playability import Playability, unplayed_rules
from catalogue.models.querysets import RulesetTitle
from catalogue.outcomes.figure import Bar
from catalogue.texts.anchors import MarkedPiece
from catalogue.texts.formatting import capitalised, year_words
from catalogue.texts.glossary import Entry
from catalogue.texts.glossary import explained as in_pieces
from catalogue.texts.voices import KINDS, in_names_of_voices, voice_of
from catalogue.web.addresses import comparison_title, titles_compared, titles_for
from catalogue.web.plots import inline
from simulator.batches.levels import line_in_words
from simulator.engine.players.wording import in_words, played_in_words
from simulator.models import Batch, Ruleset

register = template.Library()
register.filter("year_words", year_words)

OUTER_QUANTILE = re.compile(r"_q(10|25|75|90)$")
OF_A_MEASURE = re.compile(r"_(mean|q\d+)$")
BASES = dict(Basis.choices)
LONGEST_BESIDE = 90  # characters of a rule that another's note names
NATIVE_TERM = re.compile(r"\*([^*\n]+)\*")
TERM = (
    '<dfn><button type="button" class="term" popovertarget="term-{slug}">{text}</button></dfn>'
    '<span class="meaning" id="term-{slug}" popover>{meaning} <a href="{address}#{slug}">All terms</a></span>'
)


@register.simple_block_tag
def table(content: str, label: str, classes: str = "") -> SafeString:
    """`{% table "Label" "wide" %} rows {% endtable %}`: a table that scrolls by itself where it is too wide.

    A region that scrolls needs a name and a place in the order of the keyboard.
    """
    kinds = format_html(' class="{}"', classes) if classes else ""
    region = '<div class="scroll" tabindex="0" role="region" aria-label="{}"><table{}>{}</table></div>'
    return format_html(region, label, kinds, content)


@register.filter
def thousands(number: int | None) -> str:
    """1234567 as 1,234,567: every figure of the site is written in the same way."""
    return "" if number is None else f"{number:,}"


@register.filter
def italics(text: str) -> SafeString:
    """A text of the catalogue as HTML: native terms, between asterisks, are set in italics."""
    return mark_safe(NATIVE_TERM.sub(r"<em>\1</em>", conditional_escape(text)))


@register.filter
def playable(record: str) -> str:
    """How a record can be played: "Playable in part"."""
    return capitalised(Playability(record).label)


@register.simple_tag
def in_part(shown: Iterable[Any]) -> SafeString:
    """That of some readings not every rule is played, with the way to these rules; empty where every one is.

    shown: a slug, slugs of readings, readings, or bars of a figure. One query
    """
    shown = [shown] if isinstance(shown, str) else shown or ()
    slugs = {one if isinstance(one, str) else one.row.near if isinstance(one, Bar) else one.slug for one in shown}
    slugs.discard("")
    unplayed = unplayed_rules(slugs) if slugs else {}
    links = [
        format_html(
            '<a href="{}#not-played">{} of {}</a>',
            reverse("ruleset", args=[slug]),
            "one rule" if len(rules) == 1 else f"{len(rules)} rules",
            rules[0].title,
        )
        for slug, rules in unplayed.items()
    ]
    parts = format_html_join(", ", "{}", ((link,) for link in links))
    return format_html('<p class="small in-part">Played in part: {} left out.</p>', parts) if links else SafeString()


@register.filter
@stringfilter
def first_of_it(sentence: str) -> str:
    """The first thing that a long sentence says; what else it says stands behind its semicolons.

    >>> first_of_it("Games are longer (2 times); who wins does not change.")
    'Games are longer (2 times).'
    """
    first, more, _ = sentence.partition("; ")
    return f"{first}." if more else sentence


@register.filter
@stringfilter
def beginning(text: str, most: int) -> str:
    """At most so many characters, the last of them an ellipsis where the text is longer.

    `truncatechars` does the same, but looks at every character for what may be joined to it.
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


@register.simple_tag
def marked(pieces: Iterable[MarkedPiece], terms: Iterable[Term] = ()) -> SafeString:
    """`{% marked pieces terms %}`: a text whose anchored words are links to their first rule.

    The style sheet underlines the words by voice, as `data-followed` and `data-against` say. The words of the players
    have their meaning with them. No white space may come between the pieces: it would stand in the quotation. Written
    in Python, as `back_links` is: a record has some hundred of them.
    """
    meanings = {term.word.lower(): term.meaning for term in terms or ()}
    words = "|".join(re.escape(word) for word in sorted(meanings, key=len, reverse=True))
    of_players = re.compile(rf"(?<!\w)({words})(?!\w)", re.IGNORECASE)
    html = []
    for piece in pieces:
        for mark in piece.starts:
            address = f'<span id="{escape(mark.address)}"></span>' if mark.address else ""
            html.append(f'<span\n  id="{escape(mark.id)}">{address}</span>')
        parts = of_players.split(piece.text) if meanings else [piece.text]
        text = "".join(
            f'<span class="gloss" title="{escape(meanings[part.lower()])}">{escape(part)}</span>'
            if place % 2
            else escape(part)
            for place, part in enumerate(parts)
        )
        if not piece.marks:
            html.append(f'<span\n  class="{escape(piece.use or "unused")}">{text}</span>')
            continue
        followed, against = piece.followed_by, piece.departed_from_by
        html.append(
            f'<a\n  class="words" href="#c-{escape(piece.marks[0].label)}" data-rules="{escape(piece.labels)}"'
            + (f'\n  data-followed="{escape(followed)}"' if followed else "")
            + (f' data-against="{escape(against)}"' if against else "")
            + f"\n  >{text}</a>"
        )
    return mark_safe("".join(html))


@register.simple_tag
def back_links(entry: RuleEntry, page: str = "") -> SafeString:
    """`{% back_links entry page %}`: the words that a rule rests on, and those against it, as links.

    page: the address of the record; empty on its own page
    """
    html = ['<ul class="back small">']
    for link in entry.here:
        sign = "≠ against: " if link.mark.against else "↑ "
        words = f"{sign}<q>{escape(link.words)}</q>"
        html.append(f'  <li><a href="{escape(page)}#{escape(link.mark.id)}">{words}</a></li>')
    for anchor in entry.elsewhere:
        sign = "≠ against, " if anchor.stance == Anchor.Stance.CONTRADICTS else ""
        record = anchor.evidence
        name = f'<a href="{escape(record.get_absolute_url())}">{sign}{escape(record.identifier)}</a>'
        html.append(f"  <li>\n    {name}:\n    <q>{escape(beginning(anchor.exact, 80))}</q>\n  </li>")
    return mark_safe("\n".join([*html, "</ul>"]))


@register.simple_tag
def rule_heading(entry: RuleEntry) -> SafeString:
    """`{% rule_heading entry %}`: who says the rule and how it is known, and who has taken it over."""
    voice, basis = entry.voice, entry.clause.basis
    html = [
        f'<a class="voice" href="#c-{escape(entry.label)}" title="{escape(voice.line)}">'
        f"{voice_mark(voice.kind.slug)}{escape(voice.label)}</a>",
        f'<span class="tag basis-{escape(basis)}">{escape(BASES.get(basis, basis))}</span>',
    ]
    if entry.clause.not_played:
        html.append('<span class="tag">not played here</span>')
    if entry.holders:
        html.append(f'<span class="small soft">taken over by {escape(", ".join(entry.holders))}</span>')
    return mark_safe(" ".join(html))


@register.simple_tag
def rules_beside(leaf: RuleLeaf) -> SafeString:
    """`{% rules_beside leaf %}`: the rules that the words of a rule speak against, and those that follow them too."""
    html = []
    for other in leaf.contrary:
        kind, mark = escape(other.voice.kind.slug), voice_mark(other.voice.kind.slug)
        html.append(
            f'<p class="but v-{kind}"><b>{mark}But {escape(other.voice.name)} says:</b>\n'
            f'  <a href="#c-{escape(other.label)}">{italics(other.clause.text)}</a></p>'
        )
    for other in leaf.likewise:
        kind, mark = escape(other.voice.kind.slug), voice_mark(other.voice.kind.slug)
        text = escape(beginning(other.clause.text.replace("*", ""), LONGEST_BESIDE))
        html.append(
            f'<p class="likewise small v-{kind}"><a href="#c-{escape(other.label)}"><span\n'
            f'  class="voice">{mark}{escape(other.voice.label)}</span>: {text}</a></p>'
        )
    return mark_safe("\n".join(html))


MARKS = {
    kind.slug: format_html(
        '<svg class="mark v-{}" viewBox="0 0 10 10" aria-hidden="true"><path d="{}"/></svg>', kind.slug, kind.mark
    )
    for kind in KINDS
}
KIND_LINES = {kind.slug: kind.line for kind in KINDS}


@register.filter
def voice_mark(kind: str) -> SafeString:
    """The mark of a kind of voice; nothing where none is known."""
    return MARKS.get(kind, SafeString())


@register.filter
def voice_kind(kind: str) -> str:
    """What a kind of voice is, in one line."""
    return KIND_LINES.get(kind, "")


@register.filter
def voiced(reading: Reading) -> SafeString:
    """Who speaks in a reading: the mark and the label, with one line of explanation to point at."""
    voice = voice_of(reading.authority, reading.title)
    html = '<span class="voice v-{}" title="{}">{}{}</span>'
    return format_html(html, voice.kind.slug, voice.kind.line, MARKS[voice.kind.slug], voice.label)


@register.filter
def voice_line(reading: Reading) -> str:
    """Who speaks in a reading, as one line that says what that is."""
    return voice_of(reading.authority, reading.title).kind.line


register.filter("in_voices", stringfilter(in_names_of_voices))


@register.filter
def percent(share: float | None) -> str:
    """0.416 as 42 %."""
    return "" if share is None else f"{100 * share:.0f} %"


@register.filter
def dated(record: Evidence) -> str:
    """The years of a record in words."""
    return record.years_in_words


@register.filter
@stringfilter
def short_hash(digest: str) -> str:
    return digest[:8]


@register.filter
def canonical(document: Any) -> str:
    """The document in the form its hash is taken of (RFC 8785)."""
    return rfc8785.dumps(document).decode()


@register.filter
def pretty(document: Any) -> str:
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False)


@register.filter
def name_of(ruleset: Ruleset) -> str:
    """The name of a ruleset in an address or a command."""
    return ruleset.name


@register.simple_tag(takes_context=True)
def called(context: Context, ruleset: Ruleset) -> RulesetTitle:
    """A ruleset in words; two queries for all that a page names."""
    return titles_for(context["request"]).of(ruleset)


@register.simple_tag(takes_context=True)
def compared_rulesets(context: Context, comparison: Comparison) -> str:
    """The rulesets of a comparison, in words."""
    return comparison_title(titles_compared(context["request"], comparison))


@register.filter
def in_short(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The figures of a section that are shown at once: all but the outer quantiles; each note once."""
    inner = [row for row in _that_happened(rows) if not OUTER_QUANTILE.search(row["key"])]
    first = {row.get("note"): row["key"] for row in reversed(inner)}
    return [row if first[row.get("note")] == row["key"] else {**row, "note": ""} for row in inner]


@register.filter
def outer_quantiles(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in _that_happened(rows) if OUTER_QUANTILE.search(row["key"])]


@register.filter
def never_happened(rows: list[dict[str, Any]]) -> list[str]:
    """What was counted in every game and found in none, each by its name."""
    none = _zero(rows)
    return [row["title"].rpartition(", mean")[0] for row in rows if row["key"] in {f"{name}_mean" for name in none}]


def _that_happened(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    none = _zero(rows)
    return [row for row in rows if OF_A_MEASURE.sub("", row["key"]) not in none]


def _zero(rows: list[dict[str, Any]]) -> set[str]:
    """Measures whose mean is 0, with 0 as its interval: a number of lines that say nothing."""
    means = [row for row in rows if row["key"].endswith("_mean") and row.get("value") == 0]
    return {row["key"].removesuffix("_mean") for row in means if not (row["low"] or row["high"])}


register.filter("plotted", lambda svg: mark_safe(inline(svg)))


@register.filter
@stringfilter
def players_in_words(players: str) -> str:
    """ "uct:1000,random" as "Monte Carlo search, 1,000 iterations, against random"."""
    return in_words(players)


@register.filter
@stringfilter
def line_of_players(players: str) -> str:
    """ "club,random" as "first player club, second player random"."""
    return line_in_words(players)


@register.filter
def who_played(batch: Batch) -> str:
    """The players of a batch in words, with what they do where the rules let them end the game by consent."""
    return played_in_words(batch.players, [batch.ruleset.document], batch.until, batch.family_version)


@register.filter
@stringfilter
def are_random(players: str) -> bool:
    """Return whether all players of these games choose at random."""
    return set(players.split(",")) == {"random"}


@register.filter
def continued(command: str) -> str:
    """A long command line, one option a line, in the form a shell takes as one line."""
    return command.replace(" --", " \\\n  --")


@register.filter
def drawn(svg: str) -> SafeString:
    """A drawing of our own making (a board from the engine), put into the page as it is."""
    return mark_safe(svg)


@register.filter
def counted(number: int, noun: str) -> str:
    """`{{ 1234|counted:"record" }}` as 1,234 records, and 1 as 1 record; 2 classes, 2 batches."""
    ending = "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{number:,} {noun}{'' if number == 1 else ending}"


@register.filter
def games_of(batch: Batch) -> str:
    """ "2,400 games", or "93 first rounds" of a batch that played only these."""
    return counted(batch.games, "first round" if batch.until == Batch.Until.ROUND else "game")


@register.filter
def links(rows: Iterable[Any], text: str) -> SafeString:
    """A link to each of some rows, with commas between. text: the attribute that says what a row is called"""
    return format_html_join(", ", '<a href="{}">{}</a>', ((row.get_absolute_url(), getattr(row, text)) for row in rows))


@register.filter
def highlighted(pieces: Iterable[Any]) -> SafeString:
    """The pieces of a text in which something was found, with a mark on those that were looked for."""
    marked = (format_html("<mark>{}</mark>", piece.text) if piece.is_found else piece.text for piece in pieces)
    return format_html_join("", "{}", ((piece,) for piece in marked))


@register.simple_tag(takes_context=True)
def explained(context: dict[str, Any], text: str) -> SafeString:
    """A text with its terms explained; plain where the page is not known, as in a part that is fetched."""
    request = context.get("request")
    if request is None or getattr(request, "htmx", False):
        return conditional_escape(text)
    if not hasattr(request, "explained_words"):
        request.explained_words = set()
    pieces = in_pieces(str(text), request.explained_words)
    return mark_safe(
        "".join(_term(piece.text, piece.entry) if piece.entry else conditional_escape(piece.text) for piece in pieces)
    )


def _term(text: str, entry: Entry) -> SafeString:
    return format_html(TERM, slug=entry.slug, text=text, meaning=entry.text, address=reverse("term-list"))
