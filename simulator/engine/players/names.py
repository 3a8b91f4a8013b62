"""Players by name: which there are, how a line of them is read, and who may play a ruleset.

`random` draws a move; `greedy` takes the turn after which the family's evaluation is best for it; `alpha_beta:DEPTH`
searches DEPTH plies ahead, and `alpha_beta:DEPTH/FURTHER` up to FURTHER more where something is taken;
`expectimax:DEPTH` looks ahead where lots are thrown, with every throw by its chance;
`uct:ITERATIONS/HORIZON` plays ITERATIONS games on from the position and judges those that have not ended after HORIZON
turns by the evaluation; `policy:NAME` plays the turn after which what a source advises is fulfilled most, ties by lot.
Budgets are counted, never timed, so that a game is the same on every machine. Options of a search stand behind colons,
`uct:400/6:c=60:prior=8`, in the order of OPTIONS: a comma separates the seats, and a colon, unlike a plus or a
semicolon, means nothing else to a shell or in an address. Whoever evaluates does so with the weights fitted for the
ruleset's kind of game, or for another one that is named last, `greedy:weights=first_row`: so one player can have the
same weights in rulesets of several kinds. What a ruleset does not have weighs nothing.

Where the rules let a player end the game by consent (`Family.consent`), that is a decision and no lot: `random` and
`greedy` never do so, and searches only where its result is worth more to them than playing on.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from simulator.engine import weights
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.ruleset import Ruleset, nearest

RANDOM, GREEDY, ALPHA_BETA, UCT, EXPECTIMAX, POLICY = range(6)
KINDS = ("random", "greedy", "alpha_beta", "uct", "expectimax", "policy")
FORMS = (
    *("random", "greedy", "alpha_beta:4", "alpha_beta:4/6", "expectimax:2"),
    *("uct:1000", "uct:1000/200", "uct:1000/200:c=40:prior=8", "policy:together"),
)
FAULTLESS = "faultless"  # both sides of a solved game by its table: no search, and nobody to play against
PLAYERS_VERSION = 6  # changes only when some search would play some game differently
MOST_DEPTH, MOST_FURTHER, MOST_ITERATIONS, MOST_HORIZON = 32, 32, 1_000_000, 10_000
DEEP = {"alpha_beta": MOST_DEPTH, "expectimax": 8}  # players whose budget is plies, and the most there may be
HORIZON = 200  # turns of a game played on, unless the name says otherwise
EXPLORATION = 40  # hundredths, likewise


class PlayersProblem(ValueError):
    """A line of players is wrong; the message names the nearest valid one."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player with all its options.

    kind:        one of RANDOM … POLICY
    budget:      plies ahead, or games played on; else 0
    horizon:     turns of a game played on, for UCT; plies beyond the budget where something is taken, for ALPHA_BETA
    exploration: how far UCT looks beyond what has done best so far: c in its formula, in hundredths
    prior:       how many tries of a move the evaluation of what it leads to stands for
    policy:      the name of a policy, for POLICY
    weights:     the kind of game whose weights the evaluation has; empty for the kind of the ruleset
    """

    kind: int
    budget: int = 0
    horizon: int = 0
    exploration: int = EXPLORATION
    prior: int = 0
    policy: str = ""
    weights: str = ""

    def __str__(self) -> str:
        """Return the canonical name, which leaves out every option at its default."""
        named = f":{WEIGHTS}={self.weights.replace(' ', '_')}" if self.weights else ""
        if self.kind in (RANDOM, GREEDY):
            return f"{KINDS[self.kind]}{named}"
        if self.kind == POLICY:
            return f"{KINDS[POLICY]}:{self.policy}"
        horizon = f"/{self.horizon}" if self.horizon != (HORIZON if self.kind == UCT else 0) else ""
        options = {key: getattr(self, field) for key, (field, *_) in OPTIONS.items()}
        changed = (f":{key}={value}" for key, value in options.items() if value != DEFAULTS[key])
        return f"{KINDS[self.kind]}:{self.budget}{horizon}{''.join(changed)}{named}"

    @property
    def uses_search(self) -> bool:
        """Whether the player looks ahead beyond its own turn."""
        return self.kind in (ALPHA_BETA, EXPECTIMAX, UCT)


# Options of UCT by key, in the order of a canonical name: field, name in messages, largest value.
OPTIONS = {
    "c": ("exploration", "exploration", 1_000),
    "prior": ("prior", "weight of the evaluation", 1_000),
}
DEFAULTS = {key: getattr(Player(UCT), field) for key, (field, *_) in OPTIONS.items()}
WEIGHTS = "weights"  # the option of everybody who evaluates, behind those of UCT


FIRST = 1 << 15  # what an advice weighs beside an evaluation: no turn makes up for it, but a win does


@dataclass(frozen=True, slots=True)
class Policy:
    """A piece of advice from a source, as a preference over features of a position.

    The data (`simulator/engine/weights/policies.json`) give the source's words beside the weights that they were read
    as.

    words:     what its player does, in a clause; game: whose advice it is
    where:     parameters and their values: the rulesets it can be followed in
    prefers:   by role, what each feature weighs
    base:      "greedy" if it weighs what the greedy player does where the advice leaves a choice; else it draws a lot
    record:    the portal's identifier; source: author, year and page; quotation: the advice, in the source's words
    reading:   how the words became a preference, and what of that is conjecture
    """

    words: str
    game: str
    where: Mapping[str, Any]
    prefers: Mapping[str, Mapping[str, int]]
    record: str
    source: str
    quotation: str
    reading: str
    base: str = ""

    def applies(self, parameters: Mapping[str, Any]) -> bool:
        """Say whether a ruleset with these parameters belongs to the policy's game."""
        return all(parameters.get(key) == value for key, value in self.where.items())

    def weigh(self, kind: str, role: str) -> Mapping[str, int]:
        """Return the weight of each feature for a role, as `simulator.engine.weights.Weigh` does."""
        if not self.base:
            return self.prefers[role]
        scaled = {name: number * (1 if name == "within" else FIRST) for name, number in self.prefers[role].items()}
        return {**weights.weigh(self.where["family"])(kind, role), **scaled}


