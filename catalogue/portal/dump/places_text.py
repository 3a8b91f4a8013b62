"""Where a record is from, as the portal's column Location says it: a point, or the names of places.

Several of them stand between semicolons. Points stand as degrees, minutes and seconds (`30°1'55.75"N, 31°4'31.13"E`)
or as decimal degrees (`30.03, 31.07`).
"""

import re
from dataclasses import dataclass
from decimal import Decimal

from catalogue.loading.rows import slug_of

NUMBER = r"\d{1,3}(?:[.,]\d{1,12})?"
AXIS = re.compile(
    rf"""(?P<before>[NSEWO])?\s*(?P<sign>[-−+])?\s*(?P<degrees>{NUMBER})\s*[°º˚d]\s*
    (?:(?P<minutes>{NUMBER})\s*['’′‘´`m]\s*)?
    (?:(?P<seconds>{NUMBER})\s*(?:["”″“s]|''|’’|′′)\s*)?
    (?(before)|(?P<side>[NSEWO])?)""",
    re.VERBOSE | re.IGNORECASE,
)
DECIMAL = re.compile(
    r"\(?\s*([-−+]?\d{1,3}(?:\.\d{1,15})?)°?\s*([NS])?\s*[,;\s]\s*([-−+]?\d{1,3}(?:\.\d{1,15})?)°?\s*([EW])?\s*\)?"
)
LOOKS_LIKE_A_POINT = re.compile(r"\d|[°º˚]")
LONGEST_NAME = 100
LONGEST = 1_000


class PlaceProblem(ValueError):
    """The text is neither a point nor the name of a place; the message says why."""


@dataclass(frozen=True, slots=True)
class Point:
    """Decimal degrees north and east, to four places: some ten metres."""

    latitude: Decimal
    longitude: Decimal

    @property
    def name(self) -> str:
        north, east = "N" if self.latitude >= 0 else "S", "E" if self.longitude >= 0 else "W"
        return f"{abs(self.latitude)}° {north}, {abs(self.longitude)}° {east}"

    @property
    def slug(self) -> str:
        return slug_of(self.name.replace(".", "-").replace("°", ""))


def points_and_names(location: str) -> list[Point | str]:
    """Each once, in their order. Raises PlaceProblem if one of them is neither."""
    words = " ".join(location.split())
    if len(words) > LONGEST:
        raise PlaceProblem(f"it has {len(words):,} characters; the most that are read are {LONGEST}")
    parts = [part.strip() for part in words.split(";") if part.strip()]
    found: list[Point | str] = []
    try:
        for part in parts:
            found += [_point(part)] if LOOKS_LIKE_A_POINT.search(part) else _names(part.split(","))
    except PlaceProblem:
        if len(parts) != 2 or found:
            raise
        found = [_point(words)]  # a semicolon between a latitude and its longitude
    return list(dict.fromkeys(found))


def kml_names(words: str) -> list[str]:
    """Of the column KML, which names the drawings of lands or peoples. Raises PlaceProblem."""
    without_endings = re.sub(r"\.km[lz]\b", "", words, flags=re.IGNORECASE)
    return list(dict.fromkeys(_names(" ".join(without_endings.split()).split(";"))))


def _names(parts: list[str]) -> list[str]:
    names = [part.strip() for part in parts if part.strip()]
    for name in names:
        if len(name) > LONGEST_NAME:
            raise PlaceProblem(f"a name of {len(name)} characters; the longest is {LONGEST_NAME}")
        if not any(letter.isalpha() for letter in name):
            raise PlaceProblem("it is neither a point nor the name of a place")
    return names


def _point(words: str) -> Point:
    decimal = DECIMAL.fullmatch(words)
    if decimal:
        north, south, east, west = decimal.groups()
        return _on_the_globe(_signed(north, south), _signed(east, west))
    axes = list(AXIS.finditer(words))
    between = AXIS.sub("", words).strip(" ,;/")
    if len(axes) != 2 or between:
        raise PlaceProblem("it is no point: write for example 30°1'55.75\"N, 31°4'31.13\"E or 30.0322, 31.0753")
    sides = [(axis["side"] or axis["before"] or "").upper().replace("O", "W") for axis in axes]
    if sides[0] in ("E", "W") and sides[1] in ("N", "S"):
        axes, sides = axes[::-1], sides[::-1]
    if sides[0] in ("E", "W") or sides[1] in ("N", "S"):
        raise PlaceProblem("it is no point: it needs one latitude (N or S) and one longitude (E or W)")
    return _on_the_globe(*(_degrees(axis, side) for axis, side in zip(axes, sides, strict=True)))


def _degrees(axis: re.Match[str], side: str) -> Decimal:
    degrees, minutes, seconds = (
        Decimal((axis[name] or "0").replace(",", ".")) for name in ("degrees", "minutes", "seconds")
    )
    if minutes >= 60 or seconds >= 60:
        raise PlaceProblem("it is no point: minutes and seconds go up to 59")
    value = degrees + minutes / 60 + seconds / 3600
    return _towards(value, side, (axis["sign"] or "") in ("-", "−"))


def _signed(number: str, side: str | None) -> Decimal:
    value = Decimal(number.lstrip("-−+"))
    return _towards(value, (side or "").upper(), number[0] in "-−")


def _towards(value: Decimal, side: str, negative: bool) -> Decimal:
    return -value if negative != (side in ("S", "W")) else value


def _on_the_globe(latitude: Decimal, longitude: Decimal) -> Point:
    if abs(latitude) > 90:
        raise PlaceProblem(f"it is no point: {latitude:.4f} degrees north; latitudes go from -90 to 90")
    if abs(longitude) > 180:
        raise PlaceProblem(f"it is no point: {longitude:.4f} degrees east; longitudes go from -180 to 180")
    four = Decimal("0.0001")
    return Point(latitude.quantize(four) + 0, longitude.quantize(four) + 0)
