"""The counts of `make measure`, on a tree that is small enough to count by hand."""

import sys

import pytest

from tools import measure

ALPHA = '''"""What it is,
in two lines."""

import os
from tests import (
    beta,
    gamma,
)

# why
LIMIT = 3  # not a line of its own


def double(number: int) -> int:
    """Twice."""
    # text
    text = """# no comment

    """
    return 2 * number
'''
TREE = {
    "catalogue/alpha.py": ALPHA,
    "catalogue/beta.py": "from catalogue import alpha\n",
    "catalogue/gamma.py": "from catalogue.alpha import LIMIT\nimport catalogue.beta\n",
    "catalogue/__init__.py": "",
    "catalogue/migrations/0001.py": "x = 1\n" * 100,
    "tests/test_alpha.py": "import catalogue.gamma\n\n\ndef test_it(): ...\n",
    "clients/other.py": "x = 1\n",
}


def test_lines_of_a_module():
    module = measure.read_module(ALPHA)
    assert (module.lines, module.code, module.import_lines, module.comments) == (20, 10, 5, 2)


def test_table_of_a_small_tree():
    table = measure.table(TREE)
    assert table["source, lines of code"] == "13"
    assert table["source, modules"] == "3"
    assert (table["median module, lines"], table["largest module, lines"]) == ("2", "20")
    assert table["imports, share of code"] == f"{100 * 8 / 13:.1f} %"
    assert table["modules with exactly one importer"] == "1"  # beta: alpha has two, gamma none that counts
    assert table["tests, lines of code"] == "2"


@pytest.mark.by_turns
def test_cost_of_a_command_is_kept(tmp_path):
    spend = "import time\nwhile time.process_time() < 0.2: pass\nraise SystemExit(3)"
    assert measure.costs(tmp_path)["processor seconds of `make test`"] == "not measured"
    assert measure.run("test", [sys.executable, "-c", spend], tmp_path) == 3
    assert measure.costs(tmp_path)["processor seconds of `make test`"].endswith("(failed)")


def test_commit_that_is_missing_has_no_files():
    assert measure.files_at("0" * 40) is None
