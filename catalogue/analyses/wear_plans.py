"""What a wear study is asked for: the board of a record, candidate rulesets, and the observed orders as they are.

All candidates are played by one and the same player, with traffic counted. On a level that thinks that is the search of
the first candidate, and a second player of the same price plays them again.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from catalogue.analyses.comparisons import same_players
from catalogue.models import Evidence
from catalogue.models.observations import POINTS, ObservedOrder, board_of, orders, orders_typed
from simulator import rulesets
from simulator.batches import levels, prices
from simulator.batches.prices import UNITS, finishing_price, span
from simulator.batches.requests import DEFAULT_PLAYERS, DEFAULT_SEED, BatchRequest, check_request, content_hash
from simulator.engine.boards.figures import read_board
from simulator.engine.boards.points import Board
from simulator.engine.candidates import MOST, Candidate, candidates, varied
from simulator.engine.families.points.symmetry import symmetry
from simulator.engine.family import family
from simulator.engine.players.names import FAULTLESS, player
from simulator.engine.ruleset import Problem, RulesetProblem, nearest
from simulator.engine.weights import fitted
from simulator.models import Solution
from simulator.problems import WrongRequest, collecting
from simulator.strength.solutions import OF_CANDIDATES, in_brief

WEAR_VERSION = 1
DEFAULT_GAMES, DEFAULT_CAP = 1_000, 200
OF = ("lines", "points")
MADE = ("base", "vary", "unless", "places")  # of what candidates are made: as `engine.candidates.varied` takes them
SHUT_IN = {"second_stuck": "loses"}  # the rules that vary unless others are named: who is shut in has lost
OF_A_BOARD = ("family", "board", "first_array", "second_array", "regions")
SIDED = ("advance", "back_rank")  # features that mind how far up the board a piece stands
NO_SIDE = "hunt"  # weights of hunters and hunted that mind no such thing
SETS = Path(settings.BASE_DIR) / "fixtures" / "candidates"
SOLVED = Path(settings.BASE_DIR) / "fixtures" / "solutions" / OF_CANDIDATES

Place = tuple[float, float]


@dataclass(frozen=True)
class CandidateSet:
    """Rulesets to be held against one board.

    frames: by the name of a board of the set, its points with where they lie, the same for all boards
    """

    slug: str
    title: str
    about: str
    source: str
    candidates: tuple[Candidate, ...]
    boards: Mapping[str, Board]
    frames: Mapping[str, Mapping[str, Place]]

    def frame_of(self, board: Board) -> Mapping[str, Place]:
        """Return where the points of a board of this set lie. Raises KeyError for any other board."""
        name = next((name for name, one in self.boards.items() if _is_same(one, board)), "")
        return self.frames[name]


def _is_same(one: Board, other: Board) -> bool:
    return (one.points, frozenset(one.lines)) == (other.points, frozenset(other.lines))


def sets() -> list[str]:
    """Return the slugs of the sets that ship."""
    return sorted(path.stem for path in SETS.glob("*.json"))


@cache
def candidate_set(slug: str) -> CandidateSet:
    """Return a set that ships. Raises WrongRequest, with the nearest that does."""
    if not slug:
        message = "are not said yet: choose a set, name rulesets, or say below which rules vary"
        raise WrongRequest([Problem("candidates", message)])
    if slug not in sets():
        near = nearest(slug, sets()) if sets() else None
        raise WrongRequest([Problem("candidates", f"there is no set of candidates called {slug[:60]!r}", near)])
    written = json.loads((SETS / f"{slug}.json").read_text(encoding="utf-8"))
    return _read(slug, written)


def _read(slug: str, written: Mapping[str, Any]) -> CandidateSet:
    boards, frames = {}, {}
    for name, figure in written["boards"].items():
        board, called = read_board(figure)
        boards[name] = board
        frames[name] = {called[by_hand]: (float(x), float(y)) for by_hand, (x, y) in figure["points"].items()}
    title, about, source = (str(written.get(key, "")) for key in ("title", "about", "source"))
    return CandidateSet(slug, title, about, source, tuple(candidates(written)), boards, frames)


@cache
def solved_of_set(slug: str) -> Mapping[str, Mapping[str, Any]]:
    """Return what faultless play comes to in the candidates of a set that are solved, by the hashes of their rulesets;
    nothing that older rules came to."""
    path = SOLVED / f"{slug}.json"
    if not path.exists():
        return {}
    written = json.loads(path.read_text(encoding="utf-8"))
    if any(family(name).rules_version != version for name, version in written["family_versions"].items()):
        return {}
    return {one["hash"]: one for one in written["candidates"]}


def solved(slug: str, hashes: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """Return what faultless play comes to in rulesets, by their hashes: as the set of that slug ships it, or as it was
    solved here by looking at every position. In one query at most."""
    shipped = solved_of_set(slug) if slug else {}
    found = {one: shipped[one] for one in hashes if one in shipped}
    if left := set(hashes) - found.keys():
        rows = Solution.objects.filter(ruleset__in=left, state=Solution.State.DONE).select_related("ruleset")
        for row in rows:
            document = row.document or {}
            current = family(row.ruleset.family).rules_version == row.family_version
            if current and document.get("method") == "retrograde":
                found[row.ruleset_id] = in_brief(document)
    return found


def fitting_sets(record: Evidence) -> list[str]:
    """Return the slugs of the sets that have the board of a record among theirs."""
    board = board_of(record)
    return [
        slug for slug in sets() if board and any(_is_same(one, board) for one in candidate_set(slug).boards.values())
    ]


@dataclass(frozen=True)
class WearRequest:
    """A checked request.

    played:   the names and the rulesets of the candidates, in order
    players:  of every seat, as asked for: "club,club"
    requests: of the batches of the candidates, then of those of the second players, if there are any
    made:     how the candidates were made, where they were neither named nor a set
    own:      observations of whoever asked, as they were typed: for this study only, beside those on the record
    """

    record: Evidence
    candidates: str
    played: tuple[Candidate, ...]
    players: str
    of: str
    orders: tuple[ObservedOrder, ...]
    requests: tuple[BatchRequest, ...]
    made: Mapping[str, Any] | None = None
    own: str = ""

    @property
    def id(self) -> str:
        return content_hash(
            record=self.record.identifier,
            board=self.record.board,
            batches=[request.id for request in self.requests],
            of=self.of,
            orders=[written(order) for order in self.orders],
            version=WEAR_VERSION,
        )[:16]

    @property
    def terms(self) -> dict[str, Any]:
        first = self.requests[0]
        made = {"made": dict(self.made)} if self.made is not None else {}
        own = {"own": self.own} if self.own else {}
        return {"players": self.players, "games": first.games, "seed": first.seed, "cap": first.cap, **made, **own}


@dataclass(frozen=True, slots=True)
class WearPrice:
    """What a wear study takes. seconds: of one processor; most: games of each candidate that a visitor may ask for at
    once"""

    candidates: int
    games: int
    seconds: float
    most: int

    @property
    def time(self) -> str:
        return span(self.seconds)


def price_of(request: WearRequest) -> WearPrice:
    """Return what all its batches take together, with their figures and plots."""
    one, work = request.requests[0], sum(each.work for each in request.requests)
    finishing = sum(finishing_price(each.ruleset.family) for each in request.requests)
    most = settings.VISITOR_WORK_PER_HOUR * one.games // (work + len(request.requests))
    return WearPrice(len(request.played), one.games, (work / UNITS + finishing) / 1e6, most)


def written(order: ObservedOrder) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(order).items()}


def check_wear(
    record: Evidence,
    chosen: str | Sequence[str] | Mapping[str, Any],
    *,
    of: str = "lines",
    games: int | str = DEFAULT_GAMES,
    seed: int | str = DEFAULT_SEED,
    cap: int | str = DEFAULT_CAP,
    players: str = DEFAULT_PLAYERS,
    own: str = "",
) -> WearRequest:
    """Check a request; raises WrongRequest with everything that is wrong.

    chosen: the slug of a set of candidates, or names of rulesets on the record's own board, or how they are made
            (`MADE`)
    own:    observations for this study only, as `orders_typed` reads them
    """
    problems: list[Problem] = []
    board = board_of(record)
    if board is None:
        raise WrongRequest([Problem("record", f"{record} has no board: say first which one it shows")])
    if of not in OF:
        problems.append(Problem("of", f"must be lines or points, not {of[:40]!r}", nearest(of, OF)))
    typed: list[ObservedOrder] = []
    try:
        typed = orders_typed(own, board, of) if of in OF else []
    except ValueError as error:
        problems.append(Problem("own", str(error)))
    found: tuple[Candidate, ...] = ()
    with collecting(problems):
        if isinstance(chosen, Mapping):
            found = _made(chosen, record.board["board"])
        else:
            found = _of_set(chosen, board) if isinstance(chosen, str) else _named(chosen, board)
    requests = []
    try:
        line = levels.per_seat(players, 2)
    except levels.PlayersProblem as error:
        raise WrongRequest([*problems, Problem("players", str(error))]) from error
    for asked in filter(None, (line, levels.second_line(line))):
        who = minding_no_side(same_players(found[0].ruleset, asked), found) if found else asked
        for one in found:
            with collecting(problems):
                wanted: dict[str, Any] = {"games": games, "seed": seed, "cap": cap, "players": who}
                requests.append(check_request(one.ruleset, **wanted, traffic=True))
    if problems:
        raise WrongRequest(_once(problems))
    _refuse_above(requests, prices.ANYBODY.work)
    seen = (*orders(record.observations.all(), of), *typed)
    name = chosen if isinstance(chosen, str) else ""
    made = chosen if isinstance(chosen, Mapping) else None
    return WearRequest(record, name, found, line, of, seen, tuple(requests), made, own.strip())


def _once(problems: Sequence[Problem]) -> list[Problem]:
    """Return the problems without those that other candidates have too, of games only the one that allows fewest."""
    games = sorted((one for one in problems if one.key == "games"), key=lambda one: float(one.nearest or 0))
    kept = [one for place, one in enumerate(problems) if one.key != "games" and one not in problems[:place]]
    return [*kept, *games[:1]]


def _refuse_above(requests: Sequence[BatchRequest], most: int) -> None:
    """Raises WrongRequest, with the most games of each that are possible, where all games together cost too much."""
    work, games = sum(one.work for one in requests), requests[0].games if requests else 0
    if work <= most:
        return
    hours, possible = (f"{cost / UNITS / prices.HOUR:,.0f}" for cost in (work, most))
    message = (
        f"{games:,} games of each of {len(requests):,} candidates would take about {hours} hours of a processor, and "
        f"nobody may ask for more than {possible} at once"
    )
    if fit := most * games // work:
        raise WrongRequest([Problem("games", f"{message}: {fit:,} games of each at most", fit)])
    fit = max(1, most * len(requests) // work)
    raise WrongRequest([Problem("candidates", f"{message}: not even one of each; {fit:,} candidates at most", fit)])


def minding_no_side(line: str, played: Sequence[Candidate]) -> str:
    """Return a line of players of whom none minds how far up the board a piece stands, if the rules of a candidate do
    not either: else the board would be worn lopsidedly by a taste that comes from another game."""
    names = line.split(",")
    who = [name for name in names if name != FAULTLESS and set(SIDED) & _weighed(player(name).weights)]
    if not who or all(map(_tells_ranks_apart, played)):
        return line
    return ",".join(str(replace(player(name), weights=NO_SIDE)) if name in who else name for name in names)


def _weighed(kind: str) -> set[str]:
    """Return what a kind of weights has a weight for."""
    return {name for weighs in fitted(POINTS).get(kind, {"weights": {}})["weights"].values() for name in weighs}


def _tells_ranks_apart(one: Candidate) -> bool:
    """Return whether no symmetry of the rules and the start maps a point on one that lies farther up or down."""
    found = symmetry(one.ruleset.parameters)
    ranks = found.board.ranks
    return all(ranks[point] == ranks[to] for way in found.group for point, to in enumerate(way))


def _of_set(slug: str, board: Board) -> tuple[Candidate, ...]:
    known = candidate_set(slug)
    try:
        known.frame_of(board)
    except KeyError as error:
        raise WrongRequest([Problem("candidates", f"no board of the set {slug} is that of the record")]) from error
    return known.candidates


def _made(chosen: Mapping[str, Any], board: Any) -> tuple[Candidate, ...]:
    """The candidates that come of varying keys of some rules on the record's board, each content once."""
    if unknown := sorted(set(chosen) - set(MADE)):
        raise WrongRequest([Problem("candidates", f"nothing is made by {unknown[0]!r}", nearest(unknown[0], MADE))])
    base, vary = chosen.get("base", SHUT_IN), chosen.get("vary", {})
    if isinstance(base, str):
        kept = rulesets.find(base)
        if kept.family != POINTS:
            raise WrongRequest([Problem("candidates", f"{base} is no game on points and lines")])
        base = {key: value for key, value in kept.document.items() if key not in OF_A_BOARD}
    unless, places = chosen.get("unless", []), chosen.get("places", {})
    whole = all(isinstance(one, Mapping) for one in (base, vary, places, *unless)) and isinstance(unless, Sequence)
    if not whole or not all(isinstance(one, Sequence) and one and not isinstance(one, str) for one in
                            (*vary.values(), *places.values())):  # fmt: skip
        message = "are made of a base, of keys that vary with a list of values each, unless, and places by side"
        raise WrongRequest([Problem("candidates", message)])
    try:
        return tuple(candidates(varied(board, base, vary, unless, places)))
    except RulesetProblem as error:
        raise WrongRequest(replace(one, key="candidates", message=_where(one)) for one in error.problems) from error


def _where(one: Problem) -> str:
    place = one.key.removeprefix("candidates").removeprefix("/0").strip("/")
    return f"{place}: {one.message}" if place else one.message


def _named(names: Sequence[str], board: Board) -> tuple[Candidate, ...]:
    problems: list[Problem] = []
    if not 1 <= len(names) <= MOST:
        problems.append(Problem("candidates", f"are {len(names)} rulesets; from 1 to {MOST} can be studied", MOST))
    found: dict[str, Candidate] = {}
    for name in names[:MOST]:
        with collecting(problems, key="candidates"):
            ruleset = rulesets.find(name)
            own = ruleset.parameters.get("board") if ruleset.family == "points" else None
            if own is None or not _is_same(read_board(own)[0], board):
                problems.append(Problem("candidates", f"{name} is not played on the board of the record"))
                continue
            found.setdefault(ruleset.hash, Candidate(name, ruleset, ""))
    if problems:
        raise WrongRequest(problems)
    return tuple(found.values())
