"""How much each feature of a position is worth to a player who does not see its end: numbers fitted from games.

A file for each family, written by `manage.py fit`, has a kind of game in every entry: the weights of its features for
either role, and how they were found. A weight is a thousandth of the lead with which three games of four are won, so
that weights of different games can be read side by side. An entry with "words" instead is of no kind of game: a plain
evaluation, put there by hand and the same in all games of the family, for a second opinion on each of them.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

SCALE = 1_000  # the lead with which three games of four are won
EACH = "each"  # the role of players who have as many pieces

# The weight of each feature, by kind of game and role; what is not named weighs nothing. "others": 0 says that only a
# player's own features count, not those of the others against him.
Weigh = Callable[[str, str], Mapping[str, int]]


@cache
def fitted(family_name: str) -> dict[str, Any]:
    """Return the weights of a family: an entry for each kind of game, and for each plain evaluation."""
    found: dict[str, Any] = json.loads(path(family_name).read_text(encoding="utf-8"))
    return found


def weigh_as(family_name: str, kind: str) -> Weigh:
    """Return the weights fitted for one kind of game, whatever kind a ruleset is of.

    A role that this kind does not know, and has no weights for all of, weighs as its own kind of game does.
    """
    found: Mapping[str, Mapping[str, int]] = fitted(family_name)[kind]["weights"]

    def weights(own: str, role: str) -> Mapping[str, int]:
        return found[role] if role in found else found[EACH] if EACH in found else weigh(family_name)(own, role)

    return weights


def plain_evaluations(family_name: str) -> dict[str, str]:
    """Return what each plain evaluation of a family does, in a clause, by its name."""
    return {kind: found["words"] for kind, found in fitted(family_name).items() if "words" in found}


def path(family_name: str) -> Path:
    """Return where a family's weights are kept."""
    return Path(__file__).parent / f"{family_name}.json"


def weigh(family_name: str) -> Weigh:
    """Return the fitted weights of a family; those for EACH where a kind of game has none for a role, and those of the
    first plain evaluation where nobody has fitted any."""
    plain = next(iter(plain_evaluations(family_name)))

    def weights(kind: str, role: str) -> Mapping[str, int]:
        known = fitted(family_name)
        found: Mapping[str, Mapping[str, int]] = known.get(kind, known[plain])["weights"]
        return found.get(role) or found.get(EACH) or known[plain]["weights"][EACH]

    return weights
