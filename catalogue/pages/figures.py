"""The figure of how games end, and the table of differences over the levels of play.

Pages show the figure with its levels. It can be taken away as a table, a drawing, a picture, or a frame for another
site; for these addresses the page of each subject declares how its figure is made (`figure_of`).
"""

import csv
import datetime
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from http import HTTPStatus
from itertools import chain, pairwise
from typing import Any, Protocol
from urllib.parse import SplitResult, unquote, urlencode, urlsplit

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.template.loader import render_to_string
from django.urls import register_converter, reverse
from django.urls.converters import StringConverter
from django.utils.formats import date_format

from catalogue.citations.items import LICENCE, LICENCE_NAME, NAME, release
from catalogue.findings.over_levels import DifferenceOverLevels
from catalogue.models.lookup import NothingHere
from catalogue.models.playability import in_part_in_words, unplayed_rules
from catalogue.models.querysets import ReadingWithVersion, RulesetTitle
from catalogue.outcomes.bars import Segment, outcome_drawing
from catalogue.outcomes.figure import FigureLevel, FigureRow, OutcomeFigure
from catalogue.outcomes.played import outcome_figure
from catalogue.pages.answers import drawing, picture
from catalogue.texts.formatting import listed
from catalogue.texts.voices import voice_of
from catalogue.texts.words import Suggested, nearest_word
from catalogue.web.addresses import WrongAddress, host_address, site_address
from catalogue.web.middleware import embeddable
from catalogue.web.routes import route, routes_below
from simulator.models import Batch, Ruleset
from simulator.statistics.intervals import wilson
from simulator.statistics.over_levels import LevelDifference, OverLevels

LEVEL = "level"
STYLES = 4  # kinds of line that tell readings apart
FRAME_WIDTH, FRAME_HEIGHT, BAR_HEIGHT = 640, 280, 90  # pixels of a frame for another site, without bars and of a bar
Kept = tuple[tuple[str, str], ...]


@dataclass(frozen=True)  # without slots: its addresses are made once
class ShownFigure:
    """An outcome figure with its addresses.

    subject, name: what the figure is of, as its addresses begin (/games/daramuti/outcomes.csv); title: in words
    page: the page that has it; here: the address that its levels extend; kept: parameters besides the level
    numbers: the element of its page that holds them in a table
    beside: parameters of what else that page shows, which its levels keep, and its files do not know
    """

    figure: OutcomeFigure
    subject: str
    name: str
    title: str
    page: str
    here: str
    kept: Kept = ()
    numbers: str = "numbers"
    beside: Kept = ()
    about: str = "how games end"

    @property
    def level(self) -> str:
        """The key of the level that is shown; empty where none is."""
        return self.figure.level.key if self.figure.level else ""

    @property
    def levels(self) -> list[tuple[FigureLevel, str, bool]]:
        """Each level with its address and whether it is shown."""
        return [(level, self.address(level.key), level == self.figure.level) for level in self.figure.levels]

    def address(self, level: str, kept: Kept | None = None) -> str:
        return f"{self.here}{self._query(level, (*(self.kept if kept is None else kept), *self.beside))}"

    @property
    def as_shown(self) -> str:
        """The address of the page with this figure."""
        return f"{self.page}{self._query(self._level, self.kept)}"

    @property
    def frame(self) -> str:
        """The address of the figure alone, for a frame."""
        return dict(self.forms)["Embed"]

    @property
    def width(self) -> int:
        """Pixels of a frame in which the figure can be read."""
        return FRAME_WIDTH

    @property
    def height(self) -> int:
        return FRAME_HEIGHT + BAR_HEIGHT * len(self.figure.bars)

    @property
    def picture(self) -> str:
        """The address of the figure as a picture; empty before its games are played."""
        return dict(self.forms)["PNG"] if self.figure.played else ""

    @property
    def played_on(self) -> datetime.datetime | None:
        """When the last of its games were played, where that is known."""
        dates = [bar.batch.closed for bar in self.figure.played if bar.batch and bar.batch.closed]
        return max(dates, default=None)

    @property
    def made_of(self) -> str:
        """The batches of its games, with the versions that played them; empty of what is only proved."""
        return made_of((bar.row, bar.batch) for bar in self.figure.played)

    @cached_property
    def forms(self) -> list[tuple[str, str]]:
        """The forms in which the figure can be taken, with their addresses; a file has the level and answers shown."""
        names = {"CSV": "outcomes-table", "SVG": "outcomes-drawing", "PNG": "outcomes-picture", "Embed": "outcomes"}
        query = self._query(self._level, self.kept)
        files = [(title, f"{reverse(name, args=[self.subject, self.name])}{query}") for title, name in names.items()]
        return [("Table", f"{self.as_shown}#{self.numbers}"), *files]

    @property
    def _level(self) -> str:
        """The level in addresses; empty where there are no levels to choose among."""
        return self.level if self.figure.levels else ""

    @staticmethod
    def _query(level: str, kept: Kept) -> str:
        query = urlencode([*([(LEVEL, level)] if level else []), *kept])
        return f"?{query}" if query else ""


