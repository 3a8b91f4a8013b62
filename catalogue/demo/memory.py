"""How much memory the demo's processes hold, against what they may: a small machine must carry it."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1024 * 1024
MOST_WEB_MB = 250
MOST_WORKER_MB = 400
PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Process:
    pid: int
    group: int
    megabytes: int


def group(leader: int) -> list[Process]:
    """The processes of a server's group, its leader first, with their resident memory."""
    found = _from_proc() if (PROC / "self" / "stat").exists() else _from_ps()
    return sorted((process for process in found if process.group == leader), key=lambda one: one.pid)


def _from_proc() -> list[Process]:
    found = []
    for folder in PROC.glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            pages = int((folder / "statm").read_text().split()[1])
        except (OSError, IndexError):  # it ended while we looked
            continue
        found.append(Process(int(folder.name), int(status[2]), pages * os.sysconf("SC_PAGESIZE") // MEGABYTE))
    return found


def _from_ps() -> list[Process]:
    listing = subprocess.run(["ps", "-A", "-o", "pid=,pgid=,rss="], capture_output=True, text=True, check=True)
    rows = (tuple(map(int, line.split())) for line in listing.stdout.splitlines())
    return [Process(pid, pgid, kilobytes * 1024 // MEGABYTE) for pid, pgid, kilobytes in rows]
