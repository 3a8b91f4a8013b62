"""A plugin of pytest: what became of each test, and how long it took, as JSON at the end of a run.

Tests can be left out by their whole names: `--deselect` takes beginnings of names, and would leave out others too.
"""

import json
import os
from pathlib import Path

import pytest

RECORD = "RECORD_OF_TESTS"  # the variable that names the file
LEFT_OUT = "TESTS_LEFT_OUT"  # the variable that names a file of them, one a line
seconds: dict[str, float] = {}
failed: list[str] = []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = set(Path(os.environ[LEFT_OUT]).read_text(encoding="utf-8").splitlines())
    if passed_over := [item for item in items if item.nodeid in left_out]:
        items[:] = [item for item in items if item.nodeid not in left_out]
        config.hook.pytest_deselected(items=passed_over)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    seconds[report.nodeid] = seconds.get(report.nodeid, 0.0) + report.duration
    if report.failed and report.nodeid not in failed:
        failed.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):  # what other processes tested is reported to the first
        Path(os.environ[RECORD]).write_text(json.dumps({"seconds": seconds, "failed": failed}), encoding="utf-8")
