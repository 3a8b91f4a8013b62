"""A reconciliation service: a column of names in somebody's table becomes identifiers of this catalogue (OpenRefine).

Reconciliation Service API 0.2 (https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/): the
manifest, batches of queries by name and type, and suggestions. Properties of a query are not looked at.
"""

import json
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from catalogue.citations.items import NAME
from catalogue.models.lookup import KINDS
from catalogue.search.names import RECONCILED, Named, beginning_with, candidates
from catalogue.texts.words import nearest_word
from catalogue.web.addresses import site_address
from catalogue.web.routes import route

MOST_QUERIES, MOST_CANDIDATES, USUAL_CANDIDATES = 20, 25, 5
LONGEST = 300  # characters of a name that are compared
TYPES = {kind: {"id": kind, "name": KINDS[kind].words[0]} for kind in RECONCILED}


class WrongQuery(ValueError):
    """What was sent is no query of this service; the message says why."""


@route("reconcile/", methods="GET POST", reads_only=True)
@csrf_exempt
def reconcile(request: HttpRequest) -> JsonResponse:
    """What the service is, or the candidates for each of the names that are sent."""
    sent = (request.POST if request.method == "POST" else request.GET).get("queries")
    if sent is None:
        return JsonResponse(_manifest(site_address(request)))
    try:
        return JsonResponse({name: {"result": _result(query)} for name, query in _read(sent).items()})
    except WrongQuery as problem:
        return JsonResponse({"status": "error", "message": str(problem)}, status=400)


@route("reconcile/suggest/", name="reconcile-suggest", example="/reconcile/suggest/?prefix=dar")
def reconcile_suggest(request: HttpRequest) -> JsonResponse:
    """Rows one of whose names begins so."""
    prefix = request.GET.get("prefix", "")[:LONGEST].strip()
    found = beginning_with(prefix, RECONCILED, MOST_CANDIDATES) if prefix else []
    return JsonResponse({"result": [{**_entity(one), "notable": [TYPES[one.kind]]} for one in found]})


def _manifest(base: str) -> dict[str, Any]:
    return {
        "versions": ["0.2"],
        "name": NAME,
        "identifierSpace": f"{base}/id/",
        "schemaSpace": f"{base}/about/addresses/",
        "documentation": f"{base}{reverse('document', args=['api'])}",
        "defaultTypes": list(TYPES.values()),
        "view": {"url": f"{base}/id/{{{{id}}}}"},
        "suggest": {"entity": {"service_url": base, "service_path": reverse("reconcile-suggest")}},
    }


def _read(sent: str) -> dict[str, dict[str, Any]]:
    try:
        queries = json.loads(sent)
    except (ValueError, RecursionError) as error:
        raise WrongQuery("queries: this is no JSON") from error
    if not isinstance(queries, dict) or not all(isinstance(query, dict) for query in queries.values()):
        raise WrongQuery('queries: must be an object of queries, {"q0": {"query": "Dam"}}')
    if len(queries) > MOST_QUERIES:
        raise WrongQuery(f"queries: at most {MOST_QUERIES} at once, not {len(queries)}")
    return queries


def _result(query: dict[str, Any]) -> list[dict[str, Any]]:
    name, wanted, most = query.get("query"), query.get("type"), query.get("limit", USUAL_CANDIDATES)
    if not isinstance(name, str):
        raise WrongQuery("query: must be a text, the name that is looked for")
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        raise WrongQuery("limit: must be a whole number from 1")
    kinds = RECONCILED if wanted in (None, "", []) else [wanted] if not isinstance(wanted, list) else wanted
    for kind in kinds:
        if kind not in TYPES:
            near = nearest_word(str(kind), TYPES) or RECONCILED[0]
            raise WrongQuery(f"type: must be one of {', '.join(TYPES)}; the nearest is {near!r}")
    found = candidates(name[:LONGEST], kinds, min(most, MOST_CANDIDATES))
    return [
        {**_entity(one.named), "type": [TYPES[one.named.kind]], "score": one.score, "match": one.is_match}
        for one in found
    ]


def _entity(named: Named) -> dict[str, str]:
    return {"id": f"{named.kind}/{named.key}", "name": named.title, "description": named.about}
