"""The proofs of the house: its figures, and that everything behaves as it did before. Figures as one JSON document.

    python -m tests.proofs.house [PART…] [--before REVISION] [--keep FOLDER]

Parts: figures, names, lines, digests, openapi, pages; if none is named, all of them. The first two are of the tree as
it stands. The others compare the revision before the house was rebuilt with the one at which it stood again: families,
API and pages have moved on since, on purpose. They run both revisions, which need what was required then: openapi and
pages drf-spectacular-sidecar. With --keep, what the pages of the earlier revision say is kept in a folder, and a second
comparison takes half the time.
Exit status 1 if something does not hold.
"""

import json
import subprocess
import sys
from collections.abc import Callable

from tests.proofs.house_figures import figures, lines
from tests.proofs.house_names import names
from tests.proofs.house_openapi import openapi
from tests.proofs.house_pages import pages
from tests.proofs.house_running import run_compared
from tests.proofs.house_trees import Trees
from tests.proofs.running import Figures, demand

BEFORE = "fd374bb"  # the last commit before the house was rebuilt
REBUILT = "e01b58d"  # the one at which it stood again, with the same games, API and pages
DIGESTS, TEST_OF_DIGESTS = "tests/golden_digests.json", "tests/engine/test_golden.py"


def digests(trees: Trees) -> Figures:
    """The golden digests are those of before, and the games that are played after it have them."""
    before, now = (json.loads((trees.root(name) / DIGESTS).read_bytes()) for name in ("before", "now"))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", TEST_OF_DIGESTS]
    done = subprocess.run(command, cwd=trees.root("now"), env=trees.environment("now"), capture_output=True, text=True)
    found: Figures = {
        "rulesets": len(now),
        "different": sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name)),
        "test": done.stdout.strip().splitlines()[-1:],
    }
    demand(not found["different"], f"the digests of {', '.join(found['different'])} differ", found)
    demand(done.returncode == 0, f"{TEST_OF_DIGESTS} failed: {done.stdout[-2000:]}", found)
    return found


PARTS: dict[str, Callable[[Trees], Figures]] = {
    "figures": figures,
    "names": names,
    "lines": lines,
    "digests": digests,
    "openapi": openapi,
    "pages": pages,
}
OF_REBUILDING = dict.fromkeys(("lines", "digests", "openapi", "pages"), REBUILT)


def main(words: list[str]) -> int:
    return run_compared("house", __doc__, PARTS, BEFORE, words, OF_REBUILDING)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
