"""What is played of what the words say: rules that are told and not played, and what a record is by that.

A clause whose `not_played` is set is read and is not played: the words tell the rule, and no parameter has it. It
covers no parameter. A reading has the clauses it states itself: which rules are left out is said of each reading.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import models
from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThanOrEqual

from catalogue.models.apparatus import Answer, Clause, Reading
from catalogue.models.evidence import Evidence
from simulator.models import RulesetVersion

FEWEST_CHARACTERS = 150  # of a text that may tell how a game is played


@dataclass(frozen=True, slots=True)
class UnplayedRule:
    """A rule that a reading has and that is not played. wish: what is missing here, in a short tag"""

    reading: str
    title: str
    slug: str
    rule: str
    wish: str
    game: str

    @property
    def key(self) -> str:
        return f"{self.reading}/{self.slug}"


def unplayed_rules(readings: Iterable[str] | None = None) -> dict[str, list[UnplayedRule]]:
    """The rules that are not played, by the slug of their reading; of these readings, or of all. One query."""
    rows = Clause.objects.exclude(not_played="").order_by("reading__slug", "position", "slug")
    if readings is not None:
        rows = rows.filter(reading__slug__in=list(readings))
    found: dict[str, list[UnplayedRule]] = defaultdict(list)
    columns = ("reading__slug", "reading__title", "slug", "text", "not_played", "reading__game__slug")
    for slug, title, clause, text, wish, game in rows.values_list(*columns):
        found[slug].append(UnplayedRule(slug, title, clause, text.partition("\n\n")[0], wish, game))
    return dict(found)


def in_part_in_words(rules: Iterable[UnplayedRule]) -> str:
    """ "Played in part: of Pancha keliya, after Marin, one rule that the words tell is not played"; empty of none."""
    by_reading: dict[str, list[UnplayedRule]] = defaultdict(list)
    for rule in rules:
        by_reading[rule.title].append(rule)
    parts = [
        f"{'one rule' if len(some) == 1 else f'{len(some)} rules'} of {title}" for title, some in by_reading.items()
    ]
    return f"Played in part: {', '.join(parts)} left out" if parts else ""


class Playability(models.TextChoices):
    """What a record is: how what its words tell can be played here."""

    PLAYABLE = "playable", "playable"
    IN_PART = "playable_in_part", "playable in part"
    UNREAD = "rules_unread", "not playable yet: nobody has made a ruleset of its words"
    WITHOUT_RULES = "without_rules", "without rules"


def with_playability(records: "QuerySet[Evidence]") -> "QuerySet[Evidence]":
    """The records, each with its `playability`; no further query is made.

    A record is playable where one of its readings is played whole, and in part where each leaves something out.
    """
    loaded = RulesetVersion.objects.values("slug")
    readings = Reading.evidence.through.objects.filter(evidence=OuterRef("pk"), reading__slug__in=loaded)
    unplayed = Clause.objects.exclude(not_played="").order_by().values("reading")
    return records.annotate(
        playability=Case(
            When(Exists(readings.exclude(reading__in=unplayed)), then=Value(Playability.PLAYABLE)),
            When(Exists(readings), then=Value(Playability.IN_PART)),
            When(
                GreaterThanOrEqual(Length("quotation") + Length("paraphrase"), FEWEST_CHARACTERS),
                then=Value(Playability.UNREAD),
            ),
            default=Value(Playability.WITHOUT_RULES),
        )
    )


@dataclass(frozen=True, slots=True)
class WantedFeature:
    """What is missing here: the rules that wait for it, and in how many readings and games."""

    tag: str
    rules: tuple[UnplayedRule, ...]

    @property
    def readings(self) -> int:
        return len({rule.reading for rule in self.rules})

    @property
    def games(self) -> int:
        return len({rule.game for rule in self.rules})


def wishes() -> list[WantedFeature]:
    """What is missing, the most wanted first: by games, then readings, then rules. One query."""
    by_tag: dict[str, list[UnplayedRule]] = defaultdict(list)
    for rules in unplayed_rules().values():
        for rule in rules:
            by_tag[rule.wish].append(rule)
    found = [WantedFeature(tag, tuple(rules)) for tag, rules in by_tag.items()]
    return sorted(found, key=lambda one: (-one.games, -one.readings, -len(one.rules), one.tag))


def answers_without_ruleset() -> list[Answer]:
    """The answers to open questions that no ruleset can give: wishes that nobody has named yet. One query."""
    rows = Answer.objects.filter(values__isnull=True).select_related("question__game")
    return list(rows.order_by("question__game__slug", "question__position", "position"))
