"""The proof that deaths cost time only: batches are asked for while workers, broker and database are killed.

Every few seconds one of them dies outright: a child of a worker, a worker with all its children, the broker with all
its messages, PostgreSQL without a word to anybody. Whoever asks for a batch asks again until it is answered, as a
programme of a reader would. Afterwards every batch must be done once, with the digest that the same games have when
they are played here, one after the other.
"""

import json
import random
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from catalogue.demo.servers import group
from tests.proofs.operation_http import Caller, HttpRequest
from tests.proofs.operation_servers import Installation, kill_postgresql, on_postgresql, start_postgresql
from tests.proofs.running import Figures, demand, side_by_side
from tests.services.machine import ROOT

SECONDS, BATCHES = 600.0, 200
LONGEST_AFTERWARDS = 600.0  # seconds until everything must be done, once nobody is killed any more
NODES, CHILDREN = ("left", "right"), 2
MOST_SITE, MOST_CHILD = 200, 400  # megabytes
PAUSES, SHORTEST, LONGEST = (2.0, 5.0), 0.5, 4.0  # seconds between two deaths, and of what is dead
VICTIMS = {"child": 4, "node": 2, "broker": 2, "database": 2}
PATIENT = {"CHUNK_LEASE_SECONDS": "8", "RECOVERY_SECONDS": "2", "KERNEL_CACHE_DIR": str(ROOT / "var" / "kernels")}
GAMES: tuple[dict[str, Any], ...] = (
    {"ruleset": "puhulmutu-ludii", "games": 4_000, "cap": 8_000},
    {"ruleset": "nine-mens-morris-reference", "games": 1_500, "cap": 4_000},
    {"ruleset": "asi-keliya-dlp", "games": 3_000, "cap": 4_000},
    {"ruleset": "puhulmutu-parker", "games": 600, "cap": 8_000},
    {"ruleset": "kalah-reference", "games": 6_000, "cap": 4_000},
    {"ruleset": "daramuti-parker", "games": 40, "cap": 300, "players": "greedy,random"},
)
STATES = """
import django; django.setup()
import json
from django.db.models import Count, Sum
from simulator.models import Batch, Chunk
done = Chunk.objects.filter(state="done").values("batch").annotate(games=Sum("games"), chunks=Count("id"))
played = {one["batch"]: [one["games"], one["chunks"]] for one in done}
print(json.dumps({
    batch.id: [
        batch.state, batch.digest, batch.games, batch.chunks.count(), batch.plots.count(),
        *played.get(batch.id, [0, 0]), list(batch.chunks.exclude(error="").values_list("error", flat=True)),
        sum(batch.chunks.values_list("attempts", flat=True)),
    ]
    for batch in Batch.objects.all()
}))
"""


def wanted(number: int) -> dict[str, Any]:
    """What is asked for in the batch of that number: every one is another."""
    return {**GAMES[number % len(GAMES)], "seed": 1_000 + number}


def inline_digest(number: int) -> str:
    """The digest of the same games, played in this process without workers or database."""
    from tests.proofs.operation import prepare

    prepare()
    from simulator.batches.playing import replay_digest
    from simulator.batches.requests import check_request
    from simulator.rulesets import SHIPPED, read_file

    terms = wanted(number)
    request = check_request(read_file(SHIPPED / f"{terms.pop('ruleset')}.json").ruleset, **terms)
    return replay_digest(request, lambda played: None)[0]


