"""The outcome figure: how the games of several rulesets end, side by side, wherever it stands.

It shows one level of play at a time, of those that are there: any players that play every seat, from random on, and
faultless play where a ruleset is solved. A level that comes later is in the figure without any change.

Its first line says who plays, and takes nothing from games of few kinds. Where the second player of a level comes to
something else it depends on who plays, and where stronger players do, the line says that too. Chances that are known of
a game of lots stand before all that was played.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from catalogue.outcomes.bars import (
    DRAW,
    GAMES,
    NOT_OVER,
    OPEN,
    ROUNDS,
    SHARED,
    LabelledCurve,
    LengthCurves,
    Outcomes,
    Segment,
    length_curves,
)
from catalogue.outcomes.wording import (
    SEAT,
    NamedOutcomes,
    Tendency,
    between_players,
    either,
    finding,
    in_roles,
)
from catalogue.texts.formatting import listed, lowered
from catalogue.texts.sureness import PROVED, Sureness, sureness
from simulator.batches.finalize import VARIETY, few_kinds
from simulator.batches.versions import is_installed
from simulator.engine.players.wording import consent_in_words
from simulator.models import Batch, Ruleset

PERFECT = "perfect"
USUAL = "random"
ORDER = ("won", SHARED, DRAW, OPEN)  # of the shades in the key


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A ruleset whose games are to be shown.

    name:   in a sentence, "today’s summary"; label: on its bar; style: of its line among the others
    change: what is changed in it, where it is a what-if; slug: of its reading, where it is one
    voice:  the kind of voice that speaks in it (`catalogue.texts.voices`); empty where none is known
    near:   the slug of the reading that it is, or is nearest to; empty where none is
    awaited: whether games that are still being played are told of, as those of what-ifs are
    """

    name: str
    label: str
    title: str
    address: str
    style: int
    ruleset: Ruleset | None
    change: str = ""
    slug: str = ""
    voice: str = ""
    near: str = ""
    awaited: bool = False


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
    def named(self) -> NamedOutcomes | None:
        """How its games ended, to be put in words; None where nothing was played."""
        if self.outcomes is None:
            return None
        return NamedOutcomes(self.row.name, self.outcomes, self.batch.cap if self.batch else 0, self._few, self.kinds)

    @property
    def kinds(self) -> int | None:
        """Of how many kinds its games are; None where that is not known, or says nothing since lots were drawn."""
        counted = ((self.batch and self.batch.summary) or {}).get(VARIETY)
        if not counted or self.batch is None or "random" in self.batch.players.split(","):
            return None
        return int(counted["different"])

    @property
    def consent(self) -> str:
        """How its players act where the rules let them end the game by consent; empty where they do not."""
        batch, ruleset = self.batch, self.row.ruleset
        if batch is None or ruleset is None:
            return ""
        return consent_in_words(batch.players, [ruleset.document], batch.until, batch.family_version)

    @property
    def few_kinds(self) -> str:
        """ "Parker: only 2 different games"; empty where they are not few."""
        return self._few and f"{self.row.label}: {self._few}"

    @property
    def _few(self) -> str:
        """ "only 2 different first rounds"; empty where they are not few."""
        few = few_kinds(self.batch.summary, self.batch.players) if self.batch else ""
        return few.replace("game", "first round") if self.outcomes and self.outcomes.of_rounds else few

    @property
    def earlier_version(self) -> str:
        """A note that the games were played by rules or players that have changed since; empty where they have not."""
        batch, ruleset = self.batch, self.row.ruleset
        if not batch or not ruleset or is_installed(ruleset.family, batch.family_version, batch.players_version):
            return ""
        return f"{self.row.label}: played by an earlier version of the engine"


@dataclass(frozen=True, slots=True)
class FigureLevel:
    """key: the player of every seat, or "perfect"; title: in words; short: on a switch; players: "club players"

    counted: "games", "first rounds" or both, where the games have rounds; empty where they have none
    """

    key: str
    title: str
    short: str
    players: str = ""
    counted: str = ""


@dataclass(frozen=True, slots=True)
class OtherLevel:
    """What readings come to on another level than the one that is shown.

    bars: of the readings, as they are ordered; again: the same by the second player of the level, where it has played
    """

    level: FigureLevel
    bars: tuple[Bar, ...]
    again: tuple[Bar, ...] = ()

    def tendency(self, name: str) -> Tendency | None:
        """What mostly happens under a reading; None where nothing was played, or where its players do not agree."""
        bars = [bar for bar in (*self.bars, *self.again) if bar.row.name == name]
        found = [tends for bar in bars if (tends := _tendency(bar))]
        return found[0] if len({tends.tells for tends in found}) == 1 else None


