"""Readings of a game over the levels of play: what becomes of each difference in how games end.

Sides are told apart as in `compared`: by their names where all readings have the same ones, else by who moves first.
Where games come in rounds and some level has only first rounds, first rounds are looked at on all of them: what whole
games come to beside them would be no matter of strength.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations

from catalogue.findings.compared import NOT_OVER, ByGame, levels_of_games_with
from catalogue.findings.finding import MARGIN
from catalogue.outcomes.bars import Outcomes
from catalogue.outcomes.figure import PERFECT, Bar, FigureLevel, FigureRow
from catalogue.outcomes.wording import by_seat, have_same_roles, role
from simulator.statistics.verdicts import Judged, LevelDifference, OverLevels, judged

FEWEST = 2  # levels that have to be known


@dataclass(frozen=True, slots=True)
class DifferenceOverLevels:
    """outcome: "won by the first player", in the words of the figure; judged: with its levels, from the weakest

    counted: what ends so on all of them, "games" or "first rounds"
    few_kinds: level → whose games on it are of few kinds, in words
    """

    outcome: str
    first: FigureRow
    second: FigureRow
    judged: Judged
    counted: str = "games"
    few_kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def verdict(self) -> OverLevels:
        return self.judged.verdict

    @property
    def happens(self) -> bool:
        return any(one.first or one.second for one in self.judged.levels)


ORDER = (OverLevels.TURNS_OVER, OverLevels.DEPENDS, OverLevels.STABLE, OverLevels.UNDECIDED)


def telling(found: Sequence[DifferenceOverLevels]) -> list[DifferenceOverLevels]:
    """Those of which there is something to say, what turns over first; not those that are absent on every level, nor
    what never happens."""
    said = [one for one in found if one.happens and not all(one.judged.absent)]
    return sorted(said, key=lambda one: ORDER.index(one.verdict))


def over_levels(levels: Sequence[tuple[FigureLevel, ByGame]]) -> dict[int, tuple[DifferenceOverLevels, ...]]:
    """By game: every two readings and every outcome that differ or might, on all levels that both were played on."""
    games = dict.fromkeys(game for _, by_game in levels for game in by_game)
    return {game: tuple(_of_game([(level, by_game.get(game, ())) for level, by_game in levels])) for game in games}


def of_compared(names: Sequence[str], hashes: Sequence[str]) -> list[DifferenceOverLevels]:
    """What is to be told of these rulesets two by two, as far as they are readings of one game as it stands today.

    names, hashes: of the rulesets, in order. The verdicts are those of the page of the game, which asks of all of its
    readings together. At most four queries.
    """
    slugs = [name.partition("@")[0] for name in names]
    compared = set(zip(slugs, hashes, strict=True))
    found = chain.from_iterable(over_levels(levels_of_games_with(slugs)).values())
    return telling([one for one in found if {_identity(one.first), _identity(one.second)} <= compared])


def _identity(one: FigureRow) -> tuple[str, str]:
    return one.slug, one.ruleset.hash if one.ruleset else ""


def _of_game(levels: Sequence[tuple[FigureLevel, Sequence[Bar]]]) -> Iterator[DifferenceOverLevels]:
    rows = {bar.row.slug: bar.row for _, bars in levels for bar in bars}
    of_rounds = _are_of_rounds(levels)
    known = [(level, _outcomes(bars, of_rounds)) for level, bars in levels]
    asked = [
        (outcome, rows[first], rows[second], found)
        for first, second in combinations(rows, 2)
        for outcome, found in _differences(known, first, second).items()
    ]
    verdicts = judged([found for *_, found in asked], MARGIN)
    counted = "first rounds" if of_rounds else "games"
    for (outcome, first, second, _), verdict in zip(asked, verdicts, strict=True):
        slugs = {first.slug, second.slug}
        few_kinds = {
            level.short: tuple(bar.few_kinds for bar in bars if bar.few_kinds and bar.row.slug in slugs)
            for level, bars in levels
        }
        yield DifferenceOverLevels(outcome, first, second, verdict, counted, few_kinds)


def _are_of_rounds(levels: Sequence[tuple[FigureLevel, Sequence[Bar]]]) -> bool:
    return any(bar.outcomes.of_rounds for _, bars in levels for bar in bars if bar.outcomes)


def _differences(
    known: Sequence[tuple[FigureLevel, Mapping[str, Outcomes]]], first: str, second: str
) -> dict[str, list[LevelDifference]]:
    """By outcome: what is known of it on at least two levels. Sides are called alike on all of them.

    Where it is proved who wins, it is that no other side does.
    """
    both = [(level, found[first], found[second]) for level, found in known if {first, second} <= found.keys()]
    named = role if both and have_same_roles(both[0][1], both[0][2]) else by_seat
    found: dict[str, list[LevelDifference]] = {}
    parts = [part for _, *pair in both for outcomes in pair for part in outcomes.segments]
    sides = dict.fromkeys(named(part) for part in parts if part.kind.startswith("won-"))
    for level, one, other in both:
        shares = [{named(part): part.share for part in outcomes.segments} for outcomes in (one, other)]
        games = (_games(level, one), _games(level, other))
        for outcome in dict.fromkeys([*shares[0], *shares[1], *(sides if level.key == PERFECT else ())]):
            pair = shares[0].get(outcome, 0.0), shares[1].get(outcome, 0.0)
            stopped = (0.0, 0.0) if outcome == NOT_OVER else (one.unfinished, other.unfinished)
            found.setdefault(outcome, []).append(LevelDifference(level.short, *pair, games, stopped))
    return {outcome: some for outcome, some in found.items() if len(some) >= FEWEST}


def _outcomes(bars: Sequence[Bar], of_rounds: bool) -> dict[str, Outcomes]:
    """By reading; of first rounds, if all are to be."""
    found = {
        bar.row.slug: bar.first_rounds if of_rounds and not bar.outcomes.of_rounds else bar.outcomes
        for bar in bars
        if bar.outcomes
    }
    return {slug: outcomes for slug, outcomes in found.items() if outcomes}


def _games(level: FigureLevel, outcomes: Outcomes) -> int:
    return 0 if level.key == PERFECT else outcomes.games
