"""Games of a batch that are worth a look: the one of middling length, the shortest, the longest, and odd ends.

They are found from its rows by whoever closes the batch, and named in its summary.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from simulator.batches.rows import Rows
from simulator.engine.ends import ENDLESS, UNFINISHED

KEY = "games_to_look_at"
TITLES = {
    "representative": "A representative game: of median length",
    "shortest": "The shortest game",
    "longest": "The longest game that ended",
    "endless": "A game that became endless",
    "unfinished": "A game that the cap stopped",
}


def notable_games(names: Sequence[str], rows: Iterable[Rows]) -> dict[str, dict[str, int]]:
    """`{"representative": {"game", "turns"}, …}`, a key of TITLES each; empty if there are no rows.

    names: of the columns; rows: of all games in order, part after part

    Length is compared among games that were not stopped by the cap; of an even number of them the lower median is
    taken, so that some game has it. Of equal games the one of the lowest number is named.
    """
    parts = [part[:, [names.index("turns"), names.index("end")]] for part in rows]
    if not parts:
        return {}
    turns, ends = np.concatenate(parts).T
    ended = np.sort(turns[ends != UNFINISHED])
    wanted: dict[str, Any] = {"endless": ends == ENDLESS, "unfinished": ends == UNFINISHED}
    if len(ended):
        lengths = {"representative": ended[(len(ended) - 1) // 2], "shortest": ended[0], "longest": ended[-1]}
        wanted = {key: (turns == length) & (ends != UNFINISHED) for key, length in lengths.items()} | wanted
    first = {key: int(np.argmax(found)) for key, found in wanted.items() if found.any()}
    return {key: {"game": game, "turns": int(turns[game])} for key, game in first.items()}
