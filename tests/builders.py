"""Rows for tests, made from what the records say, and only as many fields as a test needs."""

from pathlib import Path
from typing import Any

from django.conf import settings

from catalogue.models import Evidence, Game, Place, Source
from simulator.batches.requests import check_request
from simulator.engine import shipped

RULESET_FILES = sorted((Path(settings.BASE_DIR) / "fixtures" / "rulesets").glob("*.json"))
_SOLUTIONS = Path(settings.BASE_DIR) / "fixtures" / "solutions"
SOLUTION_FILES = [*sorted(_SOLUTIONS.glob("*.json")), *sorted(_SOLUTIONS.glob("reference/*.json"))]
EARLIER_FILES = sorted((Path(settings.BASE_DIR) / "fixtures" / "rulesets" / "earlier").glob("*.json"))
CORNER_FILES = sorted((Path(settings.BASE_DIR) / "fixtures" / "rulesets" / "reference").glob("*.json"))
RECORDED = [
    file.stem for file in RULESET_FILES if not file.stem.endswith("-reference")
]  # rulesets of games with records
REFERENCE_RULESETS = {file.stem for file in (*RULESET_FILES, *CORNER_FILES)} - set(RECORDED)
REFERENCE_GAMES = {
    file.stem.removesuffix("-reference") for file in RULESET_FILES if file.stem in REFERENCE_RULESETS
} | {file.stem for file in CORNER_FILES}
PARKER = "Parker, H. 1909. Ancient Ceylon. New Delhi: Asian Educational Services."


def a_game(name: str = "Daramuti", slug: str = "daramuti", **fields: Any) -> Game:
    return Game.objects.get_or_create(slug=slug, defaults={"name": name, **fields})[0]


def a_place(name: str = "Sri Lanka", slug: str = "sri-lanka", **fields: Any) -> Place:
    return Place.objects.get_or_create(slug=slug, defaults={"name": name, **fields})[0]


def a_source(key: str = "parker-1909", as_printed: str = PARKER, **fields: Any) -> Source:
    known = {"authors": "Parker, H.", "year": 1909, "title": "Ancient Ceylon"}
    return Source.objects.get_or_create(key=key, defaults={"as_printed": as_printed, **known, **fields})[0]


def evidence(number: int = 692, **fields: Any) -> Evidence:
    """A record of Daramuti in Sri Lanka, dated 1909, unless the test says otherwise."""
    given = {
        "type": "Ethnography",
        "date_words": "1909-01-01 - 1909-12-31",
        "date_edtf": "1909",
        "quotation": "'In other respects the game resembles Puhulmutu.'",
        **fields,
    }
    given.setdefault("game", a_game())
    record = Evidence.objects.create(identifier=f"DLP.Evidence.{number}", **given)
    record.places.add(a_place())
    return record


def cost(ruleset: str, games: int | str, cap: int | str, players: str = "random") -> int:
    """The work of games, as visitors' bounds count it."""
    return check_request(shipped.load(ruleset), games=games, cap=cap, players=players).work
