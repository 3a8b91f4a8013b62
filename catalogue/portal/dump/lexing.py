"""A dump cut into pieces: what each statement begins with, and every row of values by itself.

Nothing is executed. Only brackets, strings, comments and the end of a statement have a meaning here; the words between
them are read by sqlglot (`catalogue.portal.dump.values`). A part holds its strings apart, with their number in their
place, so that a long text is looked at once. Rows of one statement come one by one: a statement may be of any length.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from catalogue.portal.dump.limits import DEEPEST_NESTING, LONGEST_PART, NoDump

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
