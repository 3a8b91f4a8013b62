"""Rulesets by name: `slug`, `slug@number`, a hash or an unambiguous beginning of one, with changes made on the way.

The database says what a name means. Names that it does not have are looked up among the ruleset files that come with
the project, so that commands work before anything is loaded.
"""

import datetime
import json
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, transaction

from simulator import models
from simulator.engine import shipped
from simulator.engine.documents import parse_kept, read_stored, schema_errors, with_changes, write_value
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem, alike
from simulator.problems import WrongRequest

SHORTEST_PREFIX = 8
SCHEMA = json.loads(Path(__file__).with_name("ruleset_file.schema.json").read_text(encoding="utf-8"))
SHIPPED = Path(settings.BASE_DIR) / "fixtures" / "rulesets"
PLACES = ("*.json", "earlier/*.json", "reference/*.json")  # of files within that folder


@dataclass(frozen=True, slots=True)
class RulesetFile:
    """A ruleset as it is written down; `ruleset_file.schema.json` beside this module says how."""

    slug: str
    number: int
    parent: str | None
    date: datetime.date
    ruleset: Ruleset


def find(name: str, changes: Mapping[str, str] | None = None) -> Ruleset:
    """Return the ruleset of that name, with `changes` (key -> value as typed) made; raises WrongRequest."""
    ruleset = _in_database(name) or _shipped(name)
    if ruleset is None:
        raise WrongRequest([_unknown(name)])
    if not changes:
        return ruleset
    try:
        return with_changes(ruleset, changes)
    except RulesetProblem as error:
        raise WrongRequest(error.problems) from error


def parse_changes(words: Iterable[str]) -> dict[str, str]:
    """`["counters=5"]` as `{"counters": "5"}`; raises WrongRequest."""
    changes = dict(word.partition("=")[::2] for word in words)
    wrong = [word for word in words if "=" not in word]
    if wrong:
        raise WrongRequest(Problem("set", f"a change is written KEY=VALUE, not {word!r}") for word in wrong)
    return changes


def save(ruleset: Ruleset) -> models.Ruleset:
    """Return the row of this content, and write it if it is not there yet."""
    row, _ = models.Ruleset.objects.get_or_create(
        hash=ruleset.hash, defaults={"family": ruleset.family, "document": ruleset.document}
    )
    return row


def read_file(path: Path) -> RulesetFile:
    """Read one ruleset file; raises WrongRequest, naming the file and everything that is wrong with it."""
    try:
        written = json.loads(path.read_text(encoding="utf-8"))
        if wrong := schema_errors(written, SCHEMA):
            raise WrongRequest(Problem(path.name, one) for one in wrong)
        if path.name not in (f"{written['slug']}.json", f"{written['slug']}.{written['number']}.json"):  # of a dataset
            message = f"its slug is {written['slug']!r}, and a file is called after its slug"
            raise WrongRequest.of(path.name, message, f"{written['slug']}.json")
        return RulesetFile(
            slug=written["slug"],
            number=written["number"],
            parent=written["parent"],
            date=datetime.date.fromisoformat(written["date"]),
            ruleset=parse_kept(written["document"]),
        )
    except RulesetProblem as error:
        raise WrongRequest.of(path.name, str(error)) from error
    except WrongRequest:
        raise
    except ValueError as error:  # no JSON, or no such day
        raise WrongRequest.of(path.name, f"this is no ruleset file: {error}") from error


@transaction.atomic
def load_ruleset_files(folder: Path) -> int:
    """Write every version in the folder that is not in the database yet, and say how many were new.

    The folder `earlier` in it holds the versions that the newest ones were made from: they stay where they are cited.
    The folder `reference` holds the games of the reference corner.
    A version never changes its content: a file that says otherwise raises WrongRequest and nothing is written.
    """
    files = [read_file(path) for path in sorted(path for place in PLACES for path in folder.glob(place))]
    there = {(one.slug, one.number): one for one in models.RulesetVersion.objects.all()}
    fresh = 0
    for file in _parents_first(files):
        version = there.get((file.slug, file.number))
        new = version is None
        if version is None:
            row, parent = save(file.ruleset), _version(file.parent)
            version = models.RulesetVersion.objects.create(
                slug=file.slug, number=file.number, ruleset=row, parent=parent, date=file.date
            )
        if version.ruleset_id != file.ruleset.hash:
            message = f"{version} is {version.ruleset_id[:8]} in the database and {file.ruleset.hash[:8]} in its file"
            raise WrongRequest.of(file.slug, f"{message}: give the changed ruleset the next number")
        fresh += new
    return fresh


