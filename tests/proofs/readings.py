"""The proofs of readings, run one after another; their figures as one JSON document.

    python -m tests.proofs.readings [NAME…]

Without names all of them. Exit status 1 if a proof failed. The machine should have nothing else to do.
"""

import sys
from collections.abc import Callable
from typing import Any

from tests.proofs import comparing
from tests.proofs.apparatus import apparatus
from tests.proofs.claims import claims
from tests.proofs.running import Figures, run
from tests.proofs.which_doubt import sensitivity

PROOFS: dict[str, Callable[[Any], Figures]] = {
    "apparatus": apparatus,
    "claims": claims,
    **comparing.PROOFS,
    "sensitivity": sensitivity,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
