"""The words of a statement as data: the columns it names, the values of a row, and texts as the portal shows them.

sqlglot reads the words. Markup and entities of a text become text, as in a browser; everything else stays to the
letter.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from sqlglot.dialects.mysql import MySQL
from sqlglot.errors import TokenError
from sqlglot.tokens import Token, TokenType

from catalogue.portal.dump.statements import MOST_COLUMNS, NoDump, StatementPart

T = TokenType
DIALECT = MySQL()
ESCAPED = re.compile(r"\\(.)|''|\"\"", re.DOTALL)
# https://dev.mysql.com/doc/refman/8.4/en/string-literals.html, table 11.1
ESCAPES = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}
# Nearly all rows; they are read a hundred times as fast so, and the same.
PLAIN = r"\s*(?:NULL|'\d+'|-?\d{1,18})\s*"
PLAIN_ROW = re.compile(rf"\({PLAIN}(?:,{PLAIN})*\)")
LONGEST_PLAIN = 20_000
NO_COLUMNS = {"PRIMARY", "KEY", "UNIQUE", "INDEX", "CONSTRAINT", "FOREIGN", "FULLTEXT", "SPATIAL", "CHECK"}
OPENING, CLOSING = (T.L_PAREN, T.L_BRACKET, T.L_BRACE), (T.R_PAREN, T.R_BRACKET, T.R_BRACE)
STRINGS = (T.STRING, T.NATIONAL_STRING)
CONSTANTS = {T.NULL: None, T.DEFAULT: None, T.TRUE: 1, T.FALSE: 0}


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An expression where a value should stand; nothing is computed here."""

    words: str


Value = str | int | bytes | None | Unreadable  # numbers with a fraction stay the text they are


@dataclass(frozen=True, slots=True)
class Columns:
    """What a statement is about. columns: None if it names none; defines: whether it is a CREATE TABLE"""

    table: str
    columns: tuple[str, ...] | None
    defines: bool


def columns_of(piece: StatementPart) -> Columns | None:
    """The columns of a CREATE TABLE, or of an INSERT before its rows; None for any other statement."""
    tokens = _tokens(piece)
    words = [token.text.upper() for token in tokens[:8]] or [""]
    if "TABLE" in words[:3] and words[0] == "CREATE":
        return _defined(piece, tokens, words.index("TABLE") + 1)
    if words[0] not in ("INSERT", "REPLACE") or "SELECT" in (token.text.upper() for token in tokens):
        return None
    start = 1
    while start < len(tokens) and tokens[start].token_type is not T.IDENTIFIER and words[start : start + 1] != ["INTO"]:
        start += 1
    start += words[start : start + 1] == ["INTO"]
    table, place = _name(piece, tokens, start)
    if not table:
        return None
    if place < len(tokens) and tokens[place].token_type is T.L_PAREN:
        return Columns(table, _limited(piece, [_text(piece, part[0]) for part in _parts(tokens, place) if part]), False)
    return Columns(table, None, False)


def values_of(piece: StatementPart) -> list[Value]:
    """The values of a row. Raises NoDump if there are too many."""
    if len(piece.words) < LONGEST_PLAIN and PLAIN_ROW.fullmatch(piece.words):
        found = [_plain(piece, words.strip()) for words in piece.words[1:-1].split(",")]
        if len(found) <= MOST_COLUMNS:
            return found
    parts = _parts(_tokens(piece), 0)
    if len(parts) > MOST_COLUMNS:
        raise NoDump(f"line {piece.line}: a row has {len(parts)} values; the most are {MOST_COLUMNS}")
    return [_value(piece, part) for part in parts]


def unquoted(literal: str) -> str:
    """What a string with its quotes stands for."""
    quote, body = literal[0], literal[1:-1]
    if "\\" not in body and quote not in body:
        return body
    return ESCAPED.sub(lambda match: _unescaped(match, quote), body)


def _unescaped(match: re.Match[str], quote: str) -> str:
    if match[1]:
        return ESCAPES.get(match[1], match[1])
    return quote if match[0][0] == quote else match[0]


