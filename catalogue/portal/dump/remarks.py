"""What an editor has to be told of a dump, with the table and the row it is about."""

from dataclasses import dataclass, field

from catalogue.portal.dump.limits import MOST_REMARKS


@dataclass(frozen=True, slots=True)
class RowRemark:
    """row: its Id, or where it stands; "" for the table itself"""

    table: str
    row: str
    message: str

    def __str__(self) -> str:
        return f"{self.table}{' ' + self.row if self.row else ''}: {self.message}"


@dataclass(slots=True)
class Remarks:
    """kept: the first ones; number: of all"""

    kept: list[RowRemark] = field(default_factory=list)
    number: int = 0

    def add(self, table: str, row: object, message: str) -> None:
        self.number += 1
        if len(self.kept) < MOST_REMARKS:
            self.kept.append(RowRemark(table, str(row), message))
