"""What part of the map is shown: a zoom and a middle, which an address can name. Pure Python, no Django."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from catalogue.geography.equal_earth import HEIGHT, WIDTH, Point

MOST_ZOOM = 6  # 540 km from left to right on the equator; the outlines hold no more detail
STEP = 1 / 2  # how much of the view it moves by
ROOM = 0.8  # the share of a view that what it was chosen for may fill


@dataclass(frozen=True, slots=True)
class View:
    """A rectangle of the map, in its units; each zoom shows half the width of the one before.

    x, y: its middle, of which the view may lie off where it would leave the map
    """

    z: int = 0
    x: int = WIDTH // 2
    y: int = round(HEIGHT / 2)

    @property
    def width(self) -> float:
        return WIDTH / float(2**self.z)

    @property
    def height(self) -> float:
        return HEIGHT / float(2**self.z)

    @property
    def left(self) -> float:
        return min(max(self.x - self.width / 2, 0), WIDTH - self.width)

    @property
    def top(self) -> float:
        return min(max(self.y - self.height / 2, 0), HEIGHT - self.height)

    @property
    def box(self) -> str:
        """As an SVG writes it."""
        return f"{self.left:.0f} {self.top:.0f} {self.width:.0f} {self.height:.0f}"

    @property
    def world(self) -> str:
        """The size of the whole map and the nearest zoom, for the script that moves it."""
        return f"{WIDTH} {HEIGHT:.0f} {MOST_ZOOM}"

    @property
    def nearer(self) -> "View | None":
        return replace(self, z=self.z + 1) if self.z < MOST_ZOOM else None

    @property
    def further(self) -> "View | None":
        return replace(self, z=self.z - 1) if self.z else None

    def moves(self) -> Iterator[tuple[str, str, "View"]]:
        """Where one can go from here: an arrow, its words, and the view; none that would show the same again."""
        for arrow, words, across, down in (
            ("←", "west", -1, 0),
            ("↑", "north", 0, -1),
            ("↓", "south", 0, 1),
            ("→", "east", 1, 0),
        ):
            middle_x = self.left + self.width / 2 + across * STEP * self.width
            middle_y = self.top + self.height / 2 + down * STEP * self.height
            moved = View(self.z, round(min(max(middle_x, 0), WIDTH)), round(min(max(middle_y, 0), HEIGHT)))
            if moved.box != self.box:
                yield arrow, words, moved


def view_of(points: list[Point]) -> View:
    """The nearest view that shows all of some points, with room around them."""
    left, right = min(point.x for point in points), max(point.x for point in points)
    top, bottom = min(point.y for point in points), max(point.y for point in points)
    middle = round((left + right) / 2), round((top + bottom) / 2)
    for z in range(MOST_ZOOM, 0, -1):
        if right - left <= ROOM * WIDTH / 2**z and bottom - top <= ROOM * HEIGHT / 2**z:
            return View(z, *middle)
    return View()
