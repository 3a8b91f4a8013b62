"""Markup within a text of the dump, taken away as a browser would show it; line breaks of the text itself stay.

Only what is surely markup goes: an editor's sign such as the restored letter in "ac <a> sinistris" looks like a tag and
has neither attributes nor a partner. What was taken away is told, so that nothing goes unseen.
"""

import html
import re
from collections import Counter

# fmt: off
WITH_A_PARTNER = frozenset((
    "a", "abbr", "b", "big", "center", "cite", "code", "em", "font", "i", "q", "s", "script", "small", "span", "strike",
    "strong", "style", "sub", "sup", "tt", "u",
))
ON_A_LINE_OF_ITS_OWN = frozenset((
    "blockquote", "center", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre",
    "table", "tbody", "thead", "tr", "ul",
))
# fmt: on
CELLS = frozenset(("td", "th"))
EVERY = sorted(WITH_A_PARTNER | ON_A_LINE_OF_ITS_OWN | CELLS | {"br", "img"}, key=len, reverse=True)
TAG = re.compile(rf"<(?P<end>/?)(?P<name>{'|'.join(EVERY)})(?P<more>\s[^<>]{{0,2000}}?)?/?\s*>", re.IGNORECASE)
UNSEEN = re.compile(r"<(script|style)\b[^<>]{0,2000}>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.IGNORECASE)
MOST_TOLD = 20
LONGEST_TOLD = 300  # characters of one tag


def without_markup(text: str) -> tuple[str, str]:
    """The text as it is to be read, and what was taken away, "" if nothing was."""
    gone: Counter[str] = Counter()
    if "<" in text:
        text = UNSEEN.sub(lambda found: _taken(found[0], gone), text)
        text = _flattened(text, gone)
    elif ENTITY.search(text):
        text = html.unescape(text)
    return text, _told(gone)


def _flattened(text: str, gone: "Counter[str]") -> str:
    out: list[str] = []
    start, after_break, on_new_line = 0, False, True
    for tag in _tags(text):
        between = _between(text[start : tag.start()], after_break)
        on_new_line = between.endswith("\n") if between.strip(" \t") else on_new_line
        out.append(between)
        name, start = tag["name"].lower(), tag.end()
        _taken(tag[0], gone)
        after_break = name == "br" or name in ON_A_LINE_OF_ITS_OWN
        if name == "br" or (after_break and not on_new_line):
            out.append("\n")
            on_new_line = True
        elif name in CELLS and not tag["end"] and not on_new_line:
            out.append(" ")
    return "".join([*out, _between(text[start:], after_break)])


def _between(words: str, after_break: bool) -> str:
    """Words between two tags; the end of a line that only follows a tag that ends it is one with it."""
    if after_break:
        words = re.sub(r"^[ \t]*(?:\r\n|\r|\n)", "", words, count=1)
    return html.unescape(words) if ENTITY.search(words) else words


def _tags(text: str) -> list[re.Match[str]]:
    """Those that are markup: they have attributes or their partner, or need neither; an end is nothing else."""
    found = list(TAG.finditer(text))
    alone: dict[str, list[int]] = {}  # of each name, the tags without an end so far
    for number, tag in enumerate(found):
        name = tag["name"].lower()
        if name in WITH_A_PARTNER and not tag["end"]:
            alone.setdefault(name, []).append(number)
        elif alone.get(name):
            alone[name].pop()
    words = {number for some in alone.values() for number in some if "=" not in (found[number]["more"] or "")}
    return [tag for number, tag in enumerate(found) if number not in words]


def _taken(words: str, gone: "Counter[str]") -> str:
    gone[" ".join(words.split())[:LONGEST_TOLD]] += 1
    return ""


def _told(gone: "Counter[str]") -> str:
    shown = [f"{words} × {times:,}" if times > 1 else words for words, times in list(gone.items())[:MOST_TOLD]]
    more = len(gone) - len(shown)
    return ", ".join(shown) + (f" and {more:,} others" if more > 0 else "")
