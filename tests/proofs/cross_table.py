"""The cross table: readings of a game two by two, each difference with either player of a level on both of them.

    python -m tests.proofs.cross_table [--level club] [--write]

For each game and pair of readings: the shares of every outcome with the first player on both readings and with the
second on both, what was told of it before, when each reading had a player of its own
(docs/reviews/2026-11-27-before.json), and the verdict. --write puts the table into docs/reviews/2026-11-27-players.md.
What is read is the edition that ships, loaded into a database of its own.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, prove
from tests.services.machine import ROOT

REVIEWS = ROOT / "docs" / "reviews"
BEFORE, TABLE = REVIEWS / "2026-11-27-before.json", REVIEWS / "2026-11-27-players.md"
LEAST = 0.02  # a difference that is smaller everywhere, before and now, has no row
Key = tuple[str, str, str]  # (first reading, second reading, outcome)

ASK = """
import json
from catalogue.findings.over_levels import levels_played, over_levels
from catalogue.models import Game
from simulator import rulesets
from simulator.batches.levels import SECONDS, player_of
games = Game.objects.in_bulk()
rows = []
for pk, differences in over_levels(levels_played()).items():
    for one in differences:
        level = next((level for level in one.judged.levels if level.level == LEVEL), None)
        if level is None:
            continue
        place = one.judged.levels.index(level)
        ruleset = rulesets.find(one.first.slug)
        rows.append({
            "game": games[pk].slug, "first": one.first.slug, "second": one.second.slug, "outcome": one.outcome,
            "counted": one.counted, "verdict": str(one.verdict), "shown": one.judged.shown[place],
            "players": [player_of(ruleset, name) for name in (LEVEL, SECONDS[LEVEL])],
            "by": [
                {"shares": list(by.shares), "games": list(by.games), "limits": list(by.interval.limits),
                 "unfinished": list(by.unfinished), "kinds": list(by.kinds)}
                for by in level.by_players
            ],
        })
print(json.dumps(rows))
"""


def asked(level: str) -> list[Figures]:
    """Return a row for each game, pair of readings and outcome, as the shipped edition has it."""
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        script = ASK.replace("LEVEL", repr(level))
        answer = prove({"rows": lambda machine: {"rows": _rows(machine, script)}}, ["rows"], Path(folder))["rows"]
    if not answer["holds"]:
        raise SystemExit(answer["why"])
    found: list[Figures] = answer["figures"]["rows"]
    return found


def _rows(machine: Any, script: str) -> Any:
    return machine.python("manage.py", "shell", "--verbosity", "0", "-c", script)


def told_before() -> dict[Key, Figures]:
    """Return what was told of each difference when each reading had a player of its own."""
    kept = json.loads(BEFORE.read_text(encoding="utf-8"))["differences"]
    return {(row["first"], row["second"], row["outcome"]): row for rows in kept.values() for row in rows}


def table(rows: list[Figures]) -> Iterator[str]:
    """Yield the lines of the table."""
    before = told_before()
    yield "| game | readings | outcome | each its own player | first player on both | second player on both | now |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        earlier = before.get((row["first"], row["second"], row["outcome"]))
        told = earlier["club"] if earlier and earlier["club"] else None
        gaps = [abs(by["shares"][1] - by["shares"][0]) for by in row["by"]] + [abs(told[1] - told[0]) if told else 0.0]
        if max(gaps) < LEAST:
            continue
        cells = [_by(by) for by in row["by"]] + ["not played"] * (2 - len(row["by"]))
        was = f"{_percent(told)}{', shown' if earlier and earlier['shown'] else ''}" if told else "–"
        short = [reading.removeprefix(f"{row['game']}-") for reading in (row["first"], row["second"])]
        yield f"| {' | '.join([row['game'], ' : '.join(short), row['outcome'], was, *cells, verdict(row)])} |"


def verdict(row: Figures) -> str:
    """Return what is told of a difference on this level, and over all levels."""
    return f"{'shown' if row['shown'] else 'not shown'}; over the levels: {row['verdict']}"


def _by(by: Figures) -> str:
    low, high = (f"{100 * limit:+.0f}".replace("-", "−") for limit in by["limits"])
    kinds = f", {' and '.join(str(kind) for kind in by['kinds'])} kinds" if any(by["kinds"]) else ""
    return f"{_percent(by['shares'])} ({low} to {high}; {by['games'][0]:,} games{kinds})"


def _percent(shares: list[float]) -> str:
    return f"{100 * shares[0]:.0f} : {100 * shares[1]:.0f} %"


def document(rows: list[Figures], level: str) -> str:
    """Return the table with its introduction, and who played."""
    earlier = {key for key, row in told_before().items() if row["shown"]}
    shown = {(row["first"], row["second"], row["outcome"]) for row in rows if row["shown"]}
    if unnamed := sorted(earlier - {(row["first"], row["second"], row["outcome"]) for row in rows}):
        raise SystemExit(f"{BEFORE.name} names outcomes that no row has now: {unnamed}")  # renamed, they had not fallen
    players = {row["game"]: row["players"] for row in rows}
    lines = [
        "# The same players on both sides: readings two by two",
        "",
        f"Written by `make proof-cross-table`. Level *{level}*: shares under the first and the second reading, and",
        "the 95 % interval of the difference in percentage points. Before, each reading was played by the",
        f"search that did best in it. Of {len(rows)} differences {len(shown)} are shown by both players. Of",
        f"{len(earlier)} that were told before, {len(earlier - shown)} fell and {len(earlier & shown)} stand.",
        "",
        *table(rows),
        "",
        "| game | first player | second player |",
        "| --- | --- | --- |",
        *(f"| {game} | `{first}` | `{second}` |" for game, (first, second) in players.items()),
        "",
    ]
    return "\n".join(lines)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.proofs.cross_table", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--level", default="club", help="of play (default %(default)s)")
    parser.add_argument("--write", action="store_true", help="write the table to docs/reviews")
    wanted = parser.parse_args(words)
    text = document(asked(wanted.level), wanted.level)
    print(text)  # noqa: T201
    if wanted.write:
        TABLE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
