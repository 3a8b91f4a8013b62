"""The proofs of exact answers that take minutes: hunts swept formation by formation.

    python -m tests.proofs.play_solving [NAME…]

Without names all of them. Exit status 1 if a proof failed.
"""

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator.engine.documents import with_changes
from simulator.engine.ruleset import Ruleset
from tests.engine.rulesets import RULESETS
from tests.proofs.running import Figures, demand, run

KOTI = "koti-keliya-parker"
SOLUTIONS = Path(settings.BASE_DIR) / "fixtures" / "solutions"
SQUARES = 66  # that the leopard may begin on
MOST_SECONDS, MOST_BYTES = 600, 6 * 10**9
MACHINE = {"seconds", "peak_bytes"}  # what differs between two that did the same


def koti_double_step(machine: Any = None) -> Figures:
    """With the double step the leopard wins from all squares; the solution that is shipped says the same."""
    return _koti(RULESETS[KOTI], "first_wins", KOTI)


def koti_single_steps(machine: Any = None) -> Figures:
    """With single steps the cattle win, wherever the leopard begins."""
    return _koti(with_changes(RULESETS[KOTI], {"first_reach": "1"}), "second_wins")


def koti_ludii(machine: Any = None) -> Figures:
    """As the Ludii programme plays it, the leopard wins where he is level with the foremost already."""
    return _koti(RULESETS["koti-keliya-ludii"], "first_wins", "koti-keliya-ludii")


def _koti(ruleset: Ruleset, winner: str, shipped: str = "") -> Figures:
    from simulator.engine.solving.advancing_document import swept

    begun = time.process_time()
    document, _ = swept(ruleset)
    values = Counter(move["value"] for move in document["first_moves"])
    figures: Figures = {
        "first_moves": dict(values),
        **{key: document[key] for key in ("start", "positions", "counts", "seconds", "peak_bytes", "table_bytes")},
        "processor_seconds": round(time.process_time() - begun, 1),
    }
    demand(values == {winner: SQUARES}, f"the squares come to {dict(values)}", figures)
    demand(document["seconds"] <= MOST_SECONDS, f"it took {document['seconds']} s", figures)
    demand(document["peak_bytes"] <= MOST_BYTES, f"it took {document['peak_bytes']:,} bytes", figures)
    if shipped:
        kept = json.loads((SOLUTIONS / f"{shipped}.json").read_text(encoding="utf-8"))
        different = [key for key in document if key not in MACHINE and document[key] != kept[key]]
        demand(not different, f"the shipped solution has otherwise: {different}", figures)
    return figures


def koti_perfect_player(machine: Any = None) -> Figures:
    """By a table on the disk the leopard wins every game against random cattle, without giving the win away."""
    import numpy as np

    from simulator.engine.solving.advancing import opened, solve_advancing

    ruleset, turns = RULESETS[KOTI], []
    with tempfile.TemporaryDirectory() as folder:
        solve_advancing(ruleset, folder=Path(folder))
        solved, chance = opened(ruleset, Path(folder)), np.random.default_rng(1)
        begun = time.perf_counter()
        for _ in range(20):
            position, plies = solved.game.start(), 0
            while solved.game.contract.outcome(solved.game.rules, position)[0] < 0:
                mine = solved.game.mover(position) == 0
                moves = solved.best_moves(position) if mine else solved.game.codes(position)
                position, plies = dict(solved.game.children(position))[int(chance.choice(moves))], plies + 1
                demand(solved.value(position).winner == 0, "a win was given away", {"plies": plies})
            turns.append(plies)
        seconds = time.perf_counter() - begun
    return {"games": len(turns), "plies": turns, "milliseconds_a_ply": round(1000 * seconds / sum(turns), 2)}


PROOFS: dict[str, Callable[[Any], Figures]] = {
    "koti-double-step": koti_double_step,
    "koti-single-steps": koti_single_steps,
    "koti-ludii": koti_ludii,
    "koti-perfect-player": koti_perfect_player,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
