"""A ruleset as somebody named it: its content, the version meant, its other names, and what it is a reading of."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, Q

from catalogue.models import Evidence, Reading
from simulator import rulesets
from simulator.models import Ruleset, RulesetVersion


@dataclass(frozen=True, slots=True)
class NamedRuleset:
    """Content with the name it was found by, if it has one, and the meaning of that name.

    versions:  every version of the name, the newest first
    synonyms:  other names of the same content
    """

    content: Ruleset
    version: RulesetVersion | None
    versions: list[RulesetVersion]
    synonyms: list[str]
    reading: Reading | None

    @property
    def name(self) -> str:
        """`slug@number`, else the hash: what it will always be called."""
        return str(self.version) if self.version else self.content.hash

    @property
    def short_name(self) -> str:
        """The slug alone, if that means this content now."""
        return self.version.slug if self.version and self.version == self.versions[0] else self.name


def named(name: str) -> NamedRuleset | None:
    """The ruleset of a slug, slug@number, hash or its beginning; raises WrongRequest if there is none such.

    None if it is among the shipped files but was not loaded.
    """
    content = Ruleset.objects.prefetch_related("versions").filter(hash=rulesets.find(name).hash).first()
    if content is None:
        return None
    versions = list(content.versions.all())
    meant = next((one for one in versions if name in (one.slug, str(one))), versions[0] if versions else None)
    return described([(content, meant)])[0]


def described(found: Sequence[tuple[Ruleset, RulesetVersion | None]]) -> list[NamedRuleset]:
    """Rulesets with their names and readings: three queries, however many rulesets."""
    slugs = {version.slug for _, version in found if version}
    alike = Q(slug__in=slugs) | Q(ruleset__in=[content.hash for content, _ in found])
    versions = list(RulesetVersion.objects.filter(alike).select_related("parent").order_by("slug", "-number"))
    evidence = Prefetch("evidence", Evidence.objects.only("identifier"))
    readings = Reading.objects.filter(slug__in=slugs).select_related("game", "rests_on").prefetch_related(evidence)
    by_slug = {reading.slug: reading for reading in readings}
    return [
        NamedRuleset(
            content,
            version,
            [one for one in versions if version and one.slug == version.slug],
            [str(one) for one in versions if one.ruleset_id == content.hash and one != version],
            by_slug.get(version.slug) if version else None,
        )
        for content, version in found
    ]
