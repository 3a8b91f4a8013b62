"""A whole number as somebody typed it, for the commands that are no batch."""

from simulator.engine.ruleset import Problem
from simulator.problems import WrongRequest


def whole_number(key: str, typed: object, least: int, most: int) -> int:
    """`typed` as a number from `least` to `most`; raises WrongRequest, which names the nearest one."""
    try:
        number = int(str(typed).strip())
    except ValueError:
        raise WrongRequest([Problem(key, f"must be a whole number, not {typed!r}", least)]) from None
    if not least <= number <= most:
        nearest = min(max(number, least), most)
        raise WrongRequest([Problem(key, f"must be a whole number from {least} to {most}, not {number}", nearest)])
    return number
