"""Parts of a proof that compare this tree with a revision of it, run by their names."""

import argparse
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.proofs.house_trees import Trees, commit_of, two_trees
from tests.proofs.running import Figures, outcome, report


def run_compared(
    name: str, about: str, parts: Mapping[str, Callable[[Trees], Figures]], before: str, words: list[str]
) -> int:
    """Exit status. about: the docstring of the proof; before: the revision it compares with if none is named."""
    parser = argparse.ArgumentParser(prog=f"python -m tests.proofs.{name}", description=about.split("\n\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(parts)}; all of them if none is named")
    parser.add_argument(
        "--before", default=before, metavar="REVISION", help="what to compare with (default %(default)s)"
    )
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where what the pages said before is kept")
    chosen = parser.parse_args(words)
    if unknown := [part for part in chosen.parts if part not in parts]:
        parser.error(f"no part is called {unknown[0]!r}; there are {', '.join(parts)}")
    try:
        commit = commit_of(chosen.before)
    except subprocess.CalledProcessError:
        parser.error(f"there is no revision {chosen.before!r}")
    with two_trees(commit, chosen.keep) as trees:
        return report({part: outcome(parts[part], trees) for part in chosen.parts or parts})
