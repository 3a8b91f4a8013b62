"""Players that a page offers: levels from easy to the strongest, advice of the strongest, and policies of sources.

A level is a player of the engine, its budget bounded by what a visitor may have thought out; where the ruleset is
solved, the strongest is the perfect player.
"""

from dataclasses import dataclass

from django.urls import reverse

from catalogue.models import Evidence, Reading
from catalogue.models.querysets import newest_versions
from simulator.batches.levels import CLUB, STRONG, resolve_players
from simulator.engine.players.expectations import DRAWN, LOST, OPEN, WON, Expectation, read
from simulator.engine.players.names import GREEDY, KINDS, POLICY, RANDOM, UCT, Policy, player, policies
from simulator.engine.players.wording import player_in_words
from simulator.engine.ruleset import Ruleset
from simulator.engine.session import Session
from simulator.models import Batch, Reply
from simulator.rulesets import as_engine
from simulator.strength.replies import PERFECT, proved_value, request_reply, table_seconds, within_bounds
from simulator.strength.solutions import SolutionView, solution_of

# From the weakest; the budget of a player is less where the ruleset is too dear for it.
TITLES = {"random": "Easy", "greedy": "Greedy", CLUB: "Club", STRONG: "Strong"}
OPPONENTS = ("random", "greedy")
MOST_MATCHES = 200  # of all policies together, those of the most games
# The rest of a sentence about the side to move; {} stands for the plies to the end, if they are known.
PROVED = {
    WON: "can win{} whatever is played",
    LOST: "can be beaten{} whatever it plays",
    DRAWN: "can neither force a win nor be forced to lose",
    OPEN: "can neither force a win{} nor be forced to lose so soon",
}


@dataclass(frozen=True, slots=True)
class OfferedLevel:
    """player: by its name in an address; how: it comes to its moves"""

    title: str
    player: str
    how: str

    def __str__(self) -> str:
        return f"{self.title}: {self.how}"


def levels(ruleset: Ruleset) -> list[OfferedLevel]:
    """The levels of a ruleset, from the weakest; of two that come to the same player, the weaker.

    At most one query.
    """
    return levels_with(ruleset, solution_of(ruleset, ruleset.hash))


def levels_with(ruleset: Ruleset, solution: SolutionView | None) -> list[OfferedLevel]:
    """The levels of a ruleset with this solution. No query."""
    offered: dict[str, OfferedLevel] = {}
    for name, title in TITLES.items():
        affordable = within_bounds(ruleset, resolve_players(ruleset, name))
        offered.setdefault(affordable, OfferedLevel(title, affordable, _how(affordable)))
    if solution and solution.document and table_seconds(ruleset, solution) is not None:
        offered[PERFECT] = OfferedLevel("Perfect", PERFECT, proved_value(solution.document))
    return list(offered.values())


def player_called(name: str, offered: list[OfferedLevel]) -> str:
    """ "Strong", if the player is one of these levels; else the player in words."""
    return next((level.title for level in offered if level.player == name), player_in_words(name))


def _how(name: str) -> str:
    known = player(name)
    if known.kind == RANDOM:
        return "plays anything that is legal"
    if known.kind == GREEDY:
        return "looks one turn ahead"
    return f"tries {known.budget:,} {'games' if known.horizon else 'lines of play'} each move"


@dataclass(frozen=True, slots=True)
class Match:
    """A batch between a policy and another player. won: the share that the policy won, in words"""

    batch: Batch
    against: str
    won: str


@dataclass(frozen=True, slots=True)
class ListedPolicy:
    """name: as players are called; record: its address, empty where it is not here; rulesets: slugs, to be played in"""

    name: str
    policy: Policy
    record: str
    rulesets: tuple[str, ...]
    matches: tuple[Match, ...]


def listed_policies() -> list[ListedPolicy]:
    """Four queries, however many there are."""
    known = {f"{KINDS[POLICY]}:{name}": policy for name, policy in policies().items()}
    slugs = Reading.objects.order_by("game__name", "position", "slug").values_list("slug", flat=True)
    versions = newest_versions(slugs)
    parameters = {slug: as_engine(versions[slug].ruleset).parameters for slug in slugs if slug in versions}
    records = {policy.record for policy in known.values()}
    here = set(Evidence.objects.shown().filter(identifier__in=records).values_list("identifier", flat=True))
    matches = _matches()
    return [
        ListedPolicy(
            name,
            policy,
            reverse("evidence", args=[policy.record]) if policy.record in here else "",
            tuple(slug for slug, rules in parameters.items() if policy.applies(rules)),
            tuple(matches.get(name, ())),
        )
        for name, policy in known.items()
    ]


def _matches() -> dict[str, list[Match]]:
    """By policy: the games of two in which it meets a random or a greedy player."""
    rows = Batch.objects.filter(players__contains=f"{KINDS[POLICY]}:", state=Batch.State.DONE).defer("tally")
    matches: dict[str, list[Match]] = {}
    for batch in rows.select_related("ruleset").order_by("-games", "id")[:MOST_MATCHES]:
        players = batch.players.split(",")
        for seat, name in enumerate(players):
            against = players[1 - seat] if len(players) == 2 else ""
            if against in OPPONENTS:
                matches.setdefault(name, []).append(Match(batch, against, _won(batch, seat)))
    return matches


def _won(batch: Batch, seat: int) -> str:
    rows = (row for section in (batch.summary or {})["sections"] for row in section["rows"])
    return str(next(row["text"] for row in rows if row["key"] == f"won_{seat}"))


@dataclass(frozen=True, slots=True)
class Advice:
    """who: the level that is consulted; move: in notation, empty while it is thought about; places: of it on the board

    expected: what it expects for the side to move; None while it is thought about, or if it cannot say
    """

    who: str
    reply: Reply
    move: str = ""
    places: tuple[str, ...] = ()
    expected: Expectation | None = None

    @property
    def proved(self) -> str:
        """What is proved of the side to move, as the rest of a sentence."""
        if self.expected is None:
            return ""
        plies = self.expected.plies
        within = "" if plies is None else " with the next ply" if plies == 1 else f" within {plies} plies"
        return PROVED[self.expected.value].format(within)

    @property
    def percent(self) -> int:
        """The share that is expected, rounded: a search comes to no more than that."""
        return round(100 * (self.expected.share or 0)) if self.expected else 0

    @property
    def basis(self) -> str:
        """What that share is of."""
        best = "its chance if both sides go on as well as can be, which is proved"
        return best if self.reply.player == PERFECT else "its share of the games played on from here in thought"


def request_advice(session: Session, visitor: str) -> Advice:
    """Advice for the position of a session, which workers think out like a reply. Raises QueueFull."""
    strongest = levels(session.ruleset)[-1]
    reply = request_reply(session.ruleset, strongest.player, session.seed, session.moves, visitor)
    if reply.move is None:
        return Advice(strongest.title, reply)
    places = tuple(session.places_of(reply.move))
    return Advice(strongest.title, reply, session.name_of(reply.move), places, read(reply.expected))


def can_judge(offered: list[OfferedLevel]) -> bool:
    """Whether the strongest of the levels says what it expects."""
    strongest = offered[-1].player
    return strongest == PERFECT or player(strongest).kind == UCT
