"""Copies of the small records that referees change: `dataclasses.replace` asks every field anew what it is."""

from typing import Any, TypeVar

Record = TypeVar("Record")


def shallow_copy(record: Record, **changed: Any) -> Record:
    """Another record with the same values in all slots, but for those that are given."""
    kind: Any = type(record)
    other: Record = object.__new__(kind)
    for name in kind.__slots__:
        setattr(other, name, getattr(record, name))
    for name, value in changed.items():
        setattr(other, name, value)
    return other
