"""How games ended, as bars on one scale of 0 to 100 per cent, and drawings of bars and lengths. Pure Python.

A bar is made from the summary of a batch. Sides that win together (partners) are one segment, games that several sides
won are another, and what is endless or unfinished stays open: it is never left out, and never counted as a draw. In a
drawing it is hatched, and says on the bar which of the two it is; the colours differ in lightness too, so that they can
be read in grey.

A first round is no game: one that ends equal is "ended equal" and not drawn, and a side does not win it but owns more
after it. What no rule can bring about "cannot happen", and has no interval.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from catalogue.texts.formatting import capitalised, in_percent, plain
from catalogue.texts.widths import width_of, wrapped
from simulator.engine import ends
from simulator.statistics.intervals import wilson

SHARED, DRAW, OPEN = "shared", "draw", "open"
WON_BY, OWNED_MORE = "won by ", " owned more"  # round the name of a side: of games, of first rounds
ANY_SIDE = f"{WON_BY}a side"  # which of them is not told apart
DRAWN, ENDED_EQUAL, NOT_OVER = "drawn", "ended equal", "endless or unfinished"
ENDLESS, UNFINISHED = "endless", "unfinished"
CANNOT = "cannot happen"
GAMES, ROUNDS = "games", "first rounds"
LEGIBLE = {ENDLESS: 0.34, UNFINISHED: 0.42, NOT_OVER: 0.55}  # of a bar: what the words need on the narrowest
MOST = 0.5  # above this share it is "most games"
Summary = Mapping[str, Any]
WIDTH, LEFT, RIGHT, BAR, STEP, LINE = 720, 170, 110, 20, 44, 22
MARGIN = 12
ROOM = WIDTH - 2 * MARGIN
FILLS = {
    "won-0": "#23201b", "won-1": "#8b8375", "won-2": "#4f6f8f", "won-3": "#b08f6a", "shared": "#5d564a",
    "draw": "#dccb92",
}  # fmt: skip
STYLE = (
    "text { font-family: sans-serif; font-size: 12px; fill: #23201b } .title { font: 600 17px serif } "
    ".about { font-weight: 600 } "
    ".soft { fill: #5d564a } "
    "@media (prefers-color-scheme: dark) { svg { background: #211e1a } text { fill: #ebe5d9 } .soft { fill: #b3a997 } "
    ".won-0 { fill: #ebe5d9 } .draw { fill: #7d6c33 } }"
)
HATCH = (
    '<pattern id="open" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="7" height="7" fill="#f2eee4"/><rect width="2.5" height="7" fill="#cfc6b6"/></pattern>'
)
FIELD_WIDTH, FIELD_HEIGHT = 100, 40  # of the field the lines are drawn in
LEFT_OVER = 0.01  # of all games: beyond the turn where all lines are below it nothing is to be seen
Curve = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Segment:
    """A share of all games. kind: "won-0" …, "shared", "draw", "open"; start and share from 0 to 1; text: in words.

    possible: whether the rules can bring it about
    of_ended: the share of the games that the cap did not stop, in words, where it stopped some; empty of these
    """

    kind: str
    title: str
    start: float
    share: float
    text: str
    possible: bool = True
    of_ended: str = ""

    @property
    def whole_text(self) -> str:
        """The share of all games, and of those that ended where the cap stopped some."""
        return f"{self.text}; of those that ended {self.of_ended}" if self.of_ended else self.text

    @property
    def side(self) -> str:
        """Who won, or owned more: "the first player"; the whole title of what is no side's."""
        return self.title.removeprefix(WON_BY).removesuffix(OWNED_MORE)

    @property
    def of_round(self) -> bool:
        """Whether it is a side that owned more after a first round."""
        return self.title.endswith(OWNED_MORE)

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
        """The noun for what is counted."""
        return ROUNDS if self.of_rounds else GAMES

    @property
    def words(self) -> str:
        """The bar in words, for readers who do not see it."""
        said = "; ".join(f"{segment.title}: {segment.whole_text or '0 %'}" for segment in self.segments)
        return f"{ROUNDS}: {said}" if self.of_rounds else said

    @property
    def says_open(self) -> str:
        """What is written on the hatched end of the bar; empty where it has no room for words."""
        return self.open_title if self.open >= LEGIBLE[self.open_title] else ""

    @property
    def open(self) -> float:
        """The share of what no rule has ended: endless and unfinished together."""
        return sum(segment.share for segment in self.segments if segment.kind == OPEN)

    @property
    def open_title(self) -> str:
        """Which of the two it is: "endless", "unfinished", or both; "endless or unfinished" too where it is neither."""
        endless = round((self.open - self.unfinished) * self.games)
        if not self.open or (endless and self.unfinished):
            return NOT_OVER
        return ENDLESS if endless else UNFINISHED

    def text_of(self, kind: str) -> str:
        return next((segment.whole_text for segment in self.segments if segment.kind == kind), "")

    def count(self, segment: Segment) -> int:
        """How many games a segment stands for."""
        return round(segment.share * self.games)


