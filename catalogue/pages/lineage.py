"""What a ruleset was made from, if its address says so, and where the two are changed and compared.

Content knows no parent: the same rules can be come by in many ways. So the parent is part of the address, and is told
only as far as it can be true.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from catalogue.pages.named_rulesets import NamedRuleset
from catalogue.what_if.changes import query
from catalogue.what_if.effects import ChangedRule, changed_rules, surroundings
from simulator.engine.ruleset import Ruleset
from simulator.engine.values import value_written

COMPARED = {"games": 2000, "seed": 1}


@dataclass(frozen=True, slots=True)
class Lineage:
    """The ruleset that this one was made from, and what differs. `name` is what the parent will always be called."""

    name: str
    title: str
    rules: list[ChangedRule]
    change_address: str
    comparison: str


def lineage(child: Ruleset, parent: NamedRuleset) -> Lineage | str:
    """What differs between a ruleset and the one its address calls its parent, or why that cannot be its parent."""
    name = parent.lasting_name
    if parent.ruleset.family != child.family:
        return f"The address says that this was made from {name}, but that is a game of another family."
    if parent.ruleset.hash == child.hash:
        return f"The address says that this was made from {name}, but that is this ruleset itself."
    around = surroundings(parent.slug, parent.ruleset)
    rules = changed_rules(around, parent.family, parent.ruleset.parameters, child.parameters)
    typed = {rule.change.key: value_written(child.parameters[rule.change.key]) for rule in rules}
    title, comparison = str(parent.title_of(around.reading)), comparison_address(name, child.hash)
    return Lineage(name, title, rules, change_address(name, typed), comparison)


def change_address(name: str, typed: dict[str, str]) -> str:
    """The one address of this change of that ruleset."""
    address, parameters = reverse("change-ruleset", args=[name]), query(typed)
    return f"{address}?{parameters}" if parameters else address


def comparison_address(parent: str, digest: str, parameters: Mapping[str, Any] = COMPARED) -> str:
    """Where a what-if is compared with the ruleset it was made from, by games that were asked for in this way."""
    rulesets = ("rulesets", parent), ("rulesets", digest)
    return f"{reverse('compare')}?{urlencode([*rulesets, *parameters.items()])}"
