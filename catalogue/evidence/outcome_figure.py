"""How the games of several rulesets end, side by side: what the figure shows, wherever it stands.

It shows one level of play at a time, of those that are there: whatever players were asked to play every seat, from
random on, and faultless play where a ruleset is solved. A level that comes later is in the figure without any change.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from catalogue.texts import outcome_bars
from catalogue.texts.length_curves import LengthCurves, Played, length_curves
from catalogue.texts.outcome_bars import Outcomes, Segment
from catalogue.texts.who_wins import NamedOutcomes, in_roles
from simulator.batches.variety import few_kinds
from simulator.batches.versions import is_installed
from simulator.engine.players.wording import consent_in_words
from simulator.models import Batch, Ruleset

PERFECT = "perfect"
USUAL = "random"


@dataclass(frozen=True, slots=True)
class Contender:
    """A ruleset whose games are to be shown.

    name: in a sentence, "the portal"; label: on its bar; style: of its line, as under its words
    but:  what is changed in it, where it is a what-if; slug: of its reading, where it is one
    """

    name: str
    label: str
    title: str
    address: str
    style: int
    ruleset: Ruleset | None
    but: str = ""
    slug: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """outcomes: None where nothing was played on this level; first_rounds: of its games, where they have rounds

    waiting: (games done, games) of a batch that runs
    """

    contender: Contender
    outcomes: Outcomes | None
    batch: Batch | None = None
    waiting: tuple[int, int] | None = None
    first_rounds: Outcomes | None = None

    @property
    def consent(self) -> str:
        """What its players do where the rules let them end the game by consent; empty where they do not."""
        batch, ruleset = self.batch, self.contender.ruleset
        if batch is None or ruleset is None:
            return ""
        return consent_in_words(batch.players, [ruleset.document], batch.until, batch.family_version)

    @property
    def few_kinds(self) -> str:
        """ "Parker: 2 kinds of games"; empty where they are not few."""
        few = few_kinds(self.batch.summary, self.batch.players) if self.batch else ""
        return few and f"{self.contender.label}: {few}"


@dataclass(frozen=True, slots=True)
class Level:
    """key: the player of every seat, or "perfect"; title: in words; short: on a switch."""

    key: str
    title: str
    short: str


@dataclass(frozen=True, slots=True)
class OutcomeFigure:
    """levels: those that some ruleset has; level: the one that is shown, None before any game was played.

    said: the finding, where it is not what the bars of readings show
    """

    bars: tuple[Bar, ...]
    levels: tuple[Level, ...] = ()
    level: Level | None = None
    said: str = ""

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
        """What the bars show, in a sentence. What-ifs are no readings, and are left to the eye."""
        readings = [bar for bar in self.bars if not bar.contender.but] or self.bars
        said = [(one.name, outcome_bars.tendency(one.outcomes, one.cap)) for one in named_outcomes(readings)]
        return self.said or outcome_bars.finding(said, len(readings))

    @property
    def key(self) -> list[Segment]:
        """What each shade means. Sides may be called otherwise in another reading: then both names stand there."""
        found = {(one.kind, one.title): one for bar in self.played if bar.outcomes for one in bar.outcomes.segments}
        return sorted(found.values(), key=lambda one: (_ORDER.index(one.kind.partition("-")[0]), one.kind))

    @property
    def shades(self) -> list[Segment]:
        """The part of the key that is seen: each shade once, and none of which no bar has anything.

        Where a side is called otherwise on another bar, it is said on which.
        """
        named: dict[str, dict[str, list[str]]] = {}
        for bar in self.played:
            for one in bar.outcomes.segments if bar.outcomes else ():
                if one.share:
                    named.setdefault(one.kind, {}).setdefault(one.title, []).append(bar.contender.label)
        shades = {one.kind: one for one in self.key}
        return [replace(one, title=outcome_bars.either(named[kind])) for kind, one in shades.items() if kind in named]

    @property
    def columns(self) -> list[tuple[str, str]]:
        """(kind, title) of each column of the table."""
        titles: dict[str, list[str]] = {}
        for one in self.key:
            titles.setdefault(one.kind, []).append(one.title)
        return [(kind, ", or ".join(said)) for kind, said in titles.items()]

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
        played = [
            Played(bar.contender.label, bar.contender.style, bool(bar.contender.but), bar.batch.summary["curve"])
            for bar in self.played
            if bar.batch and bar.batch.summary and "curve" in bar.batch.summary
        ]
        return length_curves(played) if played else None

    @property
    def foot(self) -> str:
        """n, seed and cap, said once where all batches share them; then what players do who may call a draw, and whose
        games are few."""
        batches = [bar.batch for bar in self.bars if bar.batch]
        if not batches:
            return ""
        games = sorted({batch.games for batch in batches})
        each = "games each" if len(batches) > 1 else "games"
        said = [f"{' to '.join(f'{one:,}' for one in dict.fromkeys((games[0], games[-1])))} {each}"]
        said += [f"seed {_several(str(batch.seed) for batch in batches)}"]
        said += [f"cap {_several(f'{batch.cap:,}' for batch in batches)} turns"]
        rounds = [batch.until == Batch.Until.ROUND for batch in batches]
        said += ["first round only"] if all(rounds) else ["of some the first round only"] if any(rounds) else []
        notes = (*(bar.consent for bar in self.bars), *(bar.few_kinds for bar in self.bars), *map(_earlier, self.bars))
        return " · ".join([*said, *dict.fromkeys(filter(None, notes))])


def named_outcomes(bars: Iterable[Bar]) -> list[NamedOutcomes]:
    """How the games of each bar ended, to be put in words; of those on whose level something was played."""
    return [
        NamedOutcomes(bar.contender.name, bar.outcomes, bar.batch.cap if bar.batch else 0)
        for bar in bars
        if bar.outcomes
    ]


def by_role(figure: OutcomeFigure) -> OutcomeFigure:
    """Sides that have names have one shade under all readings, whoever of them begins."""
    return replace(figure, bars=bars_by_role(figure.bars))


def bars_by_role(bars: Sequence[Bar]) -> tuple[Bar, ...]:
    """The same of bars: to be shown only, since a shade no longer says who begins."""
    ordered = iter(in_roles([bar.outcomes for bar in bars if bar.outcomes]))
    return tuple(replace(bar, outcomes=next(ordered)) if bar.outcomes else bar for bar in bars)


def alike(one: Bar, other: Bar) -> tuple[Outcomes, Outcomes] | None:
    """How the games of both ended: of first rounds, if the one or the other has only these; None if not both have."""
    whole = one.outcomes, other.outcomes
    of_rounds = any(found and found.of_rounds for found in whole)
    first, second = (
        bar.first_rounds if of_rounds and bar.outcomes and not bar.outcomes.of_rounds else bar.outcomes
        for bar in (one, other)
    )
    return (first, second) if first and second else None


_ORDER = ("won", outcome_bars.SHARED, outcome_bars.DRAW, outcome_bars.OPEN)


def _earlier(bar: Bar) -> str:
    """That the games were played by rules or players that have changed since."""
    if bar.batch is None or bar.contender.ruleset is None:
        return ""
    name, version = bar.contender.ruleset.family, bar.batch.family_version
    return (
        ""
        if is_installed(name, version, bar.batch.players_version)
        else (f"{bar.contender.label}: played by an earlier version of the engine")
    )


def _several(values: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(values))
