"""Where compiled kernels are kept between processes.

numba's own cache looks at the file of a function only, not at what the function calls. So the folder is named by a
digest of every module that is compiled and of numba's version: changed code never meets old machine code. Folders of
other digests are removed when they are older than a week.

Machine code that was damaged on the disk would stop a process outright, or play wrong games. So every file begins with
a seal (`sealed_cache` writes and reads them): one that does not fit is as good as missing, and is compiled again.
"""

import hashlib
import os
import shutil
import sys
import time
from functools import cache
from importlib.metadata import version
from pathlib import Path

ENGINE = Path(__file__).parent
WEEK = 7 * 24 * 3600
SEAL = 32  # bytes

# Rows of a board are short: unrolled and vectorised, their loops become tens of thousands of instructions that no
# longer fit the processor's cache, and take longer to compile.
COMPILER = {"NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0", "NUMBA_OPT": "2"}


@cache
def digest() -> str:
    """16 hex digits of everything that reaches machine code, and of how it is kept."""
    packages = " ".join(f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy"))
    found = hashlib.sha256(f"{packages} python {sys.version_info[:2]}".encode())
    for path in compiled_files():
        found.update(str(path.relative_to(ENGINE)).encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def compiled_files() -> list[Path]:
    """The modules whose code or constants reach machine code."""
    named = {"bits", "compiled", "family", "kernel_cache", "sealed_cache", "loops", "bind"}
    named |= {"randomness", "randomness_kernel"}
    places = ("families/*/kernel/*.py", "families/*/position.py", "families/*/measures.py", "*/kernel/*.py")
    found = {ENGINE / f"{name}.py" for name in named} | {ENGINE / "players" / "names.py"}
    return sorted(found.union(*(ENGINE.glob(place) for place in places)))


def folder() -> Path:
    """The folder of this code's kernels: below KERNEL_CACHE_DIR, else below var/kernels of the checkout.

    An engine that was installed has no checkout, and may stand where nobody can write: it uses the user's own cache.
    """
    checkout = ENGINE.parents[1]
    if (checkout / "manage.py").is_file():
        home = checkout / "var"
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "traditional-games"
    return Path(os.environ.get("KERNEL_CACHE_DIR") or home / "kernels") / digest()


def prepare() -> Path:
    """Point numba at the folder and clear away old ones; must run before anything is compiled."""
    home = folder()
    home.mkdir(parents=True, exist_ok=True)
    os.utime(home)
    os.environ.update(COMPILER, NUMBA_CACHE_DIR=str(home))
    if "numba" in sys.modules:
        import numba

        numba.config.reload_config()
    for other in home.parent.iterdir():
        if other != home and other.is_dir() and time.time() - other.stat().st_mtime > WEEK:
            shutil.rmtree(other, ignore_errors=True)
    return home


def sealed(name: str, content: bytes) -> bytes:
    """The content of a file of that name, behind a seal that fits no other content, name or version of the code."""
    return hashlib.sha256(f"{digest()} {name} ".encode() + content).digest() + content


def unsealed(path: Path) -> bytes | None:
    """The content of a file, or None if there is none or its seal does not fit."""
    try:
        whole = path.read_bytes()
    except OSError:
        return None
    content = whole[SEAL:]
    return content if whole == sealed(path.name, content) else None


def sound_files() -> tuple[set[str], set[str]]:
    """(those files of compiled functions whose seals fit, the others), by their paths below the folder."""
    files: tuple[set[str], set[str]] = set(), set()
    for path in folder().rglob("*.nb[ic]"):
        files[unsealed(path) is None].add(str(path.relative_to(folder())))
    return files


def remove_damaged() -> None:
    for name in sound_files()[1]:
        (folder() / name).unlink(missing_ok=True)


def clear() -> None:
    """Throw away what was compiled of this code."""
    shutil.rmtree(folder(), ignore_errors=True)
