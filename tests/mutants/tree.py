"""The copy of the project that faults are put into, and pytest run in it."""

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.mutants.recording import LEFT_OUT, RECORD

DATABASES = Path("var") / "databases"  # those that tests begin with, as they are without a fault
ROOT = Path(__file__).resolve().parents[2]
INHERITED = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH")  # no address of a database or a broker
MOST_MEMORY = 4 << 30  # bytes of a process: a fault may ask for ever more
IDLE, HARDLY = 900, 3.0  # seconds in which a run that takes no more seconds of processor time than that waits in vain


@dataclass(frozen=True)
class Run:
    """What a run of pytest came to. status: pytest's, or None if it did not end; seconds: of processor time, by test"""

    status: int | None
    seconds: dict[str, float]
    failed: list[str]

    @property
    def is_clean(self) -> bool:
        return self.status == 0

    @property
    def is_empty(self) -> bool:
        """Whether no test was left to be run: nothing was seen, neither good nor bad."""
        return self.status == pytest.ExitCode.NO_TESTS_COLLECTED


@dataclass(frozen=True)
class Tree:
    """A copy of the project. environment: what its tests are given besides: see `tests.choice`; workers: processes"""

    root: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    workers: int = 2

    @property
    def together(self) -> tuple[str, ...]:
        """The words with which pytest runs many tests in several processes."""
        return "-n", str(self.workers), "--dist", "worksteal"

    def make(self) -> None:
        """Copy the project as it stands, with its compiled kernels."""
        copy_here(self.root)
        shutil.copytree(ROOT / "var" / "kernels", self.root / "var" / "kernels")
        (self.root / ".venv").symlink_to(ROOT / ".venv")

    def keep(self, paths: Iterable[str], folder: Path) -> None:
        """These files as they are now, for `restore`."""
        for path in paths:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.root / path, folder / path)

    def restore(self, folder: Path) -> None:
        """Whoever was broken off has left a fault in the copy."""
        shutil.copytree(folder, self.root, dirs_exist_ok=True)

    def pytest(
        self,
        *words: str,
        tests: Sequence[str],
        left_out: Sequence[str] = (),
        patience: float,
        keeps_bytecode: bool = False,
        fills_databases: bool = True,
    ) -> Run:
        """tests: what is run, tests or where they stand; left_out: of these, each by its whole name

        patience: seconds of processor time after which everything that the run has started is ended: on a busy machine
        a run takes longer, and is no more endless for that
        keeps_bytecode: only where no file changes soon, or two versions of it within a second are taken for one
        fills_databases: whether the run fills the databases of the tests again, or takes those that were kept
        """
        named, record = self.root / "var" / "named_tests.txt", self.root / "var" / "record.json"
        named.write_text("\n".join(tests), encoding="utf-8")
        passed_over = self.root / "var" / "left_out.txt"
        passed_over.write_text("\n".join(left_out), encoding="utf-8")
        record.unlink(missing_ok=True)
        plugins = ("-p", "no:cacheprovider", "-p", "tests.mutants.recording")
        command = [sys.executable, "-m", "pytest", "-q", *plugins]
        more = {} if keeps_bytecode else {"PYTHONDONTWRITEBYTECODE": "1"}
        more |= {} if fills_databases else {"TEST_DATABASES": str(self.root / DATABASES)}
        with (self.root / "var" / "last_run.txt").open("w") as printed:
            process = subprocess.Popen(
                [*command, *words, f"@{named}"],
                cwd=self.root,
                env=_environment(record, passed_over) | dict(self.environment) | more,
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY)),
            )
        try:
            status = ended(process, patience)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        known = json.loads(record.read_text()) if record.exists() else {"seconds": {}, "failed": []}
        return Run(status, **known)


def ended(process: subprocess.Popen[bytes], patience: float) -> int | None:
    """What a run exits with; None if it takes so much processor time, or waits for what does not come."""
    looked, then = time.monotonic(), 0.0
    while (status := process.poll()) is None:
        time.sleep(0.2)
        used = processor_seconds(process.pid)
        if used > patience:
            return None
        if used > then + HARDLY:
            looked, then = time.monotonic(), used
        elif time.monotonic() > looked + IDLE:
            return None
    return status


def processor_seconds(session: int) -> float:
    """What the processes of a session have used so far, and those that they have waited for."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_bytes().rpartition(b")")[2].split()
            if int(fields[3]) == session:
                total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def copy_here(folder: Path) -> None:
    """Copy the project as it stands into a folder: what is committed, and what would be."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    for name in names:
        if name and (ROOT / name).is_file():  # neither deleted nor a link to a folder
            copy = folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy)


def _environment(record: Path, left_out: Path) -> dict[str, str]:
    return {RECORD: str(record), LEFT_OUT: str(left_out)} | {
        key: os.environ[key] for key in INHERITED if key in os.environ
    }
