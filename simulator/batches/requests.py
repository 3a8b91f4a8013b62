"""Requests for batches, checked in one place for site, API and commands.

A batch is identified by its request, so a checked request knows its id: the same request is the same batch,
and a citation of it survives a rebuilt database.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import rfc8785
from django.conf import settings

from simulator import rulesets
from simulator.batches import levels, prices
from simulator.engine.family import Family, family
from simulator.engine.players.names import FAULTLESS, PLAYERS_VERSION, PlayersProblem
from simulator.engine.ruleset import Problem, Ruleset, nearest
from simulator.models import Batch, Solution
from simulator.problems import WrongRequest, collecting, whole_number

MOST_GAMES = 100_000_000
MOST_SEED = 2**53 - 1  # the largest whole number that every JSON reader keeps exact
MOST_CAP = 100_000
BOUNDS = {"games": (1, MOST_GAMES), "seed": (0, MOST_SEED), "cap": (1, MOST_CAP)}
DEFAULT_GAMES, DEFAULT_SEED, DEFAULT_PLAYERS, DEFAULT_CAP, DEFAULT_UNTIL = 1_000, 1, "random", 2_000, "game"
DEFAULTS: dict[str, int | str] = {
    "games": DEFAULT_GAMES,
    "seed": DEFAULT_SEED,
    "players": DEFAULT_PLAYERS,
    "cap": DEFAULT_CAP,
    "until": DEFAULT_UNTIL,
}


def content_hash(**content: Any) -> str:
    """Return the SHA-256 of the content in canonical JSON (RFC 8785)."""
    return hashlib.sha256(rfc8785.dumps(content)).hexdigest()


def as_options(**terms: Any) -> str:
    """Return the terms as a command takes them: `--games 1000 --seed 1`; what is only said or not has no value."""
    return " ".join(f"--{name}" if value is True else f"--{name} {value}" for name, value in terms.items())


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """A request that can be met: play these games.

    family_version: the rules version of the family, part of its name
    row_version:    which columns its rows have; no part of its name, so that a new column renames nothing
    traffic:        whether what the games leave on the board is counted; part of its name only where it is
    """

    ruleset: Ruleset
    family_version: int
    row_version: int = field(compare=False)
    players: tuple[str, ...]
    seed: int
    games: int
    cap: int
    until: str
    traffic: bool = False

    @property
    def id(self) -> str:
        """First 16 hex digits of the SHA-256 of the request in canonical JSON (RFC 8785)."""
        return self.id_with(PLAYERS_VERSION)

    def id_with(self, players_version: int) -> str:
        """Return the id that this request has, or had, with players of that version."""
        content = {"ruleset": self.ruleset.hash, "family_version": self.family_version, **self.terms}
        if self.uses_search:
            content["players_version"] = players_version
        return content_hash(**content)[:16]

    @property
    def players_version(self) -> int | None:
        """Random play has no version of its own."""
        return PLAYERS_VERSION if self.uses_search else None

    @property
    def terms(self) -> dict[str, Any]:
        """The request besides the ruleset, as `check_request` takes it."""
        terms = {key: getattr(self, key) for key in DEFAULTS}
        counted = {"traffic": True} if self.traffic else {}
        return {**terms, "players": ",".join(self.players), **counted}

    @property
    def engine_version(self) -> str:
        return f"{self.ruleset.family} {self.family_version}"

    @property
    def work(self) -> int:
        """The expected processor time of its games, in units of about a turn of random play."""
        return prices.work_of(self.ruleset, self.players, self.games, self.cap)

    @property
    def uses_search(self) -> bool:
        """Whether any player does more than draw a move."""
        return set(self.players) != {"random"}


def check_request(
    ruleset: Ruleset | str,
    *,
    games: int | str = DEFAULT_GAMES,
    seed: int | str = DEFAULT_SEED,
    players: str = DEFAULT_PLAYERS,
    cap: int | str = DEFAULT_CAP,
    until: str = DEFAULT_UNTIL,
    traffic: bool = False,
    changes: Mapping[str, str] | None = None,
) -> BatchRequest:
    """Check a request, whose numbers may come as typed; raises WrongRequest with everything that is wrong.

    changes: parameters of the ruleset to be set, if it is given by name
    """
    problems: list[Problem] = []
    numbers: dict[str, int] = {}
    for key, typed in (("games", games), ("seed", seed), ("cap", cap)):
        with collecting(problems):
            numbers[key] = whole_number(key, typed, *BOUNDS[key])
    if until not in Batch.Until.values:
        near = nearest(until, Batch.Until.values)
        problems.append(Problem("until", f"must be game or round, not {until!r}", near))
    if isinstance(ruleset, str):
        try:
            ruleset = rulesets.find(ruleset, changes)
        except WrongRequest as error:
            raise WrongRequest((*error.problems, *problems)) from error
    engine = family(ruleset.family)
    if until == Batch.Until.ROUND and not has_rounds(engine):
        problems.append(
            Problem("until", f"{engine.title.lower()} have no rounds, so a game is played to its end", "game")
        )
    if traffic and not engine.traffic(ruleset.parameters).cells:
        message = f"what {engine.title.lower()} leave on the board is not counted"
        problems.append(Problem("traffic", message, False))
    names: tuple[str, ...] = ()
    try:
        names = _faultless(ruleset, players, until) or levels.players_for(ruleset, players)
    except PlayersProblem as error:
        problems.append(Problem("players", str(error)))
    if problems:
        raise WrongRequest(problems)
    versions = engine.rules_version, engine.row_version
    request = BatchRequest(ruleset, *versions, names, until=until, traffic=bool(traffic), **numbers)
    refuse_above(request, prices.ANYBODY)
    return request


def _faultless(ruleset: Ruleset, players: str, until: str) -> tuple[str, ...]:
    """Return the players of a line that asks for faultless play of all sides; nothing for any other line.

    Raises PlayersProblem for a ruleset whose positions nobody has looked at, all of them.
    """
    if {word.strip() for word in players.split(",")} != {FAULTLESS}:
        return ()
    if until == Batch.Until.ROUND:
        raise PlayersProblem(f"{FAULTLESS} plays games to their end; the nearest for a round is 'strong'")
    version = family(ruleset.family).rules_version
    rows = Solution.objects.filter(ruleset=ruleset.hash, family_version=version, state=Solution.State.DONE)
    if ruleset.hash not in _solved_candidates() and not rows.filter(document__method="retrograde").exists():
        raise PlayersProblem(
            f"{FAULTLESS} plays what is solved by looking at every position, and this is not; the nearest is 'strong'"
        )
    return (FAULTLESS,) * 2


@cache
def _solved_candidates() -> frozenset[str]:
    """Return the hashes of those rulesets of sets of candidates that ship solved by the present rules."""
    files = (Path(settings.BASE_DIR) / "fixtures" / "solutions" / "candidates").glob("*.json")
    found = (json.loads(path.read_text(encoding="utf-8")) for path in files)
    return frozenset(
        one["hash"]
        for written in found
        if all(family(name).rules_version == version for name, version in written["family_versions"].items())
        for one in written["candidates"]
    )


def refuse_above(request: BatchRequest, ceiling: prices.Ceiling) -> None:
    """Raises WrongRequest, which names the most that is possible, for what is above the ceiling."""
    if problems := list(prices.exceeded(request.ruleset, request.players, request.games, request.cap, ceiling)):
        raise WrongRequest(problems)


def players_version_of(request: BatchRequest, batch: str) -> int | None:
    """Return the version of the players with which this request is the batch of that id; None if nobody thinks.

    What no version up to the next ones gives is taken for one that is not known here: 0.
    """
    if not request.uses_search:
        return None
    # The version is only in the hash, so it is found by trying.
    return next((tried for tried in range(1, PLAYERS_VERSION + 10) if request.id_with(tried) == batch), 0)


def has_rounds(engine: Family) -> bool:
    """Return whether games of the family may come in rounds, so that one can stop after the first."""
    return any(measure.scope == "first_round" for measure in engine.measures)


def request_of_batch(batch: Batch) -> BatchRequest:
    """Return the request a batch answers, at the versions it was played with."""
    terms = {**batch.terms, "players": tuple(batch.players.split(","))}
    return BatchRequest(rulesets.as_engine(batch.ruleset), batch.family_version, batch.columns_version, **terms)
