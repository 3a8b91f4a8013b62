"""Captures that take the most: which jumps are the beginning of one. Plain Python, for the referee."""

from collections.abc import Callable, Sequence

from simulator.engine.families.points.position import MOST_DEEP, MOST_LOOKED_AT

Jump = tuple[int, int]  # from a point to a point
# What a jump takes (pieces, by a king, kings), and the jumps that may follow it, each to be made in the same way.
Worth = tuple[int, int, int]
Made = tuple[Worth, Sequence[tuple[int, "Make"]]]
Make = Callable[[], Made]


def best(jumps: Sequence[tuple[int, Make]], ranks: bool) -> list[int]:
    """Return which of some jumps begin a capture that takes the most, and of as many the highest, if it ranks."""
    worth = [_best_after(make, ranks) for _, make in jumps]
    return [number for number, (found, _) in enumerate(zip(worth, jumps, strict=True)) if found == max(worth)]


def _best_after(make: Make, ranks: bool) -> Worth:
    """Return the most that a jump and those after it take. No more than MOST_LOOKED_AT of them are tried, and none
    farther than MOST_DEEP: a turn that could go on in more ways is judged by these."""
    first, following = make()
    found, looked_at = _counted(first, ranks), 0
    ahead = [(found, iter(following))]
    while ahead:
        before, jumps = ahead[-1]
        step = next(jumps, None)
        if step is None:
            ahead.pop()
            continue
        taken, following = step[1]()
        now = (before[0] + taken[0], before[1], before[2] + taken[2] * ranks)
        found, looked_at = max(found, now), looked_at + 1
        if looked_at >= MOST_LOOKED_AT:
            break
        if len(ahead) < MOST_DEEP:
            ahead.append((now, iter(following)))
    return found


def _counted(worth: Worth, ranks: bool) -> Worth:
    return worth if ranks else (worth[0], 0, 0)
