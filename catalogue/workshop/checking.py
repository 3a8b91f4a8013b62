"""The document of a draft held against its schema: the ruleset it gives, or what is wrong, where, and the nearest that
can be played; and what its parameters say, whether it can be played or not."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from catalogue.models import Draft
from catalogue.what_if import changes
from simulator.engine.documents import parse, write_value
from simulator.engine.family import Family, family, sentence
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem
from simulator.engine.schemas import words_of as words_of_schema
from simulator.engine.tables import called, read_place, spec_at


@dataclass(frozen=True, slots=True)
class DraftProblem:
    """Why a draft cannot be played yet. place: in words; nearest: the nearest valid value, in words"""

    key: str
    place: str
    message: str
    nearest: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft's document: the ruleset it gives, or why it gives none.

    missing: parameters that every ruleset of the family has and that nobody has set; titles: these with their titles
    near: the nearest that can be played, for the board; repair: what that has otherwise
    """

    ruleset: Ruleset | None
    problems: tuple[DraftProblem, ...] = ()
    missing: tuple[str, ...] = ()
    near: Ruleset | None = None
    repair: tuple[changes.Change, ...] = ()
    titles: tuple[tuple[str, str], ...] = ()


def kind_of(draft: Draft) -> Family:
    return family(draft.document["family"])


def blank(kind: Family) -> Ruleset:
    """Nothing but the family: each parameter at its off value, and those that must be set are None."""
    specs = kind.schema["properties"]
    return Ruleset(kind.name, {"family": kind.name}, {key: spec.get("default") for key, spec in specs.items()}, "")


@cache
def smallest(name: str) -> Ruleset:
    """A ruleset of the family that can be played, and sets nothing but what every ruleset has to."""
    kind = family(name)
    specs = changes.parameters_of(kind)
    firsts = {key: _first(specs[key]) for key in kind.schema["required"] if key in specs}
    document = {"family": name, **firsts}
    for _ in range(changes.MOST_REPAIRS):
        try:
            return parse(document)
        except RulesetProblem as error:
            document |= {one.key: one.nearest for one in error.problems if one.nearest is not None}
    return parse(document)


def _first(spec: Mapping[str, Any]) -> Any:
    words = words_of_schema(spec)
    return words[0] if words else spec.get("minimum", 1)


def checked(document: Mapping[str, Any]) -> Checked:
    kind = family(document["family"])
    specs = changes.parameters_of(kind)
    typed = {key: write_value(value) for key, value in document.items() if key in specs}
    missing = missing_of(document)
    titles = tuple((key, specs[key]["title"]) for key in missing)
    base = smallest(kind.name)
    off = {key: specs[key]["default"] for key in base.document if key in specs and key not in (*document, *missing)}
    typed |= {key: write_value(value) for key, value in off.items()}
    values = {key: value for key, value in {**off, **document}.items() if key in specs}
    variant = _variant(base, typed, values)
    if variant.ruleset is not None and not missing:
        return Checked(variant.ruleset)
    near = variant.ruleset or _repaired(variant) or base
    problems = tuple(_told(problem, specs) for problem in variant.problems)
    shown = {**blank(kind).parameters, **document}
    repair = tuple(
        changes.Change(key, spec["title"], "", kind.sentence(key, near.parameters))
        for key, spec in specs.items()
        if near.parameters[key] != shown.get(key)
    )
    return Checked(None, problems, missing, near, repair, titles)


def _repaired(variant: changes.WhatIf) -> Ruleset | None:
    try:
        near = changes.nearest_playable(variant)
    except RulesetProblem:  # a word that no choice has, and that is nearest to nothing
        return None
    return near.ruleset if near else None


def _variant(base: Ruleset, typed: Mapping[str, str], document: Mapping[str, Any]) -> changes.WhatIf:
    """The document as a change of the smallest ruleset; a word that no parameter has is a problem like others."""
    try:
        return changes.what_if(base, typed)
    except RulesetProblem as error:
        return changes.WhatIf(base, dict(document), None, error.problems)


def _told(problem: Problem, specs: changes.Specs) -> DraftProblem:
    place = read_place(problem.key) or ("",)
    spec = spec_at(specs, place) if problem.key else None
    nearest = "" if problem.nearest is None else sentence(problem.nearest, spec) if spec else str(problem.nearest)
    where = called(place, specs) if spec else ""
    return DraftProblem(problem.key, where, changes.explained(problem.message, specs), nearest)


def said(kind: Family, document: Mapping[str, Any], key: str) -> str:
    """What a parameter, or a place of a table, says beside the others, whether all of them can be played or not."""
    parameters = {**blank(kind).parameters, **document}
    spec = spec_at(kind.schema["properties"], read_place(key))
    if spec is None:
        return ""
    try:
        return kind.sentence(key, parameters)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        value = parameters.get(key)
        return "" if value is None else sentence(value, spec)


def written_otherwise(document: Mapping[str, Any], ruleset: Ruleset | None) -> list[changes.Change]:
    """Rules that a ruleset has in another form than they were chosen in, because both are the same game on its board:
    what was chosen, and what is written."""
    if ruleset is None:
        return []
    kind = family(document["family"])
    found = []
    for key, value in document.items():
        if key == "family" or ruleset.parameters[key] == value:
            continue
        chosen, written = said(kind, document, key), kind.sentence(key, ruleset.parameters)
        if chosen != written:
            found.append(changes.Change(key, kind.title_of(key), chosen, written))
    return found


def missing_of(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Rules without which there is no game of the family, and that a document does not say."""
    kind = family(document["family"])
    return tuple(key for key in kind.schema["required"] if key != "family" and key not in document)


def idle(document: Mapping[str, Any]) -> frozenset[str]:
    """Rules that cannot come into play beside what a document says so far, whatever they say themselves."""
    kind = family(document["family"])
    try:
        return frozenset(kind.inactive({**smallest(kind.name).parameters, **document})) - document.keys()
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):  # it says what cannot be
        return frozenset()


def at_off(kind: Family, key: str, value: Any) -> bool:
    spec = kind.schema["properties"][key]
    return "default" in spec and spec["default"] == value


def in_order(kind: Family, document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its keys as the schema has them, which is how files are written."""
    return {key: document[key] for key in kind.schema["properties"] if key in document}
