"""The verdict on a claim, made of the figures of its tests, and why it is undecided.

A test is supported if the whole 95 % interval of its figure lies on the claimed side, not supported if it lies wholly
on the other, and undecided otherwise. A claim is tested under each reading of the record that its words stand in, and
is supported, or not, only if every test says so: where the readings disagree, the answer depends on the reading. How a
program plays the game stands beside it and has no voice, as what a test itself puts beside. A claim about good play
is judged by games of players that think, and not by random play, whatever its figures. A test of players of a level
that has not been played yet has no voice either; of other tests all must have been judged.

What is undecided has one of the reasons of `simulator.statistics.verdicts`, looked at in this order:

- *too few different games*: fewer than FEW of its games differ from each other in anything that is counted, so that
  nothing is concluded beyond the players that play them, and more games of theirs would tell nothing;
- *too many games without an end*: the range that the games stopped by our cap leave open lies on both sides of what is
  claimed, so that it would be undecided however many games there were; where positions come back in them the players
  go to and fro, and no cap would help;
- *as good as equal*: the whole interval lies within the margin about what is claimed: two percentage points of a share,
  5 % of a mean; of a difference, two points between the shares of pairs that have more and that have fewer;
- *too few games*: else. An interval becomes narrower as the root of the games grows: so many more are wanted, if they
  go as these did, that both of its ends lie on the claimed side, or on the other, or within the margin, whichever comes
  first; never fewer than there have to be kinds. Where the test plays no more than a number of its own, it says so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Protocol

from catalogue.analyses.claim_definitions import PLAYED, ClaimTest
from catalogue.models import Verdict
from simulator.batches.finalize import FEW
from simulator.statistics.intervals import Z
from simulator.statistics.verdicts import Explanation, UndecidedReason, first_of, games_more

NEEDS_PLAYERS = (
    "It speaks of players that play well, or follow an advice, and a test names none that do: "
    "games of random players decide nothing."
)
NEEDS = "It needs {}; no player here is one."
NOT_YET = "It has not been judged yet."
DEPENDS = "It depends on the reading."
ANSWERS = "It depends on how an open question is answered."
WHO_PLAYS = "It depends on who plays."
DISAGREE = "Its tests do not agree."
NOT_CERTAIN = "The games played do not decide it: {}."
POINTS, PART = 0.02, 0.05  # margins: of a share, and of a mean as a part of what is claimed
KINDS = "kinds"  # among the counts of a verdict
MOST_MORE = 10_000_000  # games; where more are wanted, none that could be played would do


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """A claim's verdict, why it is undecided if it is, and what each reading says, in the order of the tests."""

    kind: Verdict.Kind
    reason: str
    readings: Mapping[str, Verdict.Kind]
    because: UndecidedReason | None = None


@dataclass(frozen=True, slots=True)
class Voice:
    """What one test says, for the verdict on its claim.

    ruleset: its name; kind: None if it has not been judged; counts: whether it has a voice in the verdict
    waits:   whether the verdict waits for it; for players of a level it does not
    changed: whether it changes rules of the ruleset, as another answer to an open question would
    players: who plays; empty where nobody does
    """

    ruleset: str
    kind: Verdict.Kind | None
    counts: bool = True
    waits: bool = True
    changed: bool = False
    players: str = ""


def of_claim(
    judged_by: str,
    voices: Sequence[Voice],
    *,
    are_played_by_thinkers: bool = False,
    needs: str = "",
    whys: Sequence[Explanation] = (),
) -> ClaimVerdict:
    """The verdict on a claim.

    judged_by: "random", "strong" or "nothing"
    are_played_by_thinkers: whether in all tests somebody does who thinks
    needs:     who would have to play, where no player there is can
    whys:      of the tests that have a voice, were run and are undecided
    """
    if judged_by == "nothing":
        return ClaimVerdict(Verdict.Kind.UNTESTABLE, "", {})
    readings = _by_reading(voices)
    if needs:
        return _without_players(NEEDS.format(needs), readings)
    if judged_by != "random" and not are_played_by_thinkers:
        return _without_players(NEEDS_PLAYERS, readings)
    heard = _heard([voice for voice in voices if voice.counts] or voices)
    if not heard or any(voice.kind is None for voice in heard):
        return ClaimVerdict(Verdict.Kind.UNDECIDED, NOT_YET, readings, UndecidedReason.NOT_JUDGED)
    common = _common([voice.kind for voice in heard])
    if common != Verdict.Kind.UNDECIDED:
        return ClaimVerdict(common, "", readings)
    reason, because = _why(heard, whys)
    return ClaimVerdict(Verdict.Kind.UNDECIDED, reason, readings, because)


