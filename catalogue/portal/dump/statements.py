"""The text of a dump, cut into statements and rows; plain, or compressed with gzip or as the only file of a zip
archive.

Nothing is unpacked to the disk, so no name within an archive can lead anywhere, and what comes out is counted.
Nothing is executed either. Only brackets, strings, comments and the end of a statement have a meaning here; the
words between them are read by sqlglot (`catalogue.portal.dump.values`). A part holds its strings apart, with their
number in their place, so that a long text is read once. Rows of one statement come one after another: a statement
may be of any length.
"""

import codecs
import contextlib
import gzip
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
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
        members = [one for one in archive.infolist() if not one.is_dir()]
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
    r"""(?P<string>'(?:[^'\\]++|\\.|'')*+' | "(?:[^"\\]++|\\.|"")*+")
    | (?P<name>`(?:[^`]++|``)*+`)
    | (?P<comment>--(?=\s)[^\n]*+\n | \#[^\n]*+\n | /\*.*?\*/)
    | (?P<open>\() | (?P<close>\)) | (?P<end>;)
    | (?P<words>[^'"`()#;/\-]++ | /(?!\*) | -(?!-(?:\s|\Z)))""",
    re.VERBOSE | re.DOTALL,
)
COMMENT_TO_THE_END = re.compile(r"(?:--(?=\s|\Z)|#)[^\n]*+\Z")
READ = re.compile(r"\s*(CREATE|INSERT|REPLACE)\b", re.IGNORECASE)
BEFORE_ROWS = re.compile(r"\s*(?:INSERT|REPLACE)\b.*\bVALUES?\s*\Z", re.IGNORECASE | re.DOTALL)
BETWEEN_ROWS = re.compile(r"[\s,]*")
DELIMITER = re.compile(r"\s*DELIMITER\s+(?P<mark>\S+)[^\n]*\n", re.IGNORECASE)
BINARY_PREFIX = re.compile(r"(?<![\w$])[xXbB]\Z")


class PartKind(Enum):
    WHOLE = "a statement"
    INSERT = "what stands before the rows of an INSERT"
    ROW = "a row"
    OTHER = "a statement that is left alone"


@dataclass(slots=True)
class StatementPart:
    """words: its text with `'0'` for the first string, `'1'` for the second; strings: as they stand, in quotes."""

    kind: PartKind
    line: int
    words: str
    strings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int


def statement_parts(text: Iterable[str]) -> Iterator[StatementPart]:
    """Raises NoDump, with the line, where the text is no SQL or goes beyond a limit."""
    statement = _Statement()
    for token in _tokens(text):
        if token.kind == "end":
            yield from statement.ended(token.line)
            statement = _Statement()
        elif token.kind != "comment":
            yield from statement.taken(token)
    yield from statement.ended(0)


def _tokens(text: Iterable[str]) -> Iterator[_Token]:
    rest, line, chunks = "", 1, iter(text)
    finished, fresh = False, True
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
            yield _Token(kind, match[0], line)
            line += match[0].count("\n")
            place = match.end()
            fresh = kind in ("end", "comment") or (fresh and not match[0].strip())
        rest = rest[place:]
        if finished:
            if rest and not COMMENT_TO_THE_END.match(rest):
                raise NoDump(f"line {line}: {_unclosed(rest)}")
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
            raise NoDump(f"line {line}: {_unclosed(rest)} within {LONGEST_PART:,} characters")
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


def _unclosed(rest: str) -> str:
    what = {"'": "a string", '"': "a string", "`": "a name", "/": "a comment"}.get(rest[0], "something")
    return f"{what} that begins here does not end"


class _Statement:
    """One statement while its tokens come in."""

    def __init__(self) -> None:
        self.kind: PartKind | None = None  # as long as nothing but white space was seen
        self.line = 0
        self.depth = 0
        self.in_rows = False
        self.words: list[str] = []
        self.strings: list[str] = []
        self.length = 0

    def taken(self, token: _Token) -> Iterator[StatementPart]:
        if self.kind is None:
            if not token.text.strip():
                return
            self._begin(token)
        if token.kind == "open":
            if not self.depth and not self.in_rows and self._rows_follow():
                yield self._piece(PartKind.INSERT)
                self.in_rows = True
            if self.in_rows and not self.depth:
                self._clear(token.line)
            self.depth += 1
            if self.depth > DEEPEST_NESTING:
                raise NoDump(f"line {token.line}: brackets are nested more than {DEEPEST_NESTING} deep")
        self._keep(token)
        if token.kind == "close":
            self.depth -= 1
            if self.depth < 0 and self.kind is not PartKind.OTHER:
                raise NoDump(f"line {token.line}: a bracket is closed that was not opened")
            if self.in_rows and not self.depth:
                yield self._piece(PartKind.ROW)
        elif self.in_rows and not self.depth and token.kind != "open" and not BETWEEN_ROWS.fullmatch(token.text):
            self.kind, self.in_rows = PartKind.OTHER, False  # ON DUPLICATE KEY UPDATE …, which no reader needs
            self._clear(token.line)

    def ended(self, line: int) -> Iterator[StatementPart]:
        """line: where its semicolon stands; 0 at the end of the text"""
        if self.kind is None or (self.in_rows and not self.depth):
            return
        if self.depth and self.kind is not PartKind.OTHER:
            where = f"line {line}: a semicolon stands" if line else "the text ends: it breaks off"
            raise NoDump(f"{where} within brackets that were opened in line {self.line}")
        if self.words or self.kind is PartKind.OTHER:
            yield self._piece(self.kind)

    def _begin(self, token: _Token) -> None:
        verb = READ.match(token.text) if token.kind == "words" else None
        self.kind = PartKind.WHOLE if verb else PartKind.OTHER
        self.line = token.line + token.text[: len(token.text) - len(token.text.lstrip())].count("\n")

    def _rows_follow(self) -> bool:
        return self.kind is PartKind.WHOLE and BEFORE_ROWS.match("".join(self.words)) is not None

    def _keep(self, token: _Token) -> None:
        if self.kind is PartKind.OTHER:
            if not self.words and token.kind == "words" and token.text.strip():
                self.words.append(token.text.split(maxsplit=1)[0][:40])
            return
        text = token.text
        if token.kind == "string" and not (self.words and BINARY_PREFIX.search(self.words[-1])):
            text = f"'{len(self.strings)}'"
            self.strings.append(token.text)
        self.words.append(text)
        self.length += len(token.text)
        if self.length > LONGEST_PART:
            what = PartKind.ROW if self.in_rows else PartKind.WHOLE
            raise NoDump(f"line {self.line}: {what.value} is longer than {LONGEST_PART:,} characters")

    def _clear(self, line: int) -> None:
        self.words, self.strings, self.length, self.line = [], [], 0, line

    def _piece(self, kind: PartKind) -> StatementPart:
        found = StatementPart(kind, self.line, "".join(self.words), self.strings)
        self._clear(self.line)
        return found
