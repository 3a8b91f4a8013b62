"""The published JSON Schemas, one for each family: every parameter is described, with its off value.

The kernels take their numbers from here as well: the place of a parameter is its place in the schema, the number of a
word its place in the list of words.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from simulator.engine.tables import columns_of


@cache
def schema(family_name: str) -> dict[str, Any]:
    """Return the schema of a family."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / f"{family_name}.json").read_text(encoding="utf-8"))
    return found


def keys(family_name: str) -> tuple[str, ...]:
    """Return the parameters of a family in the order of its schema: they stand so in a kernel's array of rules."""
    return tuple(key for key in schema(family_name)["properties"] if key != "family")


@cache
def constants(family_name: str) -> dict[str, int]:
    """Return the numbers that a kernel knows its rules by, under the names that its code uses.

    `R_<KEY>` is the place of a parameter in the array of rules, `<KEY>_<WORD>` the number that stands there for one of
    its words. Of a table `<KEY>_COLUMN_<COLUMN>` is the place of a column in a row as numbers, and
    `<KEY>_ROW_<COLUMN>_<WORD>` the number for one of its words.
    """
    found: dict[str, int] = {}
    for place, key in enumerate(keys(family_name)):
        spec = schema(family_name)["properties"][key]
        words = words_of(spec)
        named = [("R_" + key, place), *((f"{key}_{word}", number) for number, word in enumerate(words))]
        for number, (column, inside) in enumerate(columns_of(spec).items()):
            listed = words_of(inside) or words_of(inside.get("items", {}))
            named += [(f"{key}_column_{column}", number)]
            named += [(f"{key}_row_{column}_{word}", place) for place, word in enumerate(listed)]
        for name, number in named:
            if name.upper() in found:
                raise ValueError(f"two numbers of the {family_name} kernel would be called {name.upper()}")
            found[name.upper()] = number
    return found


def constant(family_name: str, name: str) -> int:
    """Return one of `constants`, for the `__getattr__` of a kernel's module of rules; raises AttributeError."""
    try:
        return constants(family_name)[name]
    except KeyError:
        raise AttributeError(f"the schema of the {family_name} family has nothing that is called {name}") from None


def words_of(spec: Mapping[str, Any]) -> list[str]:
    """Return the words that a parameter may be, in the order of the kernel's numbers; also of one that may be an object
    instead of a word."""
    return list(next((one["enum"] for one in (spec, *spec.get("anyOf", ())) if "enum" in one), ()))


def as_number(value: Any, spec: Mapping[str, Any]) -> int:
    """Return a parameter as a kernel reads it: a word as its place in the schema's list, a flag as 0 or 1, numbers as a
    set of bits; 0 for a list of names, a table or an object, which become tables behind the parameters."""
    if isinstance(value, dict):
        return 0
    if isinstance(value, list):
        return sum(1 << item for item in value if isinstance(item, int))
    return int(words_of(spec).index(value) if isinstance(value, str) else value)
