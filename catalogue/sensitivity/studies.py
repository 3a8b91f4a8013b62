"""Studies asked for, played and kept: which doubt about a game matters.

Commands and workers import this module, pages do not: it brings the statistics and the plots. Every cell is an ordinary
batch, so a study that was interrupted runs on from the batches it has, and every figure of it can be looked up.
"""

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import rfc8785
from django.db.models import Sum

from catalogue.models import Game, Question
from catalogue.models.studies import Study
from catalogue.sensitivity.combinations import Doubt, Level, Space, doubt, problems, space
from catalogue.sensitivity.documents import STUDY_VERSION, Asked, document_of, summary_of
from catalogue.sensitivity.plots import drawings_of
from catalogue.texts.errors import nearest_word
from simulator import rulesets
from simulator.batches import service as batches
from simulator.batches.requests import DEFAULTS, BatchRequest, check_request
from simulator.engine.ruleset import Problem
from simulator.models import Batch, Chunk
from simulator.problems import WrongRequest

POLL_SECONDS = 0.3


class StudyStopped(Exception):
    """A batch of the study was cancelled or failed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A study that can be run: what was asked, the cells, and the request of each cell's batch."""

    id: str
    asked: Asked
    space: Space
    requests: tuple[BatchRequest, ...]


def plan(
    game: str,
    *,
    base: str = "",
    questions: Sequence[str] = (),
    weights: Mapping[tuple[str, str], float] | None = None,
    **wanted: Any,
) -> Plan:
    """The study of a game; raises WrongRequest with everything that is wrong.

    base:      the ruleset that holds wherever no question decides; the game's first reading if none is named
    questions: slugs of those to be varied; all of them if none is named
    weights:   (question, answer) -> weight among the answers; 1 if none is given
    wanted:    games, seed, players, cap, until, as for a batch
    """
    row = _game(game)
    name = base or _first_reading(row)
    request = check_request(name, **{**DEFAULTS, **wanted})
    chosen = _chosen(row, questions)
    doubts = _doubts(row, chosen, weights or {})
    wrong = problems(doubts, request.ruleset)
    if wrong:
        raise WrongRequest(wrong)
    if not doubts:
        raise WrongRequest([Problem("game", f"{row.name} has no question with two answers that can be played")])
    seeds = [derived_seed(request.seed, purpose) for purpose in ("sample", "bootstrap")]
    asked = Asked(row, name, request, tuple(chosen), tuple(doubts), *seeds)
    cells = space(request.ruleset, doubts, asked.sample_seed)
    if not cells.combinations:
        raise WrongRequest(
            [Problem("questions", f"no combination of answers is possible: {next(iter(cells.left_out))}")]
        )
    requests = tuple(
        check_request(
            cell,
            games=request.games,
            seed=derived_seed(request.seed, cell.hash),
            players=asked.players,
            cap=request.cap,
            until=request.until,
        )
        for cell in cells.cells
    )
    return Plan(_id(asked), asked, cells, requests)


def derived_seed(seed: int, purpose: str) -> int:
    """An independent seed: the first 52 bits of the SHA-256 of the study's seed and what it is for."""
    return int(hashlib.sha256(f"{seed} {purpose}".encode()).hexdigest()[:13], 16)


def ask(planned: Plan, *, announce: bool = True, origin: str = Batch.Origin.COMMAND) -> list[Batch]:
    """The batches of the cells, asked for now or done before."""
    return batches.ask_for(planned.requests, announce=announce, origin=origin)


def played(asked_for: Sequence[Batch], *, inline: bool) -> Iterator[int]:
    """Waits until all are done, and says how many games are; raises StudyStopped if they never will be.

    inline: play here, one after another, instead of waiting for workers
    """
    ids = [batch.id for batch in asked_for]
    for batch in asked_for:
        while batch.is_open:
            if not (inline and _play(batch)):
                time.sleep(POLL_SECONDS)
            batch.refresh_from_db(fields=["state"])
            done = Chunk.objects.filter(batch__in=ids, state=Chunk.State.DONE).aggregate(games=Sum("games"))
            yield done["games"] or 0
        if batch.state != Batch.State.DONE:
            raise StudyStopped(f"batch {batch} is {batch.state}; asked for again, the study runs on from what is done")


def conclude(planned: Plan) -> Study:
    """The study, computed, drawn and kept; all its batches are done."""
    ids = [request.id for request in planned.requests]
    found = {batch.id: batch for batch in Batch.objects.filter(id__in=ids).select_related("ruleset")}
    document = document_of(planned.asked, planned.space, [found[name] for name in ids], planned.id)
    study, _ = Study.objects.update_or_create(
        id=planned.id,
        defaults={
            "game": planned.asked.game,
            "document": document,
            "summary": summary_of(document),
            "plots": drawings_of(document),
        },
    )
    return study


def kept(planned: Plan) -> Study | None:
    """The study of this plan, if it was run before."""
    return Study.objects.filter(id=planned.id).first()


def run(game: str, *, inline: bool = False, origin: str = Batch.Origin.COMMAND, **wanted: Any) -> Study:
    """Plan, ask, wait, conclude: all of it, for programmes. Raises WrongRequest or StudyStopped."""
    planned = plan(game, **wanted)
    study = kept(planned)
    if study is None:
        for _ in played(ask(planned, announce=not inline, origin=origin), inline=inline):
            pass
        study = conclude(planned)
    return study


def _play(batch: Batch) -> bool:
    from simulator.batches import playing  # brings the compiled engine, which a waiting command does without

    return playing.play_waiting_chunk(batch)


def _id(asked: Asked) -> str:
    request = asked.request
    content: dict[str, Any] = {
        "study": STUDY_VERSION,
        "game": asked.game.slug,
        "base": request.ruleset.hash,
        "family_version": request.family_version,
        "players": asked.players,
        "seed": request.seed,
        "games": request.games,
        "cap": request.cap,
        "until": request.until,
        "questions": [
            [one.slug, [[level.slug, dict(level.values), level.weight] for level in one.levels]] for one in asked.doubts
        ],
    }
    return hashlib.sha256(rfc8785.dumps(content)).hexdigest()[:16]


def _game(slug: str) -> Game:
    found = Game.objects.filter(slug=slug).first()
    if found is None:
        known = list(Game.objects.values_list("slug", flat=True))
        empty = "" if known else ": the catalogue is empty, and `manage.py load_fixtures` fills it"
        raise WrongRequest([Problem("game", f"no game is called {slug!r}{empty}", nearest_word(slug, known))])
    return found


def _first_reading(game: Game) -> str:
    """The first reading, by position, that has a ruleset to play."""
    known = set(rulesets.known_names())
    named = [
        slug for slug in game.readings.order_by("position", "slug").values_list("slug", flat=True) if slug in known
    ]
    if not named:
        raise WrongRequest([Problem("game", f"{game.name} has no reading that can be played")])
    return str(named[0])


def _chosen(game: Game, slugs: Sequence[str]) -> list[Question]:
    rows = list(game.questions.order_by("position", "slug").prefetch_related("answers"))
    known = [row.slug for row in rows]
    wrong = [slug for slug in slugs if slug not in known]
    if wrong:
        raise WrongRequest(
            Problem("questions", f"{game.name} has no question {slug!r}", nearest_word(slug, known)) for slug in wrong
        )
    return [row for row in rows if not slugs or row.slug in slugs]


def _doubts(game: Game, rows: Sequence[Question], weights: Mapping[tuple[str, str], float]) -> list[Doubt]:
    """The questions that can be put to the simulator, each answer with its weight; raises WrongRequest."""
    known = [(row.slug, answer.slug) for row in rows for answer in row.answers.all() if answer.values is not None]
    wrong = [pair for pair in weights if pair not in known]
    if wrong:
        names = {":".join(pair) for pair in known}
        raise WrongRequest(
            Problem("weights", f"no answer that can be played is called {name!r}", nearest_word(name, names))
            for name in map(":".join, wrong)
        )
    found = [
        doubt(
            row.slug,
            [
                Level(answer.slug, answer.values, float(weights.get((row.slug, answer.slug), 1)))
                for answer in row.answers.all()
                if answer.values is not None
            ],
        )
        for row in rows
    ]
    return [one for one in found if one]
