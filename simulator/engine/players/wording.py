"""Players in plain words, for pages and figures: "Monte Carlo search, 1,000 iterations, against random"."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from simulator.engine import weights
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.players import names

NAMES = {
    names.RANDOM: "random",
    names.GREEDY: "greedy, one turn ahead",
    names.ALPHA_BETA: "alpha–beta search",
    names.UCT: "Monte Carlo search",
    names.EXPECTIMAX: "expectimax",
}
HINT = (
    "One name for all seats, or one a seat with commas between them: random; greedy; club and strong, for which every "
    "ruleset has a player of its own; uct:1000, which plays so many games on before each move; alpha_beta:4, which "
    "looks so many moves ahead (two players, no lots); expectimax:2, which does so with every throw (two sides); "
    "policy:NAME, which does what a source advises; faultless, both sides of a game that is solved. Who evaluates may "
    "have the weights of another kind of game, greedy:weights=war, or plain ones, greedy:weights=pieces."
)
# What players do where the rules leave it to them to end a game: those who do not search, those who do, some of each;
# and what they did in versions of a family before they decided on it.
NOBODY = "never calling a draw that is left to the players"
BY_VALUE = "calling a draw that is left to the players only where it is worth more to them than playing on"
ONE_BY_VALUE = "only those who search calling a draw that is left to the players, where it is worth more to them"
BY_LOT = "a draw that is left to the players being one of the moves they drew from"
Document = Mapping[str, Any]
EVERY_SEAT = {
    "random": "random players",
    "greedy": "greedy players, one turn ahead",
    names.FAULTLESS: "players without fault, by a table of all positions",
}


def in_words(players: str | Sequence[str]) -> str:
    """Put the players of all seats into words, in the order of the seats; an unknown name is left as it is.

    players: "uct:1000,random", or the names one by one
    """
    names = players.split(",") if isinstance(players, str) else list(players)
    by_player: dict[str, list[int]] = {}
    for seat, name in enumerate(names, start=1):
        by_player.setdefault(name, []).append(seat)
    if len(by_player) == 1:
        return EVERY_SEAT.get(names[0]) or f"{player_in_words(names[0])}, in every seat"
    if len(names) == 2:
        return f"{player_in_words(names[0])}, against {player_in_words(names[1])}"
    return "; ".join(f"{player_in_words(name)} ({_seats(seats)})" for name, seats in by_player.items())


def consent_in_words(
    players: str | Sequence[str], documents: Iterable[Document], until: str = "game", version: int | None = None
) -> str:
    """Say what these players do where the rules let them end the game by consent; empty where no ruleset does.

    documents: those of the rulesets
    version:   the rules version of the family with which the games were played, if not the present one
    """
    kinds = [kind for document in documents if (kind := family(document["family"])).consent(document) is not None]
    if not kinds or until == "round":
        return ""
    if version is not None and version < kinds[0].consent_since:
        return BY_LOT
    searching = {_uses_search(name) for name in (players.split(",") if isinstance(players, str) else players)}
    return ONE_BY_VALUE if len(searching) > 1 else BY_VALUE if True in searching else NOBODY


def played_in_words(
    players: str | Sequence[str], documents: Iterable[Document], until: str = "game", version: int | None = None
) -> str:
    """Join `in_words` and `consent_in_words`: "random players, never calling a draw that is left to the players"."""
    return ", ".join(filter(None, (in_words(players), consent_in_words(players, documents, until, version))))


def consent_field(
    players: str | Sequence[str], documents: Iterable[Document], until: str = "game", version: int | None = None
) -> dict[str, str]:
    """Return the field `consent` of a document, or no field where the question does not arise."""
    words = consent_in_words(players, documents, until, version)
    return {"consent": words} if words else {}


def _uses_search(name: str) -> bool:
    try:
        return names.player(name).uses_search
    except names.PlayersProblem:  # of a release to come
        return True


def player_in_words(name: str) -> str:
    """Put one player into words: "Monte Carlo search, 1,000 iterations"."""
    if name == names.FAULTLESS:
        return "a table of all positions"
    try:
        return _words(names.player(name))
    except names.PlayersProblem:
        return name


def _words(named: names.Player) -> str:
    if named.kind == names.POLICY:
        policy = names.policies()[named.policy]
        return f"a policy that {policy.words} ({policy.source})"
    if named.kind in (names.ALPHA_BETA, names.EXPECTIMAX):
        further = f", {named.horizon} more where something is taken" if named.horizon else ""
        deep = f"{named.budget} {'ply' if named.budget == 1 else 'plies'} deep"
        return f"{NAMES[named.kind]}, {deep}{further}{_weights(named)}"
    if named.kind == names.UCT:
        iterations = f"{named.budget:,} {'iteration' if named.budget == 1 else 'iterations'}"
        return f"{NAMES[names.UCT]}, {iterations}{_playouts(named.horizon)}{_options(named)}{_weights(named)}"
    return f"{NAMES[named.kind]}{_weights(named)}"


def _playouts(horizon: int) -> str:
    if horizon == names.HORIZON:
        return ""
    return f" of up to {horizon:,} {'turn' if horizon == 1 else 'turns'}" if horizon else " without playouts"


def _options(named: names.Player) -> str:
    explores = "" if named.exploration == names.EXPLORATION else f", exploration {named.exploration / 100:.2f}"
    tries = "1 try" if named.prior == 1 else f"{named.prior:,} tries"
    return f"{explores}, evaluation worth {tries} of a move" if named.prior else explores


def _weights(named: names.Player) -> str:
    if not named.weights:
        return ""
    if plain := _plain_evaluations().get(named.weights):
        return f", with an evaluation that {plain}"
    return f", with the evaluation’s weights of another kind of game ({named.weights})"


@cache
def _plain_evaluations() -> Mapping[str, str]:
    return {kind: words for each in FAMILY_NAMES for kind, words in weights.plain_evaluations(each).items()}


def _seats(seats: Sequence[int]) -> str:
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"
