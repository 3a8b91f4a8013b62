"""A plugin of pytest: what became of each test, and how long it took, as JSON at the end of a run."""

import json
import os
from pathlib import Path

import pytest

RECORD = "RECORD_OF_TESTS"  # the variable that names the file
seconds: dict[str, float] = {}
failed: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    seconds[report.nodeid] = seconds.get(report.nodeid, 0.0) + report.duration
    if report.failed and report.nodeid not in failed:
        failed.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):  # what other processes tested is reported to the first
        Path(os.environ[RECORD]).write_text(json.dumps({"seconds": seconds, "failed": failed}), encoding="utf-8")
