"""Games by the thousand, one of them turn by turn, single moves of a player, and counts of positions.

All of it needs the compiled engine: importing this module imports numba, so only workers and commands that play import
it. What a family's games need is compiled when they are first played, which may take a minute, and cached
(`kernel_cache` says where). Random players play in the family's own loop, players who search in `players.search`.

Positions are counted after exactly so many turns: two programs that agree on these numbers agree on the moves and on
what every move does, without either being read. A position is its identity words. What only bounds remember (idle
turns, repeated positions) is carried along for play but not compared: of two positions that differ in nothing else, the
first that is reached is played on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from simulator.engine import arguments, counting, kernels
from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.games import Game, GameOver
from simulator.engine.kernels import kernel, workspace
from simulator.engine.players import search
from simulator.engine.players.names import FAULTLESS, PlayersProblem, players_for
from simulator.engine.replay import Replay, replay
from simulator.engine.ruleset import Ruleset
from simulator.engine.traffic import Sums

CAP = 2000  # turns after which a game is left unfinished, unless the caller gives another number
RANDOM = "random"
BLOCK = 65_536  # the most games one call should play: between calls a worker looks up


def load(family_name: str) -> None:
    """Compile the family's playout loop, or load it from the cache of compiled kernels."""
    for document in kernel(family_name).contract.EXAMPLES:
        ruleset = parse(document)
        players = (RANDOM,) * family(family_name).seats(ruleset.parameters)
        play_block(ruleset, players, 0, 0, 1, 10, "game")


def play_block(
    ruleset: Ruleset,
    players: tuple[str, ...],
    seed: int,
    first_game: int,
    games: int,
    cap: int,
    until: str,
    choice_seed: int | None = None,
    halt: np.ndarray | None = None,
    traffic: Sums | None = None,
) -> np.ndarray:
    """Play games `first_game` … `first_game + games - 1`; returns their rows, int32[games, measures].

    A pure function of its arguments and the family's version: game g is the same whichever block it is in.
    players:     a name for every seat, as `players.names` reads them
    until:       "game", or "round" to end every game with its first round
    choice_seed: another seed for the players' choices, so that the same throws are played otherwise
    halt:        int64[1]; once another thread makes it not 0, the block stops and its rows mean nothing
    traffic:     what the games leave on the board is added to it

    Raises ValueError for another `until`.
    """
    until = arguments.until(until)
    compiled = kernel(ruleset.family)
    rules = compiled.contract.compile_rules(ruleset.parameters)
    rows = np.empty((games, len(family(ruleset.family).measures)), dtype=np.int32)
    position, counts, out, streams = workspace(compiled.contract, rules)
    choices = seed if choice_seed is None else choice_seed
    if traffic is None and set(players) == {FAULTLESS}:
        traffic = Sums.none(family(ruleset.family).traffic(ruleset.parameters).cells)
    if traffic is not None:
        counting.play(ruleset, players, rows, (seed, choices, first_game, cap, until), traffic, halt)
        return rows
    until_round = np.int64(until == "round")
    if set(players) == {RANDOM} and not family(ruleset.family).turns_may_not_end(ruleset.parameters):
        compiled.play_games(rules, rows, position, streams, counts, out, seed, choices, first_game, cap, until_round)
    else:
        search.play(ruleset, players, rows, (seed, choices, first_game, cap, until), halt)
    return rows


def play_games(
    ruleset: Ruleset | str, games: int, seed: int = 0, players: str = RANDOM, cap: int = CAP, until: str = "game"
) -> np.ndarray:
    """Play games 0 … games - 1 of a seed; returns a structured array [games], an int32 field a measure (`measures`).

    The field `end` is a place in END_NAMES, and `winners` has the bit of every seat that won. A game that the cap
    stopped is "unfinished": its figures are lower bounds.

    players: one name for all seats, or one a seat: "random", "greedy", "alpha_beta:4", "uct:1000", "uct:100,random"
    cap:     turns after which a game is stopped
    until:   "game", or "round" to end every game with its first round

    >>> games = engine.play_games(engine.load("kalah-reference"), 1000, seed=1)
    >>> len(games), games["turns"][:5].tolist()
    (1000, [34, 51, 45, 42, 42])
    >>> np.bincount(games["end"], minlength=4).tolist()  # win, draw, endless, unfinished
    [944, 56, 0, 0]

    Raises PlayersProblem, and ValueError for a number out of its bounds.
    """
    ruleset, games = arguments.ruleset_given(ruleset), arguments.whole("games", games, 0, arguments.MOST_GAMES)
    seed, cap, until = _of_games(seed, cap, until)
    names = _players(ruleset, players)
    rows = [
        play_block(ruleset, names, seed, first, min(BLOCK, games - first), cap, until)
        for first in range(0, games, BLOCK)
    ]
    fields = np.dtype([(measure.name, np.int32) for measure in family(ruleset.family).measures])
    return np.concatenate(rows).view(fields)[:, 0] if rows else np.empty(0, fields)


