"""What is raised where a request cannot be answered; apart from `problems`, which needs the framework's views."""

from collections.abc import Iterable
from http import HTTPStatus

from rest_framework.exceptions import APIException

from simulator.engine.ruleset import Problem


class Refused(APIException):
    """The request cannot be answered as it stands; `problems` says why, one by one.

    wait: seconds after which it may be asked again, sent as Retry-After
    """

    def __init__(
        self, problems: Iterable[Problem], status: HTTPStatus = HTTPStatus.BAD_REQUEST, wait: int | None = None
    ) -> None:
        self.problems = tuple(problems)
        self.status_code = status
        self.wait = wait
        super().__init__("; ".join(str(problem) for problem in self.problems))
