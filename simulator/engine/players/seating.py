"""Who may play a ruleset: its seats, and its lots."""

from simulator.engine.family import family
from simulator.engine.players.names import EXPECTIMAX, PlayersProblem, parse_players, player
from simulator.engine.ruleset import Ruleset


def players_for(ruleset: Ruleset, text: str) -> tuple[str, ...]:
    """The players of all its seats, as `parse_players`. Raises PlayersProblem, also where not all throws can be listed
    for one who weighs them."""
    kind = family(ruleset.family)
    names = parse_players(text, kind.seats(ruleset.parameters), throws=kind.throws)
    if any(player(name).kind == EXPECTIMAX for name in names):
        try:
            kind.listed_throws(ruleset.parameters)
        except ValueError as problem:
            raise PlayersProblem(
                f"expectimax weighs every throw by its chance, and does {problem}; the nearest is 'uct:1000'"
            ) from None
    return names
