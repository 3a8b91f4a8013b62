"""Levels of play, from random through greedy to club and strong: a player for every game, called by its level.

A level is one player in all readings of a game and in what-ifs of them: the same search with the same budget and the
same weights of its evaluation, so that what differs between readings is the rules. Greedy takes what it can. Club and
strong are searches whose turn costs at most so much processor time (TARGETS) in the dearest reading: the winner of the
game's race over all of them (`manage.py tune`, `fixtures/players.json`). Beside each of the two stands a second player
of the same price, called by a name of SECONDS, who differs in algorithm or evaluation: what both show is no matter of
one player. Games of which readings have the same rules have one player. Somebody's what-if is played like the shipped
ruleset of its family that differs from it in the fewest parameters; a game with tables of its own, which nobody has
tuned, like the most alike of its kind, with the budget that has the price of the level there (`untuned` says so). A
level stands for one player with a budget that is counted, by whose name batches are known: a level that is tuned again
is another player.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator.batches import prices
from simulator.engine import shipped
from simulator.engine.family import family
from simulator.engine.naming import seat_name
from simulator.engine.players import wording
from simulator.engine.players.names import (
    EXPECTIMAX,
    FAULTLESS,
    FORMS,
    GREEDY,
    HORIZON,
    MOST_ITERATIONS,
    POLICY,
    RANDOM,
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
SECONDS = {CLUB: "club-second", STRONG: "strong-second"}  # the second player of a level, by its level
FIRSTS = {second: level for level, second in SECONDS.items()}
SEARCHES = (*TARGETS, *FIRSTS)  # all who think
LEVELS = ("random", "greedy", *TARGETS)  # from the weakest
KNOWN = (*SEARCHES, *FORMS)
PLAYERS_OF_GAMES = ("greedy", *SEARCHES)  # what stands for a player that a game has
FIRST, SECOND = "first", "second"  # of the players of a level, in the file
SHORT_HORIZON = 4  # turns; without a race: docs/search.md


@cache
def games() -> Mapping[str, Mapping[str, Any]]:
    """Return what the file knows of each game, by its name.

    rulesets: of all its readings, by slug
    weights:  the kind of game whose weights its players have in all of them, unless a player names others
    races:    what a turn may cost → FIRST and SECOND → the race that chose the player
    """
    found: Mapping[str, Mapping[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["games"]
    return found


def resolve_players(ruleset: Ruleset, text: str) -> str:
    """Return a line such as "club,random" with the player of the ruleset in place of each level."""
    words = [word.strip() for word in text.split(",")]
    return ",".join(player_of(ruleset, word) if word in PLAYERS_OF_GAMES else word for word in words)


def players_for(ruleset: Ruleset, text: str) -> tuple[str, ...]:
    """Return the players of all seats, as `names.players_for`, where levels may be called by their names."""
    words = [parse_level(word.strip()) for word in text.split(",")]
    if FAULTLESS in words:
        raise PlayersProblem(
            f"{FAULTLESS} plays both sides of batches of games that are solved, and nothing else; "
            f"the nearest is {','.join(STRONG if word == FAULTLESS else word for word in words)!r}"
        )
    return players_by_name(ruleset, resolve_players(ruleset, ",".join(words)))


def with_weights(ruleset: Ruleset, line: str) -> str:
    """Return a line of players of a ruleset with the weights of all who evaluate: they are the same in other rulesets.

    Words that are no players stay as they are.
    """
    return ",".join(_with_weights(ruleset, word) for word in line.split(","))


def _with_weights(ruleset: Ruleset, word: str) -> str:
    try:
        one = player(word)
    except PlayersProblem:
        return word
    if one.weights or one.kind in (RANDOM, POLICY):
        return word
    kind = family(ruleset.family)
    return str(replace(one, weights=kind.kind_of_game(ruleset.parameters)))


def parse_level(word: str) -> str:
    """Return a level as it is, or the canonical name of a player; raises PlayersProblem, naming the nearest of both."""
    if word in (*SEARCHES, FAULTLESS):
        return word
    try:
        return str(player(word))
    except PlayersProblem:
        if (near := nearest(word, KNOWN)) not in SEARCHES:
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
        return in_words(names[0]) if names[0] in SEARCHES else wording.in_words(names)
    seats = [f"{seat_name(seat)} {_one_in_words(name)}" for seat, name in enumerate(names)]
    return ("; " if any("," in seat for seat in seats) else ", ").join(seats)


def _one_in_words(name: str) -> str:
    return f"{FIRSTS[name]} of the second kind" if name in FIRSTS else wording.player_in_words(name)


def in_every_seat(name: str) -> str:
    """Return a regular expression of the lines of players in which one level or player has every seat."""
    return f"^{re.escape(name)}(,{re.escape(name)})*$"


def players_of_level(level: str) -> tuple[str, ...]:
    """Return what the players of a level are called: the level itself, and its second player if it has one."""
    return (level, SECONDS[level]) if level in SECONDS else (level,)


def rank(level: str) -> int:
    """Return the place of a level from the weakest, 0, up, a second player at its level's; −1 for what is no level."""
    level = FIRSTS.get(level, level)
    return LEVELS.index(level) if level in LEVELS else -1


