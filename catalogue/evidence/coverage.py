"""What each record's words are used for, and which rules of its readings rest on no words."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from django.db.models import Q, QuerySet

from catalogue.evidence.clauses import clauses_of
from catalogue.models import Anchor, Evidence, Reading
from catalogue.texts.anchors import Coverage, Span, coverage


def coverage_of(records: Sequence[Evidence]) -> list[dict[str, Any]]:
    """Words and anchored words of their texts; clauses of their readings. Six queries, however many records."""
    anchors: dict[int, list[Anchor]] = defaultdict(list)
    for anchor in used_words(records).order_by():
        anchors[anchor.evidence_id].append(anchor)
    readings: dict[tuple[int, int], list[str]] = defaultdict(list)
    rows = Reading.objects.filter(evidence__in=records).order_by("pk").values_list("evidence", "game", "slug")
    for number, game, slug in rows:
        readings[number, game].append(slug)
    clauses = clauses_of({slug for slugs in readings.values() for slug in slugs}) if readings else {}
    found = []
    for record in records:
        own = {one.clause.pk: one.clause for slug in readings[record.pk, record.game_id] for one in clauses[slug]}
        found.append(
            {
                "record": record.identifier,
                "game": record.game.slug,
                "quotation": _share(record.quotation, Anchor.Field.QUOTATION, anchors[record.pk]),
                "paraphrase": _share(record.paraphrase, Anchor.Field.PARAPHRASE, anchors[record.pk]),
                "clauses": len(own),
                "clauses_without_words": sorted(str(one) for one in own.values() if not one.anchors.all()),
            }
        )
    return found


def used_words(records: Iterable[Evidence]) -> QuerySet[Anchor]:
    """Anchors of rules and of claims in these records."""
    owned = Q(clause__isnull=False) | Q(claim__isnull=False)
    return Anchor.objects.filter(owned, evidence__in=records)


def coverage_of_text(text: str, field: str, anchors: Iterable[Anchor]) -> Coverage:
    """The coverage of one text of a record by anchors of rules and of claims."""
    supporting: list[Span] = []
    opposing: list[Span] = []
    claimed: list[Span] = []
    for anchor in anchors:
        if anchor.field == field:
            against = anchor.stance == Anchor.Stance.CONTRADICTS
            (claimed if anchor.claim_id else opposing if against else supporting).append(anchor.span)
    return coverage(text, supporting, opposing, claimed)


def _share(text: str, field: str, anchors: list[Anchor]) -> dict[str, Any]:
    found = coverage_of_text(text, field, anchors)
    share = found.share
    return {**asdict(found), "share": None if share is None else round(share, 4)}
