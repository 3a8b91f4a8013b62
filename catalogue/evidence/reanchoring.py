"""Anchors whose text was changed under them: where their words stand now, and setting those that are certain."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db import transaction

from catalogue.history.histories import texts_of_anchors
from catalogue.models import Anchor, Evidence
from catalogue.texts.anchors import Relocated, digest_of, relocate

REASON = "Words found again after the text was changed"


@dataclass(frozen=True, slots=True)
class Proposal:
    """An anchor that is broken, and where its words may stand now; None if nothing there is like them."""

    anchor: Anchor
    found: Relocated | None

    @property
    def is_certain(self) -> bool:
        return self.found is not None and not self.found.uncertainty

    @property
    def uncertainty(self) -> str:
        """Why a person must decide; empty if nobody must."""
        return self.found.uncertainty if self.found else "nothing in the text is like the words"


def broken_anchors(records: Iterable[Evidence]) -> Iterator[tuple[Anchor, str]]:
    """The anchors of these records that do not fit their texts, and why. One query; each text is looked at once."""
    by_number = {record.pk: record for record in records}
    digests = {
        (pk, name): digest_of(record.text(name)) for pk, record in by_number.items() for name in Anchor.Field.values
    }
    for anchor in Anchor.objects.filter(evidence__in=by_number.keys()):
        anchor.evidence = by_number[anchor.evidence_id]
        if problem := anchor.problem(digests[anchor.evidence_id, anchor.field]):
            yield anchor, problem


def proposals(records: Iterable[Evidence]) -> list[Proposal]:
    """One for each broken anchor of these records, in the order of their texts. Two queries."""
    return _followed([anchor for anchor, _ in broken_anchors(records)])


def proposal(anchor: Anchor) -> Proposal | None:
    """The proposal for an anchor; None if it is not broken. Two queries."""
    return _followed([anchor])[0] if anchor.problem() else None


def _followed(broken: list[Anchor]) -> list[Proposal]:
    texts = texts_of_anchors(broken)
    return [Proposal(anchor, _found(anchor, texts)) for anchor in broken]


def _found(anchor: Anchor, texts: Mapping[tuple[int, str, str], str]) -> Relocated | None:
    before = texts.get((anchor.evidence_id, anchor.field, anchor.text_sha256))
    text = anchor.evidence.text(anchor.field)
    return relocate(text, anchor.exact, anchor.prefix, anchor.suffix, anchor.span, before)


@dataclass(frozen=True, slots=True)
class Carried:
    """What became of the anchors of a record whose text was changed. again: found again, and set; left: for a person"""

    again: int
    left: tuple[Proposal, ...]

    @property
    def words(self) -> str:
        """ "24 of 26 anchors found again, 2 need you."; empty if none had to be found."""
        every = self.again + len(self.left)
        if not every:
            return ""
        need = f", {len(self.left)} need{'s' if len(self.left) == 1 else ''} you: on the desk" if self.left else ""
        return f"{self.again} of {every} anchor{'s' if every > 1 else ''} found again{need}."


def carry_along(record: Evidence) -> Carried:
    """Let the anchors of a record follow their words, where these stand now for certain. The record has been saved."""
    proposed = proposals([record])
    return Carried(apply(proposed), tuple(one for one in proposed if not one.is_certain))


def set_place(anchor: Anchor, found: Relocated) -> None:
    """Let an anchor stand where its words were found, without saving it."""
    anchor.start, anchor.end = found.span.start, found.span.end
    anchor.exact, anchor.prefix, anchor.suffix = found.exact, found.prefix, found.suffix
    anchor.text_sha256 = digest_of(anchor.evidence.text(anchor.field))


def apply(proposed: Iterable[Proposal]) -> int:
    """Set the anchors whose place is certain, each with a revision of its own; returns how many."""
    certain = [(one.anchor, one.found) for one in proposed if one.is_certain and one.found]
    with transaction.atomic():
        for anchor, found in certain:
            set_place(anchor, found)
            anchor._change_reason = REASON  # type: ignore[attr-defined]
            anchor.save()
    return len(certain)
