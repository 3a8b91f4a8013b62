"""Bars of a figure, made of shares: what findings and the table over the levels are made from."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from catalogue.models import Game
from catalogue.outcomes.bars import Outcomes, Segment
from catalogue.outcomes.figure import Bar, FigureLevel, FigureRow

RANDOM = FigureLevel("random", "random players", "random")
PERFECT = FigureLevel("perfect", "faultless play, proved", "faultless")
GAME = Game(name="N", slug="n")


def bar(name: str, *shares: tuple[str, str, float], games: int = 20_000, different: int = 20_000) -> Bar:
    segments, start = [], 0.0
    for kind, title, share in shares:
        segments.append(Segment(kind, title, start, share, ""))
        start += share
    row = FigureRow(name, name, name, f"/{name}/", 0, None)
    summary = {"variety": {"games": games, "different": different}}
    batch: Any = SimpleNamespace(cap=2000, id=name, players="greedy,greedy", summary=summary)
    return Bar(row, Outcomes(tuple(segments), "", "", games), batch)


def read(slug: str, *shares: tuple[str, str, float], games: int) -> Bar:
    found = bar(slug, *shares, games=games)
    return replace(found, row=replace(found.row, slug=slug))


def sides(first: str, second: str, share: float) -> list[tuple[str, str, float]]:
    return [
        ("won-0", f"won by the {first} (first player)", share),
        ("won-1", f"won by the {second} (second player)", 1 - share),
    ]
