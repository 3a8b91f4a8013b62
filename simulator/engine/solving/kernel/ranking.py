"""Sets of a fixed size by their number: colexicographic ranking.

The sets of k numbers are ordered by their largest member first, so that the set c[0] < c[1] < … has the number
sum of choose(c[i], i + 1) (Knuth, The Art of Computer Programming 4A, 7.2.1.3), and a set in which one member is
replaced by a smaller number has a smaller number.
"""

import numpy as np

from simulator.engine.compiled import inlined


def binomials(most, members):
    """Return choose[n, k], int64, for n up to `most` and k up to `members`; raises OverflowError beyond 64 bits."""
    choose = np.zeros((most + 1, members + 1), dtype=object)
    choose[:, 0] = 1
    for n in range(1, most + 1):
        for k in range(1, members + 1):
            choose[n, k] = choose[n - 1, k - 1] + choose[n - 1, k]
    return choose.astype(np.int64)


@inlined
def rank(choose, members):
    """Return the number of an ascending set."""
    number = 0
    for place in range(len(members)):
        number += choose[members[place], place + 1]
    return number


@inlined
def rank_after(choose, members, number, place, lower):
    """Return the number of set `number` after its member at `place` is replaced by `lower`, which is not a member."""
    number -= choose[members[place], place + 1]
    # The members between the two move up by one place.
    while place > 0 and members[place - 1] > lower:
        number += choose[members[place - 1], place + 1] - choose[members[place - 1], place]
        place -= 1
    return number + choose[lower, place + 1]


@inlined
def unrank(choose, number, members):
    """Write set `number` into `members`, ascending."""
    largest = len(choose) - 1
    for place in range(len(members) - 1, -1, -1):
        while choose[largest, place + 1] > number:
            largest -= 1
        members[place] = largest
        number -= choose[largest, place + 1]


@inlined
def advance(members):
    """Change a set into the next in order: the first member that has room goes up, those before it start again."""
    place = 0
    while place + 1 < len(members) and members[place] + 1 == members[place + 1]:
        members[place] = place
        place += 1
    members[place] += 1
