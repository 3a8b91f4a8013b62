"""Where a record of the dump is from, and of what time.

The portal gives two days, each perhaps before the common era; they become words and an EDTF string. Its column
Location holds a point, or names of places, in several forms.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from catalogue.geography import queries
from catalogue.loading.rows import Row, row, slug_of
from catalogue.models import Place
from catalogue.portal.dump.values import Notify, ignore
from catalogue.texts.dates import DateProblem, edtf_of_portal, years

DAY = re.compile(
    r"(?P<year>\d{1,6})(?:[-/.](?P<month>\d{1,2})(?:[-/.](?P<day>\d{1,2}))?)?(?:[ T]00:00(?::00(?:\.0+)?)?)?"
)
NOTHING = re.compile(r"0*|0{1,4}-0{1,2}-0{1,2}(?:[ T]00:00:00)?")
WITHOUT_MONTH = re.compile(r"\d+[-/.]0{1,2}[-/.]0*[1-9]")
FOUR_DIGITS = 9999
NEW_YEAR, NEW_YEARS_EVE = (1, 1), (12, 31)

Parts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dated:
    """words: as the portal prints them; edtf: "" if there is none; oddity: "" if all is well"""

    words: str
    edtf: str
    oddity: str = ""


@dataclass(frozen=True, slots=True)
class PortalDay:
    """A day as printed, and whether it is before the common era; era: what stands there instead of 1 or 0, else """ ""

    printed: str
    is_bc: bool = False
    era: str = ""

    @property
    def words(self) -> str:
        if self.era:
            return f"{self.printed} (BC: {self.era})"
        return f"{self.printed} BC" if self.is_bc else self.printed


def portal_day(printed: str, bc: str) -> PortalDay:
    """A day from DateStart and DateStartBC, or DateEnd and DateEndBC. "" or 0: of the common era; 1: before it"""
    printed = "" if NOTHING.fullmatch(printed) else printed
    return PortalDay(printed, bc == "1", "" if bc in ("", "0", "1") else bc)


def dated(first: PortalDay, last: PortalDay) -> Dated:
    if not first.printed and not last.printed:
        return Dated("", "")
    words = " - ".join(day.words for day in (first, last) if day.printed)
    try:
        return Dated(words, *_edtf_of(first, last))
    except DateProblem as problem:
        return Dated(words, "", f"{problem}; the words are kept, the record counts as undated")


def _edtf_of(first: PortalDay, last: PortalDay) -> tuple[str, str]:
    """EDTF, and what is odd."""
    if not (first.printed and last.printed):
        only = _written(_parts(first if first.printed else last))
        return (f"{only}/..", "has only a start") if first.printed else (f"../{only}", "has only an end")
    starts, ends = _parts(first), _parts(last)
    if starts > ends[: len(starts)] and starts[: len(ends)] > ends:
        raise DateProblem(f"{first.words} is after {last.words}; they may be swapped")
    no_month = [day.printed for day in (first, last) if WITHOUT_MONTH.match(day.printed)]
    odd = f"{' and '.join(dict.fromkeys(no_month))}: a day of no month; the year is kept" if no_month else ""
    return _span(starts, ends, before_our_era=first.is_bc or last.is_bc), odd


def _span(starts: Parts, ends: Parts, *, before_our_era: bool) -> str:
    """Return the span of days that the portal's first and last day of a year or a month mean.

    Where an end was only given as a year before the common era, the portal writes 1 January for both ends.
    """
    ends_of_years = ((), NEW_YEARS_EVE, NEW_YEAR) if before_our_era else ((), NEW_YEARS_EVE)
    if starts[1:] in ((), NEW_YEAR) and ends[1:] in ends_of_years:
        starts, ends = starts[:1], ends[:1]
    four_digits = all(abs(parts[0]) <= FOUR_DIGITS for parts in (starts, ends))
    if four_digits and len(starts) == len(ends) == 3:
        return edtf_of_portal(f"{_portal(starts)} - {_portal(ends)}")
    begin, finish = _written(starts), _written(ends)
    edtf = begin if begin == finish else f"{begin}/{finish}"
    years(edtf)
    return edtf


def _parts(day: PortalDay) -> Parts:
    """Year, month, day, as far as they are given; the year in astronomical counting."""
    if day.era:
        raise DateProblem(f"{day.printed!r} is before the common era (1) or not (0), but the dump says {day.era}")
    match = DAY.fullmatch(day.printed)
    if not match:
        raise DateProblem(f"{day.printed!r} is no date; write for example 1909-01-31")
    found = [int(part) for part in match.groups() if part is not None]
    if not found[0]:
        raise DateProblem(f"{day.printed!r}: there is no year 0")
    given = found.index(0) if 0 in found else len(found)  # 1909-00-00
    return (1 - found[0] if day.is_bc else found[0], *found[1:given])


def _portal(parts: Parts) -> str:
    year, month, day = parts
    return f"{'-' if year < 0 else ''}{abs(year):04}-{month:02}-{day:02}"


def _written(parts: Parts) -> str:
    year, *rest = parts
    if abs(year) > FOUR_DIGITS:
        return f"Y{year}"
    edtf = "-".join([f"{'-' if year < 0 else ''}{abs(year):04}", *(f"{part:02}" for part in rest)])
    years(edtf)
    return edtf


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
    """The names in the column KML, which names the drawings of lands or peoples. Raises PlaceProblem."""
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


class Places:
    """Names and points → slugs of places, those that are in the catalogue under that name before all others.

    A point is part of today's country it lies in, which is derived and marked so.
    """

    def __init__(self, regions: Iterable[str]) -> None:
        self.by_name: dict[str, str] = dict(Place.objects.values_list("name", "slug"))
        self.rows: dict[str, Row] = {}
        self.regions = {_folded(name): self._named(name, Place.Kind.REGION) for name in regions}

    def of(self, location: str, notify: Notify = ignore) -> list[str]:
        """Return slugs of regions; `notify` is called for unknown names. Raises PlaceProblem."""
        if region := self.regions.get(_folded(location)):
            return [region]
        return [self._slug_of(name, location, notify) for name in points_and_names(location)]

    def drawn(self, words: str, notify: Notify = ignore) -> list[str]:
        """Slugs of the lands that the column KML names. Raises PlaceProblem."""
        return [self.regions.get(_folded(name)) or self._named(name, Place.Kind.REGION) for name in kml_names(words)]

    def _slug_of(self, one: Point | str, location: str, notify: Notify) -> str:
        if isinstance(one, Point):
            return self._point(one, location)
        if (slug := self.regions.get(_folded(one))) is not None:
            return slug
        if one not in self.by_name:
            notify(f"{one!r} is no region of the portal; it was kept as a place of its own")
        return self._named(one, Place.Kind.UNKNOWN)

    def rows_of(self, slugs: Iterable[str]) -> list[Row]:
        """The rows of places, each once and after what it is part of."""
        places = {slug: self.rows[slug] for slug in slugs if slug in self.rows}
        above = {slug: self.rows[slug] for place in places.values() for slug in place["fields"].get("part_of") or ()}
        return list({**above, **places}.values())

    def _named(self, name: str, kind: str) -> str:
        slug = self.by_name.get(name) or slug_of(name)
        if not slug:
            raise PlaceProblem("it is neither a point nor the name of a place")
        kind = Place.Kind.COUNTRY if name in queries.names() else kind
        self.rows.setdefault(slug, row("place", slug=slug, name=name, kind=kind))
        return slug

    def _point(self, point: Point, location: str) -> str:
        if point.slug not in self.rows:
            printed = " ".join(location.split())
            country = queries.country_of(float(point.latitude), float(point.longitude))
            self.rows[point.slug] = row(
                "place",
                slug=point.slug,
                name=point.name,
                kind=Place.Kind.POINT,
                latitude=str(point.latitude),
                longitude=str(point.longitude),
                coordinates_note=f"As the portal prints it: {printed}"[:200],
                part_of=[self._named(country, Place.Kind.COUNTRY)] if country else None,
                part_of_is_derived=country is not None,
            )
        return point.slug


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
