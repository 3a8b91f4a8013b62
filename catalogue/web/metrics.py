"""The site's figures in the format of Prometheus, and who may see them.

Every request has a name, which the log and the answer say, and is counted by route and status by the process that
answers it. What the rows say now is read when it is asked for. Addresses and a token that the settings name may see it:
how the site is doing is of no use to readers.
"""

import logging
import os
import re
import secrets
import time
import uuid
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest, multiprocess
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from catalogue.web.addresses import called_from, parsed
from simulator import health
from simulator.logs import log_context
from simulator.models import Worker

SCHEME = "Bearer "
WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
OTHER = "other"  # for what a stranger may invent, so that no one can make a series of each
REQUESTS = Counter("http_requests", "Requests answered.", ("route", "method", "status"))
SECONDS = Histogram(
    "http_request_seconds",
    "Time until an answer began.",
    ("route",),
    buckets=(0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
log = logging.getLogger(__name__)


class RequestMetricsMiddleware:
    """The first of all, so that whatever the others answer is named and counted too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        name, started = name_of(request), time.perf_counter()
        with log_context(request=name):
            response = self.get_response(request)
            seconds = time.perf_counter() - started
            log.info("%s %s %d %.0f ms", request.method, request.path, response.status_code, 1000 * seconds)
        route = route_of(request)
        REQUESTS.labels(route, request.method if request.method in METHODS else OTHER, response.status_code).inc()
        SECONDS.labels(route).observe(seconds)
        response["X-Request-ID"] = name
        return response


def name_of(request: HttpRequest) -> str:
    """Return the name that the proxy gave this request, if it is well formed, else a new one."""
    given = request.headers.get("X-Request-ID", "")
    return given if WELL_FORMED.fullmatch(given) else uuid.uuid4().hex


def route_of(request: HttpRequest) -> str:
    """Return the name of the address's pattern, never the address, of which there are countless.

    A page that is kept knows its own, and no pattern was looked for.
    """
    if kept := getattr(request, "route", ""):
        return str(kept)
    match: Any = request.resolver_match
    return match.view_name or OTHER if match else OTHER


def metrics_text() -> bytes:
    """Return all figures. Where gunicorn has several processes, they count into files of one folder, added up here."""
    registry = CollectorRegistry()
    registry.register(Rows())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.MultiProcessCollector(registry)
        return generate_latest(registry)
    return generate_latest(registry) + generate_latest(REGISTRY)


class Rows(Collector):
    """Figures that are read from the rows: the same from every process and every machine of the site."""

    def collect(self) -> Iterator[Metric]:
        queues = health.queues()
        yield _gauges(
            "queue_waiting", "What no worker has taken yet.", "kind", {queue.kind: queue.waiting for queue in queues}
        )
        yield _gauges("queue_taken", "What a worker is at.", "kind", {queue.kind: queue.taken for queue in queues})
        oldest = {queue.kind: queue.oldest_seconds for queue in queues}
        yield _gauges("queue_oldest_seconds", "How long the oldest has waited.", "kind", oldest)
        yield _gauges("batches", "Batches that run, or have failed.", "state", health.open_batches())
        yield from self._recent()
        alive = list(Worker.alive())
        yield _gauge("workers", "Worker nodes that live.", len(alive))
        yield _gauge("worker_processes", "Processes of theirs that play.", sum(one.processes for one in alive))
        free = health.free_megabytes(Path(settings.VAR_DIR)) * health.MEGABYTE
        yield _gauge("disk_free_bytes", "Free in VAR_DIR of this machine.", free)

    def _recent(self) -> Iterator[Metric]:
        recent, window = health.recent(), health.RECENT.total_seconds()
        yield _gauge("games_per_second", f"Games played, over the last {window:.0f} s.", recent.games / window)
        yield _gauge("chunks_finished", f"Chunks finished within the last {window:.0f} s.", recent.chunks)
        mean = recent.seconds / recent.chunks if recent.chunks else 0.0
        chunk = {"mean": mean, "longest": recent.longest}
        yield _gauges("chunk_seconds", f"Time that a chunk took, of those of the last {window:.0f} s.", "of", chunk)


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(name, words, value=value)


def _gauges(name: str, words: str, label: str, values: dict[str, int] | dict[str, float]) -> Metric:
    family = GaugeMetricFamily(name, words, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def for_watchers(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 403 to everybody else, and let nobody keep the answer."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        if not may_watch(request):
            return HttpResponse(
                "Only for those whom WATCH_ADDRESSES or WATCH_TOKEN names.\n", status=403, content_type="text/plain"
            )
        response = view(request)
        response["Cache-Control"] = "no-store"
        return response

    return guarded


def may_watch(request: HttpRequest) -> bool:
    """Decide by the token, else by the address.

    A request through a proxy that TRUSTED_PROXIES does not count may come from anywhere.
    """
    sent = request.headers.get("Authorization", "")
    if settings.WATCH_TOKEN and sent.startswith(SCHEME):
        return secrets.compare_digest(sent[len(SCHEME) :].encode(), settings.WATCH_TOKEN.encode())
    if "X-Forwarded-For" in request.headers and not settings.TRUSTED_PROXIES:
        return False
    address = parsed(called_from(request))
    return any(address in network for network in settings.WATCH_ADDRESSES if address)
