"""What an import of the portal's pages or of its dump did, for editors and, as JSON, for programs."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from typing import Any

LONGEST_VALUE = 200  # characters of a value on the terminal
MOST_REMARKS = 100_000  # on a dump that are kept; all are counted


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """Two pages, or what is imported and the catalogue, say different things of one field of one record."""

    identifier: str
    field: str
    kept: Any
    kept_from: str
    offered: Any
    offered_by: str

    def __str__(self) -> str:
        return (
            f"{self.identifier}: {self.field} differs and was left as it is\n"
            f"  {self.kept_from}: {_short(self.kept)}\n  {self.offered_by}: {_short(self.offered)}"
        )


@dataclass(frozen=True, slots=True)
class FileRemark:
    """A remark for an editor about a page, with its file and line."""

    file: str
    line: int
    identifier: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.identifier + ': ' if self.identifier else ''}{self.message}"


@dataclass(frozen=True, slots=True)
class RowRemark:
    """A remark about a dump, with the table. row: its Id, or its position; "" for the table itself"""

    table: str
    row: str
    message: str

    def __str__(self) -> str:
        return f"{self.table}{' ' + self.row if self.row else ''}: {self.message}"


@dataclass(slots=True)
class RowRemarks:
    """kept: the first ones; number: of all"""

    kept: list[RowRemark] = field(default_factory=list)
    number: int = 0

    def add(self, table: str, row: object, message: str) -> None:
        self.number += 1
        if len(self.kept) < MOST_REMARKS:
            self.kept.append(RowRemark(table, str(row), message))


@dataclass(slots=True)
class ImportReport:
    """created, unchanged, differing: identifiers of the records, each in one of the lists.

    differences: of anything that was here before and says something else; it was left as it is
    """

    created: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    differences: list[FieldDifference] = field(default_factory=list)

    def add_compared(self, identifier: str, differs: bool) -> None:
        (self.differing if differs else self.unchanged).append(identifier)


@dataclass(slots=True)
class PageReport(ImportReport):
    problems: list[FileRemark] = field(default_factory=list)
    doubts: list[FileRemark] = field(default_factory=list)


@dataclass(slots=True)
class DumpReport(ImportReport):
    """left_out: records that could not be kept.

    doubts:      what was odd, with its table and row
    read:        table → rows; written: kind of row → how many were made; left_alone: statements and unknown tables
    """

    left_out: list[str] = field(default_factory=list)
    remarks: RowRemarks = field(default_factory=RowRemarks)
    read: dict[str, int] = field(default_factory=dict)
    written: "Counter[str]" = field(default_factory=Counter)
    left_alone: dict[str, int] = field(default_factory=dict)
    dry_run: bool = False

    @property
    def doubts(self) -> list[RowRemark]:
        return self.remarks.kept

    @property
    def changed_nothing(self) -> bool:
        return not self.written.total()

    def document(self) -> dict[str, Any]:
        plain = {column.name: getattr(self, column.name) for column in fields(self) if column.name != "remarks"}
        return {
            **plain,
            "differences": [asdict(difference) for difference in self.differences],
            "doubts": [asdict(doubt) for doubt in self.doubts],
            "doubts_in_all": self.remarks.number,
        }


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}… ({len(text)} characters)"