def player_of(ruleset: Ruleset, level: str) -> str:
    """Return the name of the player that a level, or the second player of one, stands for; level: not random."""
    like = _most_alike(ruleset)
    if like is None:
        return "greedy" if level == "greedy" else _at_price([ruleset], _unraced(level), level)
    if untuned(ruleset):
        return _untuned_player(ruleset, level, like)
    search = player(_of_game(_game_of(like), level))
    own = family(ruleset.family).kind_of_game(ruleset.parameters)
    return _playable(ruleset, str(replace(search, weights="") if search.weights == own else search), level)


def _playable(ruleset: Ruleset, name: str, level: str) -> str:
    """Return that player, or where a what-if has made something of the game that it cannot play, one that can: of all
    searches only expectimax is bound to rules, as it weighs every throw."""
    if ruleset.hash in _tuned() or player(name).kind != EXPECTIMAX:
        return name
    kind = family(ruleset.family)
    try:
        players_by_name(ruleset, ",".join([name] * kind.seats(ruleset.parameters)))
    except PlayersProblem:
        return _at_price([ruleset], _unraced(level), level)
    return name


def untuned(ruleset: Ruleset) -> str:
    """Return what is to be said of the players of a game that nobody has tuned; empty of games that are tuned, and of
    what-ifs of these."""
    if ruleset.hash in _tuned() or not family(ruleset.family).tables(ruleset.document):
        return ""
    like = _most_alike(ruleset)
    near = f"those of {_game_of(like).replace('-', ' ')}, the most alike of its kind," if like else "simple searches"
    return f"Nobody has tuned players for this game: {near} play it, with the time of a turn estimated."


def _untuned_player(ruleset: Ruleset, level: str, like: str) -> str:
    """Return the player of a level in a game that nobody has tuned: that of the ruleset most alike, at the price of a
    turn here, with the weights of its own kind of game."""
    own = family(ruleset.family).kind_of_game(ruleset.parameters)
    if level == "greedy":
        return "greedy"
    search = player(_of_game(_game_of(like), level))
    fitted = family(ruleset.family).kind_of_game(_tuned()[like].parameters)
    weights = "" if search.weights in (own, fitted) else search.weights
    name = _playable(ruleset, str(replace(search, weights=weights)), level)
    return _at_price([ruleset], name, level)


def in_words(level: str) -> str:
    """ "club players, about 1 ms a turn", "club players of the second kind, about 1 ms a turn"."""
    first = FIRSTS.get(level, level)
    kind = " of the second kind" if level in FIRSTS else ""
    return f"{first} players{kind}, about {TARGETS[first] // 1_000} ms a turn"


def second_line(line: str) -> str:
    """Return those who play again beside a line of levels: "club-second,random" of "club,random"; else nothing."""
    words = [word.strip() for word in line.split(",")]
    second = [SECONDS.get(word, word) for word in words]
    return ",".join(second) if second != words else ""


def named_in_words(line: str) -> str:
    """ "club players", for a sentence that has no room for how they play; who sits where, if they are several."""
    name, *others = set(line.split(","))
    if others:
        return line_in_words(line)
    first = FIRSTS.get(name, name)
    if first in LEVELS:
        return f"{first} players{' of the second kind' if name in FIRSTS else ''}"
    return f"players by {wording.player_in_words(name)}"


