"""The proof of the edition that ships: `make proof-edition`, or parts of it: python -m tests.proofs.edition PART…

verify-1 to -16: parts of it played again, minutes each; complete: nothing of its plan is missing, and its plan leaves
out no game, reading, level or claim; headlines: a difference that is told is seen; size-and-load: it is as small, and
loads as quickly, as it should;
one-request: figures of many records at once; dataset: out and in, byte for byte.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand, run

SAMPLE, SHARES = 40, 16
WHOLE = {"games": 21, "readings": 54, "claims": 35}  # of the records that ship
MOST_BYTES, MOST_SECONDS = 25_000_000, 15.0
QUERY = "/api/v1/measurements/?place=sri-lanka&to=1899&measure=first_player_advantage&fields=game,reading,level,value"
ASK = f"""
import json
from django.test import Client
answer = Client(headers={{"host": "localhost"}}).get({QUERY!r})
print(json.dumps({{"status": answer.status_code, "rows": answer.json()["count"]}}))
"""

LOAD = """
import json, time
from catalogue.edition.files import EditionFolder
from catalogue.edition.terms import KINDS
from catalogue.edition.making import load
folder, begun, busy = EditionFolder(), time.perf_counter(), time.process_time()
new = load(folder).new
print(json.dumps({
    "new": new,
    "bytes": sum(folder.size(kind, key) for kind, key in folder.every(KINDS)),
    "seconds": round(time.perf_counter() - begun, 1),
    "processor_seconds": round(time.process_time() - busy, 1),
}))
"""

HELD = """
import json
from catalogue.analyses.claim_results import claim_results, claim_rows
from catalogue.outcomes.played import shown_batches
from catalogue.models import Game, Reading
from catalogue.models.querysets import with_versions
from simulator.batches.levels import LEVELS
readings = with_versions(Reading.objects.order_by("slug"))
best = shown_batches({one.version.ruleset_id: one.version.ruleset for one in readings if one.version})
open_games = Game.objects.filter(questions__isnull=False).distinct()
results = claim_results(claim_rows())
print(json.dumps({
    "games": open_games.count(),
    "not_studied": sorted(open_games.filter(studies=None).values_list("slug", flat=True)),
    "readings": len(readings),
    "not_played": sorted(
        f"{one.reading.slug} {level}"
        for one in readings for level in LEVELS if not one.version or (one.version.ruleset_id, level) not in best
    ),
    "claims": len(results),
    "not_judged": sorted(
        f"{one.claim.game.slug}/{one.claim.slug} {test.number}"
        for one in results for test in one.tests if not test.verdict and not test.needs
    ),
    "waiting_for_players": sorted(str(one.claim) for one in results if any(test.needs for test in one.tests)),
}))
"""

SEEN = """
import json
from catalogue.findings.finding import COMPARED, PARAPHRASED
from catalogue.findings.kept import findings
from catalogue.findings.over_levels import levels_played
from catalogue.outcomes.figure import VISIBLE, OutcomeFigure, seen_apart
found = findings()
told = [one for one in (*found.ranked, *found.others) if one.kind in (COMPARED, PARAPHRASED) and one.bars]
figures = [
    OutcomeFigure(tuple(bars), level=level) for level, by_game in levels_played() for bars in by_game.values() if bars
]
named = [(figure.finding, seen_apart(figure.bars)) for figure in figures]
print(json.dumps({
    "findings": len(told),
    "figures": len(figures),
    "alike": [one.headline for one in told if seen_apart(one.bars) < VISIBLE] + [
        said for said, apart in named
        if "; under " in said.partition(". ")[0] and apart < VISIBLE and "hardly differ" not in said
    ],
}))
"""


def verify(machine: Any, share: int) -> Figures:
    """A sixteenth of so many parts played again, from the ruleset up, without a broker: no difference."""
    words = ("--sample", str(SAMPLE), "--share", f"{share}/{SHARES}", "--json")
    found: Figures = json.loads(machine.manage("edition", "verify", *words).stdout)
    drawn = len(range(share - 1, SAMPLE, SHARES))
    demand(len(found["parts"]) == drawn, f"only {len(found['parts'])} parts are there to be verified", found)
    return {
        "parts": [f"{one['kind']} {one['name']}" for one in found["parts"]],
        "games": sum(one["games"] for one in found["parts"]),
    }


def complete(machine: Any) -> Figures:
    """Every part of the plan is there, and is what the plan asks for now; every game with an open question is studied,
    every reading played on every level, and every claim judged that a player here could judge."""
    found: Figures = json.loads(machine.manage("edition", "plan", "--json").stdout)
    missing = {f"{one['kind']} {one['level']}".strip(): one["parts"] - one["there"] for one in found["groups"]}
    figures = {"missing": {name: number for name, number in missing.items() if number}, "given_up": found["given_up"]}
    held: Figures = machine.python("manage.py", "shell", "--verbosity", "0", "-c", HELD)
    figures |= held
    demand(not figures["missing"], "parts of the plan are missing", figures)
    for what in ("not_studied", "not_played", "not_judged"):
        demand(not held[what], f"the edition is not complete: {what}", figures)
    counts = {name: held[name] for name in WHOLE}
    demand(counts == WHOLE, f"there are {counts}, and should be {WHOLE}", figures)
    return figures


def headlines(machine: Any) -> Figures:
    """No line that tells of a difference stands over bars that look alike: of all findings, games and levels."""
    figures: Figures = machine.python("manage.py", "shell", "--verbosity", "0", "-c", SEEN)
    demand(figures["findings"] > 10 and figures["figures"] > 50, "too little is there to look at", figures)
    demand(not figures["alike"], "a headline tells of a difference that its bars do not show", figures)
    return figures


def size_and_load(machine: Any) -> Figures:
    """How large it is, and how long a catalogue that has all else takes to load it."""
    other = _empty(machine)
    other.manage("load_fixtures", "--no-edition")
    figures: Figures = other.python("manage.py", "shell", "--verbosity", "0", "-c", LOAD)
    demand(figures["bytes"] < MOST_BYTES, "it is too large to ship", figures)
    demand(figures["processor_seconds"] < MOST_SECONDS, "it takes too long to load", figures)
    return figures


def one_request(machine: Any) -> Figures:
    """The first player's advantage in all records of Sri Lanka before 1900."""
    machine.manage("simulate", "daramuti-parker", "--games", "200", "--inline")
    figures: Figures = machine.python("manage.py", "shell", "--verbosity", "0", "-c", ASK)
    demand(figures["status"] == 200 and figures["rows"] > 0, "nothing is answered", figures)
    return figures


