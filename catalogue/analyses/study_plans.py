"""Studies planned: which combinations of answers to a game's open questions are played, and what that takes at most.

Every cell is an ordinary batch, so a study that was interrupted goes on from the batches it has, and every figure of it
can be looked up. How many rulesets the answers come to is known only when all combinations were tried, which takes up
to a second. So the offer beside the button of a page goes by the number of combinations, and by the dearest ruleset of
the family: a study never takes more.

Some questions are set aside: those that are no doubt (how many play, which is chosen; who begins, where that is only a
name), and from a study of first rounds those whose answers give the same first rounds. The base decides them.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.db.models import Prefetch

from catalogue.analyses.factorial import (
    MOST_CELLS,
    Factor,
    FactorLevel,
    Space,
    factor_of,
    problems,
    space,
    why_no_doubt,
)
from catalogue.evidence.questions import why_not_in_first_rounds
from catalogue.models import Answer, Game, Question, Reading
from catalogue.models.querysets import newest_versions
from catalogue.texts.words import nearest_word
from simulator import rulesets
from simulator.batches import levels
from simulator.batches.prices import MICROSECONDS, UNITS, dearest_game, finishing_price, span
from simulator.batches.requests import DEFAULT_CAP, DEFAULT_PLAYERS, DEFAULTS, BatchRequest, check_request, content_hash
from simulator.engine.family import family
from simulator.engine.players.names import PlayersProblem
from simulator.engine.ruleset import Problem, Ruleset
from simulator.models import Batch
from simulator.models import Ruleset as RulesetRow
from simulator.problems import WrongRequest
from simulator.rulesets import as_engine

# Changes when a study would come out differently.
STUDY_VERSION = 1
GAMES = 2_000  # of each combination, where they are cheap enough
SHARE = 2  # the usual study takes at most this part of what a visitor may ask for in an hour: there is more to look at
OF_A_SAMPLE = (
    "There are too many combinations to play them all. In a sample, what questions do only together cannot be told "
    "apart question by question: it stands as one share, unexplained by any question alone. Where three answers or "
    "more act together, an interval holds less often than it says: in trials with games made up for it, in 70 to 100 "
    "of 100 samples. It may be large, and then the other shares tell only part of the story."
)


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """A study as it was requested.

    base:   name of the ruleset that holds wherever no question decides
    asked:  the players as requested, by name or by the level that stands for a player of the base
    rows:   the questions chosen
    varied: those of them that can be put to the simulator
    aside:  those that could be, and are not varied, and why
    """

    game: Game
    base: str
    request: BatchRequest
    asked: str
    rows: tuple[Question, ...]
    varied: tuple[Factor, ...]
    aside: Mapping[str, str]
    sample_seed: int
    bootstrap_seed: int

    @property
    def players(self) -> str:
        """The players of every combination by name: one name if all seats have the same player."""
        return _as_one(self.request.players)


@dataclass(frozen=True, slots=True)
class Plan:
    """A study that can be run: what is studied, the cells, and the request of each cell's batch."""

    study: StudyRequest
    space: Space
    requests: tuple[BatchRequest, ...]

    @property
    def id(self) -> str:
        """First 16 hex digits of the SHA-256 of what determines it, in canonical JSON (RFC 8785)."""
        request = self.study.request
        questions = [
            [factor.slug, [[level.slug, dict(level.values), level.weight] for level in factor.levels]]
            for factor in self.study.varied
        ]
        return content_hash(
            study=STUDY_VERSION,
            game=self.study.game.slug,
            base=request.ruleset.hash,
            family_version=request.family_version,
            players=self.study.players,
            seed=request.seed,
            games=request.games,
            cap=request.cap,
            until=request.until,
            questions=questions,
        )[:16]


