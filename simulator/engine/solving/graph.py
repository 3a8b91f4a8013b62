"""The graph of all positions that can be reached from the start, and what each of their moves leads to.

A position is the identity words of its family. What only bounds remember (turns without a change, earlier positions) is
no part of it: the rules that need it are set aside, and a game that goes round is endless play. Words are packed into
as few bits as hold the values met so far, so that fifty million positions fit into the memory of a small machine.
Importing this module imports no numba.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from simulator.engine import kernels
from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset

# Rules that look further back than the position does. Off, each is 0.
BOUNDS = ("repetition", "idle_turns", "turn_limit", "limit_won_by", "repetition_memory")

FIRST_ROOM, FIRST_MOVES = 2**14, 2**16


class NotSolvable(Exception):
    """The ruleset is no game of two without chance."""


class TooManyPositions(kernels.TooManyPositions):
    """More positions, or more moves over all of them, than fit into the memory that a solution may use.

    positions: how many were found before the search was given up; expanded: how many of them had been played on
    """

    def __init__(self, positions: int, expanded: int, what: str) -> None:
        self.positions, self.expanded, self._what = positions, expanded, what
        super().__init__(
            f"more than {what}, the most that is solved: {positions:,} positions were found, {expanded:,} of them "
            f"played on; what fits has at most {MOST_POSITIONS:,} positions and {MOST_MOVES:,} moves over all of them"
        )

    def __reduce__(self) -> Any:
        return type(self), (self.positions, self.expanded, self._what)


def set_aside(ruleset: Ruleset) -> dict[str, int]:
    """Return the bounds of a ruleset that a solution does without."""
    return {key: ruleset.document[key] for key in BOUNDS if key in ruleset.document}


@cache
def bound_loop(family_name: str, loop: Callable[..., Any]) -> Any:
    """Compile a loop of this package for one family."""
    from simulator.engine.compiled import bind

    return bind(loop, family_name, kernels.kernel(family_name).contract)


@dataclass(slots=True)
class UnboundedGame:
    """A ruleset without its bounds, ready to be walked: its compiled rules, and the arrays that its kernel writes
    into."""

    ruleset: Ruleset
    contract: ModuleType
    rules: Any
    position: np.ndarray
    counts: np.ndarray
    out: np.ndarray
    streams: np.ndarray

    def __reduce__(self) -> Any:
        return without_bounds, (self.ruleset,)  # its arrays hold nothing that lasts

    def start(self) -> np.ndarray:
        position = np.zeros_like(self.position)
        self.contract.start(self.rules, position, self.streams, self.counts)
        return position

    def fields(self) -> np.ndarray:
        """Return how the identity of the start is packed, int64[words, 5]: every word takes no bits."""
        identity = self.start()[: self.contract.identity_size(self.rules)]
        fields = np.zeros((len(identity), 5), dtype=np.int64)
        fields[:, 0] = identity
        return fields

    def mover(self, position: np.ndarray) -> int:
        return int(self.contract.mover(self.rules, position))

    def codes(self, position: np.ndarray) -> list[int]:
        """List the moves of a running position, in the order of the contract."""
        return [int(move) for move in self.out[: self.contract.moves(self.rules, position, self.out)]]

    def children(self, position: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """Yield (move, position that it leads to) of a running position, in the order of the contract."""
        for move in self.codes(position):
            child = position.copy()
            self.counts[:] = 0
            self.contract.play(self.rules, child, move, self.streams, self.counts)
            yield move, child


def without_bounds(ruleset: Ruleset) -> UnboundedGame:
    """Set the bounds of a ruleset for two without chance aside; raises NotSolvable."""
    kind = family(ruleset.family)
    if kind.throws:
        raise NotSolvable("what a turn leads to is decided by throws here: only games without are solved")
    if (seats := kind.seats(ruleset.parameters)) != 2:
        raise NotSolvable(f"only games of two are solved, and here are {seats} seats")
    free = parse({key: value for key, value in ruleset.document.items() if key not in BOUNDS})
    contract = kernels.kernel(ruleset.family).contract
    rules = contract.compile_rules(free.parameters)
    return UnboundedGame(free, contract, rules, *kernels.workspace(contract, rules))


@dataclass(slots=True, repr=False)
class Graph:
    """Positions by number, the start first, then breadth first in the order in which they are reached.

    An endless turn leaves the position from which it began. If it has several plies, the position before its last ply
    is entered as that end instead, since where a turn began is no part of a position. No running position is affected.

    fields:  int64[words, 5], how the words of an identity are packed; keys: int64[positions, key words]
    table:   int32[a power of 2], numbers by the hash of their keys, else -1
    kinds:   int8[positions]: the seat to move, or what kind of end it is
    size:    positions reached so far
    offsets: int64[positions + 1]; targets: int32[moves]: move k of position i leads to targets[offsets[i] + k]
    """

    game: UnboundedGame
    fields: np.ndarray
    keys: np.ndarray
    table: np.ndarray
    kinds: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    size: int

    def __repr__(self) -> str:
        return f"<Graph of {self.game.ruleset.hash[:8]}: {self.size:,} positions, {self.moves:,} moves>"

    @property
    def moves(self) -> int:
        return int(self.offsets[self.size])

    @property
    def bytes(self) -> int:
        """The bytes of the arrays."""
        return sum(part.nbytes for part in (self.keys, self.table, self.kinds, self.offsets, self.targets))

    def number(self, identity: Any) -> int:
        """Return the number of the position with these identity words, or -1 if no play leads to it."""
        from simulator.engine.solving.kernel.retrograde import number_of

        words = np.array(identity, dtype=np.int64)
        if len(words) != len(self.fields):
            raise ValueError(f"an identity has {len(self.fields)} words here, not {len(words)}")
        return int(number_of(self.fields, self.keys, self.table, words, np.zeros(self.keys.shape[1], np.int64)))

    def identity(self, number: int) -> tuple[int, ...]:
        """Return the identity words of a position, and leave it in the game's own array."""
        from simulator.engine.solving.kernel.retrograde import identity_of

        identity_of(self.keys, number, self.fields, self.game.position)
        return tuple(int(word) for word in self.game.position[: len(self.fields)])

    def column(self, word: int) -> np.ndarray:
        """Return one word of the identities of all positions; int64[positions]."""
        return _column(self.keys[: self.size], self.fields[word])

    def children(self, number: int) -> list[int]:
        """List the numbers of the positions that the moves of a position lead to, in the order of the contract."""
        return [int(target) for target in self.targets[self.offsets[number] : self.offsets[number + 1]]]

    def codes(self, number: int) -> list[int]:
        """List the moves of a running position, in the order of the contract."""
        self.identity(number)
        return self.game.codes(self.game.position)


