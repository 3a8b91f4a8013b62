"""Who races for a level of play: the players that can play all readings of a game at a price.

They are tree searches at every horizon, exploration and weight of the evaluation; those that did best in a cheaper
race; or, for the second player of a level, whoever is unlike the first in algorithm or evaluation.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simulator.batches import levels, prices
from simulator.engine.family import family
from simulator.engine.players import names
from simulator.engine.ruleset import Problem, Ruleset
from simulator.engine.weights import fitted, plain_evaluations
from simulator.problems import WrongRequest

HORIZONS, EXPLORATIONS, PRIORS = (0, 4, 12, 40, 200), (20, 40, 80), (0, 2, 8, 32, 128)
# With every other evaluation race so many of the searches that did best in the first player's race, and two that play
# on a little: these know more kinds of games.
FORMS, PLAYED_ON = 2, HORIZONS[1:3]
BY_PLIES = (names.EXPECTIMAX, names.ALPHA_BETA)
ALL, MOST_RANKED = "all", 8  # candidates that a race may be among, and that are remembered for it


def first_forms(game: str, target: int) -> tuple[str, ...]:
    """Return the first player of a game at that price, and who did best beside him; raises WrongRequest."""
    try:
        document = levels.games()[game]["races"][str(target)][levels.FIRST]
    except KeyError:
        message = f"no race of {game} at {target:,} microseconds has been run, whose winner the second is to be unlike"
        raise WrongRequest.of("second", message, None) from None
    return tuple(dict.fromkeys((str(document["player"]), *document.get("ranking", ()))))[:FORMS]


def players_unlike(every: Sequence[Ruleset], forms: Sequence[str], weights: str, target: int) -> tuple[str, ...]:
    """Return whoever can play all rulesets at that price and differs from the first player in algorithm or evaluation.

    forms: the first player, and those who did best beside him; weights: those of his evaluation

    Searches by plies as deep as the price allows, with his evaluation and with plain ones; tree searches like his with
    plain ones; and Monte Carlo search that has none.
    """
    first, others = names.player(forms[0]), _other_evaluations(every[0].family, weights)
    deep = [names.Player(kind, 1, weights=known) for kind in BY_PLIES for known in ("", *others)]
    trees = [one for one in map(names.with_largest_budget, forms) if one.kind == names.UCT and evaluates(one)]
    trees += [names.Player(names.UCT, names.MOST_ITERATIONS, turns) for turns in PLAYED_ON]
    knowing = [replace(one, weights=known) for one in trees for known in others]
    without = [names.Player(names.UCT, names.MOST_ITERATIONS, names.HORIZON, reach) for reach in EXPLORATIONS]
    if first.kind != names.UCT or not evaluates(first):
        knowing = [*trees, *knowing]
    if first.kind == names.UCT and not evaluates(first):
        without = []
    found = [_deepest(every, one, target) for one in deep if one.kind != first.kind or one.weights]
    return tuple(dict.fromkeys(filter(None, [*found, *(_within(every, one, target) for one in [*knowing, *without])])))


def _other_evaluations(family_name: str, weights: str) -> list[str]:
    """Return the plain evaluations of a family that look at other features than those weights do."""
    known = fitted(family_name)
    plain = plain_evaluations(family_name)
    return [kind for kind in plain if _looked_at(known[kind]["weights"]) != _looked_at(known[weights]["weights"])]


def _looked_at(weights: Mapping[str, Mapping[str, int]]) -> dict[str, set[str]]:
    return {role: set(features) for role, features in weights.items()}


def evaluates(search: names.Player) -> bool:
    """Whether the evaluation decides what a tree search plays: at the start of a node, or after few turns."""
    return bool(search.prior) or search.horizon < names.HORIZON


def _deepest(every: Sequence[Ruleset], one: names.Player, target: int) -> str | None:
    """Return a search by plies with the depth that this price allows in all rulesets; None if it cannot play one."""
    try:
        for ruleset in every:
            names.players_for(ruleset, str(one))
            prices.turn_price(ruleset, str(one))
    except ValueError:  # also where nobody measured what its turns cost
        return None
    return _within(every, names.with_largest_budget(str(one)), target)


def given_player(every: Sequence[Ruleset], name: str, target: int) -> str:
    """Return the canonical name of a player that can play all at that price; raises WrongRequest."""
    try:
        [one, *_] = [names.players_for(ruleset, str(names.player(name)))[0] for ruleset in every]
    except names.PlayersProblem as problem:
        raise WrongRequest([Problem("player", str(problem))]) from None
    if (price := max(prices.turn_price(ruleset, one) for ruleset in every)) > target:
        message = f"a turn of {one} takes about {price:,.0f} microseconds here, more than {target:,}"
        raise WrongRequest.of("player", message, prices.within_price_of_all(every, one, target))
    return one


def affordable_players(every: Sequence[Ruleset], target: int) -> tuple[str, tuple[str, ...]]:
    """Return (plain search, all candidates), each with as many iterations as a turn of that price allows."""
    plain = _within(every, names.Player(names.UCT, names.MOST_ITERATIONS, max(HORIZONS)), target)
    options = itertools.product(HORIZONS, EXPLORATIONS, PRIORS)
    searches = (names.Player(names.UCT, names.MOST_ITERATIONS, turns, reach, prior) for turns, reach, prior in options)
    affordable = dict.fromkeys(one for each in searches if (one := _within(every, each, target)))
    if plain is None or len(affordable) < 2:
        dearest = max(prices.turn_price(one, str(names.Player(names.UCT, 1, max(HORIZONS)))) for one in every)
        message = f"a turn of the least search takes about {dearest:,.0f} microseconds here, more than {target:,}"
        raise WrongRequest.of("target", message, int(dearest) + 1)
    return plain, tuple(affordable)


def best_before(
    every: Sequence[Ruleset], target: int, races: Mapping[str, Mapping[str, Any]], most: int, *, of_game: bool
) -> tuple[str, ...]:
    """Return players that did best in the dearest race below this target, the best first, with iterations for it.

    most: of each ruleset; of_game: whether a race at this very target counts, since it was of one ruleset alone
    """
    ranked: list[Sequence[str]] = []
    for ruleset in every:
        versions, known = versions_of(ruleset), races.get(ruleset.hash, {})
        reach = target + 1 if of_game else target
        cheaper = [int(key) for key, race in known.items() if int(key) < reach and race["versions"] == versions]
        if not cheaper:
            message = f"no race of this ruleset below {reach:,} microseconds has been run with these players"
            raise WrongRequest.of("among", message, ALL)
        ranked.append(known[str(max(cheaper))]["ranking"])
    in_turn = (name for place in itertools.zip_longest(*(one[:most] for one in ranked)) for name in place if name)
    searches = map(names.with_largest_budget, in_turn)
    return tuple(dict.fromkeys(one for each in searches if (one := _within(every, each, target))))


def with_every_horizon(every: Sequence[Ruleset], name: str, target: int) -> tuple[str, ...]:
    """Return a tree search at every horizon, with as many iterations as that price allows; nothing for others."""
    best = names.with_largest_budget(name)
    searches = [replace(best, horizon=turns) for turns in HORIZONS] if best.kind == names.UCT else []
    return tuple(one for each in searches if (one := _within(every, each, target)))


def versions_of(ruleset: Ruleset) -> dict[str, int]:
    """Return the versions that a race depends on."""
    return {ruleset.family: family(ruleset.family).rules_version, "players": names.PLAYERS_VERSION}


def _within(every: Sequence[Ruleset], one: names.Player, target: int) -> str | None:
    name = prices.within_price_of_all(every, str(one), target)
    return name if max(prices.turn_price(ruleset, name) for ruleset in every) <= target else None