def plan(
    game: str,
    *,
    base: str = "",
    questions: Sequence[str] = (),
    weights: Mapping[tuple[str, str], float] | None = None,
    like: Plan | None = None,
    **wanted: Any,
) -> Plan:
    """The study of a game; raises WrongRequest with everything that is wrong.

    base:      the ruleset that holds wherever no question decides; the game's first reading if none is named
    questions: slugs of those to be varied; all of them if none is named
    weights:   (question, answer) -> weight among the answers; 1 if none is given
    like:      the study of other games, whose combinations need not be found again where they are the same
    wanted:    games, seed, players, cap, until, as for a batch; a level stands for its player of the base, who then
               plays all combinations, so that they differ in nothing but their rules
    """
    row = _game(game)
    name = base or _first_reading(row)
    wanted = {**DEFAULTS, **wanted}
    request = check_request(name, **wanted)
    chosen = _chosen(row, questions)
    playable = factors_of(chosen, weights or {})
    aside = set_aside(row.slug, request.ruleset, playable, request.until)
    if wrong := [Problem("questions", f"{slug} cannot be varied: {why}") for slug, why in aside.items() if questions]:
        raise WrongRequest(wrong)
    varied = [one for one in playable if one.slug not in aside]
    if wrong := problems(varied, request.ruleset):
        raise WrongRequest(wrong)
    if not varied:
        raise WrongRequest([Problem("game", f"{row.name} has no question with two answers that can be played")])
    seeds = [derived_seed(request.seed, purpose) for purpose in ("sample", "bootstrap")]
    asked = _as_one(levels.per_seat(wanted["players"], len(request.players)).split(","))
    study = StudyRequest(row, name, request, asked, tuple(chosen), tuple(varied), aside, *seeds)
    cells = _space(study, like)
    if not cells.combinations:
        raise WrongRequest(
            [Problem("questions", f"no combination of answers is possible: {next(iter(cells.left_out))}")]
        )
    requests = tuple(
        check_request(
            cell,
            games=request.games,
            seed=derived_seed(request.seed, cell.hash),
            players=study.players,
            cap=request.cap,
            until=request.until,
        )
        for cell in cells.cells
    )
    return Plan(study, cells, requests)


def set_aside(game: str, base: Ruleset, questions: Iterable[Factor], until: str) -> dict[str, str]:
    """Question → why it is not varied, on top of a base, in whole games or in first rounds."""
    found = {}
    for one in questions:
        why = why_no_doubt(base, one)
        if not why and until == Batch.Until.ROUND:
            why = why_not_in_first_rounds(game, one.slug)
        if why:
            found[one.slug] = why
    return found


def _as_one(players: Sequence[str]) -> str:
    """A line of players: one name where all seats have the same, for combinations may differ in their seats."""
    return players[0] if len(set(players)) == 1 else ",".join(players)


def _space(study: StudyRequest, like: Plan | None) -> Space:
    """The combinations of a study; those of another study where it has the same base, questions and seed."""
    terms = attrgetter("request.ruleset", "varied", "sample_seed")
    if like is not None and terms(like.study) == terms(study):
        return like.space
    return space(study.request.ruleset, study.varied, study.sample_seed)


def derived_seed(seed: int, purpose: str) -> int:
    """An independent seed: the first 52 bits of the SHA-256 of the study's seed and what it is for."""
    return int(hashlib.sha256(f"{seed} {purpose}".encode()).hexdigest()[:13], 16)


def _game(slug: str) -> Game:
    found = Game.objects.filter(slug=slug).first()
    if found is None:
        known = list(Game.objects.values_list("slug", flat=True))
        empty = "" if known else ": the catalogue is empty, and `manage.py load_fixtures` fills it"
        raise WrongRequest([Problem("game", f"no game is called {slug!r}{empty}", nearest_word(slug, known))])
    return found


def _first_reading(game: Game) -> str:
    """The first reading, by position, that has a ruleset to play."""
    known = rulesets.known_names()
    slugs = game.readings.order_by("position", "slug").values_list("slug", flat=True)
    first = next((slug for slug in slugs if slug in known), None)
    if first is None:
        raise WrongRequest([Problem("game", f"{game.name} has no reading that can be played")])
    return str(first)


