"""How deep lists and objects of JSON lie in each other: whatever compares or prints them goes down as deep itself."""

from collections.abc import Mapping

MOST = 20
TOO_DEEP = f"is nested too deeply: at most {MOST} lists and objects in each other"


def is_too_deep(value: object, most: int = MOST) -> bool:
    """Whether more lists and objects than that lie in each other; never goes down itself."""
    level = [value]
    for _ in range(most):
        level = [inner for one in level for inner in _parts(one)]
        if not level:
            return False
    return any(isinstance(one, list | tuple | Mapping) for one in level)


def _parts(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []
