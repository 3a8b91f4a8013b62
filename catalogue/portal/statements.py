"""What the portal says of a game beyond its records, and which of its rulesets have become executable here."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Prefetch

from catalogue.models import Evidence, Game, Place, PortalGame, PortalRuleset, Reading

LINKS = (
    "regions", "periods", "categories", "sources",
    Prefetch("origin_points", Place.objects.select_related("part_of")),
)  # fmt: skip
# How columns of the portal are called on a page; those of `YES_OR_NO` hold 1 or 0.
LABELS = {
    "DLPGame": "Of the Digital Ludeme Project",
    "PublicGame": "Public in the portal",
    "ProprietaryGame": "Proprietary",
    "LudiiRuleset": "Ruleset that Ludii plays",
    "Credit": "Credit",
    "SeeAlso": "See also",
    "EvidenceRange": "Range of the evidence",
    "OriginPoint": "Point of origin, as printed",
    "BGGId": "BoardGameGeek, as printed",
}
LINKS_OF_RULESETS = ("regions", "periods", LINKS[-1])
YES_OR_NO = {"1": "yes", "0": "no"}


def in_words(columns: Mapping[str, str]) -> list[tuple[str, str]]:
    """Further columns of the portal as a page names them."""
    return [(LABELS.get(name, name), _value(name, words)) for name, words in columns.items()]


def _value(name: str, words: str) -> str:
    if name in ("DLPGame", "PublicGame", "ProprietaryGame"):
        return YES_OR_NO.get(words, words)
    return f"DLP.Ruleset.{words}" if name == "LudiiRuleset" and words.isdigit() else words


@dataclass(frozen=True, slots=True)
class PortalRulesetView:
    """One of the portal's rulesets, which is prose. readings: those here that rest on a record it rests on"""

    ruleset: PortalRuleset
    records: tuple[Evidence, ...]
    readings: tuple[Reading, ...]

    @property
    def says_more(self) -> bool:
        """Than its name, its kind and its summary."""
        ruleset = self.ruleset
        texts = (ruleset.description, ruleset.rules, ruleset.reference, ruleset.origin, ruleset.other_fields)
        return any(texts) or any(map(len, (ruleset.regions.all(), ruleset.periods.all(), ruleset.origin_points.all())))

    @property
    def other_fields(self) -> list[tuple[str, str]]:
        return in_words(self.ruleset.other_fields)


@dataclass(frozen=True, slots=True)
class PortalStatements:
    game: PortalGame | None
    rulesets: tuple[PortalRulesetView, ...]

    @property
    def other_fields(self) -> list[tuple[str, str]]:
        """Return the other fields of the game."""
        return in_words(self.game.other_fields) if self.game else []

    def __bool__(self) -> bool:
        return self.game is not None or bool(self.rulesets)


def portal_statements(game: Game) -> PortalStatements:
    """Eleven queries at most, however many rulesets."""
    of_game = PortalGame.objects.filter(game=game).prefetch_related(*LINKS).first()
    records = Prefetch("evidence", Evidence.objects.shown())
    rulesets = list(
        PortalRuleset.objects.filter(game=game)
        .order_by("-is_main", "number")
        .prefetch_related(records, *LINKS_OF_RULESETS)
    )
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
