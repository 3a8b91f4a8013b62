"""Parts of a proof that compare this tree with a revision of it, run by their names."""

import argparse
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.proofs.house_trees import Trees, commit_of, two_trees
from tests.proofs.running import Figures, outcome, report


def run_compared(
    name: str,
    about: str,
    parts: Mapping[str, Callable[[Trees], Figures]],
    before: str,
    words: list[str],
    until: Mapping[str, str] | None = None,
) -> int:
    """Exit status. about: the docstring of the proof; before: the revision it compares with if none is named;
    until: part -> the revision that stands for the tree as it is now
    """
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
    ends = {part: (until or {}).get(part, "") for part in chosen.parts or parts}
    found = {}
    for end in dict.fromkeys(ends.values()):
        with two_trees(commit, chosen.keep, end) as trees:
            found |= {part: outcome(parts[part], trees) for part in ends if ends[part] == end}
    return report({part: found[part] for part in ends})
