"""What callers of the front door give: rulesets or their names, whole numbers within bounds, texts.

Each check says which argument is wrong, what it is and what would do. Without them a number beyond the bounds of the
compiled engine would wrap round, and a game would be played that nobody asked for.
"""

import json
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from numbers import Integral
from pathlib import Path
from typing import Any

from simulator.engine.documents import parse_kept
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem, nearest

MOST_SEED = 2**53 - 1  # the largest whole number that every JSON reader keeps exact
MOST_GAMES = MOST_CAP = 2**31 - 1  # rows count in int32
LONGEST = 80  # characters of a wrong value that are repeated


def shown(value: object) -> str:
    """Write a wrong value for a message, shortened if it is long."""
    try:
        text = repr(value)
    except Exception:  # an object of the caller's that cannot even be written
        text = ""
    return text if text and len(text) <= LONGEST else f"{text[:LONGEST]}… ({type(value).__name__})"


def whole(name: str, value: object, least: int, most: int) -> int:
    """Return a whole number within bounds, of Python's kind or numpy's; raises TypeError and ValueError."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number, not {shown(value)}")
    number = int(value)
    if not least <= number <= most:
        near = min(max(number, least), most)
        raise ValueError(f"{name} must be a whole number from {least} to {most:,}, not {number}; the nearest is {near}")
    return number


def text(name: str, value: object) -> str:
    """Return a text; raises TypeError."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {shown(value)}")
    return value


def texts(name: str, value: object) -> list[str]:
    """Return several texts; raises TypeError, also for one text alone: its letters are not meant."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be texts in a list, not {shown(value)}")
    return [text(f"each of {name}", one) for one in value]


def until(value: object) -> str:
    """Return when a game is to end, "game" or "round"; raises ValueError."""
    if not isinstance(value, str) or value not in ("game", "round"):
        raise ValueError(f"until must be game or round, not {shown(value)}")
    return value


def ruleset_given(value: object) -> Ruleset:
    """Return the ruleset that is given, itself or by its name; raises TypeError, and RulesetProblem for a name."""
    if isinstance(value, Ruleset):
        return value
    if isinstance(value, str):
        return named(value)
    raise TypeError(
        f"ruleset must be a ruleset, as `load` and `read` return one, or the name of one that comes with the engine, "
        f"not {shown(value)}"
    )


def _folder() -> Traversable:
    """Return the folder of the files: part of an installed package, and among the fixtures in a checkout."""
    folder = files("simulator.engine") / "ruleset_files"
    return folder if folder.is_dir() else Path(__file__).parents[2] / "fixtures" / "rulesets"


@cache
def shipped_files() -> dict[str, Traversable]:
    """Map each name to the file of its newest version."""
    return {**_files(_folder()), **corner_files()}


@cache
def corner_files() -> dict[str, Traversable]:
    """Map each name of the reference corner to its file: games of published rules, which nobody has measured."""
    corner = _folder() / "reference"
    return _files(corner) if corner.is_dir() else {}


def _files(folder: Traversable) -> dict[str, Traversable]:
    return {file.name.removesuffix(".json"): file for file in folder.iterdir() if file.name.endswith(".json")}


def named(name: str) -> Ruleset:
    """Return the ruleset of that name, "puhulmutu-parker" or "puhulmutu-parker@1"; raises RulesetProblem."""
    slug, _, number = name.partition("@")
    if slug not in shipped_files():
        raise RulesetProblem([Problem("", f"no ruleset is called {shown(name)}", nearest(slug, shipped_files()))])
    newest = _content(shipped_files()[slug])
    earlier = _folder() / "earlier" / f"{slug}.{number}.json"
    if number in ("", str(newest["number"])):
        content = newest
    elif number.isdecimal() and earlier.is_file():
        content = _content(earlier)
    else:
        raise RulesetProblem([Problem("", f"{slug} is here in another version", f"{slug}@{newest['number']}")])
    kept = parse_kept(content["document"])
    document, parameters = deepcopy((kept.document, kept.parameters))  # the caller's own
    return replace(kept, document=document, parameters=parameters, name=f"{slug}@{content['number']}")


@cache
def family_of_file(name: str) -> str:
    """Return the family that a shipped ruleset names, without reading its rules."""
    return str(_content(shipped_files()[name])["document"]["family"])


def _content(file: Traversable) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content
