"""Sets of a fixed size by their number: colexicographic ranking.

The sets of k numbers are counted by their largest member first, so that set c[0] < c[1] < … has the number
sum of choose(c[i], i + 1), and whoever puts a smaller number in the place of a member comes to a smaller number.
"""

import numpy as np

from simulator.engine.compiled import inlined


def binomials(most, members):
    """choose[n, k] for n up to `most` and k up to `members`; int64. Raises OverflowError where that is too narrow."""
    choose = np.zeros((most + 1, members + 1), dtype=object)
    choose[:, 0] = 1
    for n in range(1, most + 1):
        for k in range(1, members + 1):
            choose[n, k] = choose[n - 1, k - 1] + choose[n - 1, k]
    return choose.astype(np.int64)


@inlined
def rank(choose, members):
    """The number of an ascending set."""
    found = 0
    for place in range(len(members)):
        found += choose[members[place], place + 1]
    return found


@inlined
def rank_after(choose, members, number, place, lower):
    """The number of set `number` once its member at `place` has become the lower number, which is none of its own."""
    number -= choose[members[place], place + 1]
    while place > 0 and members[place - 1] > lower:
        number += choose[members[place - 1], place + 1] - choose[members[place - 1], place]
        place -= 1
    return number + choose[lower, place + 1]


@inlined
def unrank(choose, number, members):
    """Write set `number`, ascending."""
    largest = len(choose) - 1
    for place in range(len(members) - 1, -1, -1):
        while choose[largest, place + 1] > number:
            largest -= 1
        members[place] = largest
        number -= choose[largest, place + 1]


@inlined
def advance(members):
    """The next set in order."""
    place = 0
    while place + 1 < len(members) and members[place] + 1 == members[place + 1]:
        members[place] = place
        place += 1
    members[place] += 1
