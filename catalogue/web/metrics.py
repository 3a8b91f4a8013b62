"""The site's figures in the format of Prometheus: requests as each process counted them, and what the rows say now."""

import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest, multiprocess
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from simulator.health import conditions, heartbeats, queues


def written() -> bytes:
    """All of it. Where gunicorn has several processes, they count into files of one folder, which are added up here."""
    registry = CollectorRegistry()
    registry.register(Rows())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.MultiProcessCollector(registry)
        return generate_latest(registry)
    return generate_latest(registry) + generate_latest(REGISTRY)


class Rows(Collector):
    """Read when it is asked for: the same from every process and every machine of the site."""

    def collect(self) -> Iterator[Metric]:
        every = queues.queues()
        yield _by("queue_waiting", "What no worker has taken yet.", "kind", {one.kind: one.waiting for one in every})
        yield _by("queue_taken", "What a worker is at.", "kind", {one.kind: one.taken for one in every})
        oldest = {one.kind: one.oldest_seconds for one in every}
        yield _by("queue_oldest_seconds", "How long the oldest has waited.", "kind", oldest)
        yield _by("batches", "Batches that run, or have failed.", "state", queues.open_batches())
        yield from self._recent()
        alive = list(heartbeats.alive())
        yield _one("workers", "Worker nodes that live.", len(alive))
        yield _one("worker_processes", "Processes of theirs that play.", sum(one.processes for one in alive))
        free = conditions.free_megabytes(Path(settings.VAR_DIR)) * conditions.MEGABYTE
        yield _one("disk_free_bytes", "Free in VAR_DIR of this machine.", free)

    def _recent(self) -> Iterator[Metric]:
        recent, window = queues.recent(), queues.RECENT.total_seconds()
        yield _one("games_per_second", f"Games played, over the last {window:.0f} s.", recent.games / window)
        yield _one("chunks_finished", f"Chunks finished within the last {window:.0f} s.", recent.chunks)
        mean = recent.seconds / recent.chunks if recent.chunks else 0.0
        chunk = {"mean": mean, "longest": recent.longest}
        yield _by("chunk_seconds", f"Time that a chunk took, of those of the last {window:.0f} s.", "of", chunk)


def _one(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(name, words, value=value)


def _by(name: str, words: str, label: str, values: dict[str, int] | dict[str, float]) -> Metric:
    family = GaugeMetricFamily(name, words, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family
