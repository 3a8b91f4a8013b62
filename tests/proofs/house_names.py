"""No old name is left: as an identifier of Python, as the name of a module, in a template or as a word of the site.

The old names are those that private words had before the house was rebuilt; each has the field's own term instead.

    python -m tests.proofs.house_names

`make check` does this to the tree as it stands: a line for each old name, exit status 1; nothing if there is none.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from tests.proofs.house_trees import ROOT, Trees
from tests.proofs.running import Figures, demand

# New name -> the old ones.
NAMES = {
    "sensitivity": ("weighing", "weighings", "studied", "doubts"),
    "claims, results, testing": ("judgements", "judged_claims", "judging"),
    "what_if": ("changing", "forms_what_if", "changed_rulesets"),
    "clause_inheritance, record_view, coverage, open_questions": (
        "holding",
        "of_record",
        "covered",
        "readings_at_hand",
    ),
    "ListParameters, SearchRequest, StudyRequest, PlayRequest": ("Asked", "Wish"),
    "backends, signals, cache, export_formats, paired_games": ("looking_up", "following", "keeping", "twins"),
    "summary, TurnSummary": ("told", "Told", "told_turns"),
    "errors, forms": ("refusals", "asking"),
    "finalize, recovery, dispatch, reply_worker, move_lists": (
        *("closing", "healing", "announcements", "thinking", "listing"),
    ),
    "noinline, call_frame, dispatch, inactive, active": ("apart", "desk", "act", "unfired", "firing"),
    "bulk_insert, formatting": ("inserting", "plain_figures", "portal_words"),
    "a name that says of what": ("Table", "Kind", "Piece", "Refused"),
}
OLD = {old: new for new, names in NAMES.items() for old in names}
SITE_WORDS = {"weighing", "weighings", "judgement", "judgements", "desk", "doubts", "unfired"}
_DESK = "the editors' page of what waits, /admin/desk/: the plain word for it"
PLACES, ENDINGS = ("catalogue", "simulator", "tests", "templates"), (".py", ".html", ".md", ".txt")
TEMPLATE_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
TEMPLATE_TEXT = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<[^>]*>|`[^`]*`", re.DOTALL)
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
WORD = re.compile(r"[A-Za-z_]+")
ROUTE = re.compile(r"\bpath\(\s*\"([^\"]*)\"")
IDENTIFIERS = ("id", "attr", "arg", "name", "asname", "module")  # fields of the nodes of Python's syntax
MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class OldName:
    """Where it stands; that of a file or folder on its first line."""

    name: str
    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: `{self.name}` is an old name; now {OLD.get(self.name, 'another word')}"


@dataclass
class Allowed:
    """Where an old name may stand. place: a pattern of paths"""

    name: str
    place: str
    reason: str
    met: int = 0

    def lets(self, name: str, path: str) -> bool:
        found = self.name == name and fnmatch(path, self.place)
        self.met += found
        return found


def allowed() -> list[Allowed]:
    """Every place with its reason; one that is not met any more is a fault too."""
    said = {
        ("doubts", "catalogue/config/urls.py"): "the old address, which redirects",
        ("doubts", "catalogue/portal/*"): "the importers' report: a field that commands print",
        ("doubts", "catalogue/management/commands/import_portal*"): "the importers' report",
        ("doubts", "tests/catalogue/*portal_*"): "the importers' report",
        ("told", "templates/catalogue/study.html"): "a field of a study's document, which the API publishes",
        ("covered", "*"): "of intervals, words and clauses: the plain word, in a function",
        ("following", "simulator/engine/families/*"): "the next hole, the next seat: the plain word, in a function",
        ("following", "tests/*"): "what comes next: the plain word, in a function",
        ("closing", "*"): "`contextlib.closing`",
        ("Kind", "catalogue/models/*"): "within a model: `Place.Kind` says of what",
        ("Kind", "catalogue/*"): "`Place.Kind` and its like say of what",
        ("Kind", "tests/synthetic_catalogue.py"): "`Place.Kind`, `GameName.Kind`",
        ("keeping", "tests/proofs/operation_keeping.py"): "a part of a proof, asked for by that name",
        ("desk", "catalogue/admin/*"): _DESK,
        ("desk", "tests/catalogue/test_desk.py"): _DESK,
        ("desk", "templates/*"): _DESK,
        ("Desk", "templates/admin/*"): _DESK,
        ("thinking", "simulator/migrations/*"): "a migration is not edited once it is released",
    }
    return [Allowed(name, place, reason) for (name, place), reason in said.items()]


@dataclass(frozen=True, slots=True)
class Search:
    """What came of looking through a tree. files: how many"""

    files: int
    found: list[OldName]
    allowed: list[Allowed]

    @property
    def in_vain(self) -> list[str]:
        return [f"{one.name} in {one.place}" for one in self.allowed if not one.met]


def search(root: Path) -> Search:
    paths = [path for place in PLACES for path in sorted((root / place).rglob("*")) if path.suffix in ENDINGS]
    lets, found = allowed(), [one for path in paths for one in old_names(path, root)]
    left = [one for one in found if not sum(each.lets(one.name, one.path) for each in lets)]
    return Search(len(paths), left, lets)


def names(trees: Trees) -> Figures:
    """Old names in the tree as it stands; raises Unproved if one stands where none may."""
    done = search(trees.root("now"))
    figures: Figures = {
        "files": done.files,
        "old_names": len(OLD),
        "found": [*map(str, done.found[:MOST_SHOWN])],
        "allowed": {f"{one.name} in {one.place}": f"{one.met} times: {one.reason}" for one in done.allowed},
        "allowed_and_not_met": done.in_vain,
    }
    demand(not done.found, f"{len(done.found)} old names are left", figures)
    demand(not done.in_vain, "a place is allowed that needs it no more", figures)
    return figures


def old_names(path: Path, root: Path) -> Iterator[OldName]:
    """Each old name in a file, as often as it stands there, the file's own name and its folders among them."""
    place = path.relative_to(root)
    text = path.read_text(encoding="utf-8")
    said = [(1, part) for part in (*place.parts[:-1], place.stem.removeprefix("test_")) if part in OLD]
    if path.suffix == ".py":
        said += in_python(text)
        if path.name == "urls.py":
            said += in_routes(text)
    elif place.parts[0] == "templates":
        said += in_template(text)
    yield from (OldName(name, place.as_posix(), line) for line, name in said)


