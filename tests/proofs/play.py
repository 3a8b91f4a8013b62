"""The proofs of play, one after another; their figures as one JSON document.

    python -m tests.proofs.play [PART…]

Parts: mirror-… (search favours no seat), scale-… (each level of the scale beats the one below), strong-… (the strong
level against other searches), openspiel (against OpenSpiel's search at equal time), perfect-… (against the perfect
player), niranchy and the exact answers by their own names. Without parts all of them, which takes hours: what was
played of a match is kept, and goes on where it was broken off. Exit status 1 if a proof failed.
"""

import sys
from collections.abc import Callable
from typing import Any

from tests.proofs import play_mirror, play_openspiel, play_perfect, play_scale, play_solving, players_solving
from tests.proofs.running import Figures, run

PROOFS: dict[str, Callable[[Any], Figures]] = {
    **{f"mirror-{slug}": proof for slug, proof in play_mirror.PROOFS.items()},
    **play_scale.PROOFS,
    "openspiel": play_openspiel.equal_time,
    **play_perfect.PROOFS,
    **play_solving.PROOFS,
    "niranchy": players_solving.niranchy,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
