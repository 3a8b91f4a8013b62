"""Findings: what is proved, compared, studied and judged so far."""

from itertools import groupby
from operator import attrgetter
from types import SimpleNamespace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from catalogue.filters.parameters import refuse_unknown
from catalogue.findings.finding import IDLE, JUDGED, WORDS
from catalogue.findings.gathered import Findings
from catalogue.findings.kept import findings
from catalogue.outcomes.played import FEWEST_GAMES
from catalogue.texts.outcomes import Outcome
from catalogue.web.routes import route


@route("findings/", name="findings", example="/findings/", sitemap=True, queries=6)
def finding_list(request: HttpRequest) -> HttpResponse:
    refuse_unknown(request, ())
    found = findings()
    ranked, others = _lists(found)
    context = {
        "findings": found,
        "ranked": ranked,
        "others": others,
        "fewest_games": FEWEST_GAMES,
        "kinds": [(kind, words.partition(": "), len(found.of(kind))) for kind, words in SIZED.items()],
        "idle": found.idle,
        "tally": [(outcome, found.verdicts[outcome.value]) for outcome in Outcome],
        "judged": [(key, list(claims)) for key, claims in groupby(found.claims, key=attrgetter("sign", "words"))],
        "claims": sum(found.verdicts.values()),
    }
    return render(request, "catalogue/findings.html", context)


def _lists(found: Findings) -> tuple[SafeString, SafeString]:
    """The lists of those that are ranked and of the others, rendered once for each state of the findings."""
    global _rendered
    if _rendered is None or _rendered[0] is not found:
        page = {"request": SimpleNamespace(explained_words=set())}  # a word is explained where it first stands
        lists = [
            mark_safe("".join(render_to_string("partials/finding.html", {"one": one, **page}) for one in some))
            for some in (found.ranked, found.others)
        ]
        _rendered = (found, (lists[0], lists[1]))
    return _rendered[1]


_rendered: tuple[Findings, tuple[SafeString, SafeString]] | None = None
SIZED = {kind: words for kind, words in WORDS.items() if kind not in (JUDGED, IDLE)}