@dataclass(frozen=True)  # without slots: what pages say several times is made once
class OutcomeFigure:
    """The bars of some rulesets on one level of play.

    levels:   those that some ruleset has; level: the one that is shown, None before any game was played
    headline: the finding, where it is not what the bars of readings show
    second:   the second player of the level that is shown, where it has played; stronger: the levels above, upwards
    chances:  of the readings that are solved and decided by throws: name → what is known, in words
    better:   of each ruleset, by its hash, which levels are shown to be better than the one below; or empty
    """

    bars: tuple[Bar, ...]
    levels: tuple[FigureLevel, ...] = ()
    level: FigureLevel | None = None
    headline: str = ""
    second: OtherLevel | None = None
    stronger: tuple[OtherLevel, ...] = ()
    chances: tuple[tuple[str, str], ...] = ()
    better: Mapping[str, Mapping[str, bool | None]] = field(default_factory=dict)

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

    @cached_property
    def finding(self) -> str:
        """The finding that the bars show, in a sentence. What-ifs are no readings, and are left to the eye."""
        if self.headline:
            return self.headline
        solved = dict(self.chances)
        readings = [bar for bar in self.bars if not bar.row.change] or list(self.bars)
        open_ = [bar for bar in readings if bar.row.name not in solved]
        players = self.level.players if self.level else ""
        parts = [between_players(players, self._found(open_, len(readings)))] if open_ else []
        parts += self._contradicted(open_) if parts and parts[0] else []
        return ". ".join(filter(None, [_solved(solved, len(readings)), *parts]))

    def _found(self, bars: Sequence[Bar], readings: int) -> str:
        """What mostly happens under these readings, on this level. readings: how many there are, played or not"""
        clauses = []
        for bar in bars:
            if tends := _tendency(bar):
                other = self.second and _otherwise(bar, self.second)
                who = self.second.level.players if self.second else ""
                both = f"it depends on who plays: {tends.clause}, and between {who} {other.clause}" if other else ""
                clauses.append((bar.row.name, both or tends.clause))
        found = finding(clauses, readings)
        if len({clause for _, clause in clauses}) < 2 or seen_apart(bars) >= VISIBLE:
            return found
        return f"The readings hardly differ: {lowered(found)}"

    def _contradicted(self, bars: Sequence[Bar]) -> list[str]:
        """What the strongest players come to who come to something else; at most one sentence."""
        for other in reversed(self.stronger):
            found = [(bar.row.name, tends.clause) for bar in bars if (tends := _otherwise(bar, other))]
            if found:
                return [between_players(other.level.players, finding(found, len(bars)))]
        return []

    @cached_property
    def counted(self) -> str:
        """What the bars are shares of: "games", "first rounds", or both, and then each bar says which."""
        kinds = dict.fromkeys(bar.outcomes.counted for bar in self.bars if bar.outcomes)
        return " or ".join(kinds) or GAMES

    @property
    def is_mixed(self) -> bool:
        """Whether some bars are of whole games and others of first rounds."""
        return self.counted not in (GAMES, ROUNDS)

    @property
    def length_title(self) -> str:
        """What the last column is: of whole games, of first rounds, or of what each bar is of."""
        if self.is_mixed:
            return "Median length of the game, or of the first round"
        return "Median length of the first round" if self.counted == ROUNDS else "Median length"

    @cached_property
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
        found = {kind: either(some) for kind, some in named.items()}
        if OPEN in found:
            some = {bar.outcomes.open_title for bar in self.bars if bar.outcomes and bar.outcomes.open}
            found[OPEN] = some.pop() if len(some) == 1 else NOT_OVER
        return [replace(segment, title=found[kind]) for kind, segment in shades.items() if kind in found]

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
        return length_curves(curves, self.counted) if curves else None

    @property
    def sureness(self) -> Sureness | None:
        """How sure the figure is, by its least sure bar; None where nothing was played."""
        batches = [bar.batch for bar in self.bars if bar.batch]
        if self.is_proved:
            return PROVED if self.played else None
        are_alike = any(bar.few_kinds for bar in self.bars)
        return sureness(min(batch.games for batch in batches), are_alike=are_alike) if batches else None

    @property
    def foot(self) -> str:
        """Number of games, seed and cap, once where all batches share them; then the notes on single bars."""
        batches = [bar.batch for bar in self.bars if bar.batch]
        if not batches:
            return ""
        rounds = [batch.until == Batch.Until.ROUND for batch in batches]
        counted = ROUNDS if all(rounds) else GAMES
        each = " each" if len(batches) > 1 else ""
        kinds = [bar.kinds for bar in self.bars if bar.kinds is not None]
        parts = [
            f"{_span([batch.games for batch in batches])} {counted}{each}",
            "all alike" if set(kinds) == {1} else f"{_span(kinds)} of them different" if kinds else "",
            f"seed {', '.join(dict.fromkeys(str(batch.seed) for batch in batches))}",
            f"cap {', '.join(dict.fromkeys(f'{batch.cap:,}' for batch in batches))} turns",
            "" if all(rounds) or not any(rounds) else f"of {listed(_rounds_only(self.bars))} the first round only",
            *(bar.consent for bar in self.bars),
            *(bar.few_kinds for bar in self.bars if len(batches) > 1),
            *(bar.earlier_version for bar in self.bars),
        ]
        return " · ".join(dict.fromkeys(filter(None, parts)))


