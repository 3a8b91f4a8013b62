"""Whether the site lives, whether it is ready, and its figures: for whatever watches it."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from catalogue.web.metrics import for_watchers, metrics_text
from catalogue.web.routes import route
from simulator import health

LOOKS = (health.database, health.broker, health.workers, health.kernel_cache, health.disk)


@route("livez", name="livez", example="/livez")
@route("healthz", name="healthz", example="/healthz")
@require_safe
def livez(request: HttpRequest) -> HttpResponse:
    """This process answers. Nothing is asked of anything else: a process is not restarted since a database is away."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


@route("readyz", name="readyz", example="/readyz", status=503)
@require_safe
@for_watchers
def readyz(request: HttpRequest) -> HttpResponse:
    """200 if every part is well, else 503; the document says which is not, and what to do about it."""
    found = list(health.looked(*LOOKS))
    ready = all(one.is_well for one in found)
    parts = {one.name: {"ready": one.is_well, "found": one.found, "remedy": one.remedy} for one in found}
    status = HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE
    return JsonResponse({"ready": ready, "parts": parts}, status=status)


@route("metrics", name="metrics", example="/metrics")
@require_safe
@for_watchers
def metrics(request: HttpRequest) -> HttpResponse:
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST)