@cache
def policies() -> Mapping[str, Policy]:
    """Return every policy by name."""
    file = Path(weights.__file__).parent / "policies.json"
    return {name: Policy(**fields) for name, fields in sorted(json.loads(file.read_text(encoding="utf-8")).items())}


@lru_cache(maxsize=1024)  # every price and every sentence asks for it
def player(name: str) -> Player:
    """Return the player of that name; raises PlayersProblem, naming the nearest valid one."""
    if name.startswith(f"{KINDS[POLICY]}:"):
        return Player(POLICY, policy=_policy(name))
    numbers = r"(\d{1,9})(?:/(\d{1,9}))?"
    plain, _, named = name.partition(f":{WEIGHTS}=")
    match = re.fullmatch(
        rf"(random|greedy)|(alpha_beta|expectimax):{numbers}|(uct):{numbers}((?::\w+=\d{{1,9}})*)", plain
    )
    if named and plain == KINDS[RANDOM]:
        raise PlayersProblem(f"who draws its moves weighs nothing, so {name!r} is no player; the nearest is 'random'")
    if match is None:
        near = nearest(name, FORMS)
        raise PlayersProblem(f"no player is called {name!r}; the nearest is {near!r} (there are {', '.join(FORMS)})")
    simple, deep, depth, further, _, iterations, horizon, options = match.groups()
    if plain != name:
        return replace(player(plain), weights=_kind_named(name, named))
    if simple:
        return Player(KINDS.index(simple))
    if depth:
        plies = _within(name, "depth", depth, 1, DEEP[deep])
        if further is None:
            return Player(KINDS.index(deep), plies)
        if deep != KINDS[ALPHA_BETA]:
            raise PlayersProblem(f"{deep} looks no further than its depth; the nearest is '{deep}:{depth}'")
        return Player(ALPHA_BETA, plies, _within(name, "number of further plies", further, 0, MOST_FURTHER))
    turns = HORIZON if horizon is None else _within(name, "horizon", horizon, 0, MOST_HORIZON)
    budget = _within(name, "number of iterations", iterations, 1, MOST_ITERATIONS)
    chosen = _options(name, options)
    return Player(UCT, budget, turns, chosen.get("exploration", EXPLORATION), chosen.get("prior", 0))


