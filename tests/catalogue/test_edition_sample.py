"""The sample of the edition that a demo plays again: how it is begun, and that it is said how it ended."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from catalogue.demo import content
from catalogue.edition.files import FOLDER, EditionFolder


class Process:
    """In the place of one that was started: it runs until it is told how it ended."""

    def __init__(self) -> None:
        self.commands: list[tuple[str, ...]] = []
        self.is_running, self.stopped = True, 0
        self.process = SimpleNamespace(returncode=None)

    def start(self, name: str, command: tuple[str, ...], log: Path) -> "Process":
        self.commands.append(command)
        return self

    def end(self, status: int) -> None:
        self.is_running, self.process.returncode = False, status

    def stop(self, patience: float) -> None:
        self.stopped += 1


@pytest.fixture
def started(monkeypatch: Any) -> Process:
    process = Process()
    monkeypatch.setattr(content.Server, "start", process.start)
    return process


@pytest.mark.parametrize(
    ("status", "last"),
    [(0, "They were played again: every digest is the same."), (1, "They are not what its games say; see ")],
)
def test_a_sample_of_the_edition_is_played_again_once(started: Process, status: int, last: str) -> None:
    said: list[str] = []
    with content.running(said.append) as look:
        look()
        assert len(said) == 1
        started.end(status)
        look()
        look()
    assert said[0].startswith("Playing 3 batches of the edition of 20")
    assert said[1].startswith(last)
    assert len(said) == 2
    (command,) = started.commands
    assert command[1:] == (
        *("manage.py", "edition", "verify", "--batches", "--sample", "3", "--seconds", "30", "--seed"),
        command[10], "--folder", str(FOLDER),
    )  # fmt: skip
    assert command[10] in said[0]
    assert started.stopped == 1


def test_without_an_edition_nothing_is_begun(started: Process, tmp_path: Path) -> None:
    said: list[str] = []
    with content.running(said.append, EditionFolder(tmp_path)) as look:
        look()
    assert (said, started.commands) == ([], [])
