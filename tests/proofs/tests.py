"""The tests that are marked as proofs: whole machines and whole mornings, whose parts other tests show in less time.

    python -m tests.proofs.tests [FILE…]

A demo whose broker, worker and site are killed; the units of a server that play a batch together; a game of each family
made playable in a browser; the bench beside OpenSpiel and C. Due before a release, and after a change of the demo, of
`deploy/`, or of the workshop's scripts. Ten minutes.
"""

import os
import sys

import pytest


def main(files: list[str]) -> int:
    os.environ["TESTS"] = "all"  # none of them is left to other days
    return pytest.main(["-m", "proof", *(files or ["tests"])])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
