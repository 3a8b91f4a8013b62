"""The threat model names tests that exist, and every threat has one."""

import re
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
MODEL = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (?P<what>.+?) \| (?P<how>.+?) \| (?P<tests>`tests/.+?) \|$", MODEL, re.MULTILINE)
DOCUMENTS = ("SECURITY.md", "docs/security.md", "docs/keeping.md", "docs/deploying.md")


def test_every_threat_is_held_by_tests_that_exist():
    for _, _, tests in ROWS:
        paths = re.findall(r"`([^`]+)`", tests)
        assert paths
        for path in paths:
            text = (ROOT / path).read_text(encoding="utf-8")
            assert re.search(r"def test_\w+", text), path


def test_no_row_of_the_table_is_without_a_test():
    table = MODEL.partition("## Threats")[2].partition("## What is not held")[0]
    assert len([line for line in table.splitlines() if line.startswith("| ")]) == len(ROWS) + 2
    assert len(ROWS) > 15


def test_its_links_lead_somewhere():
    for name in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#]+?)(?:#\w+)?\)", (ROOT / name).read_text(encoding="utf-8")):
            assert "://" in target or (ROOT / name).parent.joinpath(target).exists(), target
