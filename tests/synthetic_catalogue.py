"""A catalogue of any size whose records nobody wrote: what pages and searches of a large one are measured on.

Words, places, games and sources are as unevenly frequent as in life (Zipf): a few have very many records, most have a
few. The same number of records and the same seed give the same rows; another seed gives others, which can
stand beside them.
"""

from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Any

from django.db import transaction

from catalogue.history.histories import record_many
from catalogue.models import (
    Category,
    Citation,
    Evidence,
    EvidenceUncertainty,
    Game,
    GameName,
    Period,
    Place,
    PortalGame,
    PortalRuleset,
    Source,
    UncertaintyFactor,
)

AT_ONCE = 2_000  # records that are written together
SYLLABLES = "ba chi da dor em fa gu hal ij ka kel la ma mor na nir os pa pe pu ra ri sa shi sok ta tri u va wal ya zi"
COMMON = (
    "the game is played by two players on a board of holes with seeds or pieces that are moved in turn and captured "
    "when a player makes a line or leaps over one of the other side each row has seven places throw dice shells men "
    "women children house temple ground stone wood king army leopard cattle tiger"
)
TYPES = ("Ethnography", "Artifact", "Text", "Rules", "Artistic depiction", "Contemporary observation")


def fill(records: int, seed: int = 7) -> None:
    """Write so many records, with the games, places, sources and factors they name; each with one revision.

    Names of 5,000 games, 2,000 sources and 1,500 places at 100,000 records; fewer, by the square root, for fewer.
    """
    chance = Random(seed)
    part = (records / 100_000) ** 0.5
    with transaction.atomic():
        words = COMMON.split() + [_name(chance, 2, 4) for _ in range(int(20_000 * part) + 200)]
        places = _places(chance, seed, int(1_500 * part) + 10)
        games = _games(chance, seed, int(5_000 * part) + 20)
        sources = _sources(chance, seed, int(2_000 * part) + 10)
        factors = list(UncertaintyFactor.objects.all()) or _factors()
        sentences = [" ".join(_often_first(chance, words, 12)) for _ in range(int(6_000 * part) + 300)]
        for first in range(0, records, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, records))
            _records(chance, seed, numbers, (games, places, sources, factors), sentences)
        _portal(Random(seed), seed, games, sentences)


def _name(chance: Random, least: int, most: int) -> str:
    return "".join(chance.choices(SYLLABLES.split(), k=chance.randint(least, most)))


def _often_first(chance: Random, among: Sequence[Any], number: int) -> list[Any]:
    """The k-th of them 1 / (k + 3) times as often as the first."""
    weights = _WEIGHTS.setdefault(len(among), list(accumulate(1 / (k + 3) for k in range(len(among)))))
    return chance.choices(among, cum_weights=weights, k=number)


_WEIGHTS: dict[int, list[float]] = {}


