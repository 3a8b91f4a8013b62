"""How a game ended, as a number. The last two are no draws: "endless" is a turn that never releases the mover,
"unfinished" our cap.
"""

WIN, DRAW, ENDLESS, UNFINISHED = range(4)
END_NAMES = ("win", "draw", "endless", "unfinished")
