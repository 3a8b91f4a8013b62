"""Playing the games of a batch again, to learn more of it. This module brings the compiled engine with it.

Repetition: how often positions come back in the first games. A position is all that the rules look at: the board, whose
turn it is, what is in hand, what of a turn is still to be played. It is looked at when a turn begins. A rule of
threefold repetition would end a game when a position stands for the third time. Nothing of this is in the rows: it is
worked out when a batch is closed, and kept in its summary, beside its figures, by a key of its own; as measurements it
stands after them. Not looked at are games of throws, where what comes back is decided by lot; rulesets that end a round
or a game by repetition themselves; batches that keep no rows; and games that take too long to be played again.

Pairs for the luck share: games played again with the same throws and other choices.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from simulator.batches.prices import game_price
from simulator.batches.rows import Rows, kept_rows, measure_names
from simulator.engine import kernels, playout, referee_playout
from simulator.engine.compilation import compile_players
from simulator.engine.ends import END_NAMES
from simulator.engine.family import family
from simulator.engine.randomness import CHOICE, Draws, stream_key
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch
from simulator.statistics.rows import share_row
from simulator.statistics.summary import Pairs, paired_outcomes

THREEFOLD = 3
OWN_RULES = ("repetition", "repetition_memory")

# How many games: as many as 100 microseconds for each game of the batch allow, or a tenth of the time that it took, by
# what games are expected to cost; half a second at most, but 20, if half a second is enough for them.
MOST_GAMES, FEWEST = 1_000, 20
MOST_MICROSECONDS, EACH, PART = 5e5, 100.0, 10
TURN = 20.0  # what looking at a turn takes, beside playing it

Choose = Callable[[int, Sequence[int]], int]  # (seat to move, its moves) -> the move
MOST_PAIRS = 2_000


def repetition(
    batch: Batch, ruleset: Ruleset, number: int | None = None, rows: Iterable[Rows] | None = None
) -> dict[str, Any]:
    """`{"games", "longest", "game", "rows"}`; empty where nothing is looked at.

    number: how many games to look at, as far as there are so many; as many as are worth their time if none is given
    rows:   of its games from the first on, part after part; those that are kept here if none are given

    Of what is found, `games` are so many, from the first on; `longest` is how often a position stood that stood most
    often, in that `game`; `rows` are shares of these games, as summaries have them: in which a position came again, and
    stood three times.
    """
    if not batch.rows_kept or family(ruleset.family).throws or any(ruleset.parameters.get(key) for key in OWN_RULES):
        return {}
    turns = _turns(batch, (part for _, part in kept_rows(batch, 0, MOST_GAMES)) if rows is None else rows)
    games = _number(batch, ruleset, turns) if number is None else min(number, len(turns))
    if not games:
        return {}
    most = [most_often(ruleset, _choices(batch, ruleset, game), turns[game]) for game in range(games)]
    longest = max(most)
    shares = (("position_again", "A position came again", 2), ("threefold", "Ended by threefold repetition", THREEFOLD))
    counted = [share_row(key, title, sum(stood >= times for stood in most), games) for key, title, times in shares]
    return {"games": games, "longest": longest, "game": most.index(longest), "rows": counted}


def most_often(ruleset: Ruleset, choose: Choose, turns: int) -> int:
    """Return how often the position stood that stood most often at the beginning of a turn, up to so many turns."""
    return max(Counter(_beginnings(ruleset, choose, turns)).values())


def _beginnings(ruleset: Ruleset, choose: Choose, turns: int) -> Iterator[bytes]:
    """Yield what stands before each turn of a game without throws."""
    compiled = kernels.kernel(ruleset.family)
    contract = compiled.contract
    rules = contract.compile_rules(ruleset.parameters)
    position, counts, out, streams = kernels.workspace(contract, rules)
    contract.start(rules, position, streams, counts)
    identity = int(contract.identity_size(rules))
    children = np.empty((len(out), len(position)), dtype=np.int64)
    kinds, came_to, played = np.zeros(len(out), dtype=np.int8), playout.TURN_GOES_ON + 1, 0
    while came_to != playout.GAME_OVER and played < turns:
        if came_to != playout.TURN_GOES_ON:
            yield position[:identity].tobytes()
        _, options = compiled.expand(rules, position[None, :], children, kinds, streams, counts, out)
        moves = out[:options].tolist()
        place = moves.index(choose(int(contract.mover(rules, position)), moves))
        position[:], came_to = children[place], kinds[place]
        played += came_to != playout.TURN_GOES_ON


def _choices(batch: Batch, ruleset: Ruleset, game: int) -> Choose:
    """Return what the players of a game of the batch did."""
    players = tuple(batch.players.split(","))
    if set(players) != {"random"}:
        compile_players(ruleset.family)
        listed = iter(playout.list_moves(ruleset, players, batch.seed, game, batch.cap, batch.until)[0])
        return lambda seat, moves: next(listed)
    draws = [Draws(stream_key(batch.seed, game, CHOICE + seat)) for seat in range(len(players))]
    consent = family(ruleset.family).consent(ruleset.parameters)

    def drawn(seat: int, moves: Sequence[int]) -> int:
        options = referee_playout.drawn_from(moves, consent)
        return options[draws[seat].below(len(options))]

    return drawn


def _turns(batch: Batch, rows: Iterable[Rows]) -> list[int]:
    """Return the turns of each of the first games of a batch."""
    place = measure_names(batch).index("turns")
    parts = [part[:, place] for part in rows]
    turns: list[int] = np.concatenate(parts)[:MOST_GAMES].tolist() if parts else []
    return turns


def _number(batch: Batch, ruleset: Ruleset, turns: Sequence[int]) -> int:
    """Return how many games are looked at."""
    price = game_price(ruleset, batch.players.split(","), batch.cap)
    times = list(accumulate(price + TURN * played for played in turns))
    allowed = min(MOST_MICROSECONDS, batch.games * max(EACH, price / PART))
    # times are cumulative, so the count of those within a limit is the number of games that fit it.
    within, most = (sum(time <= limit for time in times) for limit in (allowed, MOST_MICROSECONDS))
    return max(within, min(FEWEST, len(turns), most))


def paired_games_outcomes(batch: Batch, ruleset: Ruleset) -> Pairs | None:
    """Return how the first games of a batch ended, against the same throws with the choices of the next seed.

    None for games without throws, and for players who think: what they choose is no accident.
    """
    players = tuple(batch.players.split(","))
    if not family(ruleset.family).throws or set(players) != {"random"}:
        return None
    games = min(batch.games, MOST_PAIRS)
    first, second = (
        playout.play_block(ruleset, players, batch.seed, 0, games, batch.cap, batch.until, choice_seed)
        for choice_seed in (batch.seed, batch.seed + 1)
    )
    return paired_outcomes(_outcomes(first, ruleset), _outcomes(second, ruleset))


def _outcomes(rows: Rows, ruleset: Ruleset) -> Rows:
    """Return a code per game for its kind of end and its winners."""
    names = [measure.name for measure in family(ruleset.family).measures]
    ends, winners = rows[:, names.index("end")], rows[:, names.index("winners")]
    # Two small numbers in one: equal codes are equal outcomes.
    codes: Rows = winners * len(END_NAMES) + ends
    return codes
