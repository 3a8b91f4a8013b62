"""The pages and answers that a large catalogue has to give quickly: one address, or a few, of each type.

They are chosen so that they are the hard ones of their type: the game with the most records, the place with the most,
the commonest words, the last pages of long lists.
"""

from typing import Any

from django.db.models import Count, Model

from catalogue.models import Evidence, Game, Place, Source
from catalogue.search.query import parse_query
from catalogue.search.ranking import entries_with

COMMON, RARE_PARTS = "game", 3


def addresses() -> dict[str, list[str]]:
    """Type of page → addresses, from what is in the database now."""
    game, place, source = (_fullest(model, "evidence") for model in (Game, Place, Source))
    record = Evidence.objects.order_by("pk").last()
    assert record is not None
    rare = record.quotation.split()[RARE_PARTS].strip('".,')
    kind = record.type.replace(" ", "+")
    last = max(1, Evidence.objects.count() // 25 - 1)
    return {
        "search": [
            f"/search/?q={COMMON}",
            f"/search/?q={rare}",
            f"/search/?q=board+{rare}",
            "/search/?q=%22two+players%22+-dice",
            f"/search/?q={COMMON}&page={max(1, min(20, entries_with(parse_query(COMMON)).count() // 25))}",
            "/search/?q=gmae",
            "/search/suggestions/?q=ga",
            "/search/?q=which+games+are+played+with+dice",
        ],
        "search, faceted": [
            f"/search/?type={kind}",
            f"/search/?q={COMMON}&place={place.slug}",
            f"/search/?q=board&source={source.key}&sort=year",
        ],
        "list of records": ["/evidence/", f"/evidence/?page={last}"],
        "list of records, faceted": [
            f"/evidence/?place={place.slug}",
            f"/evidence/?type={kind}&from=1500",
            f"/evidence/?game={game.slug}&undated=yes",
        ],
        "record": [f"/evidence/{record.identifier}/"],
        "game": [f"/games/{game.slug}/"],
        "place": [f"/places/{place.slug}/"],
        "source": [f"/sources/{source.key}/"],
        "lists of games, places, sources": ["/games/", "/games/?executable=no", "/places/", "/sources/", "/terms/"],
        "home, findings, readings to compare": ["/", "/findings/", "/compare/"],
        "edition": ["/edition/", "/api/v1/edition/"],
        "map": ["/map/", "/map/?z=3&x=14500&y=4300", "/map/?from=1500&to=1900"],
        "time line": ["/timeline/", f"/timeline/?place={place.slug}"],
        "API, search": [f"/api/v1/search/?q={COMMON}", f"/api/v1/search/?q={rare}"],
        "API, lists": [
            "/api/v1/evidence/",
            f"/api/v1/evidence/?place={place.slug}",
            f"/api/v1/evidence/?page={min(400, last)}",
            "/api/v1/games/",
            "/api/v1/sources/",
            "/api/v1/annotations/",
            "/api/v1/portal-rulesets/",
            "/api/v1/studies/",
            "/api/v1/ladders/",
        ],
        "API, one thing": [
            f"/api/v1/evidence/{record.identifier}/",
            f"/api/v1/games/{game.slug}/",
            f"/api/v1/sources/{source.key}/",
        ],
    }


def _fullest(model: type[Model], link: str) -> Any:
    return model._default_manager.annotate(many=Count(link)).order_by("-many", "pk")[0]
