"""Where a record of the dump is in the catalogue already, and is not the same there."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from catalogue.loading.load_rows import Loaded, load_rows
from catalogue.loading.rows import Row
from catalogue.models import Citation, Evidence, EvidenceUncertainty
from catalogue.portal.differences import stored_differences
from catalogue.portal.dump.records import ONLY_IN_THE_DUMP, DumpRecord
from catalogue.portal.reports import FieldDifference

LONGEST_REPORTED = 400  # characters of a text: a hundred megabytes of other texts must fit into a report
BEFORE = 80  # characters of what is the same that are reported before the first difference


def difference(identifier: str, name: str, stored: Any, offered: Any) -> FieldDifference:
    return shortened(FieldDifference(identifier, name, stored, "the catalogue", offered, "the dump"))


def shortened(one: FieldDifference) -> FieldDifference:
    """Of long texts the part round the first place where they differ."""
    stored, offered = one.kept, one.offered
    texts = isinstance(stored, str) and isinstance(offered, str)
    if not texts or max(len(stored), len(offered)) <= LONGEST_REPORTED:
        return one
    first = max(0, _length_of_common_beginning(stored, offered) - BEFORE)
    return replace(one, kept=_part(stored, first), offered=_part(offered, first))


def _length_of_common_beginning(one: str, other: str) -> int:
    lengths = range(1, min(len(one), len(other)) + 1)
    return bisect_left(lengths, True, key=lambda length: one[:length] != other[:length])


def _part(text: str, first: int) -> str:
    part = text[first : first + LONGEST_REPORTED]
    return f"{'…' if first else ''}{part}{'…' if first + LONGEST_REPORTED < len(text) else ''}"


def differences(records: Sequence[DumpRecord]) -> list[FieldDifference]:
    """Field by field, with a few queries for all of them. Nothing is written."""
    wanted = [record.identifier for record in records]
    sources, factors = _stored(Citation, "source__key", wanted), _stored(EvidenceUncertainty, "factor__slug", wanted)
    others = dict(Evidence.objects.filter(identifier__in=wanted).values_list("identifier", "other_fields"))
    found: list[FieldDifference] = []
    rows: list[Row] = []
    for record in records:
        rows.append(_as_printed(record, others.get(record.identifier, {})))
        stored, cited = sources[record.identifier], {one["fields"]["source"][0] for one in record.citations}
        if cited == stored:
            rows += record.citations
        else:
            found.append(difference(record.identifier, "sources", sorted(stored), sorted(cited)))
        known, named = factors[record.identifier], {one["fields"]["factor"][0] for one in record.factors}
        if not named <= known:  # the catalogue's editors may know more of them
            found.append(difference(record.identifier, "uncertainty factors", sorted(known), sorted(named)))
    loaded = Loaded()
    load_rows(rows, loaded, bring_up_to_date=False)
    return [*found, *map(shortened, stored_differences(loaded, "the dump"))]


def _as_printed(record: DumpRecord, stored: Mapping[str, Any]) -> Row:
    """The record's row without what its page does not print, where the catalogue has not got it either."""
    fields = record.evidence["fields"]
    others = {
        label: words
        for label, words in fields["other_fields"].items()
        if label in stored or label not in ONLY_IN_THE_DUMP
    }
    return {**record.evidence, "fields": {**fields, "other_fields": others}}


def _stored(model: type[Citation] | type[EvidenceUncertainty], name: str, wanted: list[str]) -> dict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    rows = model.objects.filter(evidence__identifier__in=wanted).order_by()
    for identifier, value in rows.values_list("evidence__identifier", name):
        found[identifier].add(value)
    return found
