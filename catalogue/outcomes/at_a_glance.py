"""A game at a glance: how many play, how long, by luck or skill, and whether it is fair.

Each is computed, and says by which formula, from which players and how surely; what cannot be said is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalogue.outcomes.bars import Outcomes, Segment
from catalogue.outcomes.figure import Bar, FigureLevel
from catalogue.outcomes.wording import SEAT
from catalogue.texts.formatting import in_percent, listed, of_hundred
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.statistics.intervals import wilson

SECONDS_A_TURN = 10  # a guess: no source gives a pace
EVEN = 0.05  # about one half: a side that wins so much of the games is as good as even
LONG = 120  # minutes, beyond which they are hours
MEDIAN = "turns_q50"
PACE = f"A turn is taken to last {SECONDS_A_TURN} seconds, which is our guess: no source gives a pace."


@dataclass(frozen=True, slots=True)
class Fact:
    """title: what is asked; said: the answer; how: the formula, the players and the interval"""

    title: str
    said: str
    how: str


def players_of(ruleset: Ruleset) -> Fact:
    kind = family(ruleset.family)
    seats = kind.seats(ruleset.parameters)
    names = kind.owners(ruleset.parameters) or kind.roles(ruleset.parameters)
    return Fact("Players", f"{seats}" + (f": the {listed(list(names))}" if names else ""), "By the rules.")


def length_of(bar: Bar, level: FigureLevel) -> Fact | None:
    """How long a game lasts; None where nothing was played."""
    summary = (bar.batch and bar.batch.summary) or {}
    rows = {row["key"]: row for section in summary.get("sections", ()) for row in section["rows"]}
    if bar.outcomes is None or not bar.batch or MEDIAN not in rows or not summary["games"]:
        return None
    median, games = rows[MEDIAN], bar.outcomes.games
    what = "first rounds" if bar.outcomes.of_rounds else "games"
    of = f"{games:,} {what} of {level.players or level.title} ({bar.row.title})"
    if summary["counts"]["endless"] > summary["games"] / 2:
        return Fact("Length", "Mostly endless", f"More than half of {of} are endless: by the rules they can never end.")
    if median["value"] is None:
        said = f"Mostly more than {summary['cap']:,} turns"
        how = f"More than half of {of} were unfinished after {summary['cap']:,} turns, where we stop."
        return Fact("Length", said, how)
    said = f"About {in_minutes(median['value'])}{' a first round' if bar.outcomes.of_rounds else ''}"
    return Fact("Length", said, f"The median of {of} is {median['text']}, times the length of a turn. {PACE}")


def in_minutes(turns: float) -> str:
    minutes = turns * SECONDS_A_TURN / 60
    if minutes < 1.5:
        return "a minute"
    if minutes > LONG:
        return f"{minutes / 60:.0f} hours"
    return f"{minutes:.0f} minutes" if minutes < 10 else f"{5 * round(minutes / 5)} minutes"


def luck_of(ruleset: Ruleset, better: Mapping[str, bool | None], endless: Mapping[str, str] | None = None) -> Fact:
    """Whether lots are thrown, and which players are shown to beat weaker ones.

    better: level → whether it is better; endless: level → who plays there, of levels where most games do not end: a
    game that nobody wins tells nothing of skill, so that of these levels nothing is said
    """
    throws, endless = family(ruleset.family).throws, endless or {}
    shown = [level for level, is_so in better.items() if is_so]
    skilled = [level for level in shown if level not in endless]
    if skilled:
        said = "Luck and skill" if throws else "Skill"
    else:
        said = "Lots are thrown" if throws else "No lots are thrown"
    lots = "Lots are thrown." if throws else "No lots are thrown: whoever chooses the moves decides."
    if skilled:
        how = f"Shown by a ladder: {listed(skilled)} players beat those of the level below more often than not."
    elif shown:
        who = listed([endless[level] for level in shown])
        how = f"How much skill tells is not said: most games between {who} do not end."
    else:
        how = "No ladder of players shows yet how much skill tells."
    return Fact("Luck or skill", said, f"{lots} {how}".strip())


def endless_levels(slug: str, levels: Sequence["LevelBars"]) -> dict[str, str]:
    """Level → who plays there, of the levels where most games of a reading do not end."""
    return {
        level.level.key: level.level.players or level.level.title
        for level in levels
        for bar in level.bars
        if bar.row.slug == slug and bar.outcomes and bar.outcomes.games and bar.outcomes.open >= 0.5
    }


def fairness_of(slug: str, levels: Sequence["LevelBars"], proof: str = "") -> Fact | None:
    """Whether one of two sides is ahead under a reading, and between which players; None where too little is known.

    Nothing is said of a level where most games do not end: whoever won the few others, they are no fair picture.
    Where the levels do not agree, each is named. proof: what faultless play comes to
    """
    if proof:
        said = "Yes: faultless play is a draw" if "draw" in proof else "No: faultless play decides it"
        return Fact("Fair?", said, f"Proved: {proof}.")
    played = [
        (level.level, bar)
        for level in levels
        for bar, few in level.cells
        if bar.row.slug == slug and bar.outcomes and bar.outcomes.games and not few
    ]
    if any(bar.outcomes and not bar.outcomes.of_rounds for _, bar in played):  # a first round is no game
        played = [(level, bar) for level, bar in played if bar.outcomes and not bar.outcomes.of_rounds]
    found: dict[str, list[str]] = {}
    how = []
    for level, bar in played:
        assert bar.outcomes is not None  # as of all that was played
        what, why = _fair(bar.outcomes)
        if what:
            found.setdefault(what, []).append(level.short)
            how.append(f"Between {level.players or level.title}, {why}.")
    if not found:
        return None
    how.append(
        f"Played under {played[0][1].row.name}. In brackets: 95 % intervals. Even means between "
        f"{100 * (0.5 - EVEN):.0f} and {100 * (0.5 + EVEN):.0f} %; of games that mostly do not end, nothing is said."
    )
    return Fact("Fair?", _by_level(found), " ".join(how))


def _by_level(found: Mapping[str, Sequence[str]]) -> str:
    """found: what is so → the levels of play on which it is"""
    what, *others = found
    between = {what: f"between {listed(list(levels))} players" for what, levels in found.items()}
    if others:
        parts = "; ".join(f"{what} {between[what]}" for what in found)
        return f"It depends on who plays: {parts}"
    if what == NOT_ENDED:
        return f"Not known: {what} {between[what]}"
    return f"{'Yes' if what == AS_GOOD_AS_EVEN else 'No'}: {what} {between[what]}"


AS_GOOD_AS_EVEN, NOT_ENDED = "as good as even", "most games do not end"


def _fair(outcomes: Outcomes) -> tuple[str, str]:
    """(what is so, why) of the games of two sides on one level; empty where nothing is shown."""
    counted = outcomes.counted
    if outcomes.open >= 0.5:
        so_many = in_percent(wilson(outcomes.open, outcomes.games))
        return NOT_ENDED, f"{so_many} of {outcomes.games:,} {counted} are {outcomes.open_title}"
    if (found := first_share(outcomes)) is None:
        return "", ""
    side, share, games = found
    interval = wilson(share, games)
    low, high = interval.limits
    won = f"left one side with more, {side.side} in" if outcomes.of_rounds else f"were won by a side, by {side.side}"
    why = f"{games:,} of {outcomes.games:,} {counted} {won} {in_percent(interval)} of these"
    if low >= 0.5 - EVEN and high <= 0.5 + EVEN:
        return AS_GOOD_AS_EVEN, why
    if low <= 0.5 <= high:
        return "", ""
    ahead = side if share > 0.5 else _second(outcomes)
    return f"{SEAT.sub('', ahead.side)} ahead", why


def _second(outcomes: Outcomes) -> Segment:
    return [part for part in outcomes.segments if part.kind.startswith("won-")][1]


def first_share(outcomes: Outcomes) -> tuple[Segment, float, int] | None:
    """(side, its share of the games that one of two sides won, how many these are); None of other games."""
    won = [part for part in outcomes.segments if part.kind.startswith("won-")]
    decided = sum(part.share for part in won)
    games = round(decided * outcomes.games)
    if len(won) != 2 or not games:
        return None
    return won[0], won[0].share / decided, games


@dataclass(frozen=True, slots=True)
class LevelBars:
    """How the readings of a game end on one level. few: of each bar why it tells little, empty where it does not"""

    level: FigureLevel
    bars: tuple[Bar, ...]
    few: tuple[str, ...]

    @property
    def cells(self) -> list[tuple[Bar, str]]:
        return list(zip(self.bars, self.few, strict=True))


def by_reading(levels: tuple[LevelBars, ...]) -> list[tuple[Bar, list[tuple[Bar, str] | None]]]:
    """(a bar of the reading, its bars with what is told of them level by level) of each reading."""
    slugs = dict.fromkeys(bar.row.slug for level in levels for bar in level.bars)
    rows = []
    for slug in slugs:
        cells = [next((cell for cell in level.cells if cell[0].row.slug == slug), None) for level in levels]
        rows.append((next(cell[0] for cell in cells if cell), cells))
    return rows


def in_a_sentence(levels: tuple[LevelBars, ...]) -> str:
    """Whether who wins changes with the players, in a sentence: the reading in which it surely changes most."""
    widest, known, best = 0.0, 0, ""
    for first, cells in by_reading(levels):
        sure = [
            (level.level, *found)
            for level, cell in zip(levels, cells, strict=True)
            if cell and cell[0].outcomes and not cell[1] and (found := first_share(cell[0].outcomes))
        ]
        known = max(known, len(sure))
        for place, (weak, side, less, fewer) in enumerate(sure):
            for strong, other, more, games in sure[place + 1 :]:
                one, two = wilson(less, fewer), wilson(more, games)
                apart = max(two.limits[0] - one.limits[1], one.limits[0] - two.limits[1])
                if apart > widest and other.side == side.side:
                    widest = apart
                    best = (
                        f"Yes: under {first.row.name} {side.side} wins {of_hundred(less)} decided games between "
                        f"{weak.players or weak.title} and {of_hundred(more)} between {strong.players or strong.title}."
                    )
    if best:
        return best
    if known > 1:
        return "Not that these games show: who wins is surely different on no two levels."
    return "Not known yet: on fewer than two levels enough different games were won."