def with_largest_budget(name: str) -> Player:
    """Return the search of that name with the largest budget there is; raises PlayersProblem."""
    search = player(name)
    return replace(search, budget=DEEP.get(KINDS[search.kind], MOST_ITERATIONS))


@cache
def _kinds_of_game() -> Mapping[str, str]:
    """Return every kind of game that has weights, by its name in an option."""
    return {kind.replace(" ", "_"): kind for each in FAMILY_NAMES for kind in weights.fitted(each)}


def _kind_named(name: str, typed: str) -> str:
    """Return the kind of game of an option; raises PlayersProblem."""
    if (kind := _kinds_of_game().get(typed)) is None:
        near = nearest(typed, _kinds_of_game())
        raise PlayersProblem(
            f"{name!r}: no kind of game with weights is called {typed!r}; the nearest is {near!r} "
            f"(there are {', '.join(_kinds_of_game())})"
        )
    return kind


def _policy(name: str) -> str:
    """Return the name of a policy from "policy:together"; raises PlayersProblem."""
    policy = name.partition(":")[2]
    if policy not in policies():
        near = nearest(policy, policies())
        raise PlayersProblem(
            f"no policy is called {policy!r}; the nearest is {near!r} (there are {', '.join(policies())})"
        )
    return policy


def _options(name: str, typed: str) -> dict[str, int]:
    """Read the fields of a player from ":c=40:prior=2"; raises PlayersProblem."""
    fields: dict[str, int] = {}
    for key, value in (option.split("=") for option in typed.split(":")[1:]):
        if key not in OPTIONS:
            near = nearest(key, (*OPTIONS, WEIGHTS))
            raise PlayersProblem(
                f"{name!r} has no option {key!r}; the nearest is {near!r} (there are {', '.join((*OPTIONS, WEIGHTS))})"
            )
        field, called, most = OPTIONS[key]
        if field in fields:
            raise PlayersProblem(
                f"{name!r} says {key} twice; the nearest is {name.replace(f':{key}={value}', '', 1)!r}"
            )
        fields[field] = _within(name, called, value, 0, most)
    return fields


def _within(name: str, what: str, typed: str, least: int, most: int) -> int:
    """Read a number between two bounds; raises PlayersProblem."""
    number = int(typed)
    if not least <= number <= most:
        nearest = min(max(number, least), most)
        raise PlayersProblem(f"the {what} of {name!r} must be from {least} to {most:,}; the nearest is {nearest}")
    return number


def parse_players(text: str, seats: int, *, throws: bool = False) -> tuple[str, ...]:
    """Return the canonical names of the players of all seats from "uct:100,random"; a single name is for every seat.

    throws: whether lots are thrown in the game
    Raises PlayersProblem.
    """
    players = [player(name.strip()) for name in text.split(",")]
    if len(players) == 1:
        players *= seats
    if len(players) != seats:
        raise PlayersProblem(f"{len(players)} players are named for {seats} seats; name one, or {seats}")
    if any(each.kind == ALPHA_BETA for each in players) and (throws or seats != 2):
        why = "where lots are thrown" if throws else f"with {seats} seats"
        raise PlayersProblem(f"alpha_beta plays games of two without chance, and none {why}; the nearest is 'uct:1000'")
    if any(each.kind == EXPECTIMAX for each in players) and not throws:
        raise PlayersProblem(
            "expectimax plays games with lots, and none are thrown here; the nearest is 'alpha_beta:4'"
        )
    return tuple(str(each) for each in players)


