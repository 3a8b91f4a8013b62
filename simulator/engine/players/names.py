"""The players by name: which there are, and how a line of them is read.

`random` draws a move; `greedy` takes the turn after which the family's evaluation is best for it; `alpha_beta:DEPTH`
searches so many plies ahead, and `alpha_beta:DEPTH/FURTHER` up to so many more where something is taken;
`expectimax:DEPTH` looks ahead where lots are thrown, with every throw by its chance;
`uct:ITERATIONS/HORIZON` plays so many games on from where it stands and judges those that have not ended after HORIZON
turns by the evaluation; `policy:NAME` does what a source advises (`policies`). Budgets are counted, never timed, so
that a game is the same on every machine. How it searches is said behind colons, `uct:400/6:c=60:prior=8`, in the order
of OPTIONS: a comma parts the seats, and a colon means nothing else to a shell or in an address, as a plus or a
semicolon would.

Where the rules let a player end the game by consent (`Family.consent`), that is a decision and no lot: `random` and
`greedy` never do so, and those who search only where its result is worth more to them than playing on.
"""

import re
from dataclasses import dataclass, replace

from simulator.engine.nearest import nearest
from simulator.engine.players.policies import policies

RANDOM, GREEDY, ALPHA_BETA, UCT, EXPECTIMAX, POLICY = range(6)
KINDS = ("random", "greedy", "alpha_beta", "uct", "expectimax", "policy")
FORMS = (
    *("random", "greedy", "alpha_beta:4", "alpha_beta:4/6", "expectimax:2"),
    *("uct:1000", "uct:1000/200", "uct:1000/200:c=40:prior=8", "policy:together"),
)
PLAYERS_VERSION = 6  # changes only when some player who thinks would play some game differently
MOST_DEPTH, MOST_FURTHER, MOST_ITERATIONS, MOST_HORIZON = 32, 32, 1_000_000, 10_000
DEEP = {"alpha_beta": MOST_DEPTH, "expectimax": 8}  # players whose budget is plies, and the most there may be
HORIZON = 200  # turns of a game played on that a player looks at, unless the name says otherwise
EXPLORATION = 40  # hundredths, likewise


class PlayersProblem(ValueError):
    """A line of players is wrong; the message names the nearest valid one."""


@dataclass(frozen=True, slots=True)
class Player:
    """kind: one of RANDOM … POLICY; budget: plies ahead or games played on, else 0.

    horizon:     turns of a game played on, for UCT; plies beyond the budget where something is taken, for ALPHA_BETA

    exploration: how far UCT looks beyond what has done best so far: c in its formula, in hundredths
    prior:       how many tries of a move the evaluation of what it leads to stands for
    policy:      the name of a policy, for POLICY
    """

    kind: int
    budget: int = 0
    horizon: int = 0
    exploration: int = EXPLORATION
    prior: int = 0
    policy: str = ""

    def __str__(self) -> str:
        """The name in its one canonical form: what need not be said is not."""
        if self.kind in (RANDOM, GREEDY):
            return KINDS[self.kind]
        if self.kind == POLICY:
            return f"{KINDS[POLICY]}:{self.policy}"
        said = f"/{self.horizon}" if self.horizon != (HORIZON if self.kind == UCT else 0) else ""
        options = {key: getattr(self, field) for key, (field, *_) in OPTIONS.items()}
        unlike = (f":{key}={value}" for key, value in options.items() if value != UNSAID[key])
        return f"{KINDS[self.kind]}:{self.budget}{said}{''.join(unlike)}"


# Options of UCT by name, in the order of a canonical name: the field, what it is called, the most it may be.
OPTIONS = {
    "c": ("exploration", "exploration", 1_000),
    "prior": ("prior", "weight of the evaluation", 1_000),
}
UNSAID = {key: getattr(Player(UCT), field) for key, (field, *_) in OPTIONS.items()}


def player(name: str) -> Player:
    """The player of that name; raises PlayersProblem, naming the nearest valid one."""
    if name.startswith(f"{KINDS[POLICY]}:"):
        return Player(POLICY, policy=_policy(name))
    said = r"(\d{1,9})(?:/(\d{1,9}))?"
    found = re.fullmatch(rf"(random|greedy)|(alpha_beta|expectimax):{said}|(uct):{said}((?::\w+=\d{{1,9}})*)", name)
    if found is None:
        near = nearest(name, FORMS)
        raise PlayersProblem(f"no player is called {name!r}; the nearest is {near!r} (there are {', '.join(FORMS)})")
    simple, deep, depth, further, _, iterations, horizon, options = found.groups()
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
    """The search of that name with the largest budget there is; raises PlayersProblem."""
    one = player(name)
    return replace(one, budget=DEEP.get(KINDS[one.kind], MOST_ITERATIONS))


def _policy(name: str) -> str:
    """The name of a policy, from "policy:together"."""
    wanted = name.partition(":")[2]
    if wanted not in policies():
        near = nearest(wanted, policies())
        raise PlayersProblem(
            f"no policy is called {wanted!r}; the nearest is {near!r} (there are {', '.join(policies())})"
        )
    return wanted


def _options(name: str, typed: str) -> dict[str, int]:
    """Fields of a player, from ":c=40:prior=2"."""
    found: dict[str, int] = {}
    for key, value in (one.split("=") for one in typed.split(":")[1:]):
        if key not in OPTIONS:
            near = nearest(key, OPTIONS)
            raise PlayersProblem(
                f"{name!r} has no option {key!r}; the nearest is {near!r} (there are {', '.join(OPTIONS)})"
            )
        field, called, most = OPTIONS[key]
        if field in found:
            raise PlayersProblem(
                f"{name!r} says {key} twice; the nearest is {name.replace(f':{key}={value}', '', 1)!r}"
            )
        found[field] = _within(name, called, value, 0, most)
    return found


def _within(name: str, what: str, typed: str, least: int, most: int) -> int:
    number = int(typed)
    if not least <= number <= most:
        nearest = min(max(number, least), most)
        raise PlayersProblem(f"the {what} of {name!r} must be from {least} to {most:,}; the nearest is {nearest}")
    return number


def parse_players(text: str, seats: int, *, throws: bool = False) -> tuple[str, ...]:
    """The players of all seats from "uct:100,random", by their canonical names; one alone plays every seat.

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
