"""Requests for a ladder of players: its rungs, and the batches of each match, checked before any is played."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simulator import rulesets
from simulator.batches import levels
from simulator.batches.requests import BatchRequest, check_request, content_hash
from simulator.engine.family import family
from simulator.engine.players.names import PlayersProblem, parse_players, players_for, seating, sides_of
from simulator.engine.ruleset import Problem, Ruleset
from simulator.problems import WrongRequest, collecting, whole_number

# Changes when a figure or a sentence of a ladder would come out differently from the same batches.
LADDER_VERSION = 1

FEWEST_RUNGS, MOST_RUNGS = 2, 16
FIRST_BUDGET, DEFAULT_MOST = 16, 128
MOST_BUDGETS = {"uct": 1 << 16, "alpha_beta": 12}
DEFAULT_GAMES, MOST_GAMES = 200, 100_000
LUCK_GAMES = 2_000
TERMS = ("games", "seed", "cap", "until")


@dataclass(frozen=True, slots=True)
class Match:
    """Two rungs and their batches: one for each side, whose seats the stronger player has in it."""

    stronger: int
    weaker: int
    requests: tuple[BatchRequest, ...]


@dataclass(frozen=True, slots=True)
class LadderRequest:
    """A ladder that can be climbed.

    rungs: names of players, weakest first; games: of each match
    luck:  where lots are thrown, games of random players, which say what the throws alone decide
    """

    name: str
    ruleset: Ruleset
    rungs: tuple[str, ...]
    games: int
    matches: tuple[Match, ...]
    luck: BatchRequest | None

    @property
    def content(self) -> dict[str, Any]:
        """What determines it besides the ruleset."""
        first = self.matches[0].requests[0]
        return {
            "version": LADDER_VERSION,
            "family_version": first.family_version,
            "rungs": list(self.rungs),
            "games": self.games,
            **{name: first.terms[name] for name in ("seed", "cap", "until")},
        }

    @property
    def id(self) -> str:
        """First 16 hex digits of the SHA-256 of what was asked for, in canonical JSON (RFC 8785)."""
        return content_hash(ruleset=self.ruleset.hash, **self.content)[:16]

    @property
    def requests(self) -> tuple[BatchRequest, ...]:
        """Of every batch that it needs, each once."""
        needed = [one for match in self.matches for one in match.requests]
        return tuple({one.id: one for one in (*needed, *((self.luck,) if self.luck else ()))}.values())

    @property
    def work(self) -> int:
        """What its games take, as `prices.UNITS` counts."""
        return sum(one.work for one in self.requests)


def doubling(search: str = "uct", most: int | str = DEFAULT_MOST) -> tuple[str, ...]:
    """Random play, and on top of it budgets that double up to `most`; raises WrongRequest.

    search: "uct", from 16 iterations, or "alpha_beta", from a depth of 1 (where one ply more is far more than twice)
    """
    if search not in MOST_BUDGETS:
        raise WrongRequest.of("search", f"must be uct or alpha_beta, not {search!r}", "uct")
    first = FIRST_BUDGET if search == "uct" else 1
    number = whole_number("most", most, first, MOST_BUDGETS[search])
    doubled = (first << doublings for doublings in range((number // first).bit_length()))
    budgets = range(1, number + 1) if search == "alpha_beta" else doubled
    return ("random", *(f"{search}:{budget}" for budget in budgets))


def check_ladder(
    name: str,
    rungs: Sequence[str],
    *,
    games: int | str = DEFAULT_GAMES,
    ruleset: Ruleset | None = None,
    **wanted: Any,
) -> LadderRequest:
    """The request, checked; raises WrongRequest with everything that is wrong.

    name:   of the ruleset, unless it is given itself
    rungs:  names of players, or levels of the scale, for which the ruleset's own players stand
    games:  of each match, all seatings together; wanted: seed, cap, until, as `check_request` takes them
    """
    found = ruleset or rulesets.find(name)
    sides, rungs = sides_of(found), [levels.resolve_players(found, rung) for rung in rungs]
    problems = _problems_of_rungs(found, rungs)
    number = DEFAULT_GAMES
    with collecting(problems):
        number = whole_number("games", games, 1, MOST_GAMES)
    if number % len(sides):
        nearest = max(len(sides), round(number / len(sides)) * len(sides))
        message = f"must be a multiple of {len(sides)}, since each side is played as often as the others, not {number}"
        problems.append(Problem("games", message, nearest))
    with collecting(problems):
        check_request(found, players="random", **wanted)
    if problems:
        raise WrongRequest(problems)
    names = tuple(parse_players(rung, 1)[0] for rung in rungs)
    pairs = [(high, high - 1) for high in range(1, len(names))]
    if len(names) > 2:
        pairs.append((len(names) - 1, 0))
    matches = tuple(_match(found, names, pair, number // len(sides), wanted) for pair in pairs)
    luck = check_request(found, games=LUCK_GAMES, **wanted) if family(found.family).throws else None
    return LadderRequest(name, found, names, number, matches, luck)


def _problems_of_rungs(found: Ruleset, rungs: Sequence[str]) -> list[Problem]:
    problems, names = [], []
    for rung in rungs:
        try:
            names.append(players_for(found, rung)[0])
        except PlayersProblem as error:
            problems.append(Problem("rungs", str(error)))
    if not FEWEST_RUNGS <= len(rungs) <= MOST_RUNGS:
        message = f"a ladder has from {FEWEST_RUNGS} to {MOST_RUNGS} rungs, not {len(rungs)}"
        problems.append(Problem("rungs", message, min(max(len(rungs), FEWEST_RUNGS), MOST_RUNGS)))
    problems += [
        Problem("rungs", f"{name} stands twice on the ladder") for name in dict.fromkeys(names) if names.count(name) > 1
    ]
    return problems


def _match(found: Ruleset, names: Sequence[str], pair: tuple[int, int], games: int, wanted: dict[str, Any]) -> Match:
    """games: of each seating, all from one seed: game for game the throws are the same, with the seats exchanged."""
    stronger, weaker = pair
    sides = sides_of(found)
    requests = []
    for own in sides:
        line = ",".join(seating(sides, own, names[stronger], names[weaker]))
        requests.append(check_request(found, games=games, players=line, **wanted))
    return Match(stronger, weaker, tuple(requests))
