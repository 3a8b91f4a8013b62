"""How a game ended, as a number. The last two are no draws: "endless" is a turn that never releases the mover,
"unfinished" our cap.
"""

WIN, DRAW, ENDLESS, UNFINISHED = range(4)
END_NAMES = ("win", "draw", "endless", "unfinished")

# A turn that has as many plies is not gone on with: whoever moves again and again, as a rule may let him, would else
# never end a game. It is stopped as by the cap, since its turns are never more (decision 061).
MOST_PLIES_OF_A_TURN = 256
