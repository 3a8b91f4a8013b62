"""The cross table: what the first edition told of readings and claims, and what the present one does.

    python -m tests.proofs.cross_table [--level club] [--write]

For each game and pair of readings: the shares of every outcome with the first player on both readings and with the
second on both, what the first edition told of it, when each reading had a player of its own
(docs/reviews/2026-11-27-before.json), and the verdict. Before that: how many differences over the levels, and which
verdicts on claims, stand, fell and are new, and what the present edition has not played yet, for what is not played
falls too. --write puts it into docs/reviews/2026-11-28-editions.md. What is read is the edition that ships, loaded
into a database of its own.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, prove
from tests.services.machine import ROOT

REVIEWS = ROOT / "docs" / "reviews"
BEFORE, TABLE = REVIEWS / "2026-11-27-before.json", REVIEWS / "2026-11-28-editions.md"
INDEX = ROOT / "fixtures" / "edition" / "index.json"
TOLD = {"stable", "depends on strength", "turns over"}  # verdicts over the levels that tell a difference
DECIDED = {"supported", "not_supported"}
STANDS, FELL, NEW, REVERSED = "stands", "fell", "new", "reversed"
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
from catalogue.analyses.claim_results import claim_results, claim_rows
found = {f"{one.claim.game.slug}/{one.claim.slug}": [str(one.verdict.kind), str(one.verdict.reason)]
         for one in claim_results(claim_rows())}
print(json.dumps({"rows": rows, "claims": found}))
"""


def asked(level: str) -> Figures:
    """Return a row for each game, pair of readings and outcome, and the verdict on each claim, of the edition."""
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        script = ASK.replace("LEVEL", repr(level))
        answer = prove({"rows": lambda machine: _rows(machine, script)}, ["rows"], Path(folder))["rows"]
    if not answer["holds"]:
        raise SystemExit(answer["why"])
    found: Figures = answer["figures"]
    return found


def _rows(machine: Any, script: str) -> Any:
    return machine.python("manage.py", "shell", "--verbosity", "0", "-c", script)


def told_before() -> dict[Key, Figures]:
    """Return what was told of each difference when each reading had a player of its own."""
    kept = json.loads(BEFORE.read_text(encoding="utf-8"))["differences"]
    return {_key(row): {**row, "game": game} for game, rows in kept.items() for row in rows}


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


def became(before: bool, now: bool) -> str:
    """Return what became of something that was told, or is told now; empty of what never was."""
    return (STANDS if now else FELL) if before else NEW if now else ""


def over_the_levels(rows: list[Figures]) -> Iterator[str]:
    """Yield, game by game, how many differences over the levels of play stand, fell and are new."""
    before, now = told_before(), {_key(row): row for row in rows}
    by_game: dict[str, Counter[str]] = {}
    for key, row in {**before, **now}.items():
        told = (every.get(key, {}).get("verdict") in TOLD for every in (before, now))
        by_game.setdefault(row["game"], Counter())[became(*told)] += 1
    yield "| game | stand | fell | new |"
    yield "| --- | --- | --- | --- |"
    for game, some in [*sorted(by_game.items()), ("all", sum(by_game.values(), Counter[str]()))]:
        yield f"| {game} | {some[STANDS]} | {some[FELL]} | {some[NEW]} |"


def claims(found: dict[str, list[str]]) -> Iterator[str]:
    """Yield the claims that the first edition decided, or that the present one does."""
    before: dict[str, str] = json.loads(BEFORE.read_text(encoding="utf-8"))["claims"]
    yield "| claim | first edition | now | |"
    yield "| --- | --- | --- | --- |"
    for name in sorted({*before, *found}):
        was, (now, reason) = before.get(name, "not judged"), found.get(name, ("no claim any more", ""))
        if verdict := became(was in DECIDED, now in DECIDED):
            verdict = REVERSED if verdict == STANDS and was != now else verdict
            words = [part.replace("_", " ") for part in (was, now)]
            yield f"| {name} | {words[0]} | {words[1]}{f': {reason}' if reason else ''} | {verdict} |"


def not_played() -> Iterator[str]:
    """Yield what the plan of the present edition asks for and is not there, by kind and level."""
    for kind, names in json.loads(INDEX.read_text(encoding="utf-8"))["missing"].items():
        levels = Counter(name.partition(" ")[2] for name in names)
        said = ", ".join(f"{number} {level}".strip() for level, number in sorted(levels.items()))
        yield f"- {kind}: {said}"


def _key(row: Figures) -> Key:
    return row["first"], row["second"], row["outcome"]


def document(found: Figures, level: str) -> str:
    """Return the tables with their introductions, and who played."""
    rows: list[Figures] = found["rows"]
    earlier = {key for key, row in told_before().items() if row["shown"]}
    shown = {_key(row) for row in rows if row["shown"]}
    if unnamed := sorted(earlier - {_key(row) for row in rows}):
        raise SystemExit(f"{BEFORE.name} names outcomes that no row has now: {unnamed}")  # renamed, they had not fallen
    players = {row["game"]: row["players"] for row in rows}
    lines = [
        "# The first edition and the present one",
        "",
        "Written by `make proof-cross-table`. In the first edition each reading was played by the search that did best",
        "in it; in the present one the same players play all readings of a game.",
        "",
        "## Over the levels of play",
        "",
        "Differences between two readings in an outcome that are told: stable, depending on strength, or reversing",
        "with it. What a second player does not show fell, and so did what is not played yet.",
        "",
        *over_the_levels(rows),
        "",
        "## Claims",
        "",
        *claims(found["claims"]),
        "",
        "## Not played yet",
        "",
        *not_played(),
        "",
        "## Readings two by two",
        "",
        f"Level *{level}*: shares under the first and the second reading, and",
        f"the 95 % interval of the difference in percentage points. Of {len(rows)} differences {len(shown)}",
        "are shown by both players. Of",
        f"{len(earlier)} that were told before, {len(earlier - shown)} fell and {len(earlier & shown)} stand;",
        f"{len(shown - earlier)} are new.",
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