def outcomes_of(
    summary: Summary,
    sides: Sequence[int],
    names: Mapping[int, str],
    possible: Collection[int] = (ends.DRAW, ends.ENDLESS),
    *,
    of_rounds: bool = False,
) -> Outcomes:
    """The bar of a batch.

    sides: the side that each seat plays for, which is the number of its first seat; names: what each side is called
    possible: the ends that the rules allow besides a win and the cap; of_rounds: whether only first rounds were played
    Of a summary without sections no text is known.
    """
    rows = _rows(summary)
    games, counts = summary["games"], summary["counts"]
    won = {side: counts["won_by_seat"][sides.index(side)] for side in dict.fromkeys(sides)}
    both = max(0, sum(won.values()) - counts["win"])
    parts: list[_Part] = []
    for side, count in won.items():
        alone = count - both if both and len(won) == 2 else count
        text = rows[f"won_{sides.index(side)}"]["text"] if rows else ""
        parts.append(_Part(f"won-{side}", side_title(names[side], of_rounds), alone, text))
    if both:
        parts.append(_Part(SHARED, "won by several", both, plain(both / games, "share")))
        if len(won) > 2:  # which of them is not told apart by the summary: one segment for all
            parts = [_Part("won-0", ANY_SIDE, counts["win"], plain(counts["win"] / games, "share"))]
    can_be_equal = ends.DRAW in possible or of_rounds or counts["draw"] > 0
    equal = CANNOT if not can_be_equal else rows["draw"]["text"] if rows else ""
    parts.append(_Part(DRAW, ENDED_EQUAL if of_rounds else DRAWN, counts["draw"], equal, can_be_equal))
    not_over = counts["endless"] + counts["unfinished"]
    texts = [f"{rows[key]['text']} {key}" for key in (ENDLESS, UNFINISHED) if counts[key] and rows]
    parts.append(_Part(OPEN, NOT_OVER, not_over, " and ".join(texts) or plain(0.0, "share")))
    placed = tuple(_placed(parts, games, games - counts["unfinished"]))
    return Outcomes(placed, *_length(rows, summary), games, counts["unfinished"] / games, of_rounds)


def _rows(summary: Summary) -> dict[str, Mapping[str, Any]]:
    return {row["key"]: row for section in summary.get("sections", ()) for row in section["rows"]}


def side_title(name: str, of_rounds: bool) -> str:
    """What a side that won a game is called, or one that owned more after the first round."""
    return f"the {name}{OWNED_MORE}" if of_rounds else f"{WON_BY}the {name}"


def first_rounds_of(summary: Summary, sides: Sequence[int], names: Mapping[int, str]) -> Outcomes | None:
    """Return how the first rounds of whole games ended, with arguments as above; None where the games have no rounds.

    First rounds are never compared with whole games. A first round that is not over is taken for one that the cap
    stopped.
    """
    rows = _rows(summary)
    if "first_round_ended" not in rows:
        return None
    games, ended = summary["games"], rows["first_round_ended"]["count"]
    titles = {side: side_title(names[side], of_rounds=True) for side in dict.fromkeys(sides)}
    kinds = [(f"won-{side}", title, f"first_round_won_{side}") for side, title in titles.items()]
    ways = [*kinds, (DRAW, ENDED_EQUAL, "first_round_equal")]
    parts = [_Part(kind, title, rows[key]["count"] if key in rows else 0, "") for kind, title, key in ways]
    parts.append(_Part(OPEN, NOT_OVER, games - ended, ""))
    return Outcomes(tuple(_placed(parts, games, 0)), "", "", games, 1 - ended / games, of_rounds=True)


