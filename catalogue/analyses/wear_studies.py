"""Wear studies as analyses: which of some candidate rulesets would wear the board of a record as it is worn.

`wear_plans` checks what is asked for; `wear_document`, which brings the statistics, computes what is told.
"""

import datetime
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import QuerySet

from catalogue.analyses.wear_plans import WearRequest, check_wear, written
from catalogue.models import Evidence, WearStudy
from simulator import rulesets
from simulator.analyses.protocol import AnalysisKind, CannotConclude, Document, Replays, register
from simulator.batches.traffic import layout_of
from simulator.engine.channels import Layout
from simulator.engine.documents import parse_kept
from simulator.engine.traffic import Sums
from simulator.models import Batch

SHIPPED = ("candidates", "of", "orders", "terms", "document")


class WearKind(AnalysisKind[WearRequest, WearStudy]):
    """Wear studies as analyses."""

    name, plural, title = "wear study", "wear", "Which rules fit a worn board"
    task, model, related = "catalogue.conclude_wear", WearStudy, ("record", "record__game")

    def columns(self, request: WearRequest) -> dict[str, Any]:
        return {
            "record": request.record,
            "candidates": request.candidates,
            "names": [one.name for one in request.played],
            "of": request.of,
            "orders": [written(order) for order in request.orders],
            "terms": request.terms,
            "batches": [one.id for one in request.requests],
        }

    def batch_ids(self, row: WearStudy) -> list[str]:
        return list(row.batches)

    def waiting_near(self, batches: Collection[Batch]) -> "QuerySet[WearStudy]":
        counted = any(batch.counts_traffic for batch in batches)
        return self.waiting() if counted else self.rows().none()

    def computed(self, row: WearStudy, batches: Mapping[str, Batch], request: WearRequest | None) -> dict[str, Any]:
        from catalogue.analyses.wear_document import document_of  # brings the statistics

        if request is None:
            terms = {name: value for name, value in row.terms.items() if name != "made"}
            chosen = row.terms.get("made") or row.candidates or row.names
            request = check_wear(row.record, chosen, of=row.of, **terms)
        if request.id != row.id:
            raise CannotConclude("the board, the observations or the engine have changed since: ask for it again")
        return {"document": document_of(request, [batches[one.id] for one in request.requests])}

    def shipped(self, request: WearRequest) -> Document:
        row = self.concluded(request)
        rules = [one.ruleset.document for one in request.played]
        told = {name: getattr(row, name) for name in SHIPPED}
        return {"record": row.record.identifier, "names": row.names, "rulesets": rules, **told}

    def keep(self, key: str, document: Document, moment: datetime.datetime) -> bool:
        record = Evidence.objects.filter(identifier=document["record"]).first()
        if record is None:
            return False
        for rules in document["rulesets"]:
            rulesets.save(parse_kept(rules))
        kept = {name: document[name] for name in ("names", *SHIPPED)}
        done = {"record": record, "state": WearStudy.State.DONE, "error": "", **kept}
        WearStudy.objects.update_or_create(id=key, defaults=done)
        WearStudy.objects.filter(id=key).update(created=moment)
        return True

    def recomputed(self, request: WearRequest, replays: Replays, document: Document) -> Document:
        from catalogue.analyses.wear_document import document_of, is_before_lopsided, without_lopsided

        def traffic(batch: Batch) -> tuple[Sums, Layout]:
            left = replays[batch.id].traffic
            assert left is not None
            return left, layout_of(batch)

        batches = [replays[one.id].batch for one in request.requests]
        found = document_of(request, batches, traffic)
        return {"document": without_lopsided(found) if is_before_lopsided(document["document"]) else found}


WEAR = register(WearKind())
