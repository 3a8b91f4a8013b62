"""A game that is played move by move, in the notation that people write down.

Beneath it is a `Session`, which knows moves by their codes. A move that cannot be played raises an error that says why:
there is no such move, several may be meant, a rule forbids it, or the game is over.
"""

from collections.abc import Collection, Iterable
from copy import copy as copied
from dataclasses import dataclass
from typing import Any

from simulator.engine import narration
from simulator.engine.arguments import MOST_SEED, ruleset_given, shown, text, texts, whole
from simulator.engine.board_sheet import insides
from simulator.engine.ends import END_NAMES
from simulator.engine.family import family, sentence
from simulator.engine.illegal_move import Refusal, interpret
from simulator.engine.naming import seats_of
from simulator.engine.replay import fired
from simulator.engine.ruleset import Ruleset, nearest
from simulator.engine.session import SEPARATOR, Session, decode, nearest_move


class MoveProblem(ValueError):
    """A move cannot be played; the message says why."""


class UnknownMove(MoveProblem):
    """The text names no move of this game; the message names the nearest legal one."""


class AmbiguousMove(MoveProblem):
    """The text may mean several legal moves. choices: these"""

    def __init__(self, message: str, choices: list[str]) -> None:
        super().__init__(message)
        self.choices = choices

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.choices)


class ForbiddenMove(MoveProblem):
    """The move is understood and not allowed.

    rules: the parameters of the ruleset that forbid it; empty where the board itself does
    """

    def __init__(self, message: str, rules: list[str]) -> None:
        super().__init__(message)
        self.rules = rules

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.rules)


