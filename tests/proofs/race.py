"""The proofs of the race family, run one after another; their figures as one JSON document.

    python -m tests.proofs.race [NAME…]

Without names all of them. Exit status 1 if a proof failed. The machine should have nothing else to do.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

from tests.proofs.running import Figures, demand, run

GAMES, CAP, MOST_UNFINISHED = 20_000, 5_000, 0.01
LEAST_TURNS = 2_000_000  # a second, every ruleset
LEAST_OF = {"pancha-keliya-parker": 6_000_000, "pancha-keliya-dlp": 6_000_000}
# Numbers of players that a source allows, beside those of the shipped document.
SEATS = {"sokkattan-parker": (2, 3, 4), "saturankam-parker": (2, 3, 4), "kawade-kelia-culin": (2, 4)}
TEAMS = ("pahada-keliya-dlp", "asi-keliya-dlp", "tayam-sonalu-dlp")


def race_rulesets() -> list[str]:
    from tests.engine.rulesets import RULESETS

    return [name for name, ruleset in RULESETS.items() if ruleset.family == "race"]


def simulate(machine: Any) -> Figures:
    """Random games of every reading: how they end, how long they are, and the share that the cap cut off."""
    figures: Figures = {}
    for name in race_rulesets():
        printed = machine.simulate(name, "--games", str(GAMES), "--cap", str(CAP), "--inline")
        figures[name] = _figures(printed)
        unfinished = printed["summary"]["counts"]["unfinished"]
        demand(unfinished <= MOST_UNFINISHED * GAMES, f"{name}: {unfinished} of {GAMES} games unfinished", figures)
    return figures


def seats(machine: Any) -> Figures:
    """The same games with two, three and four players; partners win together."""
    figures: Figures = {}
    for name, numbers in SEATS.items():
        for number in numbers:
            words = ("--games", "2000", "--cap", str(CAP), "--set", f"seats={number}", "--inline")
            printed = machine.simulate(name, *words)
            figures[f"{name}, {number} players"] = _figures(printed)
            won = printed["summary"]["counts"]["won_by_seat"]
            demand(len(won) == number and all(won), f"{name} with {number} players: won by seat {won}", figures)
    for name in TEAMS:
        won = machine.simulate(name, "--games", "2000", "--cap", str(CAP), "--inline")["summary"]["counts"][
            "won_by_seat"
        ]
        figures[f"{name}, teams"] = {"won_by_seat": won}
        demand(won[0] == won[2] and won[1] == won[3] and all(won), f"{name}: partners did not win together", figures)
    return figures


def bench(machine: Any) -> Figures:
    """Random play of every reading, in turns a second."""
    figures = json.loads(machine.manage("bench", *race_rulesets(), "--seconds", "5", "--json").stdout)
    for row in figures["rulesets"]:
        least = LEAST_OF.get(row["ruleset"], LEAST_TURNS)
        demand(row["turns_per_second"] >= least, f"{row['ruleset']}: fewer than {least:,} turns a second", figures)
    return figures


def _figures(printed: Figures) -> Figures:
    rows = {row["key"]: row for section in printed["summary"]["sections"] for row in section["rows"]}
    mean = rows.get("turns_mean") or rows.get("turns_restricted_mean") or {}
    return {**printed["summary"]["counts"], "mean_turns": mean.get("value"), "digest": printed["digest"][:16]}


PROOFS: dict[str, Callable[[Any], Figures]] = {"simulate": simulate, "seats": seats, "bench": bench}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
