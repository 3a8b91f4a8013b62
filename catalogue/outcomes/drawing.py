"""Drawings of how games ended: outcome bars as an SVG of their own, and the lines of how long games go on. Pure Python.

In the bars what is not over is hatched. The colours differ in lightness too, so that they can be read in grey.
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from catalogue.outcomes.bars import OPEN, Outcomes, Segment

WIDTH, LEFT, RIGHT, BAR, STEP, LINE = 720, 170, 110, 20, 44, 22
FILLS = {
    "won-0": "#23201b", "won-1": "#8b8375", "won-2": "#4f6f8f", "won-3": "#b08f6a", "shared": "#5d564a",
    "draw": "#dccb92",
}  # fmt: skip
STYLE = (
    "text { font-family: sans-serif; font-size: 12px; fill: #23201b } .title { font: 600 17px serif } "
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


def outcome_drawing(title: str, level: str, bars: Sequence[tuple[str, Outcomes | None]], foot: str) -> str:
    """SVG of some bars. level: unit and level of play; foot: n, seed, cap and where it is from"""
    lines = textwrap.wrap(title, 78) or [""]
    top = 20 + LINE * len(lines) + 10
    shapes = [_text(12, 26 + LINE * place, words, "title") for place, words in enumerate(lines)]
    shapes.append(_text(12, top + 4, level, "soft"))
    y = top + 26
    for name, outcomes in bars:
        shapes += _bar(name, outcomes, y)
        y += STEP
    shapes += [_text(LEFT + k * (WIDTH - LEFT - RIGHT) / 4, y + 2, f"{25 * k}", "soft", "middle") for k in range(5)]
    shapes += _key([outcomes for _, outcomes in bars if outcomes], y + 28)
    feet = textwrap.wrap(foot, 110)
    shapes += [_text(12, y + 56 + 16 * place, words, "soft") for place, words in enumerate(feet)]
    height = y + 60 + 16 * len(feet)
    words = "; ".join(f"{name}: {outcomes.words}" for name, outcomes in bars if outcomes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(f'{level}. {words}')}</desc><style>{STYLE}</style>"
        f"<defs>{HATCH}</defs>{''.join(shapes)}</svg>"
    )


def _bar(name: str, outcomes: Outcomes | None, y: float) -> list[str]:
    wide = WIDTH - LEFT - RIGHT
    shapes = [_text(12, y + 15 + 14 * place, words) for place, words in enumerate(textwrap.wrap(name, 26)[:2])]
    shapes.append(f'<rect x="{LEFT}" y="{y:g}" width="{wide}" height="{BAR}" fill="url(#open)"/>')
    for segment in outcomes.segments if outcomes else ():
        if segment.kind != OPEN:
            shapes.append(_rect(segment, LEFT + wide * segment.start, y, wide * segment.share))
    return [*shapes, _text(WIDTH - RIGHT + 10, y + 15, outcomes.length if outcomes else "not played")]


def _key(bars: Sequence[Outcomes], y: float) -> list[str]:
    kinds = {segment.kind: segment for bar in bars for segment in bar.segments}
    shapes, x = [], 12.0
    for segment in kinds.values():
        shapes += [_rect(segment, x, y - 10, 11, 11), _text(x + 16, y, segment.title, "soft")]
        x += 30 + 6.6 * len(segment.title)
    return shapes


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


def length_curves(played: Sequence[LabelledCurve]) -> LengthCurves:
    """The lines of at least one batch. The last turn is that at which all are all but over, else the last of any."""
    longest = max(_nearly_over(one.curve) for one in played)
    half = max(1, longest // 2)
    shares = ", ".join(f"{one.label} {100 * _running(one.curve, half):.0f} %" for one in played)
    lines = tuple(Line(one, _points(one.curve, longest)) for one in played)
    return LengthCurves(lines, longest, f"Games that are not over after {half:,} turns: {shares}.")


def _nearly_over(curve: Curve) -> int:
    over = (int(turn) for turn, share in zip(curve["turn"], curve["running"], strict=True) if share <= LEFT_OVER)
    return max(1, next(over, int(curve["turn"][-1])))


def _running(curve: Curve, turn: int) -> float:
    """The share that is not over after that turn: as it was at the last turn of the curve."""
    before = [share for at, share in zip(curve["turn"], curve["running"], strict=True) if at <= turn]
    return before[-1] if before else 1.0


def _points(curve: Curve, longest: int) -> str:
    within = [(at, share) for at, share in zip(curve["turn"], curve["running"], strict=True) if at <= longest]
    ends = [*within, (longest, _running(curve, longest))]
    return " ".join(f"{FIELD_WIDTH * at / longest:.1f},{FIELD_HEIGHT * (1 - share):.1f}" for at, share in ends)