def players_for(ruleset: Ruleset, text: str) -> tuple[str, ...]:
    """Return the canonical names of the players of all seats of a ruleset, as `parse_players` does.

    Weights that are those of the ruleset's own kind of game are not named. Raises PlayersProblem, also for expectimax
    where the throws cannot be listed, for the policy of another game, and for weights of another family.
    """
    kind = family(ruleset.family)
    names = parse_players(text, kind.seats(ruleset.parameters), throws=kind.throws)
    names = tuple(_with_weights_for(ruleset, name) for name in names)
    if any(player(name).kind == EXPECTIMAX for name in names):
        try:
            kind.listed_throws(ruleset.parameters)
        except ValueError as problem:
            raise PlayersProblem(
                f"expectimax weighs every throw by its chance, and does {problem}; the nearest is 'uct:1000'"
            ) from None
    for name in names:
        _check_policy(ruleset, name)
    return names


def _with_weights_for(ruleset: Ruleset, name: str) -> str:
    """Return the name without weights that the ruleset's kind of game has anyway; raises PlayersProblem."""
    one = player(name)
    if not one.weights:
        return name
    if one.weights not in (known := weights.fitted(ruleset.family)):
        near = str(replace(one, weights=family(ruleset.family).kind_of_game(ruleset.parameters)))
        kinds = ", ".join(kind.replace(" ", "_") for kind in known)
        raise PlayersProblem(f"{name!r} has weights of another family; the nearest is {near!r} (there are {kinds})")
    own = family(ruleset.family).kind_of_game(ruleset.parameters)
    return str(replace(one, weights="")) if one.weights == own else name


def policies_for(ruleset: Ruleset) -> list[str]:
    """List the names of the players who follow advice for this game."""
    return [f"{KINDS[POLICY]}:{name}" for name, policy in policies().items() if policy.applies(ruleset.parameters)]


def _check_policy(ruleset: Ruleset, name: str) -> None:
    """Raise PlayersProblem if that player follows the advice for another game."""
    policy = policies().get(player(name).policy)
    if policy and not policy.applies(ruleset.parameters):
        here = policies_for(ruleset)
        there_are = f"{'is' if len(here) == 1 else 'are'} {', '.join(here)}" if here else "is none"
        raise PlayersProblem(
            f"{name!r} does what is advised for {policy.game}, and this is another game; "
            f"the nearest is {(*here, KINDS[GREEDY])[0]!r} (of policies there {there_are})"
        )


def sides_of(ruleset: Ruleset) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side: partners together."""
    engine = family(ruleset.family)
    sides: dict[int, list[int]] = {}
    for seat in range(engine.seats(ruleset.parameters)):
        sides.setdefault(engine.side(ruleset.parameters, seat), []).append(seat)
    return tuple(tuple(seats) for seats in sides.values())


def seating(sides: Sequence[Sequence[int]], own: Sequence[int], one: str, other: str) -> tuple[str, ...]:
    """Return the players of all seats where one has a side of their own and the other all the rest."""
    return tuple(one if seat in own else other for seat in range(sum(map(len, sides))))


WON, DRAWN, LOST, OPEN = "won", "drawn", "lost", "open"
Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Expectation:
    """Either a share or a proved value, never both.

    share: of the games that the mover wins, 0 … 1, a draw counting half
    value: WON, DRAWN (neither side can force a win) or LOST, whatever the other side plays; OPEN where it is only
           proved that nobody can force a win within `plies`
    plies: to the end that is proved; None if that is not known
    """

    share: float | None = None
    value: str = ""
    plies: int | None = None

    @property
    def document(self) -> dict[str, Any]:
        return asdict(self)


def by_score(score: int, plies: int | None = None) -> Expectation:
    """Return the expectation of a position that is proved to be won (1), drawn (0) or lost (-1) for its mover."""
    return Expectation(value=(DRAWN, WON, LOST)[score], plies=plies)


def read_expectation(document: Document | None) -> Expectation | None:
    return None if document is None else Expectation(**document)
