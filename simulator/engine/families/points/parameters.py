"""The parameters of the points family: the published schema, impossible combinations, and the rules in words."""

from collections.abc import Mapping
from typing import Any

from simulator.engine.families.points.constraints import check, unfired
from simulator.engine.families.points.schema import PROPERTIES, SCHEMA

__all__ = ["PROPERTIES", "SCHEMA", "check", "seats", "unfired"]


def seats(parameters: Mapping[str, Any]) -> int:
    """Points games have two players."""
    return 2
