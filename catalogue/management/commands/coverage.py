"""How much of each record's words carries a rule, and which rules rest on no words."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogue.apparatus.anchors import Coverage, coverage
from catalogue.apparatus.clauses import clauses_of
from catalogue.models import Anchor, Evidence, Reading
from catalogue.views.refusals import nearest_word


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("records", nargs="*", metavar="RECORD", help="for example DLP.Evidence.1386; default: all")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: Any, **options: Any) -> None:
        records = list(Evidence.objects.select_related("game"))
        known = {record.identifier: record for record in records}
        for name in options["records"]:
            if name not in known:
                near = nearest_word(name, known)
                hint = f" (nearest: {near})" if near else ""
                raise CommandError(f"Refused: there is no record {name!r}{hint}", returncode=2)
        wanted = [known[name] for name in options["records"]] or records
        found = [told(record) for record in wanted]
        if options["json"]:
            self.stdout.write(json.dumps({"records": found}, ensure_ascii=False, indent=2))
            return
        for one in found:
            self.stdout.write(_line(one))


def told(record: Evidence) -> dict[str, Any]:
    """Words and anchored words of a record's texts; clauses of its readings, and those without any words."""
    anchors = list(Anchor.objects.filter(evidence=record, clause__isnull=False))
    slugs = Reading.objects.filter(evidence=record, game=record.game).values_list("slug", flat=True)
    clauses = {one.clause.pk: one.clause for held in clauses_of(slugs).values() for one in held}
    return {
        "record": record.identifier,
        "game": record.game.slug,
        "quotation": _share(coverage(record.content, [a.span for a in anchors if a.field == Anchor.Field.CONTENT])),
        "paraphrase": _share(coverage(record.rules, [a.span for a in anchors if a.field == Anchor.Field.RULES])),
        "clauses": len(clauses),
        "clauses_without_words": sorted(str(one) for one in clauses.values() if not one.anchors.all()),
    }


def _share(found: Coverage) -> dict[str, Any]:
    share = found.share
    return {"words": found.words, "anchored": found.anchored, "share": None if share is None else round(share, 4)}


def _line(one: dict[str, Any]) -> str:
    shares = [
        f"{name} {100 * one[name]['share']:.0f} % of {one[name]['words']} words"
        for name in ("quotation", "paraphrase")
        if one[name]["words"]
    ]
    without = len(one["clauses_without_words"])
    return f"{one['record']} ({one['game']}): {', '.join(shares)}; {without} of {one['clauses']} clauses without words"