def figure_for(request: HttpRequest, rows: Sequence[FigureRow]) -> OutcomeFigure:
    """The figure of a level that the address names. Raises WrongAddress, with the nearest, if it was not played."""
    level = request.GET.get(LEVEL, "")
    try:
        return outcome_figure(rows, level)
    except KeyError as error:
        near = nearest_word(level, map(str, error.args))
        there = ", ".join(map(str, error.args)) or "none yet"
        message = f"Nobody has played these rulesets on the level “{level[:60]}”; there are: {there}."
        raise WrongAddress(message, Suggested(near, f"?{urlencode({LEVEL: near})}") if near else None) from error


def reading_row(read: ReadingWithVersion, place: int) -> FigureRow:
    reading, ruleset = read.reading, read.version.ruleset if read.version else None
    voice = voice_of(reading.authority, reading.title)
    address = reading.get_absolute_url()
    return FigureRow(
        *voice.words,
        reading.title,
        address,
        place % STYLES,
        ruleset,
        slug=reading.slug,
        voice=voice.kind.slug,
        near=reading.slug,
    )


def titled_row(title: RulesetTitle, row: Ruleset, place: int, address: str) -> FigureRow:
    voice = voice_of(title.near.authority, title.near.title) if title.near else None
    name, label = voice.words if voice else ("these rules", title.base)
    if title.but:
        name, label = f"{name} with the change", f"{label}, but"
    kind = voice.kind.slug if voice else ""
    return FigureRow(
        name,
        label,
        title.base,
        address,
        place % STYLES,
        row,
        "; ".join(title.but),
        voice=kind,
        near=title.near.slug if title.near else "",
    )


SUBJECTS = ("evidence", "games", "rulesets", "batches", "comparisons")  # the first words of their addresses
COLUMNS = ("reading", "changed", "level", "outcome", "share", "in_words")
TERMS = ("games", "seed", "cap", "batch", "players", "consent")
MORE = (
    "counted",
    "kinds",
    "possible",
    "of_ended",
    "value",
    "low",
    "high",
    "not_played",
    "engine",
    "players_version",
    "catalogue_version",
    "licence",
)  # columns that came later stand last
FigureView = Callable[[HttpRequest, str], ShownFigure | None]
_views: dict[str, FigureView] = {}


FramedView = Callable[[HttpRequest, str, str], Any]
_frames: dict[str, FramedView] = {}


def framed(figure: str) -> Callable[[FramedView], FramedView]:
    """Declare which view makes another figure, by the last word of its address, for sites that embed it."""

    def declare(view: FramedView) -> FramedView:
        _frames[figure] = view
        return view

    return declare


class Subject(StringConverter):
    regex = "|".join(SUBJECTS)


register_converter(Subject, "subject")


def figure_of(subject: str) -> Callable[[FigureView], FigureView]:
    """Declare how the figure of a subject is made from a request and a name; None before its games are played."""

    def declare(view: FigureView) -> FigureView:
        _views[subject] = view
        return view

    return declare


