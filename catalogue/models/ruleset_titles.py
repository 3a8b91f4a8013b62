"""What a ruleset is called in words, on pages, in citations and in the API.

A hash says nothing to a reader. Rules that nobody reads from a source are called after the reading that they are
nearest to, and what they have otherwise: "Puhulmutu, after Parker, but: a single counter may not begin a turn".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from catalogue.models.apparatus import Reading
from catalogue.texts.formatting import listed, lowered
from simulator import rulesets
from simulator.engine.family import NOT_ARISING, family
from simulator.models import Ruleset, RulesetVersion

MOST_SAID = 2  # rules that are told; more are counted
LONGEST_HEADING = 100  # characters: with a few words before it three lines of a phone


@dataclass(frozen=True, slots=True)
class RulesetTitle:
    """base: of what it is, or is nearest to; but: what it has otherwise; near: the first reading that base names."""

    base: str
    but: tuple[str, ...] = ()
    near: Reading | None = None

    def __str__(self) -> str:
        if not self.but:
            return self.base
        return self._saying(MOST_SAID)

    @property
    def whole(self) -> str:
        """With every rule that it has otherwise."""
        return self._saying(len(self.but)) if self.but else self.base

    @property
    def heading(self) -> str:
        """The title as far as the heading of a page has room for it; what is left out is counted."""
        if not self.but:
            return self.base
        number = len(self.but)
        counted = f"with {f'{number} rules' if number > 1 else 'a rule'} changed"
        said = (self._saying(most) for most in range(number, 0, -1))
        game = self.base.partition(", ")[0]
        shorter = (*said, f"{self.base}, {counted}", f"{game}, {counted}")
        return next((one for one in shorter if len(one) <= LONGEST_HEADING), shorter[-1])

    def _saying(self, most: int) -> str:
        more = len(self.but) - most
        rest = [f"{more} rule{'s' if more > 1 else ''} more"] if more > 0 else []
        return f"{self.base}, but: {'; '.join([*self.but[:most], *rest])}"


class RulesetTitles:
    """Titles of any number of rulesets: two queries in all, and none before the first title is asked for."""

    def of(self, row: Ruleset, slug: str = "") -> RulesetTitle:
        """slug: which reading is meant, where several have the same content; else all of them are named."""
        if own := self._versions.get(row.hash):
            return _own([one for one in own if one[0].slug == slug] or own)
        near = min(self._newest, key=lambda one: self._distance(row, one[1]), default=None)
        if near is None or near[1].family != row.family:
            return RulesetTitle(f"ruleset {row.hash[:8]}")
        return RulesetTitle(near[0].title, _otherwise(row, near[1]), near[0])

    @cached_property
    def _rows(self) -> list[tuple[Reading, RulesetVersion]]:
        """Every version that a reading has, the oldest first, as readings are ordered."""
        readings = {reading.slug: reading for reading in Reading.objects.order_by("game__name", "position", "slug")}
        versions = RulesetVersion.objects.filter(slug__in=list(readings)).select_related("ruleset").order_by("number")
        place = {slug: number for number, slug in enumerate(readings)}
        return [(readings[version.slug], version) for version in sorted(versions, key=lambda one: place[one.slug])]

    @cached_property
    def _versions(self) -> Mapping[str, list[tuple[Reading, int, int]]]:
        """Content → the readings that have or had it: (reading, number, the reading's newest number)."""
        newest = {reading.slug: one.number for reading, one in self._rows}
        found: dict[str, list[tuple[Reading, int, int]]] = {}
        for reading, one in self._rows:
            found.setdefault(one.ruleset_id, []).append((reading, one.number, newest[reading.slug]))
        return found

    @cached_property
    def _newest(self) -> list[tuple[Reading, Ruleset]]:
        return list({reading.slug: (reading, one.ruleset) for reading, one in self._rows}.values())

    @staticmethod
    def _distance(row: Ruleset, other: Ruleset) -> tuple[bool, int]:
        return row.family != other.family, len(_differing(row, other))


def _own(versions: Sequence[tuple[Reading, int, int]]) -> RulesetTitle:
    """By the readings that have this content now; if none has, by the first that had it."""
    now = [reading for reading, number, newest in versions if number == newest]
    if not now:
        reading, number, _ = versions[0]
        return RulesetTitle(f"{reading.title}, version {number}", (), reading)
    parts = [reading.title.partition(", ") for reading in now]
    if len({manner for _, _, manner in parts}) > 1:
        return RulesetTitle(" · ".join(reading.title for reading in now), (), now[0])
    games = [game for game, _, _ in parts]
    return RulesetTitle("".join((listed(games), *parts[0][1:])), (), now[0])


def _differing(row: Ruleset, other: Ruleset) -> set[str]:
    """The parameters that are not alike: what a document leaves out is at its off value."""
    one, two = row.document, other.document
    return {key for key in one.keys() | two.keys() if one.get(key) != two.get(key)}


def as_clauses(sentences: Iterable[str]) -> tuple[str, ...]:
    """Sentences as they stand after "but:"."""
    return tuple(lowered(text.rstrip(".")) for text in sentences)


def _otherwise(row: Ruleset, other: Ruleset) -> tuple[str, ...]:
    """What a ruleset says where it differs from another, in the order of the schema."""
    said = family(row.family).sentences(rulesets.as_engine(row))
    differing = _differing(row, other)
    words = [text for key, text in said.items() if key in differing and text != NOT_ARISING]
    return as_clauses(words) or ("some rule that never arises",)
