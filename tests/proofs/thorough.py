"""The tests that take too long for every run: real workers killed in every way, both databases, whole visits.

python -m tests.proofs.thorough [pytest's own words]
"""

import sys

import pytest

if __name__ == "__main__":
    sys.exit(pytest.main(["-m", "thorough", "-n", "2", "--dist", "worksteal", *sys.argv[1:]]))
