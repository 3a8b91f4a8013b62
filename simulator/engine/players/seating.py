"""Who may play a ruleset: its seats, its lots, and the game whose advice a policy is."""

from simulator.engine.family import family
from simulator.engine.players.names import EXPECTIMAX, GREEDY, KINDS, POLICY, PlayersProblem, parse_players, player
from simulator.engine.players.policies import policies
from simulator.engine.ruleset import Ruleset


def players_for(ruleset: Ruleset, text: str) -> tuple[str, ...]:
    """The players of all its seats, as `parse_players`. Raises PlayersProblem, also where not all throws can be listed
    for one who weighs them, and for the policy of another game."""
    kind = family(ruleset.family)
    names = parse_players(text, kind.seats(ruleset.parameters), throws=kind.throws)
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


def policies_for(ruleset: Ruleset) -> list[str]:
    """The names of the players who follow advice for this game."""
    return [f"{KINDS[POLICY]}:{name}" for name, policy in policies().items() if policy.applies(ruleset.parameters)]


def _check_policy(ruleset: Ruleset, name: str) -> None:
    """Raises PlayersProblem if that player follows the advice for another game."""
    policy = policies().get(player(name).policy)
    if policy and not policy.applies(ruleset.parameters):
        here = policies_for(ruleset)
        raise PlayersProblem(
            f"{name!r} does what is advised for {policy.game}, and this is another game; "
            f"the nearest is {(*here, KINDS[GREEDY])[0]!r} (of policies there {_are(here)})"
        )


def _are(names: list[str]) -> str:
    return f"{'is' if len(names) == 1 else 'are'} {', '.join(names)}" if names else "is none"
