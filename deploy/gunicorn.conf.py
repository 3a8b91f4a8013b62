"""How gunicorn serves the site behind a proxy: `gunicorn --config deploy/gunicorn.conf.py catalogue.config.wsgi`."""

import ctypes
import gc
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from catalogue.config import environment

bind = environment.text("WEB_BIND", "127.0.0.1:8000")
workers = environment.number("WEB_PROCESSES", 2, least=1)
# Requests that are answered at once: whoever sends or reads slowly holds none of them, nor what is kept open.
threads = environment.number("WEB_THREADS", 64, least=1)
worker_class = "catalogue.config.buffering.BufferingWorker"
worker_connections = 500  # of a process; below the files that a system usually lets one hold

# The address of a game holds all its moves; plain gunicorn answers such an address with 414.
limit_request_line = 8190
# Longer than the proxy keeps an idle connection (deploy/nginx: keepalive_timeout of the upstream), so that it is never
# we who close one on which a request is on its way.
keepalive = 75
timeout = 60
graceful_timeout = 30

# A process is replaced now and then, not all at once, so that what a library leaks does not add up.
max_requests = 20_000
max_requests_jitter = 2_000
worker_tmp_dir = "/dev/shm"  # the heartbeat of a process must not wait for a disk

errorlog = "-"
loglevel = environment.text("LOG_LEVEL", "WARNING").lower()
control_socket_disable = True

# Each process counts its requests into files here; whichever is asked for /metrics adds them up.
_ROOT = Path(__file__).resolve().parent.parent
_COUNTED = Path(environment.text("VAR_DIR", str(_ROOT / "var"))) / "metrics"
os.environ["PROMETHEUS_MULTIPROC_DIR"] = environment.text("PROMETHEUS_MULTIPROC_DIR", str(_COUNTED))

M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3  # of mallopt(3)
LARGE = 256 * 1024  # bytes


def post_fork(server: Any, worker: Any) -> None:
    """All threads share two arenas of memory: with one for each, what long pages leave free in them adds up. What is
    large goes back to the system at once; glibc would keep more and more of it, the larger the largest was."""
    with suppress(AttributeError):  # of another C library than glibc
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)


def post_worker_init(worker: Any) -> None:
    """What is loaded stays, and is looked through no more: what a request leaves in circles goes after a few of them,
    and not only when it has grown to a quarter of the programme. Every address is loaded before the first request."""
    from django.urls import get_resolver

    _ = get_resolver().url_patterns
    gc.collect()
    gc.freeze()


def on_starting(server: Any) -> None:
    """Delete the counts of earlier processes."""
    folder = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.db"):
        file.unlink()
