"""The board of a ruleset, and what the shades of its bars mean."""

from collections.abc import Iterable

from django import template

from catalogue.outcomes.bars import Segment
from catalogue.outcomes.figure import Bar, OutcomeFigure
from catalogue.play import start_boards

register = template.Library()


@register.filter
def shades(bars: Iterable[Bar]) -> list[Segment]:
    """The key: of each outcome that is seen on some bar its shade and its name."""
    return OutcomeFigure(tuple(bars), (), None).shades


register.filter("start_board", start_boards.start_board)
