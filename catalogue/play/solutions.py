"""Solutions in the words of pages: what best play comes to, which first moves keep it, how long a win can take.

Of an unsolved ruleset a page says how many arrangements its board has. Positions are more than arrangements (whose move
it is, who is a king, what is in hand), and play may come to few of them; so that number says what to expect, and proves
nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from catalogue.models.querysets import ReadingWithVersion
from catalogue.outcomes.wording import chances_in_words
from simulator.batches.versions import is_installed
from simulator.engine.boards.figures import board_of
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.engine.session import SEPARATOR, encode_notation
from simulator.engine.solving.graph import MOST_POSITIONS
from simulator.models import Solution
from simulator.rulesets import as_engine
from simulator.strength import solutions
from simulator.strength.replies import PERFECT, MissingTable, missing_table, proved_value, table_seconds

WRITTEN_OUT = 10**9  # larger numbers are powers of ten
WINS = ("first_wins", "second_wins")
METHODS = {
    "retrograde": "Retrograde analysis",
    "search": "Proof by search",
    "sweep": "A sweep over the formations",
    "value_iteration": "Value iteration",
}


@dataclass(frozen=True, slots=True)
class SolutionSize:
    """arrangements: of any number of the pieces on the points, or of all counters in holes and stores"""

    arrangements: int
    most: int = MOST_POSITIONS

    @property
    def is_small(self) -> bool:
        """Whether all of them could be looked at, with either side to move."""
        return 2 * self.arrangements <= self.most

    @property
    def mantissa(self) -> str:
        """ "12,345", or "3.4" of 3.4 times a power of ten."""
        if self.arrangements < WRITTEN_OUT:
            return f"{self.arrangements:,}"
        return f"{self.arrangements / 10**self._digits:.1f}"

    @property
    def exponent(self) -> int | None:
        return None if self.arrangements < WRITTEN_OUT else self._digits

    @property
    def _digits(self) -> int:
        return len(str(self.arrangements)) - 1


def _on_points(rules: Mapping[str, Any]) -> int:
    points, first, second = len(board_of(rules).points), rules["first_pieces"], rules["second_pieces"]
    return sum(comb(points, a) * comb(points - a, b) for a in range(first + 1) for b in range(second + 1))


def _in_holes(rules: Mapping[str, Any]) -> int:
    holes = rules["rows"] * rules["holes_per_row"]
    rooms = holes + 2  # the stores
    return comb(holes * rules["counters_per_hole"] + rooms - 1, rooms - 1)


COUNTED: Mapping[str, Callable[[Mapping[str, Any]], int]] = {"points": _on_points, "sowing": _in_holes}


def solution_size(ruleset: Ruleset) -> SolutionSize | None:
    """The size of a board; None where throws decide, since a position is then more than the pieces on the board."""
    count = COUNTED.get(ruleset.family)
    return SolutionSize(count(ruleset.parameters)) if count else None


@dataclass(frozen=True, slots=True)
class Line:
    """Moves as they are written, and the page where they can be played through from the position they start in."""

    names: tuple[str, ...]
    plies: int
    turns: int
    address: str

    @property
    def length(self) -> str:
        return f"{self.plies} moves" if self.plies == self.turns else f"{self.plies} moves ({self.turns} turns)"


@dataclass(frozen=True, slots=True)
class FirstMove:
    """replies: "9 of 9", the answers that keep the value for the other player; chance: against random play."""

    name: str
    words: str
    replies: str
    chance: float | None


@dataclass(frozen=True, slots=True)
class SolutionPage:
    """The solution on the page of a ruleset. document: None if it is not solved yet; the rest is then empty.

    refused: why it cannot be solved here
    """

    document: dict[str, Any] | None
    command: str
    is_outdated: bool = False
    size: SolutionSize | None = None  # of what nobody has solved
    refused: str = ""
    against: str = ""  # where one plays against the perfect player; empty where nobody can
    wanting: MissingTable | None = None  # for want of which nobody can
    start: str = ""
    equal: str = ""
    mover: str = ""
    first_moves: tuple[FirstMove, ...] = ()
    line: Line | None = None
    counts: tuple[tuple[str, dict[str, int]], ...] = ()
    longest: tuple[tuple[str, Line, Line], ...] = ()

    @property
    def promise(self) -> str:
        """The promise of the perfect player, in words."""
        return proved_value(self.document) if self.document else ""

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
        """The reduced board, if it is one: "holes_per_row 3, counters_per_hole 2"."""
        return _pairs(self.document["reduced"]) if self.document else ""


def _pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in values.items())


def solution_page(ruleset: Ruleset, name: str) -> SolutionPage:
    """The solution of a ruleset, or why there can be none, in one query. name: in addresses and in the command."""
    solution = solutions.solution_of(ruleset, name)
    if solution is None:
        return SolutionPage(None, "", refused=solutions.why_unsolvable(ruleset))
    if solution.document is None:
        return SolutionPage(None, solution.command, size=solution_size(ruleset))
    document, words = solution.document, _Words(ruleset, name)
    mover = document["start"]["mover"]
    return SolutionPage(
        document=document,
        command=solution.command,
        is_outdated=solution.is_outdated,
        against=words.against() if table_seconds(ruleset, solution) is not None else "",
        wanting=missing_table(ruleset, name, solution),
        start=chances_in_words(document.get("chances", ()))
        or words.value(document["start"], "nobody was found to force a win"),
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
    """Writes values and moves of a ruleset."""

    def __init__(self, ruleset: Ruleset, name: str) -> None:
        self._naming = family(ruleset.family).naming(ruleset.parameters)
        self._page = reverse("play-a-game", args=[name])
        self._seats = family(ruleset.family).seats(ruleset.parameters)

    def seat(self, seat: int) -> str:
        return self._naming.seat(seat)

    def value(self, outcome: dict[str, Any], otherwise: str) -> str:
        """ "the aligner (first player) wins in 7 moves"."""
        value = outcome["value"]
        if value in WINS:
            wins = f"the {self.seat(WINS.index(value))} wins"
            plies = outcome.get("plies")
            return wins if plies is None else f"{wins} in {plies} move{'' if plies == 1 else 's'}"
        return {"draw": "a draw by the rules", "endless": "a draw by endless play"}.get(value, otherwise)

    def equal(self, moves: list[dict[str, Any]]) -> str:
        """The value of every first move, if it is the same for all; else empty."""
        values = {(move["value"], move["plies"]) for move in moves}
        if len(values) != 1 or len(moves) == 1 or moves[0]["value"] is None:
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
        moves = SEPARATOR.join(encode_notation(name) for name in names)
        query = {"players": ",".join(["you"] * self._seats), "seed": "1", **({"moves": moves} if moves else {})}
        return f"{self._page}?{urlencode(query, safe=',:/*')}"


@dataclass(frozen=True, slots=True)
class SolvedReading:
    title: str
    words: str
    address: str


def solved_readings(readings: Iterable[ReadingWithVersion]) -> list[SolvedReading]:
    """The readings that are solved on their own board, by the rules that the engine here plays.

    One query, however many readings.
    """
    played = [(read.reading, read.version.ruleset) for read in readings if read.version]
    done = Solution.objects.filter(ruleset__in=[row.hash for _, row in played], state=Solution.State.DONE)
    families = {row.hash: row.family for _, row in played}
    current = [row for row in done if is_installed(families[row.ruleset_id], row.family_version)]
    proofs = {row.ruleset_id: row.document for row in current if row.document and not row.document["reduced"]}
    return [
        SolvedReading(
            reading.title,
            chances_in_words(proofs[row.hash].get("chances", ())) or _faultless(as_engine(row), proofs[row.hash]),
            f"{reverse('ruleset', args=[reading.slug])}#solution",
        )
        for reading, row in played
        if row.hash in proofs
    ]


def _faultless(ruleset: Ruleset, document: dict[str, Any]) -> str:
    """The value of the start: "the first player wins in 9 moves"."""
    value = _Words(ruleset, ruleset.hash).value(document["start"], "nobody was found to force a win")
    return f"if both sides play without fault: {value}"