def explore(ruleset: Ruleset, progress: Callable[[int], None] = lambda positions: None) -> Graph:
    """Explore the graph of a ruleset, its bounds set aside; raises NotSolvable and TooManyPositions.

    progress: called now and then with the number of positions found so far
    """
    graph = _begun(ruleset, 1)
    _fill(graph, progress)
    return graph


def empty(ruleset: Ruleset) -> Graph:
    """Return a graph without positions, which compiles or loads what `explore` needs, so that it is not timed."""
    graph = _begun(ruleset, 0)
    _fill(graph, lambda positions: None)
    return graph


def _begun(ruleset: Ruleset, size: int) -> Graph:
    game = without_bounds(ruleset)
    graph = Graph(
        game=game,
        fields=game.fields(),
        keys=np.zeros((FIRST_ROOM, 1), dtype=np.int64),
        table=np.zeros(0, dtype=np.int32),
        kinds=np.zeros(FIRST_ROOM, dtype=np.int8),
        offsets=np.zeros(FIRST_ROOM + 1, dtype=np.int64),
        targets=np.zeros(max(FIRST_MOVES, len(game.out)), dtype=np.int32),
        size=size,
    )
    graph.kinds[0] = game.mover(game.start())
    _make_table(graph)
    return graph


def _fill(graph: Graph, progress: Callable[[int], None]) -> None:
    """Call `grow` until no position is new, giving it more room or wider fields each time that it asks for them."""
    from simulator.engine.solving.kernel.retrograde import (
        COMPLETE,
        FOUND,
        MORE_MOVES,
        MORE_POSITIONS,
        NARROW,
        NEXT,
        VALUE,
        grow,
    )

    game, state, child = graph.game, np.array([0, graph.size, 0, 0]), np.zeros_like(graph.game.position)
    bound = bound_loop(game.ruleset.family, grow)
    while True:
        key = np.zeros(graph.keys.shape[1], dtype=np.int64)
        links = (graph.kinds, graph.offsets, graph.targets)
        places = (key, game.position, child, game.streams, game.counts, game.out)
        why = bound(game.rules, graph.fields, graph.keys, graph.table, *links, state, *places)
        graph.size = int(state[FOUND])
        progress(graph.size)
        if why == COMPLETE:
            break
        # Rooms are doubled, so that copying costs no more than twice the last size, and never beyond the bound.
        if why == MORE_POSITIONS:
            if graph.size >= MOST_POSITIONS:
                raise TooManyPositions(graph.size, int(state[NEXT]), f"{MOST_POSITIONS:,} positions")
            _make_room(graph, min(2 * graph.size, MOST_POSITIONS))
        elif why == MORE_MOVES:
            if len(graph.targets) >= MOST_MOVES:
                raise TooManyPositions(graph.size, int(state[NEXT]), f"{MOST_MOVES:,} moves")
            graph.targets = _longer(graph.targets, min(2 * len(graph.targets), MOST_MOVES))
        else:
            _widen(graph, int(state[NARROW]), int(state[VALUE]))
    graph.keys, graph.kinds = graph.keys[: graph.size], graph.kinds[: graph.size]
    graph.offsets = graph.offsets[: graph.size + 1]
    graph.targets = graph.targets[: graph.moves]


