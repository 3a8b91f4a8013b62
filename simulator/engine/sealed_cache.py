"""How numba keeps the engine's machine code: sealed, and safely beside other processes.

As numba keeps it by itself, a damaged file is an error or worse, two processes that compile at once may give two
functions' code one name, and what was compiled in one checkout is not found from another. Only the engine's own
functions are kept in this way; whatever else a process compiles stays as it was.
"""

import contextlib
import fcntl
import hashlib
import logging
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba import config
from numba.core import caching
from numba.core.serialize import dumps

from simulator.engine import kernel_cache

logger = logging.getLogger(__name__)


class EngineLocator(caching.UserProvidedCacheLocator):
    """The engine's files by their place in the engine, wherever the engine stands, and by what reaches their code."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        name = kernel_cache.folder_name(Path(py_file), *getattr(py_func, kernel_cache.REACHED_BY, ()))
        self._cache_path = str(Path(config.CACHE_DIR, name))
        with contextlib.suppress(OSError):
            os.utime(self._cache_path)  # used today

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        within = Path(py_file).is_relative_to(kernel_cache.ENGINE)
        return cls(py_func, py_file) if within and config.CACHE_DIR else None

    def get_source_stamp(self) -> Any:
        return SealedFiles  # the folder's name says which code it is

    def ensure_cache_path(self) -> None:
        with contextlib.suppress(OSError):  # whoever writes says so
            Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)


class SealedFiles(caching.IndexDataCacheFile):
    """A function's files: an index of signatures, and one with machine code for each of them."""

    def save(self, key: Any, data: Any) -> None:
        """A disk that is full or not ours costs the keeping only."""
        name = self._name_of(key)
        try:
            self._write(name, dumps(data))
            with self._lock():
                self._write(self._index_name, dumps({**self._load_index(), key: name}))
        except OSError as error:
            logger.warning("compiled code cannot be kept in %s: %s", self._cache_path, error.strerror)

    def load(self, key: Any) -> Any:
        name = self._load_index().get(key)
        content = kernel_cache.unsealed(Path(self._data_path(name))) if name else None
        return None if content is None else pickle.loads(content)

    def flush(self) -> None:
        self._write(self._index_name, dumps({}))

    def _load_index(self) -> dict[Any, str]:
        content = kernel_cache.unsealed(Path(self._index_path))
        found: dict[Any, str] = {} if content is None else pickle.loads(content)
        return found

    def _name_of(self, key: Any) -> str:
        """One name for each signature and processor, so that two who compile never mean two things by one name."""
        said = hashlib.sha256(repr(key).encode()).hexdigest()
        index: str = self._index_name
        return index.removesuffix("nbi") + said[:16] + ".nbc"

    def _write(self, name: str, content: bytes) -> None:
        with self._open_for_write(self._data_path(name)) as file:
            file.write(kernel_cache.sealed(Path(self._data_path(name)), content))

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        with Path(self._cache_path, "index.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def install() -> None:
    """Have numba keep the engine's functions so, from now on; a second time changes nothing."""
    if EngineLocator in caching.CacheImpl._locator_classes:
        return
    plain = caching.IndexDataCacheFile

    def files(cache_path: str, filename_base: str, source_stamp: Any) -> Any:
        kind = SealedFiles if source_stamp is SealedFiles else plain
        return kind(cache_path=cache_path, filename_base=filename_base, source_stamp=source_stamp)

    caching.CacheImpl._locator_classes.insert(0, EngineLocator)
    caching.IndexDataCacheFile = files
