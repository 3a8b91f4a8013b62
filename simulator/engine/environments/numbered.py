"""A game in whole numbers: what any interface of game research asks of one.

A move is an action from 0 up to the number of actions, the same in every position and every release: it is worked out
from the code of the move, which never changes its meaning. Where lots are thrown, a game waits for each single throw,
which has its chance and is decided from without.
"""

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

from simulator.engine import narration
from simulator.engine.arguments import ruleset_given, whole
from simulator.engine.documents import parse
from simulator.engine.ends import DRAW, END_NAMES, UNFINISHED
from simulator.engine.family import family
from simulator.engine.naming import seats_of
from simulator.engine.randomness import Draws
from simulator.engine.ruleset import Ruleset

MOST_PLIES = 2_000  # unless the caller says otherwise
CHANCE = -1  # who is to play where a throw is due


class Table:
    """A ruleset with its actions and throws numbered, which many games share.

    most_plies: a game is stopped after so many moves of its players, and nobody has won

    >>> from simulator.engine.environments.numbered import Table
    >>> table = Table("kalah-reference")
    >>> table.actions, table.seats, table.throws, len(table.start().observed())
    (20, 2, (), 38)
    """

    def __init__(self, ruleset: Ruleset | str, most_plies: int = MOST_PLIES) -> None:
        self.ruleset = ruleset_given(ruleset)
        self.most_plies = whole("most_plies", most_plies, 1, 2**31 - 1)
        self._find_modules()

    def _find_modules(self) -> None:
        ruleset = self.ruleset
        self.rules = ruleset.parameters
        self.referee, self.notation, self.numbers = (
            ruleset.module(part) for part in ("referee.contract", "notation", "numbers")
        )
        self.seats = family(ruleset.family).seats(self.rules)
        self._blocks = self.numbers.move_blocks(self.rules)
        self.actions = sum(rows * width for _, _, rows, width in self._blocks)

    def __reduce__(self) -> Any:
        return type(self), (self.ruleset, self.most_plies)

    def __deepcopy__(self, memo: Any) -> "Table":
        return self  # it never changes

    @cached_property
    def _casts(self) -> tuple[Any, ...]:
        """What one cast of the lots can bring; none where none are thrown."""
        return self.numbers.casts(self.rules) if family(self.ruleset.family).throws else ()

    @cached_property
    def _numbers_of_casts(self) -> dict[Any, int]:
        return {cast.kind: number for number, cast in enumerate(self._casts)}

    @cached_property
    def throws(self) -> tuple[Fraction, ...]:
        """The chance of every throw, by its number; empty where no lots are thrown."""
        return tuple(cast.chance for cast in self._casts)

    def thrown_by(self, draws: Draws) -> int:
        """Return the number of the throw that a stream of draws brings next, which it draws as the referee does."""
        return self._numbers_of_casts[self.numbers.kind_of_cast(self.rules, draws)]

    def throw_name(self, throw: int) -> str:
        """Say what lies there after that throw."""
        return str(self.numbers.cast_in_words(self.rules, self._casts[throw]))

    def action_of(self, code: int) -> int:
        """Return the action of a move by its code; raises ValueError for a code that no move of the ruleset has."""
        before = 0
        for first, stride, rows, width in self._blocks:
            row, place = divmod(code - first, stride if rows > 1 else max(stride, width))
            if 0 <= row < rows and place < width:
                return int(before + row * width + place)
            before += rows * width
        raise ValueError(f"{code} is the code of no move of {self.ruleset!r}")

    def code_of(self, action: int) -> int:
        """Return the code of the move that is an action; raises ValueError for a number that is none."""
        left = action
        for first, stride, rows, width in self._blocks:
            if 0 <= left < rows * width:
                row, place = divmod(left, width)
                return int(first + row * stride + place)
            left -= rows * width
        raise ValueError(f"action must be a whole number from 0 to {self.actions - 1}, not {action}")

    @cached_property
    def _start(self) -> "Play":
        return Play(self)

    def start(self) -> "Play":
        """Return a game before its first move, or its first throw."""
        return self._start.copy()

    def read(self, saved: str) -> "Play":
        """Return the game that `Play.saved` wrote; raises ValueError if it is one of another ruleset."""
        content = json.loads(saved)
        if parse(content["document"]) != self.ruleset:
            raise ValueError(f"the game is one of another ruleset than {self.ruleset!r}")
        return self.start().play_all(content["history"])


class _Decided:
    """Draws of a seat whose numbers are decided, one after the other for all seats; where there are no more, the game
    waits."""

    def __init__(self, seat: int, numbers: Iterator[int]) -> None:
        self.seat, self.numbers = seat, numbers

    def below(self, bound: int) -> int:
        number = next(self.numbers, None)
        if number is None:
            raise _ThrowDue(self.seat)
        return number


class _ThrowDue(Exception):
    """The referee throws, and nobody has decided what. seat: who throws"""

    def __init__(self, seat: int) -> None:
        self.seat = seat


