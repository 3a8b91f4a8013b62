"""What a stranger's request costs the site: the ten dearest, in seconds of processor time, and eight readers at once.

    make proof-request-costs             (python -m tests.proofs.request_costs [--tree FOLDER]… [--rounds N] [--json])

Asked for are the examples of every route that needs no row of its own, and the dearest wishes known of each kind: a
long search, a name that nothing has, a long game, a changed ruleset, a wrong password. The site is started as the demo
starts it, on a new database of the shipped records, with pages kept and the limits off. FOLDER may hold another
revision, to be measured beside this one in the same hour: the table is of both. What is demanded is little, since it
depends on the machine: that the OpenAPI document is not among the ten.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.proofs.operation import prepare
from tests.proofs.page_costs import ROOT, Site

DEAREST, READERS, ROUNDS = 10, 8, 5
LONG, LONGEST = ("dam-parker", "nerenchi-keliya-dlp", "puhulmutu-parker", "sokkattan-parker"), 3_900
DOCUMENT = "/api/schema/?format=json"
RULESET = "/rulesets/puhulmutu-parker"
LONG_WORDS = "+".join(f"stores{number}" for number in range(60))
CHANGE = json.dumps({"set": {"counters_per_hole": 5}}).encode()


@dataclass(frozen=True, slots=True)
class Wish:
    """A request. number: stands for {} in its address, so that it is another one each time"""

    address: str
    body: bytes | None = None
    kind: str = "application/json"

    def send(self, base: str, number: int, etag: str = "") -> tuple[int, str]:
        """(status, ETag)"""
        headers = {"Accept": "text/html,*/*;q=0.8", "Accept-Encoding": "gzip", "Sec-Fetch-Site": "same-origin"}
        headers |= {"Content-Type": self.kind} if self.body is not None else {}
        headers |= {"If-None-Match": etag} if etag else {}
        address = base + self.address.replace("{}", str(number))
        try:
            request = urllib.request.Request(address, data=self.body, headers=headers)
            with urllib.request.build_opener(_NoRedirect).open(request, timeout=120) as answer:
                answer.read()
                return answer.status, answer.headers.get("ETag", "")
        except urllib.error.HTTPError as error:
            error.read()
            return error.code, error.headers.get("ETag", "")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


WISHES = {
    "OpenAPI document, JSON": Wish(DOCUMENT),
    "OpenAPI document, YAML": Wish("/api/schema/"),
    "OpenAPI document, unchanged": Wish(DOCUMENT),
    "search of sixty words": Wish(f"/search/?q={LONG_WORDS}{{}}"),
    "search of sixty words, API": Wish(f"/api/v1/search/?q={LONG_WORDS}{{}}"),
    "a game that there is not": Wish(f"/games/{'daramutti' * 20}{{}}/"),
    "an address that there is not": Wish(f"/{quote('é' * 500)}{{}}/"),
    "a changed ruleset": Wish(f"{RULESET}/change/?set.counters_per_hole={{}}"),
    "a changed ruleset, API": Wish(f"/api/v1{RULESET}/change/", CHANGE),
    "the largest page of records": Wish("/api/v1/evidence/?page_size=100&ordering=-year&format=json"),
    "the largest page of clauses": Wish("/api/v1/clauses/?page_size=100&page={}&format=json"),
    "the map, narrowed": Wish("/api/v1/map/?from={}"),
    "records, narrowed": Wish("/evidence/?from={}"),
    "a wrong password": Wish("/admin/login/", b"username=nobody{}&password=wrong", "application/x-www-form-urlencoded"),
    "wrong words for games": Wish("/api/v1/batches/", b'{"ruleset": "daramutti-parker", "games": -1}'),
    "a body of deep brackets": Wish("/api/v1/batches/", b"[" * 50_000),
}


def long_games() -> dict[str, Wish]:
    """Games that have gone on for as long as an address can tell, or until they ended, drawn by lot."""
    from simulator.engine import load
    from simulator.engine.session import SEPARATOR, Session, encode

    found = {}
    for slug in LONG:
        played, words = Session(load(slug), 1), ""
        while not played.is_over and len(words) < LONGEST:
            move = played.draw_move()
            words += f"{SEPARATOR if words else ''}{encode(played, move)}"
            played.play(move)
        address = f"/rulesets/{slug}/play-a-game/?players=you,you&seed=1&moves={words}"
        found[f"a long game of {slug}"] = Wish(address)
    return found


def wishes() -> dict[str, Wish]:
    """All of them by name: the dearest known, and the examples of the routes."""
    prepare()
    from catalogue.web.routes import every_route

    examples = {route.example for route in every_route().values() if "GET" in route.methods and not route.permission}
    plain = sorted(address for address in examples if "{" not in address)
    return WISHES | {address: Wish(address) for address in plain}


def measured(root: Path, port: int, rounds: int, asked: dict[str, Wish]) -> dict[str, Any]:
    """By name: milliseconds of processor of a request; and what eight readers of the document took."""
    with tempfile.TemporaryDirectory(prefix="request-costs-") as folder:
        os.environ |= {"VAR_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3", "LOG_LEVEL": "CRITICAL"}
        os.environ |= {"KERNEL_CACHE_DIR": str(ROOT / "var" / "kernels")}
        for words in (("migrate", "--verbosity", "0"), ("load_fixtures",)):
            command = [sys.executable, "manage.py", *words]
            subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
        with Site(root, port, True) as site:
            _wait_for(site)
            figures = {"tree": str(root), "readers": _readers(site)}
            rows = {name: row for name, wish in asked.items() if (row := _cost(site, name, wish, rounds))}
    return figures | {"requests": rows}


def _wait_for(site: Site) -> None:
    while True:
        try:
            site.ask("/livez")
            return
        except OSError:
            time.sleep(0.1)


def _cost(site: Site, name: str, wish: Wish, rounds: int) -> dict[str, float]:
    """Once beforehand, so that what is made once is not counted."""
    status, etag = wish.send(site.base, 0)
    etag = etag if name.endswith("unchanged") else ""
    before = site.processor()
    for number in range(1, rounds + 1):
        status, _ = wish.send(site.base, number, etag)
    return {"ms": round(1000 * (site.processor() - before) / rounds, 1), "status": status}


def _readers(site: Site) -> dict[str, float]:
    """Eight at once, of a process that has just been started."""
    before, begun = site.processor(), time.monotonic()
    with ThreadPoolExecutor(READERS) as pool:
        times = list(pool.map(partial(_seconds_of, site), range(READERS)))
    return {
        "longest s": round(max(times), 2),
        "all s": round(time.monotonic() - begun, 2),
        "CPU s": round(site.processor() - before, 2),
    }


def _seconds_of(site: Site, number: int) -> float:
    begun = time.monotonic()
    WISHES["OpenAPI document, JSON"].send(site.base, number)
    return time.monotonic() - begun


def as_text(found: list[dict[str, Any]]) -> Iterator[str]:
    """The ten dearest of each tree, dearest first by the first tree in which a request is among them."""
    for figures in found:
        yield f"{figures['tree']}: {READERS} readers of the OpenAPI document at once: {figures['readers']}"
    names = dict.fromkeys(name for figures in found for name in dearest(figures))
    yield "".join(f"{title:>10}" for title in ("ms", "status") * len(found))
    for name in names:
        cells = [figures["requests"].get(name, {}).get(key, "") for figures in found for key in ("ms", "status")]
        yield "".join(f"{cell:>10}" for cell in cells) + f"  {name[:100]}"


def dearest(figures: dict[str, Any]) -> list[str]:
    rows = figures["requests"]
    return sorted(rows, key=lambda name: -rows[name]["ms"])[:DEAREST]


def main(words: list[str], write: Callable[[str], Any] = sys.stdout.write) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, action="append", help="folder of a revision; the last is this one")
    parser.add_argument("--port", type=int, default=8775)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(words)
    asked = wishes() | long_games()
    found = [measured(tree.resolve(), options.port, options.rounds, asked) for tree in options.tree or [ROOT]]
    write((json.dumps(found, indent=1) if options.json else "\n".join(as_text(found))) + "\n")
    return any(name.startswith("OpenAPI") for name in dearest(found[-1]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