def _parents_first(files: list[RulesetFile]) -> list[RulesetFile]:
    names = {f"{file.slug}@{file.number}": file for file in files}

    def generation(file: RulesetFile) -> int:
        return 1 + generation(names[file.parent]) if file.parent in names else 0

    return sorted(files, key=generation)


def _version(name: str | None) -> models.RulesetVersion | None:
    if name is None:
        return None
    slug, _, number = name.partition("@")
    return models.RulesetVersion.objects.get(slug=slug, number=int(number or 1))


def _in_database(name: str) -> Ruleset | None:
    try:
        row = row_called(name)
    except DatabaseError:  # no tables yet: the files will do
        return None
    return as_engine(row) if row else None


def row_called(name: str) -> models.Ruleset | None:
    """The row of a slug, slug@number, hash or its beginning; None if there is none. Raises WrongRequest for two."""
    slug, _, number = name.partition("@")
    versions = models.RulesetVersion.objects.filter(slug=slug).order_by("-number").select_related("ruleset")
    if number:
        versions = versions.filter(number=int(number)) if number.isdecimal() else versions.none()
    if version := versions.first():
        return version.ruleset
    if not re.fullmatch(rf"[0-9a-f]{{{SHORTEST_PREFIX},64}}", name):
        return None
    rows = list(models.Ruleset.objects.filter(hash__startswith=name)[:2])
    if len(rows) > 1:
        raise WrongRequest.of("ruleset", f"more than one ruleset's hash begins with {name!r}", rows[0].hash)
    return rows[0] if rows else None


def _shipped(name: str) -> Ruleset | None:
    try:
        return shipped.load(name)
    except RulesetProblem:
        return None


def _unknown(name: str) -> Problem:
    known = known_names()
    if re.fullmatch(r"[0-9a-f]+", name):
        short = f" (a beginning of a hash has at least {SHORTEST_PREFIX} digits)" if len(name) < SHORTEST_PREFIX else ""
        return Problem("ruleset", f"no ruleset has a hash beginning with {name!r}{short}")
    near = alike(name, known, least=0)
    return Problem("ruleset", f"no ruleset is called {name!r}", near[0] if near else None)


def known_names() -> list[str]:
    """Return every slug and slug@number, of the database and of the files."""
    names = set(shipped.rulesets())
    try:
        for slug, number in models.RulesetVersion.objects.values_list("slug", "number"):
            names.update((slug, f"{slug}@{number}"))
    except DatabaseError:
        pass
    return sorted(names)


def as_engine(row: models.Ruleset) -> Ruleset:
    """Return the engine's form of a row."""
    return read_stored(row.hash, row.document)


@dataclass(frozen=True, slots=True)
class LastingName:
    """A ruleset as every installation knows it: a version by name, and the parameters that differ from it, as typed."""

    name: str
    changes: Mapping[str, str]

    @property
    def options(self) -> str:
        """As commands take one ruleset: `daramuti-parker@1 --set counters_per_hole=5`."""
        return " ".join((self.name, *(f"--set {shlex.quote(change)}" for change in self._typed)))

    @property
    def word(self) -> str:
        """As commands take one of several: `daramuti-parker@1+counters_per_hole=5`."""
        return shlex.quote("+".join((self.name, *self._typed)))

    @property
    def _typed(self) -> list[str]:
        return [f"{key}={value}" for key, value in self.changes.items()]


def lasting_name(ruleset: Ruleset, name: str = "") -> LastingName:
    """What this ruleset is called where nobody has changed one yet: a hash means nothing there.

    name: the one it goes by here; where that is its hash, the version is taken from which it differs least. One query
    then, else none.
    """
    if name and name != ruleset.hash:
        return LastingName(name, {})
    versions = models.RulesetVersion.objects.filter(ruleset__family=ruleset.family).order_by("slug", "-number")
    known = versions.values_list("slug", "number", "ruleset_id", "ruleset__document")
    for slug, number, key, document in sorted(known, key=lambda one: (_distance(one[3], ruleset.document), *one[:2])):
        base = read_stored(key, document)
        differing = {
            key: write_value(value) for key, value in ruleset.parameters.items() if base.parameters.get(key) != value
        }
        try:
            if with_changes(base, differing).hash == ruleset.hash:
                return LastingName(f"{slug}@{number}", differing)
        except RulesetProblem:  # a value that cannot be typed
            continue
    return LastingName(ruleset.hash, {})


def _distance(one: Mapping[str, object], other: Mapping[str, object]) -> int:
    """How many parameters differ."""
    return sum(one.get(key) != other.get(key) for key in one.keys() | other.keys())
