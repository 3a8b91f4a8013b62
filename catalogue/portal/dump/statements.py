"""The text of a dump, cut into statements and rows; plain, or compressed with gzip or as the only file of a zip
archive.

Nothing is unpacked to the disk, so no name within an archive can lead anywhere, and what comes out is counted.
Nothing is executed either: strings, names, comments, brackets, commas and the ends of statements are told apart, as
MariaDB does it, and nothing is computed. Rows of one statement come one after another: a statement may be of any
length.
"""

import codecs
import contextlib
import gzip
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import IO

MOST_BYTES = 2**30  # of text, after it was decompressed
MOST_EXPANSION = 200  # times the size of a compressed file
LONGEST_PART = 16 * 2**20  # characters of one row, one CREATE TABLE, one string or one comment
DEEPEST_NESTING = 50  # brackets within brackets
MOST_TABLES = 1_000
MOST_COLUMNS = 500  # of a table, and values of a row
MOST_ROWS = 5_000_000


class NoDump(ValueError):
    """The file is no dump of the portal, or one that cannot be read; the message says why and, if it can, where."""


AT_ONCE = 2**18
ALWAYS_ALLOWED = 2**20  # bytes that a small compressed file may become, whatever its size
OTHER_ENCODINGS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def text_of(path: Path) -> Iterator[str]:
    """Raises NoDump if it is no text in UTF-8, or too much of it; OSError if it cannot be read."""
    if path.is_dir() or (path.exists() and not path.is_file()):
        raise NoDump("it is no file")
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    read, lines = 0, 1
    with _opened(path) as file:
        for some in _bytes(file, path):
            if not read:
                _refuse_other_encodings(some)
            try:
                text = decoder.decode(some)
            except UnicodeDecodeError as problem:
                raise NoDump(_wrong_byte(problem, read, lines)) from None
            read += len(some)
            lines += text.count("\n")
            if "\0" in text:
                raise NoDump(f"it is no text: there is a zero byte in or after line {lines - text.count(chr(10))}")
            yield text
    if decoder.getstate()[0]:
        raise NoDump("it breaks off within a character")


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as file:
        begin = file.read(4)
        file.seek(0)
        if begin.startswith(b"\x1f\x8b"):
            with gzip.open(file) as unpacked:
                yield unpacked  # type: ignore[misc]
        elif begin.startswith(b"PK\x03\x04"):
            with _only_member(file) as unpacked:
                yield unpacked
        else:
            yield file


