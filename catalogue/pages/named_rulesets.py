"""A ruleset as an address names it: its content, the version that is meant, and what it was made from.

Content knows no parent: the same rules can be come by in many ways. So the parent is part of the address, and is shown
only as far as it can be true.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from catalogue.models import Reading
from catalogue.models.lookup import NothingHere
from catalogue.models.querysets import RulesetTitle, RulesetTitles
from catalogue.texts.errors import Suggested
from catalogue.what_if.changes import query
from catalogue.what_if.context import ChangedRule, changed_rules, reading_context
from simulator import rulesets
from simulator.engine import family as families
from simulator.engine.documents import write_value
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.models import Ruleset, RulesetVersion
from simulator.problems import WrongRequest


@dataclass(frozen=True)
class NamedRuleset:
    """version: the one so called, else the content's first, if it has a name at all"""

    name: str
    ruleset: EngineRuleset
    row: Ruleset
    version: RulesetVersion | None

    @property
    def family(self) -> families.Family:
        return families.family(self.ruleset.family)

    @property
    def slug(self) -> str | None:
        return self.version.slug if self.version else None

    @property
    def lasting_name(self) -> str:
        """What it will always be called."""
        return str(self.version or self.ruleset.hash)

    @cached_property
    def reading(self) -> Reading | None:
        return Reading.objects.select_related("game").filter(slug=self.slug).first() if self.slug else None

    @property
    def title(self) -> RulesetTitle:
        return self.title_of(self.reading)

    def title_of(self, reading: Reading | None) -> RulesetTitle:
        """What a page calls it: by its reading, else by the nearest reading and what it has otherwise."""
        return RulesetTitle(reading.title) if reading else RulesetTitles().of(self.row)


def named_ruleset(name: str) -> NamedRuleset:
    """The ruleset of a slug, slug@number, hash or its beginning; NothingHere, with the nearest, if there is none."""
    try:
        engine = rulesets.find(name)
    except WrongRequest as error:
        near = next((str(problem.nearest) for problem in error.problems if problem.nearest), None)
        raise NothingHere(str(error), [Suggested(near, reverse("ruleset", args=[near]))] if near else []) from error
    row = Ruleset.objects.prefetch_related("versions").filter(hash=engine.hash).first()
    if row is None:
        raise NothingHere(f"The ruleset “{name}” has not been loaded into this catalogue.")
    versions = list(row.versions.all())
    meant = next((one for one in versions if name in (one.slug, str(one))), versions[0] if versions else None)
    return NamedRuleset(name, engine, row, meant)


COMPARED = {"games": 2000, "seed": 1}


@dataclass(frozen=True, slots=True)
class Lineage:
    """The ruleset that this one was made from, and what differs. `name` is what the parent will always be called."""

    name: str
    title: str
    rules: list[ChangedRule]
    change_address: str
    comparison: str


def lineage(child: EngineRuleset, parent: NamedRuleset) -> Lineage | str:
    """What differs between a ruleset and the one its address calls its parent, or why that cannot be its parent."""
    name = parent.lasting_name
    if parent.ruleset.family != child.family:
        return f"The address says that this was made from {name}, but that is a game of another family."
    if parent.ruleset.hash == child.hash:
        return f"The address says that this was made from {name}, but that is this ruleset itself."
    around = reading_context(parent.slug, parent.ruleset)
    rules = changed_rules(around, parent.family, parent.ruleset.parameters, child.parameters)
    typed = {rule.change.key: write_value(child.parameters[rule.change.key]) for rule in rules}
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