def _longer(array: np.ndarray, length: int) -> np.ndarray:
    longer = np.zeros((length, *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


def _make_room(graph: Graph, positions: int) -> None:
    graph.keys = _longer(graph.keys, positions)
    graph.kinds = _longer(graph.kinds, positions)
    graph.offsets = _longer(graph.offsets, positions + 1)
    _make_table(graph)


def _make_table(graph: Graph) -> None:
    from simulator.engine.solving.kernel.retrograde import fill_table

    # The next power of 2 from twice as many places on: half of the table stays vacant, so that searches are short.
    size = 1 << (2 * len(graph.keys) - 1).bit_length()
    if len(graph.table) != size:
        graph.table = np.empty(size, dtype=np.int32)
    graph.table.fill(-1)
    fill_table(graph.keys, graph.size, graph.table, np.zeros(graph.keys.shape[1], dtype=np.int64))


def _column(keys: np.ndarray, field: np.ndarray) -> np.ndarray:
    low, _, at, shift, mask = field
    # An arithmetic shift fills with the sign; the mask cuts that off, and of a whole word it is -1, every bit.
    column: np.ndarray = ((keys[:, at] >> shift) & mask) + low
    return column


def _widen(graph: Graph, narrow: int, value: int) -> None:
    """Give a word of the identities the bits that a value needs, and pack all keys again."""
    before = graph.fields
    graph.fields, width = laid_out(before, narrow, value)
    keys = np.zeros((len(graph.keys), width), dtype=np.int64)
    for old, new in zip(before, graph.fields, strict=True):
        low, _, at, shift, _ = new
        # Column by column: unpacked with the old layout, packed with the new one, without a second copy of all words.
        keys[: graph.size, at] |= (_column(graph.keys[: graph.size], old) - low) << shift
    graph.keys = keys
    _make_table(graph)


def laid_out(fields: np.ndarray, narrow: int, value: int) -> tuple[np.ndarray, int]:
    """Return (the fields with one of them wide enough for a value, words of a key); no field spans two words.

    A field of 62 bits or more becomes a whole word, which needs no subtraction that could overflow.
    """
    wider = fields.copy()
    low, bits = int(fields[narrow, 0]), int(fields[narrow, 1])
    # The range that the bits can hold now, not only what they have held, so that fields seldom widen again.
    least, most = min(low, value), max(low + (1 << bits) - 1, value)
    bits = (most - least).bit_length()
    wider[narrow, :2] = (least, bits) if bits < 62 else (0, 64)
    used = [0]
    for field in wider:
        bits = int(field[1])
        # The first key word with room for the whole field (first fit); a new one if there is none.
        at = next((at for at, taken in enumerate(used) if taken + bits <= 64), len(used))
        used += [0] * (at == len(used))
        field[2:] = (at, used[at] if bits else 0, -1 if bits == 64 else (1 << bits) - 1)
        used[at] += bits
    return wider, len(used)


MOST_POSITIONS = 50_000_000
MOST_MOVES = 260_000_000  # over all positions; with both bounds reached a solution takes about 5 GB