class GameOver(MoveProblem):
    """A move was made after the end of the game."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    end:     "win", "draw", or "endless" for a turn that never releases the mover
    winners: the winning seats, from 0; partners win together
    """

    end: str
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that a move did, and the parameters of the ruleset that made it happen."""

    sentence: str
    rules: tuple[str, ...]


class Game:
    """A game of a ruleset, which may be given by its name, with the referee at the board.

    seed:  of the throws, where lots are thrown; the same seed gives the same throws, as in a replay of game 0
    moves: moves to be played at once, in notation, or as an address of the catalogue writes them, split at its points
           or as one text

    >>> game = engine.Game(engine.load("puhulmutu-parker"))
    >>> game.legal_moves[:4]
    ['a>', 'a<', 'b>', 'b<']
    >>> game.play("c>")[0]
    Effect(sentence='4 sown from 1c', rules=())
    >>> game.turn, game.mover, game.outcome() is None
    (2, 1, True)
    >>> print(game)
        g    f    e    d    c    b    a
        5    5    0    5    5    5    5   store 0 (second player)
        5    5    1    5    5    5    0   store 0 (first player)
        a    b    c    d    e    f    g

    ruleset: as it was given
    session: the referee's session beneath, where moves are codes

    Raises MoveProblem for a move that cannot be played, and RulesetProblem for a name that no ruleset has.
    """

    def __init__(self, ruleset: Ruleset | str, seed: int = 0, moves: Iterable[str] = ()) -> None:
        self.ruleset = ruleset_given(ruleset)
        self.session = Session(self.ruleset, whole("seed", seed, 0, MOST_SEED))
        self._moves: list[str] = []
        if isinstance(moves, str):
            moves = moves.split(SEPARATOR) if moves else ()
        for move in texts("moves", moves):
            self.play(move)

    def copy(self) -> "Game":
        """Return a game that goes on from here by itself, with the same throws to come.

        >>> game = engine.Game("kalah-reference", moves=["a>"])
        >>> other = game.copy()
        >>> effects = other.play("b>")
        >>> game.moves, other.moves
        (['a>'], ['a>', 'b>'])
        """
        other = object.__new__(type(self))
        vars(other).update({**vars(self), "session": copied(self.session), "_moves": list(self._moves)})
        return other

    __copy__ = copy

    @property
    def legal_moves(self) -> list[str]:
        """Every move that can be played now, in notation; empty once the game is over.

        >>> engine.Game(engine.load("nerenchi-keliya-dlp")).legal_moves[:3]
        ['+a1', '+d1', '+g1']
        """
        return [self.session.name_of(code) for code in self.session.options]

    @property
    def moves(self) -> list[str]:
        """The moves that have been played, in notation.

        >>> ruleset = engine.load("nerenchi-keliya-dlp")
        >>> engine.Game(ruleset, moves=["a1", "+d1"]).moves
        ['+a1', '+d1']
        """
        return list(self._moves)

    @property
    def mover(self) -> int:
        """The seat whose move it is, from 0."""
        return self.session.mover

    @property
    def turn(self) -> int:
        """The number of the turn that is being played, from 1; a turn may be several moves of one player."""
        return self.session.turn

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it goes on.

        >>> game = engine.Game(engine.load("kalah-reference"))
        >>> while game.outcome() is None:
        ...     effects = game.play(game.legal_moves[0])
        >>> game.outcome()
        Outcome(end='win', winners=(1,))
        """
        if not self.session.is_over:
            return None
        return Outcome(END_NAMES[self.session.end], tuple(seats_of(self.session.winners)))

    def play(self, move: str) -> list[Effect]:
        """Play a move and return what it did. A text that can mean one legal move only is that move.

        >>> game = engine.Game(engine.load("kotu-baendum-parker"))
        >>> game.play("c")
        Traceback (most recent call last):
        simulator.engine.games.ForbiddenMove: 'c' cannot be played: Each player's first move of the game starts from \
an end hole. [first_move_from_end]
        >>> game.play("a>")[1]
        Effect(sentence='5 sown from 1e', rules=('relay',))

        Raises UnknownMove, AmbiguousMove, ForbiddenMove, GameOver: all of them a MoveProblem, and nothing is played.
        """
        code = self._code_of(text("move", move))
        self._moves.append(self.session.name_of(code))
        self.session.play(code)
        events = narration.events(self.ruleset, self.session.plies[-1])
        return [Effect(event.sentence, tuple(fired(self.ruleset, event.keys))) for event in events]

    def svg(self, title: str = "", marked: Collection[str] = ()) -> str:
        """Draw the board; a notebook shows the drawing for the game itself. marked: names of places to point out

        >>> engine.Game(engine.load("dam-parker")).svg("Before the first move", marked=["a12"])[:4]
        '<svg'

        Raises ValueError for a place that the board does not have.
        """
        title = text("title", title) or f"The board in turn {self.turn}"
        marked = set(texts("marked", (marked,) if isinstance(marked, str) else marked))
        draw, position = family(self.ruleset.family).draw, self.session.position
        if marked:
            known = insides(draw(self.ruleset, position, title, ()))
            if unknown := sorted(marked - known.keys()):
                near = nearest(unknown[0], known)
                raise ValueError(f"marked: the board has no place {shown(unknown[0])}; the nearest is {near!r}")
        return draw(self.ruleset, position, title, marked)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        """Draw the board as text."""
        return "\n".join(narration.board(self.ruleset, self.session.position))

    def __repr__(self) -> str:
        called = self.ruleset.name or f"{self.ruleset.family} {self.ruleset.hash[:8]}"
        return f"<Game of {called}, turn {self.turn}>"

    def _code_of(self, move: str) -> int:
        """Return the code of the legal move that is meant; raises MoveProblem."""
        session = self.session
        if session.is_over:
            raise GameOver(f"{move!r} cannot be played: the game is over")
        meant = interpret(session, move)
        if meant.move is not None:
            return meant.move
        if meant.choices:
            names = [session.name_of(code) for code in meant.choices]
            raise AmbiguousMove(f"{move!r} may be {' or '.join(names)}", names)
        if meant.refusals:
            reasons = "; ".join(self._reason(refusal) for refusal in meant.refusals)
            rules = dict.fromkeys(key for refusal in meant.refusals for key in self._rules(refusal.keys))
            raise ForbiddenMove(f"{move!r} cannot be played: {reasons}", list(rules))
        near = decode(session, nearest_move(session, move) or "")
        named = f"; the nearest is {session.name_of(near)!r}" if near is not None else ""
        raise UnknownMove(f"{move!r} is no move of this game{named}")

    def _rules(self, keys: Iterable[str]) -> dict[str, str]:
        """Map each parameter to what it says in this ruleset."""
        kind = family(self.ruleset.family)
        sentences = kind.sentences(self.ruleset)
        return {key: sentences.get(key) or kind.sentence(key, self.ruleset.parameters) for key in keys}

    def _reason(self, verdict: Refusal) -> str:
        parts = [f"{verdict.what}:"] if verdict.what else []
        parts += [verdict.plainly] if verdict.plainly else []
        parts += ["Two rules together forbid it."] if verdict.together else []
        parts += [f"{words} [{key}]" for key, words in self._rules(verdict.keys).items()]
        if verdict.missing:
            key, value = verdict.missing
            words = sentence(value, family(self.ruleset.family).schema["properties"][key])
            parts.append(f"There is no rule here such as: {words} [{key}]")
        return " ".join(parts)
