"""Claims that their tests decide, and those that each reading decides otherwise: findings without a size."""

from collections.abc import Iterator, Sequence

from catalogue.claims.results import ClaimResult, ClaimTestResult, claim_results, claim_rows
from catalogue.findings.finding import JUDGED, Finding
from catalogue.findings.sensitivity import level_of
from catalogue.outcomes.figure import PERFECT
from catalogue.texts.formatting import listed, shortened
from catalogue.texts.outcomes import Outcome
from simulator.statistics.undecided import UndecidedReason

DECIDED = (Outcome.SUPPORTED, Outcome.NOT_SUPPORTED)


def judged_findings() -> Iterator[Finding]:
    """In the order of their games."""
    for one in claim_results(claim_rows()):
        if one.verdict.outcome in DECIDED or depends_on_the_reading(one):
            yield _finding(one)


def _finding(one: ClaimResult) -> Finding:
    tests = [test for test in one.tests if test.verdict]
    claim, first = one.claim, tests[0]
    batches = tuple(dict.fromkeys(batch for test in tests for batch in test.batches))
    games = [test.verdict.n for test in tests if test.verdict and test.verdict.n]
    return Finding(
        JUDGED,
        claim.game,
        f"{claim.game.name}: {claim.title.replace('*', '')} – {_verdict(one)}",
        sentence_of(one),
        None,
        "proved" if one.is_proved else "judged by games",
        PERFECT if one.is_proved else _level(tests),
        first.players,
        None if one.is_proved else min(games, default=None),
        (
            ("The claim", claim.get_absolute_url()),
            *((f"“{shortened(words.exact)}”", words.get_absolute_url()) for words in one.words[:1]),
        ),
        batches,
    )


def sentence_of(one: ClaimResult) -> str:
    """What is tested, and what it came to, of tests that do not agree each way once."""
    tests = [test for test in one.tests if test.verdict]
    shown = list({test.outcome: test for test in reversed(tests)}.values())[::-1]
    said = [f"Under {' and '.join(test.under)}, {test.players}: {_said(test)}" for test in shown]
    others = len(tests) - len(shown)
    agree = ["The other test agrees." if others == 1 else f"The other {others} tests agree."] if others else []
    return " ".join([tests[0].sentence, *said, *(agree if len(shown) == 1 else [])])


def depends_on_the_reading(one: ClaimResult) -> bool:
    return one.verdict.because == UndecidedReason.READINGS


def _level(tests: Sequence[ClaimTestResult]) -> str:
    """On which all seats of all tests were asked to be played; empty if there is none."""
    return level_of(",".join(test.test.get("players", test.verdict.players) for test in tests if test.verdict))


def _verdict(one: ClaimResult) -> str:
    if one.verdict.outcome in DECIDED:
        return one.verdict.outcome.words
    return "it depends on the reading: " + listed(
        [f"{outcome.words} under {reading.title if reading else name}" for name, reading, outcome in one.by_reading]
    )


def _said(test: ClaimTestResult) -> str:
    return test.verdict.text if test.verdict else ""
