"""Where a record of the dump is in the catalogue already, and is not the same there."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from catalogue.importers.loading import Loaded, load_rows
from catalogue.importers.rows import Row
from catalogue.importers.sightings import Difference
from catalogue.models import Citation, EvidenceUncertainty
from catalogue.portal_dump.records import DumpRecord


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
            found.append(_difference(record.identifier, "sources", sources[record.identifier], cited))
        doubted = {one["fields"]["factor"][0] for one in record.factors}
        if not doubted <= factors[record.identifier]:  # the catalogue's editors may know more of them
            found.append(_difference(record.identifier, "uncertainty factors", factors[record.identifier], doubted))
    loaded = Loaded()
    load_rows(rows, loaded, bring_up_to_date=False)
    return [*found, *_of_fields(loaded)]


def _stored(model: type[Citation] | type[EvidenceUncertainty], name: str, wanted: list[str]) -> dict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    rows = model.objects.filter(evidence__identifier__in=wanted).order_by()
    for identifier, value in rows.values_list("evidence__identifier", name):
        found[identifier].add(value)
    return found


def _difference(identifier: str, name: str, stored: set[str], offered: set[str]) -> Difference:
    return Difference(identifier, name, sorted(stored), "the catalogue", sorted(offered), "the dump")


def _of_fields(loaded: Loaded) -> Iterator[Difference]:
    for one in loaded.differences:
        identifier, *rest = one.key.split(" ")
        prefix = "" if one.model == "evidence" else f"{one.model} {rest[-1]}: "
        yield Difference(identifier, prefix + one.field, one.stored, "the catalogue", one.offered, "the dump")
