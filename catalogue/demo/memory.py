"""How much memory the demo's processes hold, against what they may: a small machine must carry it.

A compiler takes much and soon ends, which is why it is a process of its own; it stands beside the worker's children
while the cache of compiled engines is filled, and is none of them.
"""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from simulator.engine import compilation

MOST_WEB_MB = 250
MOST_WORKER_MB = 400
PROC = Path("/proc")
COMPILER = compilation.__name__


@dataclass(frozen=True, slots=True)
class Process:
    """megabytes: the most it has ever held, where the system says so, else what it holds now"""

    pid: int
    group: int
    megabytes: int
    command: str

    @property
    def compiles(self) -> bool:
        return COMPILER in self.command


def group(leader: int) -> list[Process]:
    """The processes of a server's group, its leader first, with their resident memory."""
    found = _from_proc() if (PROC / "self" / "stat").exists() else _from_ps()
    return sorted((process for process in found if process.group == leader), key=lambda one: one.pid)


def _from_proc() -> list[Process]:
    found = []
    for folder in PROC.glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            held = _most_held((folder / "status").read_text())
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (OSError, IndexError):  # it ended while we looked
            continue
        found.append(Process(int(folder.name), int(status[2]), held, command))
    return found


def _most_held(status: str) -> int:
    lines = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return int(lines.get("VmHWM", "0 kB").split()[0]) // 1024


def _from_ps() -> list[Process]:
    processes = subprocess.run(["ps", "-A", "-o", "pid=,pgid=,rss=,args="], capture_output=True, text=True, check=True)
    rows = (line.split(None, 3) for line in processes.stdout.splitlines())
    return [Process(int(pid), int(pgid), int(kilobytes) // 1024, command) for pid, pgid, kilobytes, command in rows]
