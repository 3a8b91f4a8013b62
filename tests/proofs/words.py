"""The three reviews of words and figures of November 2026: every item with what was done, and the tests that show it.

    python -m tests.proofs.words [--list] [ITEM…]

The table is docs/reviews/2026-11-27.md. Items are called by review, weight and number: `sowing H1`, `race low 3`. Each
must be there once, and each test that a row names must exist; without --list these tests are then run. With items only
their rows are looked at. Exit status 1 if an item is missing, a test is unknown, or one fails.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.services.machine import ROOT

TABLE = ROOT / "docs" / "reviews" / "2026-11-27.md"
# How many items each review has, by weight; questions are those that it says a reader would ask.
ITEMS = {
    "sowing": {"H": 6, "M": 12, "low ": 9},
    "points": {"H": 6, "M": 12, "low ": 9},
    "race": {"H": 4, "M": 13, "low ": 13, "question ": 7},
}
ROW = re.compile(r"^\| (?P<item>(?:sowing|points|race) [^|]+?) \| (?P<done>[^|]*?) \| (?P<stands>[^|]*?) \|$")
TEST = re.compile(r"`(tests/[\w/]+\.py)((?:::\w+)*)`")


@dataclass(frozen=True, slots=True)
class Row:
    """An item of the table. done: what was done; stands: what stands, and why"""

    item: str
    done: str
    stands: str

    @property
    def tests(self) -> list[tuple[str, str]]:
        """The tests that it names, each as (file, what follows in the name of the test)."""
        return TEST.findall(f"{self.done} {self.stands}")


def expected() -> list[str]:
    """Return the names of all items, as the table has them."""
    return [
        f"{review} {weight}{number}"
        for review, weights in ITEMS.items()
        for weight, most in weights.items()
        for number in range(1, most + 1)
    ]


def rows() -> list[Row]:
    """Return the rows of the table."""
    matches = map(ROW.match, TABLE.read_text(encoding="utf-8").splitlines())
    return [Row(*map(str.strip, match.groups())) for match in matches if match]


def problems(table: Iterable[Row]) -> Iterator[str]:
    """Yield what is wrong: items that are missing or there twice, empty rows, tests that do not exist."""
    table = list(table)
    number = Counter(row.item for row in table)
    for item in expected():
        if number[item] != 1:
            yield f"{item}: {'no row' if not number[item] else f'{number[item]} rows'}"
    yield from (f"{item}: no such item" for item in number.keys() - set(expected()))
    for row in table:
        if not (row.done or row.stands):
            yield f"{row.item}: nothing is said of it"
        for file, names in row.tests:
            text = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).exists() else ""
            if not text:
                yield f"{row.item}: there is no {file}"
            for name in filter(None, names.split("::")):
                if not re.search(rf"^\s*(?:async )?(?:def|class) {name}\b", text, re.MULTILINE):
                    yield f"{row.item}: {file} has no {name}"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.words", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("items", nargs="*", metavar="ITEM", help="such as 'race H3' (default: all)")
    parser.add_argument("--list", action="store_true", help="print the items, and do not run their tests")
    wanted = parser.parse_args(words)
    table = rows()
    if unknown := set(wanted.items) - set(expected()):
        parser.error(f"there is no item {', '.join(sorted(unknown))}; the first is {expected()[0]!r}")
    wrong = list(problems(table))
    shown = [row for row in table if not wanted.items or row.item in wanted.items]
    for row in shown:
        print(f"{row.item}\n  done: {row.done or '–'}\n  stands: {row.stands or '–'}")  # noqa: T201
    for problem in wrong:
        print(f"WRONG: {problem}", file=sys.stderr)  # noqa: T201
    named = {(file, names.rpartition("::")[2]) for row in shown for file, names in row.tests}
    print(f"{len(shown)} items, {len(named)} tests named, {len(wrong)} wrong")  # noqa: T201
    if wanted.list or wrong or not named:
        return int(bool(wrong))
    whole = {file for file, name in named if not name}
    single = {(file, name) for file, name in named if name and file not in whole}
    # A name may stand within a class that the table does not give, so that it is looked for by itself.
    runs = [[*sorted(whole)], [*sorted({file for file, _ in single}), "-k", " or ".join(sorted(n for _, n in single))]]
    return max(_tested(words) for words in runs if words[0] != "-k")


def _tested(words: list[str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", "-q", "-n", "2", *words], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
