"""Find the words of anchors again after the text of their record was changed.

0: every anchor stands where its words are, or its new place is certain. 1: a person must decide on some. 2: there is no
such record.
"""

from argparse import ArgumentParser
from typing import Any

from catalogue.evidence.reanchoring import Proposal, apply, proposals
from catalogue.management.named_rows import named_records
from catalogue.models import Evidence
from simulator.management.command_line import CommandFailed, PlainCommand, add_common_arguments, as_json


class Command(PlainCommand):
    help = __doc__
    requires_system_checks = ()  # the check of the anchors is what it mends

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("records", nargs="*", metavar="RECORD", help="identifiers of records; all if none is named")
        parser.add_argument("--apply", action="store_true", help="set the anchors whose new place is certain")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        found = proposals(named_records(Evidence.objects.order_by("identifier"), options["records"]))
        documents = [_document(proposal) for proposal in found]  # before they are set: they say where the words stood
        applied = apply(found) if options["apply"] else 0
        certain = sum(proposal.is_certain for proposal in found)
        left = len(found) - certain
        if options["json"]:
            counts = {"broken": len(found), "certain": certain, "applied": applied, "for_a_person": left}
            self.stdout.write(as_json({**counts, "anchors": documents}))
        else:
            self._print(documents, certain, applied, left)
        if left:
            raise CommandFailed(f"{left} of {len(found)} broken anchors need a person: the admin takes the right words")

    def _print(self, documents: list[dict[str, Any]], certain: int, applied: int, left: int) -> None:
        if not documents:
            self.stdout.write("Every anchor stands where its words are.")
        for document in documents:
            self.stdout.write(f"{document['anchor']} ({document['record']}, {document['text']})")
            self.stdout.write(
                f"  was {document['was']['start']}–{document['was']['end']}: {document['was']['exact']!r}"
            )
            now = document["now"]
            if now:
                words = "the same words" if now["exact"] == document["was"]["exact"] else f"{now['exact']!r}"
                self.stdout.write(f"  now {now['start']}–{now['end']}: {words} (similarity {now['similarity']})")
            if document["doubt"]:
                self.stdout.write(f"  for a person to decide: {document['doubt']}")
        if certain:
            self.stdout.write(f"set: {applied}" if applied else f"certain: {certain}; --apply sets them")


def _document(one: Proposal) -> dict[str, Any]:
    anchor, now = one.anchor, one.found
    return {
        "anchor": anchor.key,
        "record": anchor.evidence.identifier,
        "text": anchor.field,
        "was": {"start": anchor.start, "end": anchor.end, "exact": anchor.exact},
        "now": now and {"start": now.span.start, "end": now.span.end, "exact": now.exact, "similarity": now.similarity},
        "certain": one.is_certain,
        "doubt": one.uncertainty,
    }
