"""The proof that hostile requests get a clear refusal: filters, cursors, orders, fields, forms and headers.

The requests are those of `tests.api.hostile`, made by hypothesis from a seed that is told, and asked of the loaded
catalogue in this process.
"""

from collections import Counter
from typing import Any

from tests.proofs.running import Figures, demand

REQUESTS, SEED = 4_000, 20_261_121


def hostile(machine: Any) -> Figures:
    """How many were answered how; raises Unproved for a failure, or a refusal that says nothing."""
    from django.conf import settings as site
    from django.test import Client
    from hypothesis import HealthCheck, given, seed, settings

    from tests.api.hostile import requests, sent, wrong

    site.API_REQUESTS_PER_MINUTE = site.API_REQUESTS_PER_HOUR = 0
    client, statuses, failures = Client(raise_request_exception=False), Counter[int](), list[str]()

    @seed(SEED)
    @settings(max_examples=REQUESTS, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(requests)
    def ask(request: Any) -> None:
        response = sent(client, request)
        statuses[response.status_code] += 1
        if found := wrong(response):
            failures.append(f"{request!r}: {found}"[:500])

    ask()
    figures: Figures = {
        "seed": SEED,
        "requests": statuses.total(),
        "statuses": {str(status): number for status, number in sorted(statuses.items())},
        "failures": failures[:10],
    }
    demand(not failures, "a hostile request was not clearly refused", figures)
    demand(statuses.total() >= REQUESTS, "fewer requests than were to be made", figures)
    return figures
