"""The players once more, in plain Python over the referees: what the compiled searches are held against.

Written from the words in `simulator/engine/players/` and the formula of architecture decision 10, not from the code:
recursion instead of stacks, dictionaries instead of arrays, whole minimax instead of alpha-beta.
"""

from importlib import import_module
from typing import Any

from simulator.engine.boards import race
from simulator.engine.boards.points import BOARDS
from simulator.engine.ends import WIN
from simulator.engine.families.sowing.position import CALL_DRAW
from simulator.engine.family import family
from simulator.engine.randomness import CHANCE, CHOICE, GAMMA, MASK, SEARCH, STREAMS, Draws, mix, stream_key
from simulator.engine.weights import SCALE, weigh
from tests.engine.players import plain_features

MATE = 1 << 20


def search_draws(seed: int, game: int, ply: int) -> list[Draws]:
    """The streams of one search: those of a game whose key is mixed with the ply's once more."""
    key = stream_key(seed, game, SEARCH + ply)
    return [Draws(mix(((key ^ k) + GAMMA) & MASK)) for k in range(STREAMS)]


def evaluate(ruleset, position, seat, weights=None) -> int:
    """The family's evaluation, from its words: the features of a side, weighted, less those of the others.

    weights: what each feature weighs, by kind of game and role; without it what was fitted
    """
    rules, weights = ruleset.parameters, weights or weigh(ruleset.family)
    module = import_module(f"simulator.engine.families.{ruleset.family}.measures")
    teams, seats = ruleset.family == "race" and rules["teams"] == "opposite", family(ruleset.family).seats(rules)
    own = others = apart = 0
    for other in range(seats):
        weighs = weights(module.kind_of_game(rules), module.role(rules, other))
        counted = plain_features.features(ruleset, position, other)
        present = module.in_force(rules, other)
        worth = sum(weighs.get(name, 0) * number for name, number in counted.items() if name in present)
        if ruleset.family == "points":
            named = {BOARDS[rules["board"]].number(key[3:]): value for key, value in weighs.items() if key[:3] == "on "}
            worth += sum(named.get(point, 0) for point in position.pieces(other))
        if other == seat or (teams and other == seat ^ 2):
            own += worth
            apart += _apart(position, other, weighs, rules) if ruleset.family == "race" else 0
        else:
            others += worth
    if not all(weights(module.kind_of_game(rules), module.role(rules, s)).get("others", 1) for s in range(2)):
        return own + apart
    return own * (1 if teams else seats - 1) - others + apart


def _apart(position, seat, weighs, rules) -> int:
    """What the steps between a player's own pieces weigh, once one is near enough to home."""
    steps = position.pieces[seat]
    home = race.BOARDS[rules["board"]].steps + (rules["goal"] == "beyond_last")
    return weighs.get("apart", 0) * (max(steps) - min(steps)) * (max(steps) >= home - weighs.get("within", home))


class Game:
    """A ruleset with its referee, for those who think: positions go in and come out, nothing is changed."""

    def __init__(self, ruleset, weights=None) -> None:
        self.ruleset, self.rules, self.weights = ruleset, ruleset.parameters, weights
        self.referee = import_module(f"simulator.engine.families.{ruleset.family}.referee.contract")
        self.throws = family(ruleset.family).throws

    def play(self, position, move, draws, legal=()):
        chance = (draws[CHANCE:CHOICE],) if self.throws else ()
        return self.referee.play(self.rules, position, move, *chance, legal=legal)

    def moves(self, position):
        return self.referee.moves(self.rules, position)

    def moves_that_play(self, position):
        """The moves without the one that ends the game because a player says so: none is drawn from, or looked at by
        greedy, with it."""
        return [move for move in self.moves(position) if not (self.ruleset.family == "sowing" and move == CALL_DRAW)]

    def settled(self, position) -> int | None:
        """The seat that owns more than half for good in a sowing game of one round."""
        if self.ruleset.family != "sowing" or self.rules["next_round"] != "off":
            return None
        half = self.rules["holes_per_row"] * self.rules["counters_per_hole"]
        return next((seat for seat in (0, 1) if position.stores[seat] > half), None)

    def score(self, end, winners, position, seat, turns) -> int:
        whole = 512
        if end == WIN:
            whole = 1024 if winners >> seat & 1 else 0
        elif end < 0:
            ahead = evaluate(self.ruleset, position, seat, self.weights)
            size = abs(ahead) + SCALE
            whole = 512 * (ahead + size) // size
        return 512 + (whole - 512) * (1024 - 2 * min(turns, 256)) // 1024

    def value(self, end, winners, position, seat, plies) -> int:
        if end == WIN:
            return MATE - plies if winners >> seat & 1 else plies - MATE
        return 0 if end >= 0 else evaluate(self.ruleset, position, seat, self.weights)


def shuffled(moves: list[int], draws: Draws) -> list[int]:
    order = moves[:]
    for last in range(len(order) - 1, 0, -1):
        other = draws.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def greedy(game: Game, position, draws: list[Draws]) -> int:
    """The first of the shuffled moves that begins a best turn; a turn that goes on with a throw is judged before it.

    It looks 16 plies deep and at 4,096 positions at most; what is beyond is judged as it stands.
    """
    seat, looked = game.referee.mover(position), 0

    def best_of(before, move, depth) -> int:
        nonlocal looked
        played = game.play(before, move, draws)
        looked += 1
        after = played.position
        end, winners = game.referee.outcome(after)
        is_over = end >= 0 or played.turn_over or getattr(after, "thrown", ())
        if is_over or depth == 16 or looked >= 4096:
            return game.value(end, winners, after, seat, 0)
        return max(best_of(after, move, depth + 1) for move in game.moves_that_play(after))

    order = shuffled(game.moves_that_play(position), draws[CHOICE])
    values = [best_of(position, move, 1) for move in order]
    return order[values.index(max(values))]


def minimax(game: Game, position, depth: int, plies: int = 0, quiet: int = 0) -> tuple[int, dict[int, int]]:
    """(value for the mover, value of every move) so many plies on; what takes is looked at up to `quiet` further ones.

    Beyond the depth nobody need take: the position is worth what it is as it stands, if that is more.
    """
    seat = game.referee.mover(position)
    values: dict[int, int] = {}
    for move in game.moves(position):
        played = game.play(position, move, [])
        after, takes = played.position, any(played.taken)
        end, winners = game.referee.outcome(after)
        if depth <= 0 and not takes and end < 0:
            continue
        if end >= 0 or (depth <= 1 and (depth - 1 == -quiet or not takes)):
            values[move] = game.value(end, winners, after, seat, plies + 1)
        else:
            worth, _ = minimax(game, after, depth - 1, plies + 1, quiet)
            values[move] = worth if game.referee.mover(after) == seat else -worth
    as_it_stands = [] if depth > 0 else [game.value(-1, 0, position, seat, plies)]
    return max([*values.values(), *as_it_stands]), values


def start(game: Game, seed: int, number: int = 0) -> tuple[Any, list[Draws]]:
    """(the position before the first move, the game's own draws)."""
    draws = [Draws(stream_key(seed, number, k)) for k in range(STREAMS)]
    return game.referee.start(game.rules, *((draws[CHANCE:CHOICE],) if game.throws else ())), draws
