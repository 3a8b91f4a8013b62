"""Readings of one game side by side: the outcome in which two of them lie farthest apart on one level of play.

Sides are told apart by their names, the aligner and the blocker, wherever both readings have the same ones. Where they
have not, who wins is no finding: that the first to move wins under one and not under the other may say only which side
begins.

A difference of readings is one that both show under the same players. Where each reading was played by a player of its
own, nothing is compared. On a level that thinks a second player has to show it too, with the same sign; its size is the
smaller of the two. Nothing is taken from games of few kinds, nor from an outcome that the rules of one of the two make
impossible. Where the cap stopped games, the sides have to differ among the games that ended as well: if only more games
were stopped, that is what is named. Readings whose games are the same on every level are one game, as far as it was
played, and are not compared.

A difference that is not surely beyond the margin is no finding. The farthest of many is picked, so that intervals are
made to hold at 95 % for all that is looked at of a game together, every pair, outcome and level (Bonferroni): of games
whose readings do not differ at most one in twenty has a finding.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from statistics import NormalDist
from typing import NamedTuple

from catalogue.findings.finding import COMPARED, MARGIN, PARAPHRASED, PROVED, Finding, Share
from catalogue.models import Game
from catalogue.outcomes.bars import (
    ANY_SIDE,
    DRAW,
    ENDED_EQUAL,
    ENDLESS,
    NOT_OVER,
    OWNED_MORE,
    UNFINISHED,
    WON_BY,
    Outcomes,
    Segment,
)
from catalogue.outcomes.figure import VISIBLE, Bar, FigureLevel, alike, seen_apart
from catalogue.outcomes.wording import between_players, finding, role, tendency
from catalogue.texts.formatting import capitalised, in_percent, in_points, lowered, of_hundred
from simulator.batches.finalize import VARIETY, few_kinds, first_round_variety
from simulator.batches.levels import with_weights
from simulator.models import Batch
from simulator.rulesets import as_engine
from simulator.statistics.intervals import TAIL, Interval, newcombe, wilson

OF_THE_SECOND = "of the second kind"  # the second player of a level, which is no side
PORTAL = "dlp"  # whose readings are of its paraphrases


class Side(NamedTuple):
    """A share of the games of a bar. ended: how these ended, or their first rounds; measure: what is counted, by key"""

    bar: Bar
    share: Interval
    ended: Outcomes
    measure: str


class Difference(NamedTuple):
    """How far apart two readings are in one outcome.

    size: of the difference, never below nothing; counted: what it is a share of, "games" or "first rounds"
    again: both sides as the second player has them; none on a level that has no second player
    looked_at: of how many differences it was picked, all of which the limits hold for
    """

    size: Interval
    title: str
    first: Side
    second: Side
    counted: str
    again: tuple[Side, ...] = ()
    looked_at: int = 1


class Played(NamedTuple):
    """What may be compared of one level. bars: of its readings; again: of its second player, None if it has none

    looked_at: how many differences are looked at together, of the game on all its levels
    """

    bars: Sequence[Bar]
    again: Sequence[Bar] | None = None
    looked_at: int = 1


def strictness(looked_at: int) -> float:
    """The normal quantile with which so many intervals hold together at 95 %, after Bonferroni."""
    return NormalDist().inv_cdf(1 - TAIL / max(1, looked_at))


def looked_at(played: Iterable[Played]) -> int:
    """How many differences are looked at: of a game, those on all its levels."""
    return sum(sum(1 for _ in _asked(one, *pair)) for one in played for pair in combinations(one.bars, 2))


def compared(game: Game, played: Played, level: FigureLevel) -> Finding | None:
    """The finding of a game on one level; None where its readings come to the same, or only one was played."""
    farthest = _farthest(played, combinations(played.bars, 2))
    return _finding(COMPARED, game, farthest, played.bars, level) if farthest else None


def paraphrased(game: Game, played: Played, level: FigureLevel, authority: dict[str, str]) -> Finding | None:
    """The finding of today's summary against readings of the quotation. authority: by slug of a reading"""
    texts = [bar for bar in played.bars if bar.row.slug in authority]
    quoted, portal = ([bar for bar in texts if (authority[bar.row.slug] == PORTAL) == is_it] for is_it in (False, True))
    farthest = _farthest(played, product(quoted, portal))
    return _finding(PARAPHRASED, game, farthest, texts, level) if farthest else None


