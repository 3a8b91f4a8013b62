"""Monte Carlo tree search in plain Python over the referees, written from the words in `players/kernel`, not the code.

Dictionaries instead of arrays, recursion instead of stacks; what is proved is worked out anew from the leaves whenever
it is asked for.
"""

from dataclasses import dataclass, field
from math import sqrt

from simulator.engine.ends import DRAW, WIN
from simulator.engine.players.names import player
from simulator.engine.randomness import CHANCE, CHOICE, Draws
from tests.engine.players.plain_players import Game, shuffled


@dataclass
class Node:
    """A move and who made it; its children by move and seat, in the order in which they are to be tried."""

    move: int = -1
    seat: int = -1
    visits: int = 0
    score: int = 0
    seen: int = 1
    over: tuple[int, int] | None = None  # the end that its move leads to, and who wins
    children: dict[tuple[int, int], "Node"] = field(default_factory=dict)
    untried: list[int] | None = None  # without throws, once it was gone on from: the next is drawn among them


def proved(node: Node) -> float:
    """For whoever moved there: 1 won, 0.5 drawn, 0 lost, all the nearer 0.5 the later; -1 if it is not known."""
    if node.over:
        end, winners = node.over
        return 0.5 if end != WIN else 1.0 if winners >> node.seat & 1 else 0.0
    if node.untried is None:
        return -1
    known = [proved(child) for child in node.children.values()] + [-1.0] * len(node.untried)
    won = [worth for worth in known if worth > 0.5]
    if not won and -1 in known:
        return -1
    worth, mover = max(won or known), next(iter(node.children.values())).seat
    later = worth + (0.5 - worth) / 4096
    return later if mover == node.seat else 1 - later


class Search:
    """One search of a player by name; `choose` gives its move."""

    def __init__(self, game: Game, name: str, draws: list[Draws]) -> None:
        self.game, self.draws, self.player = game, draws, player(name)
        self.exploration = self.player.exploration / 100.0

    def choose(self, position) -> int:
        root = Node(seat=self.game.referee.mover(position))
        for _ in range(self.player.budget):
            found = self._play(position, root)
            if found is not None:
                return found
            if not self.game.throws and proved(root) >= 0:
                break
        children = list(root.children.values())
        if self.game.throws:
            return max(children, key=lambda child: child.visits).move
        if proved(root) >= 0:
            return max(children, key=proved).move
        hopeful = [child for child in children if not self._lost(child)]
        return max(hopeful, key=lambda child: child.visits).move if hopeful else self._draw(position, root)

    def _lost(self, child: Node) -> bool:
        return 0 <= proved(child) < 0.5

    def _play(self, position, root: Node) -> int | None:
        """One game played on; the first move of a win that no throw and nobody else stands before, if it is one."""
        here, node, path, turns, certain = position, root, [], 0, True
        end, winners = self.game.referee.outcome(here)
        while end < 0:
            self.here, self.turns = here, turns
            node, is_new = self._pick(here, node)
            path.append(node)
            known = -1 if self.game.throws else proved(node)
            if known >= 0:
                end, winners = (DRAW, 0) if known == 0.5 else (WIN, 1 << (node.seat if known > 0.5 else 1 - node.seat))
                break
            drawn = self._drawn()
            played = self.game.play(here, node.move, self.draws)
            here, turns = played.position, turns + played.turn_over
            certain &= node.seat == root.seat and self._drawn() == drawn
            end, winners = self.game.referee.outcome(here)
            if end >= 0 and not self.game.throws:
                node.over = end, winners
            if is_new:
                break
        if self.game.throws and end >= 0 and certain and winners >> root.seat & 1:
            return path[0].move
        if end < 0:
            end, winners, here, turns = self._play_on(here, turns)
        root.visits += 1
        for node in path:
            worth = self.game.score(end, winners, here, node.seat, turns)
            node.visits, node.score = node.visits + 1, node.score + worth
        return None

    def _drawn(self) -> int:
        return sum(stream.drawn for stream in self.draws[CHANCE:CHOICE])

    def _play_on(self, here, turns):
        last = turns + self.player.horizon
        end, winners = self.game.referee.outcome(here)
        while end < 0 and turns < last:
            if (seat := self.game.settled(here)) is not None:
                return WIN, 1 << seat, here, turns
            options = self.game.moves_that_play(here)
            played = self.game.play(here, options[self.draws[CHOICE].below(len(options))], self.draws, options)
            here, turns = played.position, turns + played.turn_over
            end, winners = self.game.referee.outcome(here)
        return end, winners, here, turns

    def _pick(self, here, node: Node) -> tuple[Node, bool]:
        """Moves are first tried in an order drawn by lot, one by one; where they are looked at beforehand, that is
        drawn before. Where throws decide which there are, those untried are drawn whenever there are any. A consent is
        tried last."""
        seat, options, prior = self.game.referee.mover(here), self.game.moves(here), self.player.prior
        if not self.game.throws and node.untried is None:
            node.untried = list(options)
            if prior:
                self._add(node, with_consent_last(self.game, here, self.draws[CHOICE]), seat)
                node.untried = []
        if node.untried:
            return self._add(node, [self._draw(here, node)], seat)[0], True
        known = [child for (move, who), child in node.children.items() if who == seat and move in options]
        if self.game.throws:
            for child in known:
                child.seen += 1
            untried = [move for move in options if (move, seat) not in node.children]
            if untried and not prior:
                number = self.draws[CHOICE].below(len(untried))
                return self._add(node, [untried[number]], seat)[0], True
            if untried:
                order = with_consent_last(self.game, here, self.draws[CHOICE])
                known += self._add(node, [move for move in order if move in untried], seat)
        if won := [child for child in known if not self.game.throws and proved(child) > 0.5]:
            return won[0], False
        open_ = [child for child in known if self.game.throws or not self._lost(child)] or known[:1]
        best = max(open_, key=lambda child: self._worth(child, node))  # the first of equals
        return best, best.visits == prior

    def _draw(self, here, node: Node) -> int:
        """One of the moves not yet tried, whose place the first of them takes."""
        untried = node.untried
        number = self.draws[CHOICE].below(len(set(untried) & set(self.game.moves_that_play(here))))
        untried[0], untried[number] = untried[number], untried[0]
        return untried.pop(0)

    def _add(self, node: Node, moves: list[int], seat: int) -> list[Node]:
        added = [Node(move, seat) for move in moves]
        for child in added:
            node.children[child.move, seat] = child
            if self.player.prior:
                self._foresee(child)
        return added

    def _foresee(self, child: Node) -> None:
        played, prior = self.game.play(self.here, child.move, self.draws), self.player.prior
        end, winners = self.game.referee.outcome(played.position)
        turns = self.turns + played.turn_over
        child.visits = prior
        child.score = prior * self.game.score(end, winners, played.position, child.seat, turns)
        if end >= 0 and not self.game.throws:
            child.over = end, winners

    def _worth(self, child: Node, parent: Node) -> float:
        looks = child.seen if self.game.throws else parent.visits
        return child.score / (child.visits * 1024) + self.exploration * sqrt(looks) * (1 / (1 + child.visits))


def with_consent_last(game: Game, here, draws: Draws) -> list[int]:
    drawn = shuffled(game.moves_that_play(here), draws)
    return drawn + [move for move in game.moves(here) if move not in drawn]
