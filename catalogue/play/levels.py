"""Levels of play in plain words, from easy to the strongest that somebody may wait for; an address names their players.

A level is a player of the engine, its budget bounded by what a visitor may have thought out; where the ruleset is
solved, the strongest is the perfect player.
"""

from dataclasses import dataclass

from simulator.batches.scale import CLUB, STRONG, named
from simulator.engine.players.names import GREEDY, RANDOM, player
from simulator.engine.players.wording import player_in_words
from simulator.engine.ruleset import Ruleset
from simulator.strength.perfect import PERFECT, promise, table_seconds
from simulator.strength.replies import within_bounds
from simulator.strength.solutions import SolutionView, solution_of

# From the weakest; the budget of a player is less where the ruleset is too dear for it.
TITLES = {"random": "Easy", "greedy": "Greedy", CLUB: "Club", STRONG: "Strong"}


@dataclass(frozen=True, slots=True)
class Level:
    """player: by its name in an address; how: it comes to its moves"""

    title: str
    player: str
    how: str

    def __str__(self) -> str:
        return f"{self.title}: {self.how}"


def levels(ruleset: Ruleset) -> list[Level]:
    """Those that a ruleset has, from the weakest; of two that come to the same player the weaker. At most one query."""
    return levels_with(ruleset, solution_of(ruleset, ruleset.hash))


def levels_with(ruleset: Ruleset, kept: SolutionView | None) -> list[Level]:
    """The same by the solution that is kept. No query."""
    found: dict[str, Level] = {}
    for name, title in TITLES.items():
        affordable = within_bounds(ruleset, named(ruleset, name))
        found.setdefault(affordable, Level(title, affordable, _how(affordable)))
    if kept and kept.document and table_seconds(ruleset, kept) is not None:
        found[PERFECT] = Level("Perfect", PERFECT, promise(kept.document))
    return list(found.values())


def player_called(name: str, offered: list[Level]) -> str:
    """ "Strong", if the player is one of these levels; else the player in words."""
    return next((level.title for level in offered if level.player == name), player_in_words(name))


def _how(name: str) -> str:
    one = player(name)
    if one.kind == RANDOM:
        return "plays anything that is legal"
    if one.kind == GREEDY:
        return "looks one turn ahead"
    return f"tries {one.budget:,} {'games' if one.horizon else 'lines of play'} each move"
