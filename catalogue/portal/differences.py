"""Where what the portal says of a record differs: one of its pages from another, or from the catalogue.

The portal repeats a record on the page of its place and on that of its game, broken into lines differently. Texts that
differ only in white space are the same text; of those the one with the most line breaks is taken, since the source's
paragraphs can be lost by joining lines but not regained. Any other difference is reported, and the first page stands.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace

from catalogue.loading.load_rows import Loaded
from catalogue.portal.record_pages import Record
from catalogue.portal.reports import FieldDifference
from catalogue.texts.word_differences import same

TEXTS = ("rules", "reference", "content")
WHERE_SEEN = ("identifier", "file", "line")


def gather(records: Iterable[Record]) -> tuple[list[Record], list[FieldDifference]]:
    """Each record once, in the order first seen, and what the other pages said differently of it."""
    gathered: dict[str, Record] = {}
    differences: list[FieldDifference] = []
    for record in records:
        first = gathered.setdefault(record.identifier, record)
        if first is not record:
            gathered[record.identifier] = _with_most_lines(first, record)
            differences.extend(_differences(first, record))
    return list(gathered.values()), differences


def _with_most_lines(first: Record, other: Record) -> Record:
    texts = {}
    for name in TEXTS:
        one, two = getattr(first, name), getattr(other, name)
        texts[name] = two if same(one, two) and two.count("\n") > one.count("\n") else one
    return replace(first, **texts)


def _differences(first: Record, other: Record) -> Iterator[FieldDifference]:
    for name in (field.name for field in fields(Record) if field.name not in WHERE_SEEN):
        one, two = getattr(first, name), getattr(other, name)
        if not same(one, two):
            yield FieldDifference(first.identifier, name, one, first.file, two, other.file)


def stored_differences(loaded: Loaded, offered_by: str) -> Iterator[FieldDifference]:
    """What the rows of records, and of what belongs to a record, say differently in the catalogue."""
    for one in loaded.differences:
        identifier, *rest = one.key.split(" ")
        prefix = "" if one.model == "evidence" else f"{one.model} {rest[-1]}: "
        yield FieldDifference(identifier, prefix + one.field, one.stored, "the catalogue", one.offered, offered_by)
