"""The rules that words of a record are chosen for: what a clause or an answer sets, with the sentence of each value."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

from catalogue.models import Answer, Clause
from catalogue.models.querysets import newest_versions
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.engine.values import value_written
from simulator.rulesets import as_engine


@dataclass(frozen=True, slots=True)
class SetRule:
    """A parameter, its value as fields and addresses write it, and what that value says."""

    key: str
    title: str
    value: str
    sentence: str


def rules_of(owner: Model | None) -> tuple[SetRule, ...]:
    """None where no ruleset is there, for an answer that no ruleset can give, and for claims and readings."""
    if isinstance(owner, Clause):
        ruleset = _newest([owner.reading.slug])
        return _set(ruleset, owner.parameters, {}) if ruleset else ()
    if isinstance(owner, Answer) and owner.values:
        ruleset = _newest(owner.question.game.readings.values_list("slug", flat=True))
        return _set(ruleset, owner.values, owner.values) if ruleset else ()
    return ()


def _newest(slugs: Iterable[str]) -> Ruleset | None:
    """Of the first of these names that means something."""
    version = next(iter(newest_versions(slugs).values()), None)
    return as_engine(version.ruleset) if version else None


def _set(ruleset: Ruleset, keys: Iterable[str], instead: Mapping[str, Any]) -> tuple[SetRule, ...]:
    kind, parameters = family(ruleset.family), {**ruleset.parameters, **instead}
    specs = kind.schema["properties"]
    return tuple(
        SetRule(key, specs[key]["title"], value_written(parameters[key]), kind.sentence(key, parameters))
        for key in keys
        if key in specs
    )
