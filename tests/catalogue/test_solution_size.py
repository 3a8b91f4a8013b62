"""How large a ruleset is that nobody solved: counted by hand on small boards."""

import json
import re
from itertools import product
from pathlib import Path

import pytest

from catalogue.play.solutions import SolutionSize, solution_size
from simulator.engine import shipped
from simulator.engine.documents import parse
from tests.builders import SOLUTION_FILES
from tests.engine.rulesets import CORNER, RULESETS

ALL = {**RULESETS, **CORNER}


def changed(name: str, **values: object):
    return parse({**shipped.load(name).document, **values})


def test_arrangements_on_points_equal_an_enumeration() -> None:
    ruleset = changed("hat-diviyan-keliya-ludovisi", second_pieces=2, second_loses_below=1)
    boards = product((0, 1, 2), repeat=10)  # nobody, the tiger, a leopard
    placed = sum(board.count(1) <= 1 and board.count(2) <= 2 for board in boards)
    assert solution_size(ruleset) == SolutionSize(placed)


def test_arrangements_in_holes_equal_an_enumeration() -> None:
    ruleset = changed("kalah-reference", holes_per_row=2, counters_per_hole=1)
    filled = sum(sum(rooms) == 4 for rooms in product(range(5), repeat=6))
    assert solution_size(ruleset) == SolutionSize(filled)


def test_throws_are_no_arrangement() -> None:
    assert solution_size(shipped.load("saturankam-parker")) is None


@pytest.mark.parametrize(
    ("number", "words", "is_small"),
    [(12345, ("12,345", None), True), (25_000_001, ("25,000,001", None), False), (3_449 * 10**14, ("3.4", 17), False)],
)
def test_as_it_is_written(number, words, is_small) -> None:
    size = SolutionSize(number)
    assert (size.mantissa, size.exponent) == words
    assert size.is_small == is_small


def test_the_page_has_what_is_solved_and_the_size_of_the_rest() -> None:
    page = Path("docs/solved.md").read_text(encoding="utf-8")
    row = re.compile(r"^\| ([a-z]+-[^|]*) \| (.*) \|$", re.MULTILINE)
    solved, left = map(row.findall, page.split("## What is left"))
    files = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in SOLUTION_FILES}
    assert [slug for slug, _ in solved] == list(files)
    for slug, told in solved:
        document = files[slug]
        if document["method"] == "retrograde":
            plies = document["start"]["plies"]
            assert told.endswith(f"| every position | {document['positions']['reached']:,}")
            assert (f"wins in {plies} plies" if plies else "neither: no end") in told
    sizes = {slug: told for slugs, told in left for slug in slugs.split(", ")}
    small = {slug for slug in ALL if slug.startswith("hat-")}
    assert sizes.keys() == ALL.keys() - files.keys() - small
    for slug, told in sizes.items():
        size = solution_size(ALL[slug])
        if size is not None:
            assert told == (size.mantissa if size.exponent is None else f"{size.mantissa} × 10^{size.exponent}")
