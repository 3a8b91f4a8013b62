"""How the sheet is looked at, as the address says it: the tool, the picture under it, how wide it is, snap, symmetry.

Nothing of it is of the board. Every form of the page sends it along, so that a stroke leads back to the same look.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from django.utils.http import urlencode

from simulator.engine.boards.drawings import Place
from simulator.engine.boards.strokes import SYMMETRIES, snapped

SYMMETRY_TITLES = {
    "off": "none",
    "sides": "left and right alike",
    "ends": "top and bottom alike",
    "both": "left, right, top and bottom alike",
    "half": "turned half round",
    "quarters": "turned by quarters",
}
SNAPS = {"1": "to whole steps", "1/2": "to half steps", "1/4": "to quarter steps", "1/20": "hardly at all"}
LEAST_WIDE, MOST_WIDE = 1, 60
MOST_SHIFT = 30
MOST_COUNTERS = 99  # that a hole begins with
START = re.compile(r"[a-z]{1,3}[0-9]{0,3}|-?[0-9]{1,3}(\.[0-9]{1,3})?,-?[0-9]{1,3}(\.[0-9]{1,3})?")
NAME = re.compile("[a-z][a-z_]{0,29}")
LONGEST = 80  # characters of a name


class WrongPlace(ValueError):
    """What was typed names no place; the message says what would."""


@dataclass(frozen=True, slots=True)
class Look:
    """tool: what a click does; picture: of which record, and its number there, as "ETG.Evidence.1:2"

    opacity: of the picture, in hundredths; wide: how many steps it is wide, and the sheet at least; right, up: how far
    it is moved; snap: where clicks fall; symmetry: what is drawn besides; name: of the region or mark; count: of
    counters that holes begin with; start: where a line goes on from
    """

    tool: str = ""
    picture: str = ""
    opacity: int = 60
    wide: str = "8"
    right: str = "0"
    up: str = "0"
    snap: str = "1/2"
    symmetry: str = "off"
    name: str = ""
    count: int = 0
    start: str = ""

    @classmethod
    def read(cls, given: Mapping[str, Any], tools: Mapping[str, Any], **usual: Any) -> "Look":
        """Read what an address or a form says; what makes no sense is as usual."""
        look = cls(**usual)
        found: dict[str, Any] = {}
        for one in fields(cls):
            text = str(given.get(one.name, getattr(look, one.name)))[:LONGEST]
            if isinstance(getattr(look, one.name), int):
                found[one.name] = int(text) if text.isascii() and text.isdecimal() else getattr(look, one.name)
            else:
                found[one.name] = text
        found["tool"] = found["tool"] if found["tool"] in tools else next(iter(tools))
        found["snap"] = found["snap"] if found["snap"] in SNAPS else look.snap
        found["symmetry"] = found["symmetry"] if found["symmetry"] in SYMMETRIES else look.symmetry
        found["start"] = found["start"] if START.fullmatch(found["start"]) else ""
        found["name"] = found["name"] if NAME.fullmatch(found["name"]) else look.name
        found["count"] = min(MOST_COUNTERS, found["count"])
        found["opacity"] = min(100, found["opacity"])
        found["wide"] = _text(found["wide"], LEAST_WIDE, MOST_WIDE, look.wide)
        found["right"] = _text(found["right"], -MOST_SHIFT, MOST_SHIFT, "0")
        found["up"] = _text(found["up"], -MOST_SHIFT, MOST_SHIFT, "0")
        return cls(**found)

    def but(self, **changes: Any) -> "Look":
        return replace(self, **changes)

    @property
    def pairs(self) -> list[tuple[str, Any]]:
        """What differs from the usual look, for addresses and hidden fields."""
        usual = Look()
        return [
            (one.name, value) for one in fields(self) if (value := getattr(self, one.name)) != getattr(usual, one.name)
        ]

    def address(self, **changes: Any) -> str:
        return f"?{urlencode(self.but(**changes).pairs)}"

    @property
    def step(self) -> Fraction:
        return Fraction(self.snap)

    @property
    def width(self) -> float:
        return float(self.wide)

    @property
    def shift(self) -> tuple[float, float]:
        return float(self.right), float(self.up)


def _text(text: str, least: float, most: float, usual: str) -> str:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        return usual
    return f"{min(most, max(least, value)):g}" if value == value else usual


def where(x: float, y: float) -> str:
    """Say where a place is, for whoever does not see it."""
    across = f"{abs(x):g} {'left' if x < 0 else 'right'}" if x else ""
    along = f"{abs(y):g} {'down' if y < 0 else 'up'}" if y else ""
    return " and ".join(filter(None, (across, along))) or "in the middle"


def place_typed(word: str, look: Look, is_pointed: bool) -> Place | None:
    """Return the place that a word "-2,1.5" says; None of a word that is a name. Raises WrongPlace."""
    if "," not in word:
        return None
    try:
        x, y = (float(part) for part in word.split(","))
    except ValueError:
        raise WrongPlace(f"{word[:LONGEST]} is no place: write how far right and how far up, as -2,1.5.") from None
    if not max(abs(x), abs(y)) <= 1000:
        raise WrongPlace(f"{word[:LONGEST]} is not on the sheet: a place is at most 1000 steps from its middle.")
    step = look.step if is_pointed else Fraction(1, 1000)
    return snapped(x, step), snapped(y, step)
