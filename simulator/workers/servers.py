"""Servers that one command starts beside itself, and stops again without leaving a process behind.

Each is the leader of a session of its own, so a Ctrl-C in the terminal reaches the command only, which then stops them
in its order. What they print goes to a file.
"""

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO


@dataclass
class Server:
    """A running server and all that it has started."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    @classmethod
    def start(
        cls,
        name: str,
        command: Sequence[str],
        log: Path,
        environment: Mapping[str, str] | None = None,
        stdin: int | None = None,
    ) -> "Server":
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as out:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL if stdin is None else stdin,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=None if environment is None else {**os.environ, **environment},
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )
        return cls(name, process, log)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    @property
    def input(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    def stop(self, patience: float) -> None:
        """Ask it to end, wait so many seconds, then end whatever is left of its group."""
        if self.is_running:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(patience)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def last_lines(self, count: int = 15) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-count:])


def _end_with_parent() -> None:
    """On Linux, a server is told to end when the command that started it is killed outright."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


def free_port(wanted: int = 0) -> int:
    """`wanted` if nothing listens there on the loopback address, else any free port; raises OSError only if none is."""
    for port in (wanted, 0):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return int(probe.getsockname()[1])
    raise OSError("no port is free on 127.0.0.1")
