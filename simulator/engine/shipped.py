"""Rulesets for programs that use the engine by itself: those that come with it, by name, and their own documents."""

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from os import PathLike
from pathlib import Path
from typing import Any

from simulator.engine.arguments import corner_files, family_of_file, named, ruleset_given, shipped_files, shown, text
from simulator.engine.documents import parse
from simulator.engine.family import Measure, family
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem


def rulesets(family_name: str = "") -> list[str]:
    """List the names of the rulesets that come with the engine, of one family or of all: the game, and whose reading.

    >>> [name for name in engine.rulesets() if name.startswith("puhulmutu")]
    ['puhulmutu-dlp', 'puhulmutu-ludii', 'puhulmutu-parker']
    >>> engine.rulesets("race")[0]
    'asi-keliya-dlp'

    Raises FamilyProblem.
    """
    names = sorted(shipped_files())
    if not text("family_name", family_name):
        return names
    return [name for name in names if family_of_file(name) == family(family_name).name]


def measured(family_name: str = "") -> list[str]:
    """List the names of those that are tuned and priced, and whose games the edition has: all but the reference
    corner's. Raises FamilyProblem."""
    return [name for name in rulesets(family_name) if name not in corner_files()]


def load(name: str) -> Ruleset:
    """Load a ruleset by name, "puhulmutu-parker", or "puhulmutu-parker@1" to be sure of its version.

    >>> ruleset = engine.load("puhulmutu-parker")
    >>> ruleset.name, ruleset.family, ruleset.hash[:8], ruleset.document["counters_per_hole"]
    ('puhulmutu-parker@1', 'sowing', '7fc77405', 4)

    Raises RulesetProblem, which names the nearest one:

    >>> engine.load("puhulmuttu-parker")
    Traceback (most recent call last):
    simulator.engine.ruleset.RulesetProblem: no ruleset is called 'puhulmuttu-parker' ...
    """
    return named(text("name", name))


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
    if isinstance(document, PathLike) or (isinstance(document, str) and not document.lstrip().startswith(("{", "["))):
        document = _read_file(document)
    if isinstance(document, str):
        document = _read_json(document)
    if isinstance(document, Mapping) and "document" in document:  # a file as the catalogue keeps it, with its name
        document = document["document"]
    return parse(document)


def _read_file(path: str | PathLike[str]) -> str:
    """Return the text of a file; a text that names no file, and is no path, is returned as it is."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RulesetProblem([Problem("", f"the file {shown(str(path))} is no text in UTF-8")]) from None
    except (OSError, ValueError):  # a ValueError for a path that no system has, with a NUL in it
        if isinstance(path, PathLike):
            raise
        if path in shipped_files():
            raise RulesetProblem([Problem("", f"this is no JSON, but a name: load({path!r}) loads it")]) from None
        if path.strip().startswith(("~", ".")) or re.search(r"[/\\]|\.json\s*$", path):
            raise RulesetProblem([Problem("", f"there is no file {shown(path)} that can be read")]) from None
        return path


def _read_json(written: str) -> Any:
    try:
        return json.loads(written, object_pairs_hook=_each_key_once)
    except RulesetProblem:
        raise
    except (ValueError, RecursionError) as error:
        raise RulesetProblem([Problem("", f"this is no JSON: {error}")]) from None


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. Of a key that stands twice, JSON's readers would take the last without a word."""
    known = dict(pairs)
    if len(known) < len(pairs):
        twice = next(key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place]))
        raise RulesetProblem([Problem(twice, "stands twice in one object")])
    return known


def change(ruleset: Ruleset | str, **parameters: Any) -> Ruleset:
    """Return the ruleset with some parameters changed; the given one stays as it is. Raises RulesetProblem.

    >>> ruleset = engine.load("puhulmutu-parker")
    >>> engine.change(ruleset, counters_per_hole=5, relay="off").document["counters_per_hole"]
    5
    >>> engine.change(ruleset, relay="last") == ruleset
    True
    """
    return parse({**ruleset_given(ruleset).document, **parameters})


def describe(ruleset: Ruleset | str) -> str:
    """Describe the rules in plain words, a line each, with the parameter that says it.

    >>> print(engine.describe(engine.load("kalah-reference")).splitlines()[0])
    The board has 2 rows.  [rows]
    """
    ruleset = ruleset_given(ruleset)
    return "\n".join(f"{sentence}  [{key}]" for key, _, sentence in family(ruleset.family).words(ruleset))


def schema(family_name: str) -> dict[str, Any]:
    """Return the JSON Schema of the documents of "sowing", "points" or "race": every parameter with its off value.

    >>> engine.schema("sowing")["properties"]["relay"]["enum"]
    ['off', 'last', 'next', 'opposite']

    Raises FamilyProblem. The schema is the caller's own copy.
    """
    return deepcopy(family(text("family_name", family_name)).schema)


def measures(ruleset: Ruleset | str) -> tuple[Measure, ...]:
    """Return what is counted in every game of a ruleset: the fields of `play_games`, each with its title and unit.

    >>> turns = engine.measures(engine.load("kalah-reference"))[2]
    >>> turns.name, turns.unit
    ('turns', 'turns')
    """
    ruleset = ruleset_given(ruleset)
    return family(ruleset.family).named_measures(ruleset.parameters)
