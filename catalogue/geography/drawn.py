"""Marks as a drawing writes them. Pure Python, no Django."""

from dataclasses import dataclass

from catalogue.geography.clusters import Mark


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """A mark as the drawing writes it. Lengths are words already: the template would take its time to make them."""

    words: str
    label: str
    is_cluster: bool
    x: str
    y: str
    radius: str
    disc: str
    address: str


def drawn_mark(mark: Mark, address: str) -> DrawnMark:
    x, y, radius, disc = (f"{length:.1f}" for length in (mark.point.x, mark.point.y, mark.radius, mark.disc))
    return DrawnMark(mark.words, mark.label, mark.is_cluster, x, y, radius, disc, address)
