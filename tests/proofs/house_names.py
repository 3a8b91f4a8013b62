"""No old name is left: as an identifier of Python, as the name of a module, in a template or as a word of the site.

The old names are those that private words had before the house was rebuilt; each has the field's own term instead.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from tests.proofs.house_trees import Trees
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
TEMPLATE_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
TEMPLATE_TEXT = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<[^>]*>|`[^`]*`", re.DOTALL)
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
WORD = re.compile(r"[A-Za-z_]+")
ROUTE = re.compile(r"\bpath\(\s*\"([^\"]*)\"")
IDENTIFIERS = ("id", "attr", "arg", "name", "asname", "module")  # fields of the nodes of Python's syntax
MOST_SHOWN = 40


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
        ("thinking", "simulator/migrations/*"): "a migration is not edited once it is released",
    }
    return [Allowed(name, place, reason) for (name, place), reason in said.items()]


def names(trees: Trees) -> Figures:
    """Old names in the tree as it stands; raises Unproved if one stands where none may."""
    root, lets = trees.root("now"), allowed()
    looked_at, found = 0, Counter[str]()
    for path in sorted(
        path for place in ("catalogue", "simulator", "tests", "templates") for path in (root / place).rglob("*")
    ):
        if path.suffix in (".py", ".html", ".md", ".txt") and (old := list(old_names(path, root))) is not None:
            name = str(path.relative_to(root))
            looked_at += 1
            found.update(
                f"{one} in {name}: now {OLD.get(one, 'another word')}"
                for one in old
                if not sum(each.lets(one, name) for each in lets)
            )
    figures: Figures = {
        "files": looked_at,
        "old_names": len(OLD),
        "found": dict(found.most_common(MOST_SHOWN)),
        "allowed": {f"{one.name} in {one.place}": f"{one.met} times: {one.reason}" for one in lets},
        "allowed_and_not_met": [f"{one.name} in {one.place}" for one in lets if not one.met],
    }
    demand(not found, f"{found.total()} old names are left", figures)
    demand(not figures["allowed_and_not_met"], "a place is allowed that needs it no more", figures)
    return figures


def old_names(path: Path, root: Path) -> Iterator[str]:
    """Each old name in a file, as often as it stands there, the file's own name and its folders among them."""
    place = path.relative_to(root)
    yield from (part for part in (*place.parts[:-1], place.stem.removeprefix("test_")) if part in OLD)
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from in_python(text)
        if path.name == "urls.py":
            yield from (word for route in ROUTE.findall(text) for word in route.split("/") if word in OLD)
    elif place.parts[0] == "templates":
        yield from in_template(text)


def in_python(text: str) -> Iterator[str]:
    """Identifiers, those within texts that are put together among them."""
    for node in ast.walk(ast.parse(text)):
        said = (getattr(node, field, None) for field in IDENTIFIERS)
        words = (word for one in said if isinstance(one, str) for word in one.split("."))
        yield from (word for word in words if word in OLD)


def in_template(text: str) -> Iterator[str]:
    """Names in the template's own language, and words that a reader sees."""
    code = (QUOTED.sub("", one) for one in TEMPLATE_CODE.findall(text))
    yield from (word for one in code for word in WORD.findall(one) if word in OLD)
    yield from (word for word in WORD.findall(TEMPLATE_TEXT.sub(" ", text)) if word.lower() in SITE_WORDS)
