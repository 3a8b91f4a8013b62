"""The ruleset as content, what can be wrong with a document that should be one, and the nearest valid name.

Every refusal of the engine, the simulator and the catalogue suggests what may have been meant; `nearest` finds it.
"""

import difflib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a document: its key, what is wrong there, and the nearest valid value or key, if there is one."""

    key: str
    message: str
    nearest: Any = None

    def __str__(self) -> str:
        where = f"{self.key}: " if self.key else ""
        near = "" if self.nearest is None else f" (nearest valid value: {json.dumps(self.nearest, ensure_ascii=False)})"
        return f"{where}{self.message}{near}"


class RulesetProblem(ValueError):
    """The document is no ruleset; `problems` lists everything that is wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> Any:
        return type(self), (self.problems,)


@dataclass(frozen=True, slots=True, repr=False)
class Ruleset:
    """One executable reading of a game, identified by its content: equal ones have one hash, whatever their names.

    document:   canonical, keys at their off value left out
    parameters: every key of the family's schema, off values included
    hash:       64 hex digits
    name:       the name and version it was loaded by, "puhulmutu-parker@1"; empty for one that was read or changed
    """

    family: str
    document: dict[str, Any]
    parameters: dict[str, Any] = field(repr=False)
    hash: str
    name: str = field(default="", compare=False)

    def __hash__(self) -> int:
        return hash(self.hash)

    def __repr__(self) -> str:
        return f"<Ruleset {self.name or 'without a name'}: {self.family} {self.hash[:8]}>"

    def module(self, part: str) -> ModuleType:
        """Import a module of the ruleset's family, such as "notation" or "referee.contract"."""
        return import_module(f"simulator.engine.families.{self.family}.{part}")


def nearest(name: object, known: Iterable[str]) -> str:
    """Return the known name most like this one, however little that is; at least one must be known."""
    return alike(name, known, least=0)[0]


def alike(name: object, known: Iterable[str], least: float, most: int = 1) -> list[str]:
    """Return at most `most` of the known names, the most alike first.

    least: how alike they are at least, from 0 (in nothing) to 1 (the same name)
    """
    word, names = str(name), list(known)
    if most == 1 and word in names:
        return [word]  # most names that are looked for are right
    matcher = difflib.SequenceMatcher(b=word)
    found: list[tuple[float, str]] = []  # as `get_close_matches` finds them, but what is less like than all is left out
    for one in names:
        matcher.set_seq1(one)
        bound = found[-1][0] if len(found) == most else least
        if matcher.real_quick_ratio() < bound or matcher.quick_ratio() < bound:
            continue
        if (ratio := matcher.ratio()) >= bound:
            found = sorted([*found, (ratio, one)], reverse=True)[:most]
    return [one for _, one in found]
