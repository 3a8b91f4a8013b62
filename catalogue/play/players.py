"""The address of a position, and the players that a page offers: levels, advice of the strongest, policies of sources.

The address says who plays, the seed, and the moves so far. It holds everything, and the server nothing, so that the
same address is the same position for everybody. Throws to come can be computed from the seed.

A level is a player of the engine, its budget bounded by what a visitor may request; where the ruleset is solved, the
strongest is the perfect player.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse

from catalogue.models import Evidence, Reading
from catalogue.models.querysets import newest_versions
from simulator.batches import levels
from simulator.batches.levels import CLUB, STRONG, resolve_players
from simulator.batches.requests import MOST_SEED
from simulator.engine.family import family
from simulator.engine.players import names as player_names
from simulator.engine.players.names import player
from simulator.engine.players.wording import player_in_words
from simulator.engine.ruleset import Problem, Ruleset, nearest
from simulator.engine.session import SEPARATOR, Session
from simulator.models import Batch, Reply
from simulator.problems import WrongRequest, whole_number
from simulator.rulesets import as_engine
from simulator.strength.replies import PERFECT, proved_value, request_reply, table_seconds, within_bounds
from simulator.strength.solutions import SolutionView, solution_of

YOU = "you"
BESIDE = (YOU, PERFECT)  # who is no player of the engine's
LONGEST = 6_000  # characters of moves: with the rest of an address as much as the servers on the way take
NEW_SEEDS = 1_000_000
OFFERED = ("random", "greedy", *levels.TARGETS, "alpha_beta:2", "alpha_beta:4")
OPPONENT = levels.CLUB


@dataclass(frozen=True, slots=True)
class Address:
    """A position.

    players: a name for every seat, `you` at the screen; moves: as `engine.session` encodes them; page: the name of the
    route of the page on which it is played
    """

    players: tuple[str, ...]
    seed: int
    moves: str = ""
    page: str = "play-a-game"

    @property
    def items(self) -> list[tuple[str, str]]:
        items = [("players", ",".join(self.players)), ("seed", str(self.seed))]
        return [*items, ("moves", self.moves)] if self.moves else items

    @property
    def query(self) -> str:
        return urlencode(self.items, safe=",:/*=")

    def after(self, moves: str) -> "Address":
        return replace(self, moves=moves)

    @property
    def exchanged(self) -> "Address":
        """The address with every player one seat further on."""
        return replace(self, players=(self.players[-1], *self.players[:-1]))

    def taken_back_to(self, ply: int) -> "Address":
        """The position before the ply of that number, from 0."""
        return self.after(SEPARATOR.join(self.moves.split(SEPARATOR)[:ply]))


def read_address(ruleset: Ruleset, parameters: Mapping[str, Sequence[str]]) -> Address:
    """The address that these parameters mean, its moves not looked at; a new seed if there is none.

    parameters: values by parameter; several of `players` are those of one seat each
    Raises WrongRequest with the first thing that is wrong, and the nearest valid value in place of all of it.
    """
    for key, values in parameters.items():
        if key != "players" and len(values) > 1:
            raise WrongRequest([Problem(key, f"is set {len(values)} times; once is enough", values[0])])
    typed = parameters.get("seed", [""])[0].strip()
    players = players_named(ruleset, ",".join(parameters.get("players", [])) or YOU)
    seed = whole_number("seed", typed, 0, MOST_SEED) if typed else secrets.randbelow(NEW_SEEDS)
    moves = parameters.get("moves", [""])[0]
    if len(moves) > LONGEST:
        cut = moves[:LONGEST].rpartition(SEPARATOR)[0]
        raise WrongRequest([Problem("moves", f"are {len(moves)} characters long, more than {LONGEST}", cut)])
    return Address(players, seed, moves)


def players_named(ruleset: Ruleset, text: str) -> tuple[str, ...]:
    """Return who sits where, from "you,uct:1000". Raises WrongRequest."""
    kind, names = family(ruleset.family), [name.strip() for name in text.split(",")]
    seats = kind.seats(ruleset.parameters)
    nearest = [_nearest_name(name) for name in names]
    stands_for = ["random" if name in BESIDE else name for name in names]
    try:
        known = levels.players_for(ruleset, ",".join(stands_for))
    except player_names.PlayersProblem as error:
        fitting = [name for name in nearest if not name.startswith("alpha_beta") or offers(ruleset, name)]
        near = [*fitting, *[levels.resolve_players(ruleset, OPPONENT)] * seats][:seats]
        raise WrongRequest([Problem("players", str(error), ",".join(_with_you(near)))]) from None
    names = names * seats if len(names) == 1 else names
    players = tuple(name if name in BESIDE else canonical for name, canonical in zip(names, known, strict=True))
    if YOU not in players:
        message = "nobody sits before the screen: one of the players must be “you”"
        raise WrongRequest([Problem("players", message, ",".join(_with_you(players)))])
    return players


def _nearest_name(name: str) -> str:
    try:
        return name if name in (*BESIDE, *levels.SEARCHES) else str(player(name))
    except player_names.PlayersProblem:
        return nearest(name, (*BESIDE, *levels.KNOWN))


def _with_you(players: Sequence[str]) -> list[str]:
    return list(players) if YOU in players else [YOU, *players[1:]]


def offers(ruleset: Ruleset, name: str) -> bool:
    """Return whether a player of that name can play it at all."""
    try:
        levels.players_for(ruleset, name)
    except player_names.PlayersProblem:
        return False
    return True


# From the weakest; the budget of a player is less where the ruleset is too dear for it.
TITLES = {"random": "Easy", "greedy": "Greedy", CLUB: "Club", STRONG: "Strong"}
OPPONENTS = ("random", "greedy")
THINKS = {CLUB: "thinks some turns ahead", STRONG: "thinks longer, and further ahead"}
WINS = ("first_wins", "second_wins")  # by the seat
MOST_MATCHES = 200  # of all policies together, those of the most games
# The rest of a sentence about the side to move; {} stands for how soon, if that is known.
PROVED = {
    player_names.WON: "can win{}, whatever the other side does",
    player_names.LOST: "can be beaten{}, whatever it does",
    player_names.DRAWN: "can neither force a win nor be forced to lose",
    player_names.OPEN: "can neither force a win{} nor be forced to lose so soon",
}


@dataclass(frozen=True, slots=True)
class OfferedLevel:
    """player: by its name in an address; how: it comes to its moves"""

    title: str
    player: str
    how: str

    def __str__(self) -> str:
        return f"{self.title}: {self.how}"


def offered_levels(ruleset: Ruleset) -> list[OfferedLevel]:
    """The levels of a ruleset, from the weakest; of two that come to the same player, the weaker.

    At most one query.
    """
    return levels_with(ruleset, solution_of(ruleset, ruleset.hash))


def levels_with(ruleset: Ruleset, solution: SolutionView | None) -> list[OfferedLevel]:
    """The levels of a ruleset with this solution. No query."""
    offered: dict[str, OfferedLevel] = {}
    for name, title in TITLES.items():
        affordable = within_bounds(ruleset, resolve_players(ruleset, name))
        offered.setdefault(affordable, OfferedLevel(title, affordable, THINKS.get(name) or _how(affordable)))
    if solution and solution.document and table_seconds(ruleset, solution) is not None:
        offered[PERFECT] = OfferedLevel("Perfect", PERFECT, proved_value(solution.document))
    return list(offered.values())


@dataclass(frozen=True, slots=True)
class QuickGame:
    """A game with one tap. title: of the level; query: of its address; how: the level comes to its moves"""

    title: str
    query: str
    how: str


def quick_games(ruleset: Ruleset, solution: SolutionView | None) -> tuple[list[QuickGame], str]:
    """A game with one tap against each level, and which side the reader has where it is proved who wins; no query.

    Nobody is given a side that is proved lost: of two sides the reader has the one that can win.
    """
    kind = family(ruleset.family)
    seats, own, note = kind.seats(ruleset.parameters), 0, ""
    start = solution.document["start"]["value"] if solution and solution.document else ""
    if start in WINS and seats == len(WINS):
        own = WINS.index(start)
        side = kind.naming(ruleset.parameters).seat(own)
        note = f"You are the {side}: it is proved that you can win, whatever the other side does."
    games = []
    for level in levels_with(ruleset, solution):
        seated = [YOU if seat == own else level.player for seat in range(seats)]
        games.append(QuickGame(level.title, f"players={','.join(seated)}", level.how))
    return games, note


def player_called(name: str, offered: list[OfferedLevel]) -> str:
    """ "Strong", if the player is one of these levels; else the player in words."""
    return next((level.title for level in offered if level.player == name), player_in_words(name))


def _how(name: str) -> str:
    known = player(name)
    if known.kind == player_names.RANDOM:
        return "plays anything that is legal"
    if known.kind == player_names.GREEDY:
        return "looks one turn ahead"
    return "thinks ahead"


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
    policy: player_names.Policy
    record: str
    rulesets: tuple[str, ...]
    matches: tuple[Match, ...]


def listed_policies() -> list[ListedPolicy]:
    """The policies of the sources, with the rulesets and games that they play. Four queries, however many there are."""
    known = {
        f"{player_names.KINDS[player_names.POLICY]}:{name}": policy for name, policy in player_names.policies().items()
    }
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
    """The batches of two players in which a policy meets a random or a greedy player, by policy."""
    rows = Batch.objects.filter(
        players__contains=f"{player_names.KINDS[player_names.POLICY]}:", state=Batch.State.DONE
    ).defer("tally")
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
    expected: player_names.Expectation | None = None

    @property
    def proved(self) -> str:
        """The proved value for the side to move, as the rest of a sentence."""
        if self.expected is None:
            return ""
        plies = self.expected.plies
        soon = " with the next move" if plies == 1 else f" within {plies} moves of both sides"
        within = "" if plies is None else soon
        return PROVED[self.expected.value].format(within)

    @property
    def percent(self) -> int:
        """The share that is expected, rounded: a search comes to no more than that."""
        return round(100 * (self.expected.share or 0)) if self.expected else 0

    @property
    def basis(self) -> str:
        """The meaning of that share, in words."""
        best = "its chance if both sides go on as well as can be, which is proved"
        return best if self.reply.player == PERFECT else "its share of the games played on from here in thought"


def request_advice(session: Session, visitor: str) -> Advice:
    """Advice for the position of a session, which workers think out like a reply. Raises QueueFull."""
    strongest = offered_levels(session.ruleset)[-1]
    reply = request_reply(session.ruleset, strongest.player, session.seed, session.moves, visitor)
    if reply.move is None:
        return Advice(strongest.title, reply)
    places = tuple(session.places_of(reply.move))
    return Advice(
        strongest.title, reply, session.name_of(reply.move), places, player_names.read_expectation(reply.expected)
    )


def can_judge(offered: list[OfferedLevel]) -> bool:
    """Return whether the strongest of the levels says what it expects."""
    strongest = offered[-1].player
    return strongest == PERFECT or player(strongest).kind == player_names.UCT
