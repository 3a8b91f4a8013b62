"""What the portal says of a game beyond its records, and which of its rulesets have become executable here."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Prefetch

from catalogue.models import Evidence, Game, PortalGame, PortalRuleset, Reading


@dataclass(frozen=True, slots=True)
class PortalRulesetView:
    """One of the portal's rulesets, which is prose. readings: those here that rest on a record it rests on"""

    ruleset: PortalRuleset
    records: tuple[Evidence, ...]
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class PortalStatements:
    game: PortalGame | None
    rulesets: tuple[PortalRulesetView, ...]

    def __bool__(self) -> bool:
        return self.game is not None or bool(self.rulesets)


def portal_statements(game: Game) -> PortalStatements:
    """Six queries at most, however many rulesets."""
    of_game = PortalGame.objects.filter(game=game).prefetch_related("regions", "periods", "categories").first()
    records = Prefetch("evidence", Evidence.objects.shown())
    rulesets = list(PortalRuleset.objects.filter(game=game).order_by("-is_main", "number").prefetch_related(records))
    readings = _readings_of({record.pk for ruleset in rulesets for record in ruleset.evidence.all()})
    return PortalStatements(of_game, tuple(_view(ruleset, readings) for ruleset in rulesets))


def _readings_of(records: set[int]) -> dict[int, list[Reading]]:
    """Record → readings, each reading in its order."""
    found: defaultdict[int, list[Reading]] = defaultdict(list)
    if records:
        links = Reading.evidence.through.objects.filter(evidence__in=records).select_related("reading")
        for link in links.order_by("reading__position", "reading__slug"):
            found[link.evidence_id].append(link.reading)
    return found


def _view(ruleset: PortalRuleset, readings: dict[int, list[Reading]]) -> PortalRulesetView:
    records = tuple(ruleset.evidence.all())
    resting = dict.fromkeys(reading for record in records for reading in readings.get(record.pk, ()))
    return PortalRulesetView(ruleset, records, tuple(resting))
