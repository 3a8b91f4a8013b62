"""The names that figures use: the seats of a ruleset, the parts of its games, the totals over its seats.

A family names only what the plain words would get wrong. A hunter is no "first player" to a reader, and the first
capture is no round that one can be ahead after.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

SEAT_NAMES = ("first player", "second player", "third player", "fourth player")


def seat_name(seat: int) -> str:
    return SEAT_NAMES[seat] if seat < len(SEAT_NAMES) else f"player {seat + 1}"


def seat_title(seat: int, role: str) -> str:
    """Title a seat: "hunter (first player)", or the seat alone if its role says no more."""
    return role if role == seat_name(seat) else f"{role} ({seat_name(seat)})"


def seats_of(bits: int) -> list[int]:
    """List the seats that a set of bits holds."""
    return [seat for seat in range(bits.bit_length()) if bits >> seat & 1]


def end_in_words(winners: int) -> str:
    """Say how a game that the rules ended was won, or that it was drawn. winners: seats as bits"""
    names = [SEAT_NAMES[seat] for seat in seats_of(winners)]
    result = f"the {' and the '.join(names)} {'win' if len(names) > 1 else 'wins'}" if names else "drawn"
    return f"the game is over, {result}"


@dataclass(frozen=True, slots=True)
class EventText:
    """A sentence about one event of a game, and the parameters that fired."""

    kind: str
    sentence: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """The words for a part of the game that has measures of its own; `{}` stands for a number of games.

    title:    heads its figures
    ended:    what happened when it was over
    among:    the games the figures rest on
    winner:   before the seat that was ahead then
    equal:    when no seat was; empty if that cannot be
    left_out: games of which nothing is known, though the cap did not stop them
    others:   all games of which nothing is known
    may_fail: some rulesets never come to it, and then say nothing of it
    """

    title: str
    ended: str
    among: str
    winner: str
    equal: str
    left_out: str
    others: str
    may_fail: bool = False


def plain_part(scope: str) -> Part:
    """Return the words for a part that is known by its name, such as "first_round"."""
    name = scope.replace("_", " ")
    return Part(
        title=name.capitalize(),
        ended=f"The {name} ended",
        among=f"the games whose {name} ended",
        winner=f"Ahead after the {name}",
        equal=f"Equal after the {name}",
        left_out=f"{{}} games that turned out endless in the {name} are left out.",
        others="The {} in which it did not are left out: endless, or stopped by the cap, in which case the figure "
        "leans towards the short ones.",
    )


@dataclass(frozen=True, slots=True)
class Naming:
    """The names that a summary uses.

    seats:  title of each seat, by number; empty for the plain names
    parts:  scope -> its words, where the plain ones will not do
    totals: name of a total over the seats -> its title, where the name alone will not do
    """

    seats: tuple[str, ...] = ()
    parts: Mapping[str, Part] = field(default_factory=dict)
    totals: Mapping[str, str] = field(default_factory=dict)

    def seat(self, seat: int) -> str:
        return self.seats[seat] if seat < len(self.seats) else seat_name(seat)

    def part(self, scope: str) -> Part:
        return self.parts.get(scope) or plain_part(scope)

    def total(self, name: str) -> str:
        return self.totals.get(name) or f"{name.replace('_', ' ').capitalize()}, all seats"


PLAIN = Naming()
