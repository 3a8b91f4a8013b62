"""Examples of the OpenAPI document. A test asks every one of them, and holds the answers to what is described.

The batch is the one of `daramuti-parker` that the demo plays, whose id follows from what was asked for.
"""

from typing import Any

BATCH = "316db0a1615d2dc1"
COMPARISON = "cbc2626bb65e11c7"
GAMES: dict[str, Any] = {"games": 20_000, "seed": 1, "players": "random", "cap": 2_000, "until": "game"}

# (address, parameter) -> value; with no address: wherever a parameter is called so.
VALUES: dict[tuple[str, str], Any] = {
    ("", "place"): "sri-lanka",
    ("", "game"): "daramuti",
    ("", "evidence"): "DLP.Evidence.692",
    ("", "source"): "parker-1909",
    ("", "ruleset"): "daramuti-parker",
    ("", "authority"): "parker",
    ("", "type"): "Ethnography",
    ("", "uncertainty"): "no-paraphrase",
    ("", "from"): 1873,
    ("", "to"): 1923,
    ("", "undated"): "no",
    ("", "reference"): "no",
    ("", "executable"): "yes",
    ("", "main"): "no",
    ("", "kind"): "country",
    ("", "part_of"): "sri-lanka",
    ("", "state"): "done",
    ("", "origin"): "demo",
    ("", "until"): "game",
    ("", "judged_by"): "random",
    ("", "verdict"): "supported",
    ("", "reading"): "puhulmutu-parker",
    ("", "held_by"): "daramuti-parker",
    ("", "basis"): "stated",
    ("", "parameter"): "relay",
    ("", "stance"): "supports",
    ("", "about"): "record",
    ("", "page"): 1,
    ("", "page_size"): 10,
    ("", "cursor"): "*",
    ("/api/v1/search/", "q"): "stores -board",
    ("/api/v1/findings/", "kind"): "studied",
    ("/api/v1/findings/", "level"): "random",
    ("/api/v1/evidence/", "fields"): "identifier,date,places",
    ("/api/v1/evidence/", "ordering"): "-year",
    ("/api/v1/evidence/{identifier}/", "identifier"): "DLP.Evidence.692",
    ("/api/v1/evidence/{identifier}/", "fields"): "identifier,quotation",
    ("/api/v1/games/{slug}/", "slug"): "daramuti",
    ("/api/v1/places/{slug}/", "slug"): "sri-lanka",
    ("/api/v1/sources/{key}/", "key"): "parker-1909",
    ("/api/v1/rulesets/{name}/", "name"): "daramuti-parker",
    ("/api/v1/rulesets/{name}/change/", "name"): "daramuti-parker",
    ("/api/v1/versions/", "slug"): "daramuti-parker",
    ("/api/v1/versions/{name}/", "name"): "daramuti-parker@1",
    ("/api/v1/batches/{id}/", "id"): BATCH,
    ("/api/v1/batches/{id}/rows/", "id"): BATCH,
    ("/api/v1/batches/{id}/games/{game}/", "id"): BATCH,
    ("/api/v1/batches/{id}/games/{game}/", "game"): "0",
    ("/api/v1/comparisons/{id}/", "id"): COMPARISON,
    ("/api/v1/claims/{key}/", "key"): "daramuti/experience-wins",
    ("/api/v1/clauses/{key}/", "key"): "puhulmutu-parker/relay",
    ("/api/v1/questions/{key}/", "key"): "puhulmutu/single-counters",
    ("/api/v1/notes/{key}/", "key"): "DLP.Evidence.692/rules-copied",
    ("/api/v1/terms/{key}/", "key"): "DLP.Evidence.1399/gaeta",
    ("/api/v1/annotations/{key}/", "key"): "clause/puhulmutu-parker/relay/supports/1",
    ("/api/v1/coverage/{identifier}/", "identifier"): "DLP.Evidence.1386",
    ("/api/v1/uncertainty-factors/{slug}/", "slug"): "no-paraphrase",
    ("/api/v1/histories/{kind}/{key}/", "kind"): "clause",
    ("/api/v1/histories/{kind}/{key}/", "key"): "puhulmutu-parker/relay",
}
OWN_EXAMPLES = ("/api/v1/search/",)  # where a parameter of the same name has other values
# address -> what is sent there
BODIES: dict[str, dict[str, Any]] = {
    "/api/v1/batches/": {"ruleset": "daramuti-parker", **GAMES},
    "/api/v1/comparisons/": {
        "rulesets": ["daramuti-parker", "daramuti-ludii"],
        **GAMES,
        "margins": {"shares": 0.02, "amounts": 0.05},
    },
    "/api/v1/studies/": {"game": "koti-keliya", "games": 100, "seed": 1, "players": "random"},
    "/api/v1/ladders/": {"ruleset": "niranchy-ludovisi", "most": 16, "games": 40},
    "/api/v1/rulesets/{name}/change/": {"set": {"counters_per_hole": 5}},
}
