"""How an address writes the moves of a game: short, readable, and of characters that no browser rewrites.

A move is its notation without what an address cannot carry: `c>` (anticlockwise) is `ca`, `c<` is `cc`, `+c3` is `c3`,
`c3-d4` is `c3d4`, `k4 +6` is `k4-6`. Where there is one move only it is `-`. Moves are parted by points.
"""

import difflib
import re
from collections.abc import Iterator
from itertools import takewhile

from simulator.engine.session import Session

BETWEEN, ONLY = ".", "-"
WORD = re.compile(r"[A-Za-z0-9*-]+")
LONGEST_SHOWN = 40


class WrongMove(ValueError):
    """A move of an address cannot be played.

    ply: its number, from 1; typed: as it is written; nearest: the legal move most like it as an address writes it, or
    None if the game is over by then; played: the moves before it
    """

    def __init__(self, ply: int, typed: str, nearest: str | None, played: str) -> None:
        self.ply, self.typed, self.nearest, self.played = ply, typed[:LONGEST_SHOWN], nearest, played
        super().__init__(f"ply {ply} of {typed!r}")


def written(name: str) -> str:
    """A move's notation as an address writes it; different moves of one position are written differently."""
    step = re.fullmatch(r"([a-z]\d+)-([a-z]\d+)", name)
    if step:
        return step[1] + step[2]
    name = re.sub(r"^([a-z])([<>])$", lambda start: start[1] + ("a" if start[2] == ">" else "c"), name)
    name = name.replace(" of ", "of").replace(" in all", "all").replace(" with its extra point", "x")
    name = name.replace("'", "*").replace(" by name", "n").replace(" +", "-").replace("+", "")
    return name.replace(" ", "-")


def word_for(session: Session, move: int) -> str:
    """A move of the present position as an address writes it."""
    return ONLY if len(session.options) == 1 else written(session.name_of(move))


def move_meant(session: Session, word: str) -> int | None:
    """The legal move that is so written in an address or in the family's notation, or None."""
    if len(session.options) == 1 and word == ONLY:
        return session.options[0]
    for move in session.options:
        name = session.name_of(move)
        if word in (written(name), name):
            return move
    return None


def play_on(session: Session, text: str) -> str:
    """Play the moves of an address; returns them in their one proper form. Raises WrongMove."""
    words: list[str] = []
    for ply, word in enumerate(text.split(BETWEEN) if text else [], start=1):
        move = move_meant(session, word)
        if move is None:
            raise WrongMove(ply, word, nearest_to(session, word), BETWEEN.join(words))
        words.append(word_for(session, move))
        session.play(move)
    return BETWEEN.join(words)


def nearest_to(session: Session, word: str) -> str | None:
    """The legal move most like a word, as an address writes it."""
    word = word[:LONGEST_SHOWN]
    likeness = difflib.SequenceMatcher(b=word)

    def like(known: str) -> tuple[int, float]:
        likeness.set_seq1(known)
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(known, word, strict=False))
        return sum(1 for _ in alike), likeness.ratio()

    return max(_first_words(session), key=like, default=None)


def _first_words(session: Session, most: int = 500) -> Iterator[str]:
    """As many moves as can be compared at once; only layouts are more."""
    for move in session.options[:most]:
        yield word_for(session, move)


def joined(text: str, word: str) -> str:
    """An address's moves with one more."""
    return f"{text}{BETWEEN}{word}" if text else word
