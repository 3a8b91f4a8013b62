"""The proofs of players, strength, exact answers and play, run one after another; their figures as one JSON document.

    python -m tests.proofs.players [NAME…]

Without names all of them. Exit status 1 if a proof failed. The machine should have nothing else to do.
"""

import sys
from collections.abc import Callable
from typing import Any

from tests.proofs import players_solving, players_strength
from tests.proofs.players_openspiel import openspiel
from tests.proofs.players_replies import replies
from tests.proofs.running import Figures, run

PROOFS: dict[str, Callable[[Any], Figures]] = {
    "openspiel": openspiel,
    "replies": replies,
    "strength": players_strength.strength,
    **players_solving.PROOFS,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
