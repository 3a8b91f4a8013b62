"""What a study of a game would take at most, said before anything is planned: a page says it beside the button.

How many rulesets the answers come to is known only when all combinations were tried, which takes up to a second. So a
page goes by the number of combinations, and by the dearest ruleset of the family: a study never takes more.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from django.conf import settings
from django.db.models import Prefetch

from catalogue.models import Answer, Game, Question, Reading
from catalogue.models.querysets import newest_versions
from catalogue.sensitivity.combinations import MOST_CELLS, VariedQuestion
from catalogue.sensitivity.plans import varied_questions
from simulator.batches.ceilings import MICROSECONDS, span
from simulator.batches.prices import UNITS, dearest_game, finishing_price
from simulator.batches.requests import DEFAULT_CAP, DEFAULT_PLAYERS

GAMES = 2_000  # of each combination, where they are cheap enough
SHARE = 2  # the usual study takes at most this part of what a visitor may ask for in an hour: there is more to look at


@dataclass(frozen=True, slots=True)
class StudyOffer:
    """A study that a page offers.

    rulesets:  at most
    price:     microseconds that a game takes at most
    finishing: that figures and plots of a ruleset take at most
    """

    game: Game
    questions: int
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
    families = _families(rows)
    varied = [(game, varied_questions(questions.get(game.pk, ()), {})) for game in rows]
    return [_offer(game, families[game.pk], some) for game, some in varied if some and game.pk in families]


def _families(games: list[Game]) -> dict[int, str]:
    """The family of each game that has a reading to be played."""
    readings = list(Reading.objects.filter(game__in=games).values_list("game_id", "slug"))
    versions = newest_versions(slug for _, slug in readings)
    return {game: versions[slug].ruleset.family for game, slug in readings if slug in versions}


def _offer(game: Game, family: str, varied: list[VariedQuestion]) -> StudyOffer:
    rulesets = min(MOST_CELLS, prod(len(one.levels) for one in varied))
    price = dearest_game(family, DEFAULT_PLAYERS, DEFAULT_CAP)
    return StudyOffer(game, len(varied), rulesets, price, finishing_price(family))
