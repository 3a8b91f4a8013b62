"""A claim in few words, for its card and the head of its page: the stamp, how it was tested, who sat where, and the
games to be seen."""

from collections.abc import Mapping
from typing import NamedTuple

from django.urls import get_script_prefix

from catalogue.analyses import claim_definitions
from catalogue.analyses.claim_results import DEPENDING_SIGN, DEPENDING_WORDS, ClaimResult, ClaimTestResult
from catalogue.analyses.claim_verdicts import DEPENDS
from catalogue.models import Verdict
from catalogue.texts.formatting import listed
from catalogue.texts.sureness import PROVED, Sureness, sureness
from simulator.batches.finalize import FEW
from simulator.batches.levels import FIRSTS, LEVELS, line_in_words
from simulator.models import Batch


class Stamp(NamedTuple):
    sign: str
    words: str


DEPENDING = Stamp(DEPENDING_SIGN, DEPENDING_WORDS)
NO_GAME = Stamp(Verdict.Kind.UNTESTABLE.sign, "no game can tell")
WITHOUT_GAMES = {
    claim_definitions.SOLUTION: "Proved: every position was looked at.",
    claim_definitions.FIRST_MOVES: "Proved: every first move was played, with every reply.",
    claim_definitions.THROWS: "Proved: every throw was played.",
    claim_definitions.RULE: "The rule itself says so.",
    claim_definitions.WITNESS: "One game in which it happens is enough: here it is.",
}
MOST_PLAYERS = 2  # kinds of players that one line names
EACH_SIDE = "Each player has each side in half of the games."
ONE_EACH = "The player named first has the first move in every game; the sides are not exchanged."
ALIKE = "The same player on every side."


def stamp(one: ClaimResult) -> Stamp:
    """The verdict as it is stamped on a card."""
    if one.verdict.reason == DEPENDS:
        return DEPENDING
    kind = one.verdict.kind
    return NO_GAME if kind == Verdict.Kind.UNTESTABLE else Stamp(kind.sign, str(kind.label))


STAMPS = (
    *(Stamp(kind.sign, str(kind.label)) for kind in (Verdict.Kind.SUPPORTED, Verdict.Kind.NOT_SUPPORTED)),
    DEPENDING,
)


def decided_first(one: ClaimResult) -> int:
    """Where a card stands: what is decided first, what no game can tell last."""
    found = stamp(one)
    order = (*STAMPS, Stamp(Verdict.Kind.UNDECIDED.sign, str(Verdict.Kind.UNDECIDED.label)), NO_GAME)
    return order.index(found)


def is_decided(one: ClaimResult) -> bool:
    """Whether its tests say yes or no, or each reading says another thing."""
    return stamp(one) in STAMPS


def how_sure(one: ClaimResult) -> Sureness | None:
    """How sure its verdict is, by the weakest of the tests that decide it; None where it is not decided."""
    tests = [(test, test.verdict) for test in one.heard if test.verdict] if is_decided(one) else []
    if not tests:
        return None
    played = [(test, verdict) for test, verdict in tests if not test.is_exact]
    if not played:
        return PROVED
    are_alike = not one.claim.about_rules and any((test.kinds or FEW) < FEW for test, _ in played)
    return sureness(min(verdict.games for _, verdict in played), are_alike=are_alike)


def tested(one: ClaimResult) -> str:
    """How it was tested, in a line."""
    if one.verdict.kind == Verdict.Kind.UNTESTABLE:
        return f"{one.why.partition('. ')[0].removesuffix('.')}."
    run = [(test, test.verdict) for test in one.heard if test.verdict]
    if not run:
        return waits_for(one)
    exact = dict.fromkeys(WITHOUT_GAMES.get(str(test.test.get("kind")), "") for test, _ in run)
    games = sum(verdict.games for test, verdict in run if not test.is_exact)
    players = list(dict.fromkeys(test.players for test, _ in run if not test.is_exact))
    readings = dict.fromkeys(reading.slug for test, _ in run for reading in test.readings)
    under = f", under {len(readings)} readings" if len(readings) > 1 else ""
    said = [f"{games:,} games{under}: {_named(players)}."] if games else []
    return " ".join([*said, *filter(None, exact)])


def waits_for(one: ClaimResult) -> str:
    """What a claim waits for of which no test has been run yet, in a line."""
    tests = [claim_definitions.read(test.test) for test in one.heard if not (test.is_exact or test.needs)]
    proofs = ["a proof by computer"] if any(test.is_exact for test in one.heard) else []
    number = sum((test.most_games or 0) * len(test.lines) for test in tests)
    games = f"{number:,} games" if number and all(test.most_games for test in tests) else "games"
    words = list(dict.fromkeys(FIRSTS.get(word, word) for test in tests for word in test.players.split(",")))
    if set(words) <= set(LEVELS):
        found = [f"{games} of {listed(sorted(words, key=LEVELS.index))} players"] if tests else []
    else:
        found = [f"{games} ({_named([test.players for test in one.heard if not test.is_exact])})"]
    needed = list(dict.fromkeys(test.needs for test in one.heard if test.needs))
    waited = listed([*proofs, *found, *needed])
    return f"Not tested yet. It waits for {waited}." if waited else "Not tested yet."


def _named(players: list[str]) -> str:
    return "; ".join([*players[:MOST_PLAYERS], *(["others"] if len(players) > MOST_PLAYERS else [])])


def to_see(one: ClaimResult, first: str) -> tuple[str, str] | None:
    """(words, address) of the games that decide it, or of a game to play where none is kept.

    first: a reading of its game
    """
    for test in one.heard:
        if test.game:
            return "See the game", test.game
    batches = [batch for test in one.heard for batch in test.batches]
    if batches:
        return "See the games", f"{get_script_prefix()}batches/{batches[0]}/"
    name = next((reading.slug for test in one.heard for reading in test.readings), first)
    return ("Play the game", f"{get_script_prefix()}rulesets/{name}/play-a-game/") if name else None


def seats(test: ClaimTestResult) -> str:
    """Who sat where in the games of a test; empty where no games were played, or nobody was put against another."""
    if test.is_exact or not test.players:
        return ""
    if test.test.get("both_seats"):
        return EACH_SIDE
    line = str(test.test.get("players", claim_definitions.DEFAULT_PLAYERS)).split(",")
    return ONE_EACH if len(set(line)) > 1 else ALIKE


class SeatGames(NamedTuple):
    """The games of one batch of a test. players: in words, from the first seat; won: how many games each seat won"""

    batch: str
    players: str
    games: int
    won: tuple[int, ...]

    @property
    def said(self) -> str:
        first, *others = (f"{one:,}" for one in self.won)
        return f"the first to move won {first} of {self.games:,} games, the second {listed(others)}"


def both_seats(test: ClaimTestResult, batches: Mapping[str, Batch]) -> list[SeatGames]:
    """Of a test in which two players are exchanged: who won when the one moved first, and when the other did."""
    if not test.test.get("both_seats"):
        return []
    kept = [batches[one] for one in test.batches if one in batches]
    found = [(one, (one.summary or {}).get("counts", {}).get("won_by_seat")) for one in kept]
    return [SeatGames(one.id, line_in_words(one.players), one.games, tuple(won)) for one, won in found if won]
