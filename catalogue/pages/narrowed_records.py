"""What the list of the records, the map and the time line share: one row of choices, what was chosen, the ways on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from catalogue.filters.choices import NarrowingField, RecordFacet
from catalogue.filters.parameters import RecordParameters
from catalogue.geography.queries import years_of_all
from catalogue.texts.formatting import year_words

VIEWS = (("a list", "evidence-list"), ("a map", "map"), ("a time line", "timeline"))
AT_ONCE = "1000"  # records of one table
EXPORTS = (("CSV", {"format": "csv", "page_size": AT_ONCE}), ("JSON", {"format": "json"}))


@dataclass(frozen=True, slots=True)
class Chip:
    """Something that was chosen, and the address without it."""

    title: str
    text: str
    without: str


def narrowed_records(parameters: RecordParameters, offers: Iterable[NarrowingField | RecordFacet]) -> dict[str, Any]:
    """The context of `partials/narrow_records.html` and `partials/narrowed_records.html`."""
    offers = list(offers)
    return {
        "parameters": parameters,
        "offers": offers,
        "years": years_of_all(),
        "chips": [*_chips(parameters, offers)],
        "views": [(words, parameters.address(path=reverse(route))) for words, route in VIEWS],
        "exports": [(words, parameters.address(form, reverse("v1:evidence-list"))) for words, form in EXPORTS],
    }


def _chips(parameters: RecordParameters, offers: Iterable[NarrowingField | RecordFacet]) -> Iterator[Chip]:
    for offer in offers:
        if offer.chosen:
            yield Chip(offer.title, offer.chosen_text, parameters.address(without=(offer.name,)))
    for name, year in (("from", parameters.earliest), ("to", parameters.latest)):
        if year is not None:
            yield Chip(name.capitalize(), year_words(year), parameters.address(without=(name,)))
    if parameters.undated:
        words = "dated" if parameters.undated == "no" else "undated"
        yield Chip("Only", words, parameters.address(without=("undated",)))