class Play:
    """One game as far as it has been played: a player is to move, a throw is due, or it is over.

    position: the referee's; while a throw is due, the one before the move that it follows
    history:  actions and throws, one after the other
    thrower:  the seat whose throw is due, or None
    legal:    the actions of who is to move, or the numbers of all throws, ascending; empty where the game is over

    >>> play = Table("pancha-keliya-dlp").start()
    >>> play.to_play, [str(chance) for chance in play.table.throws][:3], play.name_of(0)
    (-1, ['1/64', '3/32', '15/64'], '0 mouths up')
    """

    def __init__(self, table: Table) -> None:
        self.table, self.history = table, []  # type: Table, list[int]
        self.plies = 0
        self._move: int | None = None  # which is played once its throws are decided; None before the game
        self._drawn: tuple[int, ...] = ()
        self.thrower: int | None = None
        self.legal: tuple[int, ...] = ()
        has_throws = bool(table.throws)
        self.position: Any = table.numbers.before_throw(table.rules) if has_throws else None
        self._settle()

    def copy(self) -> "Play":
        """Return a game that goes on from here by itself. Positions never change: both have the same."""
        other = object.__new__(type(self))
        vars(other).update({**vars(self), "history": list(self.history)})
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Play":
        return self.copy()

    @property
    def is_over(self) -> bool:
        return bool(self.position.end >= 0) or self.plies >= self.table.most_plies

    @property
    def to_play(self) -> int | None:
        """The seat whose move it is, CHANCE where a throw is due, None where the game is over."""
        if self.is_over:
            return None
        return CHANCE if self.thrower is not None else int(self.table.referee.mover(self.position))

    def play(self, number: int) -> "Play":
        """Play an action, or where a throw is due, decide it by its number; raises ValueError for one that is not
        among `legal`."""
        if number not in self.legal:
            raise ValueError(f"{number} is not among the legal numbers {self.legal}")
        if self.thrower is not None:
            self._drawn += self.table._casts[number].drawn
        else:
            self._move, self._drawn = self.table.code_of(number), ()
            self.plies += 1
        self.history.append(number)
        self._settle()
        return self

    def play_all(self, numbers: Iterable[int]) -> "Play":
        for number in numbers:
            self.play(number)
        return self

    def _settle(self) -> None:
        """Let the referee play what is decided; if it wants another throw, that one is due."""
        table, drawn = self.table, iter(self._drawn)
        chance = ([_Decided(seat, drawn) for seat in range(table.seats)],) if table.throws else ()
        try:
            if self._move is None:
                self.position = table.referee.start(table.rules, *chance)
            else:
                self.position = table.referee.play(table.rules, self.position, self._move, *chance).position
        except _ThrowDue as due:
            self.thrower = due.seat
            self.legal = () if self.is_over else tuple(range(len(table.throws)))
            return
        self.thrower, self._drawn = None, ()
        codes = () if self.is_over else table.referee.moves(table.rules, self.position)
        self.legal = tuple(sorted(map(table.action_of, codes)))

    def name_of(self, number: int) -> str:
        """Write a legal move in the family's notation, or say what a throw shows."""
        if self.thrower is not None:
            return self.table.throw_name(number)
        return str(self.table.notation.move_name(self.table.rules, self.position, self.table.code_of(number)))

    def observed(self) -> list[int]:
        """Return what everybody sees, as so many numbers in each position of a ruleset: two positions that differ by
        the rules differ in one of them. What bounds on repetition remember is not among them."""
        return list(self.table.numbers.observed(self.table.rules, self.position))

    def board(self) -> str:
        """Draw the board as text."""
        return "\n".join(narration.board(self.table.ruleset, self.position))

    def told(self) -> str:
        """Draw the board, and say whose move it is, what is due, or how the game ended."""
        seat = self.to_play
        last = f"ended: {self.end}" if seat is None else "to move: " + narration.seat(self.table.ruleset, seat)
        if seat == CHANCE:
            last = "to throw: " + narration.seat(self.table.ruleset, self.thrower or 0)
        return f"{self.board()}\n{last}"

    def svg(self) -> str:
        """Draw the board."""
        ruleset = self.table.ruleset
        return family(ruleset.family).draw(ruleset, self.position, f"The board after {self.plies} moves", ())

    @property
    def end(self) -> str:
        """How the game ended: "win", "draw", "endless" or "unfinished"; empty while it goes on."""
        if not self.is_over:
            return ""
        return END_NAMES[self.position.end if self.position.end >= 0 else UNFINISHED]

    def returns(self) -> list[float]:
        """Return what each seat has got: 1 for who has won, what the others have lost between them, 0 for all while
        the game goes on and where nobody has won."""
        winners = seats_of(self.position.winners) if self.is_over and self.position.end >= 0 else []
        seats = self.table.seats
        if not winners or len(winners) == seats or self.position.end == DRAW:
            return [0.0] * seats
        lost = -len(winners) / (seats - len(winners))
        return [1.0 if seat in winners else lost for seat in range(seats)]

    def saved(self) -> str:
        """Return the game as text, which `Table.read` reads."""
        return json.dumps({"document": self.table.ruleset.document, "history": self.history})
