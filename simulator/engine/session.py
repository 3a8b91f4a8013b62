"""A game as far as it has been played, with the referee at the board and moves as codes, and its moves in addresses.

It is game 0 of its seed: its throws are those of that game, whichever players play it, so that a worker reaches the
same position from the seed and the moves alone. An address writes the moves in the family's notation without the
characters that a browser would escape, joined by full stops: `c3d4.ca.-`, where `-` is a move without an alternative.
"""

import difflib
import re
from collections.abc import Sequence
from copy import deepcopy
from itertools import takewhile
from types import ModuleType
from typing import Any

from simulator.engine.family import family
from simulator.engine.randomness import CHANCE, CHOICE, GAMMA, MASK, SEARCH, Draws, mix, stream_key
from simulator.engine.referee_playout import Ply, drawn_from
from simulator.engine.ruleset import Ruleset

GAME = 0


class Session:
    """A referee's position and the plies that led to it.

    options: codes of the legal moves, in the order of the contract; empty once the game is over
    """

    referee: ModuleType
    notation: ModuleType
    places: ModuleType
    end: int
    winners: int
    options: list[int]

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.ruleset, self.seed = ruleset, seed
        self._find_modules()
        throws = [Draws(stream_key(seed, GAME, stream)) for stream in range(CHANCE, CHOICE)]
        self._chance = (throws,) if family(ruleset.family).throws else ()
        self.plies: list[Ply] = []
        self.set_position(self.referee.start(ruleset.parameters, *self._chance))

    def _find_modules(self) -> None:
        self.referee, self.notation, self.places = (
            self.ruleset.module(part) for part in ("referee.contract", "notation", "drawing")
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave the family's modules out of what is copied and pickled."""
        return {name: value for name, value in vars(self).items() if name not in ("referee", "notation", "places")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._find_modules()

    def __copy__(self) -> "Session":
        """Return a session that goes on from here by itself. Positions and plies never change: both have the same."""
        other = object.__new__(type(self))
        own = {"plies": list(self.plies), "options": list(self.options), "_chance": deepcopy(self._chance)}
        other.__setstate__({**self.__getstate__(), **own})
        return other

    def set_position(self, position: Any) -> None:
        """Continue from this position of the referee's."""
        self.position = position
        self.end, self.winners = self.referee.outcome(position)
        self.options = self.referee.moves(self.ruleset.parameters, position) if self.end < 0 else []

    @property
    def is_over(self) -> bool:
        return self.end >= 0

    @property
    def mover(self) -> int:
        seat: int = self.referee.mover(self.position)
        return seat

    @property
    def moves(self) -> list[int]:
        """The codes of the moves that have been played."""
        return [ply.move for ply in self.plies]

    @property
    def turn(self) -> int:
        """The number of the turn that comes next or is being played, from 1."""
        return 1 + len([ply for ply in self.plies if ply.played.turn_over])

    def play(self, move: int) -> None:
        """Play a legal move; raises IllegalMove."""
        seat, options = self.mover, self.options
        played = self.referee.play(self.ruleset.parameters, self.position, move, *self._chance, legal=options)
        self.plies.append(Ply(seat, move, len(options), self.position, played))
        self.set_position(played.position)

    def name_of(self, move: int) -> str:
        """Write a move of the present position in the family's notation."""
        return str(self.notation.move_name(self.ruleset.parameters, self.position, move))

    def places_of(self, move: int) -> tuple[str, ...]:
        """Return the places of the board that a move of the present position names."""
        return tuple(self.places.move_places(self.ruleset.parameters, self.position, move))

    def draw_move(self, options: Sequence[int] | None = None) -> int:
        """Draw the move of a random player here, the same that a worker draws when it is asked for a reply.

        options: the moves to draw from in place of all legal ones, in their order, at least one
        """
        # The same stream that `open_search` opens in a worker at this ply: page and worker draw alike.
        key = mix((stream_key(self.seed, GAME, SEARCH + len(self.plies)) ^ CHOICE) + GAMMA & MASK)
        options = self.options if options is None else options
        moves = drawn_from(options, family(self.ruleset.family).consent(self.ruleset.parameters)) or options
        return moves[Draws(key).below(len(moves))]


SEPARATOR, ONLY_MOVE = ".", "-"
MOVE_WORD = re.compile(r"[A-Za-z0-9*-]+")
LONGEST_SHOWN = 40
MOST_COMPARED = 500  # legal moves; only the layouts of a whole army are more


class WrongMove(ValueError):
    """A move of an address cannot be played.

    ply: its number, from 1; typed: as it is written; nearest: the legal move most like it as an address writes it, or
    None if the game is over by then; played: the moves before it
    """

    def __init__(self, ply: int, typed: str, nearest: str | None, played: str) -> None:
        self.ply, self.typed, self.nearest, self.played = ply, typed[:LONGEST_SHOWN], nearest, played
        super().__init__(f"ply {ply} of {typed!r}")


def encode_notation(name: str) -> str:
    """Write a move's notation for an address; different moves of one position are written differently."""
    step = re.fullmatch(r"([a-z]\d+)-([a-z]\d+)", name)
    if step:
        return step[1] + step[2]
    name = re.sub(r"^([a-z]\d*)([<>])$", lambda start: start[1] + ("a" if start[2] == ">" else "c"), name)
    name = name.replace(" of ", "of").replace(" in all", "all").replace(" with its extra point", "x")
    name = name.replace("'", "*").replace(" by name", "n").replace(" +", "-").replace("+", "")
    return name.replace(" ", "-")


def encode(session: Session, move: int) -> str:
    """Write a move of the present position as an address does."""
    return ONLY_MOVE if len(session.options) == 1 else encode_notation(session.name_of(move))


def decode(session: Session, word: str) -> int | None:
    """Return the legal move that is written so in an address or in the family's notation, or None."""
    if len(session.options) == 1 and word == ONLY_MOVE:
        return session.options[0]
    for move in session.options:
        name = session.name_of(move)
        if word in (encode_notation(name), name):
            return move
    return None


def play_moves(session: Session, text: str) -> str:
    """Play the moves of an address and return them in their canonical form; raises WrongMove."""
    words: list[str] = []
    for ply, word in enumerate(text.split(SEPARATOR) if text else [], start=1):
        move = decode(session, word)
        if move is None:
            raise WrongMove(ply, word, nearest_move(session, word), SEPARATOR.join(words))
        words.append(encode(session, move))
        session.play(move)
    return SEPARATOR.join(words)


def nearest_move(session: Session, word: str) -> str | None:
    """Return the legal move most like a word, as an address writes it; None if the game is over."""
    word = word[:LONGEST_SHOWN]
    likeness = difflib.SequenceMatcher(b=word)

    def like(known: str) -> tuple[int, float]:
        likeness.set_seq1(known)
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(known, word, strict=False))
        return sum(1 for _ in alike), likeness.ratio()

    words = (encode(session, move) for move in session.options[:MOST_COMPARED])
    return max(words, key=like, default=None)


def append_move(text: str, word: str) -> str:
    """Append a move to the moves of an address."""
    return f"{text}{SEPARATOR}{word}" if text else word
