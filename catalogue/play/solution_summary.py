"""A solution in the words of a page: what best play comes to, which first moves keep it, how long a win can take."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from catalogue.play.solution_size import SolutionSize, solution_size
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.engine.writing import BETWEEN, written
from simulator.strength import solutions
from simulator.strength.perfect import PERFECT, WantingTable, promise, table_seconds, wanting_table

WINS = ("first_wins", "second_wins")
METHODS = {
    "retrograde": "Retrograde analysis",
    "search": "Proof by search",
    "sweep": "A sweep over the formations",
    "value_iteration": "Value iteration",
}


@dataclass(frozen=True, slots=True)
class Line:
    """Moves as they are written, and the page where they can be played through from the position they start in."""

    names: tuple[str, ...]
    plies: int
    turns: int
    address: str

    @property
    def length(self) -> str:
        return f"{self.plies} plies" if self.plies == self.turns else f"{self.plies} plies ({self.turns} turns)"


@dataclass(frozen=True, slots=True)
class FirstMove:
    """replies: "9 of 9", the answers that keep the value for the other player; chance: against random play."""

    name: str
    words: str
    replies: str
    chance: float | None


@dataclass(frozen=True, slots=True)
class SolutionPage:
    """What the page of a ruleset says. document: None if nobody has solved it yet; the rest is then empty.

    refused: why nobody can solve it here
    """

    document: dict[str, Any] | None
    command: str
    is_outdated: bool = False
    size: SolutionSize | None = None  # of what nobody has solved
    refused: str = ""
    against: str = ""  # where one plays against the perfect player; empty where nobody can
    wanting: WantingTable | None = None  # for want of which nobody can
    start: str = ""
    equal: str = ""
    mover: str = ""
    first_moves: tuple[FirstMove, ...] = ()
    line: Line | None = None
    counts: tuple[tuple[str, dict[str, int]], ...] = ()
    longest: tuple[tuple[str, Line, Line], ...] = ()

    @property
    def promise(self) -> str:
        """What the perfect player does."""
        return promise(self.document) if self.document else ""

    @property
    def method(self) -> str:
        return METHODS[self.document["method"]] if self.document else ""

    @property
    def is_searched(self) -> bool:
        return self.document is not None and self.document["method"] == "search"

    @property
    def is_swept(self) -> bool:
        return self.document is not None and self.document["method"] == "sweep"

    @property
    def is_chance(self) -> bool:
        """Whether throws decide, so that only chances are known."""
        return self.document is not None and self.document["method"] == "value_iteration"

    @property
    def has_chances(self) -> bool:
        return any(move.chance is not None for move in self.first_moves)

    @property
    def bounds(self) -> str:
        """The rules that were set aside: "repetition 3"."""
        return _pairs(self.document["set_aside"]) if self.document else ""

    @property
    def reduced(self) -> str:
        """The board, if it is nobody's: "holes_per_row 3, counters_per_hole 2"."""
        return _pairs(self.document["reduced"]) if self.document else ""


def _pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in values.items())


def start_in_words(ruleset: Ruleset, document: dict[str, Any]) -> str:
    """What faultless play comes to from the start: "the first player wins in 9 plies"."""
    return _Words(ruleset, ruleset.hash).value(document["start"], "nobody was found to force a win")


def solution_page(ruleset: Ruleset, name: str) -> SolutionPage:
    """The solution of a ruleset, or why there can be none, in one query. name: in addresses and in the command."""
    found = solutions.solution_of(ruleset, name)
    if found is None:
        return SolutionPage(None, "", refused=solutions.why_unsolvable(ruleset))
    if found.document is None:
        return SolutionPage(None, found.command, size=solution_size(ruleset))
    document, words = found.document, _Words(ruleset, name)
    mover = document["start"]["mover"]
    return SolutionPage(
        document=document,
        command=found.command,
        is_outdated=found.is_outdated,
        against=words.against() if table_seconds(ruleset, found) is not None else "",
        wanting=wanting_table(ruleset, name, found),
        start=words.value(document["start"], "nobody was found to force a win"),
        equal=words.equal(document["first_moves"]),
        mover=words.seat(mover),
        first_moves=tuple(words.first_move(move) for move in document["first_moves"]),
        line=words.line([], document["line"]) if document["line"]["names"] else None,
        counts=tuple((words.seat(row["mover"]), row) for row in document.get("counts", ())),
        longest=tuple(
            (words.seat(one["winner"]), words.line([], one["before"]), words.line(one["before"]["names"], one["line"]))
            for one in document.get("longest", ())
        ),
    )


class _Words:
    """How values and moves of one ruleset are written."""

    def __init__(self, ruleset: Ruleset, name: str) -> None:
        self._naming = family(ruleset.family).naming(ruleset.parameters)
        self._page = reverse("play-a-game", args=[name])
        self._seats = family(ruleset.family).seats(ruleset.parameters)

    def seat(self, seat: int) -> str:
        return self._naming.seat(seat)

    def value(self, found: dict[str, Any], otherwise: str) -> str:
        """ "the herd (second player) wins in 14 plies"."""
        value = found["value"]
        if value in WINS:
            wins = f"the {self.seat(WINS.index(value))} wins"
            plies = found.get("plies")
            return wins if plies is None else f"{wins} in {plies} plies"
        return {"draw": "a draw by the rules", "endless": "a draw by endless play"}.get(value, otherwise)

    def equal(self, moves: list[dict[str, Any]]) -> str:
        """What every first move comes to, if it is the same for all; empty if it is not."""
        found = {(move["value"], move["plies"]) for move in moves}
        if len(found) != 1 or len(moves) == 1 or moves[0]["value"] is None:
            return ""
        return self.value(moves[0], "")

    def first_move(self, move: dict[str, Any]) -> FirstMove:
        replies = move.get("replies")
        return FirstMove(
            name=move["name"],
            words=self.value(move, "no win is forced so soon"),
            replies=f"{replies['keeping']} of {replies['all']}" if replies else "",
            chance=move.get("against_random"),
        )

    def line(self, before: Iterable[str], line: dict[str, Any]) -> Line:
        names = tuple(line["names"])
        return Line(names, line["plies"], line["turns"], self._address([*before, *names]))

    def against(self) -> str:
        return f"{self._page}?players=you,{PERFECT}"

    def _address(self, names: Iterable[str]) -> str:
        moves = BETWEEN.join(written(name) for name in names)
        query = {"players": ",".join(["you"] * self._seats), "seed": "1", **({"moves": moves} if moves else {})}
        return f"{self._page}?{urlencode(query, safe=',:/*')}"
