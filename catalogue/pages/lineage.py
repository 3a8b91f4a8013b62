"""What a ruleset was made from, if its address says so, and where the two are changed and compared.

Content knows no parent: the same rules can be come by in many ways. So the parent is part of the address, and is told
only as far as it can be true.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from catalogue.what_if.changes import query, value_written
from catalogue.what_if.effects import ChangedRule, Surroundings, changed_rules, surroundings
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.models import RulesetVersion

COMPARED = {"games": 2000, "seed": 1}


@dataclass(frozen=True, slots=True)
class Lineage:
    """The ruleset that this one was made from, and what differs. `name` is what the parent will always be called."""

    name: str
    title: str
    rules: list[ChangedRule]
    change_address: str
    comparison: str


def lineage(child: Ruleset, parent: Ruleset, version: RulesetVersion | None) -> Lineage | str:
    """What differs between a ruleset and the one its address calls its parent, or why that cannot be its parent."""
    name = str(version) if version else parent.hash
    if parent.family != child.family:
        return f"The address says that this was made from {name}, but that is a game of another family."
    if parent.hash == child.hash:
        return f"The address says that this was made from {name}, but that is this ruleset itself."
    around = surroundings(version.slug if version else None, parent)
    rules = changed_rules(around, family(child.family), parent.parameters, child.parameters)
    typed = {rule.change.key: value_written(child.parameters[rule.change.key]) for rule in rules}
    return Lineage(
        name,
        title_of(parent, version, around),
        rules,
        change_address(name, typed),
        comparison_address(name, child.hash),
    )


def title_of(ruleset: Ruleset, version: RulesetVersion | None, around: Surroundings) -> str:
    """What a page calls a ruleset: by its reading, else by its name, else by the beginning of its hash."""
    return around.reading.title if around.reading else str(version or f"ruleset {ruleset.hash[:8]}")


def change_address(name: str, typed: dict[str, str]) -> str:
    """The one address of this change of that ruleset."""
    asked = query(typed)
    return reverse("change-ruleset", args=[name]) + (f"?{asked}" if asked else "")


def comparison_address(parent: str, digest: str, asked: Mapping[str, Any] = COMPARED) -> str:
    """Where a what-if is compared with the ruleset it was made from, by games that were asked for in this way."""
    wanted = [("rulesets", parent), ("rulesets", digest), *((name, str(value)) for name, value in asked.items())]
    return f"{reverse('compare')}?{urlencode(wanted)}"
