"""What the trials came to: a table by layer, and the faults that nobody noticed."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.mutants.trials import ALL, NEAR, SURVIVED, Trial

# Names of faults that change nothing anybody could notice -> why not.
WITHOUT_EFFECT: dict[str, str] = json.loads((Path(__file__).parent / "without_effect.json").read_text(encoding="utf-8"))
HARMLESS = "without effect"
COLUMNS = (NEAR, ALL, SURVIVED, HARMLESS)


def table(trials: Iterable[Trial]) -> str:
    """Markdown: how many faults of each layer were caught by what, and what share of those that change anything."""
    made = list(trials)
    kinds = Counter((trial.layer, _kind(trial)) for trial in made)
    rows = [[layer, *(kinds[layer, kind] for kind in COLUMNS)] for layer in sorted({trial.layer for trial in made})]
    totals = ["all", *(sum(row[place] for row in rows) for place in range(1, len(COLUMNS) + 1))]
    lines = [_line(["layer", *COLUMNS]), _line(["---"] * (len(COLUMNS) + 1)), *map(_line, [*rows, totals])]
    caught, counted = totals[1] + totals[2], sum(totals[1:4])
    share = f" ({caught / counted:.0%})" if counted else ""
    lines += ["", f"{caught} caught of {counted} that change anything{share}."]
    for title, kind in (("Survived", SURVIVED), ("Without effect", HARMLESS)):
        found = [trial for trial in made if _kind(trial) == kind]
        lines += ["", f"{title}:", *(f"- {one.name}{_reason(one)}" for one in found)] if found else []
    return "\n".join(lines)


def _kind(trial: Trial) -> str:
    return HARMLESS if trial.caught == SURVIVED and trial.name in WITHOUT_EFFECT else trial.caught


def _reason(trial: Trial) -> str:
    return f": {WITHOUT_EFFECT[trial.name]}" if trial.name in WITHOUT_EFFECT else ""


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
