"""What the outcomes that every game has are known by in documents; alone, for pages load no statistics library."""

TURNS, WON, DRAWN, OPEN = "turns", "won_0", "draw", "open"
