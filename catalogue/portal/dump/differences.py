"""Where a record of the dump is in the catalogue already, and is not the same there."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from catalogue.loading.load_rows import Loaded, load_rows
from catalogue.loading.rows import Row
from catalogue.models import Citation, EvidenceUncertainty
from catalogue.portal.dump.records import DumpRecord
from catalogue.portal.sightings import Difference

LONGEST_TOLD = 400  # characters of a text that is told: a hundred megabytes of other texts must fit into a report
BEFORE = 80  # characters of what is the same that are told before the first difference


def told(identifier: str, name: str, stored: Any, offered: Any) -> Difference:
    """A difference for the report; of long texts the part round the first place where they differ."""
    if isinstance(stored, str) and isinstance(offered, str) and max(len(stored), len(offered)) > LONGEST_TOLD:
        first = max(0, _first_difference(stored, offered) - BEFORE)
        stored, offered = _part(stored, first), _part(offered, first)
    return Difference(identifier, name, stored, "the catalogue", offered, "the dump")


def _first_difference(one: str, other: str) -> int:
    same, most = 0, min(len(one), len(other))
    while same < most:
        middle = (same + most + 1) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same


def _part(text: str, first: int) -> str:
    part = text[first : first + LONGEST_TOLD]
    return f"{'…' if first else ''}{part}{'…' if first + LONGEST_TOLD < len(text) else ''}"


def differences(records: Sequence[DumpRecord]) -> list[Difference]:
    """Field by field, with a few queries for all of them. Nothing is written."""
    wanted = [record.identifier for record in records]
    sources, factors = _stored(Citation, "source__key", wanted), _stored(EvidenceUncertainty, "factor__slug", wanted)
    found: list[Difference] = []
    rows: list[Row] = []
    for record in records:
        rows.append(record.evidence)
        cited = {one["fields"]["source"][0] for one in record.citations}
        if cited == sources[record.identifier]:
            rows += record.citations
        else:
            found.append(told(record.identifier, "sources", sorted(sources[record.identifier]), sorted(cited)))
        doubted = {one["fields"]["factor"][0] for one in record.factors}
        if not doubted <= factors[record.identifier]:  # the catalogue's editors may know more of them
            known = sorted(factors[record.identifier])
            found.append(told(record.identifier, "uncertainty factors", known, sorted(doubted)))
    loaded = Loaded()
    load_rows(rows, loaded, bring_up_to_date=False)
    return [*found, *_of_fields(loaded)]


def _stored(model: type[Citation] | type[EvidenceUncertainty], name: str, wanted: list[str]) -> dict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    rows = model.objects.filter(evidence__identifier__in=wanted).order_by()
    for identifier, value in rows.values_list("evidence__identifier", name):
        found[identifier].add(value)
    return found


def _of_fields(loaded: Loaded) -> Iterator[Difference]:
    for one in loaded.differences:
        identifier, *rest = one.key.split(" ")
        prefix = "" if one.model == "evidence" else f"{one.model} {rest[-1]}: "
        yield told(identifier, prefix + one.field, one.stored, one.offered)
