"""The parts of an edition: what a plan comes to, each part known by its content and kept as a file of its own."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from catalogue.claims import testing
from catalogue.claims.figures import VERDICTS_VERSION
from catalogue.comparisons.requests import check_comparison
from catalogue.edition.kinds import BATCHES, CLAIMS, COMPARISONS, LADDERS, SOLUTIONS, STUDIES
from catalogue.edition.precision import Precision
from catalogue.edition.terms import EditionTerms, LevelTerms
from catalogue.models import Claim, Game, Reading
from catalogue.sensitivity import offers, plans
from catalogue.texts.errors import nearest_word
from simulator import rulesets
from simulator.batches.requests import BatchRequest, check_request, content_hash, has_rounds
from simulator.engine.family import family
from simulator.engine.ruleset import Problem, Ruleset
from simulator.models import Batch
from simulator.problems import WrongRequest
from simulator.strength.ladder_requests import check_ladder


@dataclass(frozen=True, slots=True)
class Part:
    """name:  in words, the same whatever its content: "daramuti-parker club"
    id:       follows from what is asked for and from the versions of the engine that plays it
    game:     the slug
    level:    of play, empty where that is no matter
    requests: of the batches that it needs; wanted: the checked request itself
    """

    kind: str
    name: str
    id: str
    game: str
    level: str
    requests: tuple[BatchRequest, ...]
    wanted: Any

    @property
    def work(self) -> int:
        return sum(one.work for one in self.requests)


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game with its readings that can be played, in their order."""

    slug: str
    readings: Mapping[str, Ruleset]


def planned_games(terms: EditionTerms) -> list[PlannedGame]:
    """Those of the plan; raises WrongRequest for a game that is not there."""
    known = list(Game.objects.values_list("slug", flat=True))
    wrong = [Problem("games", f"no game is called {one!r}", nearest_word(one, known)) for one in terms.games
             if one not in known]  # fmt: skip
    if wrong:
        raise WrongRequest(wrong)
    rows = Reading.objects.order_by("game__slug", "position", "slug").values_list("game__slug", "slug")
    playable = set(rulesets.known_names())
    return [
        PlannedGame(game, {slug: rulesets.find(slug) for _, slug in some if slug in playable})
        for game, some in groupby(rows, key=lambda row: row[0])
        if not terms.games or game in terms.games
    ]


class Planner:
    """The parts of a plan. It remembers studies and their combinations of answers, which take longest."""

    def __init__(self, terms: EditionTerms, games: Iterable[PlannedGame]) -> None:
        self.terms, self.games = terms, [one for one in games if one.readings]
        self._studies: dict[tuple[str, str, int], Part] = {}
        self._combinations: dict[str, plans.Plan] = {}
        rows = Game.objects.filter(slug__in=[one.slug for one in self.games])
        self._offered = {one.game.slug for one in offers.offers_for(rows)}

    def parts(self, precision: Precision) -> list[Part]:
        """Level by level, what needs the same batches together; each content once."""
        found: dict[tuple[str, str], Part] = {}
        for part in self._every(precision):
            found.setdefault((part.kind, part.id), part)
        return list(found.values())

    def _every(self, precision: Precision) -> Iterator[Part]:
        studies = {study.level: study.of for study in self.terms.studies}
        for level in self.terms.levels:
            for game in self.games:
                yield from self._at_level(game, level, precision)
            for game in self.games:
                if level.level in studies and game.slug in (studies[level.level] or self._offered):
                    yield self._study(game, level.level, precision)
            if level is self.terms.levels[0]:
                yield from self._solutions()
                yield from self._claims(precision)
        for game in self.games:
            yield from self._ladders(game)

    def _at_level(self, game: PlannedGame, level: LevelTerms, precision: Precision) -> Iterator[Part]:
        """The batch of each reading, and all of them compared."""
        wanted = {
            "games": precision.games(game.slug, level.level),
            "players": level.level,
            **self._always(game, level.until),
        }
        for slug, ruleset in game.readings.items():
            request = check_request(ruleset, **wanted)
            yield Part(BATCHES, f"{slug} {level.level}", request.id, game.slug, level.level, (request,), request)
        if len(game.readings) > 1:
            compared = check_comparison(list(game.readings), **wanted)
            name = f"{game.slug} {level.level}"
            yield Part(COMPARISONS, name, compared.id, game.slug, level.level, compared.batches, compared)

    def _study(self, game: PlannedGame, level: str, precision: Precision) -> Part:
        number = precision.study_games(game.slug, level)
        key = game.slug, level, number
        if key not in self._studies:
            self._studies[key] = self._planned_study(game, level, number)
        return self._studies[key]

    def _planned_study(self, game: PlannedGame, level: str, number: int) -> Part:
        study = next(one for one in self.terms.studies if one.level == level)
        wanted = {"games": number, "players": level, **self._always(game, study.until)}
        planned = plans.plan(game.slug, like=self._combinations.get(game.slug), **wanted)
        self._combinations[game.slug] = planned
        return Part(STUDIES, f"{game.slug} {level}", planned.id, game.slug, level, planned.requests, planned)

    def _claims(self, precision: Precision) -> Iterator[Part]:
        """Of each claim that some player here can decide, all its tests."""
        rows = Claim.objects.filter(game__slug__in=[one.slug for one in self.games]).select_related("game")
        for claim in rows:
            number = precision.claim_games(claim.game.slug)
            if trials := tuple(testing.trials([claim], games=number, seed=self.terms.seed)):
                requests = {request.id: request for trial in trials for request in trial.requests}
                content = {"claim": str(claim), "tests": claim.tests, "batches": sorted(requests)}
                key = content_hash(**content, version=VERDICTS_VERSION)[:16]
                yield Part(CLAIMS, str(claim), key, claim.game.slug, "", tuple(requests.values()), trials)

    def _ladders(self, game: PlannedGame) -> Iterator[Part]:
        terms = self.terms
        wanted = {**self._always(game, Batch.Until.ROUND), "games": terms.ladder_games, "cap": terms.ladder_cap}
        for slug, ruleset in game.readings.items():
            request = check_ladder(slug, terms.ladder_levels, ruleset=ruleset, **wanted)
            yield Part(LADDERS, slug, request.id, game.slug, "", tuple(request.requests.values()), request)

    def _solutions(self) -> Iterator[Part]:
        for game in self.games:
            for slug in (one for one in game.readings if one in self.terms.solutions):
                ruleset = game.readings[slug]
                key = content_hash(ruleset=ruleset.hash, family_version=family(ruleset.family).rules_version)[:16]
                yield Part(SOLUTIONS, slug, key, game.slug, "", (), (slug, ruleset))

    def _always(self, game: PlannedGame, until: str) -> dict[str, Any]:
        """until: round for the first round, where games have rounds"""
        first = next(iter(game.readings.values()))
        end = until if has_rounds(family(first.family)) else Batch.Until.GAME
        return {"seed": self.terms.seed, "cap": self.terms.cap, "until": end}
