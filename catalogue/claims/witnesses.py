"""Claims that one game decides: "there is a game in which …". The game is named, and never believed.

A test of this kind is `{"kind": "witness", "ruleset": slug, "of": conditions, "seed": 1, "game": 3}`. The referee plays
that game of random players anew, up to the first turn after which the conditions surely hold, whatever follows. If they
never do, the game is no witness, and nothing is decided: another one may be.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from catalogue.claims.definitions import ClaimTest
from catalogue.claims.figures import Finding, Games
from catalogue.texts.outcomes import Outcome
from simulator.engine.family import family
from simulator.engine.referee_playout import Ply, plies
from simulator.engine.ruleset import Ruleset
from simulator.engine.session import Session
from simulator.engine.url_moves import SEPARATOR, encode
from simulator.statistics.bounded import BoundedFigure


@dataclass(frozen=True, slots=True)
class Seen:
    """A game that was played anew.

    turns: after which it was so, None if it never was; moves: up to there, as an address writes them
    """

    turns: int | None
    moves: str


def answer(test: ClaimTest, ruleset: Ruleset) -> tuple[Finding, str]:
    """What the game of a test says, and its moves up to where it is so."""
    seen = replayed(test, ruleset)
    game = f"game {test.game:,} of seed {test.seed}"
    if seen.turns is None:
        figure = BoundedFigure(None, None, None, None, None, 0)
        return Finding(Outcome.UNDECIDED, figure, f"It is not so in {game}: another may be a witness."), ""
    figure = BoundedFigure(None, None, None, None, None, 1)
    turns = "turn" if seen.turns == 1 else "turns"
    text = f"It is so in {game}, after {seen.turns:,} {turns}, as the referee has played it anew."
    return Finding(Outcome.SUPPORTED, figure, text), seen.moves


def replayed(test: ClaimTest, ruleset: Ruleset) -> Seen:
    """Play the game of a test until what it asks for is so."""
    played: list[Ply] = []
    turns = 0
    for ply in plies(ruleset, test.seed, test.game):
        played.append(ply)
        turns += ply.played.turn_over
        ended = ply.played.position.end >= 0
        if (ply.played.turn_over or ended) and _is_so(test, ruleset, played, turns):
            return Seen(turns, _written(ruleset, test.seed, played))
        if turns >= test.cap or (test.until == "round" and getattr(ply.played, "rounds_ended", 0)):
            break
    return Seen(None, "")


def _is_so(test: ClaimTest, ruleset: Ruleset, played: Sequence[Ply], turns: int) -> bool:
    """Whether it is so of any game that begins with these plies."""
    columns = ruleset.module("referee.contract").row(iter(played), max(turns, 1), test.until)
    rows = np.array([columns], dtype=np.int32)
    games = Games(rows, family(ruleset.family).named_measures(ruleset.parameters), max(turns, 1))
    return bool(games.fulfil(test.of).surely[0])


def _written(ruleset: Ruleset, seed: int, played: Sequence[Ply]) -> str:
    session = Session(ruleset, seed)
    words = []
    for ply in played:
        words.append(encode(session, ply.move))
        session.play(ply.move)
    return SEPARATOR.join(words)