figure_route = routes_below(
    "<subject:subject>/<str:name>/", "/evidence/DLP.Evidence.692/", identifies="{subject}/{name}"
)


@figure_route("outcomes.csv")
def outcomes_table(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    """The figure as CSV, a line for each bar and outcome."""
    shown = _shown(request, subject, name)
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(COLUMNS + TERMS + MORE)
    unplayed = unplayed_rules({bar.row.near for bar in shown.figure.played})
    for bar in shown.figure.played:
        batch = bar.batch
        terms = (
            (batch.games, batch.seed, batch.cap, batch.id, batch.players, bar.consent) if batch else ("",) * len(TERMS)
        )
        assert bar.outcomes is not None  # as of all that was played
        for part in bar.outcomes.segments:
            cells = bar.row.title, bar.row.change, shown.level, part.title, f"{part.share:.6f}", part.text
            more = bar.outcomes.counted, bar.kinds or "", "yes" if part.possible else "no", part.of_ended
            limits = _limits(part, bar.outcomes.games)
            left_out = len(unplayed.get(bar.row.near, ()))
            made = (engine_of(bar.row, batch), batch.players_version or "") if batch else ("", "")
            whose = release().version, LICENCE
            rows.writerow((*cells, *terms, *more, f"{part.share:.6f}", *limits, left_out, *made, *whose))
    response = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{name[:60]}-outcomes.csv"'
    return response


def _limits(part: Segment, games: int) -> tuple[str, str]:
    """The lower and the upper end of the interval of a share; empty of what was proved, or cannot happen."""
    if not games or not part.possible:
        return "", ""
    low, high = wilson(part.share, games).limits
    return f"{low:.6f}", f"{high:.6f}"


@figure_route("outcomes.svg")
def outcomes_drawing(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    return drawing(_svg(request, subject, name))


@route(
    "<subject:subject>/<str:name>/outcomes.png",
    example="/comparisons/{comparison}/outcomes.png",
    identifies="{subject}/{name}",
)
def outcomes_picture(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    return picture(_svg(request, subject, name))


@figure_route("outcomes/")
@embeddable
def outcomes(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    """The figure alone, for a frame on a page of another site."""
    page = render_to_string("catalogue/outcomes.html", {"shown": _shown(request, subject, name)}, request)
    return HttpResponse(outward(page, request.path))


def outward(page: str, here: str) -> str:
    """A page for a frame, whose links open beside it, but for those to the same address."""
    return ANCHOR.sub(lambda found: _outward(found, here), page)


ANCHOR = re.compile(r'<a\b(?=[^>]*\bhref="([^"]*)")')


def _outward(found: re.Match[str], here: str) -> str:
    """A link within a frame, which opens beside it: pages of the site refuse to be shown in frames.

    Links to other levels of the same figure stay in the frame.
    """
    return found[0] if found[1].startswith((here, "#")) else f'{found[0]} target="_blank" rel="noopener"'


A_DAY = 24 * 3600
EMBEDDED = re.compile(rf"/(?P<subject>{'|'.join(SUBJECTS)})/(?P<name>[^/]+)/(?:(?P<figure>outcomes|traffic)/)?")


@route("oembed/", example="/oembed/?url=/rulesets/daramuti-parker/")
def oembed(request: HttpRequest) -> HttpResponse:
    """How the figure of a page is embedded, for sites that make frames of addresses (https://oembed.com/).

    Parameters that are not known are passed over, as the format wants it.
    """
    if request.GET.get("format", "json") != "json":
        message = "Only format=json is made here.\n"
        return HttpResponse(message, status=HTTPStatus.NOT_IMPLEMENTED, content_type="text/plain; charset=utf-8")
    scheme, host, path, query, _ = _parted(request.GET.get("url", ""))
    found = EMBEDDED.fullmatch(path)
    own = {urlsplit(one).netloc.casefold() for one in (site_address(request), host_address(request))}
    is_here = not (scheme or host) or (scheme in ("http", "https") and host.casefold() in own)
    if found is None or not is_here:
        raise NothingHere("No page of this catalogue with a figure of how games end has this address.")
    asked = copy(request)
    asked.GET = QueryDict(query)
    view = _frames.get(found["figure"] or "", _shown)
    shown = view(asked, found["subject"], unquote(found["name"]))
    if not shown.figure.played:
        raise NothingHere("There is no figure yet: the games are not all played.")
    size = {
        "width": _at_most(request, "maxwidth", shown.width),
        "height": _at_most(request, "maxheight", shown.height),
    }
    document = {
        "version": "1.0",
        "type": "rich",
        "title": f"{shown.title}: {shown.about}",
        "provider_name": NAME,
        "provider_url": f"{site_address(request)}/",
        "cache_age": A_DAY,
        "html": render_to_string("partials/frame.html", {"shown": shown, **size}, request),
        **size,
    }
    return JsonResponse(document)


def _parted(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:  # brackets that hold no address
        return urlsplit("")


def _at_most(request: HttpRequest, name: str, usual: int) -> int:
    """The pixels of one side, if the other site has room for them."""
    text = request.GET.get(name, "")
    return min(usual, int(text)) if text.isascii() and text.isdigit() and 0 < len(text) < 6 else usual


def _svg(request: HttpRequest, subject: str, name: str) -> str:
    shown = _shown(request, subject, name)
    figure = shown.figure
    bars = [(" ".join((bar.row.label, bar.row.change)).strip(), bar.outcomes) for bar in figure.played]
    if figure.is_mixed:
        bars = [(f"{name}, {outcomes.counted}" if outcomes else name, outcomes) for name, outcomes in bars]
    level = f"Share of {figure.counted}, per cent; {figure.level.title}" if figure.level else "No games were played yet"
    left_out = in_part_in_words(chain(*unplayed_rules({bar.row.near for bar in figure.played}).values()))
    foot = " · ".join(filter(None, (figure.foot, left_out)))
    return outcome_drawing(figure.finding, level, bars, foot, shown.title, credit(request, shown))


class Creditable(Protocol):
    """A figure with its page. made_of: the batches that it shows; version: of this catalogue"""

    @property
    def page(self) -> str: ...
    @property
    def played_on(self) -> datetime.datetime | None: ...
    @property
    def made_of(self) -> str: ...


def credit(request: HttpRequest, shown: Creditable) -> str:
    """Whose a figure is, of which version and day, of which games, where its intervals are, and under which licence."""
    played = f", {date_format(shown.played_on, 'j F Y')}" if shown.played_on else ""
    address = f"{site_address(request)}{shown.page}".partition("://")[2]
    parts = (f"{NAME} {release().version}{played}", shown.made_of, f"intervals at {address}", LICENCE_NAME)
    return " · ".join(filter(None, parts))


def engine_of(row: FigureRow, batch: Batch) -> str:
    """ "sowing 2": the rules by which a batch was played; no query."""
    return f"{row.ruleset.family if row.ruleset else ''} {batch.family_version}".strip()


def made_of(played: Iterable[tuple[FigureRow, Batch | None]]) -> str:
    """ "batch bc0eb63fcd126c22, played by sowing 2 and players 6"; empty where nothing was played."""
    by_engine: dict[str, list[str]] = {}
    for row, batch in played:
        if batch:
            players = f" and players {batch.players_version}" if batch.players_version else ""
            by_engine.setdefault(f"{engine_of(row, batch)}{players}", []).append(batch.id)
    return "; ".join(
        f"batch{'es' if len(ids) > 1 else ''} {listed(list(dict.fromkeys(ids)))}, played by {engine}"
        for engine, ids in by_engine.items()
    )


def figure_called(request: HttpRequest, subject: str, name: str) -> ShownFigure | None:
    """The figure of what has this name; None before its games are played. Raises NothingHere where nothing has it."""
    return _views[subject](request, name)


def _shown(request: HttpRequest, subject: str, name: str) -> ShownFigure:
    shown = figure_called(request, subject, name)
    if shown is None:
        raise NothingHere("There is no figure yet: the games are not all played.")
    return shown


@dataclass(frozen=True, slots=True)
class Cell:
    """A difference on one level. value: "+4.1", in percentage points; certainty: "+3.1 to +5.1"

    again: the same of the second player, "+3.9 (+2.9 to +4.9)", "not played" where he has not; empty without one
    kinds: "60 and 93 different", where it is known
    """

    value: str
    certainty: str
    again: str = ""
    kinds: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """cells: for each column, None where the level is not known"""

    difference: DifferenceOverLevels
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """title: "Ludii against Parker"; notes: (level, whose games are few on it)"""

    title: str
    notes: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class StrengthTable:
    """levels: the columns, from the weakest; pairs: in the order of their first differences"""

    levels: tuple[str, ...]
    pairs: tuple[Pair, ...]

    @property
    def sentence(self) -> str:
        """Whether the differences depend on how well both play, in a sentence."""
        found = Counter(row.difference.verdict for pair in self.pairs for row in pair.rows)
        total = f"{found.total()} difference{'' if found.total() == 1 else 's'}"
        told = [
            f"{found[verdict]} {does if found[verdict] == 1 else do}"
            for verdict, does, do in (
                (OverLevels.TURNS_OVER, "reverses with stronger players", "reverse with stronger players"),
                (OverLevels.DEPENDS, "shows only at some levels of play", "show only at some levels of play"),
                (OverLevels.WHO, "depends on which players of a level play", "depend on which players of a level play"),
                (OverLevels.STABLE, "is the same at every level", "are the same at every level"),
            )
            if found[verdict]
        ]
        if not told:
            return "Not known yet: too few of the games differ, or too few levels have played."
        depends = found[OverLevels.TURNS_OVER] + found[OverLevels.DEPENDS] + found[OverLevels.WHO]
        answer = "Yes" if depends else "No, as far as they were played"
        first, space, rest = listed(told).partition(" ")
        return f"{answer}: {first} of {total}{space}{rest}."


def strength_table(differences: Sequence[DifferenceOverLevels]) -> StrengthTable | None:
    """The table of these differences; None without any."""
    if not differences:
        return None
    levels = _in_order([[level.level for level in row.judged.levels] for row in differences])
    by_pair: dict[str, list[DifferenceOverLevels]] = {}
    for row in differences:
        by_pair.setdefault(f"{row.second.name} against {row.first.name}", []).append(row)
    return StrengthTable(levels, tuple(_pair(title, own, levels) for title, own in by_pair.items()))


def _in_order(known: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Merge lists of levels into an order that agrees with each of them."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for levels in known:
        for weaker, stronger in pairwise(levels):
            sorter.add(stronger, weaker)
    return tuple(sorter.static_order())


def _pair(title: str, differences: Sequence[DifferenceOverLevels], levels: Sequence[str]) -> Pair:
    notes = tuple((level, "; ".join(few)) for level, few in differences[0].few_kinds.items() if few)
    rows = []
    for difference in differences:
        cells = {level.level: _cell(level) for level in difference.judged.levels}
        rows.append(Row(difference, tuple(cells.get(level) for level in levels)))
    return Pair(title, notes, tuple(rows))


def _cell(level: LevelDifference) -> Cell:
    value, low, high = (
        f"{100 * number:+.1f}".replace("-", "−") for number in (level.interval.value, *level.interval.limits)
    )
    certainty = f"{low} to {high}" if any(level.games) else "proved"
    known = [f"{kinds:,}" for kinds in level.kinds if kinds is not None]
    kinds = f"{' and '.join(known)} different" if len(known) == 2 else ""
    again = _cell(level.again) if level.again else None
    of_kinds = f", {again.kinds}" if again and again.kinds else ""
    second = f"{again.value} ({again.certainty}){of_kinds}" if again else "not played" if level.wants_second else ""
    return Cell(value, certainty, second, kinds)
