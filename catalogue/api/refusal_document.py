"""The form of every answer of the API that is an error, for whoever has to refuse, inside the REST framework or not."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from simulator.engine.ruleset import Problem


def refusal_document(problems: Iterable[Problem], status: HTTPStatus) -> dict[str, Any]:
    """What is sent; described in `problems.RefusalSerializer`."""
    problems = tuple(problems)
    return {
        "status": int(status),
        "title": status.phrase,
        "detail": "; ".join(str(problem) for problem in problems),
        "problems": [
            {"field": problem.key, "message": problem.message, "nearest": problem.nearest} for problem in problems
        ],
    }
