"""How long games go on: the share that is not over after so many turns, as lines on common axes. Pure Python."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 100, 40  # of the field the lines are drawn in
LEFT_OVER = 0.01  # of all games: beyond the turn where all lines are below it nothing is to be seen
Curve = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Played:
    """label: of a line; style: of it; is_what_if: whether it is nobody's reading; curve: columns turn and running."""

    label: str
    style: int
    is_what_if: bool
    curve: Curve


@dataclass(frozen=True, slots=True)
class Line:
    """points: "0,0 12.5,3.1", from the upper left corner of the field."""

    played: Played
    points: str


@dataclass(frozen=True, slots=True)
class LengthCurves:
    """longest: the turn at the right edge; words: for whoever does not see the lines."""

    lines: tuple[Line, ...]
    longest: int
    words: str


def length_curves(played: Sequence[Played]) -> LengthCurves:
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
    return " ".join(f"{WIDTH * at / longest:.1f},{HEIGHT * (1 - share):.1f}" for at, share in ends)
