"""A suite of searches, and what they find: run on each database, it must give the same lists in the same order.

python -m tests.catalogue.search_suite          the answers as one JSON document, of the database of the environment
"""

import json
import sys
from typing import Any

SUITE: tuple[dict[str, str], ...] = (
    {},
    {"q": "mawkar"},
    {"q": "Máwkár kátiyá"},
    {"q": "baendum"},
    {"q": "BÆNDUM"},
    {"q": "the"},
    {"q": "game"},
    {"q": "the game of the board"},
    {"q": "captured", "kind": "record"},
    {"q": "capturing", "kind": "record"},
    {"q": '"sowing game"'},
    {"q": '"game sowing"'},
    {"q": '"empty hole" -puhulmutu'},
    {"q": "-rule -ruleset"},
    {"q": "puhulmutu OR daramuti", "sort": "name"},
    {"q": "puhulmutu OR daramuti OR mawkar", "place": "khasi"},
    {"q": "kotu-baendum"},
    {"q": "2x7"},
    {"q": "1909"},
    {"q": "Parker", "kind": "source"},
    {"q": "DLP.Evidence.692"},
    {"q": "ash pumpkin"},
    {"q": "seed’s"},
    {"q": "daramutti"},
    {"q": "captrue"},
    {"q": "xyzzyqwert"},
    {"q": "leopard cattle", "sort": "newest"},
    {"q": "cowries"},
    {"kind": "record", "sort": "year"},
    {"kind": "record", "sort": "newest", "place": "sri-lanka"},
    {"kind": "record", "type": "Artifact"},
    {"family": "sowing", "kind": "game"},
    {"period": "1900", "rulesets": "yes", "claims": "yes"},
    {"source": "parker-1909", "kind": "record"},
    {"q": "puhul*"},
    {"q": "PUHUL* -daramuti", "sort": "name"},
    {"q": "mutu* OR dara*", "place": "sri-lanka"},
    {"q": "game -pu*"},
    {"q": "-ga* -ru*"},
    {"q": '"empty ho*"'},
    {"q": '"empty holes" -"the ho*"'},
    {"q": "kotu-baen*"},
    {"q": "Máwk*"},
    {"q": "19* -1909"},
    {"q": "capturing*"},
    {"q": "එවැ* OR මැ*"},
    {"q": "සි*"},
    {"q": "xyzzyqw*"},
    {"q": "zq*"},
    {"q": '"board z*"'},
    {"q": "which games have ho*?"},
    {"q": "p* rule"},
    {"q": "re*", "page": "13"},
    {"q": "rule", "page": "3"},
    {"q": "and", "page": "19"},
)


def answers() -> list[dict[str, Any]]:
    """What each search finds: the number, the addresses of the page in their order, the counts of all facets."""
    from django.http import QueryDict

    from catalogue.search.results import read_request, search_listing

    found = []
    for one in SUITE:
        parameters = QueryDict(mutable=True)
        parameters.update(one)
        page = search_listing(read_request(parameters))
        found.append(
            {
                "asked": one,
                "understood": page.request.query.understood,
                "count": page.total,
                "suggestion": page.suggestion,
                "finds": [[find.entry.kind, find.entry.address, find.entry.title] for find in page.finds],
                "snippets": [find.snippet.text if find.snippet else "" for find in page.finds],
                "facets": {
                    facet.name: [[value.value, value.text, value.count] for value in facet.values]
                    for facet in page.facets
                },
            }
        )
    return found


if __name__ == "__main__":
    import django

    django.setup()
    json.dump(answers(), sys.stdout, ensure_ascii=False)
