"""The example of the first page: words of a source, the portal's rule that they speak against, and what that changes.

Nobody chooses it: of all records of games whose readings lie far apart it is the one with the shortest quotation, which
a stranger can read as a whole, and there the words that come first.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from catalogue.findings.compared import PORTAL
from catalogue.findings.finding import COMPARED, PARAPHRASED, Finding
from catalogue.models import Anchor, Evidence
from catalogue.outcomes.figure import Bar

LONGEST = 230  # characters of a quotation on either side of the words
FAR = 0.75  # of all games end otherwise
SENTENCE = re.compile(r"[.!?][”’'\"]?\s+")


@dataclass(frozen=True, slots=True)
class Example:
    """before, words, after: of one sentence or so of the quotation; rule: what the portal says instead"""

    record: Evidence
    before: str
    words: str
    after: str
    rule: str
    bars: tuple[Bar, ...]
    finding: Finding


def example(findings: Sequence[Finding]) -> Example | None:
    """None where no words speak against the portal in a game whose readings lie far apart."""
    by_game = {one.game.pk: one for one in reversed(findings) if _is_far(one)}
    against = (
        Anchor.objects.shown()
        .filter(stance=Anchor.Stance.CONTRADICTS, field=Anchor.Field.QUOTATION, clause__reading__authority=PORTAL)
        .filter(evidence__game__in=by_game)
        .select_related("evidence__game", "clause")
        .order_by("start", "key")
    )
    found = min(against, key=lambda one: len(one.evidence.quotation), default=None)
    return _example(found, by_game[found.evidence.game_id]) if found else None


def _is_far(one: Finding) -> bool:
    return one.kind in (COMPARED, PARAPHRASED) and one.size is not None and one.size.value >= FAR


def _example(anchor: Anchor, finding: Finding) -> Example:
    before, after = around(anchor.evidence.quotation, anchor.start, anchor.end)
    rule = anchor.clause.text if anchor.clause else ""
    return Example(anchor.evidence, before, anchor.exact, after, rule, finding.bars, finding)


def around(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after some words in their sentence; cut where it is too long, which … tells."""
    begun = max((match.end() for match in SENTENCE.finditer(text, 0, start)), default=0)
    ends = (len(match.group().rstrip()) + match.start() for match in SENTENCE.finditer(text, max(start, end - 3)))
    stop = next((place for place in ends if place >= end), len(text))
    before, after = text[begun:start], text[end:stop]
    if len(before) > LONGEST:
        before = f"… {before[-LONGEST:].partition(' ')[2]}"
    if len(after) > LONGEST:
        after = f"{after[:LONGEST].rpartition(' ')[0]} …"
    return before, after
