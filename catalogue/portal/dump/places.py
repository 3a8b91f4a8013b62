"""The places of the dump: its regions, and where its records say they are from."""

from collections.abc import Iterable

from catalogue.geography import countries
from catalogue.loading.rows import Row, row, slug_of
from catalogue.models import Place
from catalogue.portal.dump.places_text import PlaceProblem, Point, kml_names, points_and_names
from catalogue.portal.dump.texts import Notify, ignore

LONGEST_NAME = 100


class Places:
    """Names and points → slugs of places, those that are in the catalogue under that name before all others.

    A point is part of today's country it lies in, which is derived and marked so.
    """

    def __init__(self, regions: Iterable[str]) -> None:
        self.by_name: dict[str, str] = dict(Place.objects.values_list("name", "slug"))
        self.rows: dict[str, Row] = {}
        self.regions = {_folded(name): self._named(name, Place.Kind.REGION) for name in regions}

    def of(self, location: str, notify: Notify = ignore) -> list[str]:
        """Slugs; `notify` is called for names that are no regions of the portal. Raises PlaceProblem."""
        if region := self.regions.get(_folded(location)):
            return [region]
        return [self._slug_of(one, location, notify) for one in points_and_names(location)]

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
        kind = Place.Kind.COUNTRY if name in countries.names() else kind
        self.rows.setdefault(slug, row("place", slug=slug, name=name, kind=kind))
        return slug

    def _point(self, point: Point, location: str) -> str:
        if point.slug not in self.rows:
            printed = " ".join(location.split())
            country = countries.country_of(float(point.latitude), float(point.longitude))
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
