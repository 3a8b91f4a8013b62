"""The figure of what play leaves on the board: on pages of rulesets, records, games and batches, and to be taken away.

Each subject that has a figure of how games end has one of this too: its rulesets follow from the same declaration.
"""

import csv
import io
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.loader import render_to_string
from django.urls import reverse

from catalogue.filters.parameters import refuse_unknown
from catalogue.models.lookup import NothingHere
from catalogue.outcomes.figure import FigureRow
from catalogue.outcomes.traffic import (
    BOTH,
    COLUMNS,
    NoSuchChoice,
    TrafficFigure,
    table_rows,
    traffic_drawing,
    traffic_figure,
)
from catalogue.pages import figures
from catalogue.pages.answers import drawing, picture
from catalogue.texts.words import Suggested, nearest_word
from catalogue.web.addresses import WrongAddress
from catalogue.web.middleware import embeddable
from catalogue.web.routes import routes_below
from simulator.engine.family import family
from simulator.rulesets import as_engine

BATCHES = "batches"
CHOICES = (figures.LEVEL, "use", "side")
FRAME_WIDTH, FRAME_HEIGHT, BOARD_HEIGHT = 640, 330, 420  # pixels of a frame, without boards and of a row of them
MOST_LISTED = 60  # places in a table on a page; the file has all


