"""What can be wrong with something asked of the simulator: one set of exceptions for site, API and commands."""

from collections.abc import Iterable

from simulator.engine.ruleset import Problem


class WrongRequest(ValueError):
    """The request cannot be met as it stands; nothing was written.

    problems: every mistake, each with its key ("games"), a sentence, and the nearest valid value if there is one
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


class QueueFull(Exception):
    """The request is right, but visitors have asked for enough already; nothing was written.

    retry_after: seconds after which it may be asked again
    """

    def __init__(self, message: str, retry_after: int) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class BrokerSilent(Exception):
    """No broker answers, so no worker can hear of the batch."""


class DigestsDiffer(Exception):
    """The same games were played twice and came out differently, which must never happen."""
