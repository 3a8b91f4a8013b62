"""The projection of the map: Equal Earth, in which areas keep their proportions and parallels are straight lines.

Šavrič, B., Patterson, T. and Jenny, B. 2019. “The Equal Earth map projection.” International Journal of Geographical
Information Science 33 (3): 454–465, doi:10.1080/13658816.2018.1504949; the polynomial is their equation (1), with the
coefficients printed beneath it. Pure Python, no Django: the outlines of the lands and the places of the records are
put on the map by this one function.
"""

import math
from functools import lru_cache
from typing import NamedTuple

A1, A2, A3, A4 = 1.340264, -0.081106, 0.000893, 0.003796
HALF_ROOT_3 = math.sqrt(3) / 2
WIDTH = 20_000  # units of the map from its left to its right edge, along the equator
RADIUS = WIDTH / 2 * 3 * A1 / (4 * HALF_ROOT_3 * math.pi)  # units in a radius of the globe


class Point(NamedTuple):
    """A point of the map in its units: x to the right from the left edge, y downwards from the north pole."""

    x: float
    y: float


def _northing(theta: float) -> float:
    """y of the paper's equation (1), for a globe of radius 1."""
    square = theta * theta
    return theta * (A1 + A2 * square + square**3 * (A3 + A4 * square))


HALF_HEIGHT = RADIUS * _northing(math.pi / 3)
HEIGHT = 2 * HALF_HEIGHT


@lru_cache(maxsize=50_000)  # a record's place stands where it stands
def projected(latitude: float, longitude: float) -> Point:
    """Where a point of the globe is on the map.

    latitude, longitude: degrees north, and east of Greenwich

    >>> projected(0, 0)
    Point(x=10000.0, y=4867.1697538740...)
    """
    theta = math.asin(HALF_ROOT_3 * math.sin(math.radians(latitude)))
    square = theta * theta
    slope = A1 + 3 * A2 * square + square**3 * (7 * A3 + 9 * A4 * square)
    easting = math.radians(longitude) * math.cos(theta) / (HALF_ROOT_3 * slope)
    return Point(WIDTH / 2 + RADIUS * easting, HALF_HEIGHT - RADIUS * _northing(theta))
