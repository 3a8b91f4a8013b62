"""The outcome figure as any page shows it, with its levels of play and where it can be taken from; and the table of
differences over the levels, one pair of readings after another, a column for each level."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from catalogue.findings.over_levels import DifferenceOverLevels
from catalogue.models import Comparison, Game
from catalogue.models.querysets import ReadingWithVersion, RulesetTitle
from catalogue.outcomes.figure import FigureLevel, FigureRow, OutcomeFigure, by_role, named_outcomes
from catalogue.outcomes.played import figure_of_batches, outcome_figure
from catalogue.outcomes.wording import who_wins
from catalogue.pages.named_rulesets import NamedRuleset
from catalogue.texts.errors import Suggested, nearest_word
from catalogue.texts.marking import authority_in_words
from catalogue.web.addresses import WrongAddress, comparison_title, titles_compared, titles_for
from simulator.models import Batch, Ruleset
from simulator.statistics.over_levels import LevelDifference

LEVEL = "level"
STYLES = 4  # kinds of line that tell readings apart
Kept = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """subject, name: of what it is a figure, as its addresses begin (/games/daramuti/outcomes.csv); title: in words

    page: where it stands; here: what its levels lead on from; kept: of the address, beside the level
    numbers: where on its page they stand in a table
    """

    figure: OutcomeFigure
    subject: str
    name: str
    title: str
    page: str
    here: str
    kept: Kept = ()
    numbers: str = "numbers"

    @property
    def level(self) -> str:
        """The key of the level that is shown; empty where none is."""
        return self.figure.level.key if self.figure.level else ""

    @property
    def levels(self) -> list[tuple[FigureLevel, str, bool]]:
        """(level, its address, whether it is the one that is shown)."""
        return [(level, self.address(level.key), level == self.figure.level) for level in self.figure.levels]

    def address(self, level: str, kept: Kept | None = None) -> str:
        return f"{self.here}{self._query(level, self.kept if kept is None else kept)}"

    @property
    def as_shown(self) -> str:
        """The address of the page with this figure."""
        return f"{self.page}{self._query(self._level, self.kept)}"

    @property
    def forms(self) -> list[tuple[str, str]]:
        """What it can be taken as, and where: the file has the level and the answers that are shown."""
        names = {"CSV": "outcomes-table", "SVG": "outcomes-drawing", "PNG": "outcomes-picture", "Embed": "outcomes"}
        query = self._query(self._level, self.kept)
        files = [(title, f"{reverse(name, args=[self.subject, self.name])}{query}") for title, name in names.items()]
        return [("Table", f"{self.as_shown}#{self.numbers}"), *files, ("Cite", f"{self.as_shown}#cite")]

    @property
    def _level(self) -> str:
        """The level in addresses; empty where there are no levels to choose among."""
        return self.level if self.figure.levels else ""

    @staticmethod
    def _query(level: str, kept: Kept) -> str:
        query = urlencode([*([(LEVEL, level)] if level else []), *kept])
        return f"?{query}" if query else ""


def figure_for(request: HttpRequest, rows: Sequence[FigureRow]) -> OutcomeFigure:
    """On the level that the address names; WrongAddress, with the nearest, where nobody has played on it."""
    wanted = request.GET.get(LEVEL, "")
    try:
        return outcome_figure(rows, wanted)
    except KeyError as error:
        near = nearest_word(wanted, map(str, error.args))
        there = ", ".join(map(str, error.args)) or "none yet"
        message = f"Nobody has played these rulesets on the level “{wanted[:60]}”; there are: {there}."
        raise WrongAddress(message, Suggested(near, f"?{urlencode({LEVEL: near})}") if near else None) from error


def reading_row(read: ReadingWithVersion, place: int) -> FigureRow:
    name, label = authority_in_words(read.reading.authority)
    reading, ruleset = read.reading, read.version.ruleset if read.version else None
    address = reading.get_absolute_url()
    return FigureRow(name, label, reading.title, address, place % STYLES, ruleset, slug=reading.slug)


def of_game(request: HttpRequest, game: Game, readings: Sequence[ReadingWithVersion]) -> ShownFigure:
    """All readings of a game side by side."""
    rows = [reading_row(read, place) for place, read in enumerate(readings)]
    figure = figure_for(request, rows)
    page = game.get_absolute_url()
    return ShownFigure(figure, "games", game.slug, game.name, page, request.path, numbers="rulesets")


def of_ruleset(request: HttpRequest, named: NamedRuleset) -> ShownFigure:
    title = titles_for(request).of(named.row, named.slug or "")
    page = reverse("ruleset", args=[named.name])
    figure = figure_for(request, [titled_row(title, named.row, 0, page)])
    return ShownFigure(figure, "rulesets", named.name, str(title), page, request.path)


def of_batch(request: HttpRequest, batch: Batch) -> ShownFigure | None:
    """The figure of one batch; None before its games are played."""
    title = titles_for(request).of(batch.ruleset)
    page = reverse("batch", args=[batch.id])
    figure = figure_of_batches([titled_row(title, batch.ruleset, 0, page)], [batch])
    return ShownFigure(figure, "batches", batch.id, str(title), page, request.path) if figure.played else None


def of_comparison(
    request: HttpRequest, comparison: Comparison, batches: Sequence[Batch]
) -> tuple[ShownFigure, list[str]] | None:
    """A row for each ruleset, and who wins in sentences; None where its games are not all there.

    batches: in order, with their rulesets
    """
    titles = titles_compared(request, comparison)
    if len(batches) < len(titles):
        return None
    rows = [
        titled_row(title, batch.ruleset, place, reverse("ruleset", args=[name]))
        for place, (title, batch, name) in enumerate(zip(titles, batches, comparison.names, strict=True))
    ]
    figure = figure_of_batches(_with_distinct_names(rows), batches, comparison.asked)
    named = named_outcomes(figure.bars)
    if len(named) < len(titles):
        return None
    page = comparison.get_absolute_url()
    shown = ShownFigure(by_role(figure), "comparisons", comparison.id, comparison_title(titles), page, request.path)
    return shown, who_wins(named)


def titled_row(title: RulesetTitle, row: Ruleset, place: int, address: str) -> FigureRow:
    name, label = authority_in_words(title.near.authority) if title.near else ("these rules", title.base)
    if title.but:
        name, label = f"{name} with the change", f"{label}, but"
    return FigureRow(name, label, title.base, address, place % STYLES, row, "; ".join(title.but))


def _with_distinct_names(rows: Sequence[FigureRow]) -> list[FigureRow]:
    """With the whole title where two would be called the same in a sentence."""
    names = [one.name for one in rows]
    return [replace(one, name=f"“{one.title}”", label=one.title) if names.count(one.name) > 1 else one for one in rows]


def context_of(shown: ShownFigure | None) -> dict[str, Any]:
    """What `partials/outcome_figure.html` shows."""
    return {"shown": shown, "figure": shown.figure} if shown else {}


@dataclass(frozen=True, slots=True)
class Cell:
    """A difference on one level. value: "+4.1", in percentage points; certainty: "+3.1 to +5.1" """

    value: str
    certainty: str


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
    """The levels of all lists, in one order that agrees with each of them."""
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
    return Cell(value, f"{low} to {high}" if any(level.games) else "proved")
