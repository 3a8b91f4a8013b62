"""The proofs that readers are answered: fifty walk through the pages beside a bulk batch, fifty read drop by drop.

Readers pause as people do; the most that the site carries is measured by readers who do not. Slow readers come through
nginx with the shipped configuration and settings and, for the record only, before the bare site.
"""

import random
import statistics
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.proofs.operation_http import Caller, crawl
from tests.proofs.operation_servers import on_postgresql
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
