"""Two trees of the project side by side: a revision of it from before, and what stands here now.

Both are copies in folders of their own, so that what is edited meanwhile does not count, and what they start keeps its
database apart from everybody's.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
INHERITED = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH")  # no address of a database or a broker


@dataclass(frozen=True)
class Trees:
    """folder: holds both, and whatever a part writes; revision: the commit that stood before; keep: where its pages are
    kept, if at all
    """

    folder: Path
    revision: str
    keep: Path | None = None

    def root(self, name: str) -> Path:
        """The folder of the tree of that name, `before` or `now`."""
        return self.folder / name

    def environment(self, name: str) -> dict[str, str]:
        """Of a process of one of the trees: a data folder of its own, compiled kernels shared by both."""
        var = self.folder / "var" / name
        var.mkdir(parents=True, exist_ok=True)
        inherited = {key: os.environ[key] for key in INHERITED if key in os.environ}
        return {
            **inherited,
            "VAR_DIR": str(var),
            "KERNEL_CACHE_DIR": os.environ.get("KERNEL_CACHE_DIR", str(self.folder / "kernels")),
            "DJANGO_SETTINGS_MODULE": "catalogue.config.settings",
            "SECRET_KEY": "one for both trees",
        }

    def python(self, name: str, *words: str) -> str:
        """What Python prints, run in one of the trees with those words; raises AssertionError if it fails."""
        command, environment = [sys.executable, *words], self.environment(name)
        done = subprocess.run(command, cwd=self.root(name), env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{words[0]} exited {done.returncode}: {done.stdout[-500:]}{done.stderr[-2500:]}"
        return done.stdout


def commit_of(revision: str) -> str:
    """Raises subprocess.CalledProcessError if there is no such revision."""
    return _git("rev-parse", "--quiet", "--verify", f"{revision}^{{commit}}").decode().strip()


@contextmanager
def two_trees(commit: str, keep: Path | None = None, until: str = "") -> Iterator[Trees]:
    """Copies of that commit and of what stands here, or of another commit, which are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="proof-house-") as named:
        trees = Trees(Path(named), commit, keep)
        _check_out(commit, trees.root("before"))
        if until:
            _check_out(until, trees.root("now"))
        else:
            copy_here(trees.root("now"))
        yield trees


def _check_out(commit: str, folder: Path) -> None:
    folder.mkdir()
    subprocess.run(["tar", "-x", "-C", str(folder)], input=_git("archive", commit), check=True)


def copy_here(folder: Path) -> None:
    """Copy what stands here into a folder: what is committed, and what would be."""
    for name in _git("ls-files", "-z", "--cached", "--others", "--exclude-standard").decode().split("\0"):
        if name and (ROOT / name).is_file():  # neither deleted nor a link to a folder
            copy = folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy)


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
