"""How an address writes the moves of a game: short, readable, and of characters that no browser rewrites.

A move is its notation without what an address cannot carry: `c>` (anticlockwise) is `ca`, `c<` is `cc`, `+c3` is `c3`,
`c3-d4` is `c3d4`, `k4 +6` is `k4-6`. Where there is one move only it is `-`. Moves are parted by points.
"""

import difflib
import re
from itertools import takewhile

from simulator.engine.session import Session

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
    name = re.sub(r"^([a-z])([<>])$", lambda start: start[1] + ("a" if start[2] == ">" else "c"), name)
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
