"""Rulesets for programs that use the engine by itself: those that come with it, by name, and their own documents."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import PathLike
from pathlib import Path
from typing import Any

from simulator.engine.documents import parse
from simulator.engine.family import Measure, family
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem, nearest


def _folder() -> Traversable:
    """Return the folder of the files: part of an installed package, and among the fixtures in a checkout."""
    folder = files("simulator.engine") / "ruleset_files"
    return folder if folder.is_dir() else Path(__file__).parents[2] / "fixtures" / "rulesets"


@cache
def _files() -> dict[str, Traversable]:
    """Map each name to the file of its newest version."""
    return {file.name.removesuffix(".json"): file for file in _folder().iterdir() if file.name.endswith(".json")}


def _version(slug: str, number: str) -> Traversable | None:
    """Return the file of that version, or of the newest if none is named; None if there is none."""
    newest = _files()[slug]
    if number in ("", str(json.loads(newest.read_text(encoding="utf-8"))["number"])):
        return newest
    earlier = _folder() / "earlier" / f"{slug}.{number}.json"
    return earlier if earlier.is_file() else None


def rulesets() -> list[str]:
    """List the names of the rulesets that come with the engine: the game, and whose reading of it.

    >>> [name for name in engine.rulesets() if name.startswith("puhulmutu")]
    ['puhulmutu-dlp', 'puhulmutu-ludii', 'puhulmutu-parker']
    """
    return sorted(_files())


def load(name: str) -> Ruleset:
    """Load a ruleset by name, "puhulmutu-parker", or "puhulmutu-parker@1" to be sure of its version.

    >>> ruleset = engine.load("puhulmutu-parker")
    >>> ruleset.family, ruleset.hash[:8], ruleset.document["counters_per_hole"]
    ('sowing', '7fc77405', 4)

    Raises RulesetProblem, which names the nearest one:

    >>> engine.load("puhulmuttu-parker")
    Traceback (most recent call last):
    simulator.engine.ruleset.RulesetProblem: no ruleset is called 'puhulmuttu-parker' ...
    """
    slug, _, number = name.partition("@")
    if slug in _files():
        if file := _version(slug, number):
            return parse(json.loads(file.read_text(encoding="utf-8"))["document"])
        newest = json.loads(_files()[slug].read_text(encoding="utf-8"))["number"]
        raise RulesetProblem([Problem("", f"{slug} is here in another version", f"{slug}@{newest}")])
    raise RulesetProblem([Problem("", f"no ruleset is called {name!r}", nearest(slug, _files()))])


def read(document: Mapping[str, Any] | str | PathLike[str]) -> Ruleset:
    """Read the ruleset of a document: a mapping, the same as JSON text, or the path of a JSON file.

    A parameter that is left out has its off value: the rule is left out. `schema` describes what there is.

    >>> engine.read({"family": "sowing", "holes_per_row": 6, "counters_per_hole": 4}).document["holes_per_row"]
    6
    >>> engine.read('{"family": "sowing", "holes_per_row": 6, "counters_per_hole": 4}').family
    'sowing'

    Raises RulesetProblem, whose `problems` name everything that is wrong and the nearest valid value:

    >>> engine.read({"family": "sowing", "holes_per_row": 6, "counters_per_hole": 4, "relais": "last"})
    Traceback (most recent call last):
    simulator.engine.ruleset.RulesetProblem: relais: no parameter has this name (nearest valid value: "relay")
    """
    if isinstance(document, PathLike):
        document = Path(document).read_text(encoding="utf-8")
    if isinstance(document, str):
        try:
            document = json.loads(document)
        except ValueError as error:
            raise RulesetProblem([Problem("", f"this is no JSON: {error}")]) from None
    if isinstance(document, Mapping) and "document" in document:  # a file as the catalogue keeps it, with its name
        document = document["document"]
    return parse(document)


def change(ruleset: Ruleset, **parameters: Any) -> Ruleset:
    """Return the ruleset with some parameters changed; the given one stays as it is. Raises RulesetProblem.

    >>> ruleset = engine.load("puhulmutu-parker")
    >>> engine.change(ruleset, counters_per_hole=5, relay="off").document["counters_per_hole"]
    5
    >>> engine.change(ruleset, relay="last") == ruleset
    True
    """
    return parse({**ruleset.document, **parameters})


def describe(ruleset: Ruleset) -> str:
    """Describe the rules in plain words, a line each, with the parameter that says it.

    >>> print(engine.describe(engine.load("kalah-reference")).splitlines()[0])
    The board has 2 rows.  [rows]
    """
    return "\n".join(f"{sentence}  [{key}]" for key, _, sentence in family(ruleset.family).words(ruleset))


def schema(family_name: str) -> dict[str, Any]:
    """Return the JSON Schema of the documents of "sowing", "points" or "race": every parameter with its off value.

    >>> engine.schema("sowing")["properties"]["relay"]["enum"]
    ['off', 'last', 'next', 'opposite']
    """
    return family(family_name).schema


def measures(ruleset: Ruleset) -> tuple[Measure, ...]:
    """Return what is counted in every game of a ruleset: the fields of `play_games`, each with its title and unit.

    >>> turns = engine.measures(engine.load("kalah-reference"))[2]
    >>> turns.name, turns.unit
    ('turns', 'turns')
    """
    return family(ruleset.family).named_measures(ruleset.parameters)
