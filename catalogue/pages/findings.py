"""Findings: what is proved, compared, studied and judged so far."""

from collections import Counter
from collections.abc import Iterator, Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.claims.results import ClaimResult, claim_results, claim_rows
from catalogue.filters.parameters import refuse_unknown
from catalogue.findings.finding import IDLE, JUDGED, WORDS
from catalogue.findings.gathered import findings
from catalogue.findings.idle import idle_questions
from catalogue.findings.judged import DECIDED, depends_on_the_reading, sentence_of
from catalogue.outcomes.played import FEWEST_GAMES
from catalogue.texts.outcomes import Outcome
from catalogue.web.routes import route


@route("findings/", name="findings", example="/findings/", sitemap=True, queries=16)
def finding_list(request: HttpRequest) -> HttpResponse:
    refuse_unknown(request, ())
    claims = claim_results(claim_rows())
    counts = Counter(one.verdict.outcome for one in claims)
    found = findings()
    context = {
        "findings": found,
        "fewest_games": FEWEST_GAMES,
        "kinds": [(kind, words.partition(": "), len(found.of(kind))) for kind, words in SIZED.items()],
        "idle": list(idle_questions()),
        "tally": [(outcome, counts[outcome]) for outcome in Outcome],
        "judged": list(_judged(claims)),
        "claims": len(claims),
    }
    return render(request, "catalogue/findings.html", context)


def _judged(claims: Sequence[ClaimResult]) -> Iterator[tuple[str, str, list[tuple[ClaimResult, str]]]]:
    """(sign, in words, claims with what their tests come to) of each way in which claims are decided."""
    groups = [(one.sign, one.words, [claim for claim in claims if claim.verdict.outcome == one]) for one in DECIDED]
    groups.append(("±", "it depends on the reading", [claim for claim in claims if depends_on_the_reading(claim)]))
    for sign, words, some in groups:
        if some:
            yield sign, words, [(claim, sentence_of(claim)) for claim in some]


SIZED = {kind: words for kind, words in WORDS.items() if kind not in (JUDGED, IDLE)}
