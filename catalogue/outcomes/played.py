"""The games that an outcome figure shows: of each ruleset the batch to show on a level, and what is proved.

There is one rule for which batch is shown, `shown_batches`; whatever names "the games" of a ruleset follows it. The
level that is shown unasked, `first_shown` (decision 062), is the strongest on which most rulesets were played often
enough, of those that are shown to be better than the level below.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Case, F, IntegerField, Q, QuerySet, Sum, Value, When, Window
from django.db.models.functions import Coalesce, RowNumber

from catalogue.models import Reading
from catalogue.models.querysets import ReadingWithVersion, with_versions
from catalogue.outcomes.bars import DRAW, ROUNDS, Outcomes, certain, first_rounds_of, outcomes_of
from catalogue.outcomes.figure import (
    PERFECT,
    USUAL,
    Bar,
    FigureLevel,
    FigureRow,
    OtherLevel,
    OutcomeFigure,
    by_role,
    named_outcomes,
)
from catalogue.outcomes.wording import chances_in_words, headline
from simulator.analyses.ladders import shown_better
from simulator.batches.finalize import VARIETY, few_kinds
from simulator.batches.levels import FIRSTS, LEVELS, SECONDS, TARGETS, in_words, level_of, line_in_words, rank
from simulator.batches.requests import has_rounds
from simulator.batches.versions import is_installed
from simulator.engine.family import family
from simulator.engine.players.names import PlayersProblem, player
from simulator.engine.players.wording import EVERY_SEAT, player_in_words
from simulator.models import Batch, Chunk, Ruleset, Solution
from simulator.rulesets import as_engine

FEWEST_GAMES = 50  # so that shares are known to about 14 points: fewer are shown first where nobody played more
ENOUGH = Q(origin=Batch.Origin.DEMO) | Q(games__gte=FEWEST_GAMES)


class ShownBatch(NamedTuple):
    """stands: whether its level may be shown unasked, as of a prepared batch or one of enough games

    kinds: of its games, where these are few, else their number; until: the end of the game, or of its first round
    """

    id: str
    games: int
    stands: bool
    kinds: int
    until: str


ShownBatches = Mapping[tuple[str, str], ShownBatch]  # by ruleset and level


def shown_batches(rulesets: Mapping[str, Ruleset]) -> dict[tuple[str, str], ShownBatch]:
    """(ruleset, level of every seat) -> the batch to show: a prepared one if there is one, of the newest rules and
    players; of these one of whole games, else of first rounds; of these that of the most games. One query.

    rulesets: by their hashes. A player of no level is a level of its own
    """
    batches = {}
    columns = ("ruleset_id", "players", "id", "origin", "games", "until", f"summary__{VARIETY}")
    # What stands in summaries is read of these only: ranked with it, the summaries of all batches would be.
    ranked = Batch.objects.filter(id__in=_ranked(rulesets).values("id")).order_by("players")
    for ruleset, players, number, origin, games, until, counted in ranked.values_list(*columns):
        if level := common_level(rulesets[ruleset], players):
            stands = origin == Batch.Origin.DEMO or games >= FEWEST_GAMES
            batches[ruleset, level] = ShownBatch(number, games, stands, kinds_of(counted, players, games), until)
    return batches


def kinds_of(counted: Mapping[str, int] | None, players: str, games: int) -> int:
    """Of how many kinds games are where these are few, else how many games. counted: variety, as a summary has it"""
    return int(counted["different"]) if counted and few_kinds({VARIETY: counted}, players) else games


def readings_with_batch(readings: "QuerySet[Reading]") -> list[ReadingWithVersion]:
    """Readings, each with the batch that the figure on the page of its ruleset begins with.

    Five queries, however many readings.
    """
    rows = with_versions(readings)
    rulesets = {read.version.ruleset_id: read.version.ruleset for read in rows if read.version}
    own: dict[str, dict[tuple[str, str], ShownBatch]] = {}
    for (digest, level), shown in shown_batches(rulesets).items():
        own.setdefault(digest, {})[digest, level] = shown
    better = shown_better(own)
    ids = {digest: shown[digest, _first_level(shown, better)].id for digest, shown in own.items()}
    batches = Batch.objects.defer("tally", "summary").in_bulk(ids.values())
    return [
        replace(read, batch=batches.get(ids.get(read.version.ruleset_id, "")) if read.version else None)
        for read in rows
    ]


def outcome_figure(rows: Sequence[FigureRow], wanted: str = "") -> OutcomeFigure:
    """The figure of these rulesets on the level that is wanted, else on the one to begin with.

    At most five queries, however many rulesets. Raises KeyError, with the levels there are, for one that none has.
    """
    rulesets = {row.ruleset.hash: row.ruleset for row in rows if row.ruleset}
    changed = [row.ruleset.hash for row in rows if row.ruleset and (row.change or row.awaited)]
    running = _running(changed) if changed else {}  # first: what ends meanwhile is then found among what is done
    shown = shown_batches(rulesets)
    solved = _solutions(rulesets)
    proved = {digest for digest, known in solved.items() if known.value}
    levels = in_order({key for _, key in shown} | ({PERFECT} if proved else set()), _counted(shown, rulesets))
    keys = [level.key for level in levels]
    if wanted and wanted not in keys:
        raise KeyError(*keys)
    better = {} if wanted else shown_better(rulesets)
    key = wanted or _first_level(shown, better, changed) or next(iter(keys), "")
    level = next((level for level in levels if level.key == key), None)
    others = [other for other in levels if _is_beside(other.key, key)]
    batches = _batches(shown, key)
    readings = [row for row in rows if not row.change]
    bars_of = {
        other.key: tuple(_bar(row, other.key, batches.get(other.key, {}), solved, {}) for row in readings)
        for other in others
    }
    beside = {
        other.key: OtherLevel(other, bars_of[other.key], bars_of.get(SECONDS.get(other.key, ""), ()))
        for other in others
    }
    figure = OutcomeFigure(
        tuple(_bar(row, key, batches.get(key, {}), solved, running) for row in rows),
        tuple(levels),
        level,
        second=beside.get(SECONDS.get(key, "")),
        stronger=tuple(other for own, other in beside.items() if own not in FIRSTS),
        chances=tuple(
            (row.name, solved[row.ruleset.hash].chances)
            for row in readings
            if row.ruleset and row.ruleset.hash in solved and solved[row.ruleset.hash].chances
        ),
        better=better,
    )
    return by_role(figure)


BESIDE = ("counts", "games", VARIETY)  # what the first line takes from a level that is not shown: no texts, no curve


def _batches(shown: ShownBatches, key: str) -> dict[str, dict[str, Batch]]:
    """Level → ruleset → batch: those that are shown, and those beside with a summary of `BESIDE`. One query."""
    of_level = {batch.id: level for (_, level), batch in shown.items() if level == key or _is_beside(level, key)}
    whole = [digest for digest, level in of_level.items() if level == key]
    found: dict[str, dict[str, Batch]] = {}
    if not of_level:
        return found
    rows = Batch.objects.filter(id__in=list(of_level)).defer("tally")
    if len(whole) < len(of_level):
        parts = {f"its_{name}": F(f"summary__{name}") for name in BESIDE}
        rows = rows.defer("tally", "summary").annotate(its_summary=Case(When(id__in=whole, then=F("summary"))), **parts)
    for batch in rows:
        if "summary" in batch.get_deferred_fields():
            own = vars(batch)
            known = {name: own[f"its_{name}"] for name in BESIDE if own[f"its_{name}"] is not None}
            batch.summary = own["its_summary"] or known
        found.setdefault(of_level[batch.id], {})[batch.ruleset_id] = batch
    return found


def _is_beside(other: str, shown: str) -> bool:
    """Return whether the first line of a level looks at another: at its second player, and at both of stronger ones."""
    is_stronger = other in (*LEVELS, *FIRSTS, PERFECT) and _strength(other) > _strength(shown)
    return other == SECONDS.get(shown) or is_stronger


def _counted(shown: ShownBatches, rulesets: Mapping[str, Ruleset]) -> dict[str, str]:
    """level → what its batches count, "games" or "first rounds"; empty where no game has rounds."""
    if not any(has_rounds(family(row.family)) for row in rulesets.values()):
        return {}
    found: dict[str, set[str]] = {}
    for (_, level), batch in shown.items():
        found.setdefault(level, set()).add(ROUNDS if batch.until == Batch.Until.ROUND else "whole games")
    return {level: " and ".join(sorted(kinds, reverse=True)) for level, kinds in found.items()}


def _first_level(
    shown: ShownBatches, better: Mapping[str, Mapping[str, bool | None]], changed: Iterable[str] = ()
) -> str:
    """The level that a figure of these batches begins with; empty without any.

    better: of each ruleset, which levels are shown to be better than the one below
    changed: rulesets of what-ifs, which are played at random, and shown while they are
    """
    standing = [
        (level, batch.kinds)
        for (digest, level), batch in shown.items()
        if batch.stands and is_headline(better.get(digest, {}), level) and not (level == USUAL and digest in changed)
    ]
    level = first_shown([*standing, *((USUAL, FEWEST_GAMES) for _ in changed)])
    return level or min((level for _, level in shown), key=_strength, default="")


def is_headline(better: Mapping[str, bool | None], level: str) -> bool:
    """Return whether figures may begin with a level: only with one that is shown to be better than the one below.

    better: what is shown of the levels of a ruleset; None where no ladder says anything
    """
    return level == USUAL or better.get(level) is True


def first_shown(played: Iterable[tuple[str, int]]) -> str:
    """The strongest level of the scale on which most rulesets were played often enough, so that they can be compared.

    played: (level, games) of every ruleset, where they are of few kinds how many these are. What has few games counts
    where nothing has more. Empty if none is of the scale
    """
    of_scale = [(level, games) for level, games in played if level in LEVELS]
    often = Counter(level for level, games in of_scale if games >= FEWEST_GAMES)
    levels = often or Counter(level for level, _ in of_scale)
    return max(levels, key=lambda level: (levels[level], rank(level)), default="")


def bars_by_level(rows: Sequence[FigureRow]) -> list[tuple[FigureLevel, tuple[Bar, ...]]]:
    """The bars of these rulesets on every level of the scale that any of them has, from the weakest to what is proved.

    The second player of a level stands behind it. Sides are by seat. Two queries, however many rulesets and levels. Of
    summaries only what bars and findings tell is held: all of them together would be a third of a process of the site.
    """
    rulesets = {row.ruleset.hash: row.ruleset for row in rows if row.ruleset}
    played: dict[str, dict[str, Batch]] = {}
    for batch in _ranked(rulesets).filter(ENOUGH).defer("tally").order_by("players").iterator(FEW_AT_ONCE):
        if (level := common_level(rulesets[batch.ruleset_id], batch.players)) in (*LEVELS, *FIRSTS):
            batch.summary = _told(batch.summary or {})
            played.setdefault(level, {})[batch.ruleset_id] = batch
    solved = _solutions(rulesets)
    return [
        (level, tuple(_bar(row, level.key, played.get(level.key, {}), solved, {}) for row in rows))
        for level in in_order({*played, *([PERFECT] if any(known.value for known in solved.values()) else ())})
    ]


FEW_AT_ONCE = 8  # summaries of some ten thousand values each
TOLD = ("won_", "draw", "endless", "unfinished", "first_round", "turns_")  # how the keys of rows of a summary begin


def _told(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary without its curve, and without the rows that no bar and no finding tells."""
    sections = [
        {**section, "rows": [row for row in section["rows"] if row["key"].startswith(TOLD)]}
        for section in summary.get("sections", ())
    ]
    return {**{name: part for name, part in summary.items() if name != "curve"}, "sections": sections}