def _farthest(played: Played, pairs: Iterable[tuple[Bar, Bar]]) -> Difference | None:
    asked = (asked for pair in pairs for asked in _asked(played, *pair))
    differences = (found for one in asked if (found := _difference(one, played.looked_at)))
    return max(differences, key=lambda one: one.size.limits[0], default=None)


def _finding(kind: str, game: Game, found: Difference, bars: Sequence[Bar], level: FigureLevel) -> Finding:
    sides = (found.first, found.second, *found.again)
    both = [side.bar for side in sides]
    return Finding(
        kind=kind,
        game=game,
        headline=f"{game.name}: {lowered(_headline(found, level))}",
        sentence=_sentence(found, level),
        plain=_plain(found, level),
        size=found.size,
        size_text=in_points(found.size),
        level=level.key,
        level_text=f"{level.title}, and players {OF_THE_SECOND}" if found.again else level.title,
        games=min(side.ended.games for side in sides),
        links=(
            *((bar.row.title, bar.row.address) for bar in both[:2]),
            ("Compare the readings", f"/compare/?game={game.slug}"),
        ),
        batches=tuple(bar.batch.id for bar in both if bar.batch),
        bars=tuple(bars) if seen_apart(bars) >= VISIBLE else (),
        bars_of=level.title,
        counted=found.counted,
        few_kinds=_kinds(both),
        by_two_players=bool(found.again),
        shares=tuple(map(_share, sides)),
        looked_at=found.looked_at,
    )


def _share(side: Side) -> Share:
    """The share as a program counts it again."""
    bar, batch = side.bar, side.bar.batch
    known = (batch.id, batch.players) if batch else ("", "")
    return Share(bar.row.slug, "", *known, side.measure, side.ended.games, side.share)


def _measure(bar: Bar, ended: Outcomes, title: str) -> str:
    """What is counted of the rows of a bar, by key. title: of the outcome, without who moves first"""
    segment = next(part for part in ended.segments if role(part) == title)
    kind = _key(segment)
    if ended.of_rounds and bar.outcomes is not None and not bar.outcomes.of_rounds:
        return f"first_round_{'equal' if kind == DRAW else kind}"
    return kind


def _key(segment: Segment) -> str:
    return "won" if segment.title == ANY_SIDE else segment.kind.replace("-", "_")


def _kinds(bars: Sequence[Bar]) -> tuple[str, ...]:
    """ "Parker: 93 different", of each bar of which it is known, the first player's before the second's."""
    return tuple(f"{bar.row.label}: {bar.kinds:,} different" for bar in bars if bar.kinds is not None)


class _Sides(NamedTuple):
    """An outcome of two readings under one player: each with its bar, its outcomes and its share."""

    bars: tuple[Bar, Bar]
    ended: tuple[Outcomes, Outcomes]
    shares: tuple[float, float]


class _Asked(NamedTuple):
    title: str
    by_player: tuple[_Sides, ...]


def _asked(played: Played, one: Bar, other: Bar) -> Iterator[_Asked]:
    """Every outcome in which two readings may be compared; none where the same players did not play both."""
    pairs = [(one, other)]
    if played.again is not None:
        again = {bar.row.slug: bar for bar in played.again}
        if not {one.row.slug, other.row.slug} <= again.keys():
            return
        pairs.append((again[one.row.slug], again[other.row.slug]))
    ended = [alike(*pair) for pair in pairs]
    if not all(map(_tell_of_rules, pairs)) or None in ended:
        return
    of_players = [(pair, both) for pair, both in zip(pairs, ended, strict=True) if both]
    shares = [(_shares(*both), _shares(*reversed(both))) for _, both in of_players]
    for title in shares[0][0]:
        if all(title in own for pair in shares for own in pair):
            yield _Asked(title, tuple(
                _Sides(pair, both, (first[title], second[title]))
                for (pair, both), (first, second) in zip(of_players, shares, strict=True)
            ))  # fmt: skip


