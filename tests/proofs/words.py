"""The proof that every page says what the words say: the review is answered item by item, and no page denies a rule.

    python -m tests.proofs.words [PART…] [--before REVISION]

Parts: review, clauses, pages; without names all of them. Exit status 1 if something does not hold.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.proofs.house_pages import look_at
from tests.proofs.house_running import run_compared
from tests.proofs.house_trees import Trees
from tests.proofs.running import Figures, demand

BEFORE = "fd374bb"  # what the review was made of
REVIEWS = {  # page of the table → the items it has to answer
    "docs/reviews/2026-11.md": [
        *(f"A{number}" for number in range(1, 8)),
        *(f"B{number}" for number in range(1, 15)),
        *(f"C{number}" for number in range(1, 10)),
        *(f"D{number}" for number in range(1, 11)),
    ],
    "docs/reviews/2026-11-dump.md": [f"D-{number}" for number in range(1, 12)],
}
ROW = re.compile(r"^\| *([A-D]-?\d+)\b[^|]*\|(.*)\|$", re.MULTILINE)
APPARATUS = "fixtures/apparatus"
DENIALS = ("There is no such rule", "no such rule")


def review(trees: Trees) -> Figures:
    """Every item of the reviews has a row that says what was done, or why it stands."""
    rows = {page: ROW.findall((trees.root("now") / page).read_text(encoding="utf-8")) for page in REVIEWS}
    answered = {page: {item for item, said in found if said.strip(" |")} for page, found in rows.items()}
    figures: Figures = {
        "items": {page: len(items) for page, items in REVIEWS.items()},
        "rows": {page: len(found) for page, found in rows.items()},
        "not_answered": {page: [one for one in items if one not in answered[page]] for page, items in REVIEWS.items()},
    }
    demand(not any(figures["not_answered"].values()), "an item of a review is not answered", figures)
    return figures


def clauses(trees: Trees) -> Figures:
    """How many clauses rest on what, before and now; a stated or entailed one has words for it."""
    before, now = (_bases(trees.root(name)) for name in ("before", "now"))
    bare = [
        f"{path.stem} {reading} {clause['slug']}"
        for path, reading, clause in _clauses(trees.root("now"))
        if clause["basis"] in ("stated", "entailed") and not clause.get("words")
    ]
    figures: Figures = {"before": before, "now": now, "stated_or_entailed_without_words": bare}
    demand(not bare, "a clause says that words state it, and names none", figures)
    return figures


def _bases(tree: Path) -> dict[str, int]:
    return dict(sorted(Counter(clause["basis"] for _, _, clause in _clauses(tree)).items()))


def _clauses(tree: Path) -> list[tuple[Path, str, dict[str, object]]]:
    """File, reading, clause; of readings that inherit, their own only."""
    return [
        (path, name, clause)
        for path in sorted((tree / APPARATUS).glob("*.json"))
        for name, reading in json.loads(path.read_text(encoding="utf-8"))["readings"].items()
        for clause in reading.get("clauses", ())
    ]


def pages(trees: Trees) -> Figures:
    """No page of the demo says of a rule that there is none."""
    found = look_at(trees, "now")
    denying = {
        path: said for path, answer in found.answers.items() if (said := [one for one in DENIALS if one in answer.text])
    }
    figures: Figures = {"pages": len(found.answers), "denying_a_rule": denying, "problem_of_the_demo": found.problem}
    demand(len(found.answers) > 500, "the demo looked at few pages only", figures)
    demand(not denying, f"{len(denying)} pages deny a rule", figures)
    return figures


PARTS: dict[str, Callable[[Trees], Figures]] = {"review": review, "clauses": clauses, "pages": pages}


def main(words: list[str]) -> int:
    return run_compared("words", __doc__, PARTS, BEFORE, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