def figure_of_batches(rows: Sequence[FigureRow], batches: Sequence[Batch], players: str = "") -> OutcomeFigure:
    """The figure of just these batches, one of each ruleset in order, played by the same players. No query.

    players: as they were asked for, by name or level, if not by the names that the batches have
    """
    bars = [
        (row.ruleset and _played(row, row.ruleset, batch)) or Bar(row, None)
        for row, batch in zip(rows, batches, strict=True)
    ]
    players = players or batches[0].players
    names = set(players.split(","))
    words = line_in_words(players)
    who = _level(names.pop()).players if len(names) == 1 else f"players of whom the {words}"
    figure = OutcomeFigure(tuple(bars), (), FigureLevel(players, words, "", who))
    named = named_outcomes(bars)
    return replace(figure, headline=headline(named, who)) if len(named) > 1 else figure


def _ranked(rulesets: Iterable[str]) -> "QuerySet[Batch]":
    """The batch to show of each ruleset and line of players: games of visitors displace no prepared ones."""
    whole = Case(When(until=Batch.Until.GAME, then=Value(0)), default=Value(1), output_field=IntegerField())
    prepared = Case(When(origin=Batch.Origin.DEMO, then=Value(0)), default=Value(1), output_field=IntegerField())
    versions = [F("family_version").desc(), F("players_version").desc(nulls_last=True)]
    order = [prepared, *versions, whole, F("games").desc(), F("id").asc()]
    rank = Window(RowNumber(), partition_by=[F("ruleset"), F("players")], order_by=order)
    done = Batch.objects.filter(ruleset__in=list(rulesets), state=Batch.State.DONE)
    return done.annotate(rank=rank).filter(rank=1)


