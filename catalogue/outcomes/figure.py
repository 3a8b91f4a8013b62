"""The outcome figure: how the games of several rulesets end, side by side, wherever it stands.

It shows one level of play at a time, of those that are there: any players that play every seat, from random on, and
faultless play where a ruleset is solved. A level that comes later is in the figure without any change.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from catalogue.outcomes.bars import DRAW, OPEN, SHARED, LabelledCurve, LengthCurves, Outcomes, Segment, length_curves
from catalogue.outcomes.wording import NamedOutcomes, either, finding, in_roles, tendency
from simulator.batches.finalize import few_kinds
from simulator.batches.versions import is_installed
from simulator.engine.players.wording import consent_in_words
from simulator.models import Batch, Ruleset

PERFECT = "perfect"
USUAL = "random"
ORDER = ("won", SHARED, DRAW, OPEN)  # of the shades in the key


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A ruleset whose games are to be shown.

    name:   in a sentence, "the portal"; label: on its bar; style: of its line, as under its words
    change: what is changed in it, where it is a what-if; slug: of its reading, where it is one
    """

    name: str
    label: str
    title: str
    address: str
    style: int
    ruleset: Ruleset | None
    change: str = ""
    slug: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of the figure with the games that it shows.

    outcomes: None where nothing was played on this level; first_rounds: of its games, where they have rounds
    waiting:  (games done, games) of a batch that runs
    """

    row: FigureRow
    outcomes: Outcomes | None
    batch: Batch | None = None
    waiting: tuple[int, int] | None = None
    first_rounds: Outcomes | None = None

    def ended(self, of_rounds: bool) -> Outcomes | None:
        """Return how its games ended, or how their first rounds did, where these are wanted."""
        return self.first_rounds if of_rounds and self.outcomes and not self.outcomes.of_rounds else self.outcomes

    @property
    def consent(self) -> str:
        """How its players act where the rules let them end the game by consent; empty where they do not."""
        batch, ruleset = self.batch, self.row.ruleset
        if batch is None or ruleset is None:
            return ""
        return consent_in_words(batch.players, [ruleset.document], batch.until, batch.family_version)

    @property
    def few_kinds(self) -> str:
        """ "Parker: 2 kinds of games"; empty where they are not few."""
        few = few_kinds(self.batch.summary, self.batch.players) if self.batch else ""
        return few and f"{self.row.label}: {few}"

    @property
    def earlier_version(self) -> str:
        """A note that the games were played by rules or players that have changed since; empty where they have not."""
        batch, ruleset = self.batch, self.row.ruleset
        if not batch or not ruleset or is_installed(ruleset.family, batch.family_version, batch.players_version):
            return ""
        return f"{self.row.label}: played by an earlier version of the engine"


@dataclass(frozen=True, slots=True)
class FigureLevel:
    """key: the player of every seat, or "perfect"; title: in words; short: on a switch."""

    key: str
    title: str
    short: str


@dataclass(frozen=True, slots=True)
class OutcomeFigure:
    """The bars of some rulesets on one level of play.

    levels:   those that some ruleset has; level: the one that is shown, None before any game was played
    headline: the finding, where it is not what the bars of readings show
    """

    bars: tuple[Bar, ...]
    levels: tuple[FigureLevel, ...] = ()
    level: FigureLevel | None = None
    headline: str = ""

    @property
    def played(self) -> list[Bar]:
        return [bar for bar in self.bars if bar.outcomes]

    @property
    def is_waiting(self) -> bool:
        return any(bar.waiting for bar in self.bars)

    @property
    def is_proved(self) -> bool:
        """Whether it shows faultless play, where what was not solved has no bar."""
        return self.level is not None and self.level.key == PERFECT

    @property
    def finding(self) -> str:
        """The finding that the bars show, in a sentence. What-ifs are no readings, and are left to the eye."""
        readings = [bar for bar in self.bars if not bar.row.change] or self.bars
        clauses = [(named.name, tendency(named.outcomes, named.cap)) for named in named_outcomes(readings)]
        return self.headline or finding(clauses, len(readings))

    @property
    def key(self) -> list[Segment]:
        """The meaning of each shade. Where a side is called otherwise in another reading, the key has both names."""
        shown = (segment for bar in self.bars if bar.outcomes for segment in bar.outcomes.segments)
        segments = {(segment.kind, segment.title): segment for segment in shown}.values()
        return sorted(segments, key=lambda segment: (ORDER.index(segment.kind.partition("-")[0]), segment.kind))

    @property
    def shades(self) -> list[Segment]:
        """The part of the key that is seen: each shade once, if some bar has any of it.

        Where a side is called otherwise on another bar, the title says on which.
        """
        named: dict[str, dict[str, list[str]]] = {}
        for bar in self.bars:
            for segment in bar.outcomes.segments if bar.outcomes else ():
                if segment.share:
                    named.setdefault(segment.kind, {}).setdefault(segment.title, []).append(bar.row.label)
        shades = {segment.kind: segment for segment in self.key}
        return [replace(segment, title=either(named[kind])) for kind, segment in shades.items() if kind in named]

    @property
    def columns(self) -> list[tuple[str, str]]:
        """(kind, title) of each column of the table."""
        titles: dict[str, list[str]] = {}
        for segment in self.key:
            titles.setdefault(segment.kind, []).append(segment.title)
        return [(kind, ", or ".join(names)) for kind, names in titles.items()]

    @property
    def rows(self) -> list[tuple[Bar, list[str]]]:
        """Each bar with the words of its cells, the length last; empty cells of what was not played."""
        kinds = [kind for kind, _ in self.columns]
        return [
            (bar, [*(bar.outcomes.text_of(kind) for kind in kinds), bar.outcomes.length_text])
            if bar.outcomes
            else (bar, [""] * (len(kinds) + bool(kinds)))
            for bar in self.bars
        ]

    @property
    def lengths(self) -> LengthCurves | None:
        """How long the games go on that are shown; None where nothing was played."""
        curves = [
            LabelledCurve(bar.row.label, bar.row.style, bool(bar.row.change), bar.batch.summary["curve"])
            for bar in self.played
            if bar.batch and bar.batch.summary and "curve" in bar.batch.summary
        ]
        return length_curves(curves) if curves else None

    @property
    def foot(self) -> str:
        """Number of games, seed and cap, once where all batches share them; then the notes on single bars."""
        batches = [bar.batch for bar in self.bars if bar.batch]
        if not batches:
            return ""
        games = sorted({batch.games for batch in batches})
        fewest_to_most = " to ".join(f"{number:,}" for number in dict.fromkeys((games[0], games[-1])))
        rounds = [batch.until == Batch.Until.ROUND for batch in batches]
        parts = [
            f"{fewest_to_most} games{' each' if len(batches) > 1 else ''}",
            f"seed {', '.join(dict.fromkeys(str(batch.seed) for batch in batches))}",
            f"cap {', '.join(dict.fromkeys(f'{batch.cap:,}' for batch in batches))} turns",
            "first round only" if all(rounds) else "of some the first round only" if any(rounds) else "",
            *(bar.consent for bar in self.bars),
            *(bar.few_kinds for bar in self.bars),
            *(bar.earlier_version for bar in self.bars),
        ]
        return " · ".join(dict.fromkeys(filter(None, parts)))


def named_outcomes(bars: Iterable[Bar]) -> list[NamedOutcomes]:
    """Return how the games of each bar ended, to be put in words; without bars on whose level nothing was played."""
    return [
        NamedOutcomes(bar.row.name, bar.outcomes, bar.batch.cap if bar.batch else 0) for bar in bars if bar.outcomes
    ]


def by_role(figure: OutcomeFigure) -> OutcomeFigure:
    """The same figure, with one shade under all readings for a side that has a name, whether it begins or not."""
    return replace(figure, bars=bars_by_role(figure.bars))


def bars_by_role(bars: Sequence[Bar]) -> tuple[Bar, ...]:
    """The same bars by role, to be shown only: a shade no longer says who begins."""
    ordered = iter(in_roles([bar.outcomes for bar in bars if bar.outcomes]))
    return tuple(replace(bar, outcomes=next(ordered)) if bar.outcomes else bar for bar in bars)


def alike(one: Bar, other: Bar) -> tuple[Outcomes, Outcomes] | None:
    """Return how the games of both ended: of first rounds, if the one or the other has only these; None if not both
    have."""
    of_rounds = any(outcomes and outcomes.of_rounds for outcomes in (one.outcomes, other.outcomes))
    first, second = one.ended(of_rounds), other.ended(of_rounds)
    return (first, second) if first and second else None
