"""Texts that differ in white space only are the same text. Pure Python."""

from typing import Any


def same(one: Any, other: Any) -> bool:
    """Equal but for white space, at any depth of lists and dictionaries."""
    return bool(_folded(one) == _folded(other))


def _folded(value: Any) -> Any:
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, (list, tuple)):
        return [_folded(item) for item in value]
    if isinstance(value, dict):
        return {key: _folded(item) for key, item in value.items()}
    return value
