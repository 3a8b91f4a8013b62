"""The words of a piece as data: the columns a statement names, the values of a row. The words are read by sqlglot."""

import re
from dataclasses import dataclass

from sqlglot.dialects.mysql import MySQL
from sqlglot.errors import TokenError
from sqlglot.tokens import Token, TokenType

from catalogue.portal.dump.lexing import StatementPart
from catalogue.portal.dump.limits import MOST_COLUMNS, NoDump

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
    """Of a CREATE TABLE, or of what stands before the rows of an INSERT; None for any other statement."""
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
    """Of a row. Raises NoDump if there are too many."""
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
    named = [one for one in firsts if one.token_type in quoted or one.text.upper().split()[0] not in NO_COLUMNS]
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
