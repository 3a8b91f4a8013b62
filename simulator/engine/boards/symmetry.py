"""Symmetries of figures of points and lines: the permutations that map each on itself, and what they map on each other.

A figure here is a number of points, each with a colour, and lines as sequences of points. A symmetry keeps colours and
maps lines on lines, forwards or backwards: so it keeps what is drawn, and what is straight on. It is found by plain
search: points are told apart by colours that are refined until nothing tells more of them apart, then one point of a
class that is left is tried on each other of its class.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

Permutation = tuple[int, ...]
MOST = 10_000  # symmetries that are listed; boards have a handful


class TooManySymmetries(ValueError):
    """A figure has more symmetries than can be listed."""


def symmetries(
    colours: Sequence[Hashable],
    lines: Iterable[Sequence[int]],
    sets: Iterable[Iterable[Collection[int]]] = (),
    arrows: Iterable[Collection[tuple[int, int]]] = (),
    reads_lines: bool = True,
) -> tuple[Permutation, ...]:
    """Return every symmetry in ascending order, the one that moves nothing first; point p goes to `symmetry[p]`.

    colours:     one a point, kept by all symmetries
    lines:       each as its points from end to end; a closed one ends with the point it begins with
    sets:        kinds of sets of points, each mapped on one of its kind
    arrows:      kinds of ways from a point to the next, each mapped on one of its kind
    reads_lines: whether a line has to stay one line; if not, only neighbours have to stay neighbours

    Raises TooManySymmetries.
    """
    drawn = [tuple(line) for line in lines]
    beside: list[set[int]] = [set() for _ in colours]
    for one, other in (pair for line in drawn for pair in pairwise(line)):
        beside[one].add(other)
        beside[other].add(one)
    kept = {_canonical(line) for line in drawn} if reads_lines else set[Permutation]()
    kinds = [{frozenset(members) for members in kind} for kind in sets]
    ways = [frozenset(kind) for kind in arrows]
    start = _refined(_numbered([(repr(colour), _places(kept, point)) for point, colour in enumerate(colours)]), beside)
    found = []
    for to in _search(start, start, beside):
        if (
            all(_canonical([to[point] for point in line]) in kept for line in kept)
            and all({frozenset(to[point] for point in members) for members in kind} == kind for kind in kinds)
            and all({(to[one], to[other]) for one, other in kind} == kind for kind in ways)
        ):
            found.append(to)
            if len(found) > MOST:
                raise TooManySymmetries(f"a figure of {len(colours)} points has more than {MOST:,} symmetries")
    return tuple(sorted(found))


def _places(lines: Iterable[Permutation], point: int) -> tuple[tuple[int, int], ...]:
    """Return where a point lies on its lines: how long each is, and how far its end; what is closed has none."""
    return tuple(
        sorted(
            (len(line), -1 if line[0] == line[-1] else min(line.index(point), len(line) - 1 - line.index(point)))
            for line in lines
            if point in line
        )
    )


def _canonical(line: Sequence[int]) -> Permutation:
    """Return the one way of writing a line: it has two ends to begin with, or any point if it is closed."""
    if line[0] != line[-1]:
        return min(tuple(line), tuple(reversed(line)))
    once = list(line[:-1])
    turned = [once[place:] + once[:place] for place in range(len(once))]
    best = min([*turned, *(one[::-1] for one in turned)])
    return (*best, best[0])


def _numbered(keys: Sequence[Any]) -> list[int]:
    numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [numbers[key] for key in keys]


def _refined(colours: list[int], beside: Sequence[set[int]]) -> list[int]:
    """Tell points apart by the colours of their neighbours, until that tells no more of them apart."""
    while True:
        keys = [(own, tuple(sorted(colours[to] for to in beside[point]))) for point, own in enumerate(colours)]
        if len(set(keys)) == len(set(colours)):
            return colours
        colours = _numbered(keys)


def _search(of: list[int], to: list[int], beside: Sequence[set[int]]) -> Iterator[Permutation]:
    """Yield the permutations that map one colouring of the points on another and keep neighbours."""
    if sorted(of) != sorted(to):
        return
    several = [colour for colour in set(of) if of.count(colour) > 1]
    if not several:
        found = tuple(to.index(colour) for colour in of)
        if all({found[there] for there in near} == beside[found[point]] for point, near in enumerate(beside)):
            yield found
        return
    colour = min(several, key=lambda one: (of.count(one), of.index(one)))
    fixed = _refined(_apart(of, of.index(colour)), beside)
    for image in (point for point, own in enumerate(to) if own == colour):
        yield from _search(fixed, _refined(_apart(to, image), beside), beside)


def _apart(colours: list[int], point: int) -> list[int]:
    """Return the colours with one point told apart from the others of its colour."""
    return [2 * own + (number == point) for number, own in enumerate(colours)]


def orbits(group: Sequence[Permutation]) -> list[tuple[int, ...]]:
    """Return the classes of things that the symmetries map on each other, by their first members."""
    return sorted({tuple(sorted({one[thing] for one in group})) for thing in range(len(group[0]))})


def on_lines(group: Sequence[Permutation], edges: Sequence[tuple[int, int]]) -> list[Permutation]:
    """Return what each symmetry does to the pieces of line, as numbers of `edges`."""
    number = {edge: place for place, edge in enumerate(edges)}
    return [tuple(number[_edge(to[one], to[other])] for one, other in edges) for to in group]


def _edge(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