def _chosen(game: Game, slugs: Sequence[str]) -> list[Question]:
    rows = list(game.questions.order_by("position", "slug").prefetch_related("answers"))
    known = [row.slug for row in rows]
    if wrong := [slug for slug in slugs if slug not in known]:
        raise WrongRequest(
            Problem("questions", f"{game.name} has no question {slug!r}", nearest_word(slug, known)) for slug in wrong
        )
    return [row for row in rows if not slugs or row.slug in slugs]


def factors_of(rows: Iterable[Question], weights: Mapping[tuple[str, str], float]) -> list[Factor]:
    """The questions that can be varied, each answer with its weight, 1 if none is given; raises WrongRequest."""
    playable = {
        row.slug: {answer.slug: answer.values for answer in row.answers.all() if answer.values is not None}
        for row in rows
    }
    known = {f"{slug}:{answer}" for slug, answers in playable.items() for answer in answers}
    if wrong := [name for name in map(":".join, weights) if name not in known]:
        raise WrongRequest(
            Problem("weights", f"no answer that can be played is called {name!r}", nearest_word(name, known))
            for name in wrong
        )
    found = (
        factor_of(
            slug, [FactorLevel(name, values, float(weights.get((slug, name), 1))) for name, values in answers.items()]
        )
        for slug, answers in playable.items()
    )
    return [one for one in found if one]


@dataclass(frozen=True, slots=True)
class StudyOffer:
    """A study that a page offers.

    questions: those that are varied
    aside:     those that could be, and why they are not
    base:      the ruleset whose players levels stand for
    rulesets:  at most
    price:     microseconds that a game takes at most
    finishing: that figures and plots of a ruleset take at most
    """

    game: Game
    questions: tuple[Factor, ...]
    aside: Mapping[str, str]
    base: RulesetRow
    rulesets: int
    price: float
    finishing: float

    @property
    def most(self) -> int:
        """Games of each ruleset that a visitor may ask for within an hour, at least."""
        return int(settings.VISITOR_WORK_PER_HOUR / (UNITS * self.price * self.rulesets))

    @property
    def games(self) -> int:
        """The games of each ruleset, unless another number is requested: a round number."""
        within = max(1, min(GAMES, self.most // SHARE))
        return within - within % int(10 ** (len(str(within)) - 1))

    @property
    def seats(self) -> set[int]:
        """How many seats the answers give the game."""
        base = as_engine(self.base)
        answers = [level.values for question in self.questions for level in question.levels]
        return {family(base.family).seats({**base.parameters, **values}) for values in [{}, *answers]}

    def played_by(self, line: str) -> "StudyOffer":
        """The offer with these players, by name or level, one for every seat or one a seat; raises PlayersProblem."""
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
    """An offer for each of these games that can be studied: four queries, however many games."""
    rows = list(games)
    questions: dict[int, list[Question]] = {}
    answers = Prefetch("answers", Answer.objects.order_by("position", "slug"))
    for question in Question.objects.filter(game__in=rows).prefetch_related(answers):
        questions.setdefault(question.game_id, []).append(question)
    readings = Reading.objects.filter(game__in=rows).order_by("position", "slug").values_list("game_id", "slug")
    versions = newest_versions(slug for _, slug in readings)
    # The base is the first reading, by position, that can be played.
    bases = dict(reversed([(game, versions[slug].ruleset) for game, slug in readings if slug in versions]))
    offers = []
    for game in rows:
        if game.pk not in bases:
            continue
        base = bases[game.pk]
        playable = factors_of(questions.get(game.pk, ()), {})
        aside = set_aside(game.slug, as_engine(base), playable, Batch.Until.GAME)
        if varied := [one for one in playable if one.slug not in aside]:
            rulesets = min(MOST_CELLS, prod(len(one.levels) for one in varied))
            price = dearest_game(base.family, [DEFAULT_PLAYERS], DEFAULT_CAP)
            offers.append(StudyOffer(game, tuple(varied), aside, base, rulesets, price, finishing_price(base.family)))
    return offers


def usual_games(game: Game, players: str) -> int:
    """Return how many games of each combination a page would offer, by these players; what can be said where none can
    be."""
    offer = next(iter(offers_for([game])), None)
    try:
        return offer.played_by(players).games if offer else GAMES
    except PlayersProblem:
        return GAMES
