"""Files that are made when they are first asked for and then kept: tables and archives of what never changes again.

Only a cache: `manage.py expire` throws away what nobody asked for in a while.
"""

import errno
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings

UNFINISHED = "."  # the names of what is being written begin so
DAY = 24 * 3600
log = logging.getLogger(__name__)


def kept(name: str, changed: float, parts: Iterable[bytes]) -> Path | None:
    """The file of that name, made of the parts if it is not there; None if there is no room for it, which the log says.

    changed: when what it holds was last changed, in seconds since 1970. Whoever asks for it at the same moment makes
    it too, and the last one's stays; nobody ever sees half of one.
    """
    place = Path(settings.FILES_DIR) / name
    try:
        if not place.exists():
            _write(place, changed, parts)
        os.utime(place, (time.time(), changed))  # asked for now: not every disk keeps this by itself
    except OSError as error:
        log.warning("%s is not kept as a file: %s", name, error)
        return None
    return place


def _write(place: Path, changed: float, parts: Iterable[bytes]) -> None:
    """Readable for the proxy too. Raises OSError."""
    folder = place.parent
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
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
