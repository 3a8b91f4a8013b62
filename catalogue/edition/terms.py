"""The kinds of parts that an edition has, and what it is to hold, as `fixtures/edition.json` says.

`plan.schema.json` beside this module describes the file. The parts are batches and everything that is concluded from
them. How well each game is to be known on each level is a `Precision`, which can be made coarser step by step.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.conf import settings

from catalogue.analyses.claims import CLAIMS as CLAIM_KIND
from catalogue.analyses.comparisons import COMPARISONS as COMPARISON_KIND
from catalogue.analyses.studies import STUDIES as STUDY_KIND
from catalogue.analyses.wear_plans import DEFAULT_CAP
from catalogue.analyses.wear_studies import WEAR as WEAR_KIND
from simulator.analyses.ladders import LADDERS as LADDER_KIND
from simulator.analyses.protocol import ShippedKind
from simulator.analyses.solutions import SOLUTIONS as SOLUTION_KIND
from simulator.engine.documents import schema_errors
from simulator.engine.ruleset import Problem, nearest
from simulator.problems import WrongRequest
from simulator.statistics.intervals import games_for

BATCHES, TRAFFIC = PLAYED = ("batches", "traffic")  # whose parts are a batch each
CONCLUSIONS: Mapping[str, ShippedKind] = {
    kind.plural: kind for kind in (COMPARISON_KIND, STUDY_KIND, CLAIM_KIND, LADDER_KIND, SOLUTION_KIND, WEAR_KIND)
}
COMPARISONS, STUDIES, CLAIMS, LADDERS, SOLUTIONS, WEAR = CONCLUSIONS
KINDS = (*PLAYED, *CONCLUSIONS)  # in the order in which they name each other
TITLES = {
    BATCHES: "Games of the readings",
    TRAFFIC: "What games of the readings leave on the board",
    **{plural: kind.title for plural, kind in CONCLUSIONS.items()},
}
# Whose parts have its name after that of the reading or the game.
OF_A_LEVEL = (*PLAYED, COMPARISONS, STUDIES, WEAR)


PLAN = Path(settings.BASE_DIR) / "fixtures" / "edition.json"
SCHEMA = json.loads(Path(__file__).with_name("plan.schema.json").read_text(encoding="utf-8"))
Place = tuple[str, str]  # a game on a level


@dataclass(frozen=True, slots=True)
class LevelTerms:
    """The games of all readings on a level. points: how well every share is to be known, ± percentage points"""

    level: str
    points: float
    until: str


@dataclass(frozen=True, slots=True)
class StudyTerms:
    """A study of each game. games: of each combination of answers; of: the games, all of them if none is named"""

    level: str
    games: int
    until: str
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrafficTerms:
    """Games of every reading on a level whose use of the board is counted."""

    level: str
    games: int


@dataclass(frozen=True, slots=True)
class WearTerms:
    """A wear study of the board of a record. candidates: a set of them; games: of each"""

    record: str
    candidates: str
    level: str
    games: int
    cap: int = DEFAULT_CAP
    of: str = "lines"


@dataclass(frozen=True, slots=True)
class Fallback:
    """A step by which precision is given up, for games that take more than some minutes of a processor there.

    of: "levels", "studies", "claims" or "ladders"; level: of the first two, and a rung of ladders that is left out
    points, games: what is wanted instead: points of levels, games of the others
    left_out: whether these games are not played on the level at all, or their ladders have no such rung
    """

    of: str
    above_minutes: float
    level: str = ""
    points: float = 0.0
    games: int = 0
    left_out: bool = False

    def __str__(self) -> str:
        instead = f"± {self.points:g} points" if self.of == "levels" else f"at most {self.games:,} games each"
        whose = f" of {self.level} players" if self.level else ""
        if self.left_out:
            whose, instead = "", f"no {self.level} players"
        minutes = "a minute" if self.above_minutes == 1 else f"{self.above_minutes:g} minutes"
        where = f" for a game whose parts take more than {minutes} of a processor" if self.above_minutes else ""
        return f"{self.of}{whose}: {instead}{where}"


@dataclass(frozen=True, slots=True)
class EditionTerms:
    """The whole plan. games: slugs, none for all; ladder_cap: the shortest cap of a ladder; corner: whether the games
    of the reference corner are played, which else are played only where `games` names them"""

    seed: int
    cap: int
    games: tuple[str, ...]
    levels: tuple[LevelTerms, ...]
    studies: tuple[StudyTerms, ...]
    claim_games: int
    ladder_games: int
    ladder_cap: int
    ladder_levels: tuple[str, ...]
    solutions: tuple[str, ...]
    coarser: tuple[Fallback, ...]
    corner: bool = False
    traffic: tuple[TrafficTerms, ...] = ()
    wear: tuple[WearTerms, ...] = ()


def read_plan(path: Path = PLAN) -> EditionTerms:
    """Raises WrongRequest with everything that is wrong, OSError if there is no such file."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise WrongRequest.of(path.name, f"this is no JSON: {error}") from error
    if wrong := schema_errors(document, SCHEMA):
        raise WrongRequest.of(path.name, "; ".join(wrong))
    terms = terms_of(document)
    if unknown := list(_unknown_levels(terms)):
        raise WrongRequest(unknown)
    return terms


