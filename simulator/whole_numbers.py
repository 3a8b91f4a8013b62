"""A whole number as somebody typed it."""

from simulator.engine.ruleset import Problem
from simulator.problems import WrongRequest


def whole_number(key: str, typed: object, least: int, most: int) -> int:
    """`typed` as a number from `least` to `most`; raises WrongRequest, which names the nearest one."""
    try:
        number = int(str(typed).strip())
    except ValueError:
        problem = Problem(key, f"must be a whole number, not {typed!r}", _nearest(typed, least, most))
        raise WrongRequest([problem]) from None
    if not least <= number <= most:
        nearest = min(max(number, least), most)
        raise WrongRequest([Problem(key, f"must be a whole number from {least} to {most}, not {number}", nearest)])
    return number


def _nearest(typed: object, least: int, most: int) -> int:
    """Of 2.6 it is 3; of what is no number at all, the least."""
    try:
        return round(min(max(float(str(typed)), least), most))
    except ValueError:
        return least