def common_level(ruleset: Ruleset, players: str) -> str:
    """The level on which every seat is played; empty where they are played on several."""
    first, *others = set(players.split(","))
    if others:
        return ""
    return first if first == USUAL else level_of(as_engine(ruleset), first)


class _Solved(NamedTuple):
    """value: of the start under faultless play, None where throws decide; chances: in words, where they do"""

    value: str | None
    chances: str


def _solutions(hashes: Iterable[str]) -> dict[str, _Solved]:
    """ruleset -> what is proved of it.

    Left out are boards that were made small to be solved, and solutions by rules that have changed since.
    """
    done = Solution.objects.filter(ruleset__in=list(hashes), state=Solution.State.DONE)
    rows = done.values_list(
        "ruleset_id",
        "document__start__value",
        "document__chances",
        "document__reduced",
        "ruleset__family",
        "family_version",
    )
    return {
        ruleset: _Solved(value, chances_in_words(chances or ()))
        for ruleset, value, chances, reduced, kind, version in rows
        if (value or chances) and not reduced and is_installed(kind, version)
    }


def _running(hashes: Iterable[str]) -> dict[str, tuple[int, int]]:
    """ruleset -> (games done, games) of its newest batch that runs."""
    done = Coalesce(Sum("chunks__games", filter=Q(chunks__state=Chunk.State.DONE)), 0)
    running = Batch.objects.filter(ruleset__in=list(hashes), state=Batch.State.RUNNING).order_by("created")
    rows = running.annotate(games_done=done).values_list("ruleset_id", "games_done", "games")
    return {ruleset: (played, games) for ruleset, played, games in rows}


