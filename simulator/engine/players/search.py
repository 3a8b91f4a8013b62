"""Players who search: their arrays are allocated here and handed to the compiled searches."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numba import cfunc, types

from simulator.engine import kernels
from simulator.engine.compiled import copy_for
from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.players.kernel import calls, dispatch, memory, playing
from simulator.engine.players.kernel.calls import WHOLE, as_argument
from simulator.engine.players.names import (
    EXPECTIMAX,
    GREEDY,
    POLICY,
    UCT,
    Expectation,
    Player,
    by_score,
    player,
    policies,
)
from simulator.engine.randomness import CHOICE
from simulator.engine.ruleset import Ruleset
from simulator.engine.weights import Weigh, weigh_as

# Seed, seed of the choices, first game, cap, until.
GameRange = tuple[int, int, int, int, str]


@cache
def _dispatch(family_name: str, rules_at: Any) -> Any:
    """Compile a family's rules as one function that has an address."""
    contract = kernels.kernel(family_name).contract
    copy = copy_for(dispatch.dispatch, f"{family_name}_{rules_at.__name__}", contract, {"rules_at": rules_at})
    compiled = cfunc(types.int64(types.int64, types.CPointer(types.int64)), cache=True, error_model="numpy", _nrt=False)
    return compiled(copy)


class SearchArrays:
    """All arrays that a block of games writes into. The frame holds addresses of the others, so all live together."""

    def __init__(self, ruleset: Ruleset, names: Sequence[str], until: str) -> None:
        contract, players = kernels.kernel(ruleset.family).contract, tuple(player(name) for name in names)
        compiled = contract.compile_rules(ruleset.parameters)
        rules_at: Any
        self.rules: np.ndarray
        self.rules, rules_at = as_argument(compiled)
        self.position, self.counts, self.out, self.streams = kernels.workspace(contract, compiled)
        self.frame = frame = np.zeros(calls.FRAME_WORDS, dtype=np.int64)
        # The frame is read by compiled code: every place that it looks at has to be written before the first call.
        frame[calls.DISPATCH] = _dispatch(ruleset.family, rules_at).address
        frame[calls.AT_RULES] = self.rules.ctypes.data
        frame[calls.THROWS] = contract.FIRST_STREAM < CHOICE
        frame[calls.MOVE_CODES], frame[calls.TAKEN] = contract.MOVE_CODES, contract.TAKEN
        kind = family(ruleset.family)
        consent = kind.consent(ruleset.parameters)
        frame[calls.CONSENT] = -1 if consent is None else consent
        frame[calls.UNTIL_ROUND] = until == "round"
        frame[calls.SEATS], frame[calls.SCALE] = kind.seats(ruleset.parameters), contract.EVALUATION_SCALE
        frame[calls.COUNTS] = memory.counts_words(contract)
        frame[calls.FIRST_STREAM], frame[calls.LAST_STREAM] = contract.FIRST_STREAM, contract.LAST_STREAM
        weighs_throws = any(each.kind == EXPECTIMAX for each in players)
        throws = kind.listed_throws(ruleset.parameters) if weighs_throws else ()
        self.workspace = memory.allocate(players, contract, compiled, throws)
        self.rules_of = [self._rules_of(ruleset, each) for each in players]
        rows = [(*_as_row(each), rules.ctypes.data) for each, rules in zip(players, self.rules_of, strict=True)]
        self.players = np.array(rows, dtype=np.int64)

    def _rules_of(self, ruleset: Ruleset, player: Player) -> np.ndarray:
        """Return the compiled rules with the weights of a player; those who name none share the fitted ones."""
        if player.kind != POLICY and not player.weights:
            return self.rules
        is_policy = player.kind == POLICY
        weigh: Weigh = policies()[player.policy].weigh if is_policy else weigh_as(ruleset.family, player.weights)
        rules: np.ndarray = as_argument(
            kernels.kernel(ruleset.family).contract.compile_rules(ruleset.parameters, weigh)
        )[0]
        return rules

    @property
    def written(self) -> tuple[Any, ...]:
        """The arguments of the compiled searches: position, counts, streams, workspace, list of moves."""
        return self.position, self.counts, self.streams, self.workspace, self.out


def _as_row(player: Player) -> tuple[int, ...]:
    """Return a player as the compiled searches take it: a policy is the greedy player with weights of its own."""
    kind = GREEDY if player.kind == POLICY else player.kind
    return kind, player.budget, player.horizon, player.exploration, player.prior


def play(
    ruleset: Ruleset,
    names: Sequence[str],
    rows: np.ndarray,
    games: GameRange,
    halt: np.ndarray | None = None,
    listed: np.ndarray | None = None,
) -> int:
    """Play games into `rows`, int32[games, measures]; returns the plies of the last game.

    halt:   int64[1]; once another thread makes it not 0, the block stops and its rows mean nothing
    listed: int64[any length], takes the first moves of the last game
    """
    *numbers, until = games
    arrays = SearchArrays(ruleset, names, until)
    halt = np.zeros(1, dtype=np.int64) if halt is None else halt
    listed = np.zeros(0, dtype=np.int64) if listed is None else listed
    return int(playing.play_games(arrays.frame, arrays.players, rows, *arrays.written, listed, *numbers, halt))


