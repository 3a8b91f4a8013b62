"""The proofs that readers are answered: fifty walk through the pages beside a bulk batch, fifty read drop by drop.

Readers pause as people do; the most that the site carries is measured by readers who do not. Slow readers come through
nginx with the shipped configuration and settings and, for the record only, before the bare site.
"""

import contextlib
import json
import random
import socket
import ssl
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any

from tests.proofs.operation_http import Caller, crawl
from tests.proofs.operation_servers import Installation, on_postgresql
from tests.proofs.running import Figures, demand
from tests.services.machine import ROOT

SECONDS, READERS, PAUSE = 240.0, 50, 5.0
HURRIED, HURRIED_SECONDS = 8, 60.0  # readers without pauses, and for how long
NINETY_FIFTH = 300.0  # milliseconds
ADDRESSES = 250
BULK = ("puhulmutu-parker", "--games", "5000000", "--seed", "5", "--cap", "2000")
KERNELS = {"KERNEL_CACHE_DIR": str(ROOT / "var" / "kernels")}
ASK = """
import django; django.setup()
from simulator.batches.service import request_batch
print(request_batch("puhulmutu-parker", games=5_000_000, seed=5).id)
"""
DONE = """
import django; django.setup()
from simulator.models import Chunk
print(Chunk.objects.filter(state="done").count())
"""


def readers(folder: Path, scale: Any) -> Figures:
    """Milliseconds of answers to readers who pause, and of as many as can be had by those who do not."""
    seconds, number = scale.seconds or SECONDS, scale.inputs or READERS
    with on_postgresql(folder, **KERNELS) as (one, _):
        one.start_worker("bulk", children=2)
        port = one.start_site()
        with Caller(port) as caller:
            addresses = crawl(caller, ("/",), ADDRESSES).addresses
            for address in addresses:
                caller.get(address)
        one.python("-c", ASK)
        calm = _walked(port, addresses, number, seconds, PAUSE)
        hurried = _walked(port, addresses, HURRIED, min(seconds, HURRIED_SECONDS), 0.0)
        chunks = int(one.python("-c", DONE))
        figures: Figures = {
            "addresses": len(addresses),
            "readers_who_pause": {"readers": number, "pause_in_seconds": PAUSE, **calm},
            "readers_who_do_not": {"readers": HURRIED, **hurried},
            "chunks_played_beside": chunks,
        }
    demand(chunks > 0, "nothing was played beside", figures)
    demand(set(calm["statuses"]) == {"200"} == set(hurried["statuses"]), "not every answer was a page", figures)
    demand(calm["ninety_fifth"] < NINETY_FIFTH, f"95 of 100 take longer than {NINETY_FIFTH} ms", figures)
    return figures


def _walked(port: int, addresses: list[str], readers: int, seconds: float, pause: float) -> Figures:
    """Each reader follows a way of its own, on a connection of its own, and comes at a moment of its own."""
    times: list[float] = []
    statuses = Counter[str]()
    until = time.monotonic() + seconds

    def read(number: int) -> None:
        chance = random.Random(number)
        time.sleep(chance.uniform(0, pause))
        with Caller(port) as caller:
            while time.monotonic() < until:
                answer = caller.get(chance.choice(addresses))
                times.append(1000 * answer.seconds)
                statuses[str(answer.status)] += 1
                time.sleep(pause * chance.uniform(0.5, 1.5))

    together = [threading.Thread(target=read, args=(number,)) for number in range(readers)]
    for one in together:
        one.start()
    for one in together:
        one.join()
    parts = statistics.quantiles(times, n=20, method="inclusive")
    return {
        "answers": len(times),
        "answers_a_second": round(len(times) / seconds, 1),
        "median": round(parts[9], 1),
        "ninety_fifth": round(parts[18], 1),
        "most": round(max(times), 1),
        "statuses": dict(statuses),
    }


SLOW_READERS, SLOW_SECONDS = 50, 60.0
SLOWEST = 1.0  # seconds
GAMES = 200_000
SIP, SLOW_PAUSE, WINDOW = (
    2_048,
    0.5,
    4_096,
)  # bytes at a time, seconds between two, bytes that the reader's machine holds
PAUSES = 0.5  # seconds between two requests of somebody else
ALONE = 4  # times each page is asked for before: a process reads its templates when it is first asked
PAGES = ("/about/", "/games/", "/evidence/DLP.Evidence.692/", "/api/v1/games/", "/search/?q=board")
PLAYED = ("puhulmutu-parker", "--seed", "1", "--cap", "2000", "--inline", "--json")
Connect = Callable[[], socket.socket]


