"""What if: a ruleset with some parameters changed by a reader, before anybody has asked for games of it. Pure Python.

A hash cannot be read backwards, so until it is played such a ruleset is known by the name of the one it was made from
and the parameters in which it differs, in order: the same change always has the same address.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from jsonschema import Draft202012Validator

from simulator.engine.documents import nearest_value, parse, read_value, write_value
from simulator.engine.family import NOT_ARISING, Family, family, sentence
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem, alike
from simulator.engine.schemas import words_of
from simulator.engine.tables import is_table, kind_of, read_place, spec_at, with_value

PREFIX = "set."
MOST_REPAIRS = 12  # a repair can make another rule inactive, and so on; no chain of rules is longer

SAME_ROWS = "No row besides the others."

Specs = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Change:
    """One parameter in which two rulesets differ, and what it says in each, in words."""

    key: str
    title: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A ruleset with the changes of a reader.

    values:   changed parameter -> its value, in alphabetical order; it need not be one that the parameter can have
    ruleset:  what that gives, or None if it cannot be played
    problems: why it cannot be played, everything at once
    """

    parent: Ruleset
    values: dict[str, Any]
    ruleset: Ruleset | None
    problems: tuple[Problem, ...]

    @property
    def typed(self) -> dict[str, str]:
        """Changed parameters as an address writes them."""
        return {key: write_value(value) for key, value in self.values.items()}

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter, whether they fit together or not."""
        return {**self.parent.parameters, **self.values}


def parameters_of(kind: Family) -> Specs:
    """The parameters that a reader may change: all but the family."""
    return {key: spec for key, spec in kind.schema["properties"].items() if key != "family"}


def what_if(parent: Ruleset, typed: Mapping[str, str]) -> WhatIf:
    """The parent with these parameters set. Raises RulesetProblem for a word that no parameter or choice has.

    Numbers and lists may be mistyped by anybody: they are among the problems of the result.
    """
    specs = parameters_of(family(parent.family))
    unknown = [problem for key, words in typed.items() if (problem := _unknown(key, words, specs))]
    if unknown:
        raise RulesetProblem(unknown)
    values = {key: read_value(words, specs[key]) for key, words in sorted(typed.items())}
    values = {key: value for key, value in values.items() if value != parent.parameters[key]}
    return WhatIf(parent, values, *_played(parent, values, specs))


def _unknown(key: str, words: str, specs: Specs) -> Problem | None:
    """A parameter or a choice that no form offers."""
    if key not in specs:
        near = alike(key, specs, least=0.4)
        return Problem(key, "no parameter has this name", near[0] if near else None)
    offered = [value for value, _ in choices(specs[key])]
    if not offered or words in offered or (is_table(specs[key]) and words.startswith("{")):
        return None
    near = nearest_value(words, {"enum": offered})
    return Problem(key, f"must be one of {', '.join(offered)}, not {words[:60]!r}", near)


def _played(parent: Ruleset, values: Mapping[str, Any], specs: Specs) -> tuple[Ruleset | None, tuple[Problem, ...]]:
    """The ruleset, or what is wrong: values that are none, and values that do not fit together."""
    ruleset, problems = _parsed({**parent.document, **values})
    fitting = {key: value for key, value in values.items() if _is_valid(value, specs[key])}
    if ruleset is None and len(fitting) < len(values):
        problems = tuple(
            replace(problem, nearest=_nearest(values[problem.key], specs[problem.key]))
            if problem.key in values
            else problem
            for problem in problems
        )
        problems += _parsed({**parent.document, **fitting})[1]
    return ruleset, problems


def _is_valid(value: Any, spec: Mapping[str, Any]) -> bool:
    """Return whether it is a value of the parameter at all, whatever the others are."""
    return bool(Draft202012Validator(spec).is_valid(value))


def _nearest(value: Any, spec: Mapping[str, Any]) -> Any:
    near = nearest_value(value, spec)
    return near if _is_valid(near, spec) else spec.get("default")


def _parsed(document: Mapping[str, Any]) -> tuple[Ruleset | None, tuple[Problem, ...]]:
    try:
        return parse(document), ()
    except RulesetProblem as error:
        return None, error.problems


def nearest_playable(changed: WhatIf) -> WhatIf | None:
    """Every refused value replaced by the nearest valid one, and the rules dropped that can then no longer fire.

    None if that leads nowhere, or back to the parent.
    """
    specs, typed = parameters_of(family(changed.parent.family)), dict(changed.typed)
    for _ in range(MOST_REPAIRS):
        if changed.ruleset is not None:
            return changed if changed.values else None
        repairs = _repairs(changed, specs)
        if not repairs:
            return None
        typed |= {key: write_value(value) for key, value in repairs.items()}
        changed = what_if(changed.parent, typed)
    return None


def _repairs(changed: WhatIf, specs: Specs) -> dict[str, Any]:
    """The nearest valid value of every parameter that was refused; of a table with its wrong cells mended, and without
    the rows and columns that are none or never fire."""
    repairs: dict[str, Any] = {}
    # From the last row to the first: taking one out moves those behind it.
    for problem in sorted(
        changed.problems, key=lambda one: [str(step).zfill(4) for step in read_place(one.key)], reverse=True
    ):
        place = read_place(problem.key)
        key = str(place[0]) if place else ""
        if key not in specs or (len(place) == 1 and problem.nearest is None):
            continue
        near = problem.nearest if len(place) == 1 or spec_at(specs, place) else None
        try:
            repairs[key] = with_value(repairs.get(key, changed.parameters[key]), place[1:], near)
        except KeyError:
            continue
    return repairs


def query(typed: Mapping[str, str]) -> str:
    """The part of an address after the question mark: changed parameters only, in alphabetical order."""
    return urlencode([(PREFIX + key, words) for key, words in sorted(typed.items())], safe=",:;/")


def choices(spec: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(value as written, what it says) of a parameter that has choices; none of one that is typed."""
    if spec["type"] == "boolean":
        return [(write_value(value), sentence(value, spec)) for value in (False, True)]
    return [(value, sentence(value, spec)) for value in words_of(spec)]


