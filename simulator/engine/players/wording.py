"""Players in plain words, for pages and figures: "Monte Carlo search, 1,000 iterations, against random"."""

from collections.abc import Sequence

from simulator.engine.players.names import ALPHA_BETA, GREEDY, HORIZON, RANDOM, UCT, Player, PlayersProblem, player

NAMES = {RANDOM: "random", GREEDY: "greedy, one turn ahead", ALPHA_BETA: "alpha–beta search", UCT: "Monte Carlo search"}
HINT = (
    "One name for all seats, or one a seat with commas between them: random; greedy; uct:1000, which plays so many "
    "games on before each move; alpha_beta:4, which looks so many moves ahead (two players, no lots)."
)
EVERY_SEAT = {"random": "random players", "greedy": "greedy players, one turn ahead"}


def in_words(players: str | Sequence[str]) -> str:
    """The players of all seats, in the order of the seats; a name that no player has is left as it is.

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


def player_in_words(name: str) -> str:
    """ "Monte Carlo search, 1,000 iterations"."""
    try:
        return _words(player(name))
    except PlayersProblem:
        return name


def _words(one: Player) -> str:
    if one.kind == ALPHA_BETA:
        return f"{NAMES[ALPHA_BETA]}, {one.budget} {'ply' if one.budget == 1 else 'plies'} deep"
    if one.kind == UCT:
        said = "" if one.horizon == HORIZON else f" of up to {one.horizon:,} {'turn' if one.horizon == 1 else 'turns'}"
        return f"{NAMES[UCT]}, {one.budget:,} {'iteration' if one.budget == 1 else 'iterations'}{said}"
    return NAMES[one.kind]


def _seats(seats: Sequence[int]) -> str:
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"
