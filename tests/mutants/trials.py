"""Whether tests notice faults: first those near each, then any test at all those that are left.

Faults that the tests near them have passed are put in together, no two into one file: where nothing fails then, none
of them is noticed, after one run of all tests instead of one for each. What fails is asked of each fault alone. One
that another hides counts as not caught, so that the share can come out too low, but not too high.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tests.mutants.faults import Fault
from tests.mutants.reach import COMPILED, Reach
from tests.mutants.sample import layer_of
from tests.mutants.tree import Run, Tree

NEAR_SECONDS = 60.0  # of tests near a fault, the quickest first; the others come with the rest
STARTING = 300.0  # seconds for a run to begin
SLOWER = 5  # times as long as without a fault, and a run is taken for endless
NEAR, ALL, SURVIVED = "near", "all", "survived"
PASSED = "passed near"  # as a trial is kept until all tests have looked
ENDLESS, NOT_BEGUN = "it does not come to an end", "the tests cannot be begun"


@dataclass(frozen=True)
class Trial:
    """What became of a fault. caught: by the tests `near` it, by one of `all`, or not: it `survived`

    by: the test that noticed, or how else it showed; near: how many tests near it were run
    """

    name: str
    layer: str
    operator: str
    caught: str
    by: str
    near: int


def trials(tree: Tree, faults: Sequence[Fault], reach: Reach, kept: Path, near_only: bool) -> Iterator[Trial]:
    """Each fault's trial. All are kept as lines of a file, of which the last one of a fault holds.

    near_only: those that the tests near them do not notice have survived, as far as is seen
    """
    known = {trial.name: trial for trial in read(kept)}
    for fault in faults:
        if fault.name not in known:
            known[fault.name] = _keep(kept, _near(tree, fault, reach))
        trial = known[fault.name]
        if near_only or trial.caught != PASSED:
            yield replace(trial, caught=SURVIVED) if trial.caught == PASSED else trial
    if not near_only:
        passed = [fault for fault in faults if known[fault.name].caught == PASSED]
        for fault, by in _noticed_by_any(tree, passed, reach):
            yield _keep(kept, replace(known[fault.name], caught=ALL if by else SURVIVED, by=by))


def read(kept: Path) -> list[Trial]:
    if not kept.exists():
        return []
    return [Trial(**json.loads(line)) for line in kept.read_text(encoding="utf-8").splitlines()]


def _keep(kept: Path, trial: Trial) -> Trial:
    with kept.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(trial), ensure_ascii=False) + "\n")
    return trial


def _near(tree: Tree, fault: Fault, reach: Reach) -> Trial:
    near = _within(NEAR_SECONDS, reach, reach.near(fault))
    by = _noticed(tree, fault, near, reach) if near else ""
    return Trial(fault.name, layer_of(fault.path), fault.operator, NEAR if by else PASSED, by, len(near))


def _within(seconds: float, reach: Reach, tests: list[str]) -> list[str]:
    """The first of these tests, as many as take so long."""
    taken, left = [], seconds
    for test in tests:
        left -= reach.tests[test]
        if left < 0 and taken:
            break
        taken.append(test)
    return taken


def _noticed_by_any(tree: Tree, faults: Sequence[Fault], reach: Reach) -> Iterator[tuple[Fault, str]]:
    """Each of these faults with the test of all that notices it, or how else it shows; with nothing if none does."""
    for group in _of_different_files(faults):
        yield from _noticed_of(group, tree, reach)


def _of_different_files(faults: Iterable[Fault]) -> list[list[Fault]]:
    groups: list[list[Fault]] = []
    for fault in faults:
        free = (group for group in groups if all(fault.path != one.path for one in group))
        if (group := next(free, None)) is None:
            groups.append(group := [])
        group.append(fault)
    return groups


def _noticed_of(group: Sequence[Fault], tree: Tree, reach: Reach) -> Iterator[tuple[Fault, str]]:
    usual = sum(reach.tests.values()) / tree.workers
    run = _with(group, tree, reach, *tree.together, tests=reach.asked, left_out=reach.failed, usual=usual)
    if failing := [test for test in run.failed if test in reach.tests]:  # a fault may give tests other names
        without = tree.pytest(tests=failing, patience=STARTING + SLOWER * usual, fills_databases=False)
        failing = [test for test in failing if test not in without.failed]
        for fault in group:
            yield fault, _noticed(tree, fault, failing, reach) if failing else ""
    elif run.failed or run.is_clean or run.is_empty:
        yield from ((fault, "") for fault in group)
    elif len(group) == 1:
        yield group[0], ENDLESS if run.status is None else NOT_BEGUN
    else:
        for half in (group[: len(group) // 2], group[len(group) // 2 :]):
            yield from _noticed_of(half, tree, reach)


def _noticed(tree: Tree, fault: Fault, tests: list[str], reach: Reach) -> str:
    """The test of these that fails with the fault and passes without it, or what else showed; empty if nothing did."""
    left_out, usual = list(reach.failed), sum(reach.tests[test] for test in tests)
    while True:
        run = _with([fault], tree, reach, "-x", tests=tests, left_out=left_out, usual=usual)
        if run.is_clean or run.is_empty:
            return ""
        if run.status is None:
            return ENDLESS
        if not run.failed:
            return NOT_BEGUN
        again = tree.pytest(tests=run.failed, patience=STARTING + SLOWER * NEAR_SECONDS, fills_databases=False)
        if again.is_clean:
            return run.failed[0]
        left_out += run.failed


def _with(
    faults: Sequence[Fault],
    tree: Tree,
    reach: Reach,
    *words: str,
    tests: list[str],
    left_out: Sequence[str],
    usual: float,
) -> Run:
    """The run of these tests with faults of different files. usual: seconds that it takes without any

    What changes machine code may not come to an end because that is compiled anew: what was compiled is kept, so that
    such a run is begun once more.
    """
    plain = {fault.path: (tree.root / fault.path).read_bytes() for fault in faults}
    try:
        for fault in faults:
            (tree.root / fault.path).write_bytes(fault.within(plain[fault.path]))
        for _ in range(1 + any(path in COMPILED for path in plain)):
            run = tree.pytest(
                *words,
                tests=tests,
                left_out=left_out,
                patience=STARTING + SLOWER * usual,
                fills_databases=any(map(reach.fills_databases, faults)),
            )
            if run.status is not None:
                break
        return run
    finally:
        for path, source in plain.items():
            (tree.root / path).write_bytes(source)
