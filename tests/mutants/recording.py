"""A plugin of pytest: what became of each test, and the processor time that it took, as JSON at the end of a run.

Tests can be left out by their whole names: `--deselect` takes beginnings of names, and would leave out others too. A
test that takes so much processor time that it is taken for endless ends its process; another one takes its place.
"""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

RECORD = "RECORD_OF_TESTS"  # the variable that names the file
LEFT_OUT = "TESTS_LEFT_OUT"  # the variable that names a file of them, one a line
MOST_SECONDS = 900.0  # of processor time, of one test: what machine code comes to may have to be compiled in it
seconds: dict[str, float] = {}
failed: list[str] = []
BEFORE = pytest.StashKey[float]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = set(Path(os.environ[LEFT_OUT]).read_text(encoding="utf-8").splitlines())
    if passed_over := [item for item in items if item.nodeid in left_out]:
        items[:] = [item for item in items if item.nodeid not in left_out]
        config.hook.pytest_deselected(items=passed_over)


def pytest_collection_finish(session: pytest.Session) -> None:
    if session.config.option.collectonly:
        seconds.update(dict.fromkeys((item.nodeid for item in session.items), 0.0))


def used() -> float:
    """The processor time of this process and of those that it has waited for."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)  # SIGPROF ends the process, compiled loops too
    item.stash[BEFORE] = used()
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    before, item.stash[BEFORE] = item.stash[BEFORE], used()
    report.processor = item.stash[BEFORE] - before
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    seconds[report.nodeid] = seconds.get(report.nodeid, 0.0) + getattr(report, "processor", 0.0)
    if report.failed and report.nodeid not in failed:
        failed.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):  # what other processes tested is reported to the first
        Path(os.environ[RECORD]).write_text(json.dumps({"seconds": seconds, "failed": failed}), encoding="utf-8")