def _difference(asked: _Asked, looked_at: int) -> Difference | None:
    """The difference, if it is surely beyond the margin with every player, by intervals for so many; None else."""
    z = strictness(looked_at)
    gaps = [gap for sides in asked.by_player for gap in _gaps(sides, asked.title, z)]
    if len({gap.value > 0 for gap in gaps}) != 1 or not all(map(_is_beyond, gaps)):
        return None
    sizes = [_gap(sides.shares, _games(sides), z).without_sign for sides in asked.by_player]
    (first, second), *again = [
        tuple(
            Side(bar, wilson(share, ended.games), ended, _measure(bar, ended, asked.title))
            for bar, share, ended in zip(sides.bars, sides.shares, sides.ended, strict=True)
        )
        for sides in asked.by_player
    ]
    size = min(sizes, key=lambda one: one.limits[0])
    counted = asked.by_player[0].ended[0].counted
    return Difference(size, asked.title, first, second, counted, tuple(chain.from_iterable(again)), looked_at)


def _is_beyond(gap: Interval) -> bool:
    low, high = gap.limits
    return min(abs(low), abs(high)) > MARGIN and low * high > 0


def _gaps(sides: _Sides, title: str, z: float) -> Iterator[Interval]:
    """The difference among all games, and among those that ended where the cap stopped some."""
    games = _games(sides)
    yield _gap(sides.shares, games, z)
    stopped = [ended.unfinished for ended in sides.ended]
    if title != NOT_OVER and any(stopped):
        over = [1 - one for one in stopped]
        if not all(over):  # of one reading no game ended: nothing is known
            yield Interval(0.0, 0.0, 0.0)
            return
        among = [min(1.0, share / of) for share, of in zip(sides.shares, over, strict=True)]
        finished = [of * part for of, part in zip(games, over, strict=True)]
        yield _gap(among, finished, z)


def _gap(shares: Sequence[float], games: Sequence[float], z: float) -> Interval:
    first, second = (wilson(share, of, z) for share, of in zip(shares, games, strict=True))
    return newcombe(second, first)


def _games(sides: _Sides) -> list[int]:
    return [ended.games for ended in sides.ended]


def _tell_of_rules(pair: tuple[Bar, Bar]) -> bool:
    """Whether two bars differ in their rules alone: not in who played, nor in which few kinds of games he plays."""
    of_rounds = any(bar.outcomes and bar.outcomes.of_rounds for bar in pair)
    few = any(Kinds.of(bar, of_rounds).few for bar in pair)
    return by_same_players(*pair) and not few and not is_same_game(*pair, of_rounds=of_rounds)


class Kinds(NamedTuple):
    """Of how many kinds the games of a bar are, or their first rounds; None where it is not known or says nothing.

    few: whether so few that they tell of who played alone
    """

    number: int | None
    few: bool

    @classmethod
    def of(cls, bar: Bar, of_rounds: bool) -> "Kinds":
        """of_rounds: whether first rounds are meant, also those of whole games, which may be of far fewer kinds."""
        batch = bar.batch
        if not of_rounds or bar.outcomes is None or bar.outcomes.of_rounds or batch is None:
            return cls(bar.kinds, bool(bar.few_kinds))
        counted = first_round_variety(batch) if "random" not in batch.players.split(",") else {}
        few = few_kinds({VARIETY: counted}, batch.players)
        return cls(counted.get("different"), bool(few))


def by_same_players(one: Bar, other: Bar) -> bool:
    """Whether the same players played both, with the same weights of their evaluation; so does what is proved."""
    if one.batch is None or other.batch is None:
        return True
    return _player(one, one.batch) == _player(other, other.batch)


