"""What is asked of both kinds of database, in one process for each.

    python -m tests.services.both_databases     the answers as one JSON document, of the database of the environment

Every scenario begins with an empty database, and what it writes is undone.
"""

import json
import random
import sys
from typing import Any

import django


def lists_by_cursor() -> dict[str, Any]:
    """Lists of the API in every order: a cursor compares several columns at once, as each database does in its way."""
    from django.test import Client

    from catalogue.models import Evidence, Game, Source
    from simulator.models import Batch, Ruleset
    from tests.api.api_world import lists

    random.seed(3)
    games = [Game.objects.create(name=f"{letter} game", slug=f"{letter}-game") for letter in "bcadzy"]
    for number in random.sample(range(5, 2000, 61), 30):
        date = f"{random.choice((1700, 1800, 1909)):04d}" if number % 3 else ""
        values = {"game": random.choice(games), "type": "A", "quotation": "b", "date_edtf": date}
        Evidence.objects.create(identifier=f"X.{number}", **values)
        author, year = random.choice("ab"), number % 4 or None
        Source.objects.create(key=f"k-{number}", as_printed=str(number), authors=author, year=year)
    ruleset = Ruleset.objects.create(hash="0" * 64, family="sowing", document={"family": "sowing"})
    for number in range(9):
        Batch.objects.create(
            id=f"{number:016x}",
            ruleset=ruleset,
            family_version=1,
            players="random",
            seed=1,
            games=number // 3 + 1,
            cap=9,
            work=9,
        )
    found = {}
    for name in ("evidence", "sources", "games", "batches"):
        view, count = lists()[name], Client().get(f"/api/v1/{name}/?page_size=1").json()["count"]
        for order in (way + order for order in view.orderings for way in ("", "-")):
            seen, address = [], f"/api/v1/{name}/?cursor=*&page_size=16&fields=url&ordering={order}"
            while address:
                answer = Client().get(address)
                assert answer.status_code == 200, (address, answer.content)
                seen += [row["url"] for row in answer.json()["results"]]
                address = answer.json()["next"]
            assert len(seen) == len(set(seen)) == count, (name, order)
            found[f"{name} {order}"] = seen
    for path in ("evidence/?cursor=WzFd:x", "evidence/x.1/", "evidence/?ordering=yaer", "evidence/?type=B", "games/x/"):
        found[path] = Client().get(f"/api/v1/{path}").json()
    return found


def map_and_time_line() -> dict[str, Any]:
    """Pages whose sums, divisions and types are the database's."""
    from django.test import Client

    from catalogue.models import Evidence, Game, Place

    game = Game.objects.create(name="A game", slug="a-game")
    points = [(-40.5, 0), (-39.5, 31), (-38.5, 62), (None, None), (-36.5, 124)]
    places = [
        Place.objects.create(name=f"P {i}", slug=f"p-{i}", latitude=north, longitude=east)
        for i, (north, east) in enumerate(points)
    ]

    def written(year):
        return f"-{-year:04d}" if year < 0 else f"{year:04d}"

    for i in range(150):
        first = -1200 + 23 * i
        date = f"{written(first)}/{written(first + i)}"
        if i % 10 == 0:
            date = f"{written(first)}/.." if i % 20 else ""
        kind = ("Éthnography", "Artifact", "artifact")[i % 3]
        record = Evidence.objects.create(
            identifier=f"X.{i}", game=game, type=kind, quotation="A board.", date_edtf=date
        )
        record.places.add(*places[i % 6 : i % 6 + 1 + i % 2])
    Evidence.objects.filter(identifier="X.7").update(withdrawn_on="2026-01-01", withdrawn_reason="A test.")
    addresses = (
        "/map/",
        "/map/?z=2&x=5000&y=6000",
        "/map/?place=p-1&from=-500&to=900",
        "/map/?type=Artifact",
        "/timeline/",
        "/timeline/?from=-700&to=-100",
        "/timeline/?place=p-3",
        "/api/v1/map/",
        "/api/v1/map/?undated=yes",
        "/api/v1/timeline/",
        "/api/v1/timeline/?from=-7&to=1933",
        "/map/?type=x",
    )
    return {address: Client().get(address).content.decode() for address in addresses}


def identifiers() -> dict[str, Any]:
    """Identifiers, citations, lists with numbers and the sitemap."""
    from django.db import IntegrityError, transaction
    from django.test import Client

    from catalogue.models import Claim, Evidence, Game, Place, Question, Source
    from simulator.models import Ruleset, RulesetVersion

    games = [Game.objects.create(name=f"Game {i}", slug=f"game-{i}") for i in range(3)]
    places = [Place.objects.create(name=f"Place {i}", slug=f"place-{i}") for i in range(3)]
    sources = [
        Source.objects.create(
            key=f"doe-19{i:02}", authors="Doe, J.", year=1900 + i, title=f"Böard {i}", as_printed=f"{i}"
        )
        for i in range(3)
    ]
    for i in range(40):
        record = Evidence.objects.create(identifier=f"X.{i}", type="Text", game=games[i % 2], quotation="A board.")
        record.places.add(*places[: i % 3])
        record.citations.create(source=sources[i % 3], role="quoted", locator=f"{i}-{i + 1}")
        record.history.update(history_date=f"2026-01-{1 + i % 28:02}T00:00Z")
    Evidence.objects.filter(identifier="X.7").update(withdrawn_on="2026-01-01", withdrawn_reason="A test.")
    try:
        with transaction.atomic():
            Evidence.objects.filter(identifier="X.8").update(withdrawn_on="2026-01-01")
        raise AssertionError("a record was withdrawn without a reason")
    except IntegrityError:
        pass
    Question.objects.create(game=games[0], slug="who-begins", title="Who begins?", text="x")
    Claim.objects.create(game=games[0], slug="it-is-long", title="It is long", text="x", judged_by="nothing")
    ruleset = Ruleset.objects.create(hash="0123456789abcdef" * 4, family="sowing", document={})
    RulesetVersion.objects.create(slug="game-0-doe", number=1, ruleset=ruleset, date="2026-01-01")
    pages = (
        "/games/",
        "/places/",
        "/sources/",
        "/places/place-1/",
        "/sources/doe-1901/",
        "/evidence/X.7/",
        "/evidence/X.700/",
        "/sitemap-games.xml",
        "/sitemap-evidence.xml",
        "/cite/record/X.1.ris",
        "/cite/source/doe-1902.bib",
        "/api/v1/evidence/X.7/",
        "/api/v1/games/",
        "/api/v1/sources/",
    )
    names = (
        "X.1",
        "X.7",
        "X.99",
        "doe-1901",
        "doe-1991",
        "game-1",
        "game-9",
        "place-2",
        "game-0-doe@1",
        "game-0-doe",
        "01234567",
        "game-0/who-begins",
        "game-0/it-is-longer",
        "clause/a/b",
        "question/game-0/who-began",
        "ÿ",
        "0" * 16,
    )
    answers = {address: Client().get(address) for address in (*pages, *(f"/id/{name}" for name in names))}
    return {
        address: [answer.status_code, answer.get("Location", ""), answer.content.decode()]
        for address, answer in answers.items()
    }


SCENARIOS = (lists_by_cursor, map_and_time_line, identifiers)


def main() -> None:
    django.setup()
    from django.core.cache import caches
    from django.db import transaction

    answers = {}
    for scenario in SCENARIOS:
        with transaction.atomic():
            answers[scenario.__name__] = scenario()
            transaction.set_rollback(True)
        for cache in caches.all():
            cache.clear()
    sys.stdout.write(json.dumps(answers) + "\n")


if __name__ == "__main__":
    main()
