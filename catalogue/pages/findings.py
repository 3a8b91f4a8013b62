"""Findings: what is proved, compared, studied and judged so far."""

from itertools import groupby
from operator import attrgetter

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.filters.parameters import refuse_unknown
from catalogue.findings.finding import IDLE, JUDGED, WORDS
from catalogue.findings.kept import findings
from catalogue.outcomes.played import FEWEST_GAMES
from catalogue.texts.outcomes import Outcome
from catalogue.web.routes import route


@route("findings/", name="findings", example="/findings/", sitemap=True, queries=16)
def finding_list(request: HttpRequest) -> HttpResponse:
    refuse_unknown(request, ())
    found = findings()
    context = {
        "findings": found,
        "fewest_games": FEWEST_GAMES,
        "kinds": [(kind, words.partition(": "), len(found.of(kind))) for kind, words in SIZED.items()],
        "idle": found.idle,
        "tally": [(outcome, found.verdicts[outcome.value]) for outcome in Outcome],
        "judged": [(key, list(claims)) for key, claims in groupby(found.claims, key=attrgetter("sign", "words"))],
        "claims": sum(found.verdicts.values()),
    }
    return render(request, "catalogue/findings.html", context)


SIZED = {kind: words for kind, words in WORDS.items() if kind not in (JUDGED, IDLE)}