def _player(bar: Bar, batch: Batch) -> str:
    return with_weights(as_engine(bar.row.ruleset), batch.players) if bar.row.ruleset else batch.players


def is_same_game(one: Bar, other: Bar, of_rounds: bool = False) -> bool:
    """Whether the same players played the same games under both, number by number: what differs never came up.

    of_rounds: of whole games, whether their first rounds were the same, in all that is counted of them
    """
    first, second = one.batch, other.batch
    if first is None or second is None or not by_same_players(one, other):
        return False
    if any(getattr(first, name, None) != getattr(second, name, None) for name in ("games", "seed", "until", "cap")):
        return False
    if (digest := getattr(first, "digest", "")) and digest == second.digest:
        return True
    rounds = [_of_first_rounds(bar) for bar in (one, other)]
    return of_rounds and bool(rounds[0]) and rounds[0] == rounds[1]


def _of_first_rounds(bar: Bar) -> list[tuple[object, ...]]:
    """All figures of the first rounds of whole games."""
    sections = (bar.batch.summary or {}).get("sections", ()) if bar.batch else ()
    rows = [row for section in sections for row in section["rows"] if row["key"].startswith("first_round")]
    return [tuple(row[name] for name in ("key", "value", "low", "high", "n")) for row in rows]


def _shares(mine: Outcomes, theirs: Outcomes) -> dict[str, float]:
    """The share of each outcome that can happen; without those of sides that are not called alike in both readings."""
    same = _sides(mine) == _sides(theirs)
    parts = [part for part in mine.segments if part.possible and (same or not part.kind.startswith("won-"))]
    return {role(part): part.share for part in parts} if mine.games else {}


def _sides(outcomes: Outcomes) -> set[str]:
    return {role(part) for part in outcomes.segments if part.kind.startswith("won-")}


def _who(found: Difference, level: FigureLevel) -> str:
    """Who shows it: "random players", "club players of both kinds"."""
    return f"{level.players or 'players'} of both kinds" if found.again else level.players


def _headline(found: Difference, level: FigureLevel) -> str:
    """The difference without figures: what happens more often, under which of the two readings, and who plays."""
    less, more = (side.bar.row.name for side in sorted((found.first, found.second), key=lambda one: one.share.value))
    title, counted = found.title, found.counted
    if title.endswith(OWNED_MORE):
        said = f"{title.removesuffix(OWNED_MORE)} owns more after more first rounds"
    elif title.startswith(WON_BY):
        said = f"{title.removeprefix(WON_BY)} wins more {counted}"
    else:
        said = f"more {counted} {_happen(found)}"
    return between_players(_who(found, level), f"{said} under {more} than under {less}")


def _happen(found: Difference) -> str:
    """The end as a verb: "are drawn", "end equal"; of games that are not over, whether they were only stopped."""
    if found.title == ENDED_EQUAL:
        return "end equal"
    if found.title != NOT_OVER:
        return f"are {found.title}"
    kinds = _not_over(found)
    caps = {side.bar.batch.cap for side in (found.first, found.second, *found.again) if side.bar.batch}
    after = f" after {caps.pop():,} turns" if len(caps) == 1 else ""
    if kinds == {UNFINISHED} and after:
        return f"have not ended{after}"
    return f"are {ENDLESS}" if kinds == {ENDLESS} else f"are {NOT_OVER}{after}"


def _not_over(found: Difference) -> set[str]:
    """What the games are that are not over, on each side that has some: endless, unfinished, or both."""
    return {side.ended.open_title for side in (found.first, found.second, *found.again) if side.ended.open}


def _endless(found: Difference) -> str:
    """How many of the games that are not over never could be, where others were only stopped; empty else."""
    if found.title != NOT_OVER or _not_over(found) in ({UNFINISHED}, {ENDLESS}):
        return ""
    sides = [(side.bar.row.name, side.ended) for side in (found.first, found.second)]
    one, other = (
        f"{in_percent(wilson(max(0.0, ended.open - ended.unfinished), ended.games))} under {name}"
        for name, ended in sides
    )
    return f" Endless: {one}, {other}; the others were stopped."


