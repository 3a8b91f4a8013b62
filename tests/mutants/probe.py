"""What a probed line calls: says once which test has come by. See `reach`."""

import os
from pathlib import Path

MET = Path(__file__).resolve().parents[2] / "var" / "met.txt"
COLLECTING = "tests are collected"  # instead of a test, for what is recorded before any begins
_known: set[tuple[str, str]] = set()


def met(name: str) -> None:
    """Processes that a test starts know its name from their environment."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0] or COLLECTING
    if (name, test) not in _known:
        _known.add((name, test))
        with MET.open("a", encoding="utf-8") as file:
            file.write(f"{name}\t{test}\n")