class _Part(NamedTuple):
    kind: str
    title: str
    number: int
    text: str
    possible: bool = True


def _placed(parts: Sequence[_Part], games: int, ended: int) -> list[Segment]:
    """The segments one after the other. ended: how many games the cap did not stop; 0 where it is not to be told."""
    segments, start = [], 0.0
    for kind, title, count, text, possible in parts:
        tells = 0 < ended < games and possible and kind != OPEN
        of_ended = in_percent(wilson(count / ended, ended)) if tells else ""
        segments.append(Segment(kind, title, start, count / games, text, possible, of_ended))
        start += count / games
    return segments


def _length(rows: Mapping[str, Mapping[str, Any]], summary: Summary) -> tuple[str, str]:
    """The median length ("632 turns"), and the same with its interval.

    Where more than half of the games have no end, or were not over at the cap, it says so: the median would only say
    when that was seen.
    """
    median = rows.get("turns_q50")
    if median is None:
        return "", ""
    if summary["counts"]["endless"] > MOST * summary["games"]:
        return "no end", f"no end, seen after {median['text']}"
    if median["value"] is None:
        return f"> {summary['cap']:,} turns", str(median["text"])
    return f"{median['value']:,.0f} turns", str(median["text"])


def certain(kind: str, title: str) -> Outcomes:
    """The bar of faultless play: one segment, without an interval."""
    return Outcomes((Segment(kind, title, 0.0, 1.0, "proved"),), "", "", 0)


def outcome_drawing(
    title: str, level: str, bars: Sequence[tuple[str, Outcomes | None]], foot: str, about: str = "", credit: str = ""
) -> str:
    """SVG of some bars. Every line breaks where it has no more room: nothing is cut.

    level: unit and level of play; foot: n, seed, cap; about: what the figure is of; credit: whose it is, and where
    """
    y = 14.0
    shapes: list[str] = []
    for words, style, size, step in ((about, "about", 12, 18), (title, "title", 17, LINE), (level, "soft", 12, 18)):
        for line in wrapped(words, ROOM, size, bold=style != "soft") if words else ():
            y += step
            shapes.append(_text(MARGIN, y - 4, line, style))
    y += 18
    for name, outcomes in bars:
        lines, y = _bar(name, outcomes, y)
        shapes += lines
    shapes += [_text(LEFT + k * (WIDTH - LEFT - RIGHT) / 4, y + 2, f"{25 * k}", "soft", "middle") for k in range(5)]
    keys, y = _key([outcomes for _, outcomes in bars if outcomes], y + 28)
    shapes += keys
    y += 36
    for words in (foot, credit):
        for line in wrapped(words, ROOM, 12) if words else ():
            shapes.append(_text(MARGIN, y, line, "soft"))
            y += 17
    said = "; ".join(f"{name}: {outcomes.words}" for name, outcomes in bars if outcomes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:g}" width="{WIDTH}" role="img">'
        f"<title>{escape(f'{about}: {title}' if about else title)}</title><desc>{escape(f'{level}. {said}')}</desc>"
        f"<style>{STYLE}</style><defs>{HATCH}</defs>{''.join(shapes)}</svg>"
    )


