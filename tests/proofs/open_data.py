"""The proofs of open data: the portal's dump in, a dataset out; their figures as one JSON document.

    python -m tests.proofs.open_data [NAME…]

Without names all of them. Exit status 1 if a proof failed. The machine should have nothing else to do.
"""

import sys
from collections.abc import Callable
from typing import Any

from tests.proofs import open_data_dataset, open_data_dump, open_data_fuzz
from tests.proofs.running import Figures, run

PROOFS: dict[str, Callable[[Any], Figures]] = {
    **open_data_dump.PROOFS,
    **open_data_dataset.PROOFS,
    **open_data_fuzz.PROOFS,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
