"""The parts of an edition, and what they cost here: what a plan comes to, each part known by its content.

Prices are those of `simulator.batches.prices`: processor time by ruleset and players, measured and written down. Each
batch is counted once, in the part that needs it first, with the figures and plots that are made of it. Whether the
edition fits into the hours it is given is asked of the whole of it, whatever is there: else a plan that is half built
would be another one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from catalogue.analyses import study_plans
from catalogue.analyses.claim_trials import ClaimRequest, trials
from catalogue.analyses.comparisons import check_comparison
from catalogue.analyses.wear_plans import check_wear
from catalogue.edition.terms import (
    BATCHES,
    CLAIMS,
    COMPARISONS,
    LADDERS,
    PLAYED,
    SOLUTIONS,
    STUDIES,
    TRAFFIC,
    WEAR,
    EditionTerms,
    Fallback,
    LevelTerms,
    Precision,
)
from catalogue.models import Claim, Evidence, Game, Reading
from catalogue.texts.words import nearest_word
from simulator import rulesets
from simulator.analyses.ladder_matches import check_ladder, least_cap
from simulator.analyses.solutions import SolutionRequest
from simulator.batches.levels import FIRSTS, players_of_level
from simulator.batches.prices import UNITS, finishing_price
from simulator.batches.requests import BatchRequest, check_request, has_rounds
from simulator.engine.arguments import corner_files
from simulator.engine.family import family
from simulator.engine.ruleset import Problem, Ruleset
from simulator.models import Batch
from simulator.problems import WrongRequest

HOUR = 3600.0
OF = {"levels": (BATCHES, COMPARISONS), "studies": (STUDIES,), "claims": (CLAIMS,), "ladders": (LADDERS,)}
Known = Callable[[BatchRequest], bool]  # whether a batch is there already


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an edition.

    name:     in words, the same whatever its content: "daramuti-parker club"
    game:     the slug
    level:    of play, or its second player, empty where that is no matter
    request:  checked; the id of the part follows from it and from the versions of the engine that plays it
    """

    kind: str
    name: str
    game: str
    level: str
    request: Any

    @property
    def id(self) -> str:
        return str(self.request.id)

    @property
    def requests(self) -> tuple[BatchRequest, ...]:
        """The requests of the batches that it needs."""
        return (self.request,) if self.kind in PLAYED else tuple(self.request.requests)

    @property
    def work(self) -> int:
        return sum(request.work for request in self.requests)


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game with its readings that can be played, in their order."""

    slug: str
    readings: Mapping[str, Ruleset]


def planned_games(terms: EditionTerms) -> list[PlannedGame]:
    """The games of the plan; raises WrongRequest for a game that is not there."""
    known = list(Game.objects.values_list("slug", flat=True))
    wrong = [Problem("games", f"no game is called {one!r}", nearest_word(one, known)) for one in terms.games
             if one not in known]  # fmt: skip
    if wrong:
        raise WrongRequest(wrong)
    rows = Reading.objects.order_by("game__slug", "position", "slug").values_list("game__slug", "slug")
    playable = set(rulesets.known_names()) - (set() if terms.corner or terms.games else set(corner_files()))
    return [
        PlannedGame(game, {slug: rulesets.find(slug) for _, slug in some if slug in playable})
        for game, some in groupby(rows, key=lambda row: row[0])
        if not terms.games or game in terms.games
    ]


class Planner:
    """The parts of a plan. It remembers studies and their combinations of answers, which take longest."""

    def __init__(self, terms: EditionTerms, games: Iterable[PlannedGame]) -> None:
        self.terms, self.games = terms, [game for game in games if game.readings]
        self._studies: dict[tuple[str, str, int], Part] = {}
        self._combinations: dict[str, study_plans.Plan] = {}
        rows = Game.objects.filter(slug__in=[game.slug for game in self.games])
        self._offered = {one.game.slug for one in study_plans.offers_for(rows)}

    def parts(self, precision: Precision) -> list[Part]:
        """Level by level, what needs the same batches together; each content once."""
        found: dict[tuple[str, str], Part] = {}
        for part in self._every(precision):
            found.setdefault((part.kind, part.id), part)
        return list(found.values())

    def beside(self, precision: Precision) -> Iterator[Part]:
        """What no step makes coarser, and is not asked whether it fits: traffic of the readings, and wear studies."""
        levels = {level.level: level for level in self.terms.levels}
        for one in self.terms.traffic:
            for game in self.games:
                if precision.leaves_out("levels", game.slug, one.level):
                    continue
                wanted = {"games": one.games, "players": one.level, **self._always(game, levels[one.level].until)}
                for slug, ruleset in game.readings.items():
                    request = check_request(ruleset, traffic=True, **wanted)
                    yield Part(TRAFFIC, f"{slug} {one.level}", game.slug, one.level, request)
        for study in self.terms.wear:
            record = Evidence.objects.filter(identifier=study.record).select_related("game").first()
            if record is None:
                known = list(Evidence.objects.exclude(board={}).values_list("identifier", flat=True))
                raise WrongRequest.of("wear", f"there is no record {study.record!r}", nearest_word(study.record, known))
            if self.terms.games and record.game.slug not in self.terms.games:
                continue
            asked: dict[str, Any] = {"of": study.of, "games": study.games, "cap": study.cap, "seed": self.terms.seed}
            requested = check_wear(record, study.candidates, players=study.level, **asked)
            yield Part(WEAR, f"{record.game.slug} {study.level}", record.game.slug, study.level, requested)

    def _every(self, precision: Precision) -> Iterator[Part]:
        studies = {study.level: study.of for study in self.terms.studies}
        for level in self.terms.levels:
            for game in self.games:
                if not precision.leaves_out("levels", game.slug, level.level):
                    yield from self._at_level(game, level, precision)
            for game in self.games:
                if level.level in studies and game.slug in (studies[level.level] or self._offered):
                    yield self._study(game, level.level, precision)
            if level is self.terms.levels[0]:
                yield from self._solutions()
                yield from self._claims(precision)
        for game in self.games:
            rungs = [one for one in self.terms.ladder_levels if not precision.leaves_out("ladders", game.slug, one)]
            yield from self._ladders(game, rungs, precision.ladder_games(game.slug))

    def _at_level(self, game: PlannedGame, level: LevelTerms, precision: Precision) -> Iterator[Part]:
        """The batch of each reading, by both players of a level that has two, and all of them compared."""
        wanted = {"games": precision.games(game.slug, level.level), **self._always(game, level.until)}
        for player in players_of_level(level.level):
            for slug, ruleset in game.readings.items():
                request = check_request(ruleset, players=player, **wanted)
                yield Part(BATCHES, f"{slug} {player}", game.slug, player, request)
        if len(game.readings) > 1:
            compared = check_comparison(list(game.readings), players=level.level, may_be_alike=True, **wanted)
            yield Part(COMPARISONS, f"{game.slug} {level.level}", game.slug, level.level, compared)

    def _study(self, game: PlannedGame, level: str, precision: Precision) -> Part:
        number = precision.study_games(game.slug, level)
        key = game.slug, level, number
        if key not in self._studies:
            study = next(one for one in self.terms.studies if one.level == level)
            wanted = {"games": number, "players": level, **self._always(game, study.until)}
            planned = study_plans.plan(game.slug, like=self._combinations.get(game.slug), **wanted)
            self._combinations[game.slug] = planned
            self._studies[key] = Part(STUDIES, f"{game.slug} {level}", game.slug, level, planned)
        return self._studies[key]

    def _claims(self, precision: Precision) -> Iterator[Part]:
        """All tests of each claim that some player here can decide."""
        rows = Claim.objects.filter(game__slug__in=[game.slug for game in self.games]).select_related("game")
        for claim in rows:
            number = precision.claim_games(claim.game.slug)
            if found := tuple(trials([claim], games=number, seed=self.terms.seed)):
                yield Part(CLAIMS, str(claim), claim.game.slug, "", ClaimRequest(claim, found))

    def _ladders(self, game: PlannedGame, rungs: list[str], games: int) -> Iterator[Part]:
        """The ladder of each reading; where random play lasts long its cap is longer than that of the plan.

        games: of each match
        """
        terms = self.terms
        wanted = {**self._always(game, Batch.Until.ROUND), "games": games}
        for slug, ruleset in game.readings.items():
            wanted["cap"] = max(terms.ladder_cap, least_cap(ruleset))
            request = check_ladder(slug, rungs, ruleset=ruleset, **wanted)
            yield Part(LADDERS, slug, game.slug, "", request)

    def _solutions(self) -> Iterator[Part]:
        for game in self.games:
            for slug in (reading for reading in game.readings if reading in self.terms.solutions):
                yield Part(SOLUTIONS, slug, game.slug, "", SolutionRequest(slug, game.readings[slug]))

    def _always(self, game: PlannedGame, until: str) -> dict[str, Any]:
        """until: round for the first round, where games have rounds"""
        first = next(iter(game.readings.values()))
        end = until if has_rounds(family(first.family)) else Batch.Until.GAME
        return {"seed": self.terms.seed, "cap": self.terms.cap, "until": end}


@dataclass(frozen=True, slots=True)
class CostedPart:
    """seconds: of one processor; games: that are played for it"""

    part: Part
    seconds: float
    games: int


@dataclass(frozen=True, slots=True)
class EditionPlan:
    """given_up: the steps that were needed to fit, in their order; precision: what is left."""

    parts: tuple[CostedPart, ...]
    precision: Precision
    given_up: tuple[Fallback, ...]

    @property
    def seconds(self) -> float:
        return sum(part.seconds for part in self.parts)


def costed(parts: Iterable[Part], known: Known = lambda request: False) -> tuple[CostedPart, ...]:
    """The parts with their prices. known: batches that cost nothing any more"""
    counted: set[str] = set()
    found = []
    for part in parts:
        new = [one for one in part.requests if one.id not in counted and not known(one)]
        counted.update(one.id for one in part.requests)
        seconds = sum((one.work / UNITS + finishing_price(one.ruleset.family)) / 1e6 for one in new)
        found.append(CostedPart(part, seconds, sum(one.games for one in new)))
    return tuple(found)


def fitted(terms: EditionTerms, games: list[PlannedGame], hours: float, processes: int) -> EditionPlan:
    """The plan, with as many of its steps taken, in order, as bring it into the hours; raises WrongRequest if all of
    them do not. What no step makes coarser comes beside these hours."""
    planner, precision, given_up = Planner(terms, games), Precision.from_plan(terms), []
    parts = costed(planner.parts(precision))
    for step in terms.coarser:
        if _hours(parts, processes) <= hours:
            break
        coarser = precision.after(step, _dear(parts, step))
        if coarser != precision:
            precision = coarser
            given_up.append(step)
            parts = costed(planner.parts(precision))
    if (needed := _hours(parts, processes)) > hours:
        dearest = max(parts, key=lambda one: one.seconds)
        message = (
            f"{needed:.1f} hours are needed on {processes} processes, even with everything given up that the plan "
            f"allows; the dearest part is {dearest.part.kind} {dearest.part.name}, {dearest.seconds / HOUR:.1f} hours "
            "of a processor"
        )
        raise WrongRequest.of("hours", message, round(needed + 0.05, 1))
    beside = {(part.kind, part.id): part for part in planner.beside(precision)}  # readings of the same rules are one
    return EditionPlan((*parts, *costed(beside.values())), precision, tuple(given_up))


def _hours(parts: Iterable[CostedPart], processes: int) -> float:
    return sum(part.seconds for part in parts) / processes / HOUR


def _dear(parts: Iterable[CostedPart], step: Fallback) -> list[str]:
    """The games that take more there than the step leaves alone."""
    level = step.level if step.of in ("levels", "studies") else ""  # which parts of the others do not have
    seconds: dict[str, float] = {}
    for part in parts:
        if part.part.kind in OF[step.of] and FIRSTS.get(part.part.level, part.part.level) == level:
            seconds[part.part.game] = seconds.get(part.part.game, 0.0) + part.seconds
    return [game for game, taken in seconds.items() if taken > 60 * step.above_minutes]