def in_order(keys: Iterable[str], counted: Mapping[str, str] = MappingProxyType({})) -> list[FigureLevel]:
    """The levels of these keys, from the weakest player to faultless play. counted: level → what its bars count"""
    return [replace(_level(key), counted=counted.get(key, "")) for key in sorted(keys, key=_strength)]


def _strength(key: str) -> tuple[int, int, int, str]:
    """The sort key of a level: its second player stands behind it, players of no level before faultless play."""
    first = FIRSTS.get(key, key)
    if first in LEVELS:
        return LEVELS.index(first), int(first != key), 0, key
    try:
        known = player(key)
    except PlayersProblem:  # of a release to come, or faultless play
        return len(LEVELS) + 1 + (key == PERFECT), 0, 0, key
    return len(LEVELS), known.kind, known.budget, key


def _level(key: str) -> FigureLevel:
    if key == PERFECT:
        return FigureLevel(key, "faultless play, proved", "faultless")
    if first := FIRSTS.get(key):
        return FigureLevel(key, in_words(key), f"{first}, second kind", f"{first} players of the second kind")
    if key in TARGETS:
        return FigureLevel(key, in_words(key), key, f"{key} players")
    words = player_in_words(key)
    short = words.partition(", one")[0]
    players = f"{short} players" if key in LEVELS else f"players by {words}"
    return FigureLevel(key, EVERY_SEAT.get(key, f"{words}, in every seat"), short, players)


def _bar(
    row: FigureRow,
    key: str,
    batches: dict[str, Batch],
    solved: Mapping[str, _Solved],
    running: dict[str, tuple[int, int]],
) -> Bar:
    if row.ruleset is None:
        return Bar(row, None)
    digest = row.ruleset.hash
    if key == PERFECT:
        value = solved[digest].value if digest in solved else None
        return Bar(row, _proved(row.ruleset, value) if value else None)
    return _played(row, row.ruleset, batches.get(digest)) or Bar(row, None, None, running.get(digest))


def _played(row: FigureRow, ruleset: Ruleset, batch: Batch | None) -> Bar | None:
    summary = (batch and batch.summary) or {}
    if batch is None or "counts" not in summary:
        return None
    sides, of_rounds = _sides(ruleset), batch.until == Batch.Until.ROUND
    possible = family(ruleset.family).possible_ends(as_engine(ruleset).parameters, of_rounds)
    whole = outcomes_of(summary, *sides, possible, of_rounds=of_rounds)
    return Bar(row, whole, batch, first_rounds=None if of_rounds else first_rounds_of(summary, *sides))


def _sides(row: Ruleset) -> tuple[list[int], dict[int, str]]:
    """The side of each seat, by the first seat that plays for it, and the names of the sides."""
    ruleset = as_engine(row)
    kind = family(ruleset.family)
    naming = kind.naming(ruleset.parameters)
    side_of = [kind.side(ruleset.parameters, seat) for seat in range(kind.seats(ruleset.parameters))]
    first = [side_of.index(side) for side in side_of]
    seats: dict[int, list[str]] = {}
    for seat, side in enumerate(first):
        seats.setdefault(side, []).append(naming.seat(seat))
    return first, {side: " and ".join(names) for side, names in seats.items()}


def _proved(row: Ruleset, value: str) -> Outcomes:
    if value in ("first_wins", "second_wins"):
        side = int(value == "second_wins")
        _, names = _sides(row)
        return certain(f"won-{side}", f"won by the {names[side]}")
    drawn = value == "draw"
    return certain(DRAW, "a draw by the rules" if drawn else "a draw by endless play")
