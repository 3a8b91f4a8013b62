"""What a study of a game would take at most, said before anything is planned: a page says it beside the button.

How many rulesets the answers come to is known only when all combinations were tried, which takes up to a second. So a
page goes by the number of combinations, and by the dearest ruleset of the family: a study never takes more.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import prod

from django.conf import settings
from django.db.models import Prefetch

from catalogue.analyses.factorial import MOST_CELLS, Factor
from catalogue.analyses.study_plans import factors_of
from catalogue.models import Answer, Game, Question, Reading
from catalogue.models.querysets import newest_versions
from simulator.batches import levels
from simulator.batches.prices import MICROSECONDS, UNITS, dearest_game, finishing_price, span
from simulator.batches.requests import DEFAULT_CAP, DEFAULT_PLAYERS
from simulator.engine.family import family
from simulator.engine.players.names import PlayersProblem
from simulator.models import Ruleset
from simulator.rulesets import as_engine

GAMES = 2_000  # of each combination, where they are cheap enough
SHARE = 2  # the usual study takes at most this part of what a visitor may ask for in an hour: there is more to look at


@dataclass(frozen=True, slots=True)
class StudyOffer:
    """A study that a page offers.

    questions: those that are varied
    base:      the ruleset whose players levels stand for
    rulesets:  at most
    price:     microseconds that a game takes at most
    finishing: that figures and plots of a ruleset take at most
    """

    game: Game
    questions: tuple[Factor, ...]
    base: Ruleset
    rulesets: int
    price: float
    finishing: float

    @property
    def most(self) -> int:
        """Games of each ruleset that a visitor may ask for within an hour, at least."""
        return int(settings.VISITOR_WORK_PER_HOUR / (UNITS * self.price * self.rulesets))

    @property
    def games(self) -> int:
        """Of each ruleset, if nobody says otherwise: a round number."""
        within = max(1, min(GAMES, self.most // SHARE))
        return within - within % int(10 ** (len(str(within)) - 1))

    @property
    def seats(self) -> set[int]:
        """How many seats the answers give the game."""
        base = as_engine(self.base)
        answers = [level.values for one in self.questions for level in one.levels]
        return {family(base.family).seats({**base.parameters, **values}) for values in [{}, *answers]}

    def played_by(self, line: str) -> "StudyOffer":
        """The same with these players, by name or level, one for every seat or one a seat; raises PlayersProblem."""
        base = as_engine(self.base)
        players = levels.players_for(base, line)
        return replace(self, price=dearest_game(base.family, players, DEFAULT_CAP))

    @property
    def all_games(self) -> int:
        return self.games * self.rulesets

    @property
    def time(self) -> str:
        return self.time_of(self.games)

    def time_of(self, games: int) -> str:
        """ "24.0 seconds" of a processor at most, for so many games of each, with figures and plots."""
        return span(self.rulesets * (games * self.price + self.finishing) / MICROSECONDS)


def offers_for(games: Iterable[Game]) -> list[StudyOffer]:
    """One for each of these games that can be studied: four queries, however many games."""
    rows = list(games)
    questions: dict[int, list[Question]] = {}
    answers = Prefetch("answers", Answer.objects.order_by("position", "slug"))
    for question in Question.objects.filter(game__in=rows).prefetch_related(answers):
        questions.setdefault(question.game_id, []).append(question)
    bases = _bases(rows)
    varied = [(game, factors_of(questions.get(game.pk, ()), {})) for game in rows]
    return [_offer(game, bases[game.pk], some) for game, some in varied if some and game.pk in bases]


def usual_games(game: Game, players: str) -> int:
    """How many games of each combination a page would offer, by these players; what can be said where none can be."""
    offer = next(iter(offers_for([game])), None)
    try:
        return offer.played_by(players).games if offer else GAMES
    except PlayersProblem:
        return GAMES


def _bases(games: list[Game]) -> dict[int, Ruleset]:
    """The first reading, by position, of each game that has one to be played."""
    readings = Reading.objects.filter(game__in=games).order_by("position", "slug").values_list("game_id", "slug")
    versions = newest_versions(slug for _, slug in readings)
    found = [(game, versions[slug].ruleset) for game, slug in readings if slug in versions]
    return dict(reversed(found))


def _offer(game: Game, base: Ruleset, varied: list[Factor]) -> StudyOffer:
    rulesets = min(MOST_CELLS, prod(len(one.levels) for one in varied))
    price = dearest_game(base.family, [DEFAULT_PLAYERS], DEFAULT_CAP)
    return StudyOffer(game, tuple(varied), base, rulesets, price, finishing_price(base.family))


OF_A_SAMPLE = (
    "There are too many combinations to play them all. In a sample, what questions do only together cannot be told "
    "apart question by question: it stands as one share, unexplained by any question alone. Where three answers or "
    "more act together, an interval holds less often than it says: in trials with games made up for it, in 70 to 100 "
    "of 100 samples. It may be large, and then the other shares tell only part of the story."
)
