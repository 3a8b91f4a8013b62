"""`fields=`: only what is asked for of each row, so that a long list of names need not carry every text."""

from collections.abc import Iterable
from typing import Any

from rest_framework.serializers import ListSerializer

from catalogue.texts.errors import nearest_word
from catalogue.web.problem_document import RefusedRequest
from simulator.engine.ruleset import Problem

FIELDS = "fields"
REPEATED = 60  # characters of a wrong name
MOST_NAMED = 10


def wanted_fields(text: str, known: Iterable[str]) -> frozenset[str]:
    """The names, parted by commas; raises RefusedRequest for those that no row has."""
    names, wanted = list(known), [name.strip() for name in text.split(",")]
    unknown = [name for name in wanted if name not in names]
    if unknown:
        there_are = ", ".join(names)
        raise RefusedRequest(
            Problem(FIELDS, f"there is no field {name[:REPEATED]!r}; there are {there_are}", nearest_word(name, names))
            for name in unknown[:MOST_NAMED]
        )
    return frozenset(wanted)


def keep_only(wanted: frozenset[str], serializer: Any) -> Any:
    """The serializer with those fields only; with all of them if none is named."""
    one: Any = serializer.child if isinstance(serializer, ListSerializer) else serializer
    for name in [name for name in one.fields if wanted and name not in wanted]:
        one.fields.pop(name)
    return serializer
