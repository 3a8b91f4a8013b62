"""The documentation page and the notebooks are carried out from top to bottom and show what they say.

The notebook that computes findings again asks a catalogue that runs: tests/catalogue/test_findings_again.py.
"""

import contextlib
import io
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "templates" / "docs" / "python.md"
MOST_LINES = {"the-first-twenty-findings": 80}  # of code, in a notebook
USUALLY = 40
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))

# What a notebook shows is drawn into a file instead of on a screen.
BEFORE = """
import matplotlib
matplotlib.use("Agg")
matplotlib.rcParams.update({"svg.hashsalt": "notebook", "svg.fonttype": "none"})
"""
AFTER = "import matplotlib.pyplot; matplotlib.pyplot.gcf().savefig('figure.svg', metadata={'Date': None})"


def printed_by_page() -> Iterator[tuple[str, str]]:
    """(code, what it prints) of every block of the page."""
    fences = [token for token in MarkdownIt("commonmark").parse(PAGE.read_text("utf-8")) if token.type == "fence"]
    for fence, following in pairwise([*fences, None]):
        if fence is not None and fence.info == "python":
            yield fence.content, following.content if following and following.info == "text" else ""


@pytest.mark.by_turns
def test_the_page_prints_what_it_says() -> None:
    namespace: dict[str, object] = {}
    for code, expected in printed_by_page():
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(code, namespace)
        assert printed.getvalue() == expected, code


def carried_out(notebook: Path, folder: Path) -> tuple[str, str]:
    """(what the notebook prints, its figure as SVG)."""
    folder.mkdir()
    cells = nbformat.read(notebook, as_version=4).cells
    code = "\n".join([BEFORE, *(cell.source for cell in cells if cell.cell_type == "code"), AFTER])
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"],
        cwd=folder, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout, (folder / "figure.svg").read_text("utf-8")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_valid_and_keeps_no_output(notebook: Path) -> None:
    book = nbformat.read(notebook, as_version=4)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code)
    assert sum(bool(line.strip()) for cell in code for line in cell.source.splitlines()) < MOST_LINES.get(
        notebook.stem, USUALLY
    )


# What each notebook prints, and what its figure shows.
SAYS = {
    "how-long-does-puhulmutu-last": (
        ["Parker: 63.0% of 2,000 games unfinished after 2,000 turns"],
        [
            "Parker's reading, 63.0% unfinished",
            "Ludii's reading, 0.1% unfinished",
            "random players, seed 1; none calls a draw",
        ],
    ),
    "which-rules-wear-a-stone-so": (
        ["28 of 132 candidates stand; 11 classes are told apart", "in 24 of these one side is bound to win"],
        ["132 rulesets, 1,000 games of each: 28 stand (dots)", "the same, a slanting piece"],
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("notebook", [one for one in NOTEBOOKS if one.stem in SAYS], ids=lambda path: path.stem)
def test_a_notebook_prints_and_draws_what_it_says(notebook: Path, tmp_path: Path) -> None:
    lines, shown = SAYS[notebook.stem]
    printed, figure = carried_out(notebook, tmp_path / "first")
    for words in lines:
        assert words in printed
    for words in shown:
        assert words in figure