def in_python(text: str) -> Iterator[tuple[int, str]]:
    """(line, identifier), those within texts that are put together among them."""
    for node in ast.walk(ast.parse(text)):
        said = (getattr(node, field, None) for field in IDENTIFIERS)
        words = (word for one in said if isinstance(one, str) for word in one.split("."))
        yield from ((getattr(node, "lineno", 1), word) for word in words if word in OLD)


def in_routes(text: str) -> Iterator[tuple[int, str]]:
    for route in ROUTE.finditer(text):
        yield from ((line_of(route), word) for word in route[1].split("/") if word in OLD)


def in_template(text: str) -> Iterator[tuple[int, str]]:
    """(line, name) of names in the template's own language, and of words that a reader sees."""
    for code in TEMPLATE_CODE.finditer(text):
        yield from ((line_of(code), word) for word in WORD.findall(QUOTED.sub("", code[0])) if word in OLD)
    seen = TEMPLATE_TEXT.sub(lambda found: " " + "\n" * found[0].count("\n"), text)
    yield from ((line_of(word), word[0]) for word in WORD.finditer(seen) if word[0].lower() in SITE_WORDS)


def line_of(found: re.Match[str]) -> int:
    return found.string.count("\n", 0, found.start()) + 1


def main() -> int:
    done = search(ROOT)
    faults = [*map(str, done.found), *(f"{one}: allowed, and not met any more" for one in done.in_vain)]
    print(*faults, sep="\n", end="\n" if faults else "")  # noqa: T201
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
