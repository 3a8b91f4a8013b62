"""What the games of some rulesets leave on their boards, side by side on one scale: each board is its own plot.

Of each ruleset and level that batch is shown whose games counted it and are most. A line is as wide, and a dot as
large, as its share of all uses of its kind; what is uncertain is drawn lighter. The scale is that of the largest share
on any of the boards, so that boards can be compared. Shares were computed when the batch was closed; here they are
read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any
from xml.sax.saxutils import escape

from django.db.models import Case, F, IntegerField, Q, Value, When, Window
from django.db.models.functions import RowNumber
from django.utils.safestring import mark_safe

from catalogue.outcomes.figure import FigureLevel, FigureRow
from catalogue.outcomes.played import common_level, first_shown, in_order
from catalogue.texts.formatting import capitalised, in_percent, listed, lowered, plain
from catalogue.texts.widths import wrapped
from simulator.engine.board_sheet import Weight
from simulator.engine.family import family
from simulator.models import Batch, Ruleset, Traffic
from simulator.rulesets import as_engine
from simulator.statistics.intervals import Interval

BOTH = "all"  # sides together
LINES = "lines"
MOST_TOLD = 3  # places that are named in words
Thing = Mapping[str, Any]


class NoSuchChoice(ValueError):
    """A level, use or side that the figure does not have. parameter: of the address; there: what it has"""

    def __init__(self, parameter: str, typed: str, there: Sequence[str]) -> None:
        self.parameter, self.typed, self.there = parameter, typed, list(there)
        super().__init__(parameter)


@dataclass(frozen=True, slots=True)
class BoardTraffic:
    """The board of a ruleset with the traffic of a batch.

    batch, kinds: None and empty where no games of it counted anything on this level
    svg: the board; told: which places are used most, in words; things: of the use and side shown
    """

    row: FigureRow
    batch: Batch | None = None
    unfinished: int = 0
    kinds: tuple[Mapping[str, Any], ...] = ()
    things: tuple[Thing, ...] = ()
    svg: str = ""
    told: str = ""

    def most_used(self, most: int) -> tuple[list[tuple[str, str, str]], int]:
        """(place, share with interval, of the games that ended) of so many things that were used, the most used first;
        and how many more were."""
        used = sorted((thing for thing in self.things if thing["count"]), key=lambda one: -one["share"])
        rows = [
            (
                thing["name"],
                in_percent(_interval(thing)),
                in_percent(_interval(thing["ended"])) if "ended" in thing else "",
            )
            for thing in used[:most]
        ]
        return rows, len(used) - len(rows)


@dataclass(frozen=True, slots=True)
class TrafficFigure:
    """The boards of some rulesets on one level, for one use of their places, by one side or all of them.

    levels: those that some ruleset has; uses, sides: (key, title) of what can be chosen
    """

    boards: tuple[BoardTraffic, ...]
    levels: tuple[FigureLevel, ...] = ()
    level: FigureLevel | None = None
    uses: tuple[tuple[str, str], ...] = ()
    use: str = ""
    sides: tuple[tuple[str, str], ...] = ()
    side: str = BOTH

    @property
    def played(self) -> list[BoardTraffic]:
        """Those of whose games something was counted."""
        return [board for board in self.boards if board.batch]

    @property
    def uncounted(self) -> list[FigureRow]:
        return [board.row for board in self.boards if not board.batch]

    @property
    def title(self) -> str:
        """What is drawn: "Moves along lines, by the hares"."""
        use = dict(self.uses).get(self.use, "")
        return use if self.side == BOTH else f"{use}, by {lowered(dict(self.sides)[self.side])}"

    @property
    def finding(self) -> str:
        """Which places are used most, in a sentence."""
        parts = [
            f"{f'{board.row.label}: ' if len(self.played) > 1 else ''}{board.told}"
            for board in self.played
            if board.told
        ]
        return f"{self.title}: {'; '.join(parts)}" if parts else f"{self.title}: none"

    @property
    def brief(self) -> str:
        """The finding, or of several boards what they show."""
        return self.finding if len(self.played) == 1 else f"{self.title}: {len(self.played)} boards on one scale"

    @property
    def unit(self) -> str:
        """How the drawing is read."""
        drawn = "The wider a line" if self.use == LINES else "The larger a dot"
        scale = "; all boards have one scale" if len(self.played) > 1 else ""
        return f"{drawn}, the larger its share; the paler, the less sure{scale}. A game weighs one, however long."

    @property
    def foot(self) -> str:
        """Number of games, seed and cap, once where all batches share them."""
        batches = [(board.batch, board.unfinished) for board in self.played if board.batch]
        each = " each" if len(batches) > 1 else ""
        games = listed(list(dict.fromkeys(f"{batch.games:,}" for batch, _ in batches)))
        stopped = sum(unfinished for _, unfinished in batches)
        return " · ".join(
            [
                *([self.level.title] if self.level else []),
                f"{games} games{each}",
                *([f"{stopped:,} of them unfinished"] if stopped else []),
                f"seed {', '.join(dict.fromkeys(str(batch.seed) for batch, _ in batches))}",
                f"cap {', '.join(dict.fromkeys(f'{batch.cap:,}' for batch, _ in batches))} turns",
            ]
        )


def traffic_figure(
    rows: Sequence[FigureRow], level: str = "", use: str = "", side: str = "", only: str = ""
) -> TrafficFigure:
    """The figure of these rulesets: on the strongest level that most have, for the first use, by all sides.

    Two queries, however many rulesets. only: the batch to show, where it is one. Raises NoSuchChoice.
    """
    rulesets = {row.ruleset.hash: row.ruleset for row in rows if row.ruleset}
    found = _counted_batches(rulesets, only)
    levels = in_order({key for _, key in found})
    keys = [one.key for one in levels]
    level = _chosen("level", level, keys, first_shown([(key, games) for (_, key), (_, games) in found.items()]))
    ids = [batch for (_, key), (batch, _) in found.items() if key == level]
    kept = Traffic.objects.filter(batch__in=ids).select_related("batch").defer("sums", "batch__tally", "batch__summary")
    of_ruleset = {one.batch.ruleset_id: one for one in kept}
    kinds = {kind["key"]: kind for one in of_ruleset.values() for kind in one.figures["kinds"]}
    uses = {
        key: kind["title"]
        for key, kind in kinds.items()
        if any(thing["count"] for one in of_ruleset.values() for thing in _things(one.figures["kinds"], key, BOTH))
    }
    use = _chosen("use", use, list(uses))
    sides = _sides([one.figures["kinds"] for one in of_ruleset.values()])
    side = _chosen("side", side, list(sides))
    told = {key: _things(one.figures["kinds"], use, side) for key, one in of_ruleset.items()}
    most = max((thing["share"] for things in told.values() for thing in things), default=0.0)
    shown = TrafficFigure(
        (),
        tuple(levels),
        next((one for one in levels if one.key == level), None),
        tuple(uses.items()),
        use,
        tuple(sides.items()),
        side or BOTH,
    )
    boards = [
        _board(shown, row, of_ruleset[row.ruleset.hash], told[row.ruleset.hash], most)
        if row.ruleset and row.ruleset.hash in of_ruleset
        else BoardTraffic(row)
        for row in rows
        if row.ruleset
    ]
    return TrafficFigure(tuple(boards), shown.levels, shown.level, shown.uses, use, shown.sides, shown.side)


def _chosen(parameter: str, typed: str, there: Sequence[str], usual: str = "") -> str:
    if typed and typed not in there:
        raise NoSuchChoice(parameter, typed, there)
    return typed or usual or next(iter(there), "")


def _counted_batches(rulesets: Mapping[str, Ruleset], only: str) -> dict[tuple[str, str], tuple[str, int]]:
    """(ruleset, level of every seat) -> the batch that counted most games by the newest rules, and how many."""
    whole = Case(When(until=Batch.Until.GAME, then=Value(0)), default=Value(1), output_field=IntegerField())
    prepared = Case(When(origin=Batch.Origin.DEMO, then=Value(0)), default=Value(1), output_field=IntegerField())
    versions = [F("family_version").desc(), F("players_version").desc(nulls_last=True)]
    order = [whole, *versions, F("games").desc(), prepared, F("id").asc()]
    rank = Window(RowNumber(), partition_by=[F("ruleset"), F("players")], order_by=order)
    wanted = Q(ruleset__in=list(rulesets), **({"id": only} if only else {}))
    done = Batch.objects.filter(wanted, counts_traffic=True, state=Batch.State.DONE, traffic__isnull=False)
    ranked = done.annotate(rank=rank).filter(rank=1).order_by("players")
    return {
        (ruleset, common_level(rulesets[ruleset], players) or players): (batch, games)
        for ruleset, players, batch, games in ranked.values_list("ruleset_id", "players", "id", "games")
        if only or common_level(rulesets[ruleset], players)
    }


def _sides(of_all: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, str]:
    """Who may be shown: all together, and each side by the number of its seat; none where sides are not told apart."""
    named: dict[str, dict[str, None]] = {}
    for kinds in of_all:
        for side in kinds[0]["sides"] if kinds else ():
            if side["seat"] is not None:
                named.setdefault(str(side["seat"] + 1), {}).setdefault(f"the {side['name']}", None)
    sides = {seat: " or ".join(names) for seat, names in named.items()}
    return {BOTH: "Both sides" if len(sides) == 2 else "All sides", **sides} if len(sides) > 1 else {}


def _things(kinds: Sequence[Mapping[str, Any]], use: str, side: str) -> list[Thing]:
    """What is told of the places for a use: by all sides, or by one of them."""
    kind = next((kind for kind in kinds if kind["key"] == use), None)
    if kind is None:
        return []
    if side not in (BOTH, ""):
        return next((list(one["things"]) for one in kind["sides"] if str((one["seat"] or 0) + 1) == side), [])
    return list(kind["together"]) if "together" in kind else _added(kind["sides"])


def _added(sides: Sequence[Mapping[str, Any]]) -> list[Thing]:
    """The uses of all sides added, of batches that were closed before that was kept: their limits are too wide."""
    return [
        {
            "name": things[0]["name"],
            **{key: sum(one[key] for one in things) for key in ("count", "share", "low", "high")},
        }
        for things in zip(*(side["things"] for side in sides), strict=True)
    ]


def _interval(thing: Thing) -> Interval:
    return Interval(thing["share"], thing["low"], thing["high"])


def _board(shown: TrafficFigure, row: FigureRow, kept: Traffic, things: Sequence[Thing], most: float) -> BoardTraffic:
    assert row.ruleset is not None
    ranked = sorted((thing for thing in things if thing["count"]), key=lambda one: -one["share"])[:MOST_TOLD]
    told = listed([f"{thing['name']} {plain(thing['share'], 'share')}" for thing in ranked])
    # The eye sees how large a dot is by its area, and how wide a line is by its width.
    size = (lambda share: share) if shown.use == LINES else sqrt
    weights = {
        thing["name"]: Weight(
            float(size(thing["share"] / most)),
            in_percent(_interval(thing)),
            1 - min(1.0, (thing["high"] - thing["low"]) / most),
        )
        for thing in things
        if most
    }
    players = f" by {shown.level.players}" if shown.level and shown.level.players else ""
    title = f"{row.title}: {lowered(shown.title)}"
    about = f"Shares of {kept.batch.games:,} games{players}. {f'The most: {told}.' if told else 'None.'}"
    ruleset = as_engine(row.ruleset)
    svg = family(ruleset.family).draw_weights(ruleset, weights, title, about)
    kinds = tuple(kept.figures["kinds"])
    unfinished = int(kept.figures["unfinished"])
    return BoardTraffic(row, kept.batch, unfinished, kinds, tuple(things), mark_safe(svg), told and f"most at {told}")


COLUMNS = (
    "reading", "level", "use", "use_in_words", "side", "side_in_words", "place", "count", "share", "low", "high",
    "ended_share", "ended_low", "ended_high", "games", "unfinished", "seed", "cap", "batch", "players",
)  # fmt: skip


def table_rows(figure: TrafficFigure) -> Iterator[tuple[Any, ...]]:
    """Yield a line for every place, use and side of each board on the level that is shown."""
    for board in figure.played:
        batch, level = board.batch, figure.level.key if figure.level else ""
        assert batch is not None
        games = batch.games, board.unfinished, batch.seed, batch.cap, batch.id, batch.players
        for kind in board.kinds:
            parts = [(BOTH, "all sides", _things(board.kinds, kind["key"], BOTH))]
            parts += [
                (str(one["seat"] + 1), one["name"], one["things"]) for one in kind["sides"] if one["seat"] is not None
            ]
            for seat, name, things in parts:
                for thing in things:
                    ended = thing.get("ended", {})
                    limits = (f"{part[key]:.6f}" if part else "" for part in (thing, ended) for key in LIMITS)
                    use = kind["key"], kind["title"], seat, name
                    yield board.row.title, level, *use, thing["name"], thing["count"], *limits, *games


LIMITS = ("share", "low", "high")
WIDTH, MARGIN, GAP, LARGEST = 720, 12, 20, 460
OPENING = re.compile(r'<svg xmlns="[^"]*" viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>')
STYLE = (
    ".words { font-family: sans-serif; font-size: 12px; fill: #23201b } .title { font: 600 17px serif } "
    ".about { font-weight: 600 } .soft { fill: #5d564a } "
    "@media (prefers-color-scheme: dark) { "
    "svg:root { background: #211e1a } .words { fill: #ebe5d9 } .words.soft { fill: #b3a997 } }"
)


def traffic_drawing(figure: TrafficFigure, about: str, credit: str) -> str:
    """The boards on one sheet with their names, what is drawn, what it rests on and whose it is."""
    y, shapes = 14.0, list[str]()
    level = f"{figure.unit} {capitalised(figure.level.title)}." if figure.level else figure.unit
    for words, style, size, step in (
        (about, "about", 12, 18),
        (figure.title, "title", 17, 22),
        (level, "soft", 12, 18),
    ):
        for line in wrapped(words, WIDTH - 2 * MARGIN, size, bold=style != "soft"):
            y += step
            shapes.append(_words(MARGIN, y - 4, line, style))
    boards = figure.played
    across = min(2, len(boards)) or 1
    room = min(LARGEST, (WIDTH - 2 * MARGIN - GAP * (across - 1)) / across)
    for place in range(0, len(boards), across):
        beside, deepest = boards[place : place + across], 0.0
        for number, board in enumerate(beside):
            x = MARGIN + number * (room + GAP)
            opening = OPENING.match(board.svg)
            assert opening is not None
            wide, high = map(float, opening.groups())
            scale = min(room / wide, 1.6)
            lines = wrapped(f"{board.row.label}: {board.told or 'none'}", room, 12)
            shapes += [_words(x, y + 22 + 15 * n, line) for n, line in enumerate(lines)]
            top = y + 15 * len(lines) + 18
            sized = f'width="{wide * scale:g}" height="{high * scale:g}" viewBox="0 0 {wide:g} {high:g}"'
            shapes.append(OPENING.sub(f'<svg x="{x:g}" y="{top:g}" {sized}>', board.svg, count=1))
            deepest = max(deepest, 15 * len(lines) + 18 + high * scale)
        y += deepest + 8
    y += 18
    for words in (figure.foot, credit):
        for line in wrapped(words, WIDTH - 2 * MARGIN, 12):
            shapes.append(_words(MARGIN, y, line, "soft"))
            y += 17
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:g}" width="{WIDTH}" role="img">'
        f"<title>{escape(f'{about}: what play leaves on the board')}</title><desc>{escape(figure.finding)}.</desc>"
        f"<style>{STYLE}</style>{''.join(shapes)}</svg>"
    )


def sheet_of_boards(boards: Sequence[tuple[str, str]], title: str, unit: str, foot: str, credit: str) -> str:
    """Return drawn boards on one sheet, three in a row, each over what it is called; boards: (name, SVG)"""
    y, shapes, across = 14.0, list[str](), 3
    for words, style, size, step in ((title, "title", 17, 22), (unit, "soft", 12, 18)):
        for line in wrapped(words, WIDTH - 2 * MARGIN, size, bold=style != "soft"):
            y += step
            shapes.append(_words(MARGIN, y - 4, line, style))
    room = (WIDTH - 2 * MARGIN - GAP * (across - 1)) / across
    for place in range(0, len(boards), across):
        deepest = 0.0
        for number, (name, svg) in enumerate(boards[place : place + across]):
            x, opening = MARGIN + number * (room + GAP), OPENING.match(svg)
            assert opening is not None
            wide, high = map(float, opening.groups())
            scale = room / wide
            sized = f'width="{room:g}" height="{high * scale:g}" viewBox="0 0 {wide:g} {high:g}"'
            shapes.append(OPENING.sub(f'<svg x="{x:g}" y="{y + 10:g}" {sized}>', svg, count=1))
            lines = wrapped(name, room, 12)
            shapes += [_words(x, y + high * scale + 26 + 15 * n, line) for n, line in enumerate(lines)]
            deepest = max(deepest, high * scale + 26 + 15 * len(lines))
        y += deepest
    y += 18
    for words in (foot, credit):
        for line in wrapped(words, WIDTH - 2 * MARGIN, 12):
            shapes.append(_words(MARGIN, y, line, "soft"))
            y += 17
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:g}" width="{WIDTH}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(unit)}</desc><style>{STYLE}</style>{''.join(shapes)}</svg>"
    )


def _words(x: float, y: float, words: str, style: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="words {style}">{escape(words)}</text>'
