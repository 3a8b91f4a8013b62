"""A dump leaves the same rows in PostgreSQL as in SQLite, and a second import of it changes neither."""

import json
from pathlib import Path

import pytest

from tests.catalogue.portal_dumps import Verbatim, dump, record, small
from tests.services.conftest import OnBoth
from tests.services.machine import Machine

pytestmark = pytest.mark.services

TOLD = ("created", "unchanged", "differing", "left_out", "differences", "doubts", "written")
TEXT = "Ünïcode “\N{DROMEDARY CAMEL}” \\ 'quoted'\r\nline\0 " + "word " * 600


def imports(machine: Machine, file: Path) -> list[dict]:
    reports = []
    for _ in range(2):
        report = json.loads(machine.manage("import_portal_dump", str(file), "--json").stdout)
        reports.append({name: report[name] for name in TOLD})
    return reports


@pytest.mark.thorough
def test_both_databases_take_the_same_from_a_dump(tmp_path: Path, on_both: OnBoth) -> None:
    odd = tmp_path / "odd.sql"
    records = [
        record(1, Rules=TEXT, Misc=Verbatim("0x00414243"), Location="Nowhere \0at all"),
        record(2, DateStart="99999-01-01", DateEnd="999999-01-01"),
        record(3, ConfidenceMultiplier="9" * 50, GameId=3),
        record(2**63, Rules="too large a number"),
    ]
    games = [{"Id": 1, "Name": "Test Game"}, {"Id": 3, "Name": "x" * 300, "NativeName": "\N{DROMEDARY CAMEL}" * 120}]
    sources = [{"Id": 1, "Name": "Nobody, A. 1909. " + "long " * 390 + ". Utopia: Press."}]
    odd.write_text(dump(small(*records, Games=games, Sources=sources)), encoding="utf-8")

    expected = imports(on_both.sqlite, odd)
    assert [len(report["created"]) for report in expected] == [3, 0]
    assert [len(report["unchanged"]) for report in expected] == [0, 3]
    assert imports(on_both.postgresql, odd) == expected