def _heard(voices: Sequence[Voice]) -> list[Voice]:
    """Return those that speak, and those that are waited for; if nobody speaks, all."""
    found = [voice for voice in voices if voice.kind is not None or voice.waits]
    return found or list(voices)


def _without_players(reason: str, readings: Mapping[str, Verdict.Kind]) -> ClaimVerdict:
    return ClaimVerdict(
        Verdict.Kind.UNDECIDED, reason, dict.fromkeys(readings, Verdict.Kind.UNDECIDED), UndecidedReason.PLAYERS
    )


def _by_reading(voices: Sequence[Voice]) -> dict[str, Verdict.Kind]:
    """The verdict that the tests of each reading agree on; those beside are asked where a reading has no others."""
    by_name: dict[str, list[Voice]] = {}
    for voice in voices:
        by_name.setdefault(voice.ruleset, []).append(voice)
    return {
        name: _common([voice.kind for voice in _heard([one for one in of if one.counts] or of)])
        for name, of in by_name.items()
    }


def _common(kinds: Sequence[Verdict.Kind | None]) -> Verdict.Kind:
    first = kinds[0]
    return first if first is not None and all(kind == first for kind in kinds) else Verdict.Kind.UNDECIDED


def _why(heard: Sequence[Voice], whys: Sequence[Explanation]) -> tuple[str, UndecidedReason | None]:
    decided, kinds = {Verdict.Kind.SUPPORTED, Verdict.Kind.NOT_SUPPORTED}, {voice.kind for voice in heard}
    if decided <= set(_by_reading(heard).values()):
        return DEPENDS, UndecidedReason.READINGS
    if decided <= kinds and len({voice.changed for voice in heard}) == 2 and _answers_differ(heard):
        return ANSWERS, UndecidedReason.READINGS
    if decided <= kinds and _players_differ(heard):
        return WHO_PLAYS, UndecidedReason.TESTS
    if decided <= kinds or not whys:
        return DISAGREE, UndecidedReason.TESTS
    first = first_of(list(whys))
    return NOT_CERTAIN.format(first.text), first.because


def _players_differ(heard: Sequence[Voice]) -> bool:
    """Return whether all that is decided of the same players is decided alike, so that only players make it differ."""
    by_players: dict[str, set[Verdict.Kind | None]] = {}
    for voice in heard:
        if voice.kind != Verdict.Kind.UNDECIDED:
            by_players.setdefault(voice.players, set()).add(voice.kind)
    return "" not in by_players and all(len(kinds) == 1 for kinds in by_players.values())


def _answers_differ(heard: Sequence[Voice]) -> bool:
    """Return whether the rulesets as they are say one thing, and those with changed rules not the same."""
    as_read, changed = (_common([one.kind for one in heard if one.changed == which]) for which in (False, True))
    return as_read != Verdict.Kind.UNDECIDED and as_read != changed


class Figures(Protocol):
    """The figures of a verdict, named as in `simulator.statistics.bounded.BoundedFigure`.

    games: of the batch, not all of which need be of the kind that the test looks at
    """

    least: float | None
    most: float | None
    low: float | None
    high: float | None
    counts: Mapping[str, int]
    games: int


@dataclass(frozen=True, slots=True)
class Repetition:
    """In how many of so many games of these players a position stood three times."""

    recurring: int
    games: int