def changes(kind: Family, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Parameters in which two rulesets of a family differ, in the order of the schema."""
    was, now = _sentences(kind, before), _sentences(kind, after)
    return [
        Change(key, spec["title"], *_by_row(kind, key, (before, after), (was[key], now[key])))
        for key, spec in parameters_of(kind).items()
        if before[key] != after[key]
    ]


def said_by_row(kind: Family, key: str, parameters: Mapping[str, Any]) -> list[str]:
    """What each row of a table says; nothing of what is no table, or none that is valid."""
    spec = kind.schema["properties"][key]
    return (
        [words for _, words in kind.rows(key, parameters)] if kind_of(spec) and _is_valid(parameters[key], spec) else []
    )


def _by_row(
    kind: Family, key: str, both: tuple[Mapping[str, Any], Mapping[str, Any]], said: tuple[str, str]
) -> tuple[str, str]:
    """What two values say; of two tables only what the rows say that the other does not have."""
    rows = [said_by_row(kind, key, parameters) for parameters in both]
    if not all(rows):
        return said
    own = [[words for words in some if words not in others] for some, others in (rows, rows[::-1])]
    if not any(own):
        return said  # the same rows in another order
    before, after = (" ".join(some) or SAME_ROWS for some in own)
    return before, after


def _sentences(kind: Family, parameters: Mapping[str, Any]) -> Mapping[str, str]:
    """The sentence of each parameter; whether one at its off value arises is known only if all values are valid."""
    specs = parameters_of(kind)
    sound = all(_is_valid(parameters[key], spec) for key, spec in specs.items())
    idle = kind.inactive(parameters) if sound else {}
    return {
        key: NOT_ARISING
        if key in idle and parameters[key] == spec.get("default")
        else kind.sentence(key, parameters)
        if sound
        else sentence(parameters[key], spec)
        for key, spec in specs.items()
    }


def explained(message: str, specs: Specs) -> str:
    """A message that names parameters and their values, with their titles and what the values say in the place of both.

    A key of one word stays where no value follows it: "cowries" is also what the words are about.
    """
    for key, spec in specs.items():
        if key not in message:
            continue
        words = dict(choices(spec))
        value = "|".join(f'"?{re.escape(value)}"?' for value in sorted(words, key=len, reverse=True)) or "(?!)"
        pattern = rf"\b{key} (is|must be|to be) ((?:{value})(?: or (?:{value}))*)(?![\w\"])"
        message = re.sub(pattern, partial(_with_words, spec, words), message)
        if "_" in key:
            message = re.sub(rf"\b{key}\b", f"“{spec['title']}”", message)
    return message


def _with_words(spec: Mapping[str, Any], words: Mapping[str, str], match: re.Match[str]) -> str:
    values = [value.strip('"') for value in match[2].split(" or ")]
    if len(values) > 1 and {*values, spec.get("default")} == {*words}:
        return f"“{spec['title']}” {match[1]} set"
    return f"“{spec['title']}” {match[1]} {' or '.join(f'“{words[value]}”' for value in values)}"