def _said(found: Difference, shares: Sequence[str], between: str) -> str:
    """One share under the first reading and one under the other, with a word between them."""
    both = f"under {found.first.bar.row.name}{between} {shares[1]} under {found.second.bar.row.name}"
    if found.title.endswith(OWNED_MORE):  # a first round is not won
        return f"in {shares[0]} {found.counted} {found.title} {both}"
    return f"{shares[0]} {found.counted} {_happen(found)} {both}"


def _sentence(found: Difference, level: FigureLevel) -> str:
    first, second = (in_percent(side.share) for side in (found.first, found.second))
    said = between_players(level.players, _said(found, (f"{first} of", second), " and"))
    if not found.again:
        return f"{capitalised(said)}.{_endless(found)}"
    again, other_again = (in_percent(side.share) for side in found.again)
    who = f"{level.players or 'players'} {OF_THE_SECOND}"
    return f"{capitalised(said)}; between {who} {again} and {other_again}.{_endless(found)}"


def _plain(found: Difference, level: FigureLevel) -> str:
    shares = [of_hundred(side.share.value) for side in (found.first, found.second)]
    return f"{capitalised(between_players(level.players, _said(found, shares, ', and')))}."


def proved(game: Game, bars: Sequence[Bar], level: FigureLevel, at_random: Mapping[str, Bar]) -> Finding | None:
    """The finding of the solved readings of a game; None where none is solved.

    at_random: slug of a reading → its bar on the level of random play
    Of several readings the one is named in which random players come to what is proved least often; it is picked, so
    that its limits hold for all of them together.
    """
    solved = [(bar, bar.outcomes) for bar in bars if bar.outcomes]
    if not solved:
        return None
    shares: list[Side] = []
    for bar, outcomes in solved:
        random = at_random.get(bar.row.slug)
        if random and random.outcomes and random.outcomes.games:
            same = [part for part in random.outcomes.segments if part.kind == outcomes.segments[0].kind]
            share = wilson(sum(part.share for part in same), random.outcomes.games)
            shares.append(Side(random, share, random.outcomes, _key(outcomes.segments[0])))
    size, contrast, chance, size_text = None, "", "", "proved"
    if shares:
        seldom = min(shares, key=lambda one: one.share.value)
        low, high = wilson(seldom.share.value, seldom.ended.games, strictness(len(shares))).limits
        size = Interval(1 - seldom.share.value, 1 - high, 1 - low)
        contrast, chance = (
            f" {_at_random(seldom, share, len(shares))}"
            for share in (f"{in_percent(seldom.share)} of", of_hundred(seldom.share.value))
        )
        size_text = f"{100 * size.value:.1f} of 100 random games end otherwise"
    found = finding([(bar.row.name, tendency(outcomes, 0)) for bar, outcomes in solved], len(solved))
    readings = "the solved reading" if len(solved) == 1 else f"all {len(solved)} solved readings"
    random_bars = tuple(side.bar for side in shares)
    return Finding(
        kind=PROVED,
        game=game,
        headline=f"{game.name}: {lowered(found)}",
        sentence=f"If both sides play without fault, the result is certain in {readings}.{contrast}",
        plain=f"{capitalised(found)}.{chance}",
        size=size,
        size_text=size_text,
        level=level.key,
        level_text=level.title,
        games=None,
        links=tuple((bar.row.title, f"{bar.row.address}#solution") for bar, _ in solved),
        batches=tuple(bar.batch.id for bar in random_bars if bar.batch),
        bars=random_bars,
        bars_of="random players",
        shares=tuple(map(_share, shares)),
        looked_at=max(1, len(shares)),
    )


def _at_random(seldom: Side, share: str, readings: int) -> str:
    """How often random players come to what is proved; of several readings, where they do least often."""
    least, colon = (" least often", ":") if readings > 1 else ("", "")
    return f"Random players come to the proved result{least} under {seldom.bar.row.name}{colon} in {share} games."
