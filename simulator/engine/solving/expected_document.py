"""What value iteration found of a race, as the JSON document of a solution."""

import time
from collections.abc import Callable
from typing import Any

from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.document import common, cost, line_document
from simulator.engine.solving.expected import Expected, bytes_needed, sides, solve_expected

VALUE_ITERATION = "value_iteration"
BEST, RANDOM = "best", "random"
# How the first and the second player play, in the order of the columns of chances.
POLICY_NAMES = ((BEST, BEST), (RANDOM, RANDOM), (BEST, RANDOM), (RANDOM, BEST))


def expected(
    ruleset: Ruleset, progress: Callable[[str, int], None] = lambda words, percent: None
) -> tuple[dict[str, Any], Expected]:
    """(the document with time and memory, the chances); see `solve_expected`."""
    begun = time.perf_counter()
    solved = solve_expected(ruleset, progress)
    return {**expected_document(solved), **cost(time.perf_counter() - begun)}, solved


def expected_document(solved: Expected) -> dict[str, Any]:
    """The chances of the first player, between bounds; nobody can force a win, and first moves depend on the throw."""
    bounds = [solved.bounds(policy) for policy in range(len(POLICY_NAMES))]
    return {
        "method": VALUE_ITERATION,
        **common(solved.ruleset),
        "start": {"mover": 0, "value": None, "plies": None},
        "first_moves": [],
        "line": line_document(solved.ruleset, [], []),
        "chances": [
            {"first": first, "second": second, "lower": lower, "upper": upper}
            for (first, second), (lower, upper) in zip(POLICY_NAMES, bounds, strict=True)
        ],
        "widest": solved.widest,
        "rounds": solved.rounds,
        "positions": {"numbered": sides(solved.ruleset) ** 2},
        "table_bytes": bytes_needed(solved.ruleset),
    }
