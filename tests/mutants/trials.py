"""One fault after the other: whether the tests near it notice, and if not, whether any test does."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutants.faults import Fault
from tests.mutants.reach import COMPILED, Reach
from tests.mutants.sample import layer_of
from tests.mutants.tree import TOGETHER, Run, Tree

NEAR_SECONDS = 60.0  # of tests near a fault, the quickest first; the others come with the rest
STARTING = 300.0  # seconds for a run to begin
SLOWER = 5  # times as long as without a fault, and a run is taken for endless
NEAR, ALL, SURVIVED = "near", "all", "survived"


@dataclass(frozen=True)
class Trial:
    """What became of a fault. caught: by the tests `near` it, by one of `all`, or not: it `survived`

    by: the test that noticed, or how else it showed; None for one that only the tests near it have looked for
    """

    name: str
    layer: str
    operator: str
    caught: str
    by: str
    near: int

    @classmethod
    def of(cls, fault: Fault, caught: str, by: str, near: int) -> "Trial":
        return cls(fault.name, layer_of(fault.path), fault.operator, caught, by, near)


def trials(tree: Tree, faults: list[Fault], reach: Reach, kept: Path, near_only: bool) -> Iterator[Trial]:
    """Each fault's trial, which is kept as a line of a file; those that are there already are not made again."""
    known = {trial.name: trial for trial in read(kept)}
    for fault in faults:
        trial = known.get(fault.name)
        if trial is None:
            trial = _trial(tree, fault, reach, near_only)
            if not (near_only and trial.caught == SURVIVED):  # the rest of the tests is still to come
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(trial), ensure_ascii=False) + "\n")
        yield trial


def read(kept: Path) -> list[Trial]:
    if not kept.exists():
        return []
    return [Trial(**json.loads(line)) for line in kept.read_text(encoding="utf-8").splitlines()]


def _trial(tree: Tree, fault: Fault, reach: Reach, near_only: bool) -> Trial:
    near = _within(NEAR_SECONDS, reach, reach.near(fault))
    if near and (by := _noticed(tree, fault, near, reach)):
        return Trial.of(fault, NEAR, by, len(near))
    if not near_only and (by := _noticed(tree, fault, reach.asked, reach, known=near)):
        return Trial.of(fault, ALL, by, len(near))
    return Trial.of(fault, SURVIVED, "", len(near))


def _within(seconds: float, reach: Reach, tests: list[str]) -> list[str]:
    """The first of these tests, as many as take so long."""
    taken, left = [], seconds
    for test in tests:
        left -= reach.tests[test]
        if left < 0 and taken:
            break
        taken.append(test)
    return taken


def _noticed(tree: Tree, fault: Fault, tests: list[str], reach: Reach, known: Sequence[str] = ()) -> str:
    """The test of these that fails with the fault and passes without it, or what else showed; empty if nothing did.

    known: tests that have been looked at already, and are left out
    """
    left_out = [*reach.failed, *known]
    while True:
        run = _with(tree, fault, tests, reach, left_out)
        if run.is_clean or run.is_empty:
            return ""
        if run.status is None:
            return "it does not come to an end"
        if not run.failed:
            return "the tests cannot be begun"
        if tree.pytest(tests=run.failed, patience=STARTING + SLOWER * NEAR_SECONDS).is_clean:
            return run.failed[0]
        left_out += run.failed


def _with(tree: Tree, fault: Fault, tests: list[str], reach: Reach, left_out: list[str]) -> Run:
    """The run of these tests with the fault, up to the first that fails, without those that are left out.

    What changes machine code may not come to an end because that is compiled anew: what was compiled is kept, so that
    such a run is begun once more.
    """
    file = tree.root / fault.path
    source = file.read_bytes()
    is_whole = tests is reach.asked
    usual = sum(reach.tests.values() if is_whole else (reach.tests[test] for test in tests))
    words = ("-x", *(TOGETHER if is_whole else ()))
    file.write_bytes(fault.within(source))
    try:
        for _ in range(1 + (fault.path in COMPILED)):
            run = tree.pytest(*words, tests=tests, left_out=left_out, patience=STARTING + SLOWER * usual)
            if run.status is not None:
                break
        return run
    finally:
        file.write_bytes(source)
