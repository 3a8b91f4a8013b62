"""How many queries the pages of a large catalogue take: the same for few records and for many.

`python -m tests.golden_query_counts` writes `golden_query_counts.json` anew.
"""

import json
from pathlib import Path

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

PATH = Path(__file__).with_suffix(".json")


def counted() -> dict[str, list[int]]:
    """Type of page → queries of each of its addresses, in the database as it is."""
    from tests.pages_of_a_large_catalogue import addresses  # here: the models come after the settings

    client, counts = Client(), {}
    for name, some in addresses().items():
        counts[name] = [_queries(client, address) for address in some]
    return counts


def _queries(client: Client, address: str) -> int:
    client.get(address)  # what a process keeps from then on is not asked for again
    with CaptureQueriesContext(connection) as queries:
        response = client.get(address)
        if response.streaming:
            list(response.streaming_content)
    assert response.status_code == 200, f"{address} is answered {response.status_code}"
    return len(queries)


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogue.config.settings")
    django.setup()
    from django.test.utils import setup_test_environment

    setup_test_environment()
    connection.creation.create_test_db(verbosity=0)
    from catalogue.search import cache
    from catalogue.search.indexing import rebuild
    from tests.catalogue.page_world import load_catalogue
    from tests.synthetic_catalogue import fill

    cache.LONG = float("inf")  # a busy machine would decide what is kept
    load_catalogue()
    fill(300)
    rebuild()
    PATH.write_text(json.dumps(counted(), indent=1) + "\n", encoding="utf-8")
