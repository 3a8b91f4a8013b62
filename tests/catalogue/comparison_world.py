"""A comparison of known games for the tests of pages and API: only the playing is left out."""

from typing import Any
from unittest import mock

from catalogue.analyses.comparisons import COMPARISONS, check_comparison
from catalogue.models import Comparison
from simulator.models import Batch
from tests.catalogue import page_world

PAIR = ("daramuti-parker", "daramuti-ludii")
# As the eight known games, but for the last two: the second seat wins both, and the draw is gone.
OTHERS = (*page_world.GAMES[:6], (30, 0, 2), (40, 0, 2))


def a_comparison(names: tuple[str, ...] = PAIR, **wanted: Any) -> Comparison:
    """The first ruleset plays the known games, all others these."""
    wanted = {"seed": 2, **wanted}
    for place, name in enumerate(names):
        games = OTHERS if place else page_world.GAMES
        play(name, games, **wanted)
    comparison = COMPARISONS.request(check_comparison(names, games=len(OTHERS), **wanted), announce=False)
    assert COMPARISONS.conclude(comparison)
    return comparison


def play(name: str, games: tuple[tuple[int, int, int], ...], **wanted: Any) -> Batch:
    """A batch of these games, done."""
    with mock.patch.object(page_world, "GAMES", games):
        return page_world.played_batch(name, **wanted)


def no_message(*_: Any, **__: Any) -> None:
    """Stands for the broker, the edge of the world."""
