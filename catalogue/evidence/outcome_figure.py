"""How the games of several rulesets end, side by side: the figure that stands beside the words of a record.

It shows one level of play at a time, of those that are there: whatever players were asked to play every seat, from
random on, and faultless play where a ruleset is solved. A level that comes later is in the figure without any change.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Case, F, IntegerField, Value, When, Window
from django.db.models.functions import RowNumber

from catalogue.texts import outcome_bars
from catalogue.texts.outcome_bars import Outcomes, Segment
from simulator.engine.family import family
from simulator.engine.players.names import KINDS, PlayersProblem, player
from simulator.engine.players.wording import EVERY_SEAT, consent_in_words, player_in_words
from simulator.models import Batch, Ruleset, Solution
from simulator.rulesets import as_engine

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
    """outcomes: None where nothing was played on this level; waiting: (games done, games) of a batch that runs."""

    contender: Contender
    outcomes: Outcomes | None
    batch: Batch | None = None
    waiting: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """key: the player of every seat, or "perfect"; title: in words; short: on a switch."""

    key: str
    title: str
    short: str


@dataclass(frozen=True, slots=True)
class OutcomeFigure:
    """levels: those that some ruleset has; level: the one that is shown, None before any game was played."""

    bars: tuple[Bar, ...]
    levels: tuple[Level, ...]
    level: Level | None

    @property
    def played(self) -> list[Bar]:
        return [bar for bar in self.bars if bar.outcomes]

    @property
    def is_waiting(self) -> bool:
        return any(bar.waiting for bar in self.bars)

    @property
    def finding(self) -> str:
        """What the bars show, in a sentence. What-ifs are no readings, and are left to the eye."""
        said = [
            (bar.contender.name, outcome_bars.tendency(bar.outcomes, bar.batch.cap if bar.batch else 0))
            for bar in self.bars
            if bar.outcomes and not bar.contender.but
        ]
        return outcome_bars.finding(said, sum(not bar.contender.but for bar in self.bars))

    @property
    def key(self) -> list[Segment]:
        """What each shade means. Sides may be called otherwise in another reading: then both names stand there."""
        found = {(one.kind, one.title): one for bar in self.played if bar.outcomes for one in bar.outcomes.segments}
        return sorted(found.values(), key=lambda one: (_ORDER.index(one.kind.partition("-")[0]), one.kind))

    @property
    def shades(self) -> list[Segment]:
        """The part of the key that is seen: no shade of which no bar has anything."""
        seen = {one.kind for bar in self.played if bar.outcomes for one in bar.outcomes.segments if one.share}
        return [one for one in self.key if one.kind in seen]

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
    def foot(self) -> str:
        """n, seed and cap, said once where all batches share them; then what players do who may call a draw."""
        batches = [bar.batch for bar in self.bars if bar.batch]
        if not batches:
            return ""
        games = sorted({batch.games for batch in batches})
        each = "games each" if len(batches) > 1 else "games"
        said = [f"{' to '.join(f'{one:,}' for one in dict.fromkeys((games[0], games[-1])))} {each}"]
        said += [f"seed {_several(str(batch.seed) for batch in batches)}"]
        said += [f"cap {_several(f'{batch.cap:,}' for batch in batches)} turns"]
        return " · ".join([*said, *dict.fromkeys(filter(None, map(_consent, self.bars)))])


_ORDER = ("won", outcome_bars.SHARED, outcome_bars.DRAW, outcome_bars.OPEN)


def outcome_figure(contenders: Sequence[Contender], wanted: str = "") -> OutcomeFigure:
    """The figure of these rulesets on the level that is wanted, else on that of random play, else on the first.

    At most four queries, however many rulesets. Raises KeyError, with the levels there are, for one that none has.
    """
    rows = {one.ruleset.hash: one.ruleset for one in contenders if one.ruleset}
    best = _best_batches(rows)
    solved = _solutions(rows)
    levels = _levels({key for _, key in best} | ({PERFECT} if solved else set()))
    keys = [level.key for level in levels]
    if wanted and wanted not in keys:
        raise KeyError(*keys)
    key = wanted or (USUAL if USUAL in keys else next(iter(keys), ""))
    ids = [number for (_, players), number in best.items() if players == key]
    batches = {batch.ruleset_id: batch for batch in Batch.objects.filter(id__in=ids).defer("tally")} if ids else {}
    missing = [one.ruleset.hash for one in contenders if one.ruleset and one.but and one.ruleset.hash not in batches]
    running = _running(missing) if missing else {}
    bars = tuple(_bar(one, key, batches, solved, running) for one in contenders)
    return OutcomeFigure(bars, tuple(levels), next((level for level in levels if level.key == key), None))


def _best_batches(hashes: Iterable[str]) -> dict[tuple[str, str], str]:
    """(ruleset, player of every seat) -> the batch to show: a prepared one, else that of the most games."""
    prepared = Case(When(origin=Batch.Origin.DEMO, then=Value(0)), default=Value(1), output_field=IntegerField())
    order = [prepared, F("games").desc(), F("id").asc()]
    rank = Window(RowNumber(), partition_by=[F("ruleset"), F("players")], order_by=order)
    done = Batch.objects.filter(ruleset__in=list(hashes), state=Batch.State.DONE, until=Batch.Until.GAME)
    found = {}
    for ruleset, players, number in (
        done.annotate(rank=rank).filter(rank=1).values_list("ruleset_id", "players", "id").order_by("players")
    ):
        names = set(players.split(","))
        if len(names) == 1:
            found[ruleset, names.pop()] = number
    return found


def _solutions(hashes: Iterable[str]) -> dict[str, str]:
    """ruleset -> what faultless play from the start comes to; none of a board that was made small to be solved."""
    done = Solution.objects.filter(ruleset__in=list(hashes), state=Solution.State.DONE)
    rows = done.values_list("ruleset_id", "document__start__value", "document__reduced")
    return {ruleset: value for ruleset, value, reduced in rows if value and not reduced}


def _running(hashes: Iterable[str]) -> dict[str, tuple[int, int]]:
    """ruleset -> (games done, games) of its newest batch that runs."""
    running = Batch.objects.filter(ruleset__in=list(hashes), state=Batch.State.RUNNING).order_by("created")
    rows = running.prefetch_related("chunks").defer("tally", "summary")
    return {
        batch.ruleset_id: (sum(one.games for one in batch.chunks.all() if one.state == "done"), batch.games)
        for batch in rows
    }


def _levels(keys: Iterable[str]) -> list[Level]:
    """From the weakest player to faultless play."""
    return [_level(key) for key in sorted(keys, key=_strength)]


def _strength(key: str) -> tuple[int, int, str]:
    try:
        known = player(key)
    except PlayersProblem:  # of a release to come, or faultless play
        return len(KINDS) + (key == PERFECT), 0, key
    return known.kind, known.budget, key


def _level(key: str) -> Level:
    if key == PERFECT:
        return Level(key, "faultless play, proved", "faultless")
    words = player_in_words(key)
    return Level(key, EVERY_SEAT.get(key, f"{words}, in every seat"), words.partition(", one")[0])


def _bar(
    one: Contender,
    key: str,
    batches: dict[str, Batch],
    solved: dict[str, str],
    running: dict[str, tuple[int, int]],
) -> Bar:
    if one.ruleset is None:
        return Bar(one, None)
    digest = one.ruleset.hash
    if key == PERFECT:
        return Bar(one, _proved(one.ruleset, solved[digest]) if digest in solved else None)
    batch = batches.get(digest)
    summary = (batch and batch.summary) or {}
    if "counts" not in summary:
        return Bar(one, None, None, running.get(digest))
    sides, names = _sides(one.ruleset)
    return Bar(one, outcome_bars.outcomes(summary, sides, names), batch)


def _sides(row: Ruleset) -> tuple[list[int], dict[int, str]]:
    """The side of each seat, by the first seat that plays for it, and what the sides are called."""
    ruleset = as_engine(row)
    kind = family(ruleset.family)
    naming, seats = kind.naming(ruleset.parameters), range(kind.seats(ruleset.parameters))
    side = {seat: kind.side(ruleset.parameters, seat) for seat in seats}
    first = {seat: next(other for other in seats if side[other] == side[seat]) for seat in seats}
    names = {
        one: " and ".join(naming.seat(seat) for seat in seats if first[seat] == one)
        for one in dict.fromkeys(first.values())
    }
    return [first[seat] for seat in seats], names


def _proved(row: Ruleset, value: str) -> Outcomes:
    if value in ("first_wins", "second_wins"):
        side = int(value == "second_wins")
        _, names = _sides(row)
        return outcome_bars.certain(f"won-{side}", f"won by the {names[side]}")
    drawn = value == "draw"
    return outcome_bars.certain(outcome_bars.DRAW, "a draw by the rules" if drawn else "a draw by endless play")


def _consent(bar: Bar) -> str:
    batch, ruleset = bar.batch, bar.contender.ruleset
    if batch is None or ruleset is None:
        return ""
    return consent_in_words(batch.players, [ruleset.document], batch.until, batch.family_version)


def _several(values: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(values))