def slow(folder: Path, scale: Any) -> Figures:
    """How others are answered beside slow readers, with the proxy before the site and without it."""
    from tests.services.deployment import HOST, running_nginx

    seconds = scale.seconds or SLOW_SECONDS
    games = scale.inputs or GAMES
    shipped = {"ALLOWED_HOSTS": f"{HOST},localhost,127.0.0.1", "TRUSTED_PROXIES": "1", "SENDFILE_URL": "/sendfile/"}
    with on_postgresql(folder, **shipped, KERNEL_CACHE_DIR=str(ROOT / "var" / "kernels")) as (one, _):
        batch = _played(one, games)
        one.manage("collectstatic", "--noinput", "--verbosity", "0")
        target = f"/batches/{batch}/rows.csv"
        with running_nginx(folder / "nginx", one.start_site(), folder / "static") as proxy:
            through = _beside(lambda: _secure(proxy.tls), HOST, target, seconds)
        one.servers.pop("site").stop(patience=3)
        one.environment["SENDFILE_URL"] = ""
        port = one.start_site()
        bare = _beside(lambda: socket.create_connection(("127.0.0.1", port)), "localhost", target, min(20.0, seconds))
    figures: Figures = {"games": games, "through_the_proxy": through, "bare": bare}
    demand(through["slow_readers_answered"] == SLOW_READERS, "a slow reader was not answered", figures)
    demand(not through["unanswered"], "somebody was not answered at all", figures)
    demand(through["slowest"] < SLOWEST, f"an answer took more than {SLOWEST} s", figures)
    return figures


def _played(one: Installation, games: int) -> str:
    found: str = json.loads(one.manage("simulate", *PLAYED, "--games", str(games)))["batch"]
    return found


def _secure(port: int) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # a certificate of this proof's own
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
    plain.connect(("127.0.0.1", port))
    return context.wrap_socket(plain)


def _beside(connect: Connect, host: str, target: str, seconds: float) -> Figures:
    """What somebody is answered who asks for one page after another while all the slow ones read."""
    over, answered = threading.Event(), threading.Semaphore(0)
    readers = [threading.Thread(target=_sip, args=(connect, host, target, over, answered)) for _ in range(SLOW_READERS)]
    times: list[float] = []
    unanswered = 0
    alone = [_seconds(connect, host, page) for _ in range(ALONE) for page in PAGES]
    try:
        for reader in readers:
            reader.start()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for page in PAGES:
                try:
                    times.append(_seconds(connect, host, page))
                except (OSError, HTTPException, AssertionError):
                    unanswered += 1
                time.sleep(PAUSES)
    finally:
        over.set()
        for reader in readers:
            reader.join()
    count = 0
    while answered.acquire(blocking=False):
        count += 1
    said = sorted(times)
    return {
        "slow_readers_answered": count,
        "answers": len(said),
        "unanswered": unanswered,
        "median": round(said[len(said) // 2], 3) if said else None,
        "slowest": round(said[-1], 3) if said else seconds,
        "slowest_of_a_site_just_started_without_them": round(max(alone), 3),
    }


def _seconds(connect: Connect, host: str, page: str) -> float:
    """How long an answer takes. Raises AssertionError if it is none, OSError, HTTPException."""
    begun = time.perf_counter()
    assert _asked(connect, host, page) == 200
    return time.perf_counter() - begun


def _asked(connect: Connect, host: str, target: str) -> int:
    with _sent(connect, host, target, patience=20) as connection:
        response = HTTPResponse(connection)
        response.begin()
        response.read()
        return response.status


def _sip(connect: Connect, host: str, target: str, over: threading.Event, answered: threading.Semaphore) -> None:
    """Reads as if by a very thin line, until it is over."""
    first = True
    with contextlib.suppress(OSError), _sent(connect, host, target, patience=120) as connection:
        while not over.is_set() and connection.recv(SIP):
            if first:
                answered.release()
            first = False
            over.wait(SLOW_PAUSE)


@contextlib.contextmanager
def _sent(connect: Connect, host: str, target: str, patience: float) -> Iterator[socket.socket]:
    connection = connect()
    connection.settimeout(patience)
    try:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        yield connection
    finally:
        connection.close()
