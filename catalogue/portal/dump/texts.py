"""A text of the dump as the portal would show it: markup and entities as text, everything else to the letter.

Text that was stored in the wrong encoding ("baendÃ¼m") is set right only where that can be proved: all of it, read as
the bytes of Windows-1252, is valid UTF-8. Otherwise it is left as it is, and reported.
"""

import re
import unicodedata
from collections.abc import Callable

from catalogue.portal.dump.markup import without_markup
from catalogue.portal.dump.values import Value

Notify = Callable[[str], None]
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
UNASSIGNED = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
# A lead byte of UTF-8 and the bytes that follow it, as Windows-1252 or Latin-1 shows them.
FOLLOWING = "[\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
MISREAD = re.compile(f"[\xc2-\xdf]{FOLLOWING}|[\xe0-\xef]{FOLLOWING}{{2}}|[\xf0-\xf4]{FOLLOWING}{{3}}")
# What Windows-1252 shows for the bytes 0x80 to 0x9f, but for the five it has nothing for.
BYTES_SHOWN = {ord(bytes([byte]).decode("cp1252")): byte for byte in range(0x80, 0xA0) if byte not in UNASSIGNED}


def ignore(message: str) -> None:
    """What is odd interests nobody."""


def text_of_value(value: Value, notify: Notify = ignore) -> str:
    """As the portal would show it; `notify` is called with what is odd."""
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
