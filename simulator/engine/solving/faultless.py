"""Games between players without fault: plies drawn by lot from the moves that the table of all positions calls best.

Who is bound to win wins as soon as can be, who is bound to lose holds out as long, and where nobody is bound to win no
move gives that away. The table is of the game without its bounds (repetition, idle turns); games end by them all the
same. Both sides play so: a table tells nothing of how to make use of an opponent who errs.
"""

from dataclasses import dataclass
from functools import lru_cache

from simulator.engine import kernels
from simulator.engine.ends import UNFINISHED
from simulator.engine.family import family
from simulator.engine.randomness import CHOICE, Draws, stream_key
from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.solved import Solved, solve

TURNS, DECISIONS, OPTIONS = 0, 1, 2  # among what is counted of every game


@dataclass(frozen=True, slots=True)
class Played:
    """A game: its moves, as codes in order, and its row."""

    moves: list[int]
    row: list[int]


class Table:
    """The best moves of a solved ruleset, worked out as they are asked for."""

    def __init__(self, solved: Solved) -> None:
        self.solved = solved
        contract = solved.graph.game.contract
        self._rules = contract.compile_rules(solved.ruleset.parameters)  # with the bounds that the table sets aside
        self._position, self._counts, self._out, self._streams = kernels.workspace(contract, self._rules)
        self._best: dict[int, list[tuple[int, int]]] = {}

    def best(self, number: int) -> list[tuple[int, int]]:
        """Return the best moves of a running position, with the numbers of the positions that they lead to."""
        known = self._best.get(number)
        if known is None:
            graph, best = self.solved.graph, set(self.solved.best_moves(number))
            leads = zip(graph.codes(number), graph.children(number), strict=True)
            known = self._best[number] = [lead for lead in leads if lead[0] in best]
        return known

    def play(self, seed: int, game: int, cap: int) -> Played:
        """Play a game, to its end or as many turns as the cap."""
        contract, rules, position, counts = self.solved.graph.game.contract, self._rules, self._position, self._counts
        draws = [Draws(stream_key(seed, game, CHOICE + seat)) for seat in (0, 1)]
        position[:] = counts[:] = 0
        contract.start(rules, position, self._streams, counts)
        number, moves = 0, list[int]()
        while contract.outcome(rules, position)[0] < 0 and counts[TURNS] < cap:
            options, best = contract.moves(rules, position, self._out), self.best(number)
            if options > 1:
                counts[DECISIONS] += 1
                counts[OPTIONS] += options
            move, number = best[draws[self.solved.mover(number)].below(len(best))]
            contract.play(rules, position, move, self._streams, counts)
            moves.append(move)
        end, winners = contract.outcome(rules, position)
        width = len(family(self.solved.ruleset.family).measures)
        return Played(moves, [UNFINISHED if end < 0 else int(end), int(winners), *counts[: width - 2].tolist()])


def table(ruleset: Ruleset) -> Table:
    """Return the table of a ruleset, which is kept until another is asked for; raises TooManyPositions, NotSolvable."""
    return _table(ruleset.hash, ruleset)


@lru_cache(1)
def _table(ruleset_hash: str, ruleset: Ruleset) -> Table:
    return Table(solve(ruleset))
