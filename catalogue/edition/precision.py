"""How well each game is known on each level: as the plan wishes, or as well as the hours allow."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from catalogue.edition.terms import CoarserStep, EditionTerms
from simulator.statistics.intervals import games_for

Place = tuple[str, str]  # a game on a level


@dataclass(frozen=True, slots=True)
class Precision:
    """levels, studies, tests: what holds of the games that are not named in `points`, `combinations` and `tested`."""

    levels: Mapping[str, float]
    studies: Mapping[str, int]
    tests: int
    points: Mapping[Place, float] = field(default_factory=dict)
    combinations: Mapping[Place, int] = field(default_factory=dict)
    tested: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def wished(cls, terms: EditionTerms) -> "Precision":
        levels = {one.level: one.points for one in terms.levels}
        return cls(levels, {one.level: one.games for one in terms.studies}, terms.claim_games)

    def games(self, game: str, level: str) -> int:
        """Of each reading."""
        return games_for(self.points.get((game, level), self.levels[level]))

    def study_games(self, game: str, level: str) -> int:
        """Of each combination of answers."""
        return self.combinations.get((game, level), self.studies[level])

    def claim_games(self, game: str) -> int:
        """Of each test of a claim, if it does not want fewer."""
        return self.tested.get(game, self.tests)

    def after(self, step: CoarserStep, games: list[str]) -> "Precision":
        """With these games no better known than the step says; what is coarser already stays as it is."""
        if step.of == "claims":
            tested = {game: step.games for game in games if step.games < self.claim_games(game)}
            return replace(self, tested={**self.tested, **tested})
        places = [(game, step.level) for game in games]
        if step.of == "levels":
            least = {place: self.points.get(place, self.levels[step.level]) for place in places}
            now = {place: step.points for place in places if step.points > least[place]}
            return replace(self, points={**self.points, **now})
        fewer = {place: step.games for place in places if step.games < self.study_games(*place)}
        return replace(self, combinations={**self.combinations, **fewer})