def _of_games(seed: int, cap: int, until: str) -> tuple[int, int, str]:
    """Check what every game of a call shares; raises TypeError and ValueError."""
    cap = arguments.whole("cap", cap, 1, arguments.MOST_CAP)
    return arguments.whole("seed", seed, 0, arguments.MOST_SEED), cap, arguments.until(until)


def _players(ruleset: Ruleset, line: object, argument: str = "players") -> tuple[str, ...]:
    """Return a player's name for every seat; raises PlayersProblem."""
    if not isinstance(line, str):
        raise PlayersProblem(f"{argument} must be a text such as 'greedy,random', not {arguments.shown(line)}")
    words = [word.strip() for word in line.split(",")]
    if set(words) == {FAULTLESS}:
        return (FAULTLESS,) * 2
    return players_for(ruleset, line)


def list_moves(
    ruleset: Ruleset, names: Sequence[str], seed: int, game: int, cap: int, until: str
) -> tuple[list[int], list[int]]:
    """Return (the moves of one game of players who do more than draw, as codes in order; its row)."""
    if set(names) != {FAULTLESS}:
        return search.list_moves(ruleset, names, seed, game, cap, until)
    from simulator.engine.solving.faultless import table

    played = table(ruleset).play(seed, game, cap)
    return played.moves, played.row


def replay_game(
    ruleset: Ruleset | str, game: int, seed: int = 0, players: str = RANDOM, cap: int = CAP, until: str = "game"
) -> Replay:
    """Replay one game of `play_games` turn by turn, with the rules that fired; printed, it is a text.

    >>> replay = engine.replay_game(engine.load("kalah-reference"), 2, seed=1)
    >>> replay.row["turns"], replay.end, replay.winners
    (45, 'win', [0])
    >>> replay.fired().most_common(2)
    [('store_again', 7), ('capture_opposite', 5)]
    >>> print(replay)
    Rules
    ...
    Turn 1, first player: ...

    Raises PlayersProblem, and ValueError for a number out of its bounds.
    """
    ruleset, game = arguments.ruleset_given(ruleset), arguments.whole("game", game, 0, arguments.MOST_GAMES - 1)
    seed, cap, until = _of_games(seed, cap, until)
    names = _players(ruleset, players)
    moves = None if set(names) == {RANDOM} else list_moves(ruleset, names, seed, game, cap, until)[0]
    return replay(ruleset, seed, game, cap, until, moves)


def choose_move(game: Game, player: str) -> str:
    """Return the move that a player chooses now, in notation; the same game always gets the same answer.

    >>> game = engine.Game(engine.load("kalah-reference"))
    >>> engine.choose_move(game, "alpha_beta:2")
    'f>'

    Raises PlayersProblem and GameOver.
    """
    if not isinstance(game, Game):
        raise TypeError(f"game must be a Game, not {arguments.shown(game)}")
    name = _players(game.ruleset, player, "player")[game.mover]
    if game.outcome() is not None:
        raise GameOver(f"{name} has nothing to choose: the game is over")
    return game.session.name_of(search.choose(game.ruleset, name, game.session.seed, game.session.moves))


MOST_BYTES = 200 * 2**20  # of the different positions after one turn; a count needs about five times that
ROOM_BYTES = 16 * 2**20  # of what one call of the kernel writes
TURN_GOES_ON, TURN_OVER, GAME_OVER = range(3)


@dataclass(frozen=True, slots=True)
class TurnCount:
    """positions: different ones after exactly `turn` turns; ended: how many of them ended the game."""

    turn: int
    positions: int
    ended: int


