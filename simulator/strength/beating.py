"""Whether a rung of a ladder beats the one below, and where a level of the scale does not, why.

A rung beats the one below if the least share of the points that the games of the ladder allow, by one fit to all of
them, is more than a fair part, and its games are of more than a few kinds. Where a level does not,
`fixtures/scale.json` names the ruleset with the reason, which holds for every ruleset with the same rules; what
somebody's own ladder shows has none but its figures. Of a level whose players have not climbed a ladder it has null.
The file names as well where the strong level makes less than 45 % of the points against another search. The ladders of
the edition, and matches, are held to it (`tests/proofs/play_scale.py`).
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator.batches import levels
from simulator.engine import shipped
from simulator.engine.players.wording import player_in_words
from simulator.engine.ruleset import Ruleset

FILE = Path(settings.BASE_DIR) / "fixtures" / "scale.json"
CLOSE, AS_GOOD, UNDECIDED, ENDLESS, HARM = "close", "as good", "undecided", "endless", "harm"
SIDE = "side"
KINDS = (CLOSE, AS_GOOD, UNDECIDED, ENDLESS, SIDE)  # reasons that are seen in the figures themselves
WEAK = 0.45  # of the points against another search: below it the file names a ruleset
NEAR = 0.05  # of the points: so near to a fair part nobody plays noticeably better


@cache
def _named() -> Mapping[str, Any]:
    document: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return document


def reasons() -> Mapping[str, str]:
    """Return why a level may not beat the one below, by key."""
    by_key: dict[str, str] = _named()["reasons"]
    return by_key


def exceptions(level: str) -> Mapping[str, str]:
    """Return the rulesets in which a level does not beat the one below, by slug, with a key of the reasons."""
    by_slug: dict[str, str] | None = _named()["levels"][level]
    return by_slug or {}


def weak_against(other: str) -> Mapping[str, str]:
    """Return the rulesets in which the strong level is weak against another search, by slug: a key of the reasons."""
    by_slug: dict[str, str] = _named()["weak"].get(other, {})
    return by_slug


@cache
def _shipped() -> frozenset[str]:
    return frozenset(shipped.load(slug).hash for slug in shipped.measured())


@cache
def _hash_of(slug: str) -> str:
    return shipped.load(slug).hash


def weaknesses(ruleset: Ruleset) -> list[str]:
    """ "Against alpha–beta search, 4 plies deep, the strong player makes less than …", of these rules."""
    return [
        f"Against {player_in_words(other)}, the strong player makes less than {100 * WEAK:.0f} % of the points: "
        f"{reasons()[why]}."
        for other, named in _named()["weak"].items()
        for why in dict.fromkeys(why for slug, why in named.items() if _hash_of(slug) == ruleset.hash)
    ]


@cache
def _by_content(level: str) -> Mapping[str, str]:
    """Return the exceptions by the hashes of the rulesets: several readings may have the same rules, and one ladder."""
    return {shipped.load(slug).hash: why for slug, why in exceptions(level).items()}


def named_reason(ruleset: Ruleset, level: str) -> str | None:
    """Return the key of the reason that the file gives for a level in these rules, under any reading with them."""
    return _by_content(level).get(ruleset.hash)


def by_the_scale(ruleset_hash: str, level: str) -> bool | None:
    """Return whether the file has it that a level beats the one below in these rules.

    None if they do not ship, and of a level whose players have not climbed a ladder.
    """
    if ruleset_hash not in _shipped() or _named()["levels"][level] is None:
        return None
    return ruleset_hash not in _by_content(level)


def beats(match: Mapping[str, Any], fair: float) -> bool:
    """Return whether the stronger wins a match of a ladder, which few different games do not show.

    fair: the part of the points of an equal side
    """
    return bool(points(match)["low"] > fair) and not match.get("few")


def points(match: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the points of the stronger, as the fit to the whole ladder expects them, else as they were made."""
    figure: Mapping[str, Any] = match.get("expected") or match["share"]
    return figure


def looks(match: Mapping[str, Any], fair: float) -> str:
    """Classify a match that is not won by its figures: CLOSE, AS_GOOD, UNDECIDED, ENDLESS, SIDE or HARM.

    As good are two only where all that the games allow is near a fair part. A few dozen games never show that: theirs
    leave room for a difference both ways, and what they tell is that they do not decide. Where every game of a side is
    won and every game of the other lost, it is the side that decides.
    """
    share = points(match)
    if 2 * match["unfinished"] > match["games"]:
        return ENDLESS
    if not match["unfinished"] and {seat["value"] for seat in match["seats"]} == {0.0, 1.0}:
        return SIDE
    if share["high"] < fair:
        return HARM
    if share["low"] > fair - NEAR and share["high"] < fair + NEAR:
        return AS_GOOD
    return CLOSE if share["value"] > fair + NEAR else UNDECIDED


def note(ruleset: Ruleset, match: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    """ "not shown to be better: these games do not tell …"; nothing where the stronger does beat the weaker.

    document: of the ladder
    """
    if beats(match, document["fair"]):
        return ""
    if match.get("few"):
        return f"not shown to be better: only {match['kinds']} different games, which say nothing about other players"
    seen = why = looks(match, document["fair"])
    level = levels.level_of(ruleset, match["stronger"])
    named = named_reason(ruleset, level) if level in _named()["levels"] else None
    if named is not None and named not in KINDS:  # what figures show, those of other games need not
        why = named
    if seen == HARM:
        return f"worse in these games{_because(why)}"
    if seen in (AS_GOOD, SIDE):
        return f"no better in these games{_because(why)}"
    over = match["games"] - match["unfinished"]
    won = f"; of the {over} that are over it won {match['won']:g}" if seen == ENDLESS and over else ""
    return f"not shown to be better{_because(why)}{won}"


def _because(why: str) -> str:
    return f": {reasons()[why]}" if why in reasons() else ""
