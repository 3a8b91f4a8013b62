"""Whether a rung of a ladder beats the one below, and where a level of the scale does not, why.

A rung beats the one below if the least share of the points that its games allow is more than a fair part. Where a level
does not, `fixtures/scale.json` names the ruleset with the reason; what somebody's own ladder shows has none but its
figures. The ladders of the edition are held to that file (`tests/proofs/play_scale.py`).
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator.batches import scale
from simulator.engine.ruleset import Ruleset

FILE = Path(settings.BASE_DIR) / "fixtures" / "scale.json"
CLOSE, AS_GOOD, ENDLESS, HARM = "close", "as good", "endless", "harm"
KINDS = (CLOSE, AS_GOOD, ENDLESS)  # reasons that are seen in the figures themselves
NEAR = 0.05  # of the points: so near to a fair part nobody plays noticeably better


@cache
def _named() -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def reasons() -> Mapping[str, str]:
    """Why a level may not beat the one below, by key."""
    found: dict[str, str] = _named()["reasons"]
    return found


def exceptions(level: str) -> Mapping[str, str]:
    """Rulesets in which a level does not beat the one below, by slug: a key of the reasons."""
    found: dict[str, str] = _named()["levels"][level]
    return found


def beats(match: Mapping[str, Any], fair: float) -> bool:
    """match: of a ladder's document; fair: the part of the points of a side that plays no better"""
    return bool(match["share"]["low"] > fair)


def looks(match: Mapping[str, Any], fair: float) -> str:
    """What the figures of a match that is not won look like: one of CLOSE, AS_GOOD, ENDLESS, HARM."""
    if 2 * match["unfinished"] > match["games"]:
        return ENDLESS
    if match["share"]["high"] < fair:
        return HARM
    return CLOSE if match["share"]["value"] > fair + NEAR else AS_GOOD


def note(ruleset: Ruleset, slug: str, match: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    """ "no better in these games: both play about as well"; nothing where the stronger does beat the weaker.

    slug: of the ruleset; document: of the ladder
    """
    if beats(match, document["fair"]):
        return ""
    seen = looks(match, document["fair"])
    level = scale.level_of(ruleset, match["stronger"])
    why = exceptions(level).get(slug, seen) if level in _named()["levels"] else seen
    if seen == HARM:
        return f"worse in these games{_because(why)}"
    if seen != ENDLESS:
        return f"no better in these games{_because(why)}"
    over = match["games"] - match["unfinished"]
    won = f"; of the {over} that are it won {match['won']:g}" if over else ""
    return f"not shown to be better{_because(why)}{won}"


def _because(why: str) -> str:
    return f": {reasons()[why]}" if why in reasons() else ""
