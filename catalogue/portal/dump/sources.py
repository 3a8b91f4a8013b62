"""The dump's sources: each is one text, kept as printed, and taken apart where that is safe."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from catalogue.loading.rows import Row, row
from catalogue.models import Source
from catalogue.models.evidence import is_web_address
from catalogue.portal.bibliography import parse_reference, split_sources
from catalogue.portal.dump.fields import DumpRow, longest, numbered_rows
from catalogue.portal.dump.reading import Dump
from catalogue.portal.reports import RowRemarks
from catalogue.portal.rows import new_source_key

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
    """Of those the catalogue knows only what can differ; of the others their parts, as far as they are safe."""
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
