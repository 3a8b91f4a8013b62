"""PostgreSQL gives the same answers, lists, pages, searches and files as SQLite."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.catalogue.portal_dumps import Verbatim, dump, record, small
from tests.services.conftest import OnBoth
from tests.services.machine import Machine

pytestmark = [pytest.mark.services, pytest.mark.thorough]

TEXT = "Ünïcode “\N{DROMEDARY CAMEL}” \\ 'quoted'\r\nline\0 " + "word " * 600
REPORTED = ("created", "unchanged", "differing", "left_out", "differences", "doubts", "written")
SEARCHES = ("-m", "tests.catalogue.search_suite")
IMPORT_TWICE = """
import django, io, json, sys
django.setup()
from django.core.management import call_command
reports = []
for _ in range(2):
    printed = io.StringIO()
    call_command("import_portal_dump", sys.argv[1], "--json", stdout=printed)
    reports.append(json.loads(printed.getvalue()))
print(json.dumps(reports))
"""
Answers = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def answers(
    tmp_path_factory: pytest.TempPathFactory, empty_database: Path, module_postgres_url: str
) -> tuple[Answers, Answers]:
    """The answers of `tests.services.both_databases` on SQLite and on PostgreSQL."""
    both = OnBoth.made(tmp_path_factory.mktemp("both"), empty_database, module_postgres_url)
    limits = {"API_REQUESTS_PER_MINUTE": "0", "API_REQUESTS_PER_HOUR": "0", "REDIS_URL": ""}
    for machine in (both.sqlite, both.postgresql):
        machine.environment |= limits
    words = ("-m", "tests.services.both_databases")
    return both.sqlite.python(*words), both.postgresql.python(*words)


def test_lists_by_cursor_are_the_same(answers: tuple[Answers, Answers]) -> None:
    expected, found = (part["lists_by_cursor"] for part in answers)
    for name, rows in expected.items():
        assert found[name] == rows, name
    assert len(expected["evidence year"]) == 30


def test_map_and_time_line_are_the_same(answers: tuple[Answers, Answers]) -> None:
    expected, found = (part["map_and_time_line"] for part in answers)
    for address, text in expected.items():
        assert found[address] == text, address
    assert "148 records" not in expected["/map/"]
    assert "149 records" in expected["/map/"]
    assert "A board." in expected["/map/"]
    assert json.loads(expected["/api/v1/timeline/"])["bins"]


def test_identifiers_are_the_same(answers: tuple[Answers, Answers]) -> None:
    expected, found = (part["identifiers"] for part in answers)
    for address, answer in expected.items():
        assert found[address] == answer, address
    assert {address: status for address, (status, *_) in expected.items() if status not in (200, 303)} == {
        "/evidence/X.7/": 410, "/api/v1/evidence/X.7/": 410, "/id/X.7": 410, "/evidence/X.700/": 404, "/id/X.99": 404,
        "/id/doe-1991": 404, "/id/game-9": 404, "/id/game-0/it-is-longer": 404, "/id/clause/a/b": 404,
        "/id/question/game-0/who-began": 404, "/id/ÿ": 404, f"/id/{'0' * 16}": 404,
    }  # fmt: skip
    assert expected["/id/01234567"][1] == f"/rulesets/{'0123456789abcdef' * 4}/"
    assert "/id/claim/game-0/it-is-long" in expected["/id/game-0/it-is-longer"][2]
    # Of 40 records 26 have the first place, X.7 among them, and 13 the second.
    assert "25 records" in expected["/places/"][2]
    assert "13 records" in expected["/places/"][2]


def test_datasets_and_searches_are_the_same(on_both: OnBoth, shipped_database: Path, tmp_path: Path) -> None:
    """A dataset of SQLite, loaded into PostgreSQL and written again; then one suite of searches on both."""
    there, back = tmp_path / "there", tmp_path / "back"
    shutil.copy(shipped_database, on_both.sqlite.folder / "db.sqlite3")
    on_both.sqlite.manage("export_dataset", str(there), "--date", "2026-12-01")
    report = json.loads(on_both.postgresql.manage("load_dataset", str(there), "--json").stdout)
    on_both.postgresql.manage("export_dataset", str(back))
    files = [path.relative_to(there) for path in there.rglob("*") if path.is_file()]
    assert report["rows"]["evidence"] > 20
    assert len(files) > 80
    for path in files:
        assert (there / path).read_bytes() == (back / path).read_bytes(), path

    expected, found = on_both.sqlite.python(*SEARCHES), on_both.postgresql.python(*SEARCHES)
    for one, other in zip(expected, found, strict=True):
        assert one == other, one["asked"]
    assert sum(answer["count"] > 0 for answer in expected) > 25
    assert sum(answer["suggestion"] is not None for answer in expected) == 2


def imports(machine: Machine, file: Path) -> list[dict[str, Any]]:
    reports = machine.python("-c", IMPORT_TWICE, str(file))
    return [{name: report[name] for name in REPORTED} for report in reports]


def test_a_dump_leaves_the_same_rows(tmp_path: Path, on_both: OnBoth) -> None:
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