def _rounds_only(bars: Iterable[Bar]) -> list[str]:
    return [bar.row.label for bar in bars if bar.batch and bar.batch.until == Batch.Until.ROUND]


def _span(numbers: Iterable[int]) -> str:
    """ "93", or "12 to 93"."""
    ordered = sorted(set(numbers))
    return " to ".join(f"{number:,}" for number in dict.fromkeys((ordered[0], ordered[-1])))


def _tendency(bar: Bar) -> Tendency | None:
    """What mostly happens in the games of a bar, by the roles of the sides; None where nothing was played."""
    if (named := bar.named) is None:
        return None
    found = named.tendency
    return replace(found, clause=SEAT.sub("", found.clause))


def _otherwise(bar: Bar, level: OtherLevel) -> Tendency | None:
    """What a reading comes to on another level, where it is shown to be something else; None where it is not."""
    other = next((one for one in level.bars if one.row.name == bar.row.name), None)
    if bar.outcomes is None or other is None or other.outcomes is None:
        return None
    now, then = _tendency(bar), level.tendency(bar.row.name)
    are_alike = bar.outcomes.of_rounds == other.outcomes.of_rounds
    return then if now and then and now.tells and then.tells not in ("", now.tells) and are_alike else None


def _solved(chances: Mapping[str, str], readings: int) -> str:
    """ "Solved: whoever throws first wins 51.20 % of games …"; empty where nothing is."""
    parts = [(name, words) for name, words in chances.items()]
    if not parts:
        return ""
    if len(parts) == readings == 1:
        return f"Solved: {parts[0][1]}"
    return f"Solved: {'; '.join(f'under {name} {words}' for name, words in parts)}"


def named_outcomes(bars: Iterable[Bar]) -> list[NamedOutcomes]:
    """Return how the games of each bar ended, to be put in words; without bars on whose level nothing was played."""
    return [named for bar in bars if (named := bar.named)]


def by_role(figure: OutcomeFigure) -> OutcomeFigure:
    """The same figure, with one shade under all readings for a side that has a name, whether it begins or not."""
    return replace(figure, bars=bars_by_role(figure.bars))


def bars_by_role(bars: Sequence[Bar]) -> tuple[Bar, ...]:
    """The same bars by role, to be shown only: a shade no longer says who begins."""
    ordered = iter(in_roles([bar.outcomes for bar in bars if bar.outcomes]))
    return tuple(replace(bar, outcomes=next(ordered)) if bar.outcomes else bar for bar in bars)


VISIBLE = 0.05  # of a bar: what two bars must differ by for the eye to see it


def seen_apart(bars: Sequence[Bar]) -> float:
    """How far the bars lie apart to the eye, as they are shown: the largest difference in the share of one shade."""
    shown = [bar.outcomes for bar in bars_by_role(bars) if bar.outcomes]
    shades = {segment.kind for outcomes in shown for segment in outcomes.segments}
    shares = [[sum(part.share for part in one.segments if part.kind == shade) for one in shown] for shade in shades]
    return max((max(some) - min(some) for some in shares), default=0.0)


def alike(one: Bar, other: Bar) -> tuple[Outcomes, Outcomes] | None:
    """Return how the games of both ended: of first rounds, if the one or the other has only these; None if not both
    have."""
    of_rounds = any(outcomes and outcomes.of_rounds for outcomes in (one.outcomes, other.outcomes))
    first, second = one.ended(of_rounds), other.ended(of_rounds)
    return (first, second) if first and second else None
