"""What the constraints of all families share: rules that can never fire while the others are as they are.

A parameter that changes nothing is refused like an impossible one: two documents for one game would have two hashes.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Rules = Mapping[str, Any]
Inactive = tuple[str, str]  # a key that never fires, and why
Impossible = tuple[str, str, Any]  # a key, what is wrong with it, the nearest valid value
Need = tuple[
    str, tuple[Any, ...] | None
]  # the key needed, the values that let the rule fire; None: any but the off value


def unmet_needs(
    needs: Iterable[tuple[str, Need]], rules: Rules, properties: Rules, written: Callable[[Any], str] = json.dumps
) -> Iterator[Inactive]:
    """The keys that never fire because another has no value that lets them.

    needs: (key, what it needs); properties: those of the schema; written: how a value stands in the reason
    """
    for key, (needed, values) in needs:
        if values is None:
            is_met, wanted = rules[needed] != properties[needed]["default"], "is set"
        else:
            is_met, wanted = rules[needed] in values, f"is {' or '.join(map(written, values))}"
        if not is_met:
            yield key, f"never fires unless {needed} {wanted}"


def set_in_vain(inactive: Iterable[Inactive], rules: Rules, properties: Rules) -> Iterator[Impossible]:
    """Keys that never fire and are not at their off values."""
    for key, why in inactive:
        if rules[key] != properties[key]["default"]:
            yield key, why, properties[key]["default"]
