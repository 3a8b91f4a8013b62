"""Where compiled kernels are kept between processes.

numba's own cache looks at the file of a function only, not at what the function calls. So the folder is named by a
digest of every module that is compiled and of numba's version: changed code never meets old machine code. Folders of
other digests are removed when they are older than a week.
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

# Rows of a board are short: unrolled and vectorised, their loops become tens of thousands of instructions that no
# longer fit the processor's cache, and take longer to compile.
COMPILER = {"NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0", "NUMBA_OPT": "2"}


@cache
def digest() -> str:
    """16 hex digits of everything that reaches machine code."""
    found = hashlib.sha256(f"numba {version('numba')} numpy {version('numpy')} python {sys.version_info[:2]}".encode())
    for path in compiled_files():
        found.update(str(path.relative_to(ENGINE)).encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def compiled_files() -> list[Path]:
    """The modules whose code or constants reach machine code."""
    named = ("bits", "compiled", "family", "kernel_cache", "loops", "bind", "randomness", "randomness_kernel")
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


def is_warm() -> bool:
    """Whether kernels of this code have been compiled here before."""
    return any(folder().rglob("*.nbc"))
