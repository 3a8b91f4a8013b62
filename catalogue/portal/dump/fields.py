"""The values of the dump's rows as numbers and texts, its tables of names and of links, and its sources.

A source is one text, kept as printed, and taken apart where that is safe.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db.models import Model

from catalogue.loading.rows import Row, row
from catalogue.models import Source
from catalogue.models.evidence import is_web_address
from catalogue.portal.bibliography import parse_reference, split_sources
from catalogue.portal.dump.reading import TABLES, Dump
from catalogue.portal.dump.statements import Value
from catalogue.portal.dump.values import Notify, text_of_value
from catalogue.portal.page_import import new_source_key
from catalogue.portal.reports import RowRemarks

LARGEST_NUMBER = 2**63 - 1
# The last of each is a bit as mysqldump writes it, one raw byte.
YES, NO = ("1", "true", "yes", "y", "t", "\x01"), ("0", "false", "no", "n", "f", "\x00")
NAMELESS = "has no name and was left out"


def number_of(value: Value) -> int | None:
    """An Id; None for NULL, for 0, which the portal may write instead, and for what is no positive number."""
    if isinstance(value, bytes):
        value = int.from_bytes(value[:9])
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 20:
        value = int(value)
    return value if isinstance(value, int) and 0 < value <= LARGEST_NUMBER else None


def says_something(name: str) -> bool:
    return any(letter.isalnum() for letter in name)


def longest(model: type[Model], column: str) -> int:
    """Characters that a column of the catalogue can hold."""
    most: int | None = getattr(model._meta.get_field(column), "max_length", None)
    return most or LARGEST_NUMBER


@dataclass(frozen=True, slots=True)
class DumpRow:
    """A row that has an Id, its `number`; what is odd about it is remarked with its table and Id."""

    table: str
    number: int
    values: Mapping[str, Value]
    remarks: RowRemarks

    def remark(self, message: str) -> None:
        self.remarks.add(self.table, self.number, message)

    def remark_on(self, column: str) -> Notify:
        return lambda message: self.remark(f"{column} {message}")

    def number_in(self, column: str) -> int | None:
        return number_of(self.values.get(column))

    def flag(self, column: str) -> str:
        """Read "1" and "0" as yes and no, and "" as unknown; any other text is kept."""
        value = self.values.get(column)
        words = str(int.from_bytes(value[:9])) if isinstance(value, bytes) else "" if value is None else str(value)
        words = words.strip().lower()
        return "1" if words in YES else "0" if words in NO else words

    def text(self, column: str) -> str:
        return text_of_value(self.values.get(column), self.remark_on(column))

    def line(self, column: str, longest: int) -> str:
        """A text on one line; what is too long is cut, and the remark has all of it."""
        words = " ".join(self.text(column).split())
        if len(words) <= longest:
            return words
        self.remark(f"{column} has {len(words)} characters and was cut to {longest}: {words}")
        return words[: longest - 1] + "…"

    def kept_columns(self) -> dict[str, str]:
        """The columns that are kept under their name, as far as they say something."""
        texts = {name: self.text(name) for name in TABLES[self.table].kept}
        return {name: words for name, words in texts.items() if words}


def numbered_rows(dump: Dump, table: str, *, again: bool = False) -> Iterator[DumpRow]:
    """The rows that have an Id, each Id once. again: they were gone through before, so what is left out is known"""
    seen: set[int] = set()
    for values in dump.rows(table):
        number = number_of(values["Id"])
        if number is not None and number not in seen:
            seen.add(number)
            yield DumpRow(table, number, values, dump.remarks)
        elif not again and number is None:
            dump.remarks.add(table, "", f"a row with the Id {values['Id']!r} was left out")
        elif not again:
            dump.remarks.add(table, number, "the Id occurs again; the first row was taken")


def names(dump: Dump, table: str, longest: int = 100) -> dict[int, str]:
    """Id → name, of a table of names."""
    found = {row.number: row.line("Name", longest) for row in numbered_rows(dump, table)}
    for number in [number for number, name in found.items() if not says_something(name)]:
        dump.remarks.add(table, number, NAMELESS)
        del found[number]
    return found


class LinkedNames:
    """The names that rows of a table are linked to, each once, in the order of the links."""

    def __init__(self, dump: Dump, table: str, one: str, other: str, names: Mapping[int, str]) -> None:
        self.table, self.one, self.other, self.names, self.remarks = table, one, other, names, dump.remarks
        self.links: defaultdict[int, dict[int, None]] = defaultdict(dict)
        for link in dump.rows(table):
            first, second = link[f"{one}Id"], link[f"{other}Id"]
            numbers = number_of(first), number_of(second)
            if numbers[0] is None or numbers[1] is None:
                self.remarks.add(table, "", f"a link from {first!r} to {second!r} was left out")
            else:
                self.links[numbers[0]][numbers[1]] = None

    def of(self, number: int) -> list[str]:
        others = self.links.get(number, {})
        for other in others:
            if other not in self.names:
                message = f"{self.one} {number} names the {self.other} {other}, which is not there"
                self.remarks.add(self.table, "", message)
        return list(dict.fromkeys(self.names[other] for other in others if other in self.names))


LONGEST = 2_000  # characters: PostgreSQL can keep no longer text unique
YEARS = range(1000, 2101)


@dataclass(frozen=True, slots=True)
class PrintedSource:
    """known: whether the catalogue had it before"""

    key: str
    as_printed: str
    address: str
    known: bool


def printed_sources(dump: Dump) -> dict[int, PrintedSource]:
    """Id → source; two Ids of one text are one source."""
    stored = {_folded(printed): (key, printed) for printed, key in Source.objects.values_list("as_printed", "key")}
    keys = {key for key, _ in stored.values()}
    found: dict[int, PrintedSource] = {}
    by_text: dict[str, tuple[int, PrintedSource]] = {}
    for read in numbered_rows(dump, "Sources"):
        number, printed = read.number, _folded(read.text("Name"))
        if not printed or len(printed) > LONGEST:
            wrong = f"has {len(printed):,} characters; the most are {LONGEST:,}" if printed else "has no text"
            read.remark(f"{wrong}; it was left out")
            continue
        if printed in by_text:
            read.remark(f"has the text of source {by_text[printed][0]}; they were taken for one")
            found[number] = by_text[printed][1]
            continue
        address = _address(read)
        if printed in stored:
            source = PrintedSource(*stored[printed], address, known=True)
        else:
            source = PrintedSource(new_source_key(printed, keys), printed, address, known=False)
            keys.add(source.key)
        found[number] = source
        by_text[printed] = number, source
    return found


def source_rows(sources: dict[int, PrintedSource], remarks: RowRemarks) -> Iterator[tuple[int, list[Row]]]:
    """Return rows of sources: for known ones only what may differ, for others the parts that are certain."""
    for number, source in sources.items():
        if source.known:
            yield number, [row("source", key=source.key, as_printed=source.as_printed, address=source.address)]
        else:
            parts = {"address": "", **_parts(number, source.as_printed, remarks)}
            parts["address"] = source.address or parts["address"]
            yield number, [row("source", key=source.key, **parts)]


def _folded(text: str) -> str:
    return " ".join(text.split())


def _address(read: DumpRow) -> str:
    words = read.line("Address", 1_000)
    if not words:
        return ""
    try:
        if len(words) > 500:
            raise ValidationError("long")
        is_web_address(words)
    except ValidationError:
        read.remark(f"Address is no address of the web, and was left out: {words}")
        return ""
    return words


def _parts(number: int, printed: str, remarks: RowRemarks) -> dict[str, object]:
    """The row's fields; only the text where the pattern does not fit or the parts do not."""
    parts = parse_reference(printed).columns()
    several = len(split_sources(printed)) > 1
    too_long = any(len(str(words)) > longest(Source, name) for name, words in parts.items() if name != "as_printed")
    if several:
        remarks.add("Sources", number, "may be several references; it was kept as one, and not taken apart")
    if several or too_long or (parts["year"] is not None and parts["year"] not in YEARS):
        return {"as_printed": printed}
    return parts
