"""The file of SQLite, which holds sessions, digests of passwords and addresses of readers: for its owner only."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from catalogue.config.environment import for_owner_only

BESIDE = ("", "-wal", "-shm", "-journal")  # SQLite makes them with the mode of the database
MAKING = Lock()


class OwnersConnection(sqlite3.Connection):
    """Makes the file readable by nobody else before there is anything in it, and mends one that others may read.

    A file that is there is never opened here: a process that closes a file loses all its locks on it (POSIX), those of
    its other connections too, and another process would then take the log of the database away from under them.
    """

    def __init__(self, database: Any, *args: Any, **options: Any) -> None:
        name = str(database)
        if name != ":memory:" and not name.startswith("file:"):
            # It is there, or cannot be made: SQLite then says so in its own words. Nobody connects before it is closed.
            with suppress(OSError), MAKING:
                os.close(os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            for_owner_only(*(Path(f"{name}{ending}") for ending in BESIDE))
        super().__init__(database, *args, **options)
