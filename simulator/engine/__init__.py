"""Traditional games, executable: rulesets as documents, games move by move, and games by the thousand.

>>> from simulator import engine
>>> ruleset = engine.load("puhulmutu-parker")  # or engine.read(document)
>>> game = engine.Game(ruleset)
>>> [effect.sentence for effect in game.play("a>")]
['4 sown from 1a', '5 sown from 1e', '5 sown from 2c', 'the last counter falls into 1a, which was empty: the turn ends']
>>> lengths = engine.play_games(ruleset, 1000, seed=1)["turns"]
>>> int(lengths.min()), int(lengths.max())
(44, 2000)

Rulesets   rulesets() lists the names; load(name), read(document), change(ruleset, relay="off"); describe(ruleset) in
           words; schema(family_name), every parameter; measures(ruleset), what is counted
One game   Game(ruleset): legal_moves, play(move), outcome(), copy(), svg(); choose_move(game, player)
Many       play_games(ruleset, games), an array; replay_game(ruleset, game), one of them turn by turn
All        count_positions(ruleset, turns); solve(ruleset), best play

Where a ruleset is wanted, its name will do. A wrong argument raises an error that names it: TypeError for its kind,
ValueError for its value, or one of those that are listed here.

Every name is loaded when it is first used, so that a program that only reads rulesets or plays moves never imports
numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names as below, for type checkers
    from simulator.engine.ends import END_NAMES as END_NAMES
    from simulator.engine.family import FamilyProblem as FamilyProblem
    from simulator.engine.family import Measure as Measure
    from simulator.engine.games import AmbiguousMove as AmbiguousMove
    from simulator.engine.games import Effect as Effect
    from simulator.engine.games import ForbiddenMove as ForbiddenMove
    from simulator.engine.games import Game as Game
    from simulator.engine.games import GameOver as GameOver
    from simulator.engine.games import MoveProblem as MoveProblem
    from simulator.engine.games import Outcome as Outcome
    from simulator.engine.games import UnknownMove as UnknownMove
    from simulator.engine.kernels import TooManyPositions as TooManyPositions
    from simulator.engine.players.names import PlayersProblem as PlayersProblem
    from simulator.engine.playout import ThrowsDecide as ThrowsDecide
    from simulator.engine.playout import TurnCount as TurnCount
    from simulator.engine.playout import choose_move as choose_move
    from simulator.engine.playout import count_positions as count_positions
    from simulator.engine.playout import play_games as play_games
    from simulator.engine.playout import replay_game as replay_game
    from simulator.engine.replay import Replay as Replay
    from simulator.engine.ruleset import Ruleset as Ruleset
    from simulator.engine.ruleset import RulesetProblem as RulesetProblem
    from simulator.engine.shipped import change as change
    from simulator.engine.shipped import describe as describe
    from simulator.engine.shipped import load as load
    from simulator.engine.shipped import measures as measures
    from simulator.engine.shipped import read as read
    from simulator.engine.shipped import rulesets as rulesets
    from simulator.engine.shipped import schema as schema
    from simulator.engine.solving.graph import NotSolvable as NotSolvable
    from simulator.engine.solving.solved import NotReached as NotReached
    from simulator.engine.solving.solved import Solved as Solved
    from simulator.engine.solving.solved import Value as Value
    from simulator.engine.solving.solved import solve as solve

_NAMES_BY_MODULE = {
    "ends": ("END_NAMES",),
    "family": ("FamilyProblem", "Measure"),
    "games": (
        *("AmbiguousMove", "ForbiddenMove", "GameOver", "MoveProblem", "UnknownMove"),
        *("Effect", "Game", "Outcome"),
    ),
    "kernels": ("TooManyPositions",),
    "players.names": ("PlayersProblem",),
    "playout": ("ThrowsDecide", "TurnCount", "choose_move", "count_positions", "play_games", "replay_game"),
    "replay": ("Replay",),
    "ruleset": ("Ruleset", "RulesetProblem"),
    "shipped": ("change", "describe", "load", "measures", "read", "rulesets", "schema"),
    "solving.graph": ("NotSolvable",),
    "solving.solved": ("NotReached", "Solved", "Value", "solve"),
}
_MODULE_OF = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}
__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    return value


def _version() -> str:
    """Return the version of the package, of a checkout that is not installed the one that it would be installed as."""
    import tomllib
    from importlib.metadata import version
    from pathlib import Path

    checkout = Path(__file__).parents[2] / "pyproject.toml"
    if checkout.is_file():
        return str(tomllib.loads(checkout.read_text(encoding="utf-8"))["project"]["version"])
    return version("traditional-games-engine")


def __dir__() -> list[str]:
    return __all__
