"""The games as environments of PettingZoo, turn by turn, with a mask of the legal moves.

>>> from simulator.engine.environments import pettingzoo
>>> env = pettingzoo.env("kalah-reference")
>>> env.reset(seed=1)
>>> observation, reward, termination, truncation, info = env.last()
>>> observation["action_mask"].nonzero()[0].tolist(), info["moves"][:2]
([0, 2, 4, 6, 8, 10], ['a>', 'b>'])
>>> env.step(0)
>>> env.agent_selection
'player_1'

The environment throws the lots, as the referee does in game 0 of its seed: `engine.Game(ruleset, seed)` with the same
moves comes to the same positions.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from simulator.engine.arguments import MOST_SEED, whole
from simulator.engine.environments.numbered import CHANCE, MOST_PLIES, Play, Table
from simulator.engine.randomness import CHANCE as THROWS
from simulator.engine.randomness import Draws, stream_key
from simulator.engine.ruleset import Ruleset
from simulator.engine.session import GAME

MOST = 2**24  # what is observed is no more, nor less than -1


def env(ruleset: Ruleset | str, most_plies: int = MOST_PLIES, render_mode: str | None = None) -> Any:
    """Return the environment of a ruleset, with PettingZoo's own checks of what it is asked."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(Environment(ruleset, most_plies, render_mode))
    )


class Environment(AECEnv[str, dict[str, np.ndarray], int]):
    """A ruleset as an environment; `play` is the game in this engine's own terms.

    An observation has `observation`, what everybody sees, and `action_mask`, 1 for each legal move of the agent.
    `infos` tell the agent to move how his moves are written, in the order of their actions. A game that is stopped
    after `most_plies` moves is truncated. Modes of rendering: "ansi", the board as text; "svg", a drawing.
    """

    metadata = {"name": "traditional_games_v0", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(self, ruleset: Ruleset | str, most_plies: int = MOST_PLIES, render_mode: str | None = None) -> None:
        super().__init__()
        self.table, self.render_mode = Table(ruleset, most_plies), render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.seats)]
        self.play: Play = self.table.start()
        self._draws: list[Draws] = []
        self._seen = spaces.Dict(
            {
                "observation": spaces.Box(-1, MOST, (len(self.play.observed()),), np.int32),
                "action_mask": spaces.Box(0, 1, (self.table.actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._seen)
        self.action_spaces = {agent: spaces.Discrete(self.table.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. seed: of the throws; without one a random seed is drawn
        options: `{"saved": …}` goes on with a game that `play.saved` wrote"""
        number = int(np.random.default_rng().integers(MOST_SEED)) if seed is None else whole("seed", seed, 0, MOST_SEED)
        self._draws = [Draws(stream_key(number, GAME, THROWS + seat)) for seat in range(self.table.seats)]
        saved = (options or {}).get("saved")
        self.play = self.table.read(saved) if saved else self.table.start()
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._settle()

    def step(self, action: int) -> None:
        """Play a move of the agent whose turn it is; raises ValueError for one that is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.play.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._settle()
        self._accumulate_rewards()

    def _settle(self) -> None:
        """Throw what is due, and say whose move it is and what has come of the game."""
        play = self.play
        while play.to_play == CHANCE:
            play.play(self.table.thrown_by(self._draws[play.thrower or 0]))
        is_stopped = play.is_over and play.end == "unfinished"
        self.rewards = dict(zip(self.agents, play.returns(), strict=True))
        self.terminations = dict.fromkeys(self.agents, play.is_over and not is_stopped)
        self.truncations = dict.fromkeys(self.agents, is_stopped)
        seat = play.to_play
        if seat is not None:
            self.agent_selection = self.agents[seat]
        names = [] if seat is None else [play.name_of(action) for action in play.legal]
        self.infos = {agent: {"moves": names if number == seat else []} for number, agent in enumerate(self.agents)}

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        mask = np.zeros(self.table.actions, np.int8)
        if agent == self.agent_selection and not self.play.is_over:
            mask[list(self.play.legal)] = 1
        return {"observation": np.array(self.play.observed(), np.int32), "action_mask": mask}

    def state(self) -> np.ndarray:
        return np.array(self.play.observed(), np.int32)

    def render(self) -> str | None:
        if self.render_mode == "svg":
            return self.play.svg()
        return self.play.board() if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass
