"""The games as one of OpenSpiel, `traditional(ruleset=kalah-reference)`: for its algorithms, bots and analyses.

>>> import pyspiel
>>> from simulator.engine.environments import openspiel
>>> state = openspiel.load("kalah-reference").new_initial_state()
>>> [state.action_to_string(action) for action in state.legal_actions()]
['a>', 'b>', 'c>', 'd>', 'e>', 'f>']
>>> state.apply_action(state.string_to_action("c>"))
>>> state.current_player()
0

Lots are thrown at chance nodes, each throw by its chance; nothing is hidden from anybody. A game is worth 1 to who wins
and -1 to who loses; where each of four plays for himself, every loser has lost a third. Games without a winner are
worth nothing. Importing this module registers the game, so that `pyspiel.load_game` knows it too.
"""

import json
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from simulator.engine.environments.numbered import CHANCE, MOST_PLIES, Play, Table
from simulator.engine.ruleset import Ruleset
from simulator.engine.shipped import load as load_ruleset
from simulator.engine.shipped import read

NAME, DEFAULT, MOST_SEATS = "traditional", "kalah-reference", 4


def load(ruleset: Ruleset | str, most_plies: int = MOST_PLIES) -> Any:
    """Return the game of a ruleset, which may be one of your own: a name or a document is kept in its parameters."""
    wanted = (
        {"ruleset": ruleset} if isinstance(ruleset, str) else {"document": json.dumps(ruleset.document).encode().hex()}
    )
    return pyspiel.load_game(NAME, {**wanted, "most_plies": most_plies})


def _game_type(table: Table | None = None) -> Any:
    kinds = pyspiel.GameType
    deterministic = table is not None and not table.throws
    return kinds(
        short_name=NAME,
        long_name="Traditional games",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC if deterministic else kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=table.seats if table else MOST_SEATS,
        min_num_players=table.seats if table else 2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"ruleset": DEFAULT, "document": "", "most_plies": MOST_PLIES},
    )


class TraditionalGame(pyspiel.Game):
    """A ruleset as a game of OpenSpiel.

    Its parameters: `ruleset`, the name of one that comes with the engine; `document`, in place of it any other, as
    hexadecimal digits of its JSON; `most_plies`, after which a game is stopped.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        document = given.get("document")
        ruleset = read(bytes.fromhex(document).decode()) if document else load_ruleset(given.get("ruleset") or DEFAULT)
        self.table = table = Table(ruleset, int(given.get("most_plies", MOST_PLIES)))
        info = pyspiel.GameInfo(
            num_distinct_actions=table.actions,
            max_chance_outcomes=len(table.throws),
            num_players=table.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=table.most_plies,
        )
        super().__init__(_game_type(table), info, given)

    def new_initial_state(self, state: Any = None) -> "TraditionalState":
        return TraditionalState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound on the throws of a game: before each move there is one, or a series with its own bound."""
        if not self.table.throws:
            return 0
        return int(self.table.rules["series_limit"]) * (self.table.most_plies + 1)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.table)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class TraditionalState(pyspiel.State):
    """A game as far as it has been played; `play` is the same in this engine's own terms."""

    def __init__(self, game: TraditionalGame) -> None:
        super().__init__(game)
        self.play: Play = game.table.start()

    def current_player(self) -> int:
        seat = self.play.to_play
        if seat is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if seat == CHANCE else seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.play.legal) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, float(chance)) for number, chance in enumerate(self.play.table.throws)]

    def _apply_action(self, action: int) -> None:
        self.play.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.play.name_of(action)

    def is_terminal(self) -> bool:
        return self.play.is_over

    def returns(self) -> list[float]:
        return self.play.returns()

    def __str__(self) -> str:
        return self.play.told()


class Observer:
    """What everybody sees, as OpenSpiel asks for it: one row of numbers, and the board as text."""

    def __init__(self, table: Table) -> None:
        self.tensor = np.zeros(len(table.start().observed()), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: TraditionalState, player: int) -> None:
        self.tensor[:] = state.play.observed()

    def string_from(self, state: TraditionalState, player: int) -> str:
        return state.play.told()


pyspiel.register_game(_game_type(), TraditionalGame)
