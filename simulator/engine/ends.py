"""The ends of a game as numbers. The last two are no draws: in an endless game a turn never releases the mover, an
unfinished one was stopped at the cap.
"""

WIN, DRAW, ENDLESS, UNFINISHED = range(4)
END_NAMES = ("win", "draw", "endless", "unfinished")

# A game is stopped in a turn of so many plies, as it is by the cap: a rule may let a player move again and again, and
# the number of turns, which the cap limits, would never rise (decision 061).
MOST_PLIES_OF_A_TURN = 256
