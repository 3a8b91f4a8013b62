"""Records that a command names."""

from collections.abc import Sequence

from django.db.models import QuerySet

from catalogue.models import Evidence
from catalogue.texts.words import nearest_word
from simulator.management.command_line import WrongUsage


def named_records(rows: "QuerySet[Evidence]", identifiers: Sequence[str]) -> list[Evidence]:
    """The records of these names, or all rows if none is named; raises WrongUsage for a name that none has."""
    by_name = {record.identifier: record for record in rows}
    for name in identifiers:
        if name not in by_name:
            near = nearest_word(name, by_name)
            raise WrongUsage(f"there is no record {name!r}" + (f" (nearest valid value: {near})" if near else ""))
    return [by_name[name] for name in dict.fromkeys(identifiers or by_name)]
