"""Rows of games that nobody played: what the tests of tallies, statistics and plots count."""

from typing import Any

import numpy as np

from simulator.engine.families.sowing.measures import MEASURES

NAMES = [measure.name for measure in MEASURES]
CONTEXT: dict[str, Any] = {
    "batch": "0123456789abcdef", "games": 4000, "seed": 7, "players": "random,random", "cap": 120, "until": "game",
    "ruleset": "ab12cd34" * 8, "engine": "sowing 1",
}  # fmt: skip


def rows_of(games: int, **columns: Any) -> np.ndarray:
    """Rows of zeros, but for the columns given."""
    rows = np.zeros((games, len(MEASURES)), dtype=np.int32)
    for name, values in columns.items():
        rows[:, NAMES.index(name)] = values
    return rows


def random_rows(games: int = 4000, cap: int = 120, seed: int = 7) -> np.ndarray:
    """Games of several rounds with every kind of end; the cap stops the longest."""
    draw = np.random.default_rng(seed)
    rounds = draw.geometric(0.3, games)
    first = 5 + draw.poisson(12, games)
    turns = first + (rounds - 1) * (8 + draw.poisson(10, games))
    end = np.where(draw.random(games) < 0.03, 2, np.where(draw.random(games) < 0.05, 1, 0))
    end = np.where(turns > cap, 3, end)
    turns = np.minimum(turns, cap)
    over = ~((end >= 2) & (rounds == 1))
    return rows_of(
        games,
        end=end,
        winners=np.where(end == 0, np.where(draw.random(games) < 0.54, 1, 2), 0),
        turns=turns,
        decisions=turns - draw.binomial(turns, 0.1),
        options=4 * turns + draw.poisson(turns),
        lead_changes=draw.poisson(turns / 9),
        rounds=rounds,
        laps=draw.poisson(4 * turns),
        captures_0=4 * draw.poisson(turns / 8),
        captures_1=4 * draw.poisson(turns / 9),
        first_round_ended=over,
        first_round_winner=np.where(over, draw.integers(-1, 2, games), -1),
        first_round_turns=np.where(over, first, 0),
        first_round_decisions=np.where(over, first - 1, 0),
        first_round_laps=np.where(over, 4 * first, 0),
        first_round_captures=np.where(over, 4 * (first // 5), 0),
        part_holes=draw.integers(0, 2, games),
        ties=draw.poisson(1, games),
        short_handed_rounds=draw.integers(0, 2, games),
        taken_in_passing=4 * draw.poisson(turns / 9),
        unequal_rounds=rounds - 1,
        recovered_rounds=draw.binomial(rounds - 1, 0.4),
        equal_rounds=draw.binomial(rounds, 0.2),
        draw_offered=draw.integers(0, 2, games),
        draw_called=draw.integers(0, 2, games),
    )
