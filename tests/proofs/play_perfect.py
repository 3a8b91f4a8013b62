"""The proof of play against the perfect player: which share of a level's moves keeps the value of the position.

In Hat diviyan keliya, Koti keliya and Marin's pancha keliya all values are known. The level plays against the perfect
player from both seats, after an opening drawn by lot, for from its start many a game is lost whatever one does. A
decision counts where some of the moves keep the value and others do not. Of a game of chance a move keeps it that costs
less than COST of the chances to win.
"""

import random
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from simulator.engine.session import Session
from tests.proofs.running import Figures

LEVELS = ("random", "greedy", "club", "strong")
GAMES = {"hat-diviyan-keliya-ludovisi": 100, "koti-keliya-parker": 40, "pancha-keliya-complex-marin-dice": 40}
COST, MOST_PLIES = 0.001, 80
OPENINGS = 12  # lengths of openings, in plies, from none
# What each move of a running position is worth to its mover, from 0 to 1.
Worths = Callable[[Session], Mapping[int, float]]


def against_the_perfect(slug: str, machine: Any = None) -> Figures:
    """Of every level: decisions, the share that kept the value, and what was lost on average by one that did not."""
    from simulator.batches.scale import known, named
    from simulator.engine.players.search import Searcher
    from tests.engine.rulesets import RULESETS

    ruleset, figures = RULESETS[slug], Figures()
    with tempfile.TemporaryDirectory() as folder:
        worths = WORTHS[slug](ruleset, Path(folder))
        for level in LEVELS:
            thinker, losses = Searcher(ruleset, named(ruleset, known(level))), list[float]()
            for number in range(GAMES[slug]):
                losses += _losses(Session(ruleset, number), thinker, worths, number % 2)
            kept = [loss for loss in losses if loss < COST]
            figures[level] = {
                "decisions": len(losses),
                "kept": round(len(kept) / len(losses), 3) if losses else None,
                "mean_loss": round(sum(losses) / len(losses), 4) if losses else None,
            }
    return figures


def _losses(session: Session, thinker: Any, worths: Worths, seat: int) -> list[float]:
    """What each of a level's decisions in a game against the perfect player cost it."""
    losses, chance = [], random.Random(session.seed)
    for _ in range(session.seed // 2 % OPENINGS):
        if not session.is_over:
            session.play(chance.choice(session.options))
    while not session.is_over and len(session.plies) < MOST_PLIES:
        worth = worths(session)
        best = max(worth.values())
        if session.mover != seat:
            session.play(next(move for move, value in worth.items() if value >= best - COST))
            continue
        move = thinker.choose(session.seed, session.moves)
        if best - min(worth.values()) >= COST:
            losses.append(best - worth[move])
        session.play(move)
    return losses


def _by_every_position(ruleset: Any, folder: Path) -> Worths:
    from simulator.engine.solving.solved import solve

    solved = solve(ruleset)

    def worths(session: Session) -> Mapping[int, float]:
        number = 0
        for move in session.moves:
            number = solved.graph.children(number)[solved.graph.codes(number).index(move)]
        return {move: _as_share(value, session.mover) for move, value in solved.move_values(number).items()}

    return worths


def _by_formations(ruleset: Any, folder: Path) -> Worths:
    from simulator.engine.solving.advancing import solve_advancing

    solved = solve_advancing(ruleset, folder=folder)

    def worths(session: Session) -> Mapping[int, float]:
        position = solved.game.start()
        for move in session.moves:
            position = dict(solved.game.children(position))[move]
        return {move: _as_share(value, session.mover) for move, value in solved.move_values(position).items()}

    return worths


def _by_chances(ruleset: Any, folder: Path) -> Worths:
    from simulator.engine.solving import expected

    solved, race = expected.solve_expected(ruleset), expected.race_of(ruleset)
    return lambda session: expected.move_chances(race, solved, session.position.words())


def _as_share(value: Any, seat: int) -> float:
    return (1 + float(value.score(seat))) / 2


WORTHS: dict[str, Callable[[Any, Path], Worths]] = dict(
    zip(GAMES, (_by_every_position, _by_formations, _by_chances), strict=True)
)
PROOFS = {f"perfect-{slug}": partial(against_the_perfect, slug) for slug in GAMES}
