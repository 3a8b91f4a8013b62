"""What can come of the test of a claim. Pure Python."""

from enum import StrEnum


class Outcome(StrEnum):
    SUPPORTED = "supported"
    NOT_SUPPORTED = "not_supported"
    UNDECIDED = "undecided"
    UNTESTABLE = "untestable"

    @property
    def words(self) -> str:
        return WORDS[self][0]

    @property
    def sign(self) -> str:
        return WORDS[self][1]


WORDS = {
    Outcome.SUPPORTED: ("supported", "✓"),
    Outcome.NOT_SUPPORTED: ("not supported", "✗"),
    Outcome.UNDECIDED: ("undecided", "?"),
    Outcome.UNTESTABLE: ("cannot be tested by simulation", "–"),
}
OUTCOMES = [(outcome.value, outcome.words) for outcome in Outcome]
