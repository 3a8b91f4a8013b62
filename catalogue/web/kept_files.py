"""Files that are made when they are first asked for and then kept: tables and archives of what never changes again.

Only a cache: `manage.py expire` throws away what nobody asked for in a while.
"""

import contextlib
import errno
import fcntl
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

UNFINISHED = "."  # the names of what is being written begin so
DAY = 24 * 3600
PATIENCE = 5.0  # seconds that a request waits for what another one is making
log = logging.getLogger(__name__)


class BeingMade(Exception):
    """Another request is making the file, and it takes long: it can be had in a while."""


def kept(name: str, changed: float, parts: Iterable[bytes]) -> Path | None:
    """The file of that name, made of the parts if it is not there; None if there is no room for it, which the log says.

    changed: when what it holds was last changed, in seconds since 1970. One request makes it, however many ask for it
    at the same moment; nobody ever sees half of one. Raises BeingMade for those who have waited in vain.
    """
    place = Path(settings.FILES_DIR) / name
    try:
        if not place.exists():
            with _one_at_a_time(place):
                if not place.exists():
                    _write(place, changed, parts)
        os.utime(place, (time.time(), changed))  # asked for now: not every disk keeps this by itself
    except OSError as error:
        log.warning("%s is not kept as a file: %s", name, error)
        return None
    return place


@contextlib.contextmanager
def _one_at_a_time(place: Path) -> Iterator[None]:
    """Fifty who ask for the same table at once do not write it fifty times. Raises OSError, BeingMade."""
    folder = place.parent
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
    beside = folder / f"{UNFINISHED}{place.name}.lock"
    with beside.open("wb") as lock:
        until = time.monotonic() + PATIENCE
        while not _locked(lock):
            if time.monotonic() > until:
                raise BeingMade(f"{place.name} is being made")
            time.sleep(PATIENCE / 100)
        try:
            yield
        finally:
            beside.unlink(missing_ok=True)


def _locked(file: BinaryIO) -> bool:
    with contextlib.suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _write(place: Path, changed: float, parts: Iterable[bytes]) -> None:
    """Readable for the proxy too. Raises OSError."""
    folder = place.parent
    if shutil.disk_usage(folder).free < settings.DISK_FREE_MB << 20:
        raise OSError(errno.ENOSPC, f"less than {settings.DISK_FREE_MB} MB (DISK_FREE_MB) are free")
    descriptor, beside = tempfile.mkstemp(prefix=UNFINISHED, dir=folder)
    try:
        with open(descriptor, "wb") as file:
            file.writelines(parts)
            os.fchmod(file.fileno(), 0o644)
        os.replace(beside, place)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def old_files(age: float) -> Iterator[Path]:
    """What nobody has asked for in so many seconds, and what was begun and left more than a day ago."""
    now = time.time()
    folder = Path(settings.FILES_DIR)
    for file in folder.iterdir() if folder.is_dir() else ():
        most = min(age, DAY) if file.name.startswith(UNFINISHED) else age
        if now - file.stat().st_atime > most:
            yield file