def dataset(machine: Any) -> Figures:
    """Written, loaded into an empty catalogue and written again: the same bytes."""
    first, again = machine.folder / "one", machine.folder / "again"
    machine.manage("export_dataset", str(first), "--date", "2026-12-01")
    other = _empty(machine)
    other.manage("load_dataset", str(first))
    other.manage("export_dataset", str(again), "--date", "2026-12-01")
    files = {one.relative_to(first): one.read_bytes() for one in first.rglob("*") if one.is_file()}
    different = [str(name) for name, held in files.items() if _read(again / name) != held]
    figures = {"files": len(files), "bytes": sum(map(len, files.values())), "different": different}
    demand(not different and Path("measurements.csv") in files, "files differ", figures)
    return figures


def _empty(machine: Any) -> Any:
    """A second machine, whose catalogue has its tables and nothing in them."""
    from tests.services.machine import Machine

    other = Machine(Path(tempfile.mkdtemp(dir=machine.folder)), machine.broker)
    other.manage("migrate", "--verbosity", "0")
    return other


def _read(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


PROOFS: dict[str, Callable[[Any], Figures]] = {
    **{f"verify-{number}": partial(verify, share=number) for number in range(1, SHARES + 1)},
    "complete": complete,
    "headlines": headlines,
    "size-and-load": size_and_load,
    "one-request": one_request,
    "dataset": dataset,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
