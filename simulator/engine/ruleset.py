"""The ruleset as content, and what can be wrong with a document that should be one."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a document: where, what, and the nearest valid value or key, if there is one."""

    key: str
    message: str
    nearest: Any = None

    def __str__(self) -> str:
        where = f"{self.key}: " if self.key else ""
        near = "" if self.nearest is None else f" (nearest valid value: {json.dumps(self.nearest, ensure_ascii=False)})"
        return f"{where}{self.message}{near}"


class RulesetProblem(ValueError):
    """A document is no ruleset; `problems` says why, one by one."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One executable reading, as content.

    document:   canonical, keys at their off value left out
    parameters: every key of the family's schema, off values included
    hash:       64 hex digits
    """

    family: str
    document: dict[str, Any]
    parameters: dict[str, Any] = field(repr=False)
    hash: str

    def module(self, part: str) -> ModuleType:
        """A module of its family, such as "notation" or "referee.contract"."""
        return import_module(f"simulator.engine.families.{self.family}.{part}")
