"""The proofs of search, map and API, run one after another; their figures as one JSON document.

    python -m tests.proofs.search_api [NAME…]

Without names all of them. Exit status 1 if a proof failed. The machine should have nothing else to do.
"""

import sys
from collections.abc import Callable
from typing import Any

from tests.proofs import search_api_map
from tests.proofs.running import Figures, run
from tests.proofs.search_api_hostile import hostile
from tests.proofs.search_api_load import load
from tests.proofs.search_api_schema import schema
from tests.proofs.search_api_search import search

PROOFS: dict[str, Callable[[Any], Figures]] = {
    "search": search,
    **search_api_map.PROOFS,
    "load": load,
    "hostile": hostile,
    "schema": schema,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
