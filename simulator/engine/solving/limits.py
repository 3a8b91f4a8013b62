"""How much is solved by looking at every position. Pure Python: pages say it, too."""

MOST_POSITIONS = 20_000_000
MOST_MOVES = 160_000_000  # over all positions; with both bounds reached a solution takes about 4 GB
