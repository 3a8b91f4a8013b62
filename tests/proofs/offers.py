"""The rules that the workshop offers for words, measured on the shipped apparatus, one game left out after the other.

    python -m tests.proofs.offers

Due after a change of the ranking, of the schemas, or of the apparatus. A right rule is among five for at least 80 % of
the selections where the words of all other games are known, and for 60 % where only those of games of another kind are;
the weights are learnt anew for each game, of the others. The figures are those that the page of the workshop publishes,
and the weights that ship are near those that all games teach. Exit status 1 if not. Two minutes.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.services.machine import ROOT

DOCUMENT = ROOT / "templates" / "docs" / "workshop.md"
LEAST = {"others": 0.8, "others and its own so far": 0.8, "others of another kind": 0.6, "none": 0.5}
FAR = 0.4  # from what all games teach, weights that ship would have to be learnt anew


def measured() -> dict[str, Any]:
    """What the command says of a database that holds what is shipped."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"DEBUG": "True", "DATABASE_URL": f"sqlite:///{Path(folder) / 'db.sqlite3'}", "PATH": "/usr/bin"}

        def manage(*words: str) -> str:
            command = [sys.executable, "manage.py", *words]
            return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout

        manage("migrate")
        manage("load_fixtures", "--no-edition")
        found: dict[str, Any] = json.loads(manage("measure_offers", "--json"))
    return found


def published() -> list[list[str]]:
    """The figures of the page: a row for each thing that the ranking may know."""
    rows = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.count(" % |") == 4]
    return [re.findall(r"([\d.]+) %", line) for line in rows]


def main() -> int:
    found = measured()
    wrong = []
    if any(abs(learnt - ships) > FAR for learnt, ships in zip(found["weights"], found["ship"], strict=True)):
        wrong.append(f"the weights that ship are {found['ship']}, and all games teach {found['weights']}")
    for one, told in zip(found["measured"], published(), strict=True):
        figures = [f"{100 * share:.1f}" for share in one["among"].values()]
        sys.stdout.write(f"{one['known']}: {one['selections']} selections, {one['candidates']:.0f} rules: {figures}\n")
        if one["among"]["5"] < LEAST[one["known"]]:
            wrong.append(f"{one['known']}: {one['among']['5']:.1%} among five, not {LEAST[one['known']]:.0%}")
        if figures != told:
            wrong.append(f"{one['known']}: the page says {told}, and it is {figures}")
    sys.stdout.write("".join(f"wrong: {line}\n" for line in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
