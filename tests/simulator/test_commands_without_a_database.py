"""A database that is locked or away is said in words with what to do, and no traceback."""

from pathlib import Path

import pytest
from django.db import OperationalError

from simulator.management.command_line import CommandFailed, database_away, exit_statuses
from tests.services.machine import Machine


@pytest.mark.services
@pytest.mark.thorough
@pytest.mark.parametrize("command", ["expire", "backup"])
def test_a_command_says_that_the_database_does_not_answer(tmp_path: Path, command: str):
    machine = Machine(tmp_path, "memory://")
    machine.environment["DATABASE_URL"] = "sqlite:////nowhere/at/all.sqlite3"
    backups = tmp_path / "backups"
    backups.mkdir()
    failed = machine.manage(command, *([str(backups)] if command == "backup" else []), status=1)
    assert "unable to open database file" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert list(backups.iterdir()) == []


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [
        ("database is locked", "try again when that has ended"),
        ("no such table: simulator_batch", "manage.py migrate"),
        ('relation "simulator_batch" does not exist\nLINE 1', "manage.py migrate"),
        ("connection failed: Connection refused", "Check DATABASE_URL"),
    ],
)
def test_each_reason_has_its_remedy(reason: str, remedy: str):
    with pytest.raises(CommandFailed) as caught, exit_statuses():
        raise OperationalError(reason)
    assert str(caught.value) == database_away(OperationalError(reason))
    assert str(caught.value).startswith("The database does not answer: ")
    assert remedy in str(caught.value)
    assert "\n" not in str(caught.value)
