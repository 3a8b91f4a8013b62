"""Findings: what is proved, compared, studied and judged so far."""

from collections import Counter

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.claims.results import claim_results, claim_rows
from catalogue.evidence.played_outcomes import FEWEST_GAMES
from catalogue.filters.list_parameters import refuse_unknown
from catalogue.findings.finding import IDLE, JUDGED, WORDS
from catalogue.findings.gathered import findings
from catalogue.findings.idle import idle_questions
from catalogue.texts.outcomes import Outcome


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
        "judged": [(outcome, [one for one in claims if one.verdict.outcome == outcome]) for outcome in DECIDED],
        "claims": len(claims),
    }
    return render(request, "catalogue/findings.html", context)


SIZED = {kind: words for kind, words in WORDS.items() if kind not in (JUDGED, IDLE)}
DECIDED = (Outcome.SUPPORTED, Outcome.NOT_SUPPORTED)
