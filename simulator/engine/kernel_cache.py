"""Where compiled kernels are kept between processes.

numba's own cache looks at the file of a function only, not at what the function calls. So the machine code of every
module has a folder of its own, named by a digest of the module, of all that it imports on its way to machine code, and
of numba's version: changed code never meets old machine code, and what was not touched stays. Folders that no
process used for a week are removed, unless they are of this code.

Machine code that was damaged on the disk would stop a process outright, or play wrong games. So every file begins with
a seal (`compiled` writes and reads them): one that does not fit is as good as missing, and is compiled again.
"""

import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from simulator.engine import schemas

ENGINE = Path(__file__).parent
IMPORTS = re.compile(r"^ *from simulator\.engine\.?(\S*) import (\([^)]*\)|.*)$", re.MULTILINE)
WORDS = re.compile(r"\w+")
LOOPS, COMPILED = ENGINE / "loops.py", ENGINE / "compiled.py"  # loops; how copies of them are made for a family
REACHED_BY = "reached_by"  # an attribute of such a copy: COMPILED and the family's contract
LAYING_OUT = "compiling"  # plain Python that lays a ruleset out as an array for a kernel
WEEK = 7 * 24 * 3600
SEAL = 32  # bytes

# Rows of a board are short: unrolled and vectorised, their loops become tens of thousands of instructions that no
# longer fit the processor's cache, and take longer to compile.
COMPILER = {"NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0", "NUMBA_OPT": "2"}


@cache
def compiled_files() -> tuple[Path, ...]:
    """Return the modules whose code or constants reach machine code."""
    named = {"bits", "compiled", "ends", "kernel_cache", "loops", "randomness", "randomness_kernel"}
    places = ("families/*/kernel/[a-z]*.py", "families/*/position.py", "families/*/measures.py", "*/kernel/[a-z]*.py")
    found = {ENGINE / f"{name}.py" for name in named} | {ENGINE / "players" / "names.py"}
    found |= {path for place in places for path in ENGINE.glob(place) if path.stem != LAYING_OUT}
    return tuple(sorted(found))


def contract_of(family: str) -> Path:
    """Return the module that a family's copies of loops are made for."""
    return ENGINE / "families" / family / "kernel" / "contract.py"


@cache
def digest(*files: Path) -> str:
    """Return 16 hex digits of everything that reaches the machine code of those modules, and of how it is kept."""
    found = hashlib.sha256(f"{_packages()} python {sys.version_info[:2]} {COMPILER}".encode())
    for path in reached(*files):
        found.update(str(path.relative_to(ENGINE)).encode() + _content(path))
    return found.hexdigest()[:16]


@cache
def _packages() -> str:
    return " ".join(f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy"))


@cache
def _content(path: Path) -> bytes:
    """Hash a file; of a schema only the numbers that kernels take from it: its sentences change no machine code."""
    said = repr(schemas.constants(path.stem)).encode() if path.suffix == ".json" else path.read_bytes()
    return hashlib.sha256(said).digest()


def reached(*files: Path) -> tuple[Path, ...]:
    """Find these modules, the compiled ones that they import, directly or not, and schemas they take numbers from."""
    found, waiting = set[Path](), set(files)
    while waiting:
        found.add(path := waiting.pop())
        waiting |= _imported(path) - found
    return tuple(sorted(found))


@cache
def _imported(path: Path) -> frozenset[Path]:
    found = set[Path]()
    for module, names in IMPORTS.findall(path.read_text(encoding="utf-8")):
        place = ENGINE.joinpath(*module.split("."))
        found |= {place.with_suffix(".py"), *(place / f"{name}.py" for name in WORDS.findall(names))}
    found.intersection_update(compiled_files())
    if path.name == "rules.py":  # its constants follow from the schema, which is in no machine code itself
        found.add(ENGINE / "schemas" / f"{path.parents[1].name}.json")
    return frozenset(found)


def home() -> Path:
    """Return where kernels are kept: in KERNEL_CACHE_DIR, else in var/kernels of the checkout.

    An engine that was installed has no checkout, and may stand where nobody can write: it uses the user's own cache.
    """
    checkout = ENGINE.parents[1]
    if (checkout / "manage.py").is_file():
        place = checkout / "var"
    else:
        place = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "traditional-games"
    return Path(os.environ.get("KERNEL_CACHE_DIR") or place / "kernels")


def folder_name(file: Path, *others: Path) -> str:
    """Name the folder for functions of a module. others: what else reaches them, of copies that are made of loops."""
    place = ".".join(file.relative_to(ENGINE).with_suffix("").parts)
    return f"{place}-{digest(file, *others)}"


def folders(files: Iterable[Path], contracts: Iterable[Path]) -> list[Path]:
    """Find the folders for functions of the modules, and for the copies that were made of them for the contracts."""
    kinds = ((), *((COMPILED, contract) for contract in contracts))
    names = {folder_name(file, *others) for file in files for others in kinds}
    return sorted(path for path in home().glob("*/") if path.name in names)


def own_folders() -> list[Path]:
    """Find the folders of this code."""
    return folders(compiled_files(), ENGINE.glob("families/*/kernel/contract.py"))


def old_folders() -> list[Path]:
    """Find the folders of other code that were not used for a week."""
    own = set(own_folders())
    return [path for path in home().glob("*/") if path not in own and time.time() - path.stat().st_mtime > WEEK]


def prepare() -> Path:
    """Point numba at where kernels are kept, which is returned; must run before anything is compiled."""
    place = home()
    place.mkdir(parents=True, exist_ok=True)
    os.environ.update(COMPILER, NUMBA_CACHE_DIR=str(place))
    if "numba" in sys.modules:
        import numba

        numba.config.reload_config()
    return place


def remove_old() -> None:
    for path in old_folders():
        shutil.rmtree(path, ignore_errors=True)


def sealed(path: Path, content: bytes) -> bytes:
    """Return the content of a file behind a seal that fits no other content, name or version of the code."""
    return hashlib.sha256(f"{path.parent.name} {path.name} ".encode() + content).digest() + content


def unsealed(path: Path) -> bytes | None:
    """Return the content of a file, or None if there is none or its seal does not fit."""
    try:
        whole = path.read_bytes()
    except OSError:
        return None
    content = whole[SEAL:]
    return content if whole == sealed(path, content) else None


def sound_files(places: Iterable[Path] | None = None) -> tuple[set[str], set[str]]:
    """Return (those files of compiled functions whose seals fit, the others) of some folders or of all, by their
    paths."""
    files: tuple[set[str], set[str]] = set(), set()
    for place in own_folders() if places is None else places:
        for path in place.glob("*.nb[ic]"):
            files[unsealed(path) is None].add(f"{place.name}/{path.name}")
    return files


def remove_damaged() -> None:
    for name in sound_files()[1]:
        (home() / name).unlink(missing_ok=True)


def clear() -> None:
    """Throw away what was compiled of this code."""
    for place in own_folders():
        shutil.rmtree(place, ignore_errors=True)
