"""Whether tests notice faults: first those near each, then any test at all those that are left.

Faults that the tests near them have passed are put in together, no two into one file: where nothing fails then, none
of them is noticed, after one run of all tests instead of one for each. What fails is asked of each fault alone. One
that another hides counts as not caught, so that the share can come out too low, but not too high. A fault that no test
executes has survived without any run.

All bounds are of processor time, so that no fault is taken for caught because the machine was busy.
"""

import json
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tests.mutants.faults import Fault
from tests.mutants.reach import COMPILED, Reach
from tests.mutants.sample import layer_of
from tests.mutants.tree import Run, Tree

NEAR_SECONDS = 40.0  # of tests near a fault, the quickest first; the others come with the rest
STARTING = 120.0  # seconds for a run to begin
COMPILING = 900.0  # seconds more, where machine code is compiled again
SLOWER = 5  # times as long as without a fault, and a run is taken for endless
LONGER = 6  # times as long as the tests that are known, at most, take those that are not
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


def trials(
    tree: Tree, faults: Sequence[Fault], reach: Reach, kept: Path, near_only: bool, known_tests: bool = True
) -> Iterator[Trial]:
    """Each fault's trial. All are kept as lines of a file, of which the last one of a fault holds.

    near_only: those that the tests near them do not notice have survived, as far as is seen
    known_tests: whether the reach is that of these tests; else the tests near a fault are not looked for
    """
    known = {trial.name: trial for trial in read(kept)}
    for fault in faults:
        if fault.name not in known:
            known[fault.name] = _keep(kept, (_near if known_tests else _untried)(tree, fault, reach))
        trial = known[fault.name]
        if near_only or trial.caught != PASSED:
            yield replace(trial, caught=SURVIVED) if trial.caught == PASSED else trial
    if not near_only:
        passed = [fault for fault in faults if known[fault.name].caught == PASSED]
        usual = sum(reach.tests.values()) * (1 if known_tests else LONGER)
        for fault, by in _noticed_by_any(tree, passed, reach, usual):
            yield _keep(kept, replace(known[fault.name], caught=ALL if by else SURVIVED, by=by))


def read(kept: Path) -> list[Trial]:
    if not kept.exists():
        return []
    return [Trial(**json.loads(line)) for line in kept.read_text(encoding="utf-8").splitlines()]


def _keep(kept: Path, trial: Trial) -> Trial:
    with kept.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(trial), ensure_ascii=False) + "\n")
    return trial


def _untried(tree: Tree, fault: Fault, reach: Reach) -> Trial:
    return Trial(fault.name, layer_of(fault.path), fault.operator, PASSED, "", 0)


def _near(tree: Tree, fault: Fault, reach: Reach) -> Trial:
    if not reach.is_executed(fault):
        return replace(_untried(tree, fault, reach), caught=SURVIVED)
    near = _within(NEAR_SECONDS, reach, reach.near(fault))
    by = _noticed(tree, fault, near, reach, sum(reach.tests[test] for test in near)) if near else ""
    return replace(_untried(tree, fault, reach), caught=NEAR if by else PASSED, by=by, near=len(near))


def _within(seconds: float, reach: Reach, tests: list[str]) -> list[str]:
    """The first of these tests, as many as take so long."""
    taken, left = [], seconds
    for test in tests:
        left -= reach.tests[test]
        if left < 0 and taken:
            break
        taken.append(test)
    return taken


def _noticed_by_any(tree: Tree, faults: Sequence[Fault], reach: Reach, usual: float) -> Iterator[tuple[Fault, str]]:
    """Each of these faults with the test of all that notices it, or how else it shows; with nothing if none does."""
    for group in _of_different_files(faults):
        yield from _noticed_of(group, tree, reach, usual)


def _of_different_files(faults: Iterable[Fault]) -> list[list[Fault]]:
    groups: list[list[Fault]] = []
    for fault in faults:
        free = (group for group in groups if all(fault.path != one.path for one in group))
        if (group := next(free, None)) is None:
            groups.append(group := [])
        group.append(fault)
    return groups


def _noticed_of(group: Sequence[Fault], tree: Tree, reach: Reach, usual: float) -> Iterator[tuple[Fault, str]]:
    """usual: seconds that all tests take without a fault"""
    run = _with(group, tree, reach, *tree.together, tests=reach.asked, left_out=reach.failed, usual=usual)
    if failing := [test for test in run.failed if test in reach.tests]:  # a fault may give tests other names
        without = tree.pytest(tests=failing, patience=STARTING + SLOWER * usual, fills_databases=False)
        failing = [test for test in failing if test not in without.failed]
        took = {test: without.seconds.get(test, reach.tests[test]) for test in failing}
        for fault in group:
            near = set(reach.near(fault))
            likeliest = sorted(failing, key=lambda test: (test not in near, took[test], test))
            yield fault, _noticed(tree, fault, likeliest, reach, sum(took.values())) if failing else ""
    elif run.failed or run.is_clean or run.is_empty:
        yield from ((fault, "") for fault in group)
    elif len(group) == 1:
        yield group[0], _how_it_shows(run)
    else:
        for half in (group[: len(group) // 2], group[len(group) // 2 :]):
            yield from _noticed_of(half, tree, reach, usual)


def _how_it_shows(run: Run) -> str:
    return ENDLESS if run.status in (None, -signal.SIGPROF) else NOT_BEGUN


def _noticed(tree: Tree, fault: Fault, tests: list[str], reach: Reach, usual: float) -> str:
    """The test of these that fails with the fault and passes without it, or what else showed; empty if nothing did."""
    left_out = list(reach.failed)
    while True:
        run = _with([fault], tree, reach, "-x", tests=tests, left_out=left_out, usual=usual)
        if run.is_clean or run.is_empty:
            return ""
        if not run.failed:
            return _how_it_shows(run)
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

    What changes machine code has time for that to be compiled again; the tests near it play without a database. A run
    that is killed from outside, as where memory is short, is begun once more.
    """
    plain = {fault.path: (tree.root / fault.path).read_bytes() for fault in faults}
    compiling = COMPILING if any(path in COMPILED for path in plain) else 0.0
    filling = [fault for fault in faults if fault.path not in COMPILED or tests == reach.asked]
    try:
        for fault in faults:
            (tree.root / fault.path).write_bytes(fault.within(plain[fault.path]))
        for _ in range(2):
            run = tree.pytest(
                *words,
                tests=tests,
                left_out=left_out,
                patience=STARTING + compiling + SLOWER * usual,
                fills_databases=any(map(reach.fills_databases, filling)),
            )
            if run.status != -signal.SIGKILL:
                break
        return run
    finally:
        for path, source in plain.items():
            (tree.root / path).write_bytes(source)
