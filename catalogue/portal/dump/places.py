"""The places of the dump: its regions, and where its records say they are from."""

from collections.abc import Iterable

from catalogue.loading.rows import Row, row, slug_of
from catalogue.models import Place
from catalogue.portal.dump.places_text import PlaceProblem, Point, point_or_names

LONGEST_NAME = 100


class Places:
    """Names and points → slugs of places, those that are in the catalogue under that name before all others."""

    def __init__(self, regions: Iterable[str]) -> None:
        self.by_name: dict[str, str] = dict(Place.objects.values_list("name", "slug"))
        self.rows: dict[str, Row] = {}
        self.regions = {" ".join(name.split()).casefold(): self._named(name, Place.Kind.REGION) for name in regions}

    def of(self, location: str) -> tuple[list[str], list[str]]:
        """Slugs, and those of the names that are no regions of the portal. Raises PlaceProblem."""
        region = self.regions.get(" ".join(location.split()).casefold())
        if region:
            return [region], []
        found = point_or_names(location)
        if isinstance(found, Point):
            return [self._point(found, location)], []
        slugs, others = [], []
        for name in found:
            slug = self.regions.get(name.casefold())
            if slug is None:
                others += [] if name in self.by_name else [name]
                slug = self._named(name, Place.Kind.UNKNOWN)
            slugs.append(slug)
        return list(dict.fromkeys(slugs)), others

    def _named(self, name: str, kind: str) -> str:
        slug = self.by_name.get(name) or slug_of(name)
        if not slug:
            raise PlaceProblem("it is neither a point nor the name of a place")
        self.rows.setdefault(slug, row("place", slug=slug, name=name, kind=kind))
        return slug

    def _point(self, point: Point, location: str) -> str:
        printed = " ".join(location.split())
        self.rows.setdefault(
            point.slug,
            row(
                "place",
                slug=point.slug,
                name=point.name,
                kind=Place.Kind.POINT,
                latitude=str(point.latitude),
                longitude=str(point.longitude),
                coordinates_note=f"As the portal prints it: {printed}"[:200],
            ),
        )
        return point.slug