@dataclass(frozen=True, slots=True)
class ShownTraffic:
    """A traffic figure with its addresses; the fields are those of `figures.ShownFigure`."""

    figure: TrafficFigure
    subject: str
    name: str
    title: str
    page: str

    about = "what play leaves on the board"

    @property
    def choices(self) -> list[tuple[str, list[tuple[str, str, bool]]]]:
        """What can be chosen: of whom, what and by which side, each with its title, address and whether it is shown."""
        figure = self.figure
        levels = [(one.key, one.short) for one in figure.levels]
        rows = (("Level of play", "level", levels), ("Use", "use", figure.uses), ("Side", "side", figure.sides))
        shown = {"level": self._level, "use": figure.use, "side": figure.side}
        return [
            (title, [(words, self._here({**shown, name: key}), key == shown[name]) for key, words in offered])
            for title, name, offered in rows
            if len(offered) > 1
        ]

    @property
    def boards(self) -> list[tuple[Any, list[tuple[str, str, str]], int]]:
        """Each board with the rows of its table, and how many more there are."""
        return [(board, *board.most_used(MOST_LISTED)) for board in self.figure.played]

    @property
    def asks(self) -> list[tuple[FigureRow, str]]:
        """The rulesets that no games were counted of, each with where that is asked for."""
        rows = [row for row in self.figure.uncounted if row.ruleset and is_counted(row)]
        return [(row, f"{row.address}#traffic") for row in rows]

    @property
    def forms(self) -> list[tuple[str, str]]:
        """The forms in which the figure can be taken, with their addresses; a file has what is shown."""
        names = {"Table": "traffic", "CSV": "traffic-table", "SVG": "traffic-drawing", "PNG": "traffic-picture"}
        files = [(title, self._address(name)) for title, name in {**names, "Embed": "traffic"}.items()]
        return [(title, f"{address}#traffic-numbers" if title == "Table" else address) for title, address in files]

    @property
    def frame(self) -> str:
        return self._address("traffic")

    @property
    def as_shown(self) -> str:
        """The address of the page with this figure."""
        return f"{self.page}#traffic"

    @property
    def width(self) -> int:
        return FRAME_WIDTH

    @property
    def height(self) -> int:
        return FRAME_HEIGHT + BOARD_HEIGHT * ((len(self.figure.played) + 1) // 2)

    @property
    def made_of(self) -> str:
        """The batches of its games, with the versions that played them."""
        return figures.made_of((board.row, board.batch) for board in self.figure.played)

    @property
    def played_on(self) -> datetime | None:
        """When the last of its games were played, where that is known."""
        dates = [board.batch.closed for board in self.figure.played if board.batch and board.batch.closed]
        return max(dates, default=None)

    @property
    def _level(self) -> str:
        return self.figure.level.key if self.figure.level else ""

    def _address(self, name: str) -> str:
        figure = self.figure
        query = {"level": self._level, "use": figure.use, "side": "" if figure.side == BOTH else figure.side}
        return f"{reverse(name, args=[self.subject, self.name])}{_query(query)}"

    def _here(self, chosen: dict[str, str]) -> str:
        query = {**chosen, "side": "" if chosen["side"] == BOTH else chosen["side"]}
        return f"{reverse('traffic', args=[self.subject, self.name])}{_query(query)}"


def _query(chosen: dict[str, str]) -> str:
    given = {name: value for name, value in chosen.items() if value}
    return f"?{urlencode(given)}" if given else ""


def is_counted(row: FigureRow) -> bool:
    """Return whether the games of a ruleset can leave anything that is counted."""
    ruleset = row.ruleset and as_engine(row.ruleset)
    return bool(ruleset and family(ruleset.family).traffic(ruleset.parameters).cells)


def traffic_of(shown: figures.ShownFigure, chosen: dict[str, str] | None = None) -> ShownTraffic:
    """The traffic of the rulesets of a figure of how games end. Two queries. Raises WrongAddress for a wrong choice.

    chosen: level, use and side, where they are
    """
    every = [bar.row for bar in shown.figure.bars if bar.row.ruleset]
    rows = [row for row in every if not row.change] or every
    only = shown.name if shown.subject == BATCHES else ""
    try:
        figure = traffic_figure(rows, only=only, **(chosen or {}))
    except NoSuchChoice as error:
        near = nearest_word(error.typed, error.there)
        there = ", ".join(error.there) or "none"
        message = f"No {error.parameter} “{error.typed[:60]}” was counted; there are: {there}."
        suggested = Suggested(near, f"?{urlencode({error.parameter: near})}") if near else None
        raise WrongAddress(message, suggested) from error
    return ShownTraffic(figure, shown.subject, shown.name, shown.title, shown.page)


@figures.framed("traffic")
def shown_traffic(request: HttpRequest, subject: str, name: str) -> ShownTraffic:
    """The figure of an address. Raises NothingHere where nothing was counted."""
    refuse_unknown(request, CHOICES)
    asked = copy(request)
    asked.GET = QueryDict("")
    shown = figures.figure_called(asked, subject, name)
    found = shown and traffic_of(shown, {key: request.GET.get(key, "") for key in CHOICES})
    if not found or not found.figure.played:
        raise NothingHere("No games were counted here yet for what they leave on the board.")
    return found


traffic_route = routes_below(
    "<subject:subject>/<str:name>/", "/batches/{counted}/", identifies="{subject}/{name}", queries=16
)


@traffic_route("traffic.csv")
def traffic_table(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    """The figure as CSV, a line for each place, use and side; of the level that is named."""
    shown = shown_traffic(request, subject, name)
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    rows.writerows(table_rows(shown.figure))
    response = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{name[:60]}-traffic.csv"'
    return response


@traffic_route("traffic.svg", name="traffic-drawing")
def traffic_drawn(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    return drawing(_svg(request, subject, name))


@traffic_route("traffic.png")
def traffic_picture(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    return picture(_svg(request, subject, name))


@traffic_route("traffic/")
@embeddable
def traffic(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    """The figure alone, for a frame on a page of another site, with all that can be chosen."""
    page = render_to_string("catalogue/traffic.html", {"shown": shown_traffic(request, subject, name)}, request)
    return HttpResponse(figures.outward(page, request.path))


def _svg(request: HttpRequest, subject: str, name: str) -> str:
    shown = shown_traffic(request, subject, name)
    return traffic_drawing(shown.figure, shown.title, figures.credit(request, shown))
