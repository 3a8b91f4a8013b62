"""Levels of play, from random through greedy to club and strong: a player for every ruleset, called by its level.

Greedy takes what it can. Club and strong are searches whose turn costs about so much processor time (TARGETS): the
winner of the ruleset's race (`manage.py tune`, `fixtures/players.json`) where one was run, else a search of short
horizon. Somebody's what-if is played like the shipped ruleset of its family that differs from it in the fewest
parameters, so that the two can be compared. A level stands for one player with a budget that is counted, by whose name
batches are known: a level that is tuned again is another player.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator.batches import prices
from simulator.engine import shipped
from simulator.engine.naming import seat_name
from simulator.engine.players import wording
from simulator.engine.players.names import (
    FORMS,
    MOST_ITERATIONS,
    UCT,
    Player,
    PlayersProblem,
    player,
    with_largest_budget,
)
from simulator.engine.players.names import players_for as players_by_name
from simulator.engine.ruleset import Ruleset, nearest

FILE = Path(settings.BASE_DIR) / "fixtures" / "players.json"
CLUB, STRONG = "club", "strong"
TARGETS = {CLUB: 1_000, STRONG: 20_000}  # microseconds of processor time, by `player_prices.json`
LEVELS = ("random", "greedy", *TARGETS)  # from the weakest
KNOWN = (*TARGETS, *FORMS)
SHORT_HORIZON = 4  # turns; without a race: docs/search.md


@cache
def _races() -> dict[str, Mapping[str, Any]]:
    """Return the races of each ruleset that was tuned: hash of the ruleset → what a turn may cost → the race."""
    races: dict[str, Mapping[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["rulesets"]
    return races


def resolve_players(ruleset: Ruleset, text: str) -> str:
    """Return a line such as "club,random" with the player of the ruleset in place of each level."""
    words = [word.strip() for word in text.split(",")]
    return ",".join(player_of(ruleset, word) if word in TARGETS else word for word in words)


def players_for(ruleset: Ruleset, text: str) -> tuple[str, ...]:
    """Return the players of all seats, as `names.players_for`, where levels may be called by their names."""
    words = ",".join(parse_level(word.strip()) for word in text.split(","))
    return players_by_name(ruleset, resolve_players(ruleset, words))


def parse_level(word: str) -> str:
    """Return a level as it is, or the canonical name of a player; raises PlayersProblem, naming the nearest of both."""
    if word in TARGETS:
        return word
    try:
        return str(player(word))
    except PlayersProblem:
        if (near := nearest(word, KNOWN)) not in TARGETS:
            raise
    raise PlayersProblem(f"no player is called {word!r}; the nearest is {near!r} (there are {', '.join(KNOWN)})")


def per_seat(text: str, seats: int) -> str:
    """Return a line of levels and players with one for every seat: "club" becomes "club,club".

    Raises PlayersProblem, as `parse_level` does.
    """
    words = [parse_level(word.strip()) for word in text.split(",")]
    return ",".join(words * seats if len(words) == 1 else words)


def line_in_words(line: str) -> str:
    """ "first player club, second player random"; "random players" where one plays every seat."""
    names = line.split(",")
    if len(set(names)) == 1:
        return in_words(names[0]) if names[0] in TARGETS else wording.in_words(names)
    seats = [f"{seat_name(seat)} {wording.player_in_words(name)}" for seat, name in enumerate(names)]
    return ("; " if any("," in seat for seat in seats) else ", ").join(seats)


def in_every_seat(name: str) -> str:
    """Return a regular expression of the lines of players in which one level or player has every seat."""
    return f"^{re.escape(name)}(,{re.escape(name)})*$"


def rank(level: str) -> int:
    """Return the place of a level from the weakest, 0, up; −1 for what is no level."""
    return LEVELS.index(level) if level in LEVELS else -1


def player_of(ruleset: Ruleset, level: str) -> str:
    """Return the name of the player that a level stands for; level: one of TARGETS."""
    like = _most_alike(ruleset)
    return _at_price(ruleset, None, level) if like is None else _of_shipped(like, level)


def in_words(level: str) -> str:
    """ "club players, about 1 ms a turn"."""
    return f"{level} players, about {TARGETS[level] // 1_000} ms a turn"


def level_of(ruleset: Ruleset, name: str) -> str:
    """Return the level of a player; its own name if it has none."""
    return next((level for level in TARGETS if player_of(ruleset, level) == name), name)


def player_in_words(ruleset: Ruleset, name: str) -> str:
    """Return a player in words, with its level: "club, Monte Carlo search, 300 iterations"."""
    level = level_of(ruleset, name)
    words = wording.player_in_words(name)
    return words if level == name else f"{level}, {words}"


@cache
def _of_shipped(ruleset_hash: str, level: str) -> str:
    """Return the winner of the race at that price; else of the dearest there is, with the iterations of that price."""
    races = _races().get(ruleset_hash, {})
    if (own := races.get(str(TARGETS[level]))) is not None:
        return str(own["player"])
    return _at_price(_shipped()[ruleset_hash], races[max(races, key=int)] if races else None, level)


def _at_price(ruleset: Ruleset, race: Mapping[str, Any] | None, level: str) -> str:
    search = with_largest_budget(race["player"]) if race else Player(UCT, MOST_ITERATIONS, SHORT_HORIZON)
    return prices.within_price(ruleset, str(search), TARGETS[level])


@cache
def _shipped() -> dict[str, Ruleset]:
    return {ruleset.hash: ruleset for ruleset in map(shipped.load, shipped.rulesets())}


def _most_alike(ruleset: Ruleset) -> str | None:
    """Return the hash of the ruleset if it is shipped, else of the first of those most like it, if any."""
    if ruleset.hash in _shipped():
        return ruleset.hash
    kin = [known for known in _shipped().values() if known.family == ruleset.family]
    # The hash breaks ties, so that the answer does not depend on the order of files.
    return min(((_differing(known, ruleset), known.hash) for known in kin), default=(0, None))[1]


def _differing(one: Ruleset, other: Ruleset) -> int:
    return sum(value != other.parameters[key] for key, value in one.parameters.items())