@contextlib.contextmanager
def _only_member(file: IO[bytes]) -> Iterator[IO[bytes]]:
    try:
        archive = zipfile.ZipFile(file)
        members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) != 1:
            raise NoDump(f"the archive holds {len(members)} files; it has to hold the dump and nothing else")
        unpacked = archive.open(members[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as problem:
        raise NoDump(f"the archive cannot be unpacked: {problem}") from problem
    with archive, unpacked:
        yield unpacked


def _bytes(file: IO[bytes], path: Path) -> Iterator[bytes]:
    packed = path.stat().st_size
    compressed = isinstance(file, (gzip.GzipFile, zipfile.ZipExtFile))
    allowed = min(MOST_BYTES, max(ALWAYS_ALLOWED, packed * MOST_EXPANSION)) if compressed else MOST_BYTES
    size = 0
    try:
        while some := file.read(AT_ONCE):
            size += len(some)
            if size > allowed:
                raise NoDump(
                    f"it is more than {MOST_BYTES / 2**20:,.0f} MB of text"
                    if allowed == MOST_BYTES
                    else f"it would become more than {MOST_EXPANSION} times as large when it is decompressed"
                )
            yield some
    except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, RuntimeError) as problem:
        raise NoDump(f"it cannot be decompressed: {problem}") from problem


def _refuse_other_encodings(begin: bytes) -> None:
    for mark, name in OTHER_ENCODINGS:
        if begin.startswith(mark):
            raise NoDump(f"it is encoded as {name}; export it as UTF-8 (utf8mb4)")


def _wrong_byte(problem: UnicodeDecodeError, read: int, lines: int) -> str:
    # The decoder may have kept some bytes of the last read, which stand at the front of what it complains of.
    wrong = problem.object[problem.start]
    line = lines + problem.object.count(b"\n", 0, problem.start)
    return f"byte {wrong:#04x} in line {line} is not UTF-8; export the dump as UTF-8 (utf8mb4), not as latin1"


TOKEN = re.compile(
    r"""\s*+(?:
      (?P<string>'(?:[^'\\]++|\\.|'')*+' | "(?:[^"\\]++|\\.|"")*+")
    | (?P<name>`(?:[^`]++|``)*+`)
    | (?P<comment>--(?=\s)[^\n]*+\n | \#[^\n]*+\n | /\*.*?\*/)
    | (?P<sign>[(),;.])
    | (?P<word>(?:[^\s'"`(),;.#/\-]++ | /(?!\*) | -(?!-(?:\s|\Z)))++)
    )""",
    re.VERBOSE | re.DOTALL,
)
COMMENT_TO_THE_END = re.compile(r"\s*+(?:(?:--(?=\s|\Z)|#)[^\n]*+)?\Z")
READ = ("CREATE", "INSERT", "REPLACE")
DELIMITER = re.compile(r"\s*DELIMITER\s+(?P<mark>\S+)[^\n]*\n", re.IGNORECASE)
QUOTES = ("'", '"')


class PartKind(Enum):
    WHOLE = "a statement"
    INSERT = "what stands before the rows of an INSERT"
    ROW = "a row"
    OTHER = "a statement that is left alone"


@dataclass(slots=True)
class StatementPart:
    """A part of a statement. tokens: with their quotes; of a statement that is ignored only its first word"""

    kind: PartKind
    line: int
    tokens: list[str] = field(default_factory=list)


def statement_parts(text: Iterable[str]) -> Iterator[StatementPart]:
    """Raises NoDump, with the line, where the text is no SQL or goes beyond a limit."""
    statement = _Statement()
    for token, line in _tokens(text):
        if token == ";":
            yield from statement.ended(line)
            statement = _Statement()
        else:
            yield from statement.taken(token, line)
    yield from statement.ended(0)


def _tokens(text: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each token but the comments, with its line."""
    rest, line, chunks = "", 1, iter(text)
    finished, fresh = False, True  # fresh: no statement has begun
    while True:
        place = 0
        while place < len(rest):
            delimiter = DELIMITER.match(rest, place) if fresh else None
            if delimiter and delimiter["mark"] != ";":
                line += delimiter[0].count("\n")
                rest, line = _behind_other_delimiters(rest[delimiter.end() :], line, chunks)
                place = 0
                continue
            match = delimiter or TOKEN.match(rest, place)
            # A token that ends where the text ends may be longer: 'it''s', or a comment.
            if not match or (match.end() == len(rest) and not finished):
                break
            kind = "comment" if delimiter else match.lastgroup or ""
            token = match[0] if delimiter else match[kind]
            line += match[0].count("\n") - token.count("\n")
            if kind != "comment":
                yield token, line
            line += token.count("\n")
            place = match.end()
            fresh = token == ";" or kind == "comment"
        rest = rest[place:]
        if finished:
            if not COMMENT_TO_THE_END.match(rest):
                raise NoDump(_unclosed(rest, line))
            return
        # As much again as there is: a long string is not read over and over from its beginning.
        more, wanted = [], max(1, len(rest))
        for chunk in chunks:
            more.append(chunk)
            wanted -= len(chunk)
            if wanted <= 0:
                break
        finished = wanted > 0
        if len(rest) > LONGEST_PART:
            raise NoDump(f"{_unclosed(rest, line)} within {LONGEST_PART:,} characters")
        rest += "".join(more)


def _behind_other_delimiters(rest: str, line: int, chunks: Iterator[str]) -> tuple[str, int]:
    """Skips what a client would send with another delimiter (procedures, triggers): the text behind it, its line."""
    back = re.compile(r"^\s*DELIMITER\s+;[^\n]*$", re.IGNORECASE | re.MULTILINE)
    while not (found := back.search(rest)):
        more = next(chunks, None)
        if more is None:
            return "", line
        keep = rest.rfind("\n") + 1 if len(rest) < LONGEST_PART else len(rest)
        line += rest.count("\n", 0, keep)
        rest = rest[keep:] + more
    return rest[found.end() :], line + rest.count("\n", 0, found.end())


def _unclosed(rest: str, line: int) -> str:
    begun = rest.lstrip()
    line += rest[: len(rest) - len(begun)].count("\n")
    what = {"'": "a string", '"': "a string", "`": "a name", "/": "a comment"}.get(begun[:1], "something")
    return f"line {line}: {what} that begins here does not end"


class _Statement:
    """A statement whose tokens are being read."""

    def __init__(self) -> None:
        self.kind: PartKind | None = None  # as long as there was no token
        self.line, self.depth, self.length, self.in_rows = 0, 0, 0, False
        self.tokens: list[str] = []

    def taken(self, token: str, line: int) -> Iterator[StatementPart]:
        if self.kind is None:
            self._begin(PartKind.WHOLE if token.upper() in READ else PartKind.OTHER, line)
        if token == "(":
            if not self.depth and not self.in_rows and self._rows_follow():
                yield StatementPart(PartKind.INSERT, self.line, self.tokens)
                self.in_rows = True
            if self.in_rows and not self.depth:
                self._begin(PartKind.ROW, line)
            self.depth += 1
            if self.depth > DEEPEST_NESTING:
                raise NoDump(f"line {line}: brackets are nested more than {DEEPEST_NESTING} deep")
        elif self.in_rows and not self.depth:
            if token == ",":
                return
            self._begin(PartKind.OTHER, line)  # ON DUPLICATE KEY UPDATE …, which no reader needs
            self.in_rows = False
        self._keep(token)
        if token == ")":
            self.depth -= 1
            if self.depth < 0 and self.kind is not PartKind.OTHER:
                raise NoDump(f"line {line}: a bracket is closed that was not opened")
            if self.in_rows and not self.depth:
                yield StatementPart(PartKind.ROW, self.line, self.tokens)

    def ended(self, line: int) -> Iterator[StatementPart]:
        """End the statement. line: of its semicolon; 0 at the end of the text"""
        if self.kind is None or (self.in_rows and not self.depth):
            return
        if self.depth and self.kind is not PartKind.OTHER:
            where = f"line {line}: a semicolon stands" if line else "the text ends: it breaks off"
            raise NoDump(f"{where} within brackets that were opened in line {self.line}")
        yield StatementPart(self.kind, self.line, self.tokens)

    def _begin(self, kind: PartKind, line: int) -> None:
        self.kind, self.line, self.length, self.tokens = kind, line, 0, []

    def _rows_follow(self) -> bool:
        """Return whether the bracket that opens is the first row of an INSERT."""
        if self.kind is not PartKind.WHOLE or self.tokens[0].upper() == "CREATE":
            return False
        return self.tokens[-1].upper() in ("VALUE", "VALUES")

    def _keep(self, token: str) -> None:
        if self.kind is PartKind.OTHER:
            self.tokens = self.tokens or [token[:40]]
            return
        self.tokens.append(token)
        self.length += len(token)
        if self.length > LONGEST_PART:
            what = PartKind.ROW if self.in_rows else PartKind.WHOLE
            raise NoDump(f"line {self.line}: {what.value} is longer than {LONGEST_PART:,} characters")


ESCAPED = re.compile(r"\\(.)|''|\"\"|``", re.DOTALL)
# https://dev.mysql.com/doc/refman/8.4/en/string-literals.html, table 11.1
ESCAPES = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}
NO_COLUMNS = {"PRIMARY", "KEY", "UNIQUE", "INDEX", "CONSTRAINT", "FOREIGN", "FULLTEXT", "SPATIAL", "CHECK"}
CONSTANTS = {"NULL": None, "DEFAULT": None, "TRUE": 1, "FALSE": 0}
NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
HEXADECIMAL = re.compile(r"[xX]'([0-9a-fA-F]*)'|0x([0-9a-fA-F]+)")
BINARY = re.compile(r"[bB]'([01]*)'|0b([01]+)")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An expression where a value should stand; nothing is computed here."""

    words: str


Value = str | int | bytes | None | Unreadable  # numbers with a fraction stay the text they are


@dataclass(frozen=True, slots=True)
class Columns:
    """The table of a statement. columns: None if it names none; defines: whether it is a CREATE TABLE"""

    table: str
    columns: tuple[str, ...] | None
    defines: bool


def columns_of(part: StatementPart) -> Columns | None:
    """The columns of a CREATE TABLE, or of an INSERT before its rows; None for any other statement."""
    tokens = part.tokens
    words = [token.upper() for token in tokens]
    defines = words[0] == "CREATE" and "TABLE" in words[:3]
    if defines:
        start = words.index("TABLE") + 1
        while words[start : start + 1] and words[start] in ("IF", "NOT", "EXISTS"):
            start += 1
    elif words[0] in ("INSERT", "REPLACE") and "SELECT" not in words:
        start = next((place for place, word in enumerate(words) if word == "INTO" or word[0] == "`"), len(words))
        start += words[start : start + 1] == ["INTO"]
    else:
        return None
    start += 2 * (tokens[start + 1 : start + 2] == ["."])  # the name of a database
    bracket = tokens[start + 1 : start + 2] == ["("]
    if start >= len(tokens) or tokens[start] == "(" or (defines and not bracket):
        return None  # CREATE TABLE … LIKE, … AS SELECT
    if not bracket:
        return Columns(unquoted(tokens[start]), None, False)
    firsts = [some[0] for some in _between_commas(tokens[start + 1 :]) if some]
    names = tuple(unquoted(first) for first in firsts if not defines or first.upper() not in NO_COLUMNS)
    if len(names) > MOST_COLUMNS:
        raise NoDump(f"line {part.line}: a table has {len(names)} columns; the most are {MOST_COLUMNS}")
    return Columns(unquoted(tokens[start]), names, defines)


def values_of(part: StatementPart) -> list[Value]:
    """The values of a row. Raises NoDump if there are too many."""
    values = _between_commas(part.tokens)
    if len(values) > MOST_COLUMNS:
        raise NoDump(f"line {part.line}: a row has {len(values)} values; the most are {MOST_COLUMNS}")
    return [_value(some) for some in values]


def unquoted(token: str) -> str:
    """Return the content of a string or a name without its quotes; any other token as it is."""
    quote, body = token[0], token[1:-1]
    if quote not in (*QUOTES, "`"):
        return token
    if quote not in body and "\\" not in body:
        return body
    if quote == "`":
        return body.replace("``", "`")
    return ESCAPED.sub(lambda match: _unescaped(match, quote), body)


def _unescaped(match: re.Match[str], quote: str) -> str:
    if match[1]:
        return ESCAPES.get(match[1], match[1])
    return quote if match[0][0] == quote else match[0]


def _between_commas(tokens: Sequence[str]) -> list[list[str]]:
    """Split the bracket that the first token opens at its commas."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        if token == "," and depth == 1:
            parts.append([])
            continue
        depth += (token == "(") - (token == ")")
        if not depth:
            break
        if depth > 1 or token != "(":
            parts[-1].append(token)
    return parts


def _value(tokens: list[str]) -> Value:
    if len(tokens) > 1 and (tokens[0][0] == "_" or (tokens[0] in ("n", "N") and tokens[1][0] in QUOTES)):
        tokens = tokens[1:]  # _binary, _utf8mb4, N for national
    if tokens and all(token[0] in QUOTES for token in tokens):
        return "".join(map(unquoted, tokens))
    parted = len(tokens) > 1 and "." not in tokens and tokens[0] not in ("-", "+") and tokens[-1][0] not in QUOTES
    words = "" if parted else "".join(tokens)
    if words.upper() in CONSTANTS:
        return CONSTANTS[words.upper()]
    if NUMBER.fullmatch(words):
        number = words.removeprefix("+")
        return int(number) if number.removeprefix("-").isdigit() and len(number) < 40 else number
    if found := HEXADECIMAL.fullmatch(words):
        digits = found[1] or found[2] or ""
        return bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2))
    if found := BINARY.fullmatch(words):
        return int(found[1] or found[2] or "0", 2)
    return Unreadable(" ".join(tokens)[:200])