def soak(folder: Path, scale: Any) -> Figures:
    """What died how often, how the site answered meanwhile, what became of every batch, and how much memory is held."""
    seconds, number = scale.seconds or SECONDS, scale.inputs or BATCHES
    with on_postgresql(folder, **PATIENT) as (one, server):
        for node in NODES:
            one.start_worker(node, CHILDREN)
        port = one.start_site()
        deaths, statuses, names = Counter[str](), Counter[int](), dict[int, str]()
        over = threading.Event()
        client = threading.Thread(target=_ask_for_all, args=(port, number, seconds, statuses, names, over))
        client.start()
        try:
            # In this thread: a server ends with the thread that started it.
            _kill(one, server, random.Random(scale.seed), seconds, deaths)
            client.join(LONGEST_AFTERWARDS)
        finally:
            over.set()
            client.join()
        afterwards = _wait_until_done(one)
        found = json.loads(one.python("-c", STATES))
        memory = {name: _megabytes(one, name) for name in ("site", *NODES)}
        digests = _digests_told(port, names)
        tracebacks = {name: one.tracebacks(name) for name in ("site", *NODES)}
    expected = side_by_side(inline_digest, range(number))
    figures: Figures = {
        "seconds": seconds,
        "seed": scale.seed,
        "deaths": dict(deaths),
        "asked": number,
        "answers": {str(status): times for status, times in sorted(statuses.items())},
        "done": sum(row[0] == "done" for row in found.values()),
        "seconds_until_all_were_done": round(afterwards, 1),
        "attempts_beyond_the_first": sum(row[8] - row[3] for row in found.values()),
        "lost": [wanted(n) for n in range(number) if names.get(n) not in found],
        "not_asked_for": sorted(set(found) - set(names.values())),
        "not_done": {name: row for name, row in found.items() if row[0] != "done"},
        "not_whole": [name for name, row in found.items() if (row[2], row[3]) != (row[5], row[6]) or not row[4]],
        "another_digest": [
            [names[n], wanted(n)] for n in range(number) if not expected[n] == digests.get(n) == found[names[n]][1]
        ],
        "megabytes": memory,
        "tracebacks": tracebacks,
    }
    demand(len(set(names.values())) == number == len(found), "a batch is lost or doubled", figures)
    for wrong in ("lost", "not_asked_for", "not_done", "not_whole", "another_digest"):
        demand(not figures[wrong], f"batches are {wrong.replace('_', ' ')}", figures)
    demand(all(deaths[victim] for victim in VICTIMS), "not everything was killed", figures)
    demand(set(statuses) <= {200, 201, 503}, "whoever asked was told of a failure, not to come again", figures)
    demand(max(memory["site"]) < MOST_SITE, f"a process of the site holds more than {MOST_SITE} MB", figures)
    children = [size for node in NODES for size in memory[node][1:]]
    demand(max(children) < MOST_CHILD, f"a worker's child holds more than {MOST_CHILD} MB", figures)
    return figures


def _ask_for_all(
    port: int, number: int, seconds: float, statuses: Counter[int], names: dict[int, str], over: threading.Event
) -> None:
    """All of them, evenly over that time; each again and again until it is taken."""
    begun = time.monotonic()
    with Caller(port) as caller:
        for n in range(number):
            time.sleep(max(0.0, begun + n * seconds * 0.9 / number - time.monotonic()))
            body = json.dumps(wanted(n)).encode()
            request = HttpRequest("POST", b"/api/v1/batches/", ((b"Content-Type", b"application/json"),), body)
            while n not in names and not over.is_set():
                answer = caller.ask(request)
                statuses[answer.status] += 1
                if answer.status in (200, 201):
                    names[n] = json.loads(answer.body)["id"]
                else:
                    time.sleep(1)


def _kill(one: Installation, server: Any, chance: random.Random, seconds: float, deaths: Counter[str]) -> None:
    """One after the other, each raised again before the next dies."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(chance.uniform(*PAUSES))
        victim = chance.choices(list(VICTIMS), list(VICTIMS.values()))[0]
        node, dead = chance.choice(NODES), chance.uniform(SHORTEST, LONGEST)
        if victim == "child":
            deaths[victim] += one.kill_child(node, chance.randrange(CHILDREN))
            continue
        deaths[victim] += 1
        if victim == "node":
            one.kill_node(node)
            time.sleep(dead)
            one.start_worker(node, CHILDREN, wait=False)
        elif victim == "broker":
            one.servers["broker"].process.kill()
            one.servers["broker"].process.wait()
            time.sleep(dead)
            one.start_broker()
        else:
            kill_postgresql(server)
            time.sleep(dead)
            start_postgresql(server)


def _wait_until_done(one: Installation) -> float:
    """Seconds until no batch runs any more, or until patience ends."""
    begun = time.monotonic()
    while time.monotonic() - begun < LONGEST_AFTERWARDS:
        if "running" not in (row[0] for row in json.loads(one.python("-c", STATES)).values()):
            break
        time.sleep(5)
    return time.monotonic() - begun


def _digests_told(port: int, names: dict[int, str]) -> dict[int, str]:
    """Number → the digest that the API tells of its batch."""
    with Caller(port) as caller:
        said = {n: json.loads(caller.get(f"/api/v1/batches/{name}/").body) for n, name in names.items()}
    return {n: str(answer.get("digest", "")) for n, answer in said.items()}


def _megabytes(one: Installation, name: str) -> list[int]:
    return [process.megabytes for process in group(one.servers[name].process.pid)]
