"""What the records call a throw, and how they tell the marked shell from the others.

A name belongs to lots as one record describes them. It is told where a ruleset is played on the board of that record
and throws those lots, and the throw scores what it scores there.
"""

from simulator.engine.families.race.position import Rules
from simulator.engine.families.race.referee.lots import every_throw

# Board -> how many shells its record throws; what they show and score -> the name.
COWRIES: dict[str, tuple[int, dict[tuple[int, int], str]]] = {
    # DLP.Evidence.828: "it counts 12, barah; if five mouths be upward it is 25, pachis; …"
    "cross_8_castles": (
        6,
        {
            (6, 12): "barah",
            (5, 25): "pachis",
            (4, 4): "char",
            (3, 3): "tin",
            (2, 2): "do",
            (1, 10): "das",
            (0, 6): "choka",
        },
    ),
    # DLP.Evidence.1316: "5, and is called Pancha; … 1, called Onduwa; … 0, and is called Bokka".
    "pancha_track": (6, {(5, 5): "pancha", (1, 1): "onduwa", (0, 0): "bokka"}),
    # DLP.Evidence.1486: "one of the cowries with the mouth down is the yellow one, in which case … So-hatara".
    "cross_4_corners": (6, {(3, 4): "so-hatara"}),
}
# Board -> what two dice show, and the name. DLP.Evidence.1487: "0 and 1 … Tayam … 0 and 4 it is called Sonal".
DICE: dict[str, dict[tuple[int, ...], str]] = {"cross_8": {(0, 1): "tayam", (0, 4): "sonal"}}
MARKED_SHELLS = {"cross_4_corners": "yellow"}


def throw_name(rules: Rules, lots: tuple[int, ...], score: int) -> str:
    """What a throw is called; empty if no record has a name for it."""
    if rules["dice"]:
        found = DICE.get(rules["board"], {}).get(tuple(sorted(lots)), "")
        return found if score == sum(lots) else ""
    shells, names = COWRIES.get(rules["board"], (0, {}))
    return names.get((sum(lots), score), "") if len(lots) == shells else ""


def marked_shell(rules: Rules) -> str:
    """What the shell is called that makes a throw a named one; empty if none does."""
    return MARKED_SHELLS.get(rules["board"], "marked") if rules["named_mouths"] else ""


def has_names(rules: Rules) -> bool:
    """Whether a throw of the ruleset is called by a name."""
    return any(throw_name(rules, throw.lots, throw.score) for throw in every_throw(rules))