def _tokens(piece: StatementPart) -> list[Token]:
    try:
        return DIALECT.tokenize(piece.words)
    except TokenError as problem:
        raise NoDump(f"line {piece.line}: {' '.join(str(problem).split())[:200]}") from problem


def _defined(piece: StatementPart, tokens: list[Token], start: int) -> Columns | None:
    while start < len(tokens) and tokens[start].text.upper() in ("IF", "NOT", "EXISTS"):
        start += 1
    table, place = _name(piece, tokens, start)
    if not table or place >= len(tokens) or tokens[place].token_type is not T.L_PAREN:
        return None  # CREATE TABLE … LIKE, … AS SELECT
    firsts = [part[0] for part in _parts(tokens, place) if part]
    quoted = (T.IDENTIFIER, *STRINGS)
    named = [first for first in firsts if first.token_type in quoted or first.text.upper().split()[0] not in NO_COLUMNS]
    return Columns(table, _limited(piece, [_text(piece, one) for one in named]), True)


def _name(piece: StatementPart, tokens: list[Token], start: int) -> tuple[str, int]:
    """The table's name without that of its database, and where it ends."""
    if start >= len(tokens) or tokens[start].token_type is T.L_PAREN:
        return "", start
    if start + 2 < len(tokens) and tokens[start + 1].token_type is T.DOT:
        start += 2
    return _text(piece, tokens[start]), start + 1


def _limited(piece: StatementPart, names: list[str]) -> tuple[str, ...]:
    if len(names) > MOST_COLUMNS:
        raise NoDump(f"line {piece.line}: a table has {len(names)} columns; the most are {MOST_COLUMNS}")
    return tuple(names)


def _parts(tokens: list[Token], start: int) -> list[list[Token]]:
    """What stands between the commas of the bracket that opens at `start`."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens[start:]:
        kind = token.token_type
        depth += (kind in OPENING) - (kind in CLOSING)
        if not depth:
            break
        if kind is T.COMMA and depth == 1:
            parts.append([])
        elif depth > 1 or kind not in OPENING:
            parts[-1].append(token)
    return parts


def _text(piece: StatementPart, token: Token) -> str:
    if token.token_type in STRINGS and token.text.isdecimal() and int(token.text) < len(piece.strings):
        return unquoted(piece.strings[int(token.text)])
    return token.text


def _value(piece: StatementPart, part: list[Token]) -> Value:
    if part and part[0].token_type is T.INTRODUCER:  # _binary, _utf8mb4
        part = part[1:]
    if len(part) == 1:
        token = part[0]
        kind = token.token_type
        if kind in STRINGS:
            return _text(piece, token)
        if kind in CONSTANTS:
            return CONSTANTS[kind]
        if kind is T.NUMBER:
            return _number(token.text)
        if kind is T.HEX_STRING:
            return bytes.fromhex(token.text.zfill(len(token.text) + len(token.text) % 2))
        if kind is T.BIT_STRING:
            return int(token.text or "0", 2)
    elif len(part) == 2 and part[0].token_type in (T.DASH, T.PLUS) and part[1].token_type is T.NUMBER:
        return _number(("-" if part[0].token_type is T.DASH else "") + part[1].text)
    elif part and all(token.token_type in STRINGS for token in part):
        return "".join(_text(piece, token) for token in part)
    return Unreadable(" ".join(token.text for token in part)[:200])


def _plain(piece: StatementPart, words: str) -> Value:
    if words == "NULL":
        return None
    return unquoted(piece.strings[int(words[1:-1])]) if words[0] == "'" else int(words)


def _number(words: str) -> str | int:
    return int(words) if words.lstrip("-").isascii() and words.lstrip("-").isdigit() and len(words) < 40 else words


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
    gone[" ".join(words.split())[:LONGEST_TOLD]] += 1
    return ""


def _told(gone: "Counter[str]") -> str:
    shown = [f"{words} × {times:,}" if times > 1 else words for words, times in list(gone.items())[:MOST_TOLD]]
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
    """What is odd interests nobody."""


def text_of_value(value: Value, notify: Notify = ignore) -> str:
    """A text as the portal would show it; `notify` is called with what is odd."""
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