def level_of(ruleset: Ruleset, name: str) -> str:
    """Return the level of a player, or what the second of one is called; its own name if it has none.

    Greedy with the ruleset's own weights is none where the level greedy of its game has others: its name then says so.
    """
    level = next((level for level in (*SEARCHES, "greedy") if player_of(ruleset, level) == name), name)
    if level == name == "greedy" and player_of(ruleset, "greedy") != name:
        return str(Player(GREEDY, weights=family(ruleset.family).kind_of_game(ruleset.parameters)))
    return level


def player_in_words(ruleset: Ruleset, name: str) -> str:
    """Return a player in words, with its level: "club, Monte Carlo search, 300 iterations"."""
    level = level_of(ruleset, name)
    words = wording.player_in_words(name)
    return f"{_one_in_words(level)}, {words}" if level in SEARCHES else words


@cache
def _of_game(game: str, level: str) -> str:
    """Return the player of a level in a game, with its weights: the winner of the race at that price.

    Without one, the winner of the dearest race there is, with the iterations of that price.
    """
    known = games()[game]
    if level == "greedy":
        return str(Player(GREEDY, weights=known["weights"]))
    place, races = SECOND if level in FIRSTS else FIRST, known["races"]
    target = TARGETS[FIRSTS.get(level, level)]
    own = races.get(str(target), {}).get(place)
    raced = [int(price) for price, race in races.items() if place in race]
    search = own or (races[str(max(raced))][place] if raced else None)
    name = str(search["player"]) if search else _unraced(level)
    if own is None:
        name = _at_price([_shipped_by_slug()[slug] for slug in known["rulesets"]], name, level)
    one = player(name)
    return str(replace(one, weights=one.weights or known["weights"]))


def _unraced(level: str) -> str:
    """Return the search of a level for which none was chosen: a short horizon; the second knows no evaluation."""
    return str(Player(UCT, MOST_ITERATIONS, HORIZON if level in FIRSTS else SHORT_HORIZON))


def _at_price(rulesets: Iterable[Ruleset], name: str, level: str) -> str:
    longest = str(with_largest_budget(name))
    return prices.within_price_of_all(rulesets, longest, TARGETS[FIRSTS.get(level, level)])


@cache
def _shipped_by_slug() -> dict[str, Ruleset]:
    return {slug: shipped.load(slug) for slug in shipped.measured()}


@cache
def _game_of(ruleset_hash: str) -> str:
    """Return the game of a shipped ruleset; rulesets of one content are of one game, as the file has them."""
    for game, known in games().items():
        if any(_shipped_by_slug()[slug].hash == ruleset_hash for slug in known["rulesets"]):
            return game
    raise LookupError(f"fixtures/players.json names no game with the ruleset {ruleset_hash}")


@cache
def _tuned() -> dict[str, Ruleset]:
    """Return the rulesets of the games that have tuned players, by their hashes."""
    slugs = [slug for known in games().values() for slug in known["rulesets"]]
    return {ruleset.hash: ruleset for ruleset in map(_shipped_by_slug().__getitem__, slugs)}


@lru_cache(maxsize=1024)  # a page of claims asks it of the same changed rulesets again and again
def _most_alike(ruleset: Ruleset) -> str | None:
    """Return the hash of the ruleset if it is tuned, else of the first of those most like it, if any: of its kind of
    game, where it has tables of its own."""
    if ruleset.hash in _tuned():
        return ruleset.hash
    kin = [known for known in _tuned().values() if known.family == ruleset.family]
    own = family(ruleset.family)
    if own.tables(ruleset.document):
        kind = own.kind_of_game(ruleset.parameters)
        kin = [known for known in kin if own.kind_of_game(known.parameters) == kind] or kin
    # The hash breaks ties, so that the answer does not depend on the order of files.
    return min(((_differing(known, ruleset), known.hash) for known in kin), default=(0, None))[1]


def _differing(one: Ruleset, other: Ruleset) -> int:
    return sum(value != other.parameters[key] for key, value in one.parameters.items())