class TooManyPositions(kernels.TooManyPositions):
    """The positions after one more turn would not fit into the memory that a count may use."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        super().__init__(
            f"the positions after turn {turn} need more than {MOST_BYTES // 2**20} MB, the most that a count may use"
        )

    def __reduce__(self) -> Any:
        return type(self), (self.turn,)


class ThrowsDecide(Exception):
    """The game has throws, so that one turn leads to as many positions as there are throws; none is counted."""

    def __init__(self) -> None:
        super().__init__("what a turn leads to is decided by throws here: only positions of games without are counted")


def count_positions(ruleset: Ruleset | str, turns: int) -> Iterator[TurnCount]:
    """Give one count a turn, until `turns` or until every game has ended; raises TooManyPositions and ThrowsDecide.

    >>> [count.positions for count in engine.count_positions(engine.load("puhulmutu-ludii"), 3)]
    [14, 80, 390]
    """
    ruleset, turns = arguments.ruleset_given(ruleset), arguments.whole("turns", turns, 0, arguments.MOST_CAP)
    if family(ruleset.family).throws:
        raise ThrowsDecide
    return _counts(ruleset, turns)


def _counts(ruleset: Ruleset, turns: int) -> Iterator[TurnCount]:
    walk = Walk.from_start(ruleset)
    for turn in range(1, turns + 1):
        running, ended = walk.one_turn(turn)
        yield TurnCount(turn, len(running) + len(ended), len(ended))


@dataclass(slots=True)
class Distinct:
    """A set of positions that keeps, for each identity, the first row that had it.

    identity: words of a row that are compared; word: the integer type that holds them; turn: for TooManyPositions
    merged:   rows that are known to differ; fresh: arrays of rows that may repeat them, `fresh_bytes` in all
    """

    identity: int
    word: Any
    turn: int
    merged: np.ndarray
    fresh: list[np.ndarray] = field(default_factory=list)
    fresh_bytes: int = 0

    def add(self, rows: np.ndarray) -> None:
        """Add the rows of int64[n, words], stored as int16 where their numbers allow."""
        if not len(rows):
            return
        rows = rows[_first_places(rows[:, : self.identity], self.word)]
        # A quarter of the memory: few rulesets need larger words.
        if rows.min() >= -(2**15) and rows.max() < 2**15:
            rows = rows.astype(np.int16)
        self.fresh.append(rows)
        self.fresh_bytes += rows.nbytes
        if self.fresh_bytes > MOST_BYTES:
            self.merge()

    def merge(self) -> np.ndarray:
        """Drop the rows that repeat others and return the rest; raises TooManyPositions."""
        if self.fresh:
            rows = np.concatenate([self.merged, *self.fresh])
            self.merged = rows[_first_places(rows[:, : self.identity], self.word)]
            self.fresh, self.fresh_bytes = [], 0
        if self.merged.nbytes > MOST_BYTES:
            raise TooManyPositions(self.turn)
        return self.merged


def _first_places(identities: np.ndarray, word: Any) -> np.ndarray:
    """Return the index of the first of each set of equal rows, ascending; `word` is a type that holds their numbers."""
    # Each row becomes one opaque value, so that `unique` compares whole rows at once; only equality matters.
    rows = np.ascontiguousarray(identities, dtype=word)
    words = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    places: np.ndarray = np.sort(np.unique(words, return_index=True)[1])
    return places


@dataclass(slots=True)
class Walk:
    """A breadth-first walk of the game tree, a turn at a time."""

    contract: ModuleType
    expand: Any
    rules: Any
    running: np.ndarray
    counts: np.ndarray
    out: np.ndarray
    streams: np.ndarray

    @classmethod
    def from_start(cls, ruleset: Ruleset) -> "Walk":
        contract = kernel(ruleset.family).contract
        rules = contract.compile_rules(ruleset.parameters)
        position, counts, out, streams = workspace(contract, rules)
        contract.start(rules, position, streams, counts)
        return cls(contract, kernel(ruleset.family).expand, rules, position[None, :].copy(), counts, out, streams)

    def one_turn(self, turn: int) -> tuple[np.ndarray, np.ndarray]:
        """Play one more turn from every running position; returns (running positions, ended positions)."""
        identity = int(self.contract.identity_size(self.rules))
        nothing, word = np.zeros((0, self.running.shape[1]), dtype=np.int16), self.contract.WORD
        running, ended = Distinct(identity, word, turn, nothing), Distinct(identity, word, turn, nothing[:, :identity])
        for rows, kinds in self._plies(self.running):
            running.add(rows[kinds == TURN_OVER])
            ended.add(rows[kinds == GAME_OVER, :identity])
        self.running = running.merge()
        return self.running, ended.merge()

    def _plies(self, positions: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield what every ply of the turn leads to; depth first, so that unfinished turns never pile up."""
        for rows, kinds in self._children(positions):
            yield rows, kinds
            unfinished = rows[kinds == TURN_GOES_ON]
            if len(unfinished):
                yield from self._plies(unfinished)

    def _children(self, positions: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield what every move of every position leads to, as much at a time as ROOM_BYTES hold."""
        words = self.running.shape[1]
        children = np.empty((max(len(self.out), ROOM_BYTES // (8 * words)), words), dtype=np.int64)
        kinds = np.empty(len(children), dtype=np.int8)
        played = 0
        while played < len(positions):
            some = positions[played : played + len(children)].astype(np.int64)
            done, found = self.expand(self.rules, some, children, kinds, self.streams, self.counts, self.out)
            played += done
            yield children[:found], kinds[:found]
