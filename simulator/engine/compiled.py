"""How kernel functions are compiled, bound to a family, and kept: one place for numba's options.

Reference counting is off: a kernel allocates nothing, and a compile error says so if one tries. Division follows the
hardware, so that no kernel function can raise.

Machine code is kept sealed, and safely beside other processes. As numba keeps it by itself, a damaged file is an error
or worse, two processes that compile at once may give two functions' code one name, and what was compiled in one
checkout is not found from another. Only the engine's own functions are kept in this way.

A loop that all families share is compiled once for each of them. It is a plain function that names the family's
functions as globals. Closures, dispatchers or functions passed as arguments never hit numba's disk cache, and two
copies with one `__qualname__` and the same argument types are served each other's machine code; so each copy has the
loop's code object, the family's functions as globals, and the family's name in its `__qualname__`. The loop's module
does not import the contract: so a copy says that it is reached.
"""

import contextlib
import fcntl
import hashlib
import logging
import os
import pickle
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from simulator.engine import kernel_cache

# numba reads where to keep machine code when a function is defined: every module with compiled functions comes by here.
kernel_cache.prepare()

from numba import config, njit, types  # noqa: E402
from numba.core import caching  # noqa: E402
from numba.core.serialize import dumps  # noqa: E402
from numba.extending import intrinsic  # noqa: E402

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
        """Keep machine code; a disk that is full or not ours costs the keeping only."""
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
        """Make one name for each signature and processor, so that two who compile never mean two things by one name."""
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


install()

# A function inherits what it does not say from the one whose compilation asked for it: hence the explicit False.
kernel_function = njit(cache=True, nogil=True, _nrt=False, error_model="numpy", forceinline=False)
inlined = njit(cache=True, nogil=True, _nrt=False, error_model="numpy", forceinline=True)


@intrinsic
def words(typing_context: Any, array: Any) -> Any:
    """Return the words of an array without its shape: one register instead of seven, no place counted from the end.

    A family's contract takes arrays and hands on words; words of words are the same words.
    """
    if isinstance(array, types.CPointer):
        return array(array), lambda context, builder, signature, arguments: arguments[0]

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(array)(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), build


@intrinsic
def words_behind(typing_context: Any, array: Any, place: Any) -> Any:
    """Return the words of an array from a place on, as int64, whichever integers the array says it has."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data, kind = arguments[0], signature.args[0]
        if not isinstance(kind, types.CPointer):
            data = context.make_array(kind)(context, builder, data).data
        return builder.gep(data, [arguments[1]])

    return types.CPointer(types.int64)(array, types.int64), build


@intrinsic
def noinline(typing_context: Any) -> Any:
    """Have a function called, never copied into its callers, where this is its first statement.

    The optimiser would otherwise copy a family's whole rules into one function, too large for the registers it has.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.none(), build


# What loops name of a family's contract. A contract has moreover what is asked before anything is compiled: COUNTS,
# EXAMPLES, MOST_MOVES, MOVE_CODES, TAKEN, WORD, compile_rules, position_size.
CONTRACT = (
    *("FIRST_STREAM", "LAST_STREAM", "EVALUATION_SCALE", "identity_size", "size_in_use", "start", "mover", "outcome"),
    *("moves", "random_move", "look_past", "play", "round_outcome", "settled", "evaluate"),
)


def bind(loop: Callable[..., Any], family: str, contract: ModuleType) -> Callable[..., Any]:
    """Compile `loop` against the functions of a family's kernel contract."""
    compiled: Callable[..., Any] = kernel_function(copy_for(loop, family, contract, {}))
    return compiled


def copy_for(loop: Callable[..., Any], family: str, contract: ModuleType, also: Mapping[str, Any]) -> FunctionType:
    """Copy `loop` so that it finds the family's contract, and what is given `also`, among its globals."""
    assert isinstance(loop, FunctionType)
    names = {**loop.__globals__, **{name: getattr(contract, name) for name in CONTRACT}, **also}
    copy = FunctionType(loop.__code__, names, loop.__name__, loop.__defaults__, loop.__closure__)
    copy.__qualname__ = f"{loop.__qualname__}_{family}"
    copy.__module__ = loop.__module__
    copy.__dict__[kernel_cache.REACHED_BY] = (kernel_cache.COMPILED, Path(str(contract.__file__)))
    return copy
