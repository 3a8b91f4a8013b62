"""Places for gazetteers: a collection in the Linked Places format, version 1.3, which is GeoJSON and linked data.

https://github.com/LinkedPasts/linked-places-format. Types are those of Getty's Art & Architecture Thesaurus, and of
GeoNames' classes of features; what is not yet said, or is a mere point, has none.
"""

from collections.abc import Iterable
from typing import Any

from catalogue.citations.items import LICENCE, NAME
from catalogue.geography.old_names import old_names
from catalogue.identifiers.authorities import same_elsewhere
from catalogue.identifiers.resolution import identifier_of
from catalogue.models import Place

CONTEXT = "https://raw.githubusercontent.com/LinkedPasts/linked-places/master/linkedplaces-context-v1.1.jsonld"
# By kind: the concept of the thesaurus with its term, and the class of features.
TYPES = {
    Place.Kind.COUNTRY: ("aat:300387506", "country", "A"),
    Place.Kind.PEOPLE: ("aat:300387171", "cultural group", "L"),
    Place.Kind.REGION: ("aat:300182722", "region (geographic)", "L"),
    Place.Kind.TOWN: ("aat:300008375", "town", "P"),
}


def linked_places(places: Iterable[Place], base: str) -> dict[str, Any]:
    """Return the collection. places: with what they are part of; base: the address of the site"""
    return {
        "type": "FeatureCollection",
        "@context": CONTEXT,
        "citation": {"label": f"{NAME}: places", "@id": f"{base}/places/", "license": LICENCE},
        "features": [_feature(place, base) for place in places],
    }


def _feature(place: Place, base: str) -> dict[str, Any]:
    name, page = f"{base}{identifier_of(place)}", f"{base}{place.get_absolute_url()}"
    kind = TYPES.get(Place.Kind(place.kind))
    cited = {"toponym": place.name, "lang": "en", "citations": [{"label": NAME, "@id": page}]}
    feature: dict[str, Any] = {
        "@id": name,
        "type": "Feature",
        "properties": {"title": place.name, "fclasses": [kind[2]] if kind else []},
        "names": [cited, *({"toponym": before, "lang": "en"} for before in old_names().get(place.slug, ()))],
        "geometry": _point(place),
        "links": [
            *({"type": "exactMatch", "identifier": one.address} for one in same_elsewhere(place)),
            {"type": "primaryTopicOf", "identifier": page},
        ],
    }
    if kind:
        label = {"label": place.get_kind_display(), "lang": "en"}
        feature["types"] = [{"identifier": kind[0], "label": kind[1], "sourceLabels": [label]}]
    if place.part_of:
        within = {"relationType": "gvp:broaderPartitive", "relationTo": f"{base}{identifier_of(place.part_of)}"}
        certain = {"certainty": "less-certain"} if place.part_of_is_derived else {}
        feature["relations"] = [{**within, "label": f"part of {place.part_of.name}", **certain}]
    if place.coordinates_note:
        feature["descriptions"] = [{"@id": page, "value": place.coordinates_note, "lang": "en"}]
    return feature


def _point(place: Place) -> dict[str, Any] | None:
    if place.latitude is None or place.longitude is None:
        return None
    return {"type": "Point", "coordinates": [float(place.longitude), float(place.latitude)]}
