"""What an import of a dump did, in the form of the report on portal pages (`catalogue.portal.page_import`)."""

from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from catalogue.portal.dump.remarks import Remarks, RowRemark
from catalogue.portal.sightings import Difference


@dataclass(slots=True)
class DumpReport:
    """created, unchanged, differing, left_out: identifiers of the records, each in one of the lists

    differences: of anything that was here before and says something else; it was left as it is
    doubts:      what was odd, with its table and row
    read:        table → rows; written: kind of row → how many were made; left_alone: statements and unknown tables
    """

    created: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    remarks: Remarks = field(default_factory=Remarks)
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
        plain = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "remarks"}
        return {
            **plain,
            "differences": [asdict(one) for one in self.differences],
            "doubts": [asdict(one) for one in self.doubts],
            "doubts_in_all": self.remarks.number,
        }