def _bar(name: str, outcomes: Outcomes | None, y: float) -> tuple[list[str], float]:
    """A bar with its name beside it; and where the next one begins."""
    wide = WIDTH - LEFT - RIGHT
    lines = wrapped(name, LEFT - MARGIN - 10, 12)
    shapes = [_text(MARGIN, y + 15 + 15 * place, words) for place, words in enumerate(lines)]
    shapes.append(f'<rect x="{LEFT}" y="{y:g}" width="{wide}" height="{BAR}" fill="url(#open)"/>')
    for segment in outcomes.segments if outcomes else ():
        if segment.kind != OPEN:
            shapes.append(_rect(segment, LEFT + wide * segment.start, y, wide * segment.share))
    if outcomes and outcomes.says_open:
        shapes.append(_text(WIDTH - RIGHT - 6, y + 14.5, outcomes.says_open, anchor="end"))
    shapes.append(_text(WIDTH - RIGHT + 10, y + 15, outcomes.length if outcomes else "not played"))
    return shapes, y + max(STEP, 15 * len(lines) + 12)


def _key(bars: Sequence[Outcomes], y: float) -> tuple[list[str], float]:
    """The shades with what they mean, in as many lines as they need; and where the last of them stands."""
    titles: dict[str, dict[str, Segment]] = {}
    for segment in (segment for bar in bars for segment in bar.segments if segment.share):
        titles.setdefault(segment.kind, {}).setdefault(segment.title, segment)
    shapes, x = [], float(MARGIN)
    for named in titles.values():
        lines = wrapped(" / ".join(named), ROOM - 16, 12)
        wide = 36 + max(width_of(line, 12) for line in lines)
        if x > MARGIN and x + wide > WIDTH:
            x, y = float(MARGIN), y + 18
        shapes.append(_rect(next(iter(named.values())), x, y - 10, 11, 11))
        for place, words in enumerate(lines):
            y += 18 * (place > 0)
            shapes.append(_text(x + 16, y, words, "soft"))
        x += wide
    return shapes, y


def _rect(segment: Segment, x: float, y: float, wide: float, high: int = BAR) -> str:
    fill = FILLS.get(segment.kind, "url(#open)")
    return f'<rect class="{segment.kind}" x="{x:.2f}" y="{y:g}" width="{wide:.2f}" height="{high}" fill="{fill}"/>'


def _text(x: float, y: float, words: str, style: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class={quoteattr(style)} text-anchor="{anchor}">{escape(words)}</text>'


@dataclass(frozen=True, slots=True)
class LabelledCurve:
    """label: of a line; style: of it; is_what_if: whether it is nobody's reading; curve: columns turn and running."""

    label: str
    style: int
    is_what_if: bool
    curve: Curve


@dataclass(frozen=True, slots=True)
class Line:
    """points: "0,0 12.5,3.1", from the upper left corner of the field."""

    played: LabelledCurve
    points: str


@dataclass(frozen=True, slots=True)
class LengthCurves:
    """longest: the turn at the right edge; words: for whoever does not see the lines."""

    lines: tuple[Line, ...]
    longest: int
    words: str


def length_curves(played: Sequence[LabelledCurve], counted: str = GAMES) -> LengthCurves:
    """The lines of at least one batch. The last turn is that at which all are all but over, else the last of any.

    counted: what goes on, games or first rounds
    """
    longest = max(_last_turn(one.curve) for one in played)
    half = max(1, longest // 2)
    shares = ", ".join(f"{one.label} {100 * _running(one.curve, half):.0f} %" for one in played)
    lines = tuple(Line(one, _points(one.curve, longest)) for one in played)
    return LengthCurves(lines, longest, f"{capitalised(counted)} that have not ended after {half:,} turns: {shares}.")


def _last_turn(curve: Curve) -> int:
    over = (turn for turn, share in zip(curve["turn"], curve["running"], strict=True) if share <= LEFT_OVER)
    return max(1, int(next(over, curve["turn"][-1])))


def _until(curve: Curve, turn: int) -> list[tuple[float, float]]:
    return [(at, share) for at, share in zip(curve["turn"], curve["running"], strict=True) if at <= turn]


def _running(curve: Curve, turn: int) -> float:
    """The share that is not over after that turn: as it was at the last turn of the curve before it."""
    before = _until(curve, turn)
    return before[-1][1] if before else 1.0


def _points(curve: Curve, longest: int) -> str:
    ends = [*_until(curve, longest), (longest, _running(curve, longest))]
    return " ".join(f"{FIELD_WIDTH * at / longest:.1f},{FIELD_HEIGHT * (1 - share):.1f}" for at, share in ends)
