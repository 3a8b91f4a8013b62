"""How games ended, as bars on one scale of 0 to 100 per cent. Pure Python.

A bar is made from the summary of a batch. Sides that win together (partners) are one segment, games that several sides
won are another, and what is not over stays open: it is never left out, and never counted as a draw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalogue.texts.formatting import plain

SHARED, DRAW, OPEN = "shared", "draw", "open"
ANY_SIDE = "won by a side"  # which of them is not told apart
MOST = 0.5  # above this share it is "most games"
Summary = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Segment:
    """A share of all games. kind: "won-0" …, "shared", "draw", "open"; start and share from 0 to 1; text: in words."""

    kind: str
    title: str
    start: float
    share: float
    text: str

    @property
    def x(self) -> str:
        return f"{100 * self.start:.2f}"

    @property
    def width(self) -> str:
        return f"{100 * self.share:.2f}"


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How the games of one batch ended, in the order of the segments, and how long they were.

    unfinished: the share that the cap stopped, which is a part of what is not over
    of_rounds:  whether they are first rounds, and not whole games
    """

    segments: tuple[Segment, ...]
    length: str
    length_text: str
    games: int
    unfinished: float = 0.0
    of_rounds: bool = False

    @property
    def counted(self) -> str:
        """What its shares are of."""
        return "first rounds" if self.of_rounds else "games"

    @property
    def words(self) -> str:
        """For whoever does not see the bar."""
        return "; ".join(f"{segment.title}: {segment.text or '0 %'}" for segment in self.segments)

    def text_of(self, kind: str) -> str:
        return next((segment.text for segment in self.segments if segment.kind == kind), "")


def outcomes_of(summary: Summary, sides: Sequence[int], names: Mapping[int, str]) -> Outcomes:
    """The bar of a batch.

    sides: the side that each seat plays for, which is the number of its first seat; names: what each side is called
    """
    rows = {row["key"]: row for section in summary["sections"] for row in section["rows"]}
    games, counts = summary["games"], summary["counts"]
    won = {side: counts["won_by_seat"][sides.index(side)] for side in dict.fromkeys(sides)}
    both = max(0, sum(won.values()) - counts["win"])
    parts: list[tuple[str, str, int, str]] = []
    for side, count in won.items():
        alone = count - both if both and len(won) == 2 else count
        text = rows[f"won_{sides.index(side)}"]["text"]
        parts.append((f"won-{side}", f"won by the {names[side]}", alone, text))
    if both:
        parts.append((SHARED, "won by several", both, plain(both / games, "share")))
        if len(won) > 2:  # which of them is not told apart by the summary: one segment for all
            parts = [("won-0", ANY_SIDE, counts["win"], plain(counts["win"] / games, "share"))]
    parts.append((DRAW, "drawn", counts["draw"], rows["draw"]["text"]))
    not_over = counts["endless"] + counts["unfinished"]
    texts = [f"{rows[key]['text']} {key}" for key in ("endless", "unfinished") if counts[key]]
    parts.append((OPEN, "not over", not_over, " and ".join(texts) or plain(0.0, "share")))
    return Outcomes(tuple(_placed(parts, games)), *_length(rows, summary), games, counts["unfinished"] / games)


def first_rounds_of(summary: Summary, sides: Sequence[int], names: Mapping[int, str]) -> Outcomes | None:
    """How the first rounds of whole games ended, arguments as above; None where the games have none.

    What holds of first rounds cannot be held against whole games. A first round that is not over is taken for one that
    the cap stopped.
    """
    rows = {row["key"]: row for section in summary["sections"] for row in section["rows"]}
    if "first_round_ended" not in rows:
        return None
    games, ended = summary["games"], rows["first_round_ended"]["count"]
    kinds = [(f"won-{side}", f"won by the {names[side]}", f"first_round_won_{side}") for side in dict.fromkeys(sides)]
    ways = [*kinds, (DRAW, "drawn", "first_round_equal")]
    parts = [(kind, title, rows[key]["count"] if key in rows else 0, "") for kind, title, key in ways]
    parts.append((OPEN, "not over", games - ended, ""))
    return Outcomes(tuple(_placed(parts, games)), "", "", games, 1 - ended / games, of_rounds=True)


def _placed(parts: Sequence[tuple[str, str, int, str]], games: int) -> list[Segment]:
    segments, start = [], 0.0
    for kind, title, count, text in parts:
        segments.append(Segment(kind, title, start, count / games, text))
        start += count / games
    return segments


def _length(rows: Mapping[str, Mapping[str, Any]], summary: Summary) -> tuple[str, str]:
    """("632 turns", the same with its interval): the median; or that more than half were not over at the cap, or have
    no end, of which the median says only when that was seen."""
    median = rows.get("turns_q50")
    if median is None:
        return "", ""
    if summary["counts"]["endless"] > MOST * summary["games"]:
        return "no end", f"no end, seen after {median['text']}"
    if median["value"] is None:
        return f"> {summary['cap']:,} turns", str(median["text"])
    return f"{median['value']:,.0f} turns", str(median["text"])


def certain(kind: str, title: str) -> Outcomes:
    """What faultless play comes to: one segment, and no interval."""
    return Outcomes((Segment(kind, title, 0.0, 1.0, "proved"),), "", "", 0)