def why(
    test: ClaimTest, figures: Figures, *, about_rules: bool = False, repetition: Repetition | None = None
) -> Explanation:
    """Explain why the figures of a test leave it undecided.

    about_rules: then few kinds of games decide it as well
    repetition:  of the same ruleset and players, as far as it was looked at
    """
    if test.kind == "witness":
        return Explanation(UndecidedReason.FEW, "one game shows nothing by its not being so: another may be a witness")
    if test.kind == "alike":
        return Explanation(UndecidedReason.FEW, "one of the two shares that it compares is undecided, or both are")
    if test.kind not in PLAYED:
        return Explanation(UndecidedReason.FEW, "what is exact here does not decide it")
    kinds = figures.counts.get(KINDS)
    if kinds is not None and kinds < FEW and not about_rules:
        are = "all are one game" if kinds == 1 else f"only {kinds} are different"
        text = f"too few different games: {are}, and more games of the same players would tell nothing more"
        return Explanation(UndecidedReason.KINDS, text)
    balance = _Balance(figures.counts) if test.kind == "difference" else None
    if _is_open_without_chance(test, figures, balance):
        return Explanation(UndecidedReason.UNFINISHED, _standstill(repetition))
    if figures.least is None:
        return Explanation(UndecidedReason.FEW, "too few games: none of them tells")
    if _is_equal(test, figures, balance):
        return Explanation(UndecidedReason.EQUAL, f"as good as equal: the whole interval lies {_margin_in_words(test)}")
    factor = min(_factors(test, figures, balance), default=None)
    if factor is None:
        return Explanation(UndecidedReason.FEW, "too few games")
    more = max(games_more(figures.games, factor), FEW - figures.games)
    if more > MOST_MORE:
        return Explanation(
            UndecidedReason.FEW, "too few games: it lies so near what is claimed that no number would do"
        )
    seats = " in either seat" if test.both_seats else ""
    text = f"too few games: about {more:,} more{seats} would decide it, or show it as good as equal"
    if test.most_games is not None and figures.games + more > test.most_games:
        text += f", which is beyond the {test.most_games:,} that this test plays"
    return Explanation(UndecidedReason.FEW, text, more)


def _standstill(repetition: Repetition | None) -> str:
    """Say what the games without an end come to, as far as it was looked at."""
    if repetition and 2 * repetition.recurring >= repetition.games:
        seen = f"a position stood three times in {repetition.recurring:,} of {repetition.games:,} games looked at"
        return f"too many games without an end: the players come to a standstill ({seen}), which no cap mends"
    return "too many games without an end: the cap leaves it open, however many are played"


class _Balance:
    """The share of pairs of games that have more less the share that have fewer.

    limits: with every open pair against it and for it; half: half of its 95 % interval, as a pair counts 1, −1 or 0
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        more, less, same, open_ = (counts[kind] for kind in ("more", "less", "same", "open"))
        pairs = more + less + same + open_ or 1
        self.limits = (more - less - open_) / pairs, (more - less + open_) / pairs
        mean, differing = (more - less) / pairs, (more + less + open_) / pairs
        self.half = Z * sqrt(max(0.0, differing - mean**2) / pairs)
        self.largest, self.smallest = max(map(abs, self.limits)), min(map(abs, self.limits))


def _is_open_without_chance(test: ClaimTest, figures: Figures, balance: _Balance | None) -> bool:
    """Return whether it would be undecided though these games were all there are."""
    met = test.demand.met(figures.least, figures.most)
    if balance is None:
        stopped = figures.counts.get("open", 0) + figures.counts.get("outside", 0)
        return bool(stopped) and met is None
    by_pairs = test.demand.met(*balance.limits)
    return bool(figures.counts["open"]) and (by_pairs is None or by_pairs != met)


def _is_equal(test: ClaimTest, figures: Figures, balance: _Balance | None) -> bool:
    if balance:
        return balance.largest + balance.half <= POINTS
    if figures.low is None or figures.high is None:
        return False
    return max(test.demand.value - figures.low, figures.high - test.demand.value) <= _margin(test)


def _factors(test: ClaimTest, figures: Figures, balance: _Balance | None) -> Iterator[float]:
    """Yield how many times as many games would decide it, and how many would show it as good as equal."""
    assert figures.least is not None
    bound = test.demand.value
    nearest = figures.least if figures.most is None or figures.least >= bound else figures.most
    limits = [(figures.least, figures.low), (figures.most, figures.high)]
    half = max((abs(value - limit) for value, limit in limits if value is not None and limit is not None), default=0.0)
    distance = abs(nearest - bound)
    if balance is None and not half:
        return
    if balance is None:
        if distance:
            yield (half / distance) ** 2
        farthest = max(abs(value - bound) for value in (figures.least, figures.most) if value is not None)
        if figures.most is not None and _margin(test) > farthest:
            yield (half / (_margin(test) - farthest)) ** 2
        return
    if distance and half > distance:
        yield (half / distance) ** 2
    elif distance and balance.smallest:  # the mean is certain: what is open is which of two games has more
        yield (balance.half / balance.smallest) ** 2
    if balance.largest < POINTS:
        yield (balance.half / (POINTS - balance.largest)) ** 2


def _margin(test: ClaimTest) -> float:
    return POINTS if test.kind == "share" else PART * abs(test.demand.value)


def _margin_in_words(test: ClaimTest) -> str:
    if test.kind == "difference":
        return "within two percentage points of as many pairs with more as with fewer"
    return f"within {'two percentage points' if test.kind == 'share' else '5 %'} of what is claimed"
