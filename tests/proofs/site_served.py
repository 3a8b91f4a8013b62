"""A site to look at: one that runs somewhere, or one of our own, filled with everything that the demo computes."""

import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from simulator.workers.servers import Server, free_port
from tests.services.machine import ROOT, Machine, wait_for

PATIENCE = 1800  # seconds: the engine may have to be compiled first
PASSWORD = r"password (\S+) \(shown this once\)"
COMPUTED = "Everything is computed."


@contextmanager
def served(address: str | None, password: str = "") -> Iterator[tuple[str, str]]:
    """(the address of the site, without a slash at its end; the password of the editor's account, if it is known)."""
    if address:
        yield address.rstrip("/"), password
        return
    with tempfile.TemporaryDirectory(prefix="site-", ignore_cleanup_errors=True) as folder:
        machine = Machine(Path(folder), "")
        del machine.environment["REDIS_URL"]  # the demo starts a broker of its own
        machine.manage("migrate", "--verbosity", "0")
        machine.manage("load_fixtures")
        machine.manage("export_dataset", str(machine.folder / "datasets" / "one"))
        port = free_port()
        words = (sys.executable, str(ROOT / "manage.py"), "demo", "--port", str(port))
        demo = Server.start("demo", words, machine.folder / "demo.log", machine.environment)
        try:
            wait_for(lambda: COMPUTED in demo.log.read_text() or not demo.is_running, "all is computed", PATIENCE)
            assert demo.is_running, demo.last_lines()
            made = re.search(PASSWORD, demo.log.read_text())
            yield f"http://127.0.0.1:{port}", made[1] if made else ""
        finally:
            demo.stop(patience=20)