def list_moves(
    ruleset: Ruleset, names: Sequence[str], seed: int, game: int, cap: int, until: str
) -> tuple[list[int], list[int]]:
    """Return (the moves of one game, as codes in order; its row)."""
    rows = np.empty((1, len(family(ruleset.family).measures)), dtype=np.int32)
    listed = np.zeros(4 * cap, dtype=np.int64)
    plies = play(ruleset, names, rows, (seed, seed, game, cap, until), listed=listed)
    # The list was too short. The game is the same again, so that it can simply be played with a longer one.
    if plies > len(listed):
        listed = np.zeros(plies, dtype=np.int64)
        play(ruleset, names, rows, (seed, seed, game, cap, until), listed=listed)
    return listed[:plies].tolist(), rows[0].tolist()


class NotPlayable(ValueError):
    """A listed move is illegal, or the game is over before it. place: its index in the list"""

    def __init__(self, place: int, moves: Sequence[int]) -> None:
        self.place = place
        what = f"move {place}, {moves[place]}," if place < len(moves) else "a further move"
        super().__init__(f"{what} cannot be played after {list(moves[:place])}")


class Searcher:
    """A player whose arrays are allocated once, for many positions of one ruleset."""

    def __init__(self, ruleset: Ruleset, name: str) -> None:
        self.arrays, self.player = SearchArrays(ruleset, (name,), "game"), player(name)

    def choose(self, seed: int, moves: Sequence[int], position: Sequence[int] | np.ndarray | None = None) -> int:
        """Return the player's move after these moves of game 0 of the seed, with that game's throws.

        position: identity words to search from instead of the position that the moves lead to, without a history
        Raises NotPlayable.
        """
        arrays, is_given = self.arrays, position is not None
        arrays.counts[:] = arrays.position[:] = 0
        if position is not None:
            arrays.position[: len(position)] = position
        played = np.array(moves, dtype=np.int64)
        move = int(playing.reply(arrays.frame, arrays.players[0], *arrays.written, played, is_given, seed))
        if move < 0:
            raise NotPlayable(-1 - move, moves)
        return move

    def expectation(self, move: int) -> Expectation | None:
        """Return what the search that has just chosen this move expects for the mover; None if it has not tried the
        move.

        Where throws decide, a search that ended early has proved that the mover wins before the next throw.
        """
        tree, throws = self.arrays.workspace.tree, self.arrays.frame[calls.THROWS]
        if self.player.kind != UCT or tree[0, memory.FIRST] == 0:
            return None
        # Iterations are left only if the search stopped at a proof, and with throws that is a win before the next one.
        if throws and tree[0, memory.VISITS] < self.player.budget:
            return by_score(1)
        known = memory.UNKNOWN if throws else int(tree[0, memory.PROVED])
        if known not in (memory.UNKNOWN, memory.DRAWN):
            return by_score(1 if known > 0 else -1, memory.WON - abs(known))
        if known == memory.DRAWN:
            return by_score(0)
        moves = self.arrays.workspace.moves
        chosen = next((child for child in self._children() if moves[child] == move), None)
        if chosen is None:  # all that were tried are lost
            return None
        return Expectation(share=round(float(tree[chosen, memory.SCORE] / tree[chosen, memory.VISITS] / WHOLE), 4))

    def _children(self) -> Iterator[int]:
        """Yield the nodes of the root's moves."""
        tree = self.arrays.workspace.tree
        child = int(tree[0, memory.FIRST])
        if not self.arrays.frame[calls.THROWS]:
            yield from range(child, child + int(tree[0, memory.MADE]))
            return
        while child:
            yield child
            child = int(tree[child, memory.NEXT])


def think(ruleset: Ruleset, name: str, seed: int, moves: Sequence[int]) -> tuple[int, Expectation | None]:
    """Return (the move of the player of that name, what it expects), with arrays of its own. Raises NotPlayable."""
    searcher = Searcher(ruleset, name)
    move = searcher.choose(seed, moves)
    return move, searcher.expectation(move)


def choose(
    ruleset: Ruleset, name: str, seed: int, moves: Sequence[int], position: Sequence[int] | np.ndarray | None = None
) -> int:
    """Return the move of the player of that name: `Searcher.choose` with arrays of its own. Raises NotPlayable."""
    return Searcher(ruleset, name).choose(seed, moves, position)


def load(family_name: str) -> None:
    """Compile the searches and the family's rules for them, or load them from the cache."""
    for document in kernels.kernel(family_name).contract.EXAMPLES:
        ruleset = parse(document)
        seats = family(family_name).seats(ruleset.parameters)
        rows = np.empty((1, len(family(family_name).measures)), dtype=np.int32)
        play(ruleset, ("uct:2/2",) + ("random",) * (seats - 1), rows, (0, 0, 0, 4, "game"))
        choose(ruleset, "greedy", 0, [])