def _places(chance: Random, seed: int, number: int) -> list[Place]:
    countries = max(5, number // 10)
    rows = []
    for k in range(number):
        degrees = chance.uniform(-55, 70), chance.uniform(-170, 178)
        rows.append(
            Place(
                name=f"{_name(chance, 2, 3).title()} {seed}.{k}",
                slug=f"synthetic-{seed}-{k}",
                kind=Place.Kind.COUNTRY if k < countries else Place.Kind.TOWN,
                latitude=None if k % 40 == 39 else round(degrees[0], 4),
                longitude=None if k % 40 == 39 else round(degrees[1], 4),
            )
        )
    Place.objects.bulk_create(rows[:countries])
    for row in rows[countries:]:
        row.part_of = chance.choice(rows[:countries])
    Place.objects.bulk_create(rows[countries:])
    return rows


def _games(chance: Random, seed: int, number: int) -> list[Game]:
    games = Game.objects.bulk_create(
        Game(
            name=f"{_name(chance, 2, 4).title()} {seed}.{k}",
            slug=f"synthetic-{seed}-{k}",
            description="Nobody has played it.",
        )
        for k in range(number)
    )
    GameName.objects.bulk_create(
        GameName(game=game, name=f"{_name(chance, 2, 3)} {k}", kind=GameName.Kind.ALIAS)
        for game in games
        for k in range(chance.randrange(3))
    )
    return games


def _sources(chance: Random, seed: int, number: int) -> list[Source]:
    rows = []
    for k in range(number):
        author, year = f"{_name(chance, 2, 3).title()}, {_name(chance, 1, 1)[0].upper()}.", chance.randint(1700, 2020)
        title = " ".join(_name(chance, 2, 4) for _ in range(4)).capitalize()
        printed = f"{author} {year}. {title}. London: Press {seed}.{k}."
        rows.append(
            Source(
                key=f"synthetic-{seed}-{k}",
                authors=author,
                year=year,
                title=title,
                place="London",
                publisher=f"Press {seed}.{k}",
                as_printed=printed,
            )
        )
    return Source.objects.bulk_create(rows)


def _factors() -> list[UncertaintyFactor]:
    names = ("Lost passage", "Second hand", "Unclear term")
    return UncertaintyFactor.objects.bulk_create(
        UncertaintyFactor(slug=name.lower().replace(" ", "-"), name=name, definition=f"{name}.") for name in names
    )


def _records(chance: Random, seed: int, numbers: range, named: tuple[list[Any], ...], sentences: list[str]) -> None:
    games, places, sources, factors = named
    rows = []
    for number, game in zip(numbers, _often_first(chance, games, len(numbers)), strict=True):
        earliest = chance.choice((None, chance.randint(-2500, 1500), chance.randint(1500, 2020)))
        latest = None if earliest is None else min(2020, earliest + chance.choice((0, 0, 10, 100, 500)))
        span = (
            ""
            if earliest is None
            else (f"{_edtf(earliest)}/{_edtf(latest or 0)}" if earliest != latest else _edtf(earliest))
        )
        rows.append(
            Evidence(
                identifier=f"SYN.Evidence.{seed}.{number + 1}",
                type=_often_first(chance, TYPES, 1)[0],
                game=game,
                date_words="" if earliest is None else f"{earliest} to {latest}",
                date_edtf=span,
                year_earliest=earliest,
                year_latest=latest,
                paraphrase=". ".join(chance.choices(sentences, k=3)) + ".",
                quotation='"' + ". ".join(chance.choices(sentences, k=chance.randint(3, 9))) + '."',
                confidence="100",
            )
        )
    Evidence.objects.bulk_create(rows)
    record_many(rows, "Loaded for a measurement", update=False)
    between = Evidence.places.through
    between.objects.bulk_create(
        between(evidence=row, place=place)
        for row in rows
        for place in set(_often_first(chance, places, chance.choice((0, 1, 1, 1, 2))))
    )
    Citation.objects.bulk_create(
        Citation(evidence=row, source=source, position=position)
        for row in rows
        for position, source in enumerate(
            dict.fromkeys(_often_first(chance, sources, chance.choice((1, 1, 2, 3)))), start=1
        )
    )
    EvidenceUncertainty.objects.bulk_create(
        EvidenceUncertainty(evidence=row, factor=chance.choice(factors), reason="As it was drawn.") for row in rows[::5]
    )


def _portal(chance: Random, seed: int, games: list[Any], sentences: list[str]) -> None:
    """What the portal says of most of the games, with a few rulesets in prose, each resting on a record of its game."""
    kinds = Category.objects.bulk_create(Category(slug=f"k-{seed}-{k}", name=f"Kind {seed}.{k}") for k in range(8))
    periods = Period.objects.bulk_create(Period(slug=f"p-{seed}-{k}", name=f"Period {seed}.{k}") for k in range(4))
    described = [
        PortalGame(game=game, number=seed * 100_000 + k, description=f"{chance.choice(sentences).capitalize()}.")
        for k, game in enumerate(games)
        if k % 5
    ]
    PortalGame.objects.bulk_create(described)
    of_kind, of_period = PortalGame.categories.through, PortalGame.periods.through
    of_kind.objects.bulk_create(of_kind(portalgame=one, category=chance.choice(kinds)) for one in described)
    of_period.objects.bulk_create(of_period(portalgame=one, period=chance.choice(periods)) for one in described)
    first_record: dict[int, int] = {}
    for pk, game in Evidence.objects.filter(game__in=games).order_by("-pk").values_list("pk", "game"):
        first_record[game] = pk
    rulesets = [
        PortalRuleset(
            game=game,
            number=seed * 100_000 + 4 * k + n,
            name=f"Described {n + 1}",
            is_main=n == 0,
            rules=". ".join(chance.choices(sentences, k=4)) + ".",
        )
        for k, game in enumerate(games)
        for n in range(1 + k % 3)
    ]
    PortalRuleset.objects.bulk_create(rulesets)
    resting = PortalRuleset.evidence.through
    resting.objects.bulk_create(
        resting(portalruleset=ruleset, evidence_id=first_record[ruleset.game_id])
        for ruleset in rulesets
        if ruleset.game_id in first_record
    )


def _edtf(year: int) -> str:
    return f"{year:04d}" if year >= 0 else f"-{-year:04d}"
