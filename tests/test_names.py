"""Names that were given up do not come back; `docs/glossary.md` says what each thing is called."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GIVEN_UP = {
    "weighing": "sensitivity",
    "weighings": "sensitivity",
    "judgements": "claims",
    "judging": "claims",
    "changed_rulesets": "what_if",
    "readings_at_hand": "open_questions",
    "looking_up": "backends",
    "twins": "paired_games",
    "healing": "recovery",
    "Asked": "a request, named after what is requested",
    "Wish": "a request, named after what is requested",
    "Refused": "an error, named after what is wrong",
    "refusals": "errors",
    "told_turns": "narrated_turns",
    "Thought": "Computation",
    "TogetherProgress": "BatchSetProgress",
    "look_again": "rescan_repetition",
    "wanting_table": "missing_table",
    "squared_and_added": "newcombe",
}


def names_of(path: Path) -> set[str]:
    """The names of a module and its folders, and of the functions and classes that it defines."""
    names, text = {path.stem, *path.relative_to(ROOT).parts[:-1]}, path.read_text(encoding="utf-8")
    if any(name in text for name in GIVEN_UP):  # few are, and parsing takes long
        defined = (ast.FunctionDef, ast.ClassDef)
        names |= {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, defined)}
    return names


def test_no_name_that_was_given_up_comes_back():
    modules = (path for room in ("catalogue", "simulator", "tools") for path in (ROOT / room).rglob("*.py"))
    back = {
        f"{path.relative_to(ROOT)}: {old}, now {GIVEN_UP[old]}"
        for path in modules
        for old in names_of(path) & set(GIVEN_UP)
    }
    assert back == set()


def test_names_of_tests_have_at_most_sixty_letters():
    tests = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    assert not {name for text in tests.values() for name in re.findall(r"def (test_\w+)", text) if len(name) > 60}