def _unknown_levels(terms: EditionTerms) -> Iterator[Problem]:
    """The levels of studies, traffic and steps that no reading is played on, and rungs that no ladder has."""
    levels = [one.level for one in terms.levels]
    known_of = {"levels": levels, "studies": [study.level for study in terms.studies], "ladders": terms.ladder_levels}
    wanted: list[tuple[str, str, Sequence[str]]] = [("studies", study.level, levels) for study in terms.studies]
    wanted += [("traffic", one.level, levels) for one in terms.traffic]
    wanted += [(f"coarser: {one.of}", one.level, known_of[one.of]) for one in terms.coarser if one.level]
    for key, level, known in wanted:
        if level not in known:
            near = nearest(level, known) if known else None
            yield Problem(key, f"{level!r} is no level of the plan", near)


def terms_of(document: Mapping[str, Any]) -> EditionTerms:
    """The terms of a document that fits the schema."""
    return EditionTerms(
        seed=document["seed"],
        cap=document["cap"],
        games=tuple(document.get("games", ())),
        levels=tuple(LevelTerms(**one) for one in document["levels"]),
        studies=tuple(StudyTerms(**{**one, "of": tuple(one.get("of", ()))}) for one in document["studies"]),
        claim_games=document["claims"]["games"],
        ladder_games=document["ladders"]["games"],
        ladder_cap=document["ladders"].get("cap", document["cap"]),
        ladder_levels=tuple(document["ladders"]["levels"]),
        solutions=tuple(document["solutions"]),
        coarser=tuple(Fallback(**one) for one in document["coarser"]),
        corner=document.get("corner", False),
        traffic=tuple(TrafficTerms(*one) for one in document.get("traffic", {}).items()),
        wear=tuple(WearTerms(**one) for one in document.get("wear", ())),
    )


@dataclass(frozen=True, slots=True)
class Precision:
    """levels, studies, tests, matches: what holds of the games that are not named in the next four.

    left_out: (what of, place) where nothing is played
    """

    levels: Mapping[str, float]
    studies: Mapping[str, int]
    tests: int
    matches: int
    points: Mapping[Place, float] = field(default_factory=dict)
    combinations: Mapping[Place, int] = field(default_factory=dict)
    tested: Mapping[str, int] = field(default_factory=dict)
    climbed: Mapping[str, int] = field(default_factory=dict)
    left_out: frozenset[tuple[str, Place]] = frozenset()

    @classmethod
    def from_plan(cls, terms: EditionTerms) -> "Precision":
        levels = {level.level: level.points for level in terms.levels}
        studies = {study.level: study.games for study in terms.studies}
        return cls(levels, studies, terms.claim_games, terms.ladder_games)

    def games(self, game: str, level: str) -> int:
        """The games of each reading."""
        return games_for(self.points.get((game, level), self.levels[level]))

    def study_games(self, game: str, level: str) -> int:
        """The games of each combination of answers."""
        return self.combinations.get((game, level), self.studies[level])

    def claim_games(self, game: str) -> int:
        """The games of each test of a claim that does not want fewer."""
        return self.tested.get(game, self.tests)

    def ladder_games(self, game: str) -> int:
        """The games of each match of a ladder."""
        return self.climbed.get(game, self.matches)

    def leaves_out(self, of: str, game: str, level: str) -> bool:
        """Whether the game is not played on that level, or its ladders do not have that rung."""
        return (of, (game, level)) in self.left_out

    def after(self, step: Fallback, games: list[str]) -> "Precision":
        """The precision with these games no better known than the step says; coarser figures stay as they are."""
        if step.left_out:
            return replace(self, left_out=self.left_out | {(step.of, (game, step.level)) for game in games})
        if step.of == "claims":
            tested = {game: step.games for game in games if step.games < self.claim_games(game)}
            return replace(self, tested={**self.tested, **tested})
        if step.of == "ladders":
            climbed = {game: step.games for game in games if step.games < self.ladder_games(game)}
            return replace(self, climbed={**self.climbed, **climbed})
        places = [(game, step.level) for game in games]
        if step.of == "levels":
            least = {place: self.points.get(place, self.levels[step.level]) for place in places}
            now = {place: step.points for place in places if step.points > least[place]}
            return replace(self, points={**self.points, **now})
        fewer = {place: step.games for place in places if step.games < self.study_games(*place)}
        return replace(self, combinations={**self.combinations, **fewer})
