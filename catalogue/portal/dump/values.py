"""Texts of the dump as the portal shows them.

Markup and entities become text, as in a browser, and words that were misread are set right; everything else stays to
the letter.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Callable

from catalogue.portal.dump.statements import Value

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
MOST_LISTED = 20
LONGEST_LISTED = 300  # characters of one tag


def without_markup(text: str) -> tuple[str, str]:
    """The text as it is to be read, and what was taken away, "" if nothing was."""
    gone: Counter[str] = Counter()
    if "<" in text:
        text = UNSEEN.sub(lambda found: _taken(found[0], gone), text)
        text = _flattened(text, gone)
    elif ENTITY.search(text):
        text = html.unescape(text)
    return text, _listed(gone)


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
    """The tags that are markup: they have attributes or their partner, or need neither; an end is nothing else."""
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
    gone[" ".join(words.split())[:LONGEST_LISTED]] += 1
    return ""


def _listed(gone: "Counter[str]") -> str:
    shown = [f"{words} × {times:,}" if times > 1 else words for words, times in list(gone.items())[:MOST_LISTED]]
    more = len(gone) - len(shown)
    return ", ".join(shown) + (f" and {more:,} others" if more > 0 else "")


Notify = Callable[[str], None]
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
UNASSIGNED = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
# A lead byte of UTF-8 and the bytes that follow it, as Windows-1252 or Latin-1 shows them.
FOLLOWING = "[\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
MISREAD = re.compile(f"[\xc2-\xdf]{FOLLOWING}|[\xe0-\xef]{FOLLOWING}{{2}}|[\xf0-\xf4]{FOLLOWING}{{3}}")
# What Windows-1252 shows for the bytes 0x80 to 0x9f, but for the five it has nothing for.
BYTES_SHOWN = {ord(bytes([byte]).decode("cp1252")): byte for byte in range(0x80, 0xA0) if byte not in UNASSIGNED}


def ignore(message: str) -> None:
    """Take a remark and ignore it."""


def text_of_value(value: Value, notify: Notify = ignore) -> str:
    """Return a text as the portal would show it; `notify` is called with oddities."""
    return "" if value is None else plain_text(_decoded(value, notify), notify)


def _decoded(value: Value, notify: Notify) -> str:
    if not isinstance(value, bytes):
        return str(value)
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        notify(f"is {len(value)} bytes that are no UTF-8; each byte was taken for a character")
        return value.decode("latin-1")


def plain_text(text: str, notify: Notify = ignore) -> str:
    if CONTROL.search(text):
        notify("has control characters, which were left out")
        text = CONTROL.sub("", text)
    # Only now is it looked for what was misread: a control character or an accent of its own may stand within it.
    text, gone = without_markup(_in_its_encoding(unicodedata.normalize("NFC", text), notify))
    if gone:
        notify(f"had markup, which was taken away: {gone}")
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def _in_its_encoding(text: str, notify: Notify) -> str:
    if "\ufffd" in text:
        notify("has characters that were lost (�) before the dump was made")
    found = MISREAD.search(text)
    if not found:
        return text
    try:
        right = text.translate(BYTES_SHOWN).encode("latin-1").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        notify(f"looks misread in part ({_around(text, found)!r}) and was left as it is")
        return text
    notify(f"was misread as Windows-1252 and set right: {_around(text, found)!r}")
    return right


def _around(text: str, found: re.Match[str]) -> str:
    return text[max(0, found.start() - 12) : found.end() + 12]
